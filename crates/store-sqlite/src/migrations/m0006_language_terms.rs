//! Version 6: the search tables hold stems in the language of each text. The schema stays; the tables are filled anew.

use elfmem_store::StoreError;
use rusqlite::Connection;

/// Changes nothing: the migration is marked as one that leaves the search tables to be filled.
pub(super) fn apply(_: &Connection) -> Result<(), StoreError> {
    Ok(())
}
