//! Enforces that untrusted sources cannot set reserved tags and categories, which define the
//! agent's identity.
//!
//! The check runs at the end of every operation. An untrusted block with a reserved label makes the
//! whole operation fail. Verbs with many texts (imports, dreams) drop such labels beforehand and
//! report it.

use elfmem_core::provenance::is_reserved;
use elfmem_core::{Category, OperationKind};
use elfmem_store::{ChangedLabels, Transaction};

use crate::moment::Moment;
use crate::{Error, Result};

pub(crate) fn refuse_reserved(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    operation: &OperationKind,
) -> Result<()> {
    // An undo puts back what was trusted then. An import leaves such labels off by itself unless the memory is one's own.
    if operation.brings_back() {
        return Ok(());
    }
    for ChangedLabels { block_id, tags, category } in transaction.changed_labels()? {
        let labels = tags.iter().map(|tag| tag.as_str()).chain(category.as_ref().map(Category::as_str));
        let Some(label) = labels.into_iter().find(|label| is_reserved(label)) else { continue };
        // A later change in the same operation may have removed the label, so the current state
        // decides.
        let Some(block) = block_id.map(|id| transaction.get_block(&id)).transpose()?.flatten() else { continue };
        let still = block.tags.iter().any(|tag| is_reserved(tag.as_str())) || is_reserved(block.category.as_str());
        if still && moment.untrusted.distrust(&block) {
            let (label, brought_by) = (label.to_owned(), block.brought_by.in_words());
            return Err(Error::Untrusted { id: block.id, label, source_name: block.source, brought_by });
        }
    }
    Ok(())
}
