//! What this process touched lately, so that an agent need not carry ids around.

use std::collections::HashSet;

use elfmem_core::BlockId;

/// Ids of the session, in memory only.
#[derive(Debug, Clone, Default)]
pub(crate) struct Breadcrumbs {
    pub(crate) last_learned: Option<BlockId>,
    pub(crate) last_recall: Vec<BlockId>,
    pub(crate) session: Vec<BlockId>,
    /// The same ids, to tell quickly whether one is new.
    known: HashSet<BlockId>,
}

impl Breadcrumbs {
    pub(crate) fn learned(&mut self, id: &BlockId) {
        self.last_learned = Some(id.clone());
        self.touched(id);
    }

    pub(crate) fn recalled(&mut self, ids: Vec<BlockId>) {
        for id in &ids {
            self.touched(id);
        }
        self.last_recall = ids;
    }

    /// Drops blocks that are gone.
    pub(crate) fn forget(&mut self, gone: &[BlockId]) {
        self.last_learned.take_if(|id| gone.contains(id));
        self.last_recall.retain(|id| !gone.contains(id));
        self.session.retain(|id| !gone.contains(id));
        for id in gone {
            self.known.remove(id);
        }
    }

    fn touched(&mut self, id: &BlockId) {
        if self.known.insert(id.clone()) {
            self.session.push(id.clone());
        }
    }
}
