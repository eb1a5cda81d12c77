//! `session begin` and `session end`.

use elfmem_engine::Memory;
use elfmem_store_sqlite::SqliteStore;

use crate::args::{Session, SessionAction};
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn session(arguments: &Session, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    Ok(match &arguments.action {
        SessionAction::Begin { task_type } => Output::sentence(&memory.begin_session(task_type)?),
        SessionAction::End => Output::sentence(&memory.end_session()?),
    })
}
