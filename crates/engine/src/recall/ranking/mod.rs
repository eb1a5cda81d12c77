//! In which order: the composite score, the newest statement first, the owner first, relevance, and what is shown.

pub(in crate::recall) mod agreement;
pub(in crate::recall) mod companions;
pub(in crate::recall) mod composite;
pub(in crate::recall) mod freshness;
pub(in crate::recall) mod opinions;
pub(in crate::recall) mod precedence;
pub(in crate::recall) mod relevance;
pub(in crate::recall) mod selection;
pub(in crate::recall) mod subject;
pub(in crate::recall) mod suppression;
pub(in crate::recall) mod untrusted;
