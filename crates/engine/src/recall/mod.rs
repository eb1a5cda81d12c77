//! `recall`, `frame`, `why` and `retrieve_memories`: finding blocks for a question, and explaining the result.
//!
//! A request runs through stages. Each is a small module of functions over plain values:
//!
//! 1. [`question`] parses the question, and [`embedding`] gets its vector, before the store is read.
//! 2. [`filter`] decides which blocks may be candidates.
//! 3. [`scores`] scores all blocks by words and vectors, [`shortlist`] keeps the best, and [`candidates`] scores those
//!    with all signals ([`fusion`], [`surroundings`]) and exact cosines.
//! 4. [`expansion`] follows edges and [`bridges`] names, [`composite`] applies the weights of the frame, [`freshness`] puts the
//!    newest statement first, [`suppression`] decides between blocks that contradict each other, [`untrusted`] keeps
//!    untrusted blocks below trusted ones, [`agreement`] keeps relevance in line with the order, and [`selection`] chooses
//!    what is shown.
//!
//! [`pipeline`] runs the stages in order, [`answer`] turns slots into blocks, and [`record_use`] counts the use.

mod agreement;
mod answer;
mod asked_attribute;
mod asked_part;
mod bridges;
mod candidates;
mod companions;
mod composite;
mod constraint_leads;
mod constraints;
mod embedding;
mod expansion;
mod filter;
mod frame_cache;
mod frame_requests;
mod frames;
mod freshness;
mod fusion;
mod pipeline;
mod precedence;
mod question;
mod record_use;
mod relevance;
mod request;
mod retrieval;
mod retrieve;
mod retrieve_request;
mod scores;
mod scratch;
mod selection;
mod shortlist;
mod spelling;
mod subject;
mod superseded;
mod suppression;
mod surroundings;
mod top_k;
mod untrusted;
mod why;

pub(crate) use answer::words_alone;
pub(crate) use embedding::{PreparedQuestions, QuestionEmbedding};
pub(crate) use frame_cache::FrameCache;
pub use frame_requests::{AddFrame, EditFrame, FrameWeights, ListFrames, RemoveFrame};
pub(crate) use frames::check_frame;
pub use frames::{FrameRemoved, FrameStored};
pub(crate) use question::question_words;
pub(crate) use request::checked_source;
pub use request::{Recall, RenderFrame, Why};
pub(crate) use retrieve::contradicting;
pub use retrieve::{RetrieveResult, RetrievedMemory};
pub(crate) use retrieve_request::{ContextFilter, context_filter_setters};
pub use retrieve_request::{ContextTypes, RetrieveFormat, RetrieveMemories};
pub(crate) use scratch::ScratchPool;
