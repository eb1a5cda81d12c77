//! `init --plugin`: writes a plugin folder for hosts that take one.

use std::path::Path;

use serde_json::json;

use super::init::{confirm, write_changes};
use crate::args;
use crate::failure::Failure;
use crate::output::Output;
use crate::setup::{Action, PROGRAM, host_command, plugin_files};
use crate::style::NOTE;

pub(crate) fn make(folder: &Path, asked: &args::Init) -> Result<Output, Failure> {
    use std::fmt::Write;
    let program = host_command();
    let folder = std::path::absolute(folder).map_err(|error| Failure::no_folder(&error))?;
    let folder = folder.canonicalize().unwrap_or(folder);
    let changes = plugin_files(&folder, &program)?;
    if !asked.dry_run {
        if changes.iter().any(|change| change.action() == Action::Updated) && !asked.yes {
            confirm(&folder, &changes)?;
        }
        for change in &changes {
            change.write()?;
        }
    }
    let mut text = String::new();
    if asked.dry_run {
        let _ = writeln!(text, "{NOTE}Nothing was changed. It would be:{NOTE:#}");
    }
    write_changes(&mut text, &folder, &changes, asked.dry_run);
    if !asked.dry_run {
        let _ = writeln!(text, "\nReady. Start Claude Code with it: claude --plugin-dir {}", folder.display());
    }
    if program != PROGRAM {
        let _ = writeln!(text, "\n{NOTE}`{PROGRAM}` is not on your path, so it is registered as {program}.{NOTE:#}");
    }
    let files: Vec<_> = changes.iter().map(|change| json!({"path": change.path, "action": change.action()})).collect();
    let json = json!({"plugin": folder, "dry_run": asked.dry_run, "files": files, "command": program});
    Ok(Output::new(text, &json))
}
