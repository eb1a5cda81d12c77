//! Frames: their recipes, their cached rendering, and the constraints that a task frame begins with.

pub(in crate::recall) mod cache;
pub(in crate::recall) mod constraint_leads;
pub(in crate::recall) mod constraints;
pub(in crate::recall) mod requests;
pub(in crate::recall) mod stored;
