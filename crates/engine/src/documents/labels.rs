//! The labels that a document gives to its blocks: set, changed and withdrawn with its versions.

use elfmem_core::{Block, DecayTier, DocumentLabels, DocumentPart, Tag};
use elfmem_store::Transaction;

use super::key::DocumentKey;
use crate::Result;

/// Puts the labels that a version of a document gives to a block in the place of those of the earlier version. A label that
/// the block has from elsewhere stays, and is not recorded as one of the document.
///
/// `part` is the place of the block in the document; `otherwise` holds what the block has without the document. Returns the
/// number of tags that the block has no room for.
pub(crate) fn set_labels(block: &mut Block, part: &DocumentPart, otherwise: &DocumentLabels) -> usize {
    let given = part.labels.clone().unwrap_or_default();
    let is_same = |known: &DocumentPart| known.belongs_to(&part.document, &part.source);
    let earlier = block.parts.iter().find(|known| is_same(known)).map(|known| known.labels.clone());
    // A part without a record was stored before labels were recorded: they count as those of the document.
    let is_unrecorded = matches!(earlier, Some(None));
    let earlier = earlier.flatten().unwrap_or_default();
    let others: Vec<DocumentLabels> =
        block.parts.iter().filter(|known| !is_same(known)).filter_map(|known| known.labels.clone()).collect();
    let is_of_documents =
        |has: &dyn Fn(&DocumentLabels) -> bool| is_unrecorded || has(&earlier) || others.iter().any(has);

    let mut recorded = given.clone();
    recorded.tags.retain(|tag| !block.tags.contains(tag) || is_of_documents(&|labels| labels.tags.contains(tag)));
    let is_withdrawn = |tag: &Tag| earlier.tags.contains(tag) && !others.iter().any(|other| other.tags.contains(tag));
    block.retag(|tags| tags.retain(|tag| given.tags.contains(tag) || !is_withdrawn(tag)));
    let left_out = block.add_tags(given.tags.iter().cloned()).len();

    if block.event_at.is_none() || is_of_documents(&|labels| labels.event_at == block.event_at) {
        let of_another = others.iter().find_map(|other| other.event_at);
        block.event_at =
            given.event_at.or(of_another).or(otherwise.event_at).or(block.event_at.filter(|_| is_unrecorded));
    }
    recorded.event_at = given.event_at.filter(|at| block.event_at == Some(*at));

    if is_of_documents(&|labels| labels.category.as_ref() == Some(&block.category)) {
        let category = given.category.clone().or_else(|| otherwise.category.clone().filter(|_| !is_unrecorded));
        let tier = DecayTier::of(&block.tags, &block.category);
        block.category = category.unwrap_or_else(|| block.category.clone());
        let retiered = DecayTier::of(&block.tags, &block.category);
        if retiered != tier {
            block.decay_lambda = retiered.rate();
        }
    }
    recorded.category = given.category.clone().filter(|category| block.category == *category);

    if is_of_documents(&|labels| labels.created_at == Some(block.created_at)) {
        block.created_at =
            given.created_at.or(otherwise.created_at.filter(|_| !is_unrecorded)).unwrap_or(block.created_at);
    }
    recorded.created_at = given.created_at.filter(|at| block.created_at == *at);

    let part = DocumentPart { labels: Some(recorded), ..part.clone() };
    crate::learn::put_part(block, &part);
    left_out
}

/// Makes tags that somebody says outside of documents the block's own: they stay when a document withdraws them.
pub(crate) fn keep_tags(block: &mut Block, tags: &[Tag]) {
    for labels in block.parts.iter_mut().filter_map(|part| part.labels.as_mut()) {
        labels.tags.retain(|tag| !tags.contains(tag));
    }
}

/// Takes the tags that only this document gives away from a block that leaves it.
pub(super) fn withdraw_labels(transaction: &mut dyn Transaction, key: &DocumentKey, block: &Block) -> Result<()> {
    transaction.update_block(&block.id, &mut |block| {
        let labels_of = |part: &DocumentPart| part.labels.clone().unwrap_or_default().tags;
        let (own, others): (Vec<_>, Vec<_>) = block.parts.iter().partition(|part| key.contains(part));
        let kept: Vec<Tag> = others.into_iter().flat_map(labels_of).collect();
        let gone: Vec<Tag> = own.into_iter().flat_map(labels_of).filter(|tag| !kept.contains(tag)).collect();
        block.retag(|tags| tags.retain(|tag| !gone.contains(tag)));
    })?;
    Ok(())
}
