//! Confidence, use and decay of blocks: the part of the index that changes with every use.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use elfmem_core::BlockId;
use elfmem_index::{ChunkedVec, Slots};
use elfmem_store::{RankingState, Snapshot};

use crate::Result;

/// Blocks that stop being shared together when the state of one of them changes.
const CHUNK: usize = 256;
/// With more missing states than one in so many, all are read at once.
const FEW_MISSING: usize = 8;

/// Ranking states by slot, loaded when they are first needed.
#[derive(Debug, Default)]
pub(crate) struct RankingStates {
    by_slot: ChunkedVec<OnceLock<PackedState>, CHUNK>,
    /// Whether the states of all blocks are loaded. Then they are kept so.
    complete: AtomicBool,
}

impl Clone for RankingStates {
    fn clone(&self) -> Self {
        Self { by_slot: self.by_slot.clone(), complete: AtomicBool::new(self.complete.load(Ordering::Acquire)) }
    }
}

/// The ranking states of all blocks. There is one only if they are loaded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AllRankingStates<'a>(&'a RankingStates);

impl AllRankingStates<'_> {
    /// Returns the state of a block; none for a slot without one.
    pub(crate) fn get(&self, slot: u32) -> Option<RankingState> {
        self.0.get(slot)
    }
}

impl RankingStates {
    /// Makes places for the slots below `bound`.
    pub(crate) fn grow_to(&mut self, bound: usize) {
        self.by_slot.grow_to(bound);
    }

    fn get(&self, slot: u32) -> Option<RankingState> {
        self.by_slot.get(slot as usize)?.get().map(PackedState::unpack)
    }

    /// Returns the states of some blocks in the order of their slots, and loads those that are missing.
    pub(crate) fn load(
        &self,
        snapshot: &dyn Snapshot,
        slots: &Slots,
        wanted: &[u32],
    ) -> Result<Vec<Option<RankingState>>> {
        let missing = wanted.iter().filter(|slot| self.get(**slot).is_none());
        let missing: Vec<BlockId> = missing.filter_map(|slot| slots.id(*slot).cloned()).collect();
        if !missing.is_empty() {
            self.read(snapshot, slots, Some(&missing))?;
        }
        Ok(wanted.iter().map(|slot| self.get(*slot)).collect())
    }

    /// Loads the states of all blocks.
    pub(crate) fn load_all(&self, snapshot: &dyn Snapshot, slots: &Slots) -> Result<AllRankingStates<'_>> {
        if !self.complete.load(Ordering::Acquire) {
            let missing = slots.iter().filter(|(slot, _)| self.get(*slot).is_none());
            let missing: Vec<BlockId> = missing.map(|(_, id)| id.clone()).collect();
            let few = missing.len() < slots.len() / FEW_MISSING;
            self.read(snapshot, slots, few.then_some(missing.as_slice()))?;
            self.complete.store(true, Ordering::Release);
        }
        Ok(AllRankingStates(self))
    }

    /// Reads the states of changed blocks again, as far as they were loaded.
    pub(crate) fn follow(&mut self, snapshot: &dyn Snapshot, slots: &Slots, changed: &[BlockId]) -> Result<()> {
        let complete = *self.complete.get_mut();
        let mut again = Vec::new();
        for id in changed {
            if let Some(slot) = slots.get(id) {
                // Cleared even if it is empty: readers of the state before may still fill it in.
                let place = self.by_slot.get_mut(slot as usize);
                if place.take().is_some() || complete {
                    again.push(id.clone());
                }
            }
        }
        if again.is_empty() { Ok(()) } else { self.read(snapshot, slots, Some(&again)) }
    }

    /// Removes the state of a block.
    pub(crate) fn clear(&mut self, slot: u32) {
        self.by_slot.set(slot as usize, OnceLock::new());
    }

    fn read(&self, snapshot: &dyn Snapshot, slots: &Slots, ids: Option<&[BlockId]>) -> Result<()> {
        snapshot.visit_ranking_states(ids, &mut |id, state| {
            if let Some(place) = slots.get(id).and_then(|slot| self.by_slot.get(slot as usize)) {
                place.get_or_init(|| PackedState::pack(&state));
            }
        })?;
        Ok(())
    }

    /// Returns the size on the heap.
    pub(crate) fn bytes(&self) -> usize {
        self.by_slot.bytes()
    }
}

/// A ranking state in 24 bytes.
#[derive(Debug, Clone, Copy)]
struct PackedState {
    decay_lambda: f64,
    last_reinforced_at: f64,
    confidence: f32,
    /// The count of reinforcements, shifted by one for the pin.
    count_and_pin: u32,
}

impl PackedState {
    fn pack(state: &RankingState) -> Self {
        let &RankingState { decay_lambda, last_reinforced_at, confidence, .. } = state;
        let count = state.reinforcement_count.min(u32::MAX >> 1);
        Self { decay_lambda, last_reinforced_at, confidence, count_and_pin: count << 1 | u32::from(state.pinned) }
    }

    fn unpack(&self) -> RankingState {
        let &Self { decay_lambda, last_reinforced_at, confidence, count_and_pin } = self;
        let (reinforcement_count, pinned) = (count_and_pin >> 1, count_and_pin & 1 == 1);
        RankingState { pinned, reinforcement_count, confidence, decay_lambda, last_reinforced_at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_keeps_its_values_in_the_packed_form() {
        for (pinned, reinforcement_count) in [(false, 0), (true, 7), (false, u32::MAX >> 1), (true, u32::MAX >> 1)] {
            let state = RankingState {
                pinned,
                reinforcement_count,
                confidence: 0.7,
                decay_lambda: 0.01,
                last_reinforced_at: 12.5,
            };
            assert_eq!(PackedState::pack(&state).unpack(), state);
        }
        assert_eq!(size_of::<OnceLock<PackedState>>(), 32);
    }
}
