//! Reading one consistent state of a memory.

use std::collections::HashMap;
use std::ops::ControlFlow;

use elfmem_core::curation::CurationGraph;
use elfmem_core::{
    ActiveHours, Block, BlockId, BlockStatus, ClockState, Edge, EdgeKey, Frame, OutcomeRecord, Scope, Session,
    SessionId, time,
};

use crate::settings::scope_key;
use crate::{
    Answer, BlockChange, BlockCounts, BlockFilter, BlockQuery, BlockState, BlockText, Contradiction, EmbeddedBlock,
    EventSnapshot, FadingQuery, IndexEdge, IndexRow, JournalEntry, JournalQuery, NodeState, NumberedChange, Operation,
    Proposal, ProposalState, RankingState, Row, StoreError, StoredVector, Tombstone,
};

/// Where the clock of use is kept (seed 003).
pub const TOTAL_ACTIVE_HOURS: &str = "total_active_hours";
/// When the last operation ran.
pub const LAST_ACTIVITY_AT: &str = "last_activity_at";

type Result<T> = std::result::Result<T, StoreError>;

/// A consistent reading of what one view may see. Blocks of other scopes, and edges to them, do not exist here.
pub trait Snapshot: EventSnapshot {
    /// The scope that new blocks go to.
    fn scope(&self) -> &Scope;

    /// One block by its whole id.
    fn get_block(&self, id: &BlockId) -> Result<Option<Block>>;

    /// Reads the status and the learned state of a block: cheaper than the whole block.
    fn get_block_state(&self, id: &BlockId) -> Result<Option<BlockState>> {
        Ok(self.get_block(id)?.as_ref().map(BlockState::of))
    }

    /// The blocks among `ids` that exist, in the order asked for.
    fn get_blocks(&self, ids: &[BlockId]) -> Result<Vec<Block>>;

    /// The texts of the blocks among `ids` that exist, in no particular order: cheaper than whole blocks.
    fn get_texts(&self, ids: &[BlockId]) -> Result<Vec<BlockText>> {
        let text = |block: Block| BlockText { id: block.id, content: block.content, category: block.category };
        Ok(self.get_blocks(ids)?.into_iter().map(text).collect())
    }

    /// Where each of `ids` stands in its life; those that do not exist are left out.
    fn get_statuses(&self, ids: &[BlockId]) -> Result<HashMap<BlockId, BlockStatus>>;

    /// Blocks that the recalls and frames of a session showed, those of the newest first, each once and at most `limit`.
    fn get_shown_blocks(&self, session: &SessionId, limit: u32) -> Result<Vec<BlockId>>;

    /// What the recalls and frames of this scope showed after the operation with the number `position`, in order; at most
    /// `limit`, the newest.
    fn get_answers_after(&self, position: i64, limit: u32) -> Result<Vec<Answer>>;

    /// Ids that begin with `prefix`, at most `limit`, in order.
    fn find_block_ids(&self, prefix: &str, limit: u32) -> Result<Vec<BlockId>>;

    /// Blocks that meet every condition of the query.
    fn list_blocks(&self, query: &BlockQuery) -> Result<Vec<Block>>;

    /// How many blocks there are of each status, in one query.
    fn get_block_counts(&self) -> Result<BlockCounts>;

    /// Active blocks that have a vector, optionally only those reinforced after a given hour.
    fn get_active_blocks_with_embeddings(&self, reinforced_after: Option<ActiveHours>) -> Result<Vec<EmbeddedBlock>>;

    /// Vectors that a given model made of inbox and active blocks: all of them, or those of `ids`.
    fn get_vectors(&self, model: &str, ids: Option<&[BlockId]>) -> Result<Vec<StoredVector>>;

    /// The models that vectors of inbox and active blocks come from, with how many each made.
    fn get_vector_models(&self) -> Result<Vec<(String, u64)>>;

    /// Inbox and active blocks without a vector of `model` in the staging area, in id order, at most `limit`. Those of every
    /// scope, whatever the view: a memory has vectors of one model.
    fn get_unstaged_blocks(&self, model: &str, limit: u32) -> Result<Vec<Block>>;

    /// How many blocks have a staged vector of `model`.
    fn count_staged_vectors(&self, model: &str) -> Result<u64>;

    /// The number of the newest operation in the journal; 0 when there is none.
    fn get_journal_position(&self) -> Result<i64>;

    /// What operations after `position` changed, in id order: of each block the largest aspect, edges and contradictions
    /// beside it. Blocks of other scopes may be named; reading them shows nothing.
    fn get_changes_after(&self, position: i64) -> Result<Vec<BlockChange>>;

    /// How many inbox and active blocks there are, those of other scopes included: what to make room for.
    fn count_index_rows(&self) -> Result<u64>;

    /// Visits inbox and active blocks as an index takes them in, with their vectors of `model`: all, or those of `ids`.
    fn visit_index_rows(&self, model: &str, ids: Option<&[BlockId]>, visit: &mut dyn FnMut(IndexRow<'_>))
    -> Result<()>;

    /// Visits how inbox and active blocks stand: all of them, or those of `ids`.
    fn visit_ranking_states(
        &self,
        ids: Option<&[BlockId]>,
        visit: &mut dyn FnMut(&BlockId, RankingState),
    ) -> Result<()>;

    /// Inbox and active blocks that hold a word (see [`elfmem_text::terms`]), and how often in the text, the cue and the
    /// tags.
    fn get_postings(&self, word: &str) -> Result<Vec<(BlockId, [u32; 3])>>;

    /// Inbox and active blocks that a filter lets in, in id order.
    fn filter_block_ids(&self, filter: &BlockFilter) -> Result<Vec<BlockId>>;

    /// The edges of each of `ids`; one between two of them comes twice.
    fn get_index_edges(&self, ids: &[BlockId]) -> Result<Vec<IndexEdge>>;

    /// One edge.
    fn get_edge(&self, key: &EdgeKey) -> Result<Option<Edge>>;

    /// Every edge at a block, strongest first.
    fn get_edges_for_block(&self, id: &BlockId) -> Result<Vec<Edge>>;

    /// How many edges each of `ids` has.
    fn get_degrees(&self, ids: &[BlockId]) -> Result<HashMap<BlockId, usize>>;

    /// The status and the number of edges of each of `ids`; those that do not exist are left out.
    fn get_node_states(&self, ids: &[BlockId]) -> Result<HashMap<BlockId, NodeState>> {
        let mut degrees = self.get_degrees(ids)?;
        let mut standing = |(id, status)| {
            let degree = degrees.remove(&id).unwrap_or(0);
            (id, NodeState { status, degree })
        };
        Ok(self.get_statuses(ids)?.into_iter().map(&mut standing).collect())
    }

    /// Blocks one edge away from any of `ids`, without those themselves, in id order.
    fn get_neighbours(&self, ids: &[BlockId]) -> Result<Vec<BlockId>>;

    /// Unresolved contradictions with any of `ids`.
    fn get_contradictions_for_blocks(&self, ids: &[BlockId]) -> Result<Vec<Contradiction>>;

    /// Contradictions with a block that were settled by keeping both sides.
    fn get_settled_contradictions(&self, id: &BlockId) -> Result<Vec<Contradiction>> {
        let settled = |found: &Contradiction| found.resolved && (found.block_a_id == *id || found.block_b_id == *id);
        Ok(self.list_contradictions(true)?.into_iter().filter(settled).collect())
    }

    /// All contradictions, the newest first, resolved ones only if asked for.
    fn list_contradictions(&self, resolved_too: bool) -> Result<Vec<Contradiction>>;

    /// Every active block and every edge between two of them, as curation looks at them.
    fn get_living_graph(&self) -> Result<CurationGraph>;

    /// What outcomes did to a block, in their order. Rows of a database from before that order was kept are history and not
    /// among them.
    fn get_outcomes(&self, block: &BlockId) -> Result<Vec<OutcomeRecord>>;

    /// What one outcome did to every block that learned from it, in the order of their ids.
    fn get_outcomes_by_id(&self, outcome_id: &str) -> Result<Vec<OutcomeRecord>>;

    /// The place of the latest of what moved the belief in a block: an outcome or the effect of a link. 0 when there is none.
    fn get_last_evidence_sequence(&self, block: &BlockId) -> Result<u64> {
        let outcome = self.get_outcomes(block)?.last().map_or(0, |record| record.sequence);
        let effect = self.get_effects(block)?.last().map_or(0, |effect| effect.sequence);
        Ok(outcome.max(effect))
    }

    /// A frame by name.
    fn get_frame(&self, name: &str) -> Result<Option<Frame>>;

    /// Every frame, by name.
    fn list_frames(&self) -> Result<Vec<Frame>>;

    /// Sessions that have not ended, the latest first.
    fn get_open_sessions(&self) -> Result<Vec<Session>>;

    /// One session.
    fn get_session(&self, id: &SessionId) -> Result<Option<Session>>;

    /// Reads a setting of the whole memory.
    fn get_config(&self, key: &str) -> Result<Option<String>>;

    /// Reads a setting of the view's own scope.
    fn get_scope_config(&self, name: &str) -> Result<Option<String>> {
        self.get_config(&scope_key(self.scope(), name))
    }

    /// Operations in the order they ran.
    fn get_journal(&self, query: &JournalQuery) -> Result<Vec<JournalEntry>>;

    /// Operations in the order they ran, without what they changed.
    fn get_operations(&self, query: &JournalQuery) -> Result<Vec<Operation>>;

    /// What the operations with these numbers changed, in the order it happened.
    fn get_changes(&self, seqs: &[i64]) -> Result<Vec<NumberedChange>>;

    /// What operations after the first of `seqs`, and not among them, changed of the blocks that those touched: the blocks
    /// themselves, their edges and contradictions, blocks that gave their place to them, and rows of any kind that those
    /// changed too.
    fn get_later_changes(&self, seqs: &[i64]) -> Result<Vec<NumberedChange>>;

    /// Every change of a block, its edges and its contradictions, the newest first.
    fn get_block_changes(&self, id: &BlockId) -> Result<Vec<NumberedChange>>;

    /// The operations that took back another, as `(its number, what it took back)`, the newest first.
    fn get_undos(&self) -> Result<Vec<(i64, i64)>>;

    /// The numbers of the operations of a run, in order.
    fn get_run(&self, run: &str) -> Result<Vec<i64>>;

    /// What is left of a purged block whose id is, or begins with, `prefix`.
    fn find_tombstone(&self, prefix: &str) -> Result<Option<Tombstone>>;

    /// Blocks whose place a block took, directly or through others, and those that took its place.
    fn get_lineage(&self, id: &BlockId) -> Result<Vec<BlockId>>;

    /// Active blocks, not pinned, that have faded to a given band and were of use before.
    fn get_fading_blocks(&self, fading: &FadingQuery) -> Result<Vec<Block>>;

    /// Proposals whose blocks can all be seen, by number; only of one state if asked for.
    fn list_proposals(&self, state: Option<ProposalState>) -> Result<Vec<Proposal>>;

    /// One proposal by its number.
    fn get_proposal(&self, number: i64) -> Result<Option<Proposal>>;

    /// The proposal about a subject, whatever its state.
    fn find_proposal(&self, subject: &str) -> Result<Option<Proposal>>;

    /// Visits every row that the view sees, until `visit` breaks off: blocks in the order in which they were stored, then
    /// what hangs on them, then the rest. Vectors come only if asked for.
    ///
    /// Cost: one pass over everything, with one row in memory at a time.
    fn visit_rows(&self, vectors: bool, visit: &mut dyn FnMut(Row) -> ControlFlow<()>) -> Result<()>;

    /// Whether no scope holds a block.
    fn is_blank(&self) -> Result<bool>;

    /// Whether a block exists, whatever its status.
    fn block_exists(&self, id: &BlockId) -> Result<bool> {
        Ok(self.get_block(id)?.is_some())
    }

    /// Active blocks, optionally only those reinforced after a given hour.
    fn get_active_blocks(&self, reinforced_after: Option<ActiveHours>) -> Result<Vec<Block>> {
        self.list_blocks(&BlockQuery { status: Some(BlockStatus::Active), reinforced_after, ..BlockQuery::default() })
    }

    /// Which blocks wait to be consolidated, in no particular order.
    fn get_inbox_ids(&self) -> Result<Vec<BlockId>> {
        let query = BlockQuery { status: Some(BlockStatus::Inbox), ..BlockQuery::default() };
        Ok(self.list_blocks(&query)?.into_iter().map(|block| block.id).collect())
    }

    /// How many blocks wait to be consolidated.
    fn get_inbox_count(&self) -> Result<u64> {
        Ok(self.get_block_counts()?.inbox)
    }

    /// The clock of use; zero when it was never set or cannot be read.
    fn get_clock(&self) -> Result<ClockState> {
        let hours = self.get_config(TOTAL_ACTIVE_HOURS)?.and_then(|text| text.parse().ok());
        let last_activity = self.get_config(LAST_ACTIVITY_AT)?.and_then(|text| time::from_iso(&text));
        Ok(ClockState { hours: ActiveHours::new(hours.unwrap_or(0.0)), last_activity })
    }

    /// Total active hours.
    fn get_total_active_hours(&self) -> Result<ActiveHours> {
        Ok(self.get_clock()?.hours)
    }
}
