//! From ranked slots to blocks: texts, superseded blocks, the explanation of one block, and the counted use.

pub(in crate::recall) mod blocks;
pub(in crate::recall) mod record_use;
pub(in crate::recall) mod superseded;
pub(in crate::recall) mod why;
