//! Result of `learn_messages`.

use std::fmt;

use elfmem_core::id::BlockId;
use elfmem_core::time::Timestamp;
use elfmem_text::phrase::counted;
use elfmem_text::secrets::Redactions;
use serde::{Deserialize, Serialize};

use super::LearnStatus;

/// A fact of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LearnedFact {
    /// The block that holds it.
    pub block_id: BlockId,
    /// Whether it is new.
    pub status: LearnStatus,
    /// The fact, behind the name of who said it.
    pub content: String,
    /// Who said it.
    pub speaker: String,
    /// Whether the speaker speaks for the owner of the memory.
    pub trusted: bool,
    /// When it was said.
    pub event_at: Option<Timestamp>,
}

/// Result of `learn_messages`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LearnMessagesResult {
    /// The facts, in the order of the messages.
    pub facts: Vec<LearnedFact>,
    /// Number of new blocks.
    pub created: usize,
    /// Number of facts that were known.
    pub duplicates: usize,
    /// Number of messages.
    pub messages: usize,
    /// Number of messages without a fact.
    pub without_fact: usize,
    /// Number of secrets redacted. Omitted from the JSON if there were none.
    #[serde(default, skip_serializing_if = "Redactions::is_empty")]
    pub redacted: Redactions,
    /// What did not go as asked. Omitted from the JSON if there is nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

impl fmt::Display for LearnMessagesResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (facts, messages) = (counted(self.facts.len() as u64, "fact"), counted(self.messages as u64, "message"));
        write!(f, "Kept {facts} of {messages}: {} created, {} known.", self.created, self.duplicates)?;
        self.redacted.write_suffix(f)?;
        if !self.redacted.is_empty() {
            f.write_str(" learn(allow_secrets=true) stores it as it is.")?;
        }
        self.warnings.iter().try_for_each(|warning| write!(f, " {warning}"))
    }
}
