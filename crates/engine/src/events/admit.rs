//! Stores one event. All checks run before the first write.

use elfmem_core::event::ContextId;
use elfmem_core::trust::CEILING;
use elfmem_core::{Block, BlockId, BlockStatus, Confidence, LinkEnd, LinkKey, LinkOrigin, LinkType};
use elfmem_models::Analysis;
use elfmem_store::{Context, Enrolment, Event, LinkQuery, Snapshot, StatedLink, Transaction};
use elfmem_text::secrets::SecretsPolicy;
use elfmem_text::tokens;

use super::check::CheckedEvent;
use super::result::{EventStatus, StoreEventResult};
use super::vectors::EmbeddedText;
use super::{ContextMode, EventError, EventOptions};
use crate::learn::{CheckedLearn, new_block, stored_block, take_over};
use crate::links::{
    LinkEndReference, LinkResult, NewLink, place, refuse_redirected_end, remove, resolve_live_block,
    resolve_pending_links,
};
use crate::moment::Moment;
use crate::supersede::{SuccessorKind, supersede};
use crate::trust::{NOT_HEARD, Repeat, counts_for};
use crate::{Error, Learn, Result};

/// Stores an event inside a transaction.
pub(super) fn admit(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    options: &EventOptions,
    event: &CheckedEvent,
    vector: &EmbeddedText<'_>,
) -> Result<StoreEventResult> {
    let said_by = moment.trust_of(&event.said_by, &moment.who);
    let id = event.id(transaction.scope().as_str(), moment.session.as_str(), said_by);
    if let Some(known) = transaction.get_event(&id)? {
        return result_of_repeat(&*transaction, event, known);
    }
    if !event.kind.is_admitted() {
        transaction.insert_event(&event_record(event, moment, id.clone(), None, &[]))?;
        return Ok(new_result(event, id, EventStatus::Filtered));
    }
    let links = resolve_links(&*transaction, moment, event)?;
    let new = to_learn(event)?.in_scope(&*transaction)?;
    if let Some(own) = links.iter().find(|link| link.target.block() == Some(&new.id)) {
        return Err(EventError::SelfLink { id: own.target.to_string() }.into());
    }
    let held = match options.context_mode {
        ContextMode::Single => other_block_in_context(&*transaction, event.context.as_ref(), &new.id)?,
        ContextMode::Many => None,
    };
    if let (Some(held), false) = (&held, event.replace) {
        return Err(context_held_error(event, held).into());
    }
    let speaker = new.trust(moment);
    if let Some(held) = held.as_ref().filter(|held| !counts_for(moment, speaker, held)) {
        let (old, new, source_name) = (held.id.clone(), new.id, event.said_by.clone());
        return Err(Error::UntrustedSuccessor { old, new, source_name });
    }
    let known = stored_block(&*transaction, &new)?;
    let repeat = known.as_ref().map(|known| Repeat::of(moment, speaker, known));
    if let (Some(known), Some(Repeat::Ignore)) = (&known, repeat) {
        return Ok(ignored(event, id, known));
    }
    // All checks passed.
    let stored = match (&known, repeat) {
        (Some(known), Some(Repeat::TakeOver)) => take_over_event(transaction, moment, event, &new, known)?,
        _ => store(transaction, moment, event, &new, known.as_ref())?,
    };
    vector.store(transaction, &new.id)?;
    let mut result = new_result(event, id.clone(), stored);
    if let Some(old) = held {
        result.links_replaced = replace(transaction, moment, event, &old, &new.id)?;
        result.status = EventStatus::Replaced;
    }
    if let Some(context) = &event.context {
        result.resolved_links = enrol(transaction, moment, &new.id, context, true)?;
    }
    result.links = add_links(transaction, moment, event, &id, &new.id, &links)?;
    transaction.insert_event(&event_record(event, moment, id, Some(&new.id), &links))?;
    result.confidence = transaction.get_block(&new.id)?.map(|block| block.confidence.get());
    result.block_id = Some(new.id);
    Ok(result)
}

/// Returns the result for an untrusted event that repeats a trusted block. Nothing is written.
fn ignored(event: &CheckedEvent, id: String, known: &Block) -> StoreEventResult {
    let mut result = new_result(event, id, EventStatus::Unchanged);
    result.recorded = false;
    result.confidence = Some(known.confidence.get());
    result.block_id = Some(known.id.clone());
    result.warnings.push(format!("Nothing was stored: it repeats block {}, {NOT_HEARD}.", known.id.short()));
    result
}

/// Makes a text of an untrusted source the text of this event.
fn take_over_event(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    event: &CheckedEvent,
    new: &CheckedLearn,
    known: &Block,
) -> Result<EventStatus> {
    take_over(transaction, moment, new, known)?;
    transaction.update_block(&new.id, &mut |block| make_active(block, moment, event))?;
    Ok(EventStatus::Created)
}

fn new_result(event: &CheckedEvent, event_id: String, status: EventStatus) -> StoreEventResult {
    StoreEventResult {
        event_id,
        status,
        recorded: true,
        block_id: None,
        confidence: None,
        event_kind: event.kind.as_str(),
        internal_type: event.kind.internal_type(),
        source: event.source.as_str(),
        context_id: event.context.clone(),
        links: Vec::new(),
        resolved_links: Vec::new(),
        links_replaced: Vec::new(),
        redacted: event.redacted.clone(),
        warnings: Vec::new(),
    }
}

/// Returns the result for an event that was stored before. Nothing is written.
fn result_of_repeat(snapshot: &dyn Snapshot, event: &CheckedEvent, known: Event) -> Result<StoreEventResult> {
    if !event.matches(&known) {
        return Err(EventError::OtherEvent { key: event.key.clone().unwrap_or(known.id) }.into());
    }
    let status = if known.block_id.is_some() { EventStatus::Unchanged } else { EventStatus::Filtered };
    let mut result = new_result(event, known.id, status);
    result.recorded = false;
    result.confidence = match &known.block_id {
        Some(block) => snapshot.get_block(block)?.map(|block| block.confidence.get()),
        None => None,
    };
    result.block_id = known.block_id;
    Ok(result)
}

/// Builds the stored form of an event.
fn event_record(
    event: &CheckedEvent,
    moment: &Moment,
    id: String,
    block: Option<&BlockId>,
    links: &[StatedLink],
) -> Event {
    Event {
        id,
        kind: event.kind,
        source: event.source,
        payload: event.payload.clone(),
        content: event.content.clone(),
        links: links.to_vec(),
        context_id: event.context.clone(),
        block_id: block.cloned(),
        session_id: Some(moment.session.clone()),
        happened_at: event.happened_at.unwrap_or(moment.at),
        recorded_at: moment.at,
    }
}

/// Resolves the targets of the links of an event.
fn resolve_links(snapshot: &dyn Snapshot, moment: &Moment, event: &CheckedEvent) -> Result<Vec<StatedLink>> {
    let target = |named: &LinkEndReference| -> Result<LinkEnd> {
        match named {
            LinkEndReference::Context(id) => Ok(LinkEnd::Context(id.clone())),
            LinkEndReference::Block(text) => {
                let end = resolve_live_block(snapshot, text)?;
                refuse_redirected_end(snapshot, &moment.trust, text, &end)?;
                Ok(end)
            }
        }
    };
    let link = |(link_type, named): &(LinkType, LinkEndReference)| {
        Ok(StatedLink { link_type: *link_type, target: target(named)? })
    };
    event.links.iter().map(link).collect()
}

fn to_learn(event: &CheckedEvent) -> Result<CheckedLearn> {
    let mut new =
        Learn::new(event.content.as_str()).category(event.kind.group().as_str()).source(event.said_by.as_str());
    if let Some(at) = event.happened_at {
        new = new.event_at(at);
    }
    // Secrets were screened when the event was checked.
    new.checked(SecretsPolicy::Allow)
}

/// Returns the last primary block of a context, unless it is `own`.
fn other_block_in_context(
    snapshot: &dyn Snapshot,
    context: Option<&ContextId>,
    own: &BlockId,
) -> Result<Option<Block>> {
    let Some(context) = context else { return Ok(None) };
    let mut primary = snapshot.get_enrolled(context)?.into_iter().filter(|enrolment| enrolment.primary);
    match primary.next_back().filter(|enrolment| enrolment.block_id != *own) {
        Some(enrolment) => Ok(snapshot.get_block(&enrolment.block_id)?),
        None => Ok(None),
    }
}

fn context_held_error(event: &CheckedEvent, held: &Block) -> EventError {
    EventError::Held {
        context: event.context.as_ref().map(ToString::to_string).unwrap_or_default(),
        block_id: held.id.clone(),
        content: held.content.clone(),
        said_by: held.source.clone(),
        confidence: held.confidence.get(),
    }
}

/// Stores the text of an event as an active block. An existing block with the same text is
/// reinforced and keeps its learned state.
fn store(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    event: &CheckedEvent,
    new: &CheckedLearn,
    known: Option<&Block>,
) -> Result<EventStatus> {
    let Some(known) = known else {
        let mut block = new_block(new, moment, &*transaction);
        make_active(&mut block, moment, event);
        transaction.insert_block(&block)?;
        return Ok(EventStatus::Created);
    };
    let has_evidence = known.outcome_evidence.get() != 0.0 || transaction.get_last_evidence_sequence(&known.id)? != 0;
    if known.status == BlockStatus::Archived {
        transaction.update_block_status(&new.id, BlockStatus::Active, None)?;
    }
    transaction.update_block(&new.id, &mut |block| {
        if known.status != BlockStatus::Active {
            // An inbox block without evidence takes the confidence of the event's source.
            let confidence = block.confidence;
            make_active(block, moment, event);
            if known.status == BlockStatus::Archived || has_evidence {
                block.confidence = confidence;
            }
        }
        block.reinforcement_count = block.reinforcement_count.saturating_add(1);
        block.last_reinforced_at = block.last_reinforced_at.later_of(moment.hours);
        block.event_at = block.event_at.or(new.event_at);
    })?;
    Ok(if known.status == BlockStatus::Active { EventStatus::Unchanged } else { EventStatus::Created })
}

/// Makes a block active with the starting confidence of the event's source, limited to the ceiling
/// for untrusted sources. It is not marked as analysed, so that rescoring finds it.
fn make_active(block: &mut Block, moment: &Moment, event: &CheckedEvent) {
    block.status = BlockStatus::Active;
    let most = if moment.trust.trusts(&*block) { 1.0 } else { CEILING };
    block.confidence = Confidence::saturating(event.source.starting_confidence().get().min(most));
    block.token_count = Some(tokens::estimate(&block.content));
    block.self_alignment = Some(block.self_alignment.unwrap_or(Analysis::neutral().alignment));
}

/// Enrols a block in a context. If the context is new, its pending links are applied to the block.
pub(crate) fn enrol(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    block: &BlockId,
    context: &ContextId,
    primary: bool,
) -> Result<Vec<LinkResult>> {
    let fresh = transaction.get_context(context)?.is_none();
    transaction.insert_context(&Context { id: context.clone(), created_at: moment.at })?;
    let known = transaction.get_enrolments(std::slice::from_ref(block))?;
    let known = known.into_iter().find(|enrolment| enrolment.context_id == *context);
    if known.as_ref().is_none_or(|known| primary && !known.primary) {
        let created_at = known.map_or(moment.at, |known| known.created_at);
        let (block_id, context_id) = (block.clone(), context.clone());
        transaction.put_enrolment(&Enrolment { block_id, context_id, primary, created_at })?;
    }
    if fresh { resolve_pending_links(transaction, moment, context, block) } else { Ok(Vec::new()) }
}

/// Replaces the block of a single-memory context. Links are inherited, except those of types that
/// the event lists completely. Returns the types of the removed links.
fn replace(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    event: &CheckedEvent,
    old: &Block,
    new: &BlockId,
) -> Result<Vec<LinkType>> {
    let mut gone = Vec::new();
    let from = Some(vec![LinkEnd::from(old.id.clone())]);
    for link in transaction.list_links(&LinkQuery { from, ..LinkQuery::default() })? {
        let named = event.whole_types.contains(&link.key.link_type);
        if named && remove(transaction, moment, &link.key)?.is_some() && !gone.contains(&link.key.link_type) {
            gone.push(link.key.link_type);
        }
    }
    let old = transaction.get_block(&old.id)?.unwrap_or_else(|| old.clone());
    supersede(transaction, moment, &old, new, SuccessorKind::LaterState)?;
    Ok(gone)
}

/// Adds the links of an event and the link implied by its kind.
fn add_links(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    event: &CheckedEvent,
    event_id: &str,
    block: &BlockId,
    links: &[StatedLink],
) -> Result<Vec<LinkResult>> {
    let implied = event.context.iter().filter(|_| event.kind.derives_from_its_context()).map(|context| {
        let target = LinkEnd::from(context.clone());
        (StatedLink { link_type: LinkType::DerivedFrom, target }, LinkOrigin::Implied)
    });
    let stated = links.iter().map(|link| (link.clone(), event.origin));
    let mut placed = Vec::new();
    for (StatedLink { link_type, target }, origin) in implied.chain(stated) {
        let key = LinkKey { from: LinkEnd::from(block.clone()), link_type, to: target };
        let new = NewLink { origin, event_id: Some(event_id.to_owned()), note: None };
        placed.push(place(transaction, moment, &key, &new)?.into_result());
    }
    Ok(placed)
}
