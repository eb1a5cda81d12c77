//! Measures recall on small memories of realistic notes: what comes first, what is outdated, and what is returned when
//! the memory does not know.
//!
//! The facts of a file are learned in their order and dreamed once with the default models; every question is asked
//! through the public interface.

mod data;
mod measures;

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use clap::Args;
use elfmem_core::{BlockId, BlockStatus, Timestamp};
use elfmem_engine::{Clock, Learn, Memory, Options, Recall};
use elfmem_store_sqlite::SqliteStore;
use elfmem_text::temporal::explicit_time;

use crate::Result;
use data::{MemoryFile, Question};
use measures::{Answered, Figures};

/// How many blocks are asked for.
const TOP_K: usize = 5;
/// Seconds between two facts.
const PAUSE: i64 = 60;

/// What comes first, what is outdated and what is returned without an answer, on small memories
#[derive(Debug, Args)]
pub(crate) struct Memories {
    /// Memory files, in the format of bench/data/memories
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    data: Vec<PathBuf>,

    /// The frame to ask with
    #[arg(long, default_value = "attention")]
    frame: String,

    /// Also print each answerable question whose answer does not come first, with what did
    #[arg(long)]
    misses: bool,
}

/// A clock that is set by hand.
#[derive(Debug)]
struct SetClock(AtomicI64);

impl Clock for SetClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_second(self.0.load(Ordering::Relaxed)).unwrap_or_default()
    }
}

/// The figures of each memory, and of all together.
#[derive(Debug)]
pub(crate) struct MemoryFigures(Vec<Figures>);

impl MemoryFigures {
    pub(crate) fn print(&self, json: bool) {
        if json {
            println!("{}", serde_json::json!(self.0));
        } else {
            self.0.iter().for_each(Figures::print);
        }
    }
}

impl Memories {
    pub(crate) fn run(&self) -> Result<MemoryFigures> {
        let (mut figures, mut all, mut all_lost) = (Vec::new(), Vec::new(), 0);
        for path in &self.data {
            let file = MemoryFile::read(path)?;
            let (answered, lost) = self.ask(&file)?;
            figures.push(Figures::new(&file.name, &answered, lost));
            all.extend(answered);
            all_lost += lost;
        }
        if figures.len() > 1 {
            figures.push(Figures::new("all", &all, all_lost));
        }
        Ok(MemoryFigures(figures))
    }

    /// Stores a memory and asks its questions. Also returns how many facts were lost.
    fn ask(&self, file: &MemoryFile) -> Result<(Vec<Answered>, usize)> {
        // 2026-06-01, after the dates of the facts.
        let clock = Arc::new(SetClock(AtomicI64::new(1_780_272_000)));
        let options = Options { clock: Arc::clone(&clock) as Arc<dyn Clock>, ..Options::default() };
        let memory = Memory::open(SqliteStore::in_memory(Timestamp::UNIX_EPOCH)?, options);
        let mut keys: HashMap<BlockId, &str> = HashMap::new();
        for fact in &file.facts {
            clock.0.fetch_add(PAUSE, Ordering::Relaxed);
            let learn = fact.tags.iter().fold(Learn::new(fact.text.as_str()), |learn, tag| learn.tag(tag.as_str()));
            let at = fact.event_at.as_deref().and_then(explicit_time).map(|span| span.from);
            let learned = memory.learn(at.map_or(learn.clone(), |at| learn.event_at(at)))?;
            keys.insert(learned.block_id, &fact.key);
        }
        memory.consolidate()?;
        clock.0.fetch_add(PAUSE, Ordering::Relaxed);
        let outdated = file.outdated();
        let mut lost = 0;
        for (id, key) in &keys {
            let status = memory.show(id.as_str())?.block.status;
            lost += usize::from(status == BlockStatus::Archived && !outdated.contains(key));
        }
        let mut answered = Vec::with_capacity(file.questions.len());
        for question in &file.questions {
            answered.push(self.answered(&memory, question, &keys, &outdated)?);
        }
        Ok((answered, lost))
    }

    fn answered(
        &self,
        memory: &Memory<SqliteStore>,
        question: &Question,
        keys: &HashMap<BlockId, &str>,
        outdated: &BTreeSet<&str>,
    ) -> Result<Answered> {
        let asked = Recall::new(question.question.as_str()).top_k(TOP_K).preview().frame(self.frame.as_str());
        let found = memory.recall(asked)?.blocks;
        let key_of = |id: &BlockId| keys.get(id).copied().unwrap_or_default();
        let is_answer = |key: &str| question.answers.iter().any(|answer| answer == key);
        let first_answer = found.iter().position(|block| is_answer(key_of(&block.id)));
        let answers = found.iter().take(TOP_K).filter(|block| is_answer(key_of(&block.id))).count();
        if self.misses && !question.answers.is_empty() && first_answer != Some(0) {
            println!("{} {:?}: {}", question.kind, first_answer, question.question);
            for block in &found {
                let mark = if is_answer(key_of(&block.id)) { "+" } else { " " };
                println!("  {mark} {:.3} {:.3} {}", block.score, block.relevance.unwrap_or(0.0), block.content);
            }
        }
        Ok(Answered {
            kind: question.kind.clone(),
            answerable: !question.answers.is_empty(),
            first_answer,
            share_of_five: answers as f64 / question.answers.len().max(1) as f64,
            outdated_first: found.first().is_some_and(|block| outdated.contains(key_of(&block.id))),
            relevance: found.first().and_then(|block| block.relevance),
            score: found.iter().map(|block| block.score).reduce(f64::max),
            returned: found.len(),
        })
    }
}
