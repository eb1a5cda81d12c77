//! The names in the texts of blocks, which are found by parsing: texts that questions meet again are parsed once.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use elfmem_core::{Block, BlockId};
use elfmem_store::Snapshot;
use elfmem_text::language::Language;
use elfmem_text::statements::Statement;
use elfmem_text::terms::terms_in;

use crate::Result;

/// Blocks whose names are kept. They are all dropped when there are more: the next questions bring back those they meet.
const MAX_BLOCKS: usize = 8_192;

/// The names of a block as terms.
pub(crate) type NameTerms = Arc<[String]>;

/// The names of the blocks that questions have met. All states of an index share them.
#[derive(Debug, Clone, Default)]
pub(super) struct BlockNames(Arc<RwLock<HashMap<BlockId, NameTerms>>>);

impl BlockNames {
    /// Returns the names of blocks, in their order; none for a block that is gone.
    pub(super) fn get(&self, snapshot: &dyn Snapshot, ids: &[BlockId]) -> Result<Vec<Option<NameTerms>>> {
        let mut names: Vec<Option<NameTerms>> = {
            let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
            ids.iter().map(|id| known.get(id).cloned()).collect()
        };
        let is_new = |(id, known): (&BlockId, &Option<NameTerms>)| known.is_none().then(|| id.clone());
        let new: Vec<BlockId> = ids.iter().zip(&names).filter_map(is_new).collect();
        if new.is_empty() {
            return Ok(names);
        }
        let read: HashMap<BlockId, NameTerms> = snapshot
            .get_blocks(&new)?
            .into_iter()
            .map(|Block { id, content, .. }| (id, name_terms(&content)))
            .collect();
        for (id, names) in ids.iter().zip(&mut names).filter(|(_, names)| names.is_none()) {
            *names = read.get(id).cloned();
        }
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() + read.len() > MAX_BLOCKS {
            known.clear();
        }
        known.extend(read);
        Ok(names)
    }

    /// Forgets the names of a block that is new, changed or gone.
    pub(super) fn forget(&self, id: &BlockId) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).remove(id);
    }

    /// Returns the size on the heap.
    pub(super) fn bytes(&self) -> usize {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let bytes = |names: &NameTerms| names.iter().map(|name| size_of::<String>() + name.capacity()).sum::<usize>();
        known.values().map(|names| size_of::<(BlockId, NameTerms)>() + bytes(names)).sum()
    }
}

fn name_terms(text: &str) -> NameTerms {
    let statement = Statement::parse(text);
    let names = statement.names();
    names.iter().flat_map(|name| terms_in(name, Language::English)).map(|term| term.text).collect()
}

#[cfg(test)]
mod tests {
    use elfmem_store_memory::InMemoryStore;

    use super::*;
    use crate::{Clock, Learn, Memory, Options, SystemClock};

    #[test]
    fn names_are_read_once_and_again_when_a_block_changed() {
        let memory = Memory::open(InMemoryStore::new(SystemClock.now()).unwrap(), Options::default());
        let id = memory.learn(Learn::new("The nurse Clara moved to Porto")).unwrap().block_id;
        let gone = BlockId::for_content("never stored");
        let names = BlockNames::default();
        let read = || memory.read(|snapshot| names.get(snapshot, &[id.clone(), gone.clone()])).unwrap();
        let first = read();
        assert_eq!(first[0].as_deref(), Some(&["clara".to_owned(), "porto".to_owned()][..]));
        assert_eq!(first[1], None, "a block that is gone has no names");
        let is_known = || Arc::ptr_eq(first[0].as_ref().unwrap(), read()[0].as_ref().unwrap());
        assert!(is_known(), "the second question reads no text");
        names.forget(&id);
        assert!(!is_known());
    }
}
