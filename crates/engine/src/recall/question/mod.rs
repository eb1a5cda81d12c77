//! What was asked: the parsed question, its vector, its spelling, and the attribute or part it asks for.

pub(in crate::recall) mod asked_attribute;
pub(in crate::recall) mod asked_part;
pub(in crate::recall) mod embedding;
pub(in crate::recall) mod parsed;
pub(in crate::recall) mod spelling;
