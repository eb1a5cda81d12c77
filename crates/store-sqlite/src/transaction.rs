//! One open transaction: reads within its view, changes that are noted for the journal.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::ControlFlow;

use elfmem_core::curation::CurationGraph;
use elfmem_core::{
    ActiveHours, ArchiveReason, Block, BlockId, BlockStatus, ClockState, Edge, EdgeKey, EdgeWeight, Frame,
    OutcomeRecord, Scope, ScopeView, Session, SessionId, Timestamp,
};
use elfmem_store::{
    Answer, BlockChange, BlockCounts, BlockFilter, BlockQuery, BlockState, BlockText, ChangedLabels, Contradiction,
    EmbeddedBlock, Entity, FadingQuery, IndexEdge, IndexRow, JournalEntry, JournalHeader, JournalLinks, JournalQuery,
    LearnedState, NodeState, NumberedChange, Operation, PURGED, Proposal, ProposalState, Provenance, RankingState,
    RecordedChange, Row, Snapshot, StagedPair, StoreError, StoredVector, Tombstone, Transaction, vector_text,
};
use rusqlite::Connection;

use crate::purge::Purged;
use crate::visibility::{Sight, sees_everything, visible_scopes};
use crate::{
    archive, blocks, co_retrieval, connection, contradictions, curation, edges, feed, follow, frames, journal,
    outcomes, proposals, purge, rows, search, sessions, vectors,
};

type Result<T> = std::result::Result<T, StoreError>;

/// A connection inside `BEGIN … COMMIT`, bound to a view.
pub(crate) struct SqliteTransaction<'c> {
    connection: &'c Connection,
    own: Scope,
    /// The visible scopes between separators.
    scopes: String,
    /// Whether those are all there are, once that was asked. No other scope can come to be during a transaction.
    sees_everything: OnceCell<bool>,
    header: Option<JournalHeader>,
    links: JournalLinks,
    changes: Vec<RecordedChange>,
    /// Whether the connection was given more room for pages than it usually has.
    roomy: bool,
}

impl<'c> SqliteTransaction<'c> {
    pub(crate) fn new(connection: &'c Connection, view: &ScopeView) -> Self {
        Self {
            connection,
            own: view.own().clone(),
            scopes: visible_scopes(view),
            sees_everything: OnceCell::new(),
            header: None,
            links: JournalLinks::default(),
            changes: Vec::new(),
            roomy: false,
        }
    }

    pub(crate) fn connection(&self) -> &'c Connection {
        self.connection
    }

    /// The visible scopes between separators.
    pub(crate) fn scopes(&self) -> &str {
        &self.scopes
    }

    /// The scope that is written.
    pub(crate) fn own_scope(&self) -> &str {
        self.own.as_str()
    }

    /// Whether the connection was given more room for pages than it usually has, and must get its usual room back.
    pub(crate) fn is_roomy(&self) -> bool {
        self.roomy
    }

    /// Appends what was changed to the journal; nothing when nothing was.
    pub(crate) fn finish(self) -> Result<()> {
        if self.changes.is_empty() {
            return Ok(());
        }
        let header = self.header.ok_or(StoreError::Undescribed)?;
        journal::append(self.connection, self.own.as_str(), &header, &self.links, &self.changes)
    }

    fn sight(&self) -> Result<Sight<'_>> {
        let everything = match self.sees_everything.get() {
            Some(everything) => *everything,
            None => {
                let everything = sees_everything(self.connection, &self.scopes)?;
                *self.sees_everything.get_or_init(|| everything)
            }
        };
        Ok(Sight { scopes: &self.scopes, everything })
    }

    pub(crate) fn note<T: serde::Serialize>(
        &mut self,
        entity: Entity,
        id: String,
        before: Option<&T>,
        after: Option<&T>,
    ) {
        self.changes.extend(RecordedChange::between(entity, id, before, after));
    }

    /// Notes a change whose images are made already.
    pub(crate) fn note_change(&mut self, change: RecordedChange) {
        self.changes.push(change);
    }

    /// Removes edges that were just read.
    pub(crate) fn drop_edges(&mut self, edges: &[Edge]) -> Result<()> {
        edges.iter().try_for_each(|edge| self.remove_edge(edge))
    }

    fn existing(&self, id: &BlockId) -> Result<Block> {
        self.get_block(id)?.ok_or_else(|| StoreError::Missing { what: "block", id: id.to_string() })
    }
}

/// A block that goes, with its vector under the name of [`elfmem_store::REMOVED_VECTOR`].
#[derive(serde::Serialize)]
struct RemovedBlock<'a> {
    #[serde(flatten)]
    block: &'a Block,
    embedding: Option<String>,
}

fn edge_name(key: &EdgeKey) -> String {
    format!("{}:{}", key.from_id, key.to_id)
}

fn outcome_name(record: &OutcomeRecord) -> String {
    format!("{}:{}", record.block_id, record.outcome_id)
}

fn contradiction_name(contradiction: &Contradiction) -> String {
    format!("{}:{}", contradiction.block_a_id, contradiction.block_b_id)
}

impl Snapshot for SqliteTransaction<'_> {
    fn scope(&self) -> &Scope {
        &self.own
    }

    fn get_block(&self, id: &BlockId) -> Result<Option<Block>> {
        blocks::get(self.connection, &self.scopes, id)
    }

    fn get_block_state(&self, id: &BlockId) -> Result<Option<BlockState>> {
        blocks::learned(self.connection, &self.scopes, id)
    }

    fn block_exists(&self, id: &BlockId) -> Result<bool> {
        blocks::exists(self.connection, &self.scopes, id)
    }

    fn get_blocks(&self, ids: &[BlockId]) -> Result<Vec<Block>> {
        blocks::get_many(self.connection, &self.scopes, ids)
    }

    fn get_texts(&self, ids: &[BlockId]) -> Result<Vec<BlockText>> {
        blocks::texts(self.connection, &self.scopes, ids)
    }

    fn get_inbox_ids(&self) -> Result<Vec<BlockId>> {
        blocks::inbox_ids(self.connection, &self.scopes)
    }

    fn get_statuses(&self, ids: &[BlockId]) -> Result<HashMap<BlockId, BlockStatus>> {
        blocks::statuses(self.connection, &self.scopes, ids)
    }

    fn get_answers_after(&self, position: i64, limit: u32) -> Result<Vec<Answer>> {
        journal::answers_after(self.connection, self.own.as_str(), position, limit)
    }

    fn find_block_ids(&self, prefix: &str, limit: u32) -> Result<Vec<BlockId>> {
        blocks::find_ids(self.connection, &self.scopes, prefix, limit)
    }

    fn list_blocks(&self, query: &BlockQuery) -> Result<Vec<Block>> {
        blocks::list(self.connection, &self.scopes, query)
    }

    fn get_block_counts(&self) -> Result<BlockCounts> {
        blocks::counts(self.connection, self.sight()?)
    }

    fn get_active_blocks_with_embeddings(&self, reinforced_after: Option<ActiveHours>) -> Result<Vec<EmbeddedBlock>> {
        vectors::embedded(self.connection, &self.scopes, reinforced_after)
    }

    fn get_vectors(&self, model: &str, ids: Option<&[BlockId]>) -> Result<Vec<StoredVector>> {
        vectors::of_model(self.connection, &self.scopes, model, ids)
    }

    fn get_vector_models(&self) -> Result<Vec<(String, u64)>> {
        vectors::models(self.connection, &self.scopes)
    }

    fn get_unstaged_blocks(&self, model: &str, limit: u32) -> Result<Vec<Block>> {
        vectors::unstaged(self.connection, model, limit)
    }

    fn count_staged_vectors(&self, model: &str) -> Result<u64> {
        vectors::count_staged(self.connection, model)
    }

    fn get_journal_position(&self) -> Result<i64> {
        journal::position(self.connection)
    }

    fn get_changes_after(&self, position: i64) -> Result<Vec<BlockChange>> {
        follow::changes_after(self.connection, position)
    }

    fn count_index_rows(&self) -> Result<u64> {
        feed::count_rows(self.connection)
    }

    fn visit_index_rows(
        &self,
        model: &str,
        ids: Option<&[BlockId]>,
        visit: &mut dyn FnMut(IndexRow<'_>),
    ) -> Result<()> {
        feed::visit_rows(self.connection, &self.scopes, model, ids, visit)
    }

    fn visit_ranking_states(
        &self,
        ids: Option<&[BlockId]>,
        visit: &mut dyn FnMut(&BlockId, RankingState),
    ) -> Result<()> {
        feed::visit_ranking_states(self.connection, &self.scopes, ids, visit)
    }

    fn get_postings(&self, word: &str) -> Result<Vec<(BlockId, [u32; 3])>> {
        feed::word_holders(self.connection, &self.scopes, word)
    }

    fn filter_block_ids(&self, filter: &BlockFilter) -> Result<Vec<BlockId>> {
        feed::filtered(self.connection, &self.scopes, filter)
    }

    fn get_index_edges(&self, ids: &[BlockId]) -> Result<Vec<IndexEdge>> {
        feed::links_of(self.connection, &self.scopes, ids)
    }

    fn get_edge(&self, key: &EdgeKey) -> Result<Option<Edge>> {
        edges::get(self.connection, self.sight()?, key)
    }

    fn get_edges_for_block(&self, id: &BlockId) -> Result<Vec<Edge>> {
        edges::of_block(self.connection, self.sight()?, id)
    }

    fn get_degrees(&self, ids: &[BlockId]) -> Result<HashMap<BlockId, usize>> {
        edges::degrees(self.connection, ids)
    }

    fn get_node_states(&self, ids: &[BlockId]) -> Result<HashMap<BlockId, NodeState>> {
        edges::connected(self.connection, &self.scopes, ids)
    }

    fn get_neighbours(&self, ids: &[BlockId]) -> Result<Vec<BlockId>> {
        edges::neighbours(self.connection, self.sight()?, ids)
    }

    fn get_contradictions_for_blocks(&self, ids: &[BlockId]) -> Result<Vec<Contradiction>> {
        contradictions::unresolved_of(self.connection, &self.scopes, ids)
    }

    fn get_settled_contradictions(&self, id: &BlockId) -> Result<Vec<Contradiction>> {
        contradictions::settled_of(self.connection, &self.scopes, id)
    }

    fn list_contradictions(&self, resolved_too: bool) -> Result<Vec<Contradiction>> {
        contradictions::list(self.connection, &self.scopes, resolved_too)
    }

    fn get_living_graph(&self) -> Result<CurationGraph> {
        curation::living_graph(self.connection, &self.scopes)
    }

    fn get_outcomes(&self, block: &BlockId) -> Result<Vec<OutcomeRecord>> {
        outcomes::of_block(self.connection, &self.scopes, block)
    }

    fn get_outcomes_by_id(&self, outcome_id: &str) -> Result<Vec<OutcomeRecord>> {
        outcomes::of_outcome(self.connection, &self.scopes, outcome_id)
    }

    fn get_last_evidence_sequence(&self, block: &BlockId) -> Result<u64> {
        outcomes::last_sequence(self.connection, block)
    }

    fn get_frame(&self, name: &str) -> Result<Option<Frame>> {
        frames::get(self.connection, name)
    }

    fn list_frames(&self) -> Result<Vec<Frame>> {
        frames::list(self.connection)
    }

    fn get_open_sessions(&self) -> Result<Vec<Session>> {
        sessions::open(self.connection)
    }

    fn get_session(&self, id: &SessionId) -> Result<Option<Session>> {
        sessions::get(self.connection, id)
    }

    fn get_clock(&self) -> Result<ClockState> {
        sessions::get_clock(self.connection)
    }

    fn get_config(&self, key: &str) -> Result<Option<String>> {
        sessions::get_config(self.connection, key)
    }

    fn get_journal(&self, query: &JournalQuery) -> Result<Vec<JournalEntry>> {
        journal::read(self.connection, &self.scopes, query)
    }

    fn get_operations(&self, query: &JournalQuery) -> Result<Vec<Operation>> {
        journal::operations(self.connection, &self.scopes, query)
    }

    fn get_changes(&self, seqs: &[i64]) -> Result<Vec<NumberedChange>> {
        journal::changes_of(self.connection, seqs)
    }

    fn get_later_changes(&self, seqs: &[i64]) -> Result<Vec<NumberedChange>> {
        journal::later_changes(self.connection, seqs)
    }

    fn get_block_changes(&self, id: &BlockId) -> Result<Vec<NumberedChange>> {
        journal::block_changes(self.connection, id)
    }

    fn get_shown_blocks(&self, session: &SessionId, limit: u32) -> Result<Vec<BlockId>> {
        journal::handed_out(self.connection, &self.scopes, session, limit)
    }

    fn get_undos(&self) -> Result<Vec<(i64, i64)>> {
        journal::undos(self.connection)
    }

    fn get_run(&self, run: &str) -> Result<Vec<i64>> {
        journal::run(self.connection, run)
    }

    fn find_tombstone(&self, prefix: &str) -> Result<Option<Tombstone>> {
        purge::tombstone(self.connection, &self.scopes, prefix)
    }

    fn get_lineage(&self, id: &BlockId) -> Result<Vec<BlockId>> {
        blocks::lineage(self.connection, &self.scopes, id)
    }

    fn get_fading_blocks(&self, fading: &FadingQuery) -> Result<Vec<Block>> {
        blocks::fading(self.connection, &self.scopes, fading)
    }

    fn list_proposals(&self, state: Option<ProposalState>) -> Result<Vec<Proposal>> {
        proposals::list(self.connection, &self.scopes, state)
    }

    fn get_proposal(&self, number: i64) -> Result<Option<Proposal>> {
        proposals::get(self.connection, &self.scopes, number)
    }

    fn find_proposal(&self, subject: &str) -> Result<Option<Proposal>> {
        proposals::find(self.connection, &self.scopes, subject)
    }

    fn visit_rows(&self, vectors: bool, visit: &mut dyn FnMut(Row) -> ControlFlow<()>) -> Result<()> {
        rows::visit(self.connection, &self.scopes, vectors, visit)
    }

    fn is_blank(&self) -> Result<bool> {
        rows::is_blank(self.connection)
    }
}

impl Transaction for SqliteTransaction<'_> {
    fn describe(&mut self, header: JournalHeader) {
        self.header = Some(header);
    }

    fn changed_labels(&self) -> Result<Vec<ChangedLabels>> {
        let labelled = self.changes.iter().filter(|change| change.entity == Entity::Block).filter_map(|change| {
            // Most changes of a block are uses of it, which are told from others without reading them.
            let after = change.after.as_ref()?;
            let read = after.contains("\"tags\":") || after.contains("\"category\":");
            read.then_some((&change.id, after))
        });
        labelled
            .map(|(id, after)| {
                let labels: ChangedLabels = serde_json::from_str(after).map_err(StoreError::driver)?;
                Ok(ChangedLabels { block_id: Some(BlockId::from_stored(id)), ..labels })
            })
            .collect()
    }

    fn set_journal_links(&mut self, links: JournalLinks) {
        self.links = links;
    }

    fn insert_block(&mut self, block: &Block) -> Result<()> {
        blocks::insert(self.connection, block)?;
        search::reindex(self.connection, None, Some(block))?;
        self.note(Entity::Block, block.id.to_string(), None, Some(block));
        Ok(())
    }

    fn update_block(&mut self, id: &BlockId, edit: &mut dyn FnMut(&mut Block)) -> Result<Block> {
        let before = self.existing(id)?;
        let mut after = before.clone();
        edit(&mut after);
        (after.id, after.scope) = (before.id.clone(), before.scope.clone());
        after.revision = before.revision;
        if after == before {
            return Ok(after);
        }
        after.revision += 1;
        blocks::update(self.connection, &before, &after)?;
        search::reindex(self.connection, Some(&before), Some(&after))?;
        self.note(Entity::Block, id.to_string(), Some(&before), Some(&after));
        Ok(after)
    }

    fn update_learned_state(&mut self, id: &BlockId, before: &LearnedState, after: &LearnedState) -> Result<()> {
        if after != before {
            blocks::update_learned_state(self.connection, id, before, after)?;
            self.note(Entity::Block, id.to_string(), Some(before), Some(after));
        }
        Ok(())
    }

    fn delete_block(&mut self, id: &BlockId) -> Result<()> {
        let block = self.existing(id)?;
        self.drop_edges(&self.get_edges_for_block(id)?)?;
        self.delete_contradictions_of(id)?;
        for proposal in proposals::of_block(self.connection, id)? {
            self.delete_proposal(proposal.number)?;
        }
        let vector = vectors::of_block(self.connection, id)?;
        for record in self.get_outcomes(id)? {
            self.delete_outcome(&record)?;
        }
        self.detach(id)?;
        search::reindex(self.connection, Some(&block), None)?;
        blocks::delete(self.connection, id)?;
        let removed = RemovedBlock { block: &block, embedding: vector.map(|vector| vector_text(&vector)) };
        self.note(Entity::Block, id.to_string(), Some(&removed), None);
        Ok(())
    }

    fn purge_block(&mut self, tombstone: &Tombstone) -> Result<()> {
        let block = self.existing(&tombstone.block_id)?;
        let kin = self.get_lineage(&block.id)?;
        // What this very transaction has noted of the block so far would bring the words back.
        self.changes.retain(|change| {
            let (id, other) = change.ends();
            id != block.id.as_str() && other != Some(block.id.as_str())
        });
        // They go with the block, and what was said of them later names them by their number alone.
        let proposals = proposals::of_block(self.connection, &block.id)?;
        search::reindex(self.connection, Some(&block), None)?;
        blocks::delete(self.connection, &block.id)?;
        let gone = Purged { block: &block, kin: &kin, proposals: &proposals };
        purge::erase(self.connection, &gone, tombstone)?;
        let before = Some(serde_json::json!({ PURGED: true }).to_string());
        self.changes.push(RecordedChange { entity: Entity::Block, id: block.id.to_string(), before, after: None });
        Ok(())
    }

    fn set_embedding(&mut self, id: &BlockId, model: &str, vector: &[f32]) -> Result<()> {
        let before = vectors::model_of(self.connection, &self.scopes, id)?
            .ok_or_else(|| StoreError::Missing { what: "block", id: id.to_string() })?;
        vectors::set_embedding(self.connection, id, model, vector)?;
        // Only the model is on record; the vector itself can be made again.
        let image = |model: Option<&str>| Some(serde_json::json!({"embedding_model": model}).to_string());
        let (before, after) = (image(before.as_deref()), image(Some(model)));
        self.changes.push(RecordedChange { entity: Entity::Block, id: id.to_string(), before, after });
        Ok(())
    }

    fn stage_vectors(&mut self, model: &str, vectors: &[(BlockId, Vec<f32>)]) -> Result<()> {
        vectors::stage(self.connection, model, vectors)
    }

    fn adopt_staged_vectors(&mut self, model: &str) -> Result<u64> {
        vectors::adopt_staged(self.connection, model)
    }

    fn put_edge(&mut self, edge: &Edge) -> Result<()> {
        let before = self.get_edge(&edge.key)?;
        edges::put(self.connection, edge)?;
        self.note(Entity::Edge, edge_name(&edge.key), before.as_ref(), Some(edge));
        Ok(())
    }

    fn update_edge(&mut self, before: &Edge, after: &Edge) -> Result<()> {
        edges::update(self.connection, after)?;
        self.note(Entity::Edge, edge_name(&after.key), Some(before), Some(after));
        Ok(())
    }

    fn insert_edge(&mut self, edge: &Edge) -> Result<bool> {
        let inserted = edges::insert(self.connection, edge)?;
        if inserted {
            self.note(Entity::Edge, edge_name(&edge.key), None, Some(edge));
        }
        Ok(inserted)
    }

    fn delete_edge(&mut self, key: &EdgeKey) -> Result<bool> {
        let Some(before) = edges::take(self.connection, self.sight()?, key)? else { return Ok(false) };
        self.note(Entity::Edge, edge_name(key), Some(&before), None);
        Ok(true)
    }

    fn remove_edge(&mut self, edge: &Edge) -> Result<()> {
        // What is gone already leaves no trace a second time.
        if edges::delete(self.connection, &edge.key)? {
            self.note(Entity::Edge, edge_name(&edge.key), Some(edge), None);
        }
        Ok(())
    }

    fn prune_weak_edges(&mut self, threshold: EdgeWeight) -> Result<u64> {
        let weak = edges::weaker_than(self.connection, self.sight()?, threshold)?;
        self.drop_edges(&weak)?;
        Ok(weak.len() as u64)
    }

    fn stage_co_retrieval(&mut self, pairs: &[EdgeKey], session: &SessionId) -> Result<Vec<(EdgeKey, u32)>> {
        co_retrieval::stage(self.connection, pairs, session)
    }

    fn unstage_co_retrieval(&mut self, pair: &EdgeKey) -> Result<()> {
        co_retrieval::unstage(self.connection, pair)
    }

    fn put_staged_pair(&mut self, pair: &StagedPair) -> Result<()> {
        rows::put_pair(self.connection, pair)
    }

    fn set_provenance(&mut self, id: &BlockId, provenance: &Provenance) -> Result<()> {
        rows::set_provenance(self.connection, id, provenance)
    }

    fn put_tombstone(&mut self, tombstone: &Tombstone) -> Result<()> {
        rows::put_tombstone(self.connection, self.own.as_str(), tombstone)
    }

    fn archive_blocks(&mut self, ids: &[BlockId], reason: ArchiveReason) -> Result<()> {
        if ids.len() >= archive::MANY {
            self.roomy = true;
            connection::set_room(self.connection, connection::BULK_CACHE_KIB)?;
        }
        archive::mark(self.connection, &self.scopes, ids)?;
        self.drop_edges(&edges::of_marked(self.connection, self.sight()?)?)?;
        for contradiction in contradictions::of_marked(self.connection)? {
            self.delete_contradiction(&contradiction)?;
        }
        for (id, before, after) in archive::archive_marked(self.connection, reason)? {
            self.note(Entity::Block, id, Some(&before), Some(&after));
        }
        Ok(())
    }

    fn put_contradiction(&mut self, contradiction: &Contradiction) -> Result<()> {
        let before = self.get_contradiction(&contradiction.block_a_id, &contradiction.block_b_id)?;
        contradictions::put(self.connection, contradiction)?;
        self.note(Entity::Contradiction, contradiction_name(contradiction), before.as_ref(), Some(contradiction));
        Ok(())
    }

    fn get_contradiction(&self, a: &BlockId, b: &BlockId) -> Result<Option<Contradiction>> {
        contradictions::get(self.connection, &self.scopes, a, b)
    }

    fn delete_contradiction(&mut self, contradiction: &Contradiction) -> Result<()> {
        contradictions::delete(self.connection, contradiction)?;
        self.note(Entity::Contradiction, contradiction_name(contradiction), Some(contradiction), None);
        Ok(())
    }

    fn delete_contradictions_of(&mut self, id: &BlockId) -> Result<()> {
        for contradiction in contradictions::all_of(self.connection, id)? {
            self.delete_contradiction(&contradiction)?;
        }
        Ok(())
    }

    fn put_outcome(&mut self, record: &OutcomeRecord) -> Result<()> {
        // Nearly every record is new.
        let before = match outcomes::insert(self.connection, record)? {
            true => None,
            false => outcomes::get(self.connection, record)?,
        };
        if before.is_some() {
            outcomes::replace(self.connection, record)?;
        }
        self.note(Entity::Outcome, outcome_name(record), before.as_ref(), Some(record));
        Ok(())
    }

    fn delete_outcome(&mut self, record: &OutcomeRecord) -> Result<()> {
        let Some(before) = outcomes::get(self.connection, record)? else { return Ok(()) };
        outcomes::delete(self.connection, record)?;
        self.note(Entity::Outcome, outcome_name(record), Some(&before), None);
        Ok(())
    }

    fn upsert_frame(&mut self, frame: &Frame, now: Timestamp) -> Result<()> {
        let before = self.get_frame(&frame.name)?;
        frames::put(self.connection, frame, now)?;
        self.note(Entity::Frame, frame.name.clone(), before.as_ref(), Some(frame));
        Ok(())
    }

    fn delete_frame(&mut self, name: &str) -> Result<bool> {
        let Some(before) = self.get_frame(name)? else { return Ok(false) };
        frames::delete(self.connection, name)?;
        self.note(Entity::Frame, name.to_owned(), Some(&before), None);
        Ok(true)
    }

    fn insert_proposal(&mut self, proposal: &Proposal) -> Result<Proposal> {
        let number = proposals::insert(self.connection, proposal)?;
        let stored = Proposal { number, ..proposal.clone() };
        self.note(Entity::Proposal, number.to_string(), None, Some(&stored));
        Ok(stored)
    }

    fn update_proposal(&mut self, proposal: &Proposal) -> Result<()> {
        let missing = || StoreError::Missing { what: "proposal", id: proposal.number.to_string() };
        let before = self.get_proposal(proposal.number)?.ok_or_else(missing)?;
        proposals::update(self.connection, proposal)?;
        self.note(Entity::Proposal, proposal.number.to_string(), Some(&before), Some(proposal));
        Ok(())
    }

    fn delete_proposal(&mut self, number: i64) -> Result<bool> {
        let Some(before) = self.get_proposal(number)? else { return Ok(false) };
        proposals::delete(self.connection, number)?;
        self.note(Entity::Proposal, number.to_string(), Some(&before), None);
        Ok(true)
    }

    fn put_session(&mut self, session: &Session) -> Result<()> {
        let before = self.get_session(&session.id)?;
        sessions::put(self.connection, session)?;
        self.note(Entity::Session, session.id.to_string(), before.as_ref(), Some(session));
        Ok(())
    }

    fn touch_session(&mut self, session: &Session) -> Result<()> {
        sessions::put(self.connection, session)
    }

    fn set_clock(&mut self, clock: ClockState) -> Result<()> {
        sessions::set_clock(self.connection, clock)
    }

    fn set_config(&mut self, key: &str, value: &str) -> Result<()> {
        sessions::set_config(self.connection, key, value)
    }
}
