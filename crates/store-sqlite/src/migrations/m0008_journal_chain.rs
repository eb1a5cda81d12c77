//! Version 8: operations of the journal carry a chain value. Those that were there before have none: the chain begins
//! with the operation that records this migration.

use elfmem_store::StoreError;
use rusqlite::Connection;

use crate::errors::OrStoreError;

pub(super) fn apply(connection: &Connection) -> Result<(), StoreError> {
    connection.execute_batch("ALTER TABLE journal ADD COLUMN chain BLOB").or_store_error()
}
