//! Measures recall throughput on several threads of one process.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use cpu_time::ProcessTime;
use elfmem_engine::{Clock, Memory, Options, Recall as Asked, SystemClock};
use elfmem_models::BuiltinModel;
use elfmem_store_sqlite::{OpenOptions, SqliteStore};

use crate::Result;
use crate::corpus::Corpus;
use crate::recall::fill;
use crate::report::Report;
use crate::timing::{milliseconds, of_walls};

/// Number of warm-up queries and of distinct queries.
const WARM: usize = 2_000;
const ASKED: usize = 500;

/// Recalls a second on several threads.
#[derive(Debug, Args)]
pub(crate) struct Throughput {
    /// Sizes of the memory, in blocks
    #[arg(long, value_delimiter = ',', default_values_t = [10_000, 100_000])]
    sizes: Vec<usize>,

    /// Numbers of threads; the first is what the others are compared with
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2])]
    threads: Vec<usize>,

    /// How many seconds each number of threads is measured in a round
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,

    /// How many rounds; all numbers of threads take turns in each
    #[arg(long, default_value_t = 5)]
    rounds: usize,

    /// Count what is shown as used: every recall then ends with a write
    #[arg(long)]
    counted: bool,

    /// Where the memories are made, or found from an earlier run; otherwise in a folder that is thrown away
    #[arg(long)]
    folder: Option<PathBuf>,
}

/// The result of one round.
struct Round {
    walls: Vec<Duration>,
    elapsed: Duration,
    cpu: Duration,
}

impl Throughput {
    pub(crate) fn run(&self) -> Result<Report> {
        let passing = tempfile::tempdir()?;
        let folder = self.folder.as_deref().unwrap_or(passing.path());
        let mut report = Report::default();
        for size in &self.sizes {
            self.measure(*size, &folder.join(format!("{size}.db")), &mut report)?;
        }
        report.note(format!("the median of {} rounds of {} s", self.rounds, self.seconds));
        Ok(report)
    }

    fn measure(&self, size: usize, path: &Path, report: &mut Report) -> Result<()> {
        if !path.exists() {
            let part = path.with_extension("part");
            let store = SqliteStore::open(&part, OpenOptions::default(), SystemClock.now())?;
            fill(&store, &mut Corpus::new(11), size, BuiltinModel::Static)?;
            drop(store);
            std::fs::rename(&part, path)?;
        }
        let store = SqliteStore::open(path, OpenOptions::default(), SystemClock.now())?;
        let memory = Memory::open(store, Options::default());
        let mut corpus = Corpus::new(12);
        let questions: Vec<String> = (0..WARM).map(|_| corpus.question()).collect();
        for question in &questions {
            memory.recall(Asked::new(question.as_str()).preview())?;
        }
        let questions = &questions[WARM - ASKED..];
        let mut rounds: Vec<Vec<Round>> = self.threads.iter().map(|_| Vec::new()).collect();
        for _ in 0..self.rounds {
            for (threads, rounds) in self.threads.iter().zip(&mut rounds) {
                rounds.push(self.round(&memory, questions, *threads)?);
            }
        }
        let mut base = None;
        for (threads, rounds) in self.threads.iter().zip(rounds) {
            let mut rates: Vec<f64> =
                rounds.iter().map(|round| round.walls.len() as f64 / round.elapsed.as_secs_f64()).collect();
            rates.sort_by(f64::total_cmp);
            let rate = rates[rates.len() / 2];
            let cpu: Duration = rounds.iter().map(|round| round.cpu).sum();
            let mut timing = of_walls(rounds.into_iter().flat_map(|round| round.walls).collect());
            timing.cpu_ms = Some(milliseconds(cpu) / timing.operations.max(1) as f64);
            let kind = if self.counted { "counted" } else { "preview" };
            let noun = if *threads == 1 { "thread" } else { "threads" };
            report.add(format!("recall, {kind}, {threads} {noun}, {size} blocks"), timing, None);
            let times = rate / *base.get_or_insert(rate);
            report.note(format!("{threads} {noun}, {size} blocks: {rate:.0} a second, {times:.2} times the first"));
        }
        Ok(())
    }

    /// Runs queries on `threads` threads for the given time.
    fn round(&self, memory: &Memory<SqliteStore>, questions: &[String], threads: usize) -> Result<Round> {
        let next = AtomicUsize::new(0);
        let (cpu, started) = (ProcessTime::try_now()?, Instant::now());
        let end = started + Duration::from_secs_f64(self.seconds);
        let ask = || -> elfmem_engine::Result<Vec<Duration>> {
            let mut walls = Vec::new();
            while Instant::now() < end {
                let question = &questions[next.fetch_add(1, Ordering::Relaxed) % questions.len()];
                let asked = Instant::now();
                let request = Asked::new(question.as_str());
                memory.recall(if self.counted { request } else { request.preview() })?;
                walls.push(asked.elapsed());
            }
            Ok(walls)
        };
        let walls: elfmem_engine::Result<Vec<Vec<Duration>>> = std::thread::scope(|scope| {
            let running: Vec<_> = (0..threads).map(|_| scope.spawn(ask)).collect();
            running.into_iter().map(|thread| thread.join().unwrap_or_else(|_| Ok(Vec::new()))).collect()
        });
        Ok(Round { walls: walls?.concat(), elapsed: started.elapsed(), cpu: cpu.try_elapsed()? })
    }
}
