//! Recording that blocks were shown: it counts as use of the blocks and of the edges between them. New edges between blocks
//! that are often shown together are derived later, from the journal ([`crate::associate`]).

use elfmem_core::{BlockId, BlockStatus, EdgeKey, OperationKind};
use elfmem_store::{ShownRelevance, Store, Transaction};

use crate::Result;
use crate::calibration::CalibratedCurve;
use crate::memory::Memory;
use crate::moment::Moment;
use crate::results::ScoredBlock;

/// Blocks that were shown together.
#[derive(Debug, Clone, Default)]
pub(crate) struct ShownBlocks {
    /// The blocks, best first.
    pub(crate) ids: Vec<BlockId>,
    /// How many of the first ones count as used.
    pub(crate) used: usize,
    /// The edges among those that count as used.
    pub(crate) edges: Vec<EdgeKey>,
    /// How relevant those that count as used are; none without a question or a model.
    pub(crate) relevance: Option<ShownRelevance>,
}

impl ShownBlocks {
    /// Contradicted blocks come last and do not count as used: of two that are believed alike the more recently used one
    /// comes first, and showing both would make them equal. Those that a frame guarantees count whatever contradicts them.
    pub(crate) fn new(blocks: &[ScoredBlock], edges: Vec<EdgeKey>, curve: Option<&CalibratedCurve>) -> Self {
        let is_used = |block: &&ScoredBlock| block.guaranteed || block.contradicted_by.is_empty();
        // What was replaced is archived, and showing it is no use of it.
        let current = blocks.iter().filter(|block| block.superseded_by.is_none());
        let (used, others): (Vec<&ScoredBlock>, Vec<&ScoredBlock>) = current.partition(is_used);
        let ids = used.iter().chain(&others).map(|block| block.id.clone()).collect();
        let relevance = curve.map(|curve| curve.shown(&used));
        Self { ids, used: used.len(), edges, relevance }
    }
}

impl<S: Store> Memory<S> {
    /// Records the use of blocks that were shown. A memory that cannot be written still answers: then the history says that
    /// the use was not counted.
    pub(in crate::recall) fn record_use(&self, operation: OperationKind, summary: &str, shown: ShownBlocks) {
        let counted = self.change(operation.clone(), |transaction, moment| {
            reinforce(transaction, moment, &shown)?;
            Ok(summary.to_owned())
        });
        let mut running = self.running();
        if let Err(error) = counted {
            let at = self.options.clock.now();
            running.history.record(operation, format!("{summary} (not counted: {})", error.message()), at);
        }
        running.breadcrumbs.record_recalled(shown.ids);
    }
}

fn reinforce(transaction: &mut dyn Transaction, moment: &Moment, shown: &ShownBlocks) -> Result<()> {
    // Another process may have archived or removed a block in the meantime: it is not counted.
    let used = &shown.ids[..shown.used];
    let mut statuses = transaction.get_statuses(used)?;
    statuses.retain(|_, status| *status != BlockStatus::Archived);
    let present: Vec<BlockId> = used.iter().filter(|id| statuses.contains_key(*id)).cloned().collect();
    transaction.reinforce_blocks(&present, moment.hours)?;
    transaction.reinforce_edges(&shown.edges, moment.hours)?;
    if let Some(relevance) = &shown.relevance {
        let mut relevance = relevance.clone();
        relevance.relevance.retain(|id, _| statuses.contains_key(id));
        transaction.record_relevance(&relevance);
    }
    Ok(())
}
