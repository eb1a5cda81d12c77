//! Events, contexts and links (seed 004).

mod event;

use std::collections::{BTreeMap, BTreeSet};

use elfmem_core::event::ContextId;
use elfmem_core::{BlockId, BlockStatus, Link, LinkKey};

pub use event::{Context, ContextQuery, CountedContext, Enrolment, Event, EventQuery, LinkQuery, StatedLink};

use crate::blocks::visit_blocks;
use crate::rows::{RowKey, RowKind, delete_recorded, each, get, insert_recorded, list, put_recorded};
use crate::{Internal, ReadEvidence, Result, Row, StoreError, WriteEvidence};

/// Reads events, contexts, enrolments and links.
pub trait ReadEvents: ReadEvidence {
    /// Reads one event.
    fn get_event(&self, id: &str) -> Result<Option<Event>> {
        get(self, &RowKey::Event(id.to_owned()))
    }

    /// Lists events, the newest first.
    fn list_events(&self, query: &EventQuery) -> Result<Vec<Event>> {
        let mut found: Vec<Event> = list(self, query.blocks.as_deref(), |event| query.matches(event))?;
        found.reverse();
        found.sort_by_key(|event| std::cmp::Reverse(event.recorded_at));
        Ok(page(found, query.offset, query.limit))
    }

    /// Counts the events that a query selects, ignoring its offset and limit.
    fn count_events(&self, query: &EventQuery) -> Result<u64> {
        let mut count = 0;
        each(self, query.blocks.as_deref(), |event: &Event| count += u64::from(query.matches(event)))?;
        Ok(count)
    }

    /// Reads one context.
    fn get_context(&self, id: &ContextId) -> Result<Option<CountedContext>> {
        Ok(all_contexts(self)?.into_iter().find(|found| found.context.id == *id))
    }

    /// Lists contexts, those with the most blocks first, then by id.
    fn list_contexts(&self, query: &ContextQuery) -> Result<Vec<CountedContext>> {
        let mut found = all_contexts(self)?;
        found.retain(|found| query.matches(found));
        found.sort_by_key(|found| std::cmp::Reverse(found.reference_count));
        Ok(page(found, query.offset, query.limit))
    }

    /// Counts the contexts that a query selects by type, ignoring its offset and limit, in the order of the types.
    fn count_contexts(&self, query: &ContextQuery) -> Result<Vec<(String, u64)>> {
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for found in all_contexts(self)?.iter().filter(|found| query.matches(found)) {
            *counts.entry(found.context.id.kind().to_owned()).or_default() += 1;
        }
        Ok(counts.into_iter().collect())
    }

    /// Lists the enrolments of some blocks: by block, the primary one first, then the oldest.
    fn get_enrolments(&self, blocks: &[BlockId]) -> Result<Vec<Enrolment>> {
        let mut found: Vec<Enrolment> = list(self, Some(blocks), |_| true)?;
        found.sort_by(|a, b| {
            let order = a.block_id.cmp(&b.block_id).then(b.primary.cmp(&a.primary));
            order.then(a.created_at.cmp(&b.created_at)).then_with(|| a.context_id.cmp(&b.context_id))
        });
        // Two scopes may hold the same enrolment.
        found.dedup_by(|later, kept| later.block_id == kept.block_id && later.context_id == kept.context_id);
        Ok(found)
    }

    /// Lists the enrolments of inbox and active blocks in a context, the oldest first.
    fn get_enrolled(&self, context: &ContextId) -> Result<Vec<Enrolment>> {
        let mut positions: BTreeMap<BlockId, i64> = BTreeMap::new();
        visit_blocks(self, None, |block, position| {
            if block.status != BlockStatus::Archived {
                positions.insert(block.id.clone(), position);
            }
        })?;
        let mut found: Vec<Enrolment> = list(self, None, |enrolment: &Enrolment| {
            enrolment.context_id == *context && positions.contains_key(&enrolment.block_id)
        })?;
        found.dedup_by(|later, kept| later.block_id == kept.block_id);
        found.sort_by_key(|enrolment| (enrolment.created_at, positions.get(&enrolment.block_id).copied()));
        Ok(found)
    }

    /// Reads one link.
    fn get_link(&self, key: &LinkKey) -> Result<Option<Link>> {
        get(self, &RowKey::Link(key.clone()))
    }

    /// Lists links in the order of their numbers.
    fn list_links(&self, query: &LinkQuery) -> Result<Vec<Link>> {
        let mut found: Vec<Link> = list(self, None, |link| query.matches(link))?;
        if query.unresolved {
            let mut contexts = BTreeSet::new();
            each(self, None, |context: &Context| _ = contexts.insert(context.id.clone()))?;
            found.retain(|link| link.key.to.context().is_some_and(|target| !contexts.contains(target)));
        }
        Ok(page(found, 0, query.limit))
    }
}

/// Changes events, contexts, enrolments and links.
pub trait WriteEvents: ReadEvents + WriteEvidence {
    /// Stores an event unless there is one of that id; whether it was stored.
    fn insert_event(&mut self, event: &Event) -> Result<bool> {
        insert_recorded(self, &Row::Event(Box::new(event.clone())))
    }

    /// Removes an event; whether there was one. Only undo does this.
    fn delete_event(&mut self, id: &str) -> Result<bool> {
        delete_recorded(self, &RowKey::Event(id.to_owned()))
    }

    /// Stores a context unless it exists; whether it was stored.
    fn insert_context(&mut self, context: &Context) -> Result<bool> {
        insert_recorded(self, &Row::Context(context.clone()))
    }

    /// Removes a context; whether there was one.
    fn delete_context(&mut self, id: &ContextId) -> Result<bool> {
        delete_recorded(self, &RowKey::Context(id.clone()))
    }

    /// Enrols a block in a context, replacing an earlier enrolment of the two.
    fn put_enrolment(&mut self, enrolment: &Enrolment) -> Result<()> {
        put_recorded(self, &Row::Enrolment(enrolment.clone()))
    }

    /// Removes a block from a context; whether it was enrolled.
    fn delete_enrolment(&mut self, block: &BlockId, context: &ContextId) -> Result<bool> {
        let (block_id, context_id) = (block.clone(), context.clone());
        delete_recorded(self, &RowKey::Enrolment { block_id, context_id })
    }

    /// Stores a link, replacing the one of the same key, whose number it keeps. A new link gets the next number unless it has one: a
    /// restored link keeps its own, if no other link has it by now.
    fn put_link(&mut self, link: &Link) -> Result<Link> {
        let mut stored = link.clone();
        if stored.sequence != 0 && insert_recorded(self, &Row::Link(stored.clone()))? {
            return Ok(stored);
        }
        if let Some(Row::Link(before)) = self.update_row(&Row::Link(stored.clone()), Internal(()))? {
            stored.sequence = before.sequence;
            self.recorder(Internal(())).record_row(Some(&Row::Link(before)), Some(&Row::Link(stored.clone())));
            return Ok(stored);
        }
        stored.sequence = self.next_number(RowKind::Link, Internal(()))?.max(0) as u64;
        match insert_recorded(self, &Row::Link(stored.clone()))? {
            true => Ok(stored),
            false => Err(StoreError::driver(format!("link number {} is taken", stored.sequence))),
        }
    }

    /// Removes a link; whether there was one. Its effects on blocks stay.
    fn delete_link(&mut self, key: &LinkKey) -> Result<bool> {
        delete_recorded(self, &RowKey::Link(key.clone()))
    }
}

/// Every context once, by id, with the number of its blocks.
fn all_contexts(rows: &(impl ReadEvents + ?Sized)) -> Result<Vec<CountedContext>> {
    let mut found: BTreeMap<ContextId, Context> = BTreeMap::new();
    each(rows, None, |context: &Context| {
        let kept = found.entry(context.id.clone()).or_insert_with(|| context.clone());
        kept.created_at = kept.created_at.min(context.created_at);
    })?;
    let mut living = BTreeSet::new();
    visit_blocks(rows, None, |block, _| {
        if block.status != BlockStatus::Archived {
            living.insert(block.id.clone());
        }
    })?;
    let mut enrolled: BTreeSet<(ContextId, BlockId)> = BTreeSet::new();
    each(rows, None, |enrolment: &Enrolment| {
        if living.contains(&enrolment.block_id) {
            enrolled.insert((enrolment.context_id.clone(), enrolment.block_id.clone()));
        }
    })?;
    let mut counts: BTreeMap<ContextId, u64> = BTreeMap::new();
    for (context, _) in enrolled {
        *counts.entry(context).or_default() += 1;
    }
    let counted = |(id, context): (ContextId, Context)| {
        let reference_count = counts.get(&id).copied().unwrap_or(0);
        CountedContext { context, reference_count }
    };
    Ok(found.into_iter().map(counted).collect())
}

fn page<T>(rows: Vec<T>, offset: u32, limit: Option<u32>) -> Vec<T> {
    let limit = limit.map_or(usize::MAX, |limit| limit as usize);
    rows.into_iter().skip(offset as usize).take(limit).collect()
}
