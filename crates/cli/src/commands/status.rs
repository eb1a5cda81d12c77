//! `status`.

use std::fmt::Write;

use elfmem_core::time;
use elfmem_engine::results::Health;
use elfmem_engine::{Memory, Status, SystemStatus};
use elfmem_store_sqlite::SqliteStore;
use serde::Serialize;

use crate::configuration::Surroundings;
use crate::database::Database;
use crate::failure::Failure;
use crate::local_time::local;
use crate::output::Output;
use crate::python_memory::{self, PythonMemory};
use crate::spoken::as_typed;
use crate::style::{BAD, DIM, GOOD, HANG, NOTE};

/// How the suggestion ends where the inbox needs nothing (seed 001).
const NOTHING_TO_DO: &str = " No action required.";

/// The library's status, with the file it speaks of.
#[derive(Serialize)]
struct StatusOfFile<'a> {
    #[serde(flatten)]
    status: &'a SystemStatus,
    database: &'a Database,
    /// Memories of the Python elfmem that were not brought in.
    python_memories: &'a [PythonMemory],
}

pub(crate) fn status(database: &Database, memory: &Memory<SqliteStore>, request: Status) -> Result<Output, Failure> {
    let status = memory.status_with(request)?;
    let home = Surroundings::here()?.places.home;
    let python_memories = &python_memory::find(home.as_deref(), &database.path, memory)?;
    let text = text(&status, database, python_memories);
    Ok(Output::new(text, &StatusOfFile { status: &status, database, python_memories }))
}

fn text(status: &SystemStatus, database: &Database, python_memories: &[PythonMemory]) -> String {
    let style = match status.health {
        Health::Good => GOOD,
        Health::Attention => NOTE,
        Health::Degraded => BAD,
    };
    let mut text = String::new();
    let mut field = |name: &str, value: String| {
        let _ = writeln!(text, "{DIM}{name:<14}{DIM:#} {HANG}{value}");
    };
    field("health", format!("{style}{}{style:#}", status.health.as_str()));
    let (inbox, threshold) = (status.inbox_count, status.inbox_threshold);
    field(
        "blocks",
        format!("{} active, {inbox}/{threshold} inbox, {} archived", status.active_count, status.archived_count),
    );
    field(
        "session",
        match status.session_hours {
            Some(hours) => format!("open, {hours:.2} active hours"),
            None => "none".to_owned(),
        },
    );
    field("active hours", format!("{:.2}", status.total_active_hours));
    let consolidated = time::from_iso(&status.last_consolidated).map(local);
    field("consolidated", consolidated.unwrap_or_else(|| status.last_consolidated.clone()));
    let missing = if database.exists { "" } else { " (not there yet)" };
    field("memory", format!("{}{missing}", database.path.display()));
    field("chosen", database.found_in_words());
    let waiting = status.waiting_note();
    let suggestion = match &waiting {
        // What waits is something to do.
        Some(_) => status.suggestion.trim_end_matches(NOTHING_TO_DO),
        None => &status.suggestion,
    };
    let _ = writeln!(text, "\n{}", as_typed(suggestion));
    if let Some(waiting) = waiting {
        let _ = writeln!(text, "{}", as_typed(&waiting));
    }
    if let Some(calibration) = &status.calibration {
        let _ = writeln!(text, "\n{calibration}");
    }
    if let Some(note) = status.replaced_note() {
        let _ = writeln!(text, "{}", as_typed(&note));
    }
    for found in python_memories {
        let _ = writeln!(text, "{found}. Bring it in with: {}", found.command);
    }
    text
}
