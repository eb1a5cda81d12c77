//! `retrieve_memories`: memories with the lessons learned from them.

pub(in crate::recall) mod order;
pub(in crate::recall) mod request;
pub(in crate::recall) mod verb;
