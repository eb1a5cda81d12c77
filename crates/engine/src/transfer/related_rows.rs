//! Imports rows other than blocks: edges, contradictions, outcomes, proposals, sessions, frames and
//! settings.

use elfmem_core::frame::{FrameSource, builtin_frames};
use elfmem_core::{BlockId, BlockStatus, Edge, EdgeKey, Frame, OutcomeRecord, Session};
use elfmem_store::{Contradiction, Proposal, Row, StagedPair, Tombstone, Transaction};

use super::result::ImportResult;
use super::rows::RowImporter;
use super::settings;
use crate::Result;
use crate::connect::{degree_cap, record_over_cap};
use crate::documents::has_room;

/// Why a row is skipped whose block is missing.
pub(super) const MISSING_BLOCK: &str = "it refers to a missing block";
/// Why a row about two blocks is skipped that are one block here.
pub(super) const ONE_BLOCK: &str = "its two blocks are one block here";
/// Why evidence about an existing block is skipped.
pub(super) const KEEPS_CONFIDENCE: &str = "its block existed before and keeps its own confidence";

impl RowImporter<'_> {
    /// Imports a row that is not a block.
    pub(super) fn import_other(&mut self, place: &str, row: &Row) -> Result<()> {
        if !self.trusted {
            return self.import_of_peer(place, row);
        }
        match row {
            Row::Block(_) => Ok(()),
            Row::Edge(edge) => self.edge(place, edge),
            Row::Contradiction(found) => self.contradiction(place, found),
            Row::Outcome(record) => self.outcome(place, record),
            Row::Proposal(proposal) => self.proposal(place, proposal),
            Row::Pair(pair) => self.pair(place, pair),
            Row::Session(session) => self.session(session),
            Row::Frame(frame) => self.frame(place, frame),
            Row::Tombstone(tombstone) => self.tombstone(place, tombstone),
            Row::Event(event) => self.event(place, event),
            Row::Context(context) => self.context(context),
            Row::Enrolment(enrolment) => self.enrolment(place, enrolment),
            Row::Link(link) => self.link(place, link),
            Row::Effect(effect) => self.effect(place, effect),
            Row::Setting(setting) => {
                if self.was_empty && settings::import(self.transaction, setting)? {
                    self.result.others += 1;
                } else {
                    self.result.skip("the memory keeps its own settings", || place.to_owned());
                }
                Ok(())
            }
        }
    }

    /// Maps two blocks to their ids in this memory. Records a skip if one is missing or archived.
    fn ends(&mut self, place: &str, a: &BlockId, b: &BlockId) -> Result<Option<EdgeKey>> {
        let Some(key) = EdgeKey::canonical(&self.map_id(a), &self.map_id(b)) else {
            self.result.skip(ONE_BLOCK, || place.to_owned());
            return Ok(None);
        };
        let statuses = self.transaction.get_statuses(&[key.from_id.clone(), key.to_id.clone()])?;
        let problem = if statuses.len() < 2 {
            MISSING_BLOCK
        } else if statuses.values().any(|status| *status == BlockStatus::Archived) {
            "it refers to an archived block"
        } else {
            return Ok(Some(key));
        };
        self.result.skip(problem, || place.to_owned());
        Ok(None)
    }

    pub(super) fn edge(&mut self, place: &str, edge: &Edge) -> Result<()> {
        let Some(key) = self.ends(place, &edge.key.from_id, &edge.key.to_id)? else { return Ok(()) };
        // Edges between two new blocks are imported as they are. The degree cap applies to existing
        // blocks.
        let both_new = self.trusted && self.created.contains(&key.from_id) && self.created.contains(&key.to_id);
        let room = both_new || has_room(&*self.transaction, &key)?;
        let asserted_from = edge.asserted_from.as_ref().map(|from| self.map_id(from));
        let last_active_hours = edge.last_active_hours.map(|hours| self.clock_offset.apply(hours));
        let mut edge = Edge { key, asserted_from, last_active_hours, ..edge.clone() };
        if !self.trusted {
            edge.created_at = self.moment.at;
        }
        import_edge(&mut *self.transaction, &edge, room, &mut self.result)
    }

    pub(super) fn contradiction(&mut self, place: &str, found: &Contradiction) -> Result<()> {
        let Some(key) = self.ends(place, &found.block_a_id, &found.block_b_id)? else { return Ok(()) };
        let found = Contradiction { block_a_id: key.from_id, block_b_id: key.to_id, ..found.clone() };
        self.result.others += u64::from(self.transaction.insert_contradiction(&found)?);
        Ok(())
    }

    fn outcome(&mut self, place: &str, record: &OutcomeRecord) -> Result<()> {
        let block_id = self.map_id(&record.block_id);
        if !self.created.contains(&block_id) {
            let reason = match self.transaction.block_exists(&block_id)? {
                true => KEEPS_CONFIDENCE,
                false => MISSING_BLOCK,
            };
            self.result.skip(reason, || place.to_owned());
            return Ok(());
        }
        self.result.others += 1;
        Ok(self.transaction.put_outcome(&OutcomeRecord { block_id, ..record.clone() })?)
    }

    fn proposal(&mut self, place: &str, proposal: &Proposal) -> Result<()> {
        let block_id = self.map_id(&proposal.block_id);
        let other_id = proposal.other_id.as_ref().map(|other| self.map_id(other));
        let number = if self.was_empty { proposal.number } else { 0 };
        let proposal = Proposal { number, block_id, other_id, ..proposal.clone() };
        let blocks: Vec<BlockId> = proposal.blocks().cloned().collect();
        if self.transaction.get_statuses(&blocks)?.len() < blocks.len() {
            self.result.skip(MISSING_BLOCK, || place.to_owned());
            return Ok(());
        }
        if self.transaction.find_proposal(&proposal.subject())?.is_none() {
            let taken = number != 0 && self.transaction.get_proposal(number)?.is_some();
            let number = if taken { 0 } else { number };
            self.transaction.insert_proposal(&Proposal { number, ..proposal })?;
            self.result.others += 1;
        }
        Ok(())
    }

    /// Imports the co-retrieval count of a pair. A pair that has an edge needs none.
    fn pair(&mut self, place: &str, pair: &StagedPair) -> Result<()> {
        let Some(key) = EdgeKey::canonical(&self.map_id(&pair.key.from_id), &self.map_id(&pair.key.to_id)) else {
            self.result.skip(ONE_BLOCK, || place.to_owned());
            return Ok(());
        };
        if self.transaction.get_statuses(&[key.from_id.clone(), key.to_id.clone()])?.len() < 2 {
            self.result.skip(MISSING_BLOCK, || place.to_owned());
        } else if self.transaction.get_edge(&key)?.is_none() {
            self.transaction.put_staged_pair(&StagedPair { key, ..pair.clone() })?;
            self.result.others += 1;
        }
        Ok(())
    }

    /// Imports a session. An open session is imported as ended.
    fn session(&mut self, session: &Session) -> Result<()> {
        if self.transaction.get_session(&session.id)?.is_none() {
            let ended_at = session.ended_at.or(Some(session.last_seen_at));
            let start_active_hours = self.clock_offset.apply(session.start_active_hours);
            self.transaction.touch_session(&Session { ended_at, start_active_hours, ..session.clone() })?;
            self.result.others += 1;
        }
        Ok(())
    }

    fn frame(&mut self, place: &str, frame: &Frame) -> Result<()> {
        let original = builtin_frames().into_iter().find(|builtin| builtin.name == frame.name);
        let source = if original.is_some() { FrameSource::Builtin } else { FrameSource::User };
        let frame = Frame { source, ..frame.clone() };
        let known = self.transaction.get_frame(&frame.name)?;
        if known.as_ref() == Some(&frame) {
            return Ok(());
        }
        if known.is_some() && known != original {
            self.result.skip("the memory has a different frame of that name", || place.to_owned());
            return Ok(());
        }
        self.result.others += 1;
        Ok(self.transaction.upsert_frame(&frame, self.moment.at)?)
    }

    fn tombstone(&mut self, place: &str, tombstone: &Tombstone) -> Result<()> {
        if self.transaction.block_exists(&tombstone.block_id)? {
            self.result.skip("it was purged in the source but exists here; purge it here too", || place.to_owned());
            return Ok(());
        }
        self.result.others += 1;
        Ok(self.transaction.put_tombstone(tombstone)?)
    }

    /// Records imported blocks above the degree cap, so that the next dream or curate trims their
    /// edges.
    pub(super) fn record_blocks_over_cap(&mut self) -> Result<()> {
        let created: Vec<BlockId> = self.created.iter().cloned().collect();
        let cap = degree_cap(&*self.transaction)?;
        let mut over_cap: Vec<BlockId> = self
            .transaction
            .get_degrees(&created)?
            .into_iter()
            .filter(|(_, degree)| *degree > cap)
            .map(|(id, _)| id)
            .collect();
        over_cap.sort();
        over_cap.iter().try_for_each(|id| record_over_cap(self.transaction, id))
    }
}

/// Imports an edge. If one exists, the stronger is kept, with the larger use count of both.
pub(super) fn import_edge(
    transaction: &mut dyn Transaction,
    edge: &Edge,
    room: bool,
    result: &mut ImportResult,
) -> Result<()> {
    match transaction.get_edge(&edge.key)? {
        None if !room => {
            let ends = || format!("{} and {}", edge.key.from_id.short(), edge.key.to_id.short());
            result.skip(format!("a block has at most {} edges", degree_cap(&*transaction)?), ends);
        }
        None => {
            transaction.put_edge(edge)?;
            result.edges_created += 1;
        }
        Some(known) if edge.weight > known.weight => {
            let last_active_hours = match (edge.last_active_hours, known.last_active_hours) {
                (Some(there), Some(here)) => Some(there.later_of(here)),
                (there, here) => there.or(here),
            };
            transaction.put_edge(&Edge {
                reinforcement_count: edge.reinforcement_count.max(known.reinforcement_count),
                created_at: edge.created_at.min(known.created_at),
                last_active_hours,
                note: edge.note.clone().or(known.note),
                ..edge.clone()
            })?;
            result.edges_strengthened += 1;
        }
        Some(_) => {}
    }
    Ok(())
}
