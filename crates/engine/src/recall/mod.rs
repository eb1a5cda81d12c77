//! `recall`, `frame`, `why` and `retrieve_memories`: finding blocks for a question, and explaining the result.
//!
//! A request runs through stages, and each folder holds the stages of one part of the way. They are small modules of
//! functions over plain values:
//!
//! 1. [`question`]: the question is parsed, and its vector is got before the store is read.
//! 2. [`candidates`]: filters decide which blocks may answer. All of them are scored by words and vectors, a short list is
//!    scored with all signals and exact cosines, and edges and names bring in what the words do not reach.
//! 3. [`ranking`]: the weights of the frame are applied, the newest statement comes first, contradictions are decided,
//!    untrusted blocks stay below trusted ones, and what is shown is chosen.
//! 4. [`answer`]: slots become blocks, and the use is counted.
//!
//! [`pipeline`] runs the stages in order for [`request`]s; [`frames`] and [`mod@retrieve`] build on it.

mod answer;
mod candidates;
mod frames;
mod pipeline;
mod question;
mod ranking;
mod request;
mod retrieve;

pub(crate) use answer::blocks::words_alone;
pub(crate) use candidates::scratch::ScratchPool;
pub(crate) use frames::cache::FrameCache;
pub use frames::requests::{AddFrame, EditFrame, FrameWeights, ListFrames, RemoveFrame};
pub(crate) use frames::stored::check_frame;
pub use frames::stored::{FrameRemoved, FrameStored};
pub(crate) use question::embedding::{PreparedQuestions, QuestionEmbedding};
pub(crate) use question::parsed::question_words;
pub(crate) use ranking::opinions::PairOpinions;
pub(crate) use request::checked_source;
pub use request::{Recall, RenderFrame, Why};
pub(crate) use retrieve::request::{ContextFilter, context_filter_setters};
pub use retrieve::request::{ContextTypes, RetrieveFormat, RetrieveMemories};
pub(crate) use retrieve::verb::contradicting;
pub use retrieve::verb::{RetrieveResult, RetrievedMemory};
