//! Measures the Python elfmem in the same run, if it is installed.

use std::path::PathBuf;
use std::process::Command;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::timing::Timing;

/// Processor time per block of the Python elfmem, in milliseconds.
#[derive(Debug, Deserialize)]
pub(crate) struct PythonFigures {
    pub(crate) learn_ms: f64,
    pub(crate) dream_ms: f64,
}

/// Processor time of graph operations and of one curate, in milliseconds.
#[derive(Debug, Deserialize)]
pub(crate) struct PythonGraph {
    pub(crate) connect_ms: f64,
    pub(crate) outcome_ms: f64,
    pub(crate) curate_ms: f64,
}

/// Processor time of one frame, in milliseconds.
#[derive(Debug, Deserialize)]
pub(crate) struct PythonRecall {
    pub(crate) recall_ms: f64,
}

/// Times learn and consolidate. None where the Python elfmem is not installed.
pub(crate) fn dream(active: usize, inbox: usize) -> Option<PythonFigures> {
    run("dream.py", &[active, inbox])
}

/// Times connect, outcome and curate. None where the Python elfmem is not installed.
pub(crate) fn graph(active: usize) -> Option<PythonGraph> {
    run("graph.py", &[active])
}

/// Times a warm frame. None where the Python elfmem is not installed.
pub(crate) fn recall(active: usize) -> Option<PythonRecall> {
    run("recall.py", &[active])
}

/// Runs a script with the interpreter that `ELFMEM_PYTHON` names, else `python3`, and reads what it prints.
fn run<T: DeserializeOwned>(script: &str, arguments: &[usize]) -> Option<T> {
    let interpreter = std::env::var_os("ELFMEM_PYTHON").unwrap_or_else(|| "python3".into());
    let script: PathBuf = [env!("CARGO_MANIFEST_DIR"), "python", script].iter().collect();
    let arguments = arguments.iter().map(usize::to_string);
    let output = Command::new(interpreter).arg(script).args(arguments).output().ok()?;
    serde_json::from_slice(&output.stdout).ok()
}

/// A figure of another program, per block.
pub(crate) fn timing(milliseconds: f64, operations: usize) -> Timing {
    Timing { operations, p50_ms: milliseconds, p99_ms: milliseconds, cpu_ms: Some(milliseconds) }
}
