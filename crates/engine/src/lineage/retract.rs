//! `retract_source`: everything a source brought, and what follows from that alone, is taken back.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;

use crate::results::counted;
use elfmem_core::{
    ArchiveReason, BeliefUpdate, Block, BlockId, BlockStatus, OperationKind, OutcomeRecord, UntrustedSources,
};
use elfmem_store::{BlockQuery, Row, Snapshot, Store, Transaction};
use serde::Serialize;

use super::grounds::{Way, bonds};
use crate::belief_updates::replay_belief_without;
use crate::care::restore_block;
use crate::input::checked_text;
use crate::links::withdraw_links;
use crate::memory::Memory;
use crate::moment::Moment;
use crate::{Error, Result};

/// The longest name of a source, in bytes.
const LONGEST_NAME: usize = 512;

/// A block that was taken back.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RetractedBlock {
    /// Which block.
    pub block_id: BlockId,
    /// Its text.
    pub content: String,
    /// The block that it follows from, where the source did not bring it itself.
    pub follows_from: Option<BlockId>,
}

/// A block that follows from what was taken back, and from something else.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KeptBlock {
    /// Which block.
    pub block_id: BlockId,
    /// What else it follows from.
    pub follows_from: BlockId,
}

/// Result of `retract_source`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RetractSourceResult {
    /// Which source.
    pub source: String,
    /// Blocks that are archived now.
    pub retracted: Vec<RetractedBlock>,
    /// Blocks that hold their place again, which one of those had taken.
    pub restored: Vec<BlockId>,
    /// Outcomes of the source on other blocks that count no longer.
    pub outcomes_retracted: usize,
    /// Blocks that stay because they also follow from something else.
    pub kept: Vec<KeptBlock>,
    /// Whether this only says what would happen.
    pub dry_run: bool,
    /// What could not be brought back, and what to do about it.
    pub warnings: Vec<String>,
}

impl fmt::Display for RetractSourceResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let followers = self.retracted.iter().filter(|block| block.follows_from.is_some()).count();
        let verb = if self.dry_run { "Would retract" } else { "Retracted" };
        write!(f, "{verb} {} of source '{}'", counted(self.retracted.len() as u64, "block"), self.source)?;
        if followers > 0 {
            write!(f, " ({followers} of them because they follow from it alone)")?;
        }
        let outcomes = counted(self.outcomes_retracted as u64, "outcome");
        write!(f, ", {} restored, {outcomes} taken back, {} kept.", self.restored.len(), self.kept.len())?;
        for warning in &self.warnings {
            write!(f, " {warning}")?;
        }
        Ok(())
    }
}

impl<S: Store> Memory<S> {
    /// Takes back everything that a source brought: its blocks are archived, and so is what was derived from them alone; blocks whose place
    /// they had taken come back; its outcomes on other blocks count no longer. The source may be named by what blocks call their source,
    /// by a document, a client, a peer or a surface.
    ///
    /// USE WHEN: a document, peer or tool turned out wrong or hostile. DON'T USE WHEN: one block is wrong; [`forget`](Self::forget) it.
    /// COST: one pass over the memory, one transaction. RETURNS: [`RetractSourceResult`]. With `dry_run` it only says what it would do.
    /// NEXT: [`undo`](Self::undo) takes it back as one operation.
    ///
    /// # Errors
    /// [`Error::UnknownSource`] when nothing here comes from it.
    pub fn retract_source(&self, source: &str, dry_run: bool) -> Result<RetractSourceResult> {
        let source = checked_text("source", Some(source), LONGEST_NAME)?;
        let source = source.ok_or(Error::UnknownSource { name: String::new(), known: Vec::new() })?;
        if dry_run {
            return self.rehearse(|transaction, moment| retract(transaction, moment, &source, true));
        }
        let mut result = self
            .change(OperationKind::RetractSource, |transaction, moment| retract(transaction, moment, &source, false))?;
        result.warnings.extend(self.embed_active(&result.restored));
        Ok(result)
    }
}

fn retract(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    source: &str,
    dry_run: bool,
) -> Result<RetractSourceResult> {
    let Brought { blocks, outcomes, known } = brought_by(&*transaction, source)?;
    if blocks.is_empty() && outcomes.is_empty() {
        return Err(Error::UnknownSource { name: source.to_owned(), known });
    }
    let (falling, kept) = with_followers(&*transaction, blocks)?;
    let mut result = RetractSourceResult {
        source: source.to_owned(),
        retracted: Vec::new(),
        restored: Vec::new(),
        outcomes_retracted: 0,
        kept,
        dry_run,
        warnings: Vec::new(),
    };
    let displaced = displaced_by(&*transaction, &falling)?;
    for (id, fallen) in falling {
        withdraw_links(transaction, moment, &id)?;
        transaction.update_block_status(&id, BlockStatus::Archived, Some(ArchiveReason::Forgotten))?;
        let Falling { block, follows_from } = fallen;
        result.retracted.push(RetractedBlock { block_id: id, content: block.content, follows_from });
    }
    for block in displaced {
        let back = restore_block(transaction, moment, &block)?;
        result.warnings.extend(back.left_out.iter().map(|what| format!("{}: left out {what}.", block.id.short())));
        result.restored.push(block.id);
    }
    for record in outcomes {
        let is_gone = |update: &BeliefUpdate| matches!(update, BeliefUpdate::Outcome(other) if other.outcome_id == record.outcome_id);
        replay_belief_without(transaction, &record.block_id, is_gone)?;
        result.outcomes_retracted += 1;
    }
    Ok(result)
}

/// What a source brought.
struct Brought {
    blocks: Vec<Block>,
    outcomes: Vec<OutcomeRecord>,
    /// Sources there are, for whoever named none of them.
    known: Vec<String>,
}

/// The most sources that an error names.
const NAMED: usize = 12;

fn brought_by(snapshot: &dyn Snapshot, source: &str) -> Result<Brought> {
    let named = UntrustedSources::new([source]);
    let (mut blocks, mut outcomes, mut known) = (Vec::new(), Vec::new(), std::collections::BTreeSet::new());
    snapshot.visit_rows(elfmem_store::Vectors::Skip, &mut |row| {
        match row {
            Row::Block(row) => {
                let hit = named.distrust(&row.block);
                if known.len() < NAMED {
                    known.insert(row.block.source.clone());
                }
                if hit && row.block.status != BlockStatus::Archived {
                    blocks.push(row.block);
                }
            }
            Row::Outcome(record) if named.names(&record.source) => outcomes.push(record),
            _ => {}
        }
        ControlFlow::Continue(())
    })?;
    // What happened to blocks that go anyway goes with them.
    outcomes.retain(|record| !blocks.iter().any(|block| block.id == record.block_id));
    Ok(Brought { blocks, outcomes, known: known.into_iter().collect() })
}

/// A block that falls.
struct Falling {
    block: Block,
    follows_from: Option<BlockId>,
}

/// What falls: the blocks themselves, and those that were derived from falling blocks and nothing else. The second list stays.
fn with_followers(snapshot: &dyn Snapshot, blocks: Vec<Block>) -> Result<(BTreeMap<BlockId, Falling>, Vec<KeptBlock>)> {
    let mut waiting: Vec<BlockId> = blocks.iter().map(|block| block.id.clone()).collect();
    let mut falling: BTreeMap<BlockId, Falling> =
        blocks.into_iter().map(|block| (block.id.clone(), Falling { block, follows_from: None })).collect();
    let mut kept: BTreeMap<BlockId, BlockId> = BTreeMap::new();
    while let Some(id) = waiting.pop() {
        let Some(lower) = falling.get(&id).map(|fallen| fallen.block.clone()) else { continue };
        for bond in bonds(snapshot, &lower)?.into_iter().filter(|bond| bond.way == Way::Up && bond.derives) {
            if falling.contains_key(&bond.other) {
                continue;
            }
            let Some(upper) = snapshot.get_block(&bond.other)? else { continue };
            let grounds = bonds(snapshot, &upper)?;
            let other_ground = grounds
                .into_iter()
                .find(|bond| bond.way == Way::Down && bond.derives && !falling.contains_key(&bond.other));
            match other_ground {
                Some(ground) => _ = kept.insert(upper.id, ground.other),
                None => {
                    kept.remove(&upper.id);
                    waiting.push(upper.id.clone());
                    falling.insert(upper.id.clone(), Falling { block: upper, follows_from: Some(id.clone()) });
                }
            }
        }
    }
    let kept = kept.into_iter().filter(|(id, _)| !falling.contains_key(id));
    let kept = kept.map(|(block_id, follows_from)| KeptBlock { block_id, follows_from }).collect();
    Ok((falling, kept))
}

/// Archived blocks whose place one that falls had taken, and that do not fall themselves.
fn displaced_by(snapshot: &dyn Snapshot, falling: &BTreeMap<BlockId, Falling>) -> Result<Vec<Block>> {
    let archived = BlockQuery { status: Some(BlockStatus::Archived), ..BlockQuery::default() };
    let mut displaced = snapshot.list_blocks(&archived)?;
    let sources: Vec<&Block> = falling.values().map(|fallen| &fallen.block).collect();
    displaced.retain(|block| {
        let heir = block.superseded_by.as_ref().and_then(|heir| falling.get(heir));
        // An older wording of the same source goes with the newer.
        heir.is_some_and(|_| !sources.iter().any(|fallen| same_origin(fallen, block)))
    });
    Ok(displaced)
}

fn same_origin(a: &Block, b: &Block) -> bool {
    a.source == b.source && a.brought_by == b.brought_by
}
