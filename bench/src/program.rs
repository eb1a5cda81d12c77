//! Runs the `elfmem` binary for cold-start measurements.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::Result;
use crate::timing::{Timing, milliseconds, of_walls};

/// Returns the path of the binary, rebuilt if cargo is available.
pub(crate) fn locate() -> Result<PathBuf> {
    if let Some(cargo) = std::env::var_os("CARGO") {
        let built = Command::new(cargo).args(["build", "--release", "--quiet", "-p", "elfmem-cli"]).status()?;
        if !built.success() {
            return Err("building elfmem-cli failed".into());
        }
    }
    let path = std::env::current_exe()?.with_file_name("elfmem");
    if path.exists() { Ok(path) } else { Err(format!("there is no {}", path.display()).into()) }
}

/// Runs the binary `count` times in sequence.
pub(crate) fn time(program: &Path, arguments: &[&str], count: usize) -> Result<Timing> {
    let mut walls = Vec::with_capacity(count);
    let before = time_of_children();
    for _ in 0..count {
        let started = Instant::now();
        let status = Command::new(program).args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).status()?;
        walls.push(started.elapsed());
        if !status.success() {
            return Err(format!("elfmem {} failed", arguments.join(" ")).into());
        }
    }
    let busy = time_of_children().zip(before).map(|(after, before)| after.saturating_sub(before));
    let cpu_ms = busy.map(|busy| milliseconds(busy) / count.max(1) as f64);
    Ok(Timing { cpu_ms, ..of_walls(walls) })
}

/// The processor time of all programs that were started and waited for, in steps of ten milliseconds. None where the system does
/// not tell.
fn time_of_children() -> Option<Duration> {
    let told = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program is in brackets and may hold spaces; the times are the 14th and 15th word after it.
    let mut words = told.rsplit_once(')')?.1.split_whitespace().skip(13);
    let mut ticks = || words.next()?.parse::<u64>().ok();
    Some(Duration::from_millis(10 * (ticks()? + ticks()?)))
}
