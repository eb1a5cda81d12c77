//! Imports texts of other programs like learned texts, but without counting a use.

use std::collections::HashSet;

use elfmem_core::provenance::IMPORT;
use elfmem_core::{
    Block, BlockId, BlockStatus, BroughtBy, Category, DocumentLabels, DocumentPart, Edge, EdgeKey, EdgeOrigin,
    EdgeWeight, Relation, SessionId, Trust,
};
use elfmem_store::Transaction;
use elfmem_text::secrets::SecretsPolicy;

use super::import::{ImportOptions, PROGRESS_INTERVAL};
use super::moved::rename_documents;
use super::notes::EarlierNotes;
use super::peer_rows::NOT_OF_PEER;
use super::related_rows::import_edge;
use super::result::ImportResult;
use crate::documents::{has_room, set_labels};
use crate::import::{ImportFormat, ImportedTags, ImportedText, NotesOrigin, TextEdge, TextSet};
use crate::knowledge_graph::StoredGraph;
use crate::learn::{CheckedLearn, DroppedLabels, bring_back, new_block, stored_block, take_over};
use crate::moment::Moment;
use crate::progress::Progress;
use crate::secrets::{Screen, refuse_secret_name};
use crate::trust::Repeat;
use crate::{Error, Result};

/// Why an item of an untrusted graph stays outside of the graph of the memory.
const OWNERS_ENTITY: &str = "it is about an entity of a trusted source: stored as text, outside of the graph";

pub(super) fn import(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    format: ImportFormat,
    set: &TextSet,
    secrets: SecretsPolicy,
    options: &ImportOptions,
) -> Result<ImportResult> {
    let mut result = ImportResult::new(format, &set.left_out);
    let cut: TextSet;
    let (set, earlier) = match set.notes.is_empty() && set.origin.is_none() {
        true => (set, EarlierNotes::default()),
        false => {
            if let Some(NotesOrigin::Folder { path, moved_from: Some(from) }) = &set.origin
                && options.peer.is_none()
            {
                rename_documents(transaction, moment, from, path, secrets)?;
                result.moved_from = Some(from.display().to_string());
            }
            let earlier;
            (cut, earlier) = EarlierNotes::cut(&*transaction, moment, set, secrets, options, &mut result)?;
            (&cut, earlier)
        }
    };
    result.warn_of(&set.remarks);
    let mut chunks: Vec<CheckedLearn> = Vec::new();
    let mut ids: Vec<Option<BlockId>> = Vec::with_capacity(set.texts.len());
    let mut own: HashSet<BlockId> = HashSet::new();
    // What a peer sends is no part of the graph of the memory.
    let is_graph = options.peer.is_none() && set.texts.iter().any(|text| text.item.is_some());
    let mut graph = is_graph.then(|| StoredGraph::load(&*transaction, &moment.trust)).transpose()?;
    for (at, text) in set.texts.iter().enumerate() {
        if at.is_multiple_of(PROGRESS_INTERVAL) {
            options.report(Progress::Done(at));
        }
        let stored = store(transaction, moment, text, secrets, options, &earlier, &mut result)?;
        chunks.extend(stored.as_ref().and_then(|stored| stored.chunk.clone()));
        if let Some(Stored { id, may_change: true, .. }) = &stored {
            own.insert(id.clone());
            if let (Some(item), Some(graph)) = (&text.item, &mut graph) {
                match item.check_names(secrets) {
                    Ok(())
                        if moment.speaker == Trust::Untrusted
                            && graph.is_about_trusted(transaction, moment, item)? =>
                    {
                        result.skip(OWNERS_ENTITY, || text.place.clone());
                    }
                    Ok(()) => graph.place(transaction, id, item.clone())?,
                    Err(error) => result.skip(error.message().trim_end_matches('.'), || text.place.clone()),
                }
            }
        }
        ids.push(stored.map(|stored| stored.id));
    }
    earlier.replace(transaction, moment, &chunks, &mut result)?;
    for edge in &set.edges {
        if let (Some(from), Some(to)) = (&ids[edge.from], &ids[edge.to]) {
            if moment.speaker == Trust::Untrusted && !(own.contains(from) && own.contains(to)) {
                result.skip(NOT_OF_PEER, || format!("{} and {}", from.short(), to.short()));
                continue;
            }
            connect(transaction, moment, from, to, edge, secrets, &mut result)?;
        }
    }
    if let Some(graph) = &graph {
        graph.link_relations(transaction, moment, |_| true)?;
    }
    Ok(result)
}

/// A text that is stored.
struct Stored {
    id: BlockId,
    /// Whether the import may change the block.
    may_change: bool,
    /// The text, if it is a part of a document.
    chunk: Option<CheckedLearn>,
}

impl Stored {
    fn new(checked: CheckedLearn, may_change: bool) -> Self {
        Self { id: checked.id.clone(), may_change, chunk: checked.part.is_some().then_some(checked) }
    }
}

/// Stores a text. Returns `None` if it was skipped.
fn store(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    text: &ImportedText,
    secrets: SecretsPolicy,
    options: &ImportOptions,
    earlier: &EarlierNotes,
    result: &mut ImportResult,
) -> Result<Option<Stored>> {
    let place = || text.place.clone();
    let labels = ImportedTags::parse(text.learn.labels.tags.iter().map(String::as_str), false);
    for reason in &labels.dropped {
        result.skip(reason, place);
    }
    let mut learn = text.learn.clone();
    learn.labels.tags = labels.texts().collect();
    let mut checked = match learn.checked(secrets) {
        Ok(checked) => checked.in_scope(&*transaction)?,
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
    let (surface, peer) = (Some(IMPORT.to_owned()), options.peer.clone());
    checked.origin = BroughtBy { surface, client: None, peer, ..checked.origin };
    checked.part =
        text.part.clone().map(|part| DocumentPart { labels: Some(labels_of(text, &checked, moment)), ..part });
    let stored = match stored_block(&*transaction, &checked) {
        Err(Error::IdCollision { .. }) => {
            result.skip("another block has its id", place);
            return Ok(None);
        }
        stored => stored?,
    };
    match stored {
        Some(known) if known.status == BlockStatus::Archived => {
            if let Some(standing) = earlier.representative(&known.id) {
                result.merged += 1;
                return Ok(Some(Stored { id: standing.clone(), may_change: false, chunk: None }));
            }
            let speaker = moment.trust_of(&checked.source, &checked.origin);
            let counts = matches!(Repeat::of(moment, speaker, &known), Repeat::Use | Repeat::Label);
            if text.part.is_none() || !counts || !was_taken_out(&known) {
                result.skip("it is archived here; restore brings it back", place);
                return Ok(None);
            }
            for warning in bring_back(transaction, moment, &checked, &known)?.warnings() {
                result.skip(warning.trim_end_matches('.'), place);
            }
            result.created += 1;
        }
        Some(known) => {
            result.merged += 1;
            let speaker = moment.trust_of(&checked.source, &checked.origin);
            let came_alike = |one: &BroughtBy| (one.surface.clone(), one.client.clone(), one.peer.clone());
            let is_own = came_alike(&known.brought_by) == came_alike(&checked.origin);
            match Repeat::of(moment, speaker, &known) {
                Repeat::TakeOver => {
                    take_over(transaction, moment, &checked, &known)?;
                }
                Repeat::Ignore => return Ok(Some(Stored::new(checked, false))),
                Repeat::Label if !is_own => return Ok(Some(Stored::new(checked, false))),
                Repeat::Use | Repeat::Label => {
                    let (left_out, is_updated) = merge(transaction, moment, &checked)?;
                    if is_updated {
                        result.count_updated(&checked.id);
                    }
                    for warning in left_out.warnings() {
                        result.skip(warning.trim_end_matches('.'), place);
                    }
                }
            }
        }
        None => {
            let mut block = new_block(&checked, moment, transaction);
            // A creation time in the future is an error of the source.
            block.created_at = text.created_at.map_or(moment.at, |at| at.min(moment.at));
            // The session of a file has its name.
            let mut screen = Screen::new(secrets);
            let session = text.session.as_ref().map(|session| SessionId::from_stored(&screen.pass(session.as_str())));
            result.redacted.merge(&screen.finish()?);
            block.last_session_id = session.or(block.last_session_id);
            match transaction.insert_block(&block) {
                Err(elfmem_store::StoreError::Duplicate { .. }) => {
                    result.skip("another scope of this memory contains it", place);
                    return Ok(None);
                }
                other => other?,
            }
            result.created += 1;
        }
    }
    Ok(Some(Stored::new(checked, true)))
}

/// Returns true if a later version of the note that brought a block did not contain it. One that somebody archived is still
/// in its note.
fn was_taken_out(block: &Block) -> bool {
    let document = block.brought_by.document.as_deref();
    document.is_some_and(|name| !block.parts.iter().any(|part| part.belongs_to(name, &block.source)))
}

/// Returns what the front matter of a note gives to its texts.
fn labels_of(text: &ImportedText, checked: &CheckedLearn, moment: &Moment) -> DocumentLabels {
    DocumentLabels {
        tags: checked.tags.clone(),
        category: Some(checked.category.clone()).filter(|category| *category != Category::default()),
        event_at: text.learn.event_at,
        // A creation time in the future is an error of the source.
        created_at: text.created_at.map(|at| at.min(moment.at)),
    }
}

/// Adds the tags, cues and event time of the file to an existing block; a part of a note gets those of the note in the place
/// of the earlier ones. Returns what was left out, and whether the block says something else of itself now.
fn merge(transaction: &mut dyn Transaction, moment: &Moment, new: &CheckedLearn) -> Result<(DroppedLabels, bool)> {
    let (mut left_out, mut is_updated) = (DroppedLabels::default(), false);
    transaction.update_block(&new.id, &mut |block| {
        let before = block.clone();
        match &new.part {
            Some(part) => {
                let otherwise = DocumentLabels {
                    category: Some(Category::default()),
                    // Without the date of its note, a text has the date in its words.
                    event_at: new.event_at,
                    created_at: Some(moment.at),
                    ..DocumentLabels::default()
                };
                left_out = DroppedLabels::of_tags(set_labels(block, part, &otherwise));
            }
            None => {
                left_out = new.add_labels_to(block, moment);
                block.event_at = block.event_at.or(new.event_at);
            }
        }
        is_updated = describes_otherwise(&before, block);
    })?;
    Ok((left_out, is_updated))
}

/// Returns true if labels, dates, documents or headings of a block changed.
fn describes_otherwise(before: &Block, after: &Block) -> bool {
    let labels = |block: &Block| (block.tags.clone(), block.category.clone(), block.cue.clone());
    let dates = |block: &Block| (block.event_at, block.created_at);
    let places = |block: &Block| {
        block.parts.iter().map(|part| (part.document.clone(), part.headings.clone())).collect::<Vec<_>>()
    };
    labels(before) != labels(after) || dates(before) != dates(after) || places(before) != places(after)
}

fn connect(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    from: &BlockId,
    to: &BlockId,
    text_edge: &TextEdge,
    secrets: SecretsPolicy,
    result: &mut ImportResult,
) -> Result<()> {
    // Two texts with the same content are one block.
    let Some(key) = EdgeKey::canonical(from, to) else { return Ok(()) };
    let named = refuse_secret_name("relation", &text_edge.relation, secrets).is_ok();
    let Some(relation) = Relation::parse(&text_edge.relation).ok().filter(|_| named) else {
        result.skip("the relation is invalid", || format!("{} and {}", from.short(), to.short()));
        return Ok(());
    };
    let origin = if text_edge.consecutive { EdgeOrigin::DOCUMENT } else { EdgeOrigin::new("import") };
    let mut edge = Edge::new(key, relation, origin, moment.at);
    if let Some(weight) = text_edge.weight {
        edge.weight = EdgeWeight::saturating(weight);
    }
    let mut screen = Screen::new(secrets);
    edge.note = screen.pass_optional(text_edge.note.as_ref());
    result.redacted.merge(&screen.finish()?);
    edge.asserted_from = (!text_edge.consecutive).then(|| from.clone());
    let room = has_room(&*transaction, &edge.key)?;
    import_edge(transaction, &edge, room, result)
}
