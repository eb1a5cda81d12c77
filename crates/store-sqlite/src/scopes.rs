//! The scopes of a file, for whoever has the file.

use elfmem_core::{BlockStatus, Scope};
use elfmem_store::{BlockCounts, StoreError};

use crate::errors::OrStoreError;
use crate::store::SqliteStore;

impl SqliteStore {
    /// Returns every scope with its number of blocks, by name, whatever a view sees.
    ///
    /// # Errors
    /// Those of reading.
    pub fn scopes(&self) -> Result<Vec<(Scope, BlockCounts)>, StoreError> {
        self.pool().reading(|connection| {
            let sql = "SELECT scope, status, count(*) FROM blocks GROUP BY scope, status ORDER BY scope";
            let mut statement = connection.prepare(sql).or_store_error()?;
            let mut rows = statement.query([]).or_store_error()?;
            let mut found: Vec<(Scope, BlockCounts)> = Vec::new();
            while let Some(row) = rows.next().or_store_error()? {
                let scope = Scope::from_stored(&row.get::<_, String>(0).or_store_error()?);
                let status: String = row.get(1).or_store_error()?;
                let count: i64 = row.get(2).or_store_error()?;
                if found.last().is_none_or(|(last, _)| *last != scope) {
                    found.push((scope, BlockCounts::default()));
                }
                let Some((_, counts)) = found.last_mut() else { continue };
                match BlockStatus::from_name(&status) {
                    Some(BlockStatus::Inbox) => counts.inbox = count as u64,
                    Some(BlockStatus::Active) => counts.active = count as u64,
                    Some(BlockStatus::Archived) => counts.archived = count as u64,
                    None => {}
                }
            }
            Ok(found)
        })
    }
}
