//! Which blocks may answer: filters, scores by words and vectors, the short list, and what edges and names bring in.

pub(in crate::recall) mod bridges;
pub(in crate::recall) mod expansion;
pub(in crate::recall) mod filter;
pub(in crate::recall) mod fusion;
pub(in crate::recall) mod scored;
pub(in crate::recall) mod scores;
pub(in crate::recall) mod scratch;
pub(in crate::recall) mod shortlist;
pub(in crate::recall) mod surroundings;
pub(in crate::recall) mod top_k;
