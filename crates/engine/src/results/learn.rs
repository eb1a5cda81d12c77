//! Results of `learn` and `learn_document`.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{counted, one_line};
use elfmem_core::id::BlockId;
use elfmem_text::secrets::Redactions;

/// The effect of `learn`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum LearnStatus {
    /// A new block is in the inbox.
    Created,
    /// A block with the same content exists already; its tags were merged.
    DuplicateRejected,
    /// The text superseded a near-duplicate block.
    NearDuplicateSuperseded,
    /// The text repeats a block that was recalled in this session. Nothing was stored.
    Echo,
}

impl LearnStatus {
    /// Returns the name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::DuplicateRejected => "duplicate_rejected",
            Self::NearDuplicateSuperseded => "near_duplicate_superseded",
            Self::Echo => "echo",
        }
    }
}

/// Result of `learn` and `remember`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LearnResult {
    /// The block with the text.
    pub block_id: BlockId,
    /// The effect.
    pub status: LearnStatus,
    /// Number of secrets redacted from the text. Omitted from the JSON if there were none.
    #[serde(default, skip_serializing_if = "Redactions::is_empty")]
    pub redacted: Redactions,
    /// The block whose place it took. Omitted from the JSON if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded: Option<BlockId>,
    /// What became of labels: added to a block that was there, or left out. Omitted from the JSON if there is nothing to say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

impl LearnResult {
    /// Creates a result without redactions.
    pub fn new(block_id: BlockId, status: LearnStatus) -> Self {
        Self { block_id, status, redacted: Redactions::default(), superseded: None, warnings: Vec::new() }
    }
}

impl fmt::Display for LearnResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = self.block_id.short();
        match self.status {
            LearnStatus::DuplicateRejected => write!(f, "Duplicate rejected — block {id} already exists.")?,
            LearnStatus::Echo => write!(f, "Echo — block {id} was recalled in this session; nothing new was stored.")?,
            status => write!(f, "Stored block {id}. Status: {}.", status.as_str())?,
        }
        self.redacted.write_suffix(f)?;
        if !self.redacted.is_empty() {
            f.write_str(" If that is no secret, or it should be kept, store the text with learn(allow_secrets=true).")?;
        }
        self.warnings.iter().try_for_each(|warning| write!(f, " {warning}"))
    }
}

/// Result of `learn_document`.
///
/// The chunks are `created`, `duplicates` or `unchanged`. The blocks of an earlier version are `unchanged`, `changed`,
/// `removed` or `kept`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LearnDocumentResult {
    /// The name of the document. `None` without a name.
    #[serde(default)]
    pub document: Option<String>,
    /// The result of each chunk, in the order of the document.
    pub chunks: Vec<LearnResult>,
    /// Number of new chunks.
    pub created: usize,
    /// Number of chunks that existed already elsewhere.
    pub duplicates: usize,
    /// Whether it replaced an earlier version.
    #[serde(default)]
    pub replaced: bool,
    /// Number of chunks that the earlier version has too.
    #[serde(default)]
    pub unchanged: usize,
    /// Number of blocks of the earlier version that new chunks superseded.
    #[serde(default)]
    pub changed: usize,
    /// Number of blocks of the earlier version that were archived without a successor.
    #[serde(default)]
    pub removed: usize,
    /// Number of blocks that are no longer part of the document and stay, because something else says them too or they
    /// are pinned.
    #[serde(default)]
    pub kept: usize,
    /// Number of edges created between consecutive chunks.
    pub edges_created: usize,
    /// Number of secrets redacted from the text. Omitted from the JSON if there were none.
    #[serde(default, skip_serializing_if = "Redactions::is_empty")]
    pub redacted: Redactions,
}

impl fmt::Display for LearnDocumentResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { created, duplicates, edges_created, unchanged, changed, removed, kept, .. } = self;
        let blocks = counted(self.chunks.len() as u64, "block");
        let edges = format!("{}.", counted(*edges_created as u64, "edge"));
        let duplicates = counted(*duplicates as u64, "duplicate");
        match &self.document {
            Some(name) if self.replaced => {
                let name = one_line(name);
                write!(f, "Updated document '{name}' to {blocks}: {unchanged} unchanged, {created} created, ")?;
                write!(f, "{duplicates}; of the earlier version {changed} changed, {removed} removed, ")?;
                write!(f, "{kept} kept for other reasons; {edges}")?;
            }
            _ => write!(f, "Stored document as {blocks}: {created} created, {duplicates}, {edges}")?,
        }
        self.redacted.write_suffix(f)?;
        match self.redacted.is_empty() {
            true => Ok(()),
            false => f.write_str(" learn_document(allow_secrets=true) stores it as it is."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(status: LearnStatus) -> LearnResult {
        LearnResult::new(BlockId::from_stored("a1b2c3d4e5f60718"), status)
    }

    #[test]
    fn test_learn_result_str_created() {
        assert_eq!(result(LearnStatus::Created).to_string(), "Stored block a1b2c3d4. Status: created.");
    }

    #[test]
    fn test_learn_result_str_duplicate_rejected() {
        let text = result(LearnStatus::DuplicateRejected).to_string();
        assert_eq!(text, "Duplicate rejected — block a1b2c3d4 already exists.");
    }

    #[test]
    fn test_learn_result_str_near_duplicate_superseded() {
        let text = result(LearnStatus::NearDuplicateSuperseded).to_string();
        assert_eq!(text, "Stored block a1b2c3d4. Status: near_duplicate_superseded.");
    }

    #[test]
    fn test_learn_result_to_dict_keys() {
        let dict = serde_json::to_value(result(LearnStatus::Created)).unwrap();
        assert_eq!(dict, serde_json::json!({"block_id": "a1b2c3d4e5f60718", "status": "created"}));
    }

    #[test]
    fn redactions_are_reported_by_kind_in_summary_and_json() {
        let (_, redacted) = elfmem_text::secrets::redact("redis://:s3cr3tpw@cache/0");
        let result = LearnResult { redacted, ..result(LearnStatus::Created) };
        assert!(result.to_string().contains("Status: created. Redacted: 1 url_password. "), "{result}");
        assert!(result.to_string().ends_with("store the text with learn(allow_secrets=true)."), "{result}");
        assert_eq!(serde_json::to_value(&result).unwrap()["redacted"], serde_json::json!({"url_password": 1}));
    }

    #[test]
    fn the_summary_is_the_sentence() {
        use crate::results::Summary;
        assert_eq!(result(LearnStatus::Created).summary(), "Stored block a1b2c3d4. Status: created.");
    }

    #[test]
    fn a_document_result_counts_its_chunks() {
        let chunks = vec![result(LearnStatus::Created)];
        let first = LearnDocumentResult { chunks, created: 1, ..LearnDocumentResult::default() };
        assert_eq!(first.to_string(), "Stored document as 1 block: 1 created, 0 duplicates, 0 edges.");
        let document = Some("handbook.md".to_owned());
        let again = LearnDocumentResult { document, replaced: true, changed: 1, removed: 2, ..first };
        assert_eq!(
            again.to_string(),
            "Updated document 'handbook.md' to 1 block: 0 unchanged, 1 created, 0 duplicates; of the earlier version \
             1 changed, 2 removed, 0 kept for other reasons; 0 edges."
        );
    }
}
