//! Measures consolidation without a language model.

use clap::Args;
use elfmem_core::Timestamp;
use elfmem_engine::{Dream as DreamSettings, Learn, Memory};
use elfmem_models::BuiltinModel;
use elfmem_store_sqlite::SqliteStore;

use crate::corpus::Corpus;
use crate::embedder::EmbedderArgs;
use crate::report::Report;
use crate::{Result, python, timing};

/// A built-in embedder, and consolidation without a language model.
#[derive(Debug, Args)]
pub(crate) struct DreamCommand {
    /// Active blocks in the memory that is dreamed into
    #[arg(long, default_value_t = 10_000)]
    blocks: usize,

    /// Blocks that are consolidated into it at once
    #[arg(long, default_value_t = 2_000)]
    inbox: usize,

    /// Active blocks when ten new ones are consolidated
    #[arg(long, default_value_t = 100_000)]
    large: usize,

    #[command(flatten)]
    embedder: EmbedderArgs,
}

impl DreamCommand {
    pub(crate) fn run(&self) -> Result<Report> {
        let mut report = Report::default();
        if let Some(model) = self.embedder.model() {
            let load = timing::each(1, |_| Ok(model.load().map(drop)?))?;
            report.add(format!("load {}", model.name()), load, None);
            let mut corpus = Corpus::new(7);
            let texts: Vec<String> = (0..20_000).map(|_| corpus.sentence()).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let embedder = model.load()?;
            let embedding = timing::each(1, |_| Ok(embedder.embed(&texts).map(drop)?))?;
            let aim = if model == BuiltinModel::Static { "<= 1,000 ms" } else { "<= 28,500 ms" };
            report.add("embed 20,000 short texts", embedding, Some(aim));
        }

        let (memory, mut corpus) = filled(self.blocks, &self.embedder)?;
        learn(&memory, &mut corpus, self.inbox)?;
        let dream = timing::each(1, |_| Ok(memory.consolidate().map(drop)?))?;
        let aim = match self.embedder.model() {
            _ if self.inbox != 2_000 => None,
            Some(BuiltinModel::Encoder) => Some("<= 4,000 ms"),
            _ => Some("<= 1,000 ms"),
        };
        report.add(format!("dream {} blocks into {}", self.inbox, self.blocks), dream, aim);

        // The Python elfmem embeds every active block again at each dream, so it is given a smaller memory.
        let (active, inbox) = (self.blocks.min(1_000), self.inbox.min(50));
        if let Some(figures) = python::dream(active, inbox) {
            let name = |verb: &str| format!("Python elfmem: {verb}, a block, into {active}");
            report.add(name("learn"), python::timing(figures.learn_ms, inbox), None);
            report.add(name("dream"), python::timing(figures.dream_ms, inbox), None);
        }

        let (memory, mut corpus) = filled(self.large, &self.embedder)?;
        let mut ten = || -> Result<()> {
            learn(&memory, &mut corpus, 10)?;
            Ok(())
        };
        ten()?;
        memory.consolidate()?;
        let each = timing::each_after(9, &mut ten, || Ok(memory.consolidate().map(drop)?))?;
        report.add(format!("dream 10 blocks into {}", self.large), each, Some("<= 50 ms"));
        Ok(report)
    }
}

/// Creates a memory with `count` consolidated blocks and returns the corpus.
fn filled(blocks: usize, embedder: &EmbedderArgs) -> Result<(Memory<SqliteStore>, Corpus)> {
    let memory = Memory::open(SqliteStore::in_memory(Timestamp::UNIX_EPOCH)?, embedder.options());
    let mut corpus = Corpus::new(3);
    let mut left = blocks;
    while left > 0 {
        let part = left.min(10_000);
        learn(&memory, &mut corpus, part)?;
        memory.dream(DreamSettings::default())?;
        left -= part;
    }
    Ok((memory, corpus))
}

fn learn(memory: &Memory<SqliteStore>, corpus: &mut Corpus, count: usize) -> Result<()> {
    let new: Vec<Learn> = (0..count).map(|_| Learn::new(corpus.sentence())).collect();
    memory.learn_all(&new)?;
    Ok(())
}
