//! Result types of the verbs.
//!
//! `Display` writes a one-sentence summary ([`Summary::summary`]), and serde the JSON object. Texts
//! and keys are those of the seeds.

mod connect;
mod consolidate;
mod curate;
mod frame;
mod health;
mod learn;
mod messages;
mod operation;
mod outcome;
mod promoted;
mod recall;
mod status;
mod why;

pub use connect::{
    ConnectAction, ConnectByQueryResult, ConnectResult, ConnectsResult, DisconnectAction, DisconnectResult,
    DisplacedEdge, QueryAction,
};
pub use consolidate::{ConsolidateResult, Decision, Fate, FoundContradiction};
pub use curate::{CurateResult, FadedBlock};
pub use frame::FrameResult;
pub use health::Health;
pub(crate) use health::health_and_suggestion;
pub use learn::{LearnDocumentResult, LearnResult, LearnStatus};
pub use messages::{LearnMessagesResult, LearnedFact};
pub use operation::OperationRecord;
pub(crate) use operation::write_operation;
pub(crate) use outcome::UNKNOWN_BLOCK;
pub use outcome::{OutcomeResult, RetractResult, SkippedBlock};
pub use promoted::PromotedBlock;
#[cfg(test)]
pub(crate) use recall::scored_block;
pub use recall::{Explanation, LeftOut, LeftOutReason, RecallResult, ScoredBlock, Strength, Via};
pub use status::SystemStatus;
pub use why::{Stage, WhyResult};

/// A one-sentence summary of a result.
pub trait Summary: std::fmt::Display {
    /// Returns the summary.
    fn summary(&self) -> String {
        self.to_string()
    }
}

impl<T: std::fmt::Display> Summary for T {}

pub use elfmem_text::phrase::{counted, excerpt, one_line};
