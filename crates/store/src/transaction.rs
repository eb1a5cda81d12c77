//! Changing a memory, all or nothing.

use elfmem_core::{
    ActiveHours, ArchiveReason, Block, BlockId, BlockStatus, ClockState, Edge, EdgeKey, EdgeWeight, Frame,
    OutcomeRecord, Session, SessionId, Tag, Timestamp, time,
};

use crate::settings::scope_key;
use crate::snapshot::{LAST_ACTIVITY_AT, TOTAL_ACTIVE_HOURS};
use crate::{
    Contradiction, EventTransaction, JournalHeader, JournalLinks, LearnedState, Proposal, Provenance, Snapshot,
    StagedPair, StoreError, Tombstone,
};

type Result<T> = std::result::Result<T, StoreError>;

/// Tags and category that a block was given.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
pub struct ChangedLabels {
    /// Which block.
    #[serde(skip)]
    pub block_id: Option<BlockId>,
    /// Its tags, if they were changed.
    #[serde(default)]
    pub tags: Vec<Tag>,
    /// Its category, if it was changed.
    #[serde(default)]
    pub category: Option<elfmem_core::Category>,
}

/// A reading that may also change what it reads. Every change is noted for the journal; [`describe`](Self::describe)
/// says what operation it belongs to.
///
/// A store implements the few primitives; the named changes of the seeds are built on them here, once for all stores.
pub trait Transaction: Snapshot + EventTransaction {
    /// Names the operation that this transaction is. Must be called before the end when anything was changed.
    fn describe(&mut self, header: JournalHeader);

    /// What this transaction has made of the tags and categories of blocks so far, one entry for each change of them.
    ///
    /// # Errors
    /// The store's own.
    fn changed_labels(&self) -> Result<Vec<ChangedLabels>>;

    /// Says how this operation belongs to others: the run it is a part of, the operation it takes back.
    fn set_journal_links(&mut self, links: JournalLinks);

    /// Stores a new block with its tags; its scope must be the transaction's own.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] when the id is taken.
    fn insert_block(&mut self, block: &Block) -> Result<()>;

    /// Reads a block, lets `edit` change it, and stores it with the next revision. Its id and scope stay.
    ///
    /// # Errors
    /// [`StoreError::Missing`] when there is no such block.
    fn update_block(&mut self, id: &BlockId, edit: &mut dyn FnMut(&mut Block)) -> Result<Block>;

    /// Removes a block with everything attached to it. The journal keeps it whole, its vector too.
    fn delete_block(&mut self, id: &BlockId) -> Result<()>;

    /// Removes a block with everything attached to it and every word of it that the journal holds, and leaves a tombstone.
    /// The bytes may still be in the file until [`Store::scrub`](crate::Store::scrub) has run.
    ///
    /// # Errors
    /// [`StoreError::Missing`] when there is no such block.
    fn purge_block(&mut self, tombstone: &Tombstone) -> Result<()>;

    /// Stores a block's vector and the model it comes from.
    fn set_embedding(&mut self, id: &BlockId, model: &str, vector: &[f32]) -> Result<()>;

    /// Keeps vectors of another model aside until all blocks have one. Vectors are derived and not journaled.
    fn stage_vectors(&mut self, model: &str, vectors: &[(BlockId, Vec<f32>)]) -> Result<()>;

    /// Makes the staged vectors of `model` the vectors of their blocks, in every scope, and empties the staging area; how many
    /// there were. Blocks without a staged vector keep none: there is nothing in them that the model can embed.
    fn adopt_staged_vectors(&mut self, model: &str) -> Result<u64>;

    /// Stores an edge, replacing the one between the same two blocks.
    fn put_edge(&mut self, edge: &Edge) -> Result<()>;

    /// Replaces an edge that was read in this transaction, without reading it again.
    fn update_edge(&mut self, before: &Edge, after: &Edge) -> Result<()> {
        debug_assert_eq!(before.key, after.key, "an edge stays between its blocks");
        self.put_edge(after)
    }

    /// Removes an edge; whether there was one.
    fn delete_edge(&mut self, key: &EdgeKey) -> Result<bool>;

    /// Removes an edge that was read in this transaction, without reading it again.
    fn remove_edge(&mut self, edge: &Edge) -> Result<()> {
        self.delete_edge(&edge.key).map(drop)
    }

    /// Notes that pairs of blocks came up together in a session, each session once, and tells in how many sessions each
    /// pair has by now. A count, not knowledge: it leaves no trace in the journal.
    fn stage_co_retrieval(&mut self, pairs: &[EdgeKey], session: &SessionId) -> Result<Vec<(EdgeKey, u32)>>;

    /// Forgets how often a pair came up together.
    fn unstage_co_retrieval(&mut self, pair: &EdgeKey) -> Result<()>;

    /// Stores how often a pair came up together, as another memory had counted it; a pair that is counted here stays.
    fn put_staged_pair(&mut self, pair: &StagedPair) -> Result<()>;

    /// Stores what peers said of a block that was just made. It goes with the block and has no entry of its own in the journal.
    fn set_provenance(&mut self, id: &BlockId, provenance: &Provenance) -> Result<()>;

    /// Stores what is left of a block that another memory had purged; one that is there stays. Purges are for good, so this
    /// leaves no trace in the journal.
    fn put_tombstone(&mut self, tombstone: &Tombstone) -> Result<()>;

    /// Stores a contradiction, replacing the one between the same two blocks.
    fn put_contradiction(&mut self, contradiction: &Contradiction) -> Result<()>;

    /// Removes one contradiction.
    fn delete_contradiction(&mut self, contradiction: &Contradiction) -> Result<()>;

    /// Removes every contradiction with a block, resolved or not.
    fn delete_contradictions_of(&mut self, id: &BlockId) -> Result<()>;

    /// Stores what an outcome did to a block, replacing what was on record of the two.
    fn put_outcome(&mut self, record: &OutcomeRecord) -> Result<()>;

    /// Removes what is on record of an outcome and a block.
    fn delete_outcome(&mut self, record: &OutcomeRecord) -> Result<()>;

    /// Stores a frame, replacing the one of the same name, which keeps its age.
    fn upsert_frame(&mut self, frame: &Frame, now: Timestamp) -> Result<()>;

    /// Removes a frame; whether there was one.
    fn delete_frame(&mut self, name: &str) -> Result<bool>;

    /// Stores a new proposal and gives it a number, unless its number is given (one that comes back keeps its own).
    fn insert_proposal(&mut self, proposal: &Proposal) -> Result<Proposal>;

    /// Stores what became of a proposal.
    ///
    /// # Errors
    /// [`StoreError::Missing`] when there is none of that number.
    fn update_proposal(&mut self, proposal: &Proposal) -> Result<()>;

    /// Removes a proposal; whether there was one.
    fn delete_proposal(&mut self, number: i64) -> Result<bool>;

    /// Stores a session, replacing the one of the same id.
    fn put_session(&mut self, session: &Session) -> Result<()>;

    /// Stores a session without a trace in the journal: automatic sessions, and the sign of life that every operation
    /// leaves.
    fn touch_session(&mut self, session: &Session) -> Result<()>;

    /// Stores a setting of the whole memory. Settings are not journaled: the clock is one of them and moves with every operation.
    fn set_config(&mut self, key: &str, value: &str) -> Result<()>;

    /// Stores a setting of the view's own scope.
    fn set_scope_config(&mut self, name: &str, value: &str) -> Result<()> {
        let key = scope_key(self.scope(), name);
        self.set_config(&key, value)
    }

    /// Moves a block to another status. Archiving drops its tags, edges and contradictions (the journal keeps them);
    /// leaving the archive clears the reason and the pointer to a successor.
    fn update_block_status(
        &mut self,
        id: &BlockId,
        status: BlockStatus,
        reason: Option<ArchiveReason>,
    ) -> Result<Block> {
        if status == BlockStatus::Archived {
            for edge in self.get_edges_for_block(id)? {
                self.remove_edge(&edge)?;
            }
            self.delete_contradictions_of(id)?;
        }
        self.update_block(id, &mut |block| {
            block.status = status;
            if status == BlockStatus::Archived {
                block.archive_reason = reason;
                block.tags.clear();
            } else {
                block.archive_reason = None;
                block.superseded_by = None;
            }
        })
    }

    /// Archives many blocks, as [`update_block_status`](Self::update_block_status) archives one.
    ///
    /// # Errors
    /// [`StoreError::Missing`] when one of them does not exist.
    fn archive_blocks(&mut self, ids: &[BlockId], reason: ArchiveReason) -> Result<()> {
        for id in ids {
            self.update_block_status(id, BlockStatus::Archived, Some(reason))?;
        }
        Ok(())
    }

    /// Replaces the learned state of a block, `before` being the one that was read in this transaction. Raises the revision when
    /// the two differ.
    ///
    /// # Errors
    /// [`StoreError::Missing`] when there is no such block.
    fn update_learned_state(&mut self, id: &BlockId, before: &LearnedState, after: &LearnedState) -> Result<()> {
        if after == before {
            return Ok(());
        }
        self.update_block(id, &mut |block| after.apply_to(block)).map(drop)
    }

    /// Counts one use of each block and stamps it with `now`. A stamp never moves backwards.
    fn reinforce_blocks(&mut self, ids: &[BlockId], now: ActiveHours) -> Result<()> {
        for id in ids {
            let found = self.get_block_state(id)?;
            let before = found.ok_or_else(|| StoreError::Missing { what: "block", id: id.to_string() })?.learned;
            let mut after = before;
            after.record_use(now);
            self.update_learned_state(id, &before, &after)?;
        }
        Ok(())
    }

    /// Adds tags that the block does not have yet.
    fn add_tags(&mut self, id: &BlockId, tags: &[Tag]) -> Result<Block> {
        self.update_block(id, &mut |block| {
            block.tags.extend(tags.iter().cloned());
            block.tags.sort();
            block.tags.dedup();
        })
    }

    /// Takes tags off a block.
    fn remove_tags(&mut self, id: &BlockId, tags: &[Tag]) -> Result<Block> {
        self.update_block(id, &mut |block| block.tags.retain(|tag| !tags.contains(tag)))
    }

    /// Stores an edge unless there is one between the two blocks already; whether it was stored.
    fn insert_edge(&mut self, edge: &Edge) -> Result<bool> {
        if self.get_edge(&edge.key)?.is_some() {
            return Ok(false);
        }
        self.put_edge(edge)?;
        Ok(true)
    }

    /// Counts one more confirmation of each edge that exists, and stamps it with `now`.
    fn reinforce_edges(&mut self, keys: &[EdgeKey], now: ActiveHours) -> Result<()> {
        for key in keys {
            if let Some(before) = self.get_edge(key)? {
                let mut edge = before.clone();
                edge.reinforcement_count = edge.reinforcement_count.saturating_add(1);
                edge.last_active_hours = Some(edge.last_active_hours.unwrap_or_default().later_of(now));
                self.update_edge(&before, &edge)?;
            }
        }
        Ok(())
    }

    /// Removes every edge whose weight is strictly below `threshold`; how many there were.
    fn prune_weak_edges(&mut self, threshold: EdgeWeight) -> Result<u64>;

    /// Stores a contradiction unless the pair has one already; whether it was stored.
    fn insert_contradiction(&mut self, contradiction: &Contradiction) -> Result<bool> {
        let known = self.get_contradiction(&contradiction.block_a_id, &contradiction.block_b_id)?.is_some();
        if !known {
            self.put_contradiction(contradiction)?;
        }
        Ok(!known)
    }

    /// The contradiction between two blocks in id order, resolved or not.
    fn get_contradiction(&self, a: &BlockId, b: &BlockId) -> Result<Option<Contradiction>>;

    /// Marks a contradiction as settled.
    ///
    /// # Errors
    /// [`StoreError::Missing`] when the pair has none.
    fn resolve_contradiction(&mut self, a: &BlockId, b: &BlockId) -> Result<()> {
        let found = self.get_contradiction(a, b)?;
        let mut contradiction =
            found.ok_or_else(|| StoreError::Missing { what: "contradiction", id: format!("{a}:{b}") })?;
        contradiction.resolved = true;
        self.put_contradiction(&contradiction)
    }

    /// Records that a session began.
    fn start_session(&mut self, session: &Session) -> Result<()> {
        self.put_session(session)
    }

    /// Records when a session ended; one that has ended already keeps its end.
    fn end_session(&mut self, id: &SessionId, ended_at: Timestamp) -> Result<()> {
        let found = self.get_session(id)?;
        let mut session = found.ok_or_else(|| StoreError::Missing { what: "session", id: id.to_string() })?;
        session.ended_at = session.ended_at.or(Some(ended_at));
        self.put_session(&session)
    }

    /// Sets the clock of use: the hours and when the last operation ran. Hours never fall: a smaller value is ignored.
    fn set_clock(&mut self, clock: ClockState) -> Result<()> {
        if clock.hours >= self.get_total_active_hours()? {
            self.set_config(TOTAL_ACTIVE_HOURS, &clock.hours.get().to_string())?;
        }
        match clock.last_activity {
            Some(at) => self.set_config(LAST_ACTIVITY_AT, &time::to_iso(at)),
            None => Ok(()),
        }
    }

    /// Seeds the built-in frames and the default settings where they are missing (seed 003). Running it again changes
    /// nothing.
    fn seed_builtin_data(&mut self, now: Timestamp) -> Result<()> {
        for frame in elfmem_core::frame::builtin_frames() {
            if self.get_frame(&frame.name)?.is_none() {
                self.upsert_frame(&frame, now)?;
            }
        }
        for (key, value) in [(TOTAL_ACTIVE_HOURS, "0.0"), ("prune_threshold", "0.05"), ("top_k", "5")] {
            if self.get_config(key)?.is_none() {
                self.set_config(key, value)?;
            }
        }
        Ok(())
    }
}
