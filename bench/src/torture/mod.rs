//! Many processes on one memory, killed at any moment, with the disk filling up and clocks that jump.
//!
//! Every worker asks for one thing after the other, on its own surface, and writes down what was acknowledged. That ledger is
//! this process's own: nothing in it comes from the memory. In the end every acknowledged effect must be in the file, or the
//! journal must say who took it away; and the file must be sound.

mod act;
mod checks;
mod claims;
mod disk;
mod http;
mod ledger;
mod library;
mod surface;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use elfmem_store_sqlite::MAX_LOG_BYTES;
use serde::Serialize;

use self::act::Act;
use self::disk::Disk;
use self::ledger::Ledger;
use self::surface::{Slot, Surface, SurfaceAnswer, SurfaceKind};
use crate::{Result, program};

pub(crate) use self::library::Library;

/// The length that the write-ahead log must not exceed. Processes that commit while another one empties it may add to its
/// limit.
const LOG_BOUND: u64 = 2 * MAX_LOG_BYTES;

/// How many failures are told one by one.
const TOLD: usize = 20;

/// Many processes on one memory, killed at random.
#[derive(Debug, Args)]
pub(crate) struct Torture {
    /// How many processes at a time, in turn a command line, an MCP server, an HTTP server, the library
    #[arg(long, default_value_t = 8)]
    processes: usize,

    /// For how long
    #[arg(long, default_value_t = 60)]
    seconds: u64,

    /// How many processes are killed a second, on average
    #[arg(long, default_value_t = 1.5)]
    kills_per_second: f64,

    /// How large the disk is that fills up now and then; needs the right to mount one
    #[arg(long, default_value_t = 2_048)]
    disk_megabytes: u64,

    /// How long the texts are, in kilobytes; a tenth without more said. With long ones only verbs are asked for that fill the
    /// write-ahead log
    #[arg(long, default_value_t = 0)]
    text_kilobytes: usize,

    /// What the choices are made from
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// The program to torture; the one beside this otherwise, built anew
    #[arg(long)]
    program: Option<PathBuf>,

    /// Where the memory is made and left, to look at it afterwards
    #[arg(long)]
    keep: Option<PathBuf>,
}

/// What came of it.
#[derive(Debug, Default, Serialize)]
pub(crate) struct TortureVerdict {
    processes: usize,
    seconds: f64,
    operations: u64,
    acknowledged: u64,
    refused: u64,
    kills: u64,
    disk_fills: u64,
    clock_jumps: u64,
    lost: usize,
    corruptions: usize,
    panics: usize,
    /// The greatest length of the write-ahead log, in bytes.
    longest_log: u64,
    /// By how many bytes the log grew, all together.
    log_written: u64,
    /// What is wrong, one by one, up to a bound.
    findings: Vec<String>,
    /// Acknowledged operations by verb.
    by_verb: BTreeMap<&'static str, u64>,
    /// Acknowledged operations by surface.
    by_surface: BTreeMap<&'static str, u64>,
    /// Why operations were refused, and how often.
    refusals: BTreeMap<String, u64>,
}

impl TortureVerdict {
    /// Whether nothing is wrong.
    pub(crate) fn is_good(&self) -> bool {
        self.lost + self.corruptions + self.panics == 0 && self.longest_log <= LOG_BOUND
    }

    pub(crate) fn print(&self, json: bool) {
        if json {
            println!("{}", serde_json::to_string_pretty(self).unwrap_or_default());
            return;
        }
        println!("{} processes for {:.0} s", self.processes, self.seconds);
        println!("operations    {:>9}   acknowledged {}, refused {}", self.operations, self.acknowledged, self.refused);
        println!(
            "kills         {:>9}   disk filled {} times, clock jumps {}",
            self.kills, self.disk_fills, self.clock_jumps
        );
        println!("lost          {:>9}", self.lost);
        println!("corruptions   {:>9}", self.corruptions);
        println!("panics        {:>9}", self.panics);
        let megabytes = |bytes: u64| bytes as f64 / 1e6;
        let (longest, bound) = (megabytes(self.longest_log), megabytes(LOG_BOUND));
        let written = megabytes(self.log_written);
        println!("longest log   {longest:>9.1}   megabytes, of {bound:.1}; it grew by {written:.1} in all");
        let told = |counts: &BTreeMap<&str, u64>| {
            counts.iter().map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
        };
        println!("by surface    {}", told(&self.by_surface));
        println!("by verb       {}", told(&self.by_verb));
        for (reason, count) in &self.refusals {
            println!("refused {count:>6}   {reason}");
        }
        for finding in &self.findings {
            println!("FOUND  {finding}");
        }
    }
}

/// What the workers share.
struct Shared {
    ledger: Mutex<Ledger>,
    operations: AtomicU64,
    stop: AtomicBool,
    longest_log: AtomicU64,
    log_written: AtomicU64,
    text_bytes: usize,
}

impl Torture {
    pub(crate) fn run(&self) -> Result<TortureVerdict> {
        let elfmem = match &self.program {
            Some(program) => program.clone(),
            None => program::locate()?,
        };
        let passing = tempfile::tempdir()?;
        let folder = self.keep.as_deref().unwrap_or(passing.path());
        std::fs::create_dir_all(folder)?;
        let disk = Disk::mount(&folder.join("disk"), self.disk_megabytes)?;
        let database = disk.folder().join("memory.db");
        let errors = folder.join("errors");
        std::fs::create_dir_all(&errors)?;

        let shared = Shared {
            ledger: Mutex::default(),
            operations: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            longest_log: AtomicU64::new(0),
            log_written: AtomicU64::new(0),
            text_bytes: self.text_kilobytes * 1_000,
        };
        let slots: Vec<Slot> = (0..self.processes).map(|_| Slot::default()).collect();
        let started = Instant::now();
        let mut kills = 0;
        std::thread::scope(|scope| -> Result<()> {
            for (number, slot) in slots.iter().enumerate() {
                let surface = Surface::new(
                    SurfaceKind::of(number),
                    &elfmem,
                    &database,
                    &errors.join(format!("{number}.txt")),
                    slot,
                )?;
                let (shared, seed) = (&shared, self.seed.wrapping_mul(1_000).wrapping_add(number as u64));
                scope.spawn(move || work(surface, shared, number, seed));
            }
            scope.spawn(|| keep_filling(&disk, &shared, self.seed));
            scope.spawn(|| watch_log(&disk.folder().join("memory.db-wal"), &shared));
            let mut random = fastrand::Rng::with_seed(self.seed);
            while started.elapsed() < Duration::from_secs(self.seconds) {
                std::thread::sleep(Duration::from_secs_f64(2.0 * random.f64() / self.kills_per_second.max(0.01)));
                kills += u64::from(slots[random.usize(..slots.len())].kill());
            }
            shared.stop.store(true, Ordering::Relaxed);
            Ok(())
        })?;

        let ledger = shared.ledger.into_inner().map_err(|_| "a worker panicked")?;
        let mut verdict = TortureVerdict {
            processes: self.processes,
            seconds: started.elapsed().as_secs_f64(),
            operations: shared.operations.into_inner(),
            longest_log: shared.longest_log.into_inner(),
            log_written: shared.log_written.into_inner(),
            acknowledged: ledger.acknowledged(),
            refused: ledger.refused(),
            kills,
            disk_fills: disk.fills(),
            clock_jumps: ledger.clock_jumps,
            by_verb: ledger.by_verb.clone(),
            by_surface: ledger.by_surface.clone(),
            refusals: ledger.refusals.clone(),
            ..TortureVerdict::default()
        };
        if let Some(kept) = &self.keep {
            // The disk goes when this ends. What its log holds belongs to it.
            for name in ["memory.db", "memory.db-wal"] {
                let file = disk.folder().join(name);
                if file.exists() {
                    std::fs::copy(file, kept.join(name))?;
                }
            }
        }
        let found = checks::check(&database, &ledger)?;
        let panics = panics_in(&errors)?;
        (verdict.lost, verdict.corruptions, verdict.panics) = (found.lost.len(), found.corruptions.len(), panics.len());
        verdict.findings = found.lost.into_iter().chain(found.corruptions).chain(panics).take(TOLD).collect();
        Ok(verdict)
    }
}

/// Fills the disk up now and then.
fn keep_filling(disk: &Disk, shared: &Shared, seed: u64) {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut next = Instant::now() + Duration::from_secs(4);
    while !shared.stop.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(50));
        if Instant::now() >= next {
            // A disk that cannot be filled is not what is tried here; the count tells.
            let _ = disk.fill_and_free(Duration::from_millis(random.u64(300..1_500)));
            next = Instant::now() + Duration::from_secs(random.u64(8..20));
        }
    }
}

/// Notes how long the write-ahead log becomes. A log that is started over keeps its length, so it may grow more than is seen.
fn watch_log(log: &Path, shared: &Shared) {
    let mut before = 0;
    while !shared.stop.load(Ordering::Relaxed) {
        let length = std::fs::metadata(log).map_or(0, |log| log.len());
        shared.longest_log.fetch_max(length, Ordering::Relaxed);
        shared.log_written.fetch_add(length.saturating_sub(before), Ordering::Relaxed);
        before = length;
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// One worker: asks for one thing after the other until it is told to stop.
fn work(mut surface: Surface<'_>, shared: &Shared, number: usize, seed: u64) {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut asked = 0u64;
    while !shared.stop.load(Ordering::Relaxed) {
        asked += 1;
        let act = match shared.ledger.lock() {
            Ok(ledger) => Act::choose(&mut random, &ledger, number, asked, shared.text_bytes),
            Err(_) => return,
        };
        let answer = surface.ask(&act);
        shared.operations.fetch_add(1, Ordering::Relaxed);
        let Ok(mut ledger) = shared.ledger.lock() else { return };
        match answer {
            SurfaceAnswer::Done(told) => ledger.acknowledge(number, surface.kind().name(), &act, &told),
            SurfaceAnswer::Refused(reason) => ledger.refuse(act.verb, reason),
            SurfaceAnswer::Died => {}
        }
    }
    surface.stop();
}

/// Every panic that a process told of before it died.
fn panics_in(folder: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for file in std::fs::read_dir(folder)? {
        let told = std::fs::read(file?.path())?;
        let told = String::from_utf8_lossy(&told);
        found.extend(told.lines().filter(|line| line.contains("panicked at")).map(|line| format!("panic: {line}")));
    }
    Ok(found)
}
