//! The Python elfmem in the same run, where it is installed.

use std::path::PathBuf;
use std::process::Command;

use serde::Deserialize;

use crate::timing::Timing;

/// Processor time per block of the Python elfmem, in milliseconds.
#[derive(Debug, Deserialize)]
pub(crate) struct PythonFigures {
    pub(crate) learn_ms: f64,
    pub(crate) dream_ms: f64,
}

/// Runs the script that times it, with the interpreter that `ELFMEM_PYTHON` names, else `python3`. None where the Python
/// elfmem is not installed.
pub(crate) fn dream(active: usize, inbox: usize) -> Option<PythonFigures> {
    let interpreter = std::env::var_os("ELFMEM_PYTHON").unwrap_or_else(|| "python3".into());
    let script: PathBuf = [env!("CARGO_MANIFEST_DIR"), "python", "dream.py"].iter().collect();
    let output = Command::new(interpreter).arg(script).args([active.to_string(), inbox.to_string()]).output().ok()?;
    serde_json::from_slice(&output.stdout).ok()
}

/// Processor time per frame of the Python elfmem, in milliseconds.
#[derive(Debug, Deserialize)]
pub(crate) struct PythonRecall {
    pub(crate) recall_ms: f64,
}

/// The same for questions to a memory of so many blocks.
pub(crate) fn recall(active: usize) -> Option<PythonRecall> {
    let interpreter = std::env::var_os("ELFMEM_PYTHON").unwrap_or_else(|| "python3".into());
    let script: PathBuf = [env!("CARGO_MANIFEST_DIR"), "python", "recall.py"].iter().collect();
    let output = Command::new(interpreter).arg(script).arg(active.to_string()).output().ok()?;
    serde_json::from_slice(&output.stdout).ok()
}

/// A figure of another program, per block.
pub(crate) fn timing(milliseconds: f64, operations: usize) -> Timing {
    Timing { operations, p50_ms: milliseconds, p99_ms: milliseconds, cpu_ms: Some(milliseconds) }
}
