//! A curate that changes nothing.

use std::collections::{HashMap, HashSet};

use elfmem_core::curation::{CurationBlock, CurationGraph};
use elfmem_core::{ActiveHours, BlockId};
use elfmem_store::{Snapshot, Store, StoreError};

use super::{Curate, run};
use crate::memory::Memory;
use crate::results::{CurateResult, FadedBlock};
use crate::{Error, Result};

/// Ends a transaction without a commit.
enum RolledBack {
    /// The work was done; this is what it would have changed.
    Finished(Box<CurateResult>),
    /// The work failed.
    Failed(Error),
}

impl From<StoreError> for RolledBack {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.into())
    }
}

impl From<Error> for RolledBack {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl<S: Store> Memory<S> {
    /// Curates in a transaction that is rolled back, so that the numbers are those of a run.
    pub(super) fn preview_curate(&self, curate: &Curate) -> Result<CurateResult> {
        let (at, held) = (self.options.clock.now(), self.running().held.clone());
        let rolled_back = self.store().write(&self.options.view, |transaction| {
            let now = self.hours_at(&*transaction, at, held.as_ref())?;
            let result = run(transaction, now, &self.options.trust, curate)?;
            Err::<CurateResult, _>(RolledBack::Finished(Box::new(result)))
        });
        match rolled_back {
            Ok(result) => Ok(result),
            Err(RolledBack::Finished(mut result)) => {
                self.find_trust_of(&mut result.faded)?;
                Ok(*result)
            }
            Err(RolledBack::Failed(error)) => Err(error),
        }
    }

    /// Sets whether the sources of faded blocks are trusted.
    fn find_trust_of(&self, faded: &mut [FadedBlock]) -> Result<()> {
        let ids: Vec<BlockId> = faded.iter().map(|block| block.block_id.clone()).collect();
        let blocks = self.read(|snapshot| Ok(snapshot.get_blocks(&ids)?))?;
        let trusted: HashSet<&BlockId> =
            blocks.iter().filter(|block| self.options.trust.trusts(*block)).map(|block| &block.id).collect();
        for block in faded {
            block.trusted = trusted.contains(&block.block_id);
        }
        Ok(())
    }
}

/// Returns the texts of faded blocks, and why they count as faded. Their trust is not known here.
pub(super) fn describe(
    snapshot: &dyn Snapshot,
    graph: &CurationGraph,
    faded: &[BlockId],
    now: ActiveHours,
) -> Result<Vec<FadedBlock>> {
    let living: HashMap<&BlockId, &CurationBlock> = graph.blocks.iter().map(|block| (&block.id, block)).collect();
    let texts = snapshot.get_texts(faded)?.into_iter();
    Ok(texts
        .filter_map(|text| {
            let block = living.get(&text.id)?;
            Some(FadedBlock {
                recency: block.recency_at(now),
                unused_hours: now.since(block.last_reinforced_at).get(),
                content: text.content,
                trusted: false,
                block_id: text.id,
            })
        })
        .collect())
}
