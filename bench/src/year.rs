//! Measures a year of use: the size of the file, the speed of each verb and the memory of the process at the end, beside
//! the first week.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clap::Args;
use cpu_time::ProcessTime;
use elfmem_core::{BlockId, BlockStatus, Timestamp};
use elfmem_engine::{
    Clock, Dream, EmbedderChoice, Learn, ListBlocks, Memory, Models, Options, Outcome, Recall, Verify,
};
use elfmem_models::BuiltinModel;
use elfmem_store::Store;
use elfmem_store_sqlite::{OpenOptions, SqliteStore};

use crate::corpus::Corpus;
use crate::report::Report;
use crate::{Result, timing};

/// Seconds in a day.
const DAY: i64 = 86_400;
/// Days at the beginning and at the end that are compared.
const WEEK: u32 = 7;

/// A year of use.
#[derive(Debug, Args)]
pub(crate) struct Year {
    /// Simulated days
    #[arg(long, default_value_t = 365)]
    days: u32,

    /// Recalls a day
    #[arg(long, default_value_t = 1_000)]
    recalls: u32,

    /// Learned texts a day
    #[arg(long, default_value_t = 100)]
    learns: u32,

    /// Outcomes a day, each about the blocks of an answer
    #[arg(long, default_value_t = 50)]
    outcomes: u32,

    /// Share of the counts above; 0.1 is a tenth of them
    #[arg(long, default_value_t = 1.0)]
    scale: f64,

    /// Hours of work a day, over which its calls are spread
    #[arg(long, default_value_t = 8)]
    hours: u32,

    /// Days of use in the undo window
    #[arg(long, default_value_t = elfmem_engine::UNDO_WINDOW_DAYS)]
    window: u32,

    /// A folder to leave the memory in, to look at it afterwards
    #[arg(long)]
    keep: Option<PathBuf>,
}

/// A clock that the simulation moves.
#[derive(Debug)]
struct SimulatedClock(Mutex<Timestamp>);

impl SimulatedClock {
    fn set(&self, second: i64) {
        let at = Timestamp::from_second(second).unwrap_or(Timestamp::UNIX_EPOCH);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = at;
    }
}

impl Clock for SimulatedClock {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Processor times of the calls of some days, by verb: other work on the machine hardly changes them.
#[derive(Debug, Default)]
struct CallTimes {
    recall: Vec<Duration>,
    learn: Vec<Duration>,
    outcome: Vec<Duration>,
    dream: Vec<Duration>,
}

impl Year {
    pub(crate) fn run(&self) -> Result<Report> {
        let passing = tempfile::tempdir()?;
        let folder = self.keep.as_deref().unwrap_or(passing.path());
        std::fs::create_dir_all(folder)?;
        let path = folder.join("memory.db");
        let begin = 1_800_000_000;
        let clock = Arc::new(SimulatedClock(Mutex::new(Timestamp::from_second(begin)?)));
        let memory = self.open(&path, &clock)?;
        let mut corpus = Corpus::new(7);
        let (mut first, mut last) = (CallTimes::default(), CallTimes::default());
        let mut report = Report::default();
        for day in 0..self.days {
            let mut ignored = CallTimes::default();
            let times = match day {
                day if day < WEEK => &mut first,
                day if day + WEEK >= self.days => &mut last,
                _ => &mut ignored,
            };
            self.live_a_day(&memory, &clock, begin + i64::from(day) * DAY, &mut corpus, times)?;
            if day + 1 == WEEK {
                report.note(format!("after a week: {}", self.sizes(&memory, &path)?));
            }
        }
        for (name, first, last) in [
            ("recall", first.recall, last.recall),
            ("learn", first.learn, last.learn),
            ("outcome", first.outcome, last.outcome),
            ("dream", first.dream, last.dream),
        ] {
            report.add(format!("{name}, first week"), timing::of_walls(first), None);
            report.add(format!("{name}, last week"), timing::of_walls(last), Some("p50 <= 1.5 x the first week"));
        }
        report.note(format!("after {} days: {}", self.days, self.sizes(&memory, &path)?));
        report.note(self.compared_with_living(&memory, &path, folder, &clock)?);
        let verified = memory.verify(Verify::new())?;
        report.note(format!("verify: {verified}"));
        report.note(format!(
            "scale {}: {} recalls, {} learns, {} outcomes a day; processor times",
            self.scale,
            self.scaled(self.recalls),
            self.scaled(self.learns),
            self.scaled(self.outcomes)
        ));
        Ok(report)
    }

    fn scaled(&self, count: u32) -> u32 {
        ((f64::from(count) * self.scale).round() as u32).max(1)
    }

    fn open(&self, path: &Path, clock: &Arc<SimulatedClock>) -> Result<Memory<SqliteStore>> {
        let store = SqliteStore::open(path, OpenOptions::default(), clock.now())?;
        let models = Models { embedder: EmbedderChoice::BuiltIn(BuiltinModel::Static), ..Models::default() };
        let options = Options { models, clock: clock.clone(), undo_window_days: self.window, ..Options::default() };
        Ok(Memory::open(store, options))
    }

    /// Calls the verbs of a day in a mix, spread over its hours, and dreams in the evening. Curates run by themselves.
    fn live_a_day(
        &self,
        memory: &Memory<SqliteStore>,
        clock: &SimulatedClock,
        morning: i64,
        corpus: &mut Corpus,
        times: &mut CallTimes,
    ) -> Result<()> {
        let (recalls, learns, outcomes) =
            (self.scaled(self.recalls), self.scaled(self.learns), self.scaled(self.outcomes));
        let seconds = i64::from(self.hours) * 3_600;
        let mut shown: Vec<BlockId> = Vec::new();
        for at in 0..recalls {
            clock.set(morning + seconds * i64::from(at) / i64::from(recalls));
            if is_turn(at, recalls, learns) {
                let text = corpus.sentence();
                timed(&mut times.learn, || Ok(memory.learn(Learn::new(text)).map(drop)?))?;
            }
            let question = corpus.question();
            let mut found = Vec::new();
            timed(&mut times.recall, || {
                found = memory
                    .recall(Recall::new(question).include_weak())?
                    .blocks
                    .into_iter()
                    .map(|block| block.id)
                    .collect();
                Ok(())
            })?;
            if !found.is_empty() {
                shown = found;
            }
            if is_turn(at, recalls, outcomes) && !shown.is_empty() {
                let ids: Vec<String> = shown.iter().take(5).map(ToString::to_string).collect();
                timed(&mut times.outcome, || Ok(memory.outcome(Outcome::new(ids, 0.9)).map(drop)?))?;
            }
        }
        clock.set(morning + seconds + 60);
        timed(&mut times.dream, || Ok(memory.dream(Dream::new()).map(drop)?))
    }

    fn sizes(&self, memory: &Memory<SqliteStore>, path: &Path) -> Result<String> {
        let status = memory.status()?;
        let file = std::fs::metadata(path)?.len();
        Ok(format!(
            "file {:.1} MB, {} active blocks, process {:.0} MB",
            megabytes(file.max(memory.store().bytes()?)),
            status.active_count,
            megabytes(resident_bytes()),
        ))
    }

    /// Stores the living blocks in a new memory and compares the sizes of the files.
    fn compared_with_living(
        &self,
        memory: &Memory<SqliteStore>,
        path: &Path,
        folder: &Path,
        clock: &Arc<SimulatedClock>,
    ) -> Result<String> {
        let living = memory.list(ListBlocks::all())?.into_iter().filter(|block| block.status != BlockStatus::Archived);
        let texts: Vec<Learn> = living.map(|block| Learn::new(block.content)).collect();
        let fresh_path = folder.join("living.db");
        let fresh = self.open(&fresh_path, clock)?;
        fresh.learn_all(&texts)?;
        fresh.dream(Dream::new())?;
        fresh.store().scrub()?;
        let (needed, file) = (fresh.store().bytes()?, std::fs::metadata(path)?.len().max(memory.store().bytes()?));
        let share = file as f64 / needed.max(1) as f64;
        let (needed, living) = (megabytes(needed), texts.len());
        Ok(format!("the {living} living blocks alone need {needed:.1} MB: {share:.2} x that is used; aim <= 3 x"))
    }
}

/// Whether one of `count` calls, spread evenly over `of` turns, falls on this turn.
fn is_turn(at: u32, of: u32, count: u32) -> bool {
    let before = |at: u32| u64::from(at) * u64::from(count) / u64::from(of.max(1));
    before(at + 1) > before(at)
}

fn timed(times: &mut Vec<Duration>, work: impl FnOnce() -> Result<()>) -> Result<()> {
    let started = ProcessTime::try_now()?;
    work()?;
    times.push(started.try_elapsed()?);
    Ok(())
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// Memory of this process that is in use, as Linux counts it; 0 elsewhere.
fn resident_bytes() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok());
    pages.unwrap_or(0) * 4_096
}
