//! `status`.

use std::fmt::Write;

use elfmem_engine::results::Health;
use elfmem_engine::{Memory, SystemStatus};
use elfmem_store_sqlite::SqliteStore;
use serde::Serialize;

use crate::database::Database;
use crate::failure::Failure;
use crate::output::Output;
use crate::spoken::as_typed;
use crate::style::{BAD, DIM, GOOD, NOTE};

/// The library's status, with the file it speaks of.
#[derive(Serialize)]
struct StatusOfFile<'a> {
    #[serde(flatten)]
    status: &'a SystemStatus,
    database: &'a Database,
}

pub(crate) fn status(database: &Database, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let status = memory.status()?;
    Ok(Output::new(text(&status, database), &StatusOfFile { status: &status, database }))
}

fn text(status: &SystemStatus, database: &Database) -> String {
    let style = match status.health {
        Health::Good => GOOD,
        Health::Attention => NOTE,
        Health::Degraded => BAD,
    };
    let mut text = String::new();
    let mut field = |name: &str, value: String| {
        let _ = writeln!(text, "{DIM}{name:<14}{DIM:#} {value}");
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
    field("consolidated", status.last_consolidated.clone());
    let missing = if database.exists { "" } else { " (not there yet)" };
    field("memory", format!("{}{missing}", database.path.display()));
    field("chosen", database.found_in_words());
    let _ = writeln!(text, "\n{}", as_typed(&status.suggestion));
    text
}
