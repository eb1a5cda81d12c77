//! Running the `elfmem` program itself, cold.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::Result;
use crate::timing::{Timing, of_walls};

/// The program that stands beside this one, built anew if cargo is there to do it.
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

/// Starts the program `count` times and waits for each.
pub(crate) fn time(program: &Path, arguments: &[&str], count: usize) -> Result<Timing> {
    let mut walls = Vec::with_capacity(count);
    for _ in 0..count {
        let started = Instant::now();
        let status = Command::new(program).args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).status()?;
        walls.push(started.elapsed());
        if !status.success() {
            return Err(format!("elfmem {} failed", arguments.join(" ")).into());
        }
    }
    Ok(of_walls(walls))
}
