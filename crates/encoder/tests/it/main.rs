//! The encoder against a plain forward pass in 64-bit floating point, and against the reference of the shipped model.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod damage;
mod float;
mod model;
mod oracle;
mod pairs;
mod passes;
mod reference;
