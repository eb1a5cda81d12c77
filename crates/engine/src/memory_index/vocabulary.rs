//! The terms of the memory by their beginning, for neighbours of misspelt words.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use elfmem_store::Snapshot;
use elfmem_text::bm25::TermFields;

use crate::Result;

/// Terms that were looked up, by prefix. Terms of removed blocks stay: a term without blocks finds nothing.
#[derive(Debug, Default)]
pub(super) struct Vocabulary(RwLock<HashMap<String, Arc<Vec<String>>>>);

impl Clone for Vocabulary {
    fn clone(&self) -> Self {
        Self(RwLock::new(self.0.read().unwrap_or_else(PoisonError::into_inner).clone()))
    }
}

impl Vocabulary {
    /// Returns the terms that begin with a prefix.
    pub(super) fn terms(&self, snapshot: &dyn Snapshot, prefix: &str) -> Result<Arc<Vec<String>>> {
        if let Some(known) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(prefix) {
            return Ok(Arc::clone(known));
        }
        let terms = Arc::new(snapshot.get_terms(prefix)?);
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(prefix.to_owned(), Arc::clone(&terms));
        Ok(terms)
    }

    /// Adds the terms of a new or changed block.
    pub(super) fn add(&mut self, fields: &TermFields) {
        let lists = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        for (prefix, list) in lists {
            let all = fields.content.iter().chain(&fields.cue).chain(&fields.tags).map(|term| &term.text);
            for term in all.filter(|term| term.starts_with(prefix.as_str())) {
                if !list.contains(term) {
                    Arc::make_mut(list).push(term.clone());
                }
            }
        }
    }

    /// Forgets all terms, when more blocks changed than is worth following.
    pub(super) fn clear(&mut self) {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Returns the size on the heap.
    pub(super) fn bytes(&self) -> usize {
        let lists = self.0.read().unwrap_or_else(PoisonError::into_inner);
        lists.values().flat_map(|terms| terms.iter()).map(|term| size_of::<String>() + term.capacity()).sum()
    }
}
