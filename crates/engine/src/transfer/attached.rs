//! What hangs on blocks and what stands beside them, on its way in.

use elfmem_core::eviction::DEGREE_CAP;
use elfmem_core::frame::{FrameSource, builtin_frames};
use elfmem_core::{BlockId, BlockStatus, Edge, EdgeKey, Frame, OutcomeRecord, Session};
use elfmem_store::{Contradiction, Proposal, Row, StagedPair, Tombstone, Transaction};

use super::result::ImportResult;
use super::rows::Writer;
use super::settings;
use crate::Result;
use crate::connect::record_over_cap;
use crate::document::has_room;

impl Writer<'_> {
    /// Everything that is no block.
    pub(super) fn other(&mut self, place: &str, row: &Row) -> Result<()> {
        match row {
            Row::Block(_) => Ok(()),
            Row::Edge(edge) => self.edge(place, edge),
            Row::Contradiction(found) => self.contradiction(place, found),
            Row::Outcome(record) => self.outcome(place, record),
            Row::Proposal(proposal) => self.proposal(place, proposal),
            Row::Pair(pair) => self.pair(pair),
            Row::Session(session) => self.session(session),
            Row::Frame(frame) => self.frame(place, frame),
            Row::Tombstone(tombstone) => self.tombstone(place, tombstone),
            Row::Event(event) => self.event(place, event),
            Row::Context(context) => self.context(context),
            Row::Enrolment(enrolment) => self.enrolment(place, enrolment),
            Row::Link(link) => self.link(place, link),
            Row::Effect(effect) => self.effect(place, effect),
            Row::Setting(setting) => {
                if self.blank && settings::import(self.transaction, setting)? {
                    self.result.others += 1;
                } else {
                    self.result.skip("the settings of this memory stay", || place.to_owned());
                }
                Ok(())
            }
        }
    }

    /// Two blocks that are here and may be joined, under the names they have here. What stands in the way is noted.
    fn ends(&mut self, place: &str, a: &BlockId, b: &BlockId) -> Result<Option<EdgeKey>> {
        let Some(key) = EdgeKey::canonical(&self.name(a), &self.name(b)) else { return Ok(None) };
        let statuses = self.transaction.get_statuses(&[key.from_id.clone(), key.to_id.clone()])?;
        let problem = if statuses.len() < 2 {
            "a block it needs is not here"
        } else if statuses.values().any(|status| *status == BlockStatus::Archived) {
            "a block it needs is archived here"
        } else {
            return Ok(Some(key));
        };
        self.result.skip(problem, || place.to_owned());
        Ok(None)
    }

    fn edge(&mut self, place: &str, edge: &Edge) -> Result<()> {
        let Some(key) = self.ends(place, &edge.key.from_id, &edge.key.to_id)? else { return Ok(()) };
        // Between blocks that come in together the edges are as they were; what was here keeps to the degree cap.
        let own = self.trusted && self.made.contains(&key.from_id) && self.made.contains(&key.to_id);
        let room = own || has_room(&*self.transaction, &key)?;
        let asserted_from = edge.asserted_from.as_ref().map(|from| self.name(from));
        let last_active_hours = edge.last_active_hours.map(|hours| self.shift.hours(hours));
        let mut edge = Edge { key, asserted_from, last_active_hours, ..edge.clone() };
        if !self.trusted {
            edge.created_at = self.moment.at;
        }
        place_edge(&mut *self.transaction, &edge, room, &mut self.result)
    }

    fn contradiction(&mut self, place: &str, found: &Contradiction) -> Result<()> {
        let Some(key) = self.ends(place, &found.block_a_id, &found.block_b_id)? else { return Ok(()) };
        let found = Contradiction { block_a_id: key.from_id, block_b_id: key.to_id, ..found.clone() };
        self.result.others += u64::from(self.transaction.insert_contradiction(&found)?);
        Ok(())
    }

    fn outcome(&mut self, place: &str, record: &OutcomeRecord) -> Result<()> {
        let block_id = self.name(&record.block_id);
        if !self.made.contains(&block_id) {
            self.result.skip("its block was here already and keeps its own belief", || place.to_owned());
            return Ok(());
        }
        if !self.trusted {
            self.result.skip("what others found out by use is not taken from an untrusted source", || place.to_owned());
            return Ok(());
        }
        self.result.others += 1;
        Ok(self.transaction.put_outcome(&OutcomeRecord { block_id, ..record.clone() })?)
    }

    fn proposal(&mut self, place: &str, proposal: &Proposal) -> Result<()> {
        let block_id = self.name(&proposal.block_id);
        let other_id = proposal.other_id.as_ref().map(|other| self.name(other));
        let number = if self.blank { proposal.number } else { 0 };
        let proposal = Proposal { number, block_id, other_id, ..proposal.clone() };
        let blocks: Vec<BlockId> = proposal.blocks().cloned().collect();
        if self.transaction.get_statuses(&blocks)?.len() < blocks.len() {
            self.result.skip("a block it needs is not here", || place.to_owned());
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

    /// A count, not knowledge: what cannot be counted on is not worth a word.
    fn pair(&mut self, pair: &StagedPair) -> Result<()> {
        let Some(key) = EdgeKey::canonical(&self.name(&pair.key.from_id), &self.name(&pair.key.to_id)) else {
            return Ok(());
        };
        let known = self.transaction.get_statuses(&[key.from_id.clone(), key.to_id.clone()])?.len() == 2;
        if known && self.transaction.get_edge(&key)?.is_none() {
            self.transaction.put_staged_pair(&StagedPair { key, ..pair.clone() })?;
        }
        Ok(())
    }

    /// Work that was still going on elsewhere is over here.
    fn session(&mut self, session: &Session) -> Result<()> {
        if self.transaction.get_session(&session.id)?.is_none() {
            let ended_at = session.ended_at.or(Some(session.last_seen_at));
            let start_active_hours = self.shift.hours(session.start_active_hours);
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
            self.result.skip("there is another frame of that name here", || place.to_owned());
            return Ok(());
        }
        self.result.others += 1;
        Ok(self.transaction.upsert_frame(&frame, self.moment.at)?)
    }

    fn tombstone(&mut self, place: &str, tombstone: &Tombstone) -> Result<()> {
        if self.transaction.block_exists(&tombstone.block_id)? {
            self.result.skip("it was purged there and is still here; purge it here too", || place.to_owned());
            return Ok(());
        }
        self.result.others += 1;
        Ok(self.transaction.put_tombstone(tombstone)?)
    }

    /// A block that had one edge too many where it came from has it here, and is relieved here as it would have been there.
    pub(super) fn note_crowded(&mut self) -> Result<()> {
        let made: Vec<BlockId> = self.made.iter().cloned().collect();
        let mut crowded: Vec<BlockId> = self
            .transaction
            .get_degrees(&made)?
            .into_iter()
            .filter(|(_, degree)| *degree > DEGREE_CAP)
            .map(|(id, _)| id)
            .collect();
        crowded.sort();
        crowded.iter().try_for_each(|id| record_over_cap(self.transaction, id))
    }
}

/// Places an edge: of two between the same blocks the stronger stays, with the uses of both counted once.
pub(super) fn place_edge(
    transaction: &mut dyn Transaction,
    edge: &Edge,
    room: bool,
    result: &mut ImportResult,
) -> Result<()> {
    match transaction.get_edge(&edge.key)? {
        None if !room => {
            let ends = || format!("{} and {}", edge.key.from_id.short(), edge.key.to_id.short());
            result.skip(format!("a block has at most {DEGREE_CAP} edges"), ends);
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
