//! Screening of rows: every text of every kind of row that comes from elsewhere.

use elfmem_core::{Block, BlockReplacement, BroughtBy, Category, DocumentLabels, DocumentPart, Tag};
use elfmem_store::{BlockRow, Provenance, Row};
use elfmem_text::secrets::{Redactions, SecretsPolicy};
use serde_json::Value;

use super::Screen;

/// A row after its screening.
pub(crate) enum ScreenedRow {
    /// It contains no secret.
    Unchanged,
    /// The row with its secrets redacted.
    Redacted(Box<Row>),
    /// A name in it contains a secret. Redacted names of different things would be equal.
    SecretName,
}

/// Returns a block with the secrets of all its texts redacted. It keeps its id.
pub(crate) fn screen_block(block: &Block, screen: &mut Screen) -> Block {
    let BroughtBy { surface, client, document, peer } = &block.brought_by;
    let brought_by = BroughtBy {
        surface: screen.pass_optional(surface.as_ref()),
        client: screen.pass_optional(client.as_ref()),
        document: screen.pass_optional(document.as_ref()),
        peer: screen.pass_optional(peer.as_ref()),
    };
    Block {
        content: screen.pass(&block.content).into_owned(),
        cue: screen.pass_optional(block.cue.as_ref()),
        summary: screen.pass_optional(block.summary.as_ref()),
        category: Category::from_stored(&screen.pass(block.category.as_str())),
        source: screen.pass(&block.source).into_owned(),
        tags: block.tags.iter().map(|tag| Tag::from_stored(&screen.pass(tag.as_str()))).collect(),
        brought_by,
        parts: block.parts.iter().map(|part| screen_part(part, screen)).collect(),
        replacement: block.replacement.as_ref().map(|replacement| BlockReplacement {
            reason: screen.pass(&replacement.reason).into_owned(),
            ..replacement.clone()
        }),
        ..block.clone()
    }
}

fn screen_part(part: &DocumentPart, screen: &mut Screen) -> DocumentPart {
    DocumentPart {
        document: screen.pass(&part.document).into_owned(),
        source: screen.pass(&part.source).into_owned(),
        headings: screen.pass_all(&part.headings),
        position: part.position,
        verbatim: screen.pass_optional(part.verbatim.as_ref()),
        labels: part.labels.as_ref().map(|labels| DocumentLabels {
            tags: labels.tags.iter().map(|tag| Tag::from_stored(&screen.pass(tag.as_str()))).collect(),
            category: labels.category.as_ref().map(|category| Category::from_stored(&screen.pass(category.as_str()))),
            ..labels.clone()
        }),
    }
}

/// Screens a block row. The vector of a redacted text is dropped: it was made from the secret.
fn screen_block_row(row: &BlockRow, screen: &mut Screen) -> BlockRow {
    let block = screen_block(&row.block, screen);
    let vector = row.vector.clone().filter(|_| block.content == row.block.content);
    let Provenance { source_peer, share, envelope_json } = &row.provenance;
    let provenance = Provenance {
        source_peer: screen.pass_optional(source_peer.as_ref()),
        share: share.clone(),
        envelope_json: screen.pass_optional(envelope_json.as_ref()),
    };
    BlockRow { block, provenance, vector }
}

/// Screens a row and counts what was redacted.
pub(crate) fn screen_row(row: &Row, policy: SecretsPolicy) -> (ScreenedRow, Redactions) {
    let mut screen = Screen::new(policy);
    for name in names(row) {
        screen.pass(&name);
    }
    if !screen.found.is_empty() {
        return (ScreenedRow::SecretName, screen.found);
    }
    let mut screened = row.clone();
    match &mut screened {
        Row::Edge(edge) => screen.replace_optional(&mut edge.note),
        Row::Contradiction(found) => {
            screen.replace_optional(&mut found.reason);
            screen.replace_optional(&mut found.note);
        }
        Row::Outcome(record) => screen.replace(&mut record.source),
        Row::Proposal(proposal) => {
            screen.replace(&mut proposal.reason);
            screen.replace_optional(&mut proposal.text);
            screen.replace_optional(&mut proposal.tag);
        }
        Row::Session(session) => screen.replace(&mut session.task_type),
        Row::Tombstone(tombstone) => screen.replace(&mut tombstone.actor),
        Row::Event(event) => {
            event.payload = screen_json(&event.payload, &mut screen);
            screen.replace(&mut event.content);
        }
        Row::Link(link) => screen.replace_optional(&mut link.note),
        Row::Block(row) => **row = screen_block_row(row, &mut screen),
        Row::Pair(_) | Row::Frame(_) | Row::Setting(_) | Row::Context(_) | Row::Enrolment(_) | Row::Effect(_) => {}
    }
    let screened =
        if screen.found.is_empty() { ScreenedRow::Unchanged } else { ScreenedRow::Redacted(Box::new(screened)) };
    (screened, screen.found)
}

/// Returns the names in a row: ids, contexts, relations and patterns that callers choose.
fn names(row: &Row) -> Vec<String> {
    match row {
        Row::Block(row) => {
            let Block { id, last_session_id, superseded_by, embedding_model, .. } = &row.block;
            let session = last_session_id.iter().map(ToString::to_string);
            let ids = [Some(id), superseded_by.as_ref()].into_iter().flatten().map(ToString::to_string);
            session.chain(ids).chain(embedding_model.clone()).collect()
        }
        Row::Edge(edge) => vec![edge.relation_type.to_string(), edge.origin.as_str().to_owned()],
        Row::Outcome(record) => vec![record.outcome_id.clone()],
        Row::Session(session) => vec![session.id.to_string()],
        Row::Frame(frame) => {
            let filters = &frame.filters;
            let patterns = [&frame.guarantees, &filters.tag_patterns, &filters.exclude_tags, &filters.categories];
            let patterns = patterns.into_iter().flatten().cloned();
            [frame.name.clone(), frame.template.clone()].into_iter().chain(patterns).collect()
        }
        Row::Event(event) => {
            let context = event.context_id.iter().map(ToString::to_string);
            let session = event.session_id.iter().map(ToString::to_string);
            let targets = event.links.iter().map(|link| link.target.to_string());
            context.chain(session).chain([event.id.clone()]).chain(targets).collect()
        }
        Row::Context(context) => vec![context.id.to_string()],
        Row::Enrolment(enrolment) => vec![enrolment.context_id.to_string()],
        Row::Link(link) => {
            let ends = [link.key.from.to_string(), link.key.to.to_string()];
            ends.into_iter().chain(link.event_id.clone()).collect()
        }
        Row::Effect(effect) => vec![effect.key.from.to_string(), effect.key.to.to_string()],
        Row::Pair(pair) => pair.sessions.iter().map(ToString::to_string).collect(),
        Row::Tombstone(tombstone) => vec![tombstone.block_id.to_string()],
        Row::Setting(setting) => vec![setting.key.clone(), setting.value.clone()],
        Row::Contradiction(_) | Row::Proposal(_) => Vec::new(),
    }
}

/// Screens the texts and field names of a JSON value.
pub(crate) fn screen_json(value: &Value, screen: &mut Screen) -> Value {
    match value {
        Value::String(text) => Value::String(screen.pass(text).into_owned()),
        Value::Array(values) => values.iter().map(|value| screen_json(value, screen)).collect(),
        // An assignment is recognised by its name, so the two are looked at together.
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| (screen.pass(name).into_owned(), screen_field(name, value, screen)))
            .collect(),
        other => other.clone(),
    }
}

fn screen_field(name: &str, value: &Value, screen: &mut Screen) -> Value {
    let Some(text) = value.as_str() else { return screen_json(value, screen) };
    let assigned = format!("{name}={text}");
    match screen.pass(&assigned).strip_prefix(name).and_then(|rest| rest.strip_prefix('=')) {
        Some(kept) => Value::String(kept.to_owned()),
        None => Value::String(screen.pass(text).into_owned()),
    }
}
