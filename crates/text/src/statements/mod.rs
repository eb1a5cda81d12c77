//! Statements: what a text says about which attribute of which subject, and what follows from two
//! of them.
//!
//! A memory that archives what is still true cannot be trusted. So a text is first taken apart
//! ([`Statement`]), and only statements about the same attribute of the same subject can replace each
//! other. The cosine only selects candidates; words decide, and a word that is not understood
//! decides for keeping both.

mod asked;
mod clause;
mod clause_pair;
mod cues;
mod departed;
mod event;
mod exclusion;
mod form;
mod heading;
mod holders;
mod judge;
pub(crate) mod languages;
mod limitation;
mod meaning;
mod merge;
mod names;
mod opinion;
mod paraphrase;
mod phrase;
mod regrouping;
mod relations;
mod replacement;
mod residue;
mod rivalry;
mod roles;
mod sorts;
mod statement;
mod status;
#[cfg(test)]
mod tests;
mod value;
mod verdict;
mod wording;

pub use asked::{Answer, AnswerTime, AskedAttribute};
pub use form::Form;
pub use heading::is_other_matter_under_heading;
pub use judge::{contradiction, judge, judge_texts};
pub use opinion::{PairProbabilities, is_open_to_opinion, may_archive, with_opinion};
pub use rivalry::{RIVAL_FEATURES, RIVALS, rival_features};
pub use statement::{Statement, StatementKind, same_topic};
pub use verdict::{ContradictionKind, PairThresholds, Verdict};
