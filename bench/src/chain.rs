//! Measures what the chain over the journal costs: the same operations on two memories in turn, one with chain values and one
//! without.

use std::path::Path;
use std::time::Duration;

use clap::Args;
use cpu_time::ProcessTime;
use elfmem_engine::{Clock, Dream, EmbedderChoice, Learn, Memory, Models, Options, Outcome, Recall, SystemClock};
use elfmem_models::BuiltinModel;
use elfmem_store_sqlite::{OpenOptions, SqliteStore, faults};

use crate::corpus::Corpus;
use crate::report::Report;
use crate::{Result, timing};

/// What the chain over the journal costs.
#[derive(Debug, Args)]
pub(crate) struct Chain {
    /// Rounds, each with ten learns, ten recalls, ten outcomes and a dream on either memory
    #[arg(long, default_value_t = 60)]
    rounds: usize,
}

const VERBS: [&str; 4] = ["learn", "recall", "outcome", "dream"];
const CALLS: usize = 10;

/// One of the two memories, with the processor times of each verb.
struct Side {
    memory: Memory<SqliteStore>,
    corpus: Corpus,
    left_out: bool,
    times: [Vec<Duration>; 4],
}

impl Side {
    fn open(path: &Path, left_out: bool) -> Result<Self> {
        faults::leave_out_chain(left_out);
        let store = SqliteStore::open(path, OpenOptions::default(), SystemClock.now())?;
        let models = Models { embedder: EmbedderChoice::BuiltIn(BuiltinModel::Static), ..Models::default() };
        let memory = Memory::open(store, Options { models, ..Options::default() });
        Ok(Self { memory, corpus: Corpus::new(7), left_out, times: Default::default() })
    }

    fn round(&mut self) -> Result<()> {
        faults::leave_out_chain(self.left_out);
        for _ in 0..CALLS {
            let text = self.corpus.sentence();
            timed(&mut self.times[0], || Ok(self.memory.learn(Learn::new(text)).map(drop)?))?;
        }
        for _ in 0..CALLS {
            let (question, mut shown) = (self.corpus.question(), Vec::new());
            timed(&mut self.times[1], || {
                let found = self.memory.recall(Recall::new(question).include_weak())?;
                shown = found.blocks.iter().take(5).map(|block| block.id.to_string()).collect();
                Ok(())
            })?;
            if !shown.is_empty() {
                timed(&mut self.times[2], || Ok(self.memory.outcome(Outcome::new(shown, 0.9)).map(drop)?))?;
            }
        }
        timed(&mut self.times[3], || Ok(self.memory.dream(Dream::new()).map(drop)?))
    }
}

impl Chain {
    pub(crate) fn run(&self) -> Result<Report> {
        let folder = tempfile::tempdir()?;
        let mut sides =
            [Side::open(&folder.path().join("with.db"), false)?, Side::open(&folder.path().join("without.db"), true)?];
        for round in 0..self.rounds {
            // The first of the two pays for what both need: they take turns.
            let [with, without] = &mut sides;
            let (first, second) = if round % 2 == 0 { (with, without) } else { (without, with) };
            first.round()?;
            second.round()?;
        }
        let mut report = Report::default();
        let [with, without] = sides;
        for ((verb, with), without) in VERBS.iter().zip(with.times).zip(without.times) {
            let (with, without) = (timing::of_walls(with), timing::of_walls(without));
            report.note(format!("{verb}: {:.3} times the processor time without", with.p50_ms / without.p50_ms));
            report.add(format!("{verb}, with the chain"), with, None);
            report.add(format!("{verb}, without"), without, None);
        }
        report.note("Times are processor times.".to_owned());
        Ok(report)
    }
}

fn timed(times: &mut Vec<Duration>, work: impl FnOnce() -> Result<()>) -> Result<()> {
    let busy = ProcessTime::try_now()?;
    work()?;
    times.push(busy.try_elapsed()?);
    Ok(())
}
