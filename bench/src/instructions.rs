//! Counts the instructions of single operations with callgrind: a figure that other work on the machine does not change.

use std::process::Command;

use clap::Args;
use elfmem_engine::{Clock, Dream, Memory, Options, Recall as Asked, SystemClock};
use elfmem_store_sqlite::{OpenOptions, SqliteStore};
use elfmem_text::secrets::redact;
use serde::Serialize;

use crate::Result;
use crate::corpus::Corpus;

/// Instructions of a learn, a recall and the screening of a text. Needs valgrind.
#[derive(Debug, Args)]
pub(crate) struct Instructions {
    /// How many blocks the memory holds
    #[arg(long, default_value_t = 1_000)]
    blocks: usize,

    /// How many operations of each kind are counted
    #[arg(long, default_value_t = 200)]
    operations: usize,
}

/// Does a number of operations after the same preparation: what `instructions` counts.
#[derive(Debug, Args)]
pub(crate) struct Operations {
    #[arg(long)]
    blocks: usize,
    #[arg(long, default_value_t = 0)]
    learns: usize,
    #[arg(long, default_value_t = 0)]
    recalls: usize,
    #[arg(long, default_value_t = 0)]
    previews: usize,
    #[arg(long, default_value_t = 0)]
    screened: usize,
}

/// Instructions of one operation, by name.
#[derive(Debug, Serialize)]
pub(crate) struct InstructionCounts(Vec<(&'static str, u64)>);

impl Instructions {
    pub(crate) fn run(&self) -> Result<InstructionCounts> {
        let prepared = self.count(None)?;
        let mut counts = Vec::new();
        for (name, option) in [
            ("learn", "--learns"),
            ("recall", "--recalls"),
            ("recall, preview", "--previews"),
            ("screen a text for secrets", "--screened"),
        ] {
            let all = self.count(Some(option))?.saturating_sub(prepared);
            counts.push((name, all / self.operations.max(1) as u64));
        }
        Ok(InstructionCounts(counts))
    }

    /// Returns the instructions of a process that prepares a memory and does operations of one kind.
    fn count(&self, option: Option<&str>) -> Result<u64> {
        let mut command = Command::new("valgrind");
        command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(std::env::current_exe()?);
        command.args(["operations", "--blocks", &self.blocks.to_string()]);
        if let Some(option) = option {
            command.args([option, &self.operations.to_string()]);
        }
        let output = command.output().map_err(|error| format!("valgrind cannot be run: {error}"))?;
        let said = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            return Err(format!("valgrind failed: {said}").into());
        }
        let collected = said.lines().find_map(|line| line.split_once("Collected :"));
        let count = collected.and_then(|(_, count)| count.trim().parse().ok());
        count.ok_or_else(|| format!("valgrind counted nothing: {said}").into())
    }
}

impl Operations {
    pub(crate) fn run(&self) -> Result<()> {
        let folder = tempfile::tempdir()?;
        let store = SqliteStore::open(folder.path().join("memory.db"), OpenOptions::default(), SystemClock.now())?;
        let memory = Memory::open(store, Options::default());
        let mut corpus = Corpus::new(21);
        for _ in 0..self.blocks {
            memory.learn(corpus.sentence())?;
        }
        memory.dream(Dream::new())?;
        memory.recall(Asked::new(corpus.question()))?;
        for _ in 0..self.learns {
            memory.learn(corpus.sentence())?;
        }
        for _ in 0..self.recalls {
            memory.recall(Asked::new(corpus.question()))?;
        }
        for _ in 0..self.previews {
            memory.recall(Asked::new(corpus.question()).preview())?;
        }
        for _ in 0..self.screened {
            std::hint::black_box(redact(&corpus.sentence()));
        }
        Ok(())
    }
}

impl InstructionCounts {
    pub(crate) fn print(&self, json: bool) {
        if json {
            println!("{}", serde_json::json!(self.0.iter().copied().collect::<std::collections::BTreeMap<_, _>>()));
            return;
        }
        for (name, count) in &self.0 {
            println!("{name:<44} {count:>12} instructions");
        }
    }
}
