//! Version 9: answers and updates are kept in the journal in shorter forms (`uses/shown.rs`, `updates.rs`). Tables and rows are as
//! they were. The number tells older programs that they cannot read the journal.

use elfmem_store::StoreError;
use rusqlite::Connection;

pub(super) fn apply(_: &Connection) -> Result<(), StoreError> {
    Ok(())
}
