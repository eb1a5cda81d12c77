//! `edit`: changes labels in place, and replaces a block whose text changes.

use std::fmt;

use elfmem_core::{Block, BlockId, BroughtBy, Category, DecayTier, OperationKind, Speaker, Tag, Trust};
use elfmem_store::{Store, Transaction};
use elfmem_text::secrets::{Redactions, SecretsPolicy};
use serde::Serialize;

use super::request::Edit;
use super::{CareError, RedirectNote, live_block};
use crate::learn::{CheckedLearn, DEFAULT_SOURCE, Learn, checked_tags, refuse_crowded, store_block};
use crate::memory::Memory;
use crate::moment::Moment;
use crate::secrets::Screen;
use crate::supersede::{SuccessorKind, supersede};
use crate::trace;
use crate::{Error, Result};

/// The longest cue, in bytes.
const LONGEST_CUE: usize = 2_000;

impl Edit {
    fn checked(&self, secrets: SecretsPolicy) -> Result<CheckedEdit> {
        let given = [&self.content, &self.category, &self.cue].into_iter().any(Option::is_some);
        if !given && self.add_tags.is_empty() && self.remove_tags.is_empty() {
            return Err(CareError::EmptyEdit.into());
        }
        let policy = if self.secrets.allow_secrets { SecretsPolicy::Allow } else { secrets };
        let mut screen = Screen::new(policy);
        let cue = self.cue.as_deref().map(|cue| screen.pass(cue));
        let category = self.category.as_deref().map(|category| screen.pass(category));
        let added = screen.pass_all(&self.add_tags);
        let mut redacted = screen.finish()?;
        let content = self.content.as_deref().map(|text| Learn::new(text).checked(policy)).transpose()?;
        redacted.merge(&content.as_ref().map(|new| new.redacted.clone()).unwrap_or_default());
        Ok(CheckedEdit {
            content,
            redacted,
            category: category.as_deref().map(Category::parse).transpose()?,
            cue: cue.as_deref().map(checked_cue).transpose()?,
            added: checked_tags(&added)?,
            removed: checked_tags(&self.remove_tags)?,
        })
    }
}

fn checked_cue(cue: &str) -> Result<Option<String>> {
    let cue = cue.trim();
    let bad = |problem: String| Err(CareError::BadCue { problem }.into());
    if cue.len() > LONGEST_CUE {
        return bad(format!("is longer than {LONGEST_CUE} bytes"));
    }
    if cue.chars().any(|c| c.is_control() && c != '\n' && c != '\t') {
        return bad("contains a control character".to_owned());
    }
    Ok(Some(cue.to_owned()).filter(|cue| !cue.is_empty()))
}

/// A validated edit.
struct CheckedEdit {
    content: Option<CheckedLearn>,
    category: Option<Category>,
    cue: Option<Option<String>>,
    added: Vec<Tag>,
    removed: Vec<Tag>,
    redacted: Redactions,
}

/// Result of `edit`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct EditResult {
    /// The edited block, or its successor if the text changed.
    pub block_id: BlockId,
    /// The superseded block. `None` if the block was changed in place.
    pub previous: Option<BlockId>,
    /// The changed fields: `content`, `category`, `cue`, `tags`.
    pub changed: Vec<&'static str>,
    /// The requested block, if this one superseded it.
    pub led_from: Option<BlockId>,
    /// Number of secrets redacted from the text. Omitted from the JSON if there were none.
    #[serde(skip_serializing_if = "Redactions::is_empty")]
    pub redacted: Redactions,
}

impl fmt::Display for EditResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = self.block_id.short();
        match &self.previous {
            _ if self.changed.is_empty() => write!(f, "Nothing to change in block {id}.")?,
            None => write!(f, "Edited block {id}: {}.", self.changed.join(", "))?,
            Some(previous) => write!(
                f,
                "Edited block {}: block {id} holds the new text and is compared with the rest at the next dream.",
                previous.short()
            )?,
        }
        write!(f, "{}", RedirectNote(&self.led_from))?;
        self.redacted.write_suffix(f)?;
        match self.redacted.is_empty() {
            true => Ok(()),
            false => f.write_str(" edit(allow_secrets=true) stores it as it is."),
        }
    }
}

impl<S: Store> Memory<S> {
    /// Changes a block. Tags, category and cue change in place. Another text is another block: it takes the place of the
    /// old one, inherits its tags, edges, belief and counts, and waits in the inbox to be compared with the rest; the old one is archived
    /// and its id leads to the new one. See [`Edit`].
    ///
    /// # Errors
    /// An edit that says nothing, an archived block, a text, tag, category or cue that cannot be used.
    pub fn edit(&self, request: impl Into<Edit>) -> Result<EditResult> {
        let _span = trace::verb("edit");
        let request = request.into();
        let edit = request.checked(self.options.secrets)?;
        self.change(OperationKind::Edit, |transaction, moment| {
            let (block, led_from) = live_block(&*transaction, &moment.trust, &request.block_id)?;
            let (block_id, redacted) = (block.id.clone(), edit.redacted.clone());
            let mut result = EditResult { block_id, previous: None, changed: vec![], led_from, redacted };
            let labelled = transaction.update_block(&block.id, &mut |block| relabel(block, &edit))?;
            refuse_crowded(&block, &labelled)?;
            result.changed.extend((labelled.category != block.category).then_some("category"));
            result.changed.extend((labelled.cue != block.cue).then_some("cue"));
            result.changed.extend((labelled.tags != block.tags).then_some("tags"));
            if let Some(new) = &edit.content {
                reword(transaction, moment, &labelled, new, &mut result)?;
            }
            Ok(result)
        })
    }
}

fn relabel(block: &mut Block, edit: &CheckedEdit) {
    let tier = DecayTier::of(&block.tags, &block.category);
    if let Some(category) = &edit.category {
        block.category = category.clone();
    }
    if let Some(cue) = &edit.cue {
        block.cue.clone_from(cue);
    }
    block.tags.extend(edit.added.iter().cloned());
    block.tags.retain(|tag| !edit.removed.contains(tag));
    block.tags.sort();
    block.tags.dedup();
    // The decay rate is reset if the decay tier changes. Otherwise it stays, since outcomes may
    // have changed it.
    let retiered = DecayTier::of(&block.tags, &block.category);
    if retiered != tier {
        block.decay_lambda = retiered.rate();
    }
}

fn reword(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    old: &Block,
    new: &CheckedLearn,
    result: &mut EditResult,
) -> Result<()> {
    if new.content == old.content {
        return Ok(());
    }
    result.changed.insert(0, "content");
    let new = &new.in_scope(&*transaction)?;
    if new.id == old.id {
        // The id ignores letter case and white space.
        transaction.update_block(&old.id, &mut |block| block.content.clone_from(&new.content))?;
        return Ok(());
    }
    let (source, origin) = provenance_of_new_text(moment, old)?;
    let new = CheckedLearn { category: old.category.clone(), source, origin, ..new.clone() };
    let stored = store_block(transaction, moment, &new)?.block_id;
    // Contradictions of the old text may not apply to the new one: the next dream checks.
    supersede(transaction, moment, old, &stored, SuccessorKind::LaterState)?;
    let tier = DecayTier::of(&old.tags, &old.category);
    transaction.update_block(&stored, &mut |block| {
        block.event_at = block.event_at.or(old.event_at);
        if DecayTier::of(&block.tags, &block.category) == tier {
            block.decay_lambda = old.decay_lambda;
        }
    })?;
    result.previous = Some(old.id.clone());
    result.block_id = stored;
    Ok(())
}

/// Returns the source and the provenance of a text that replaces the text of a block. Whoever edits it says the new text, and
/// the source, the document and the peer of the block stay. The new text is trusted exactly if the block is: a source that
/// does not have the same trust with the surface of the editor gives way to the editor, or comes with its own surface.
///
/// # Errors
/// [`Error::ForeignChange`] if the block is trusted and the editor is not.
fn provenance_of_new_text(moment: &Moment, old: &Block) -> Result<(String, BroughtBy)> {
    let BroughtBy { document, peer, .. } = old.brought_by.clone();
    let edited = BroughtBy { document, peer, ..moment.who.clone() };
    let trust_of = |source: &str| moment.trust.trust_of(Speaker { source, brought_by: &edited });
    let trust = moment.trust.trust_of(old);
    if trust == Trust::Owner && moment.speaker == Trust::Untrusted {
        return Err(Error::ForeignChange { what: "block", id: old.id.to_string() });
    }
    // A text without a named source has the name of the program that stored it: now another one speaks.
    let BroughtBy { surface, client, .. } = &old.brought_by;
    let program = BroughtBy { surface: surface.clone(), client: client.clone(), ..BroughtBy::default() };
    let is_unnamed = surface.is_some() && old.source.eq_ignore_ascii_case(&program.in_words());
    if trust_of(&old.source) == trust && !(is_unnamed && trust == Trust::Owner) {
        return Ok((old.source.clone(), edited));
    }
    Ok(match trust {
        // The name of another surface, such as 'cli', or of another client is not trusted with this surface.
        Trust::Owner if moment.who.surface.is_none() => (DEFAULT_SOURCE.to_owned(), edited),
        Trust::Owner => (moment.who.in_words(), edited),
        // An untrusted text does not become the owner's word by the surface that edits it.
        Trust::Untrusted => (old.source.clone(), old.brought_by.clone()),
    })
}
