//! Measures retrieval quality on conversations and document collections.
//!
//! Every turn is a block, learned with who said it, when, and in the session it was said in; then everything is dreamed
//! with the built-in embedder and no language model, and every question is asked through the public interface. Plain
//! BM25, plain vectors and their rank fusion answer the same questions beside it.

mod baselines;
mod data;
mod measures;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use clap::Args;
use elfmem_core::{BlockId, Timestamp};
use elfmem_engine::{Clock, Learn, Memory, Options, Recall};
use elfmem_store_sqlite::SqliteStore;

use crate::Result;
use baselines::Baselines;
pub(crate) use data::{Data, LabelledConversation};
pub(crate) use measures::Scores;
use measures::{Measures, Tally};

/// Cut-offs `k` of the quality measures.
const DEPTH: usize = 20;

/// Recall, precision of ranks and the like on conversations
#[derive(Debug, Args)]
pub(crate) struct Locomo {
    /// Conversations with questions, in the format of the LoCoMo development file
    #[arg(long)]
    data: PathBuf,

    /// Leave out what was stored before and after, sessions and speakers
    #[arg(long)]
    no_contiguity: bool,
}

/// A manually set clock.
#[derive(Debug, Default)]
struct SetClock(AtomicI64);

impl Clock for SetClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_second(self.0.load(Ordering::Relaxed)).unwrap_or_default()
    }
}

impl Locomo {
    pub(crate) fn run(&self) -> Result<Scores> {
        let data = Data::read(&self.data)?;
        let mut tally = Tally::default();
        for conversation in &data.conversations {
            self.measure(conversation, &mut tally)?;
        }
        Ok(tally.scores(&data.categories))
    }

    fn measure(&self, conversation: &LabelledConversation, tally: &mut Tally) -> Result<()> {
        let clock = Arc::new(SetClock::default());
        let options = Options { clock: Arc::clone(&clock) as Arc<dyn Clock>, ..Options::default() };
        let memory = Memory::open(SqliteStore::in_memory(Timestamp::UNIX_EPOCH)?, options);
        let stored = learned(&memory, &clock, conversation)?;
        memory.consolidate()?;
        let baselines = Baselines::new(conversation)?;
        for question in &conversation.questions {
            let evidence: Vec<&BlockId> = question
                .evidence
                .iter()
                .filter_map(|turn| stored.iter().find(|(id, _)| id == turn))
                .map(|(_, block)| block)
                .collect();
            if evidence.is_empty() {
                continue;
            }
            let mut asked = Recall::new(question.question.as_str()).top_k(DEPTH).preview();
            if self.no_contiguity {
                asked = asked.no_contiguity();
            }
            for frame in ["search", "attention"] {
                let found = memory.recall(asked.clone().frame(frame))?;
                let found: Vec<&BlockId> = found.blocks.iter().map(|block| &block.id).collect();
                tally.add(frame, question.category, Measures::of(&found, &evidence));
            }
            for (name, found) in baselines.answers(&question.question, DEPTH)? {
                let found: Vec<&BlockId> = found.iter().map(|at| &stored[*at].1).collect();
                tally.add(name, question.category, Measures::of(&found, &evidence));
            }
        }
        Ok(())
    }
}

/// Learns a conversation session by session. Returns the block of every turn.
fn learned(
    memory: &Memory<SqliteStore>,
    clock: &SetClock,
    conversation: &LabelledConversation,
) -> Result<Vec<(String, BlockId)>> {
    let mut stored = Vec::with_capacity(conversation.turns.len());
    for session in conversation.turns.chunk_by(|one, next| one.session == next.session) {
        let at = session[0].said_at();
        if let Some(at) = at {
            clock.0.store(at.as_second(), Ordering::Relaxed);
        }
        memory.begin_session("conversation")?;
        let new: Vec<Learn> = session
            .iter()
            .map(|turn| {
                let learn = Learn::new(turn.as_content()).category("message").source(turn.speaker.as_str());
                at.map_or(learn.clone(), |at| learn.event_at(at))
            })
            .collect();
        let results = memory.learn_all(&new)?;
        stored.extend(session.iter().zip(results).map(|(turn, result)| (turn.id.clone(), result.block_id)));
        memory.end_session()?;
    }
    Ok(stored)
}
