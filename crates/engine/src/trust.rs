//! The one place that keeps what an untrusted source brought from saying who the agent is.
//!
//! Every operation ends here, whatever verb it was: a block that is not trusted and was given a reserved tag or category makes the
//! whole of it fail. Verbs that take in many texts at once (imports, dreams) leave such labels off before, and say so.

use elfmem_core::provenance::is_reserved;
use elfmem_core::{Category, OperationKind};
use elfmem_store::{ChangedLabels, Transaction};

use crate::moment::Moment;
use crate::{Error, Result};

pub(crate) fn refuse_reserved(transaction: &dyn Transaction, moment: &Moment, operation: &OperationKind) -> Result<()> {
    // An undo puts back what was trusted then. An import leaves such labels off by itself unless the memory is one's own.
    if operation.brings_back() {
        return Ok(());
    }
    for ChangedLabels { block_id, tags, category } in transaction.changed_labels()? {
        let labels = tags.iter().map(|tag| tag.as_str()).chain(category.as_ref().map(Category::as_str));
        let Some(label) = labels.into_iter().find(|label| is_reserved(label)) else { continue };
        // What was removed or changed again later in the same operation is judged by what it is now.
        let Some(block) = block_id.map(|id| transaction.get_block(&id)).transpose()?.flatten() else { continue };
        let still = block.tags.iter().any(|tag| is_reserved(tag.as_str())) || is_reserved(block.category.as_str());
        if still && moment.untrusted.distrust(&block) {
            let (label, brought_by) = (label.to_owned(), block.brought_by.in_words());
            return Err(Error::Untrusted { id: block.id, label, source_name: block.source, brought_by });
        }
    }
    Ok(())
}
