//! How blocks stand, as far as questions needed it: what use moves, and so what changes most.

use elfmem_core::BlockId;
use elfmem_index::{Slots, widen};
use elfmem_store::{RankingState, Snapshot};

use crate::Result;

/// Standings by slot.
#[derive(Debug, Default)]
pub(crate) struct Standings {
    by_slot: Vec<Option<RankingState>>,
    /// Whether those of all blocks are here, and are to be kept so.
    complete: bool,
}

impl Standings {
    pub(crate) fn get(&self, slot: u32) -> Option<&RankingState> {
        self.by_slot.get(slot as usize)?.as_ref()
    }

    /// Forgets how a block stands.
    pub(crate) fn forget(&mut self, slot: u32) {
        if let Some(standing) = self.by_slot.get_mut(slot as usize) {
            *standing = None;
        }
    }

    /// Reads how some blocks stand, unless it is known.
    pub(crate) fn load(&mut self, snapshot: &dyn Snapshot, slots: &Slots, wanted: &[u32]) -> Result<()> {
        let missing: Vec<BlockId> = wanted
            .iter()
            .filter(|slot| self.get(**slot).is_none())
            .filter_map(|slot| slots.id(*slot).cloned())
            .collect();
        self.read(snapshot, slots, Some(&missing))
    }

    /// Reads how all blocks stand, unless it is known.
    pub(crate) fn load_all(&mut self, snapshot: &dyn Snapshot, slots: &Slots) -> Result<()> {
        if self.complete {
            return Ok(());
        }
        self.by_slot.reserve_exact(slots.bound().saturating_sub(self.by_slot.len()));
        self.read(snapshot, slots, None)?;
        self.complete = true;
        Ok(())
    }

    /// Reads again how changed blocks stand, where it was known.
    pub(crate) fn follow(&mut self, snapshot: &dyn Snapshot, slots: &Slots, changed: &[BlockId]) -> Result<()> {
        let known = |id: &&BlockId| self.complete || slots.get(id).is_some_and(|slot| self.get(slot).is_some());
        let again: Vec<BlockId> = changed.iter().filter(known).cloned().collect();
        self.read(snapshot, slots, Some(&again))
    }

    fn read(&mut self, snapshot: &dyn Snapshot, slots: &Slots, ids: Option<&[BlockId]>) -> Result<()> {
        snapshot.visit_ranking_states(ids, &mut |id, standing| {
            if let Some(slot) = slots.get(id) {
                widen(&mut self.by_slot, slot as usize, None);
                self.by_slot[slot as usize] = Some(standing);
            }
        })?;
        Ok(())
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        self.by_slot.capacity() * size_of::<Option<RankingState>>()
    }
}
