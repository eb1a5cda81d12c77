//! Version 7: blocks know their places in documents, and why consolidation replaced them.

use elfmem_store::StoreError;
use rusqlite::Connection;

use crate::errors::OrStoreError;

pub(super) fn apply(connection: &Connection) -> Result<(), StoreError> {
    connection.execute_batch(include_str!("m0007_documents.sql")).or_store_error()
}
