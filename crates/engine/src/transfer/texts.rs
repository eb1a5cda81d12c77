//! Texts of other programs come in like texts that are learned, without counting as used.

use elfmem_core::provenance::IMPORT;
use elfmem_core::{BlockId, BlockStatus, BroughtBy, Edge, EdgeKey, EdgeOrigin, EdgeWeight, Relation};
use elfmem_store::Transaction;
use elfmem_text::secrets::SecretsPolicy;

use super::attached::place_edge;
use super::import::{ImportOptions, REPORTED};
use super::result::ImportResult;
use crate::Result;
use crate::document::has_room;
use crate::import::{Format, Join, Labels, Piece, TextSet};
use crate::learn::{CheckedLearn, LeftOut, new_block};
use crate::moment::Moment;
use crate::progress::Progress;

pub(super) fn write(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    format: Format,
    set: &TextSet,
    secrets: SecretsPolicy,
    options: &ImportOptions,
) -> Result<ImportResult> {
    let mut result = ImportResult::new(format);
    for (reason, place) in &set.left_out {
        result.skip(reason, || place.clone());
    }
    let mut ids: Vec<Option<BlockId>> = Vec::with_capacity(set.pieces.len());
    for (at, piece) in set.pieces.iter().enumerate() {
        if at.is_multiple_of(REPORTED) {
            options.tell(Progress::Done(at));
        }
        ids.push(store(transaction, moment, piece, secrets, options, &mut result)?);
    }
    for join in &set.joins {
        if let (Some(from), Some(to)) = (&ids[join.from], &ids[join.to]) {
            connect(transaction, moment, from, to, join, &mut result)?;
        }
    }
    Ok(result)
}

/// Stores a text; the block that holds it now, none when it was left out.
fn store(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    piece: &Piece,
    secrets: SecretsPolicy,
    options: &ImportOptions,
    result: &mut ImportResult,
) -> Result<Option<BlockId>> {
    let place = || piece.place.clone();
    let labels = Labels::of(piece.learn.labels.tags.iter().map(String::as_str), false);
    for reason in &labels.dropped {
        result.skip(reason, place);
    }
    let mut learn = piece.learn.clone();
    learn.labels.tags = labels.texts().collect();
    let checked = match learn.checked(secrets) {
        Ok(checked) => checked,
        Err(error) => {
            result.skip(error.message().trim_end_matches('.'), place);
            return Ok(None);
        }
    };
    result.redacted.merge(&checked.redacted);
    if transaction.find_tombstone(checked.id.as_str())?.is_some_and(|stone| stone.block_id == checked.id) {
        result.skip("it was purged here", place);
        return Ok(None);
    }
    match transaction.get_block(&checked.id)? {
        Some(known) if known.status == BlockStatus::Archived => {
            result.skip("it is archived here; restore brings it back", place);
            return Ok(None);
        }
        Some(_) => {
            for warning in merge(transaction, &checked)?.warnings() {
                result.skip(warning.trim_end_matches('.'), place);
            }
            result.merged += 1;
        }
        None => {
            let mut block = new_block(&checked, moment, transaction);
            let (surface, peer) = (Some(IMPORT.to_owned()), options.peer.clone());
            block.brought_by = BroughtBy { surface, client: None, peer, ..block.brought_by };
            // Nothing is from the future.
            block.created_at = piece.created_at.map_or(moment.at, |at| at.min(moment.at));
            block.last_session_id = piece.session.clone().or(block.last_session_id);
            match transaction.insert_block(&block) {
                Err(elfmem_store::StoreError::Duplicate { .. }) => {
                    result.skip("another scope of this memory holds it", place);
                    return Ok(None);
                }
                other => other?,
            }
            result.created += 1;
        }
    }
    Ok(Some(checked.id))
}

/// Adds what the file knows beyond what is here.
fn merge(transaction: &mut dyn Transaction, new: &CheckedLearn) -> Result<LeftOut> {
    let mut left_out = LeftOut::default();
    transaction.update_block(&new.id, &mut |block| {
        left_out = new.add_labels_to(block);
        block.event_at = block.event_at.or(new.event_at);
    })?;
    Ok(left_out)
}

fn connect(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    from: &BlockId,
    to: &BlockId,
    join: &Join,
    result: &mut ImportResult,
) -> Result<()> {
    // Two pieces that say the same are one block.
    let Some(key) = EdgeKey::canonical(from, to) else { return Ok(()) };
    let Ok(relation) = Relation::parse(&join.relation) else {
        result.skip("the relation cannot be used", || format!("{} and {}", from.short(), to.short()));
        return Ok(());
    };
    let origin = if join.neighbours { EdgeOrigin::DOCUMENT } else { EdgeOrigin::new("import") };
    let mut edge = Edge::new(key, relation, origin, moment.at);
    if let Some(weight) = join.weight {
        edge.weight = EdgeWeight::saturating(weight);
    }
    edge.note.clone_from(&join.note);
    edge.asserted_from = (!join.neighbours).then(|| from.clone());
    let room = has_room(&*transaction, &edge.key)?;
    place_edge(transaction, &edge, room, result)
}
