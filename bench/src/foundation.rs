//! Measures durable writes, bulk writes and cold starts.

use std::path::Path;

use clap::Args;
use elfmem_engine::{Clock, Learn, Memory, Options, SystemClock};
use elfmem_store_sqlite::{OpenOptions, SqliteStore, Synchronous};

use crate::corpus::Corpus;
use crate::report::Report;
use crate::{Result, program, timing};

/// Durable learn, bulk learn, and the cold start of the program.
#[derive(Debug, Args)]
pub(crate) struct Foundation {
    /// How many single writes to time
    #[arg(long, default_value_t = 2_000)]
    writes: usize,

    /// How many blocks the memory holds when the program is started cold
    #[arg(long, default_value_t = 10_000)]
    blocks: usize,

    /// How often the program is started
    #[arg(long, default_value_t = 40)]
    starts: usize,
}

impl Foundation {
    pub(crate) fn run(&self) -> Result<Report> {
        let folder = tempfile::tempdir()?;
        let mut report = Report::default();
        for (name, synchronous, aim) in [
            ("learn, durable, synchronous NORMAL", Synchronous::Normal, Some("cpu <= 0.2 ms")),
            ("learn, durable, synchronous FULL", Synchronous::Full, None),
        ] {
            let memory = open(&folder.path().join(format!("{synchronous:?}.db")), synchronous)?;
            let mut corpus = Corpus::new(1);
            let sentences: Vec<String> = (0..self.writes).map(|_| corpus.sentence()).collect();
            let measured = timing::each(self.writes, |at| Ok(memory.learn(sentences[at].as_str()).map(drop)?))?;
            report.add(name, measured, aim);
        }
        let path = folder.path().join("memory.db");
        let memory = open(&path, Synchronous::Normal)?;
        let mut corpus = Corpus::new(2);
        let bulk: Vec<Learn> = (0..self.blocks).map(|_| Learn::new(corpus.sentence())).collect();
        let measured = timing::each(1, |_| Ok(memory.learn_all(&bulk).map(drop)?))?;
        report.add(format!("learn {} in one transaction", self.blocks), measured, None);
        let questions: Vec<String> = (0..200).map(|_| corpus.question()).collect();
        let measured = timing::each(questions.len(), |at| Ok(memory.recall(&questions[at]).map(drop)?))?;
        report.add(format!("recall of an unconsolidated memory, warm, {} blocks", self.blocks), measured, None);
        drop(memory);
        let elfmem = program::locate()?;
        let db = path.display().to_string();
        let cold = |arguments: &[&str]| program::time(&elfmem, arguments, self.starts);
        report.add("elfmem --version, cold", cold(&["--version"])?, Some("<= 10 ms"));
        report.add(format!("elfmem status, cold, {} blocks", self.blocks), cold(&["--db", &db, "status"])?, None);
        let question = ["--db", &db, "recall", questions[0].as_str()];
        report.add(format!("elfmem recall, cold, {} blocks", self.blocks), cold(&question)?, Some("<= 40 ms"));
        Ok(report)
    }
}

fn open(path: &Path, synchronous: Synchronous) -> Result<Memory<SqliteStore>> {
    let options = OpenOptions { synchronous, ..OpenOptions::default() };
    Ok(Memory::open(SqliteStore::open(path, options, SystemClock.now())?, Options::default()))
}
