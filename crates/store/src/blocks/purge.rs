//! Purging: removing every word of a block from every row and from the journal.

use elfmem_core::{Block, BlockId};
use serde_json::{Value, json};

use super::{Tombstone, WriteBlocks};
use crate::rows::{RowKey, missing};
use crate::{
    Change, Entity, Event, Internal, JournalRecord, JournalSelection, PURGED, Result, Row, RowEdit, RowKind, RowQuery,
};

/// What replaces a text that held words of a purged block.
pub const REDACTED: &str = "(its words were purged)";

/// The shortest word that counts as one; numbers always count.
const SHORTEST_WORD: usize = 3;

/// Removes a block and every word of it, and leaves a tombstone in its scope.
pub(super) fn purge(rows: &mut (impl WriteBlocks + ?Sized), tombstone: &Tombstone) -> Result<()> {
    let id = &tombstone.block_id;
    let block = rows.get_block(id)?.ok_or_else(|| missing("block", id))?;
    let relatives = rows.get_lineage(id)?;
    let proposals = proposals_about(rows, id)?;
    rows.delete_row(&RowKey::Block(id.clone()), Internal(()))?;
    let events = remove_events(rows, &block)?;
    remove_links(rows, id)?;
    let traces =
        Traces { words: words_of(&block), quoted: as_json(&block.content), block, relatives, proposals, events };
    redact_rows(rows, &traces)?;
    redact_journal(rows, &traces)?;
    let stone = Row::Tombstone(tombstone.clone());
    rows.delete_row(&stone.key(), Internal(()))?;
    rows.insert_row(&stone, &traces.block.scope, Internal(()))?;
    rows.recorder(Internal(())).record_purge(id);
    Ok(())
}

/// By what the words of a purged block are found elsewhere.
struct Traces {
    block: Block,
    /// The distinct words of the block, lowercased.
    words: Vec<String>,
    /// The text as it stands inside JSON.
    quoted: String,
    /// The blocks that it superseded, or that superseded it.
    relatives: Vec<BlockId>,
    /// The numbers of the proposals about it, as the journal names them.
    proposals: Vec<String>,
    /// The ids of the events that quoted it and became no block.
    events: Vec<String>,
}

/// Returns the numbers of the proposals about a block. Later changes of a proposal name it by its number alone.
fn proposals_about(rows: &mut (impl WriteBlocks + ?Sized), id: &BlockId) -> Result<Vec<String>> {
    let mut numbers = Vec::new();
    let collect = &mut |row: &mut Row| {
        if let Row::Proposal(proposal) = row {
            numbers.push(proposal.number.to_string());
        }
        RowEdit::Keep
    };
    rows.rewrite_rows(RowQuery::of(RowKind::Proposal, std::slice::from_ref(id)), collect, Internal(()))?;
    Ok(numbers)
}

/// Removes the events that became the block, and those that became no block and quote it whole. An event that became another block is
/// removed with that one. Returns the ids of the second group.
fn remove_events(rows: &mut (impl WriteBlocks + ?Sized), block: &Block) -> Result<Vec<String>> {
    let quoted = as_json(&block.content);
    let quotes_block =
        |event: &Event| quotes(&event.content, &block.content) || quotes(&event.payload.to_string(), &quoted);
    let mut removed = Vec::new();
    let edit = &mut |row: &mut Row| match row {
        Row::Event(event) if event.block_id.as_ref() == Some(&block.id) => RowEdit::Remove,
        Row::Event(event) if event.block_id.is_none() && quotes_block(event) => {
            removed.push(event.id.clone());
            RowEdit::Remove
        }
        _ => RowEdit::Keep,
    };
    rows.rewrite_rows(RowQuery::all(RowKind::Event), edit, Internal(()))?;
    Ok(removed)
}

/// Removes the effects of links at the block on other blocks. The links themselves were removed with it.
fn remove_links(rows: &mut (impl WriteBlocks + ?Sized), id: &BlockId) -> Result<()> {
    let edit = &mut |row: &mut Row| match row {
        Row::Effect(effect) if [&effect.key.from, &effect.key.to].into_iter().any(|end| end.block() == Some(id)) => {
            RowEdit::Remove
        }
        _ => RowEdit::Keep,
    };
    rows.rewrite_rows(RowQuery::all(RowKind::Effect), edit, Internal(()))
}

/// Redacts proposed texts that quote the block, and the notes and reasons at its relatives that use a word of it.
fn redact_rows(rows: &mut (impl WriteBlocks + ?Sized), traces: &Traces) -> Result<()> {
    let quoting = &mut |row: &mut Row| match row {
        Row::Proposal(proposal) if proposal.text.as_ref().is_some_and(|text| quotes(text, &traces.block.content)) => {
            proposal.text = Some(REDACTED.to_owned());
            RowEdit::Replace
        }
        _ => RowEdit::Keep,
    };
    rows.rewrite_rows(RowQuery::all(RowKind::Proposal), quoting, Internal(()))?;
    if traces.relatives.is_empty() {
        return Ok(());
    }
    for kind in [RowKind::Proposal, RowKind::Contradiction, RowKind::Edge, RowKind::Block] {
        let words = &traces.words;
        let edit = &mut |row: &mut Row| {
            let redacted = match row {
                Row::Proposal(proposal) => redact_text(&mut proposal.reason, words) | redact(&mut proposal.text, words),
                Row::Contradiction(found) => redact(&mut found.reason, words) | redact(&mut found.note, words),
                Row::Edge(edge) => redact(&mut edge.note, words),
                Row::Block(row) => {
                    row.block.replacement.as_mut().is_some_and(|one| redact_text(&mut one.reason, words))
                }
                _ => false,
            };
            if redacted { RowEdit::Replace } else { RowEdit::Keep }
        };
        rows.rewrite_rows(RowQuery::of(kind, &traces.relatives).with_vectors(), edit, Internal(()))?;
    }
    Ok(())
}

fn redact(text: &mut Option<String>, words: &[String]) -> bool {
    text.as_mut().is_some_and(|text| redact_text(text, words))
}

/// Replaces a text that holds one of the words; whether it did.
fn redact_text(text: &mut String, words: &[String]) -> bool {
    let found = holds_one(text, words);
    if found {
        REDACTED.clone_into(text);
    }
    found
}

/// Redacts the summaries and images in the journal that tell of the block.
fn redact_journal(rows: &mut (impl WriteBlocks + ?Sized), traces: &Traces) -> Result<()> {
    let numbers: Vec<String> = traces.proposals.iter().map(|number| format!("\"{number}\"")).collect();
    let relatives = traces.relatives.iter().map(BlockId::as_str);
    let mut mentioning = vec![traces.block.id.as_str(), &traces.block.content, &traces.quoted];
    mentioning.extend(traces.events.iter().chain(&numbers).map(String::as_str).chain(relatives));
    let selection = JournalSelection { mentioning: &mentioning, ..JournalSelection::default() };
    let edit = &mut |record: &mut JournalRecord| match traces.redact_record(record) {
        true => RowEdit::Replace,
        false => RowEdit::Keep,
    };
    rows.rewrite_journal(selection, edit, Internal(()))
}

impl Traces {
    /// Takes the words of the block out of an operation; whether there were any.
    fn redact_record(&self, record: &mut JournalRecord) -> bool {
        let id = self.block.id.as_str();
        let touches = record.changes.iter().flat_map(Change::touched).any(|touched| touched == id);
        let summary = &record.header.summary;
        let mut redacted = summary.contains(&self.block.content) || touches && holds_one(summary, &self.words);
        if redacted {
            REDACTED.clone_into(&mut record.header.summary);
        }
        for change in &mut record.changes {
            redacted |= if self.is_told_by(change) { purge_images(change) } else { self.redact_change(change) };
        }
        redacted
    }

    /// Whether a change tells of the block: of its row, of a row attached to it, of an event or a proposal that quotes it.
    fn is_told_by(&self, change: &Change) -> bool {
        let id = self.block.id.as_str();
        let quoting = || images(change).any(|image| quotes(&image.to_string(), &self.quoted));
        let became =
            |block: Option<&str>| images(change).any(|image| image.get("block_id").and_then(Value::as_str) == block);
        change.names(id)
            || match change.entity {
                Entity::Proposal => {
                    self.proposals.contains(&change.id) || mentions(change, &[&self.block.id]) || quoting()
                }
                Entity::Event => {
                    let event = change.ends().0;
                    self.events.iter().any(|removed| removed == event) || became(Some(id)) || became(None) && quoting()
                }
                _ => false,
            }
    }

    /// Redacts the free texts of a change of a row attached to a relative; whether there was anything to redact.
    fn redact_change(&self, change: &mut Change) -> bool {
        let of_relative = match change.entity {
            Entity::Proposal => mentions(change, &self.relatives.iter().collect::<Vec<_>>()),
            _ => self.relatives.iter().any(|relative| change.is_about(relative.as_str())),
        };
        if !of_relative {
            return false;
        }
        let mut redacted = false;
        for image in [&mut change.before, &mut change.after].into_iter().flatten() {
            let names: &[&str] = match change.entity {
                // The text and the labels of a relative are its own; only why it was replaced tells of the block.
                Entity::Block => &["/replacement/reason"],
                _ => &["/reason", "/note", "/text"],
            };
            for name in names {
                let text = image
                    .pointer_mut(name)
                    .filter(|text| text.as_str().is_some_and(|text| holds_one(text, &self.words)));
                if let Some(text) = text {
                    *text = REDACTED.into();
                    redacted = true;
                }
            }
        }
        redacted
    }
}

fn images(change: &Change) -> impl Iterator<Item = &Value> {
    [&change.before, &change.after].into_iter().flatten()
}

/// Replaces both images by a mark.
fn purge_images(change: &mut Change) -> bool {
    if change.is_folded() {
        change.before = Some(json!({ PURGED: true }));
    }
    for image in [&mut change.before, &mut change.after].into_iter().flatten() {
        *image = json!({ PURGED: true });
    }
    true
}

/// Whether an image of a change names one of some blocks.
fn mentions(change: &Change, ids: &[&BlockId]) -> bool {
    images(change).map(Value::to_string).any(|image| ids.iter().any(|id| image.contains(id.as_str())))
}

/// The distinct words of everything that was written about a block, lowercased.
fn words_of(block: &Block) -> Vec<String> {
    let mut texts = vec![block.content.as_str()];
    texts.extend([&block.summary, &block.cue].into_iter().flatten().map(String::as_str));
    texts.extend(block.tags.iter().map(|tag| tag.as_str()));
    let lowercase = texts.join(" ").to_lowercase();
    let counts = |word: &&str| word.chars().count() >= SHORTEST_WORD || word.contains(char::is_numeric);
    let mut words: Vec<String> =
        lowercase.split(|c: char| !c.is_alphanumeric()).filter(counts).map(str::to_owned).collect();
    words.sort_unstable();
    words.dedup();
    words
}

fn holds_one(text: &str, words: &[String]) -> bool {
    let text = text.to_lowercase();
    words.iter().any(|word| text.contains(word))
}

/// A text as it stands inside a JSON string.
fn as_json(content: &str) -> String {
    let quoted = serde_json::to_string(content).unwrap_or_default();
    quoted.trim_matches('"').to_owned()
}

/// Returns whether a text holds another whole, as words of its own and not as a part of longer ones. Case does not matter.
fn quotes(text: &str, quoted: &str) -> bool {
    let (text, quoted) = (text.to_lowercase(), quoted.to_lowercase());
    !quoted.is_empty()
        && text.match_indices(&quoted).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let after = text[at + quoted.len()..].chars().next();
            !before.into_iter().chain(after).any(char::is_alphanumeric)
        })
}

#[cfg(test)]
mod tests {
    use super::quotes;

    #[test]
    fn a_text_is_quoted_as_words_of_its_own() {
        for text in ["one", "Only ONE.", "\"one\"", "one-off"] {
            assert!(quotes(text, "one"), "{text}");
        }
        for text in ["someone", "ones", "stone", "", "two"] {
            assert!(!quotes(text, "one"), "{text}");
        }
        assert!(!quotes("anything", ""));
    }
}
