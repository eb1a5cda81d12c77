//! Events: typed experiences that are stored as active blocks, with links to other blocks and
//! contexts (seed 004).

mod admit;
mod check;
mod context;
mod error;
mod list_requests;
mod payload;
mod request;
mod result;
mod vectors;

use elfmem_core::{BlockId, BroughtBy, LinkOrigin, OperationKind, Speaker, Timestamp, Trust};
use elfmem_store::{Event, Snapshot, Store, Transaction};
use elfmem_text::secrets::SecretsPolicy;

use crate::links::{LinkEndReference, resolve_live_block};
use crate::memory::{Memory, resolve_block};
use crate::moment::Moment;
use crate::trace;
use crate::{Error, Result};

use admit::admit;
pub(crate) use admit::enrol;
use check::CheckedEvent;
pub(crate) use context::checked_context;
pub use context::{
    ContextBlock, ContextDetails, ContextGraph, ContextListing, ContextType, EnrolResult, GraphEdge, GraphNode,
    Relationship,
};
pub use error::EventError;
pub use list_requests::{Enrol, ListContexts, ListEvents, ShowContext, ShowContextGraph};
pub use request::{EventLink, StoreEvent, StoreEvents};
pub use result::{BatchItem, EventListing, EventStatus, ListedEvent, StoreEventResult, StoreEventsResult};
use vectors::EmbeddedText;

/// Maximum number of events in one batch.
pub const MAX_BATCH_EVENTS: usize = 1_000;

/// How many memories a context holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ContextMode {
    /// Any number.
    #[default]
    Many,
    /// One. Storing another requires `replace`.
    Single,
}

/// Options of events and graduation.
///
/// All fields are public; build one with struct update syntax: `EventOptions { …, ..EventOptions::default() }`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EventOptions {
    /// How many memories a context holds.
    pub context_mode: ContextMode,
    /// Whether graduation steps are applied without a proposal.
    pub auto_graduate: bool,
    /// Number of sessions or sources in which a mistake must be seen to become a pattern.
    pub pattern_after: u32,
    /// Number of confirmations for a pattern to become a skill.
    pub skill_after: u32,
}

impl Default for EventOptions {
    fn default() -> Self {
        Self { context_mode: ContextMode::Many, auto_graduate: false, pattern_after: 2, skill_after: 5 }
    }
}

impl<S: Store> Memory<S> {
    /// Stores an event: a memory that is active and found at once, with the confidence of its source and with its links.
    /// See [`StoreEvent`].
    ///
    /// # Errors
    /// [`EventError::Faults`] names everything that is wrong with it; [`EventError::Held`] where a context holds one memory and it is
    /// another.
    pub fn store_event(&self, request: impl Into<StoreEvent>) -> Result<StoreEventResult> {
        let _span = trace::verb("store_event");
        let new = request.into();
        let event = self.checked_event(&new).map_err(|faults| EventError::Faults { faults })?;
        let embedded = self.embed_events([&event].into_iter())?;
        let result =
            self.change_as(OperationKind::StoreEvent, None, self.trust_of_event(&event), |transaction, moment| {
                admit(transaction, moment, &self.options.events, &event, &embedded.of(0))
            })?;
        self.record_breadcrumb(&result);
        Ok(embedded.add_warning(result))
    }

    /// Stores many events in order. One that is refused does not stop the others, unless all are wanted or none (`atomic`).
    /// See [`StoreEvents`].
    ///
    /// # Errors
    /// Too many; and with `atomic` the first that is refused: then none is stored.
    pub fn store_events(&self, request: impl Into<StoreEvents>) -> Result<StoreEventsResult> {
        let _span = trace::verb("store_events");
        let StoreEvents { events: new, atomic } = request.into();
        if new.len() > MAX_BATCH_EVENTS {
            let problem = format!("has {} events; the maximum is {MAX_BATCH_EVENTS}", new.len());
            return Err(Error::BadText { what: "batch", problem });
        }
        let checked: Vec<std::result::Result<CheckedEvent, Vec<String>>> =
            new.iter().map(|new| self.checked_event(new)).collect();
        let embedded = self.embed_events(checked.iter().filter_map(|event| event.as_ref().ok()))?;
        let operation = if atomic { OperationKind::StoreEventsAtomically } else { OperationKind::StoreEvents };
        let speakers = checked.iter().flatten().map(|event| self.trust_of_event(event));
        let speaker = speakers.max().unwrap_or(Trust::Owner);
        let mut result = self.change_as(operation, None, speaker, |transaction, moment| {
            let mut all = StoreEventsResult::default();
            let mut place = 0;
            for (index, event) in checked.iter().enumerate() {
                let admitted = match event {
                    Ok(event) => {
                        place += 1;
                        admit(transaction, moment, &self.options.events, event, &embedded.of(place - 1))
                    }
                    Err(faults) => Err(EventError::Faults { faults: faults.clone() }.into()),
                };
                match admitted {
                    Ok(result) => all.add(index, result),
                    Err(Error::Storage(error)) => return Err(Error::Storage(error)),
                    Err(error) if atomic => {
                        return Err(EventError::InTransaction { index, problem: error.message() }.into());
                    }
                    Err(error) => all.add_failure(index, &error),
                }
            }
            Ok(all)
        })?;
        for item in &mut result.results {
            if let Some(result) = item.result.take() {
                self.record_breadcrumb(&result);
                item.result = Some(embedded.add_warning(result));
            }
        }
        Ok(result)
    }

    /// Events as they were told, the newest first, those that became no memory too. See [`ListEvents`].
    pub fn list_events(&self, request: impl Into<ListEvents>) -> Result<EventListing> {
        let _span = trace::verb("list_events");
        let request = request.into();
        let (query, page) = (request.query()?, request.page);
        self.read(|snapshot| {
            let (events, total) = (snapshot.list_events(&query)?, snapshot.count_events(&query)?);
            let ids: Vec<BlockId> = events.iter().filter_map(|event| event.block_id.clone()).collect();
            let blocks = snapshot.get_blocks(&ids)?;
            let (trust, who) = (&self.options.trust, BroughtBy::actor(&self.options.actor));
            let is_trusted =
                |event: &Event| match blocks.iter().find(|block| event.block_id.as_ref() == Some(&block.id)) {
                    Some(block) => trust.trusts(block),
                    None => trust.trusts(Speaker { source: event.source.as_str(), brought_by: &who }),
                };
            let listed = |event: Event| ListedEvent { trusted: is_trusted(&event), event };
            let events: Vec<ListedEvent> = events.into_iter().map(listed).collect();
            Ok(EventListing { count: events.len(), total, page, events })
        })
    }

    /// Validates an event, including the blocks it links to. Returns all problems on failure.
    fn checked_event(&self, new: &StoreEvent) -> std::result::Result<CheckedEvent, Vec<String>> {
        let now: Timestamp = self.options.clock.now();
        let checked = new.checked(now, self.options.secrets);
        let missing = self.read(|snapshot| {
            let targets = checked.as_ref().map(|event| event.links.as_slice()).unwrap_or_default();
            Ok(missing_blocks(snapshot, targets))
        });
        match (checked, missing) {
            (Ok(event), Ok(missing)) if missing.is_empty() => Ok(event),
            (Ok(_), Ok(missing)) => Err(missing),
            (Ok(_), Err(error)) => Err(vec![error.message()]),
            (Err(faults), _) => Err(faults),
        }
    }

    /// Whether an event is said by somebody who speaks for the owner.
    fn trust_of_event(&self, event: &CheckedEvent) -> Trust {
        let who = BroughtBy::actor(&self.options.actor);
        self.options.trust.trust_of(Speaker { source: &event.said_by, brought_by: &who })
    }

    /// Records a new block in the breadcrumbs of the session.
    fn record_breadcrumb(&self, result: &StoreEventResult) {
        if let (Some(block), EventStatus::Created | EventStatus::Replaced) = (&result.block_id, result.status) {
            self.running().breadcrumbs.record_learned(block);
        }
    }
}

/// The source of what the program derived from trusted blocks alone.
const DERIVED_FROM_TRUSTED: &str = "system";
/// The source of what was derived from an untrusted block. It is not on the list of trusted sources.
const DERIVED_FROM_UNTRUSTED: &str = "derived:untrusted";

/// Stores a pattern or skill as an event, inside a transaction and without a vector.
pub(crate) fn store_graduation_event(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    new: &StoreEvent,
) -> Result<StoreEventResult> {
    let event = new.checked(moment.at, SecretsPolicy::Allow).map_err(|faults| EventError::Faults { faults })?;
    let said_by = DERIVED_FROM_TRUSTED.to_owned();
    let mut event = CheckedEvent { origin: LinkOrigin::Graduation, said_by, ..event };
    // What follows from an untrusted block is no more trusted than that.
    for (_, target) in &event.links {
        if let LinkEndReference::Block(text) = target
            && let Some(block) = resolve_block(&*transaction, text)?
            && !moment.trust.trusts(&block)
        {
            event.said_by = DERIVED_FROM_UNTRUSTED.to_owned();
            break;
        }
    }
    admit(transaction, moment, &EventOptions::default(), &event, &EmbeddedText::default())
}

/// Returns a problem for each link target that is not a live block.
fn missing_blocks(snapshot: &dyn Snapshot, targets: &[(elfmem_core::LinkType, LinkEndReference)]) -> Vec<String> {
    let problem = |(link_type, target): &(elfmem_core::LinkType, LinkEndReference)| match target {
        LinkEndReference::Block(text) => {
            let error = resolve_live_block(snapshot, text).err()?;
            Some(format!("'{link_type}': {}", error.message().trim_end_matches('.')))
        }
        LinkEndReference::Context(_) => None,
    };
    targets.iter().filter_map(problem).collect()
}

impl StoreEventsResult {
    fn add(&mut self, index: usize, result: StoreEventResult) {
        match result.status {
            EventStatus::Filtered => self.filtered += 1,
            _ => self.stored += 1,
        }
        self.results.push(BatchItem { index, result: Some(result), error: None, recovery: None });
    }

    fn add_failure(&mut self, index: usize, error: &Error) {
        self.failed += 1;
        let (error, recovery) = (Some(error.message()), Some(error.recovery()));
        self.results.push(BatchItem { index, result: None, error, recovery });
    }
}
