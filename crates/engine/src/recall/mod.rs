//! `recall` and `frame`: what the memory holds about a question, and why.
//!
//! A request runs through stages, each of them a small module over plain values: who may answer ([`gate`]), what words,
//! meaning and order of storing say ([`candidates`], [`fusion`]), what is linked to it ([`expansion`]), what the frame
//! cares about ([`composite`]), who speaks of two that contradict each other ([`suppression`]), and who is shown
//! ([`selection`]). [`pipeline`] puts them in order, [`answer`] turns slots back into blocks, [`shown`] counts the use.

mod answer;
mod cache;
mod candidates;
mod composite;
mod expansion;
mod frames;
mod fusion;
mod gate;
mod pipeline;
mod question;
mod request;
mod retrieval;
mod retrieve;
mod selection;
mod shown;
mod suppression;
mod top;
mod why;

pub(crate) use cache::Renderings;
pub(crate) use frames::check_frame;
pub use frames::{FrameEdit, FrameRemoved, FrameStored};
pub(crate) use request::checked_source;
pub use request::{Recall, RenderFrame, Why};
pub use retrieve::{Retrieve, RetrieveFormat, RetrieveResult, RetrievedMemory};
