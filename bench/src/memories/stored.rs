//! A memory file, learned and dreamed.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use elfmem_core::{BlockId, BlockStatus, Timestamp};
use elfmem_engine::{Clock, Learn, Memory, Models, Options};
use elfmem_store_sqlite::SqliteStore;
use elfmem_text::temporal::explicit_time;

use super::data::MemoryFile;
use crate::Result;
use crate::clock::SetClock;

/// Seconds between two facts.
const PAUSE: i64 = 60;

/// A memory that holds the facts of a file.
pub(crate) struct StoredMemory<'a> {
    pub(crate) memory: Memory<SqliteStore>,
    keys: HashMap<BlockId, &'a str>,
}

impl<'a> StoredMemory<'a> {
    /// Learns the facts of a file in their order, and dreams once.
    pub(crate) fn learn(file: &'a MemoryFile, models: Models) -> Result<Self> {
        // 2026-06-01, after the dates of the facts.
        let clock = Arc::new(SetClock::at(1_780_272_000));
        let options = Options { clock: Arc::clone(&clock) as Arc<dyn Clock>, models, ..Options::default() };
        let memory = Memory::open(SqliteStore::in_memory(Timestamp::UNIX_EPOCH)?, options);
        let mut keys = HashMap::new();
        for fact in &file.facts {
            clock.pass(PAUSE);
            let learn = fact.tags.iter().fold(Learn::new(fact.text.as_str()), |learn, tag| learn.tag(tag.as_str()));
            let at = fact.event_at.as_deref().and_then(explicit_time).map(|span| span.from);
            let learned = memory.learn(at.map_or(learn.clone(), |at| learn.event_at(at)))?;
            keys.insert(learned.block_id, fact.key.as_str());
        }
        memory.consolidate()?;
        clock.pass(PAUSE);
        Ok(Self { memory, keys })
    }

    /// Returns the key of the fact that a block holds.
    pub(crate) fn key_of(&self, id: &BlockId) -> &'a str {
        self.keys.get(id).copied().unwrap_or_default()
    }

    /// Counts facts that are archived although no later one made them outdated.
    pub(crate) fn count_lost(&self, outdated: &BTreeSet<&str>) -> Result<usize> {
        let mut lost = 0;
        for (id, key) in &self.keys {
            let status = self.memory.show(id.as_str())?.block.status;
            lost += usize::from(status == BlockStatus::Archived && !outdated.contains(key));
        }
        Ok(lost)
    }
}
