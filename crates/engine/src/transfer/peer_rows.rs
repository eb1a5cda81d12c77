//! What a peer may bring beside its blocks: rows that belong to its own blocks alone. What it says of other blocks
//! waits as a proposal of the owner.

use elfmem_core::trust::skeleton;
use elfmem_core::{BlockId, BlockStatus};
use elfmem_store::{Proposal, ProposalKind, ProposalState, Row};

use super::related_rows::MISSING_BLOCK;
use super::rows::RowImporter;
use crate::Result;
use crate::learn::visible_name;
use crate::proposals;

/// Why a row of a peer is skipped that touches something else than its own blocks.
pub(super) const NOT_OF_PEER: &str = "a peer changes only what it brought itself";
/// Maximum number of proposals of one import, and of open proposals.
const MAX_NEW: usize = 20;
const MAX_OPEN: usize = 100;
/// The score of a proposal of a peer.
const SCORE: f64 = 0.5;

impl RowImporter<'_> {
    /// Imports a row of an untrusted file that is not a block.
    pub(super) fn import_of_peer(&mut self, place: &str, row: &Row) -> Result<()> {
        match row {
            Row::Edge(edge) => {
                let ends = [&edge.key.from_id, &edge.key.to_id].map(|id| self.map_id(id));
                match self.are_own(&ends)? {
                    true => self.edge(place, edge),
                    false => self.propose(place, ProposalKind::Connection, &ends[0], Some(&ends[1]), None),
                }
            }
            Row::Contradiction(found) => {
                let ends = [&found.block_a_id, &found.block_b_id].map(|id| self.map_id(id));
                match self.are_own(&ends)? {
                    true => self.contradiction(place, found),
                    false => self.propose(place, ProposalKind::Contradiction, &ends[0], Some(&ends[1]), None),
                }
            }
            Row::Link(link) => match (link.key.from.block(), link.key.to.block()) {
                (Some(from), Some(to)) => {
                    let ends = [from, to].map(|id| self.map_id(id));
                    match self.are_own(&ends)? {
                        true => self.link(place, link),
                        false => self.propose(place, ProposalKind::Connection, &ends[0], Some(&ends[1]), None),
                    }
                }
                _ => self.leave_out(place, "links of a peer to contexts are not imported"),
            },
            Row::Outcome(_) | Row::Effect(_) => {
                self.leave_out(place, "outcomes and effects of an untrusted source are not imported")
            }
            Row::Setting(_) => self.leave_out(place, "the memory keeps its own settings"),
            Row::Tombstone(_) => self.leave_out(place, "a peer purges nothing here"),
            _ => self.leave_out(place, NOT_OF_PEER),
        }
    }

    fn leave_out(&mut self, place: &str, reason: &str) -> Result<()> {
        self.result.skip(reason, || place.to_owned());
        Ok(())
    }

    fn are_own(&self, ends: &[BlockId; 2]) -> Result<bool> {
        Ok(self.may_change(&ends[0])? && self.may_change(&ends[1])?)
    }

    /// Makes a proposal of what the file says about blocks that are not its own, within the limits.
    pub(super) fn propose(
        &mut self,
        place: &str,
        kind: ProposalKind,
        block: &BlockId,
        other: Option<&BlockId>,
        tag: Option<&str>,
    ) -> Result<()> {
        let blocks: Vec<BlockId> = std::iter::once(block).chain(other).cloned().collect();
        let statuses = self.transaction.get_statuses(&blocks)?;
        let live = |id: &BlockId| statuses.get(id).is_some_and(|status| *status != BlockStatus::Archived);
        if !blocks.iter().all(live) || other == Some(block) {
            return self.leave_out(place, MISSING_BLOCK);
        }
        let peer = self.peer.clone().unwrap_or_else(|| "import".to_owned());
        let proposal = Proposal {
            other_id: other.cloned(),
            tag: tag.map(str::to_owned),
            ..proposals::proposal(kind, block, SCORE, reason(&peer), self.moment.at)
        };
        if self.transaction.find_proposal(&proposal.subject())?.is_some() {
            return Ok(());
        }
        let open = self.transaction.list_proposals(Some(ProposalState::Open))?.len();
        if self.proposed >= MAX_NEW || open >= MAX_OPEN {
            return self.leave_out(place, "a peer may make only so many proposals");
        }
        self.proposed += 1;
        self.result.others += 1;
        proposals::put(self.transaction, &proposal)
    }
}

/// What the reason of a peer's proposal begins with, before its name.
const PROPOSED_BY: &str = "The peer '";

/// Says who proposes something.
fn reason(peer: &str) -> String {
    format!("{PROPOSED_BY}{}' says so.", visible_name(peer).replace('\'', "’"))
}

/// Returns true if a proposal comes from a peer. `peer` names every peer.
pub(crate) fn is_proposed_by(proposal: &Proposal, source: &str) -> bool {
    let name = proposal.reason.strip_prefix(PROPOSED_BY).and_then(|rest| rest.split_once('\'')).map(|(name, _)| name);
    let source = skeleton(&source.replace('\'', "’"));
    name.is_some_and(|name| source == "peer" || skeleton(name) == source)
}
