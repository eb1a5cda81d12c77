//! Measures recall on small memories of realistic notes: what comes first, what is outdated, and what is returned when
//! the memory does not know.
//!
//! The facts of a file are learned in their order and dreamed once with the default models; every question is asked
//! through the public interface.

mod data;
mod measures;
mod stored;

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Args;
use elfmem_core::BlockId;
use elfmem_engine::{Models, Recall};

use crate::Result;
use crate::embedder::{EmbedderArgs, choice};
pub(crate) use data::MemoryFile;
use data::MemoryQuestion;
pub(crate) use measures::auc;
use measures::{Answered, Figures};
pub(crate) use stored::StoredMemory;

/// How many blocks are asked for.
const TOP_K: usize = 5;

/// What comes first, what is outdated and what is returned without an answer, on small memories
#[derive(Debug, Args)]
pub(crate) struct Memories {
    /// Memory files, in the format of bench/data/memories
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    data: Vec<PathBuf>,

    /// The frame to ask with
    #[arg(long, default_value = "search")]
    frame: String,

    /// Store the facts without their tags
    #[arg(long)]
    without_tags: bool,

    #[command(flatten)]
    embedder: EmbedderArgs,

    /// Other models than the arguments name.
    #[arg(skip)]
    models: Option<Models>,

    /// Also print each answerable question whose answer does not come first, with what did
    #[arg(long)]
    misses: bool,

    /// Also print what every question is answered with
    #[arg(long)]
    answers: bool,
}

/// The figures of each memory, and of all together.
#[derive(Debug)]
pub(crate) struct MemoryFigures(Vec<Figures>);

impl MemoryFigures {
    /// Returns how many questions with an answer were asked in all, how often it came first, and how often among five.
    pub(crate) fn overall(&self) -> (usize, usize, usize) {
        self.0.last().map_or((0, 0, 0), Figures::found)
    }

    pub(crate) fn print(&self, json: bool) {
        if json {
            println!("{}", serde_json::json!(self.0));
        } else {
            self.0.iter().for_each(Figures::print);
        }
    }
}

impl Memories {
    /// Asks with a certain embedder, named as in the settings.
    pub(crate) fn new(data: &[PathBuf], embedder: &str) -> Result<Self> {
        let models = Some(Models { embedder: choice(embedder)?, ..Models::default() });
        Ok(Self {
            data: data.to_vec(),
            frame: "search".to_owned(),
            without_tags: false,
            embedder: EmbedderArgs::default(),
            models,
            misses: false,
            answers: false,
        })
    }

    pub(crate) fn run(&self) -> Result<MemoryFigures> {
        let (mut figures, mut all, mut all_lost) = (Vec::new(), Vec::new(), 0);
        for path in &self.data {
            let mut file = MemoryFile::read(path)?;
            if self.without_tags {
                file.remove_tags();
            }
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
        let models = self.models.clone().unwrap_or_else(|| self.embedder.models());
        let stored = StoredMemory::learn(file, models)?;
        let outdated = file.outdated();
        let lost = stored.count_lost(&outdated)?;
        let mut answered = Vec::with_capacity(file.questions.len());
        for question in &file.questions {
            answered.push(self.answered(&stored, question, &outdated)?);
        }
        Ok((answered, lost))
    }

    fn answered(
        &self,
        stored: &StoredMemory<'_>,
        question: &MemoryQuestion,
        outdated: &BTreeSet<&str>,
    ) -> Result<Answered> {
        let asked = Recall::new(question.question.as_str()).top_k(TOP_K).preview().frame(self.frame.as_str());
        let answer = stored.memory.recall(asked)?;
        let found = answer.blocks;
        let key_of = |id: &BlockId| stored.key_of(id);
        let is_answer = |key: &str| question.answers.iter().any(|answer| answer == key);
        let first_answer = found.iter().position(|block| is_answer(key_of(&block.id)));
        let answers = found.iter().take(TOP_K).filter(|block| is_answer(key_of(&block.id))).count();
        let is_miss = !question.answers.is_empty() && first_answer != Some(0);
        if self.answers || self.misses && is_miss {
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
            relevance: answer.relevance.filter(|_| !found.is_empty()),
            returned: found.len(),
        })
    }
}
