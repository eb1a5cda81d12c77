//! Ids of recently used blocks, so that an agent need not keep track of them.

use std::collections::HashSet;

use elfmem_core::BlockId;

/// Ids of blocks learned and recalled in the current session. In memory only.
#[derive(Debug, Clone, Default)]
pub(crate) struct Breadcrumbs {
    pub(crate) last_learned: Option<BlockId>,
    pub(crate) last_recall: Vec<BlockId>,
    pub(crate) session: Vec<BlockId>,
    /// The ids of `session` as a set, for deduplication.
    seen: HashSet<BlockId>,
}

impl Breadcrumbs {
    pub(crate) fn record_learned(&mut self, id: &BlockId) {
        self.last_learned = Some(id.clone());
        self.record(id);
    }

    pub(crate) fn record_recalled(&mut self, ids: Vec<BlockId>) {
        for id in &ids {
            self.record(id);
        }
        self.last_recall = ids;
    }

    /// Removes deleted blocks.
    pub(crate) fn remove(&mut self, deleted: &[BlockId]) {
        self.last_learned.take_if(|id| deleted.contains(id));
        self.last_recall.retain(|id| !deleted.contains(id));
        self.session.retain(|id| !deleted.contains(id));
        for id in deleted {
            self.seen.remove(id);
        }
    }

    fn record(&mut self, id: &BlockId) {
        if self.seen.insert(id.clone()) {
            self.session.push(id.clone());
        }
    }
}
