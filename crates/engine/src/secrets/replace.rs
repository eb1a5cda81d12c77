//! Replacing a block that contains secrets.
//!
//! The id of a block depends on its text, and the secret must be erased from the file. So a block
//! with a secret is purged and replaced with a redacted block, which gets its edges, contradictions,
//! links, contexts and outcomes.

use elfmem_core::{BeliefUpdate, Block, BlockId, Edge, EdgeKey, Link, LinkEffect, LinkEnd, OutcomeRecord};
use elfmem_store::{Contradiction, Enrolment, LinkQuery, Tombstone, Transaction};
use elfmem_text::secrets::{Redactions, SecretsPolicy};

use super::{Screen, screen_block};
use crate::Result;
use crate::belief_updates::replay_belief_without;
use crate::links::{inherit_links, withdraw_links};
use crate::moment::Moment;
use crate::supersede::inherit_labels;

/// Returns a block with its secrets redacted, and their counts.
pub(super) fn redact_block(block: &Block) -> (Block, Redactions) {
    let mut screen = Screen::new(SecretsPolicy::Redact);
    let mut redacted = screen_block(block, &mut screen);
    if redacted.content != block.content {
        redacted.id = BlockId::for_content(&redacted.content);
    }
    (redacted, screen.found)
}

/// Purges a block, stores it again with its secrets redacted, and returns the id of the new block.
pub(super) fn replace(transaction: &mut dyn Transaction, moment: &Moment, old: &Block, actor: &str) -> Result<BlockId> {
    let (mut redacted, _) = redact_block(old);
    // The vector was made from the old text.
    redacted.embedding_model = None;
    let id = redacted.id.clone();
    let known = id != old.id && transaction.get_block(&id)?.is_some();
    let kept_links = match id == old.id {
        true => KeptLinks::take(transaction, &id)?,
        false => {
            store_redacted(transaction, &redacted, known)?;
            inherit_links(transaction, moment, &old.id, &id)?;
            KeptLinks::default()
        }
    };
    // What is left are links of other scopes, which the purge removes.
    withdraw_links(transaction, moment, &old.id)?;
    replay_belief_without(transaction, &old.id, |update| is_of_link_at(update, &old.id))?;
    let believed = transaction.get_block(&old.id)?.unwrap_or_else(|| old.clone());
    let (outcomes, effects) = (transaction.get_outcomes(&old.id)?, transaction.get_effects(&old.id)?);
    let edges = transaction.get_edges_for_block(&old.id)?;
    let mut contradictions = transaction.get_contradictions_for_blocks(std::slice::from_ref(&old.id))?;
    contradictions.extend(transaction.get_settled_contradictions(&old.id)?);
    let kin = transaction.get_lineage(&old.id)?;
    let tombstone = Tombstone { block_id: old.id.clone(), purged_at: moment.at, actor: actor.to_owned() };
    transaction.purge_block(&tombstone)?;
    if id == old.id {
        store_redacted(transaction, &redacted, known)?;
    }
    if !known {
        transaction.update_block(&id, &mut |block| {
            (block.confidence, block.outcome_evidence) = (believed.confidence, believed.outcome_evidence);
        })?;
        for record in outcomes {
            transaction.put_outcome(&OutcomeRecord { block_id: id.clone(), ..record })?;
        }
        for effect in effects {
            transaction.put_effect(&LinkEffect { block_id: id.clone(), ..effect })?;
        }
    }
    kept_links.put_back(transaction)?;
    let new_end = |end: &BlockId| if *end == old.id { id.clone() } else { end.clone() };
    for edge in edges {
        let asserted_from = edge.asserted_from.as_ref().map(new_end);
        if let Some(key) = EdgeKey::canonical(&new_end(&edge.key.from_id), &new_end(&edge.key.to_id)) {
            transaction.insert_edge(&Edge { key, asserted_from, ..edge })?;
        }
    }
    for found in contradictions {
        let Contradiction { score, resolved, created_at, .. } = found;
        let moved = Contradiction::between(&new_end(&found.block_a_id), &new_end(&found.block_b_id), score, created_at);
        // Reason and note may quote the text of either block.
        let (reason, note) = (found.reason.map(redact_text), found.note.map(redact_text));
        if let Some(moved) = moved {
            transaction.insert_contradiction(&Contradiction { resolved, reason, note, ..moved })?;
        }
    }
    for relative in kin {
        transaction.update_block(&relative, &mut |block| {
            if block.superseded_by.as_ref() == Some(&old.id) {
                block.superseded_by = Some(id.clone());
            }
        })?;
    }
    Ok(id)
}

fn redact_text(text: String) -> String {
    Screen::new(SecretsPolicy::Redact).pass(&text).into_owned()
}

/// Stores a redacted block, or gives its labels to the one that is known.
fn store_redacted(transaction: &mut dyn Transaction, redacted: &Block, known: bool) -> Result<()> {
    match known {
        true => _ = transaction.update_block(&redacted.id, &mut |known| inherit_labels(known, redacted))?,
        false => transaction.insert_block(redacted)?,
    }
    Ok(())
}

/// Returns true if a belief update is the effect of a link that a block is an end of.
fn is_of_link_at(update: &BeliefUpdate, id: &BlockId) -> bool {
    let names = |effect: &LinkEffect| [&effect.key.from, &effect.key.to].iter().any(|end| end.block() == Some(id));
    matches!(update, BeliefUpdate::Link(effect) if names(effect))
}

/// The links and contexts of a block that keeps its id while it is purged and stored again.
#[derive(Default)]
struct KeptLinks {
    links: Vec<Link>,
    effects: Vec<LinkEffect>,
    enrolments: Vec<Enrolment>,
}

impl KeptLinks {
    /// Removes the links of the own scope with their effects. What they did to belief stays.
    fn take(transaction: &mut dyn Transaction, id: &BlockId) -> Result<Self> {
        let mut kept = Self { enrolments: transaction.get_enrolments(std::slice::from_ref(id))?, ..Self::default() };
        let end = Some(vec![LinkEnd::from(id.clone())]);
        let mut links = transaction.list_links(&LinkQuery { from: end.clone(), ..LinkQuery::default() })?;
        links.extend(transaction.list_links(&LinkQuery { to: end, ..LinkQuery::default() })?);
        for link in links {
            if transaction.delete_link(&link.key)? {
                for effect in transaction.get_effects_of(&link.key)? {
                    transaction.delete_effect(&effect)?;
                    kept.effects.push(effect);
                }
                kept.links.push(link);
            }
        }
        Ok(kept)
    }

    fn put_back(self, transaction: &mut dyn Transaction) -> Result<()> {
        for link in &self.links {
            transaction.put_link(link)?;
        }
        for effect in &self.effects {
            transaction.put_effect(effect)?;
        }
        for enrolment in &self.enrolments {
            transaction.put_enrolment(enrolment)?;
        }
        Ok(())
    }
}
