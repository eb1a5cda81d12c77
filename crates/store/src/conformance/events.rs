//! Events, contexts and links.

use elfmem_core::event::{ContextId, EventKind, EventSource};
use elfmem_core::{
    Block, BlockId, BlockStatus, Confidence, Evidence, Link, LinkEffect, LinkEnd, LinkKey, LinkOrigin, LinkType, Scope,
    ScopeView, SessionId, Timestamp,
};
use serde_json::json;

use super::{active, header, insert, noon, read, write};
use crate::{
    Aspect, BlockFilter, Context, ContextQuery, Enrolment, Entity, Event, EventQuery, JournalQuery, LinkQuery,
    StatedLink, Store, StoreError, Tombstone, Transaction,
};

pub(super) fn context(id: &str) -> ContextId {
    ContextId::from_stored(id)
}

pub(super) fn event(id: &str, kind: &str, block: Option<&BlockId>) -> Event {
    Event {
        id: id.to_owned(),
        kind: EventKind::parse(kind).expect("it is a kind"),
        source: EventSource::User,
        payload: json!({"topic": "deploys", "value": ["on", {"day": "Tuesday"}]}),
        content: "deploys: on Tuesday".to_owned(),
        links: vec![StatedLink { link_type: LinkType::Reinforces, target: LinkEnd::from_stored("skill:deploying") }],
        context_id: Some(context("project:shop")),
        block_id: block.cloned(),
        session_id: Some(SessionId::from_stored("s1")),
        happened_at: noon(),
        recorded_at: noon(),
    }
}

fn key(from: &str, link_type: LinkType, to: &str) -> LinkKey {
    LinkKey { from: LinkEnd::from_stored(from), link_type, to: LinkEnd::from_stored(to) }
}

pub(super) fn link(from: &str, link_type: LinkType, to: &str) -> Link {
    let (sequence, origin) = (0, LinkOrigin::Stated);
    Link { key: key(from, link_type, to), sequence, origin, event_id: None, note: None, created_at: noon() }
}

pub(super) fn effect(link: &Link, block: &BlockId, sequence: u64) -> LinkEffect {
    LinkEffect {
        key: link.key.clone(),
        block_id: block.clone(),
        sequence,
        confidence_before: Confidence::saturating(0.7),
        confidence_after: Confidence::saturating(0.7 + 0.05),
        evidence_before: Evidence::new(1.5),
        created_at: noon(),
        ceiling: Some(Confidence::saturating(0.7)),
    }
}

pub(super) fn enrolment(block: &BlockId, id: &str, primary: bool) -> Enrolment {
    Enrolment { block_id: block.clone(), context_id: context(id), primary, created_at: noon() }
}

/// Everything about an event survives; none is stored twice; filters meet.
pub fn an_event_comes_back_as_it_was_told_and_is_found_by_what_it_says(store: &impl Store) {
    let a = active("a");
    insert(store, &[&a]);
    let (told, ignored) = (event("e1", "fact", Some(&a.id)), event("e2", "heartbeat", None));
    let later = Event {
        happened_at: Timestamp::constant(1_772_000_100, 0),
        recorded_at: Timestamp::constant(1_772_000_100, 0),
        source: EventSource::Tool,
        context_id: None,
        ..event("e3", "decision", Some(&a.id))
    };
    write(store, |transaction| {
        [&told, &ignored, &later].into_iter().try_for_each(|event| transaction.insert_event(event).map(drop))
    });
    assert_eq!(read(store, |snapshot| snapshot.get_event("e1")), Some(told.clone()));
    assert_eq!(read(store, |snapshot| snapshot.get_event("e9")), None);
    assert!(!write(store, |transaction| transaction.insert_event(&told)), "it is there");
    let ids = |query: &EventQuery| -> Vec<String> {
        let found = read(store, |snapshot| snapshot.list_events(query));
        let counted = read(store, |snapshot| snapshot.count_events(query));
        let whole = EventQuery { limit: None, offset: 0, ..query.clone() };
        assert_eq!(counted, read(store, |snapshot| snapshot.list_events(&whole)).len() as u64);
        found.into_iter().map(|event| event.id).collect()
    };
    let all = EventQuery::default();
    assert_eq!(ids(&all), ["e3", "e2", "e1"], "the newest first");
    assert_eq!(ids(&EventQuery { limit: Some(1), offset: 1, ..all.clone() }), ["e2"]);
    let kinds = EventKind::parse("fact").into_iter().collect();
    assert_eq!(ids(&EventQuery { kinds, ..all.clone() }), ["e1"]);
    assert_eq!(ids(&EventQuery { source: Some(EventSource::Tool), ..all.clone() }), ["e3"]);
    assert_eq!(ids(&EventQuery { context: Some(context("project:shop")), ..all.clone() }), ["e2", "e1"]);
    assert_eq!(ids(&EventQuery { admitted: Some(false), ..all.clone() }), ["e2"]);
    assert_eq!(ids(&EventQuery { since: Some(later.happened_at), ..all }), ["e3"]);
    assert_eq!(ids(&EventQuery::of_blocks(&[a.id.clone()])), ["e3", "e1"]);
    assert!(write(store, |transaction| transaction.delete_event("e2")));
    assert!(!write(store, |transaction| transaction.delete_event("e2")));
}

/// Contexts are listed by how full they are; blocks that are archived do not count.
pub fn contexts_are_listed_counted_and_searched(store: &impl Store) {
    let (a, b) = (active("a"), active("b"));
    insert(store, &[&a, &b]);
    write(store, |transaction| {
        for id in ["skill:react", "skill:rust", "error:e0308", "project:shop"] {
            assert!(transaction.insert_context(&Context { id: context(id), created_at: noon() })?);
        }
        assert!(!transaction.insert_context(&Context { id: context("skill:rust"), created_at: noon() })?);
        transaction.put_enrolment(&enrolment(&a.id, "skill:rust", true))?;
        transaction.put_enrolment(&enrolment(&b.id, "skill:rust", false))?;
        transaction.put_enrolment(&enrolment(&a.id, "error:e0308", false))
    });
    let list = |query: &ContextQuery| -> Vec<(String, u64)> {
        let found = read(store, |snapshot| snapshot.list_contexts(query));
        found.into_iter().map(|found| (found.context.id.to_string(), found.reference_count)).collect()
    };
    let named = |expected: &[(&str, u64)]| -> Vec<(String, u64)> {
        expected.iter().map(|(id, count)| ((*id).to_owned(), *count)).collect()
    };
    let all = ContextQuery::default();
    let whole = [("skill:rust", 2), ("error:e0308", 1), ("project:shop", 0), ("skill:react", 0)];
    assert_eq!(list(&all), named(&whole));
    assert_eq!(list(&ContextQuery { limit: Some(1), offset: 1, ..all.clone() }), named(&whole[1..2]));
    let skills = ContextQuery { kind: Some("skill".into()), ..all.clone() };
    assert_eq!(list(&skills), named(&[("skill:rust", 2), ("skill:react", 0)]));
    assert_eq!(list(&ContextQuery { text: Some("rea".into()), ..all.clone() }), named(&whole[3..]));
    let used = ContextQuery { least_references: 1, ..all.clone() };
    assert_eq!(list(&used), named(&whole[..2]));
    let kinds = named(&[("error", 1), ("project", 1), ("skill", 2)]);
    assert_eq!(read(store, |snapshot| snapshot.count_contexts(&all)), kinds);
    let enrolled = read(store, |snapshot| snapshot.get_enrolled(&context("skill:rust")));
    assert_eq!(enrolled, [enrolment(&a.id, "skill:rust", true), enrolment(&b.id, "skill:rust", false)]);
    let of_a = read(store, |snapshot| snapshot.get_enrolments(std::slice::from_ref(&a.id)));
    assert_eq!(of_a, [enrolment(&a.id, "skill:rust", true), enrolment(&a.id, "error:e0308", false)]);
    write(store, |transaction| transaction.update_block_status(&b.id, BlockStatus::Archived, None));
    let one = read(store, |snapshot| snapshot.get_context(&context("skill:rust"))).expect("it is there");
    assert_eq!((one.reference_count, one.context.created_at), (1, noon()));
    assert!(write(store, |transaction| transaction.delete_enrolment(&a.id, &context("error:e0308"))));
    assert!(!write(store, |transaction| transaction.delete_enrolment(&a.id, &context("error:e0308"))));
    assert!(write(store, |transaction| transaction.delete_context(&context("project:shop"))));
    assert_eq!(read(store, |snapshot| snapshot.get_context(&context("project:shop"))), None);
}

/// One for each of from, type and to; in the order they came, whoever they join.
pub fn links_are_unique_and_come_in_the_order_they_came(store: &impl Store) {
    let (a, b) = (active("a"), active("b"));
    insert(store, &[&a, &b]);
    let wanted = [
        link(a.id.as_str(), LinkType::Extends, b.id.as_str()),
        link(a.id.as_str(), LinkType::Extends, "session:s1"),
        link("project:shop", LinkType::RelatedTo, "skill:rust"),
        link(a.id.as_str(), LinkType::Contradicts, b.id.as_str()),
    ];
    let stored: Vec<Link> = wanted.iter().map(|link| write(store, |transaction| transaction.put_link(link))).collect();
    assert!(stored.windows(2).all(|pair| 0 < pair[0].sequence && pair[0].sequence < pair[1].sequence));
    let list = |query: &LinkQuery| read(store, |snapshot| snapshot.list_links(query));
    assert_eq!(list(&LinkQuery::default()), stored);
    let again = Link { note: Some("why".into()), ..wanted[0].clone() };
    let again = write(store, |transaction| transaction.put_link(&again));
    assert_eq!((again.sequence, list(&LinkQuery::default()).len()), (stored[0].sequence, 4));
    let from = Some(vec![LinkEnd::from(a.id.clone())]);
    assert_eq!(list(&LinkQuery { from, link_type: Some(LinkType::Contradicts), ..LinkQuery::default() }), stored[3..]);
    let to = Some(vec![LinkEnd::from(context("skill:rust")), LinkEnd::from(context("session:s1"))]);
    assert_eq!(list(&LinkQuery { to, ..LinkQuery::default() }), stored[1..3]);
    assert_eq!(list(&LinkQuery { limit: Some(1), ..LinkQuery::default() }), [again.clone()]);
    write(store, |transaction| transaction.insert_context(&Context { id: context("session:s1"), created_at: noon() }));
    let unresolved = LinkQuery { unresolved: true, ..LinkQuery::default() };
    assert_eq!(list(&unresolved), stored[2..3], "the other context exists by now");
    assert_eq!(read(store, |snapshot| snapshot.get_link(&wanted[0].key)), Some(again.clone()));
    assert!(write(store, |transaction| transaction.delete_link(&wanted[0].key)));
    assert!(!write(store, |transaction| transaction.delete_link(&wanted[0].key)));
    // One that comes back keeps its place,
    assert_eq!(write(store, |transaction| transaction.put_link(&again)), again);
    assert_eq!(list(&LinkQuery::default())[0], again);
    // unless another link has its number by now.
    assert!(write(store, |transaction| transaction.delete_link(&again.key)));
    let other = Link { sequence: again.sequence, ..link("project:shop", LinkType::RelatedTo, "skill:c") };
    write(store, |transaction| transaction.put_link(&other));
    let renumbered = write(store, |transaction| transaction.put_link(&again));
    assert_eq!(renumbered, Link { sequence: renumbered.sequence, ..again });
    assert!(stored.iter().all(|link| link.sequence < renumbered.sequence), "{renumbered:?}");
}

/// Bit by bit: belief is folded again from them, in one order with outcomes.
pub fn what_links_did_to_blocks_comes_back_as_it_was_stored(store: &impl Store) {
    let (a, b) = (active("a"), active("b"));
    insert(store, &[&a, &b]);
    let link = link(a.id.as_str(), LinkType::Reinforces, "skill:rust");
    let done = [effect(&link, &b.id, 4), effect(&link, &a.id, 2)];
    write(store, |transaction| done.iter().try_for_each(|effect| transaction.put_effect(effect)));
    assert_eq!(read(store, |snapshot| snapshot.get_effects(&b.id)), [done[0].clone()]);
    assert_eq!(read(store, |snapshot| snapshot.get_effects_of(&link.key)).len(), 2);
    assert_eq!(read(store, |snapshot| snapshot.get_last_evidence_sequence(&b.id)), 4);
    let moved = LinkEffect { confidence_after: Confidence::saturating(0.1 + 0.2), ..done[0].clone() };
    write(store, |transaction| transaction.put_effect(&moved));
    assert_eq!(read(store, |snapshot| snapshot.get_effects(&b.id)), [moved.clone()]);
    write(store, |transaction| transaction.delete_effect(&moved));
    assert!(read(store, |snapshot| snapshot.get_effects(&b.id)).is_empty());
}

/// Made and removed rows are told whole, without what an event said while its row holds that.
pub fn events_and_links_are_in_the_journal(store: &impl Store) {
    let a = active("a");
    insert(store, &[&a]);
    let stated = link(a.id.as_str(), LinkType::Extends, "skill:rust");
    write(store, |transaction| {
        transaction.insert_event(&event("e1", "fact", Some(&a.id)))?;
        transaction.put_enrolment(&enrolment(&a.id, "skill:rust", true))?;
        transaction.put_effect(&effect(&stated, &a.id, 1))?;
        transaction.put_link(&stated).map(drop)
    });
    let position = read(store, |snapshot| snapshot.get_journal_position());
    let query = JournalQuery { block: Some(a.id.clone()), ..JournalQuery::default() };
    let log = read(store, |snapshot| snapshot.get_journal(&query));
    let made = &log.last().expect("it is in the journal").changes;
    let entities: Vec<Entity> = made.iter().map(|change| change.entity).collect();
    assert_eq!(entities, [Entity::Event, Entity::Enrolment, Entity::Effect, Entity::Link]);
    assert!(made.iter().all(|change| change.before.is_none()));
    assert!(!format!("{made:?}").contains("Tuesday"), "the row holds what was told");
    write(store, |transaction| transaction.delete_event("e1"));
    let removed = read(store, |snapshot| snapshot.get_changes(&[position + 1]));
    let image = removed[0].change.before.clone().expect("it was there");
    assert_eq!(serde_json::from_value::<Event>(image).expect("it is whole"), event("e1", "fact", Some(&a.id)));
    // Where a block belongs is something to read again; what is linked is not.
    let followed = read(store, |snapshot| snapshot.get_changes_after(position - 1));
    assert_eq!(followed.iter().map(|change| (&change.id, change.aspect)).collect::<Vec<_>>(), [(&a.id, Aspect::State)]);
}

/// A block takes its enrolments, links and their effects with it; what was told stays told.
pub fn enrolments_links_and_effects_go_with_their_block(store: &impl Store) {
    let (a, b) = (active("a"), active("b"));
    insert(store, &[&a, &b]);
    let stated = link(b.id.as_str(), LinkType::Reinforces, a.id.as_str());
    write(store, |transaction| {
        transaction.insert_event(&event("e1", "fact", Some(&a.id)))?;
        transaction.put_enrolment(&enrolment(&a.id, "skill:rust", true))?;
        transaction.put_effect(&effect(&stated, &a.id, 1))?;
        transaction.put_link(&stated).map(drop)
    });
    write(store, |transaction| transaction.delete_block(&a.id));
    assert!(read(store, |snapshot| snapshot.list_links(&LinkQuery::default())).is_empty());
    assert!(read(store, |snapshot| snapshot.get_effects_of(&stated.key)).is_empty());
    assert!(read(store, |snapshot| snapshot.get_enrolled(&context("skill:rust"))).is_empty());
    let position = read(store, |snapshot| snapshot.get_journal_position());
    let gone = read(store, |snapshot| snapshot.get_changes(&[position]));
    for entity in [Entity::Link, Entity::Effect, Entity::Enrolment] {
        assert!(gone.iter().any(|found| found.change.entity == entity && found.change.after.is_none()), "{entity:?}");
    }
}

/// Not a word of a purged block is left in what was told, admitted or not.
pub fn purging_a_block_takes_what_was_told_of_it(store: &impl Store) {
    let secret = active("the quokka sleeps");
    insert(store, &[&secret]);
    let telling = |id: &str, block: Option<&BlockId>, kind: &str| Event {
        payload: json!({"data": "the quokka sleeps"}),
        content: "the quokka sleeps".to_owned(),
        ..event(id, kind, block)
    };
    let stated = Link { note: Some("quokka".into()), ..link(secret.id.as_str(), LinkType::Extends, "skill:rust") };
    write(store, |transaction| {
        transaction.insert_event(&telling("e1", Some(&secret.id), "fact"))?;
        transaction.insert_event(&telling("e2", None, "debug"))?;
        transaction.insert_event(&telling("e3", None, "debug"))?;
        transaction.put_link(&stated).map(drop)
    });
    write(store, |transaction| transaction.delete_event("e3"));
    let tombstone = Tombstone { block_id: secret.id.clone(), purged_at: noon(), actor: "test".into() };
    write(store, |transaction| transaction.purge_block(&tombstone));
    let left = read(store, |snapshot| {
        let events = snapshot.list_events(&EventQuery::default())?;
        let links = snapshot.list_links(&LinkQuery::default())?;
        Ok(format!("{events:?} {links:?} {:?}", snapshot.get_journal(&JournalQuery::default())?))
    });
    assert!(!left.contains("quokka"), "{left}");
}

/// A text that is a part of longer words is quoted by none of them.
pub fn purging_a_short_text_leaves_longer_words_alone(store: &impl Store) {
    let (short, other) = (active("one"), active("someone called at noon"));
    insert(store, &[&short, &other]);
    let telling = |id: &str, content: &str, block: Option<&BlockId>| Event {
        payload: json!({ "data": content }),
        content: content.to_owned(),
        ..event(id, "fact", block)
    };
    write(store, |transaction| {
        transaction.insert_event(&telling("e1", "someone called at noon", Some(&other.id)))?;
        transaction.insert_event(&telling("e2", "stones and someone", None))?;
        transaction.insert_event(&telling("e3", "there was one", None))?;
        transaction.insert_event(&telling("e4", "cones and phones", None))
    });
    write(store, |transaction| transaction.delete_event("e4"));
    let tombstone = Tombstone { block_id: short.id.clone(), purged_at: noon(), actor: "test".into() };
    write(store, |transaction| transaction.purge_block(&tombstone));
    let left: Vec<String> = read(store, |snapshot| snapshot.list_events(&EventQuery::default()))
        .into_iter()
        .map(|event| event.id)
        .collect();
    assert!(left.contains(&"e1".to_owned()) && left.contains(&"e2".to_owned()) && left.len() == 2, "{left:?}");
    let journal = read(store, |snapshot| snapshot.get_journal(&JournalQuery::default()));
    assert!(format!("{journal:?}").contains("cones and phones"));
}

/// What one scope was told, another does not see: not in lists, not in the journal, not behind filters.
pub fn events_contexts_and_links_stay_within_their_scope(store: &impl Store) {
    let scope = Scope::from_stored("other");
    let hidden = Block { scope: scope.clone(), ..active("hidden") };
    let elsewhere = ScopeView::only(scope);
    let change = |work: &dyn Fn(&mut dyn Transaction) -> Result<(), StoreError>| {
        let done: Result<(), StoreError> = store.write(&elsewhere, |transaction| {
            transaction.describe(header("test"));
            work(transaction)
        });
        done.expect("the write succeeds");
    };
    let before = read(store, |snapshot| snapshot.get_operations(&JournalQuery::default())).len();
    change(&|transaction| {
        transaction.insert_block(&hidden)?;
        transaction.insert_event(&event("e1", "fact", Some(&hidden.id)))?;
        transaction.put_enrolment(&enrolment(&hidden.id, "skill:rust", true))
    });
    change(&|transaction| transaction.insert_event(&event("e2", "debug", None)).map(drop));
    change(&|transaction| {
        transaction.insert_context(&Context { id: context("skill:rust"), created_at: noon() }).map(drop)
    });
    change(&|transaction| transaction.put_link(&link("skill:rust", LinkType::RelatedTo, "skill:c")).map(drop));
    read(store, |snapshot| {
        assert!(snapshot.list_events(&EventQuery::default())?.is_empty());
        assert!(snapshot.list_contexts(&ContextQuery::default())?.is_empty());
        assert!(snapshot.list_links(&LinkQuery::default())?.is_empty());
        assert!(snapshot.get_enrolled(&context("skill:rust"))?.is_empty());
        assert_eq!(snapshot.get_operations(&JournalQuery::default())?.len(), before);
        Ok(())
    });
    let seen = store.read(&elsewhere, |snapshot| snapshot.list_events(&EventQuery::default()));
    assert_eq!(seen.map(|found: Vec<Event>| found.len()).ok(), Some(2));
}

/// Contexts, their types and sources narrow down who may answer; a successor counts as told by whoever told the first.
pub fn filters_know_contexts_and_sources(store: &impl Store) {
    let (a, b, c) = (active("a"), active("b"), active("c"));
    insert(store, &[&a, &b, &c]);
    write(store, |transaction| {
        transaction.insert_event(&event("e1", "fact", Some(&a.id)))?;
        transaction.put_enrolment(&enrolment(&a.id, "skill:rust", true))?;
        transaction.put_enrolment(&enrolment(&b.id, "error:e0308", true))
    });
    let found = |filter: &BlockFilter| read(store, |snapshot| snapshot.filter_block_ids(filter));
    let open = BlockFilter::default();
    let contexts = vec![context("skill:rust")];
    assert_eq!(found(&BlockFilter { contexts: contexts.clone(), ..open.clone() }), [a.id.clone()]);
    let mut both = vec![a.id.clone(), b.id.clone()];
    both.sort();
    assert_eq!(found(&BlockFilter { contexts, context_kinds: vec!["error".into()], ..open.clone() }), both);
    let told = BlockFilter { sources: vec![EventSource::User], ..open.clone() };
    assert_eq!(found(&told), [a.id.clone()]);
    write(store, |transaction| {
        transaction.update_block_status(&a.id, BlockStatus::Archived, None)?;
        transaction.update_block(&a.id, &mut |block| block.superseded_by = Some(c.id.clone()))
    });
    assert_eq!(found(&told), [c.id]);
    assert!(found(&BlockFilter { sources: vec![EventSource::Policy], ..open }).is_empty());
}
