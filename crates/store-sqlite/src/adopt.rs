//! Taking over a database of the Python elfmem 0.15, in place and after a verified backup.

use elfmem_core::Timestamp;
use elfmem_store::{StoreError, WriteSettings};

use crate::errors::OrStoreError;
use crate::search;
use crate::transaction::SqliteTransaction;

/// Brings the rows of a Python database into our terms; the tables are complete already.
///
/// Its frame rows were never read by it and disagree with what it did, so the built-in ones are replaced by ours. Blocks
/// it inserted with no analysis stay as they are; edges that are not in canonical order or loop are put right.
pub(crate) fn convert_rows(transaction: &mut SqliteTransaction<'_>, now: Timestamp) -> Result<(), StoreError> {
    let connection = transaction.connection;
    connection
        .execute_batch(
            "DELETE FROM frames WHERE source = 'builtin';
             DELETE FROM edges WHERE from_id = to_id;
             DELETE FROM edges WHERE from_id > to_id
                 AND EXISTS (SELECT 1 FROM edges AS kept WHERE kept.from_id = edges.to_id AND kept.to_id = edges.from_id);
             UPDATE edges SET from_id = to_id, to_id = from_id WHERE from_id > to_id;
             UPDATE sessions SET last_seen_at = coalesce(ended_at, started_at) WHERE last_seen_at IS NULL;
             UPDATE sessions SET ended_at = last_seen_at WHERE ended_at IS NULL;
             UPDATE blocks SET archive_reason = NULL WHERE status <> 'archived';",
        )
        .or_store_error()?;
    search::rebuild(connection)?;
    transaction.seed_builtin_data(now)
}
