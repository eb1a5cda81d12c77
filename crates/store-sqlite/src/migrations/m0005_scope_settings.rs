//! Version 5: settings that belong to a scope are keyed by it.

use elfmem_store::StoreError;
use rusqlite::Connection;

use crate::errors::OrStoreError;

pub(super) fn apply(connection: &Connection) -> Result<(), StoreError> {
    connection.execute_batch(include_str!("m0005_scope_settings.sql")).or_store_error()
}
