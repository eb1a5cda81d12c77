//! Overrides and derived methods agree: the same random history gives the same answers and the same rows.

use std::fmt::Debug;

use elfmem_core::{BlockId, BlockStatus, ScopeView, SessionId, Timestamp};

use super::history::{self, RandomHistory};
use super::required::{Derived, DerivedSnapshot};
use crate::{
    BlockFilter, BlockOrder, BlockQuery, ContextQuery, ContradictionFilter, DocumentQuery, EventQuery, FadingQuery,
    IndexFeed, JournalQuery, LinkQuery, ProposalState, ReadBlocks, ReadEvents, ReadEvidence, ReadGraph, ReadJournal,
    ReadProposals, ReadRows, ReadSettings, ReadVectors, ReplacedQuery, Result, Row, Snapshot, Store, Vectors,
};

/// Every method that a store overrides answers as the derived one does.
pub fn overridden_reads_answer_as_derived_ones(store: &impl Store) {
    for seed in 1..=4 {
        let history = history::write(store, seed, 120);
        for view in history::views() {
            let read: Result<()> = store.read(&view, |snapshot| {
                let derived = DerivedSnapshot(snapshot);
                compare_blocks(snapshot, &derived, &history)?;
                compare_graph(snapshot, &derived, &history)?;
                compare_events(snapshot, &derived, &history)?;
                compare_journal(snapshot, &derived, &history)?;
                compare_feed(snapshot, &derived, &history)?;
                compare_rest(snapshot, &derived)
            });
            read.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        }
    }
}

/// Every change that a store overrides leaves the same rows and the same journal as the derived one.
pub fn overridden_writes_leave_what_derived_ones_leave<S: Store>(make: impl Fn() -> S) {
    for seed in 10..=14 {
        let (overridden, derived) = (make(), Derived { inner: make() });
        history::write(&overridden, seed, 150);
        history::write(&derived, seed, 150);
        assert_same_contents(&overridden, &derived);
    }
}

/// Two stores hold the same rows and the same journal, in every view.
pub fn assert_same_contents(one: &impl Store, other: &impl Store) {
    for view in history::views() {
        let (one, other) = (contents(one, &view), contents(other, &view));
        for (one, other) in one.iter().zip(&other) {
            assert_eq!(one, other);
        }
        assert_eq!(one.len(), other.len());
    }
}

/// Rows, operations and staged vectors as text, so that a difference can be read.
fn contents(store: &impl Store, view: &ScopeView) -> Vec<String> {
    let read: Result<Vec<String>> = store.read(view, |snapshot| {
        let mut found: Vec<String> = Vec::new();
        snapshot.visit_rows(Vectors::Include, &mut |row: Row| {
            found.push(serde_json::to_string(&row).unwrap_or_default());
            std::ops::ControlFlow::Continue(())
        })?;
        // The first operations are those of making the store.
        let journal = snapshot.get_journal(&JournalQuery::default())?;
        found.extend(journal.iter().filter(|entry| entry.header.actor == "test").map(|entry| format!("{entry:?}")));
        snapshot.scan_staged_vectors("m2", &mut |id, vector| found.push(format!("{id} {vector:?}")))?;
        Ok(found)
    });
    read.unwrap_or_else(|error| panic!("{error}"))
}

/// Compares two answers in the order they came.
fn same<T: PartialEq + Debug>(what: &str, one: Result<T>, other: Result<T>) -> Result<()> {
    let (one, other) = (one?, other?);
    assert!(one == other, "{what}: {one:#?} and derived {other:#?}");
    Ok(())
}

/// Compares two answers whose order is not defined.
fn same_set<T: Debug>(what: &str, one: Result<Vec<T>>, other: Result<Vec<T>>) -> Result<()> {
    let text = |values: Vec<T>| {
        let mut texts: Vec<String> = values.iter().map(|value| format!("{value:?}")).collect();
        texts.sort();
        texts
    };
    same(what, one.map(text), other.map(text))
}

macro_rules! compare {
    ($how:ident, $one:expr, $other:expr, $($method:ident($($argument:expr),*);)*) => {
        $($how(stringify!($method), $one.$method($($argument),*), $other.$method($($argument),*))?;)*
    };
}

fn compare_blocks(one: &dyn Snapshot, other: &DerivedSnapshot<'_>, history: &RandomHistory) -> Result<()> {
    let ids = history.ids.as_slice();
    for id in ids {
        compare!(same, one, other, is_hidden(id, crate::Internal(())););
        compare!(same, one, other, get_block(id); block_exists(id); get_block_state(id); get_lineage(id););
        compare!(same, one, other, find_block_ids(&id.as_str()[..1], 3); find_tombstone(id.as_str()););
    }
    compare!(same, one, other, get_blocks(ids); get_statuses(ids); get_block_counts(); get_active_blocks(););
    compare!(same_set, one, other, get_texts(ids); get_inbox_ids(););
    for order in [BlockOrder::OldestFirst, BlockOrder::NewestFirst, BlockOrder::RecentlyUsedFirst] {
        for status in [None, Some(BlockStatus::Inbox), Some(BlockStatus::Active), Some(BlockStatus::Archived)] {
            for tag_pattern in [None, Some("t%".to_owned()), Some("topic/1".to_owned())] {
                let query = BlockQuery { status, tag_pattern, order, limit: Some(7), ..BlockQuery::default() };
                compare!(same, one, other, list_blocks(&query); count_blocks(&query););
            }
        }
    }
    let (named, of_source) =
        (DocumentQuery::Named("notes.md".to_owned()), DocumentQuery::OfSource("document".to_owned()));
    for document in [None, Some(DocumentQuery::Any), Some(named), Some(of_source)] {
        for replaced in [None, Some(ReplacedQuery::All), Some(ReplacedQuery::Unreviewed)] {
            let query = BlockQuery { document: document.clone(), replaced, ..BlockQuery::default() };
            compare!(same, one, other, list_blocks(&query); count_blocks(&query););
        }
    }
    for hours in [10.0, 60.0, 200.0] {
        let now = elfmem_core::ActiveHours::new(hours);
        let (above, up_to) = (0.05, 0.9);
        let query = FadingQuery { now, above, up_to, least_uses: 1, least_confidence: 0.5, limit: 5 };
        compare!(same, one, other, get_fading_blocks(&query););
    }
    Ok(())
}

fn compare_graph(one: &dyn Snapshot, other: &DerivedSnapshot<'_>, history: &RandomHistory) -> Result<()> {
    let ids = history.ids.as_slice();
    for id in ids {
        let of_one = std::slice::from_ref(id);
        compare!(same, one, other, get_edges_for_block(id); get_neighbours(of_one););
        compare!(same_set, one, other, get_settled_contradictions(id););
        for other_id in ids {
            let key = elfmem_core::EdgeKey { from_id: id.clone(), to_id: other_id.clone() };
            compare!(same, one, other, get_edge(&key); get_contradiction(id, other_id););
        }
    }
    let seen: Vec<BlockId> = other.get_statuses(ids)?.into_keys().collect();
    compare!(same, one, other, get_degrees(&seen); get_node_states(ids); get_neighbours(&ids[..5]););
    compare!(same, one, other, get_contradictions_for_blocks(ids); list_contradictions(ContradictionFilter::All); list_contradictions(ContradictionFilter::Open););
    let (graph, derived) = (one.get_living_graph()?, other.get_living_graph()?);
    same("blocks of get_living_graph", Ok(graph.blocks), Ok(derived.blocks))?;
    same_set("edges of get_living_graph", Ok(graph.edges), Ok(derived.edges))
}

fn compare_events(one: &dyn Snapshot, other: &DerivedSnapshot<'_>, history: &RandomHistory) -> Result<()> {
    let ids = history.ids.as_slice();
    compare!(same, one, other, get_enrolments(ids););
    for event in &history.events {
        compare!(same, one, other, get_event(event););
    }
    for context in &history.contexts {
        compare!(same, one, other, get_context(context); get_enrolled(context););
        let of_context =
            EventQuery { context: Some(context.clone()), limit: Some(3), offset: 1, ..EventQuery::default() };
        compare!(same, one, other, list_events(&of_context); count_events(&of_context););
    }
    for admitted in [None, Some(true), Some(false)] {
        let query = EventQuery { admitted, ..EventQuery::default() };
        compare!(same, one, other, list_events(&query); count_events(&query););
    }
    compare!(same, one, other, list_events(&EventQuery::of_blocks(&ids[..5])););
    for least_references in 0..2 {
        let query = ContextQuery { least_references, limit: Some(4), offset: 1, ..ContextQuery::default() };
        compare!(same, one, other, list_contexts(&query); count_contexts(&query););
    }
    for unresolved in [false, true] {
        compare!(same, one, other, list_links(&LinkQuery { unresolved, limit: Some(9), ..LinkQuery::default() }););
    }
    for key in &history.links {
        let query =
            LinkQuery { from: Some(vec![key.from.clone()]), to: Some(vec![key.to.clone()]), ..LinkQuery::default() };
        compare!(same, one, other, get_link(key); list_links(&query); get_effects_of(key););
    }
    for id in other.get_statuses(ids)?.keys() {
        compare!(same, one, other, get_outcomes(id); get_effects(id); get_last_evidence_sequence(id););
    }
    for outcome in &history.outcomes {
        compare!(same, one, other, get_outcomes_by_id(outcome););
    }
    for since in [super::noon(), Timestamp::MAX] {
        compare!(same, one, other, get_outcomes_since(since););
    }
    Ok(())
}

fn compare_journal(one: &dyn Snapshot, other: &DerivedSnapshot<'_>, history: &RandomHistory) -> Result<()> {
    compare!(same, one, other, get_journal_position(); get_undos(); get_run("run"); get_run("none"););
    let position = one.get_journal_position()?;
    for limit in [None, Some(3)] {
        for block in std::iter::once(None).chain(history.ids.iter().take(5).cloned().map(Some)) {
            let (after, before) = (Some(position / 3), Some(position - 1));
            let query = JournalQuery { block, after, before, limit };
            compare!(same, one, other, get_journal(&query); get_operations(&query););
        }
    }
    for seqs in [vec![], vec![position], vec![position / 2, position / 3, position / 2], vec![2]] {
        compare!(same, one, other, get_changes(&seqs); get_later_changes(&seqs););
    }
    for id in &history.ids {
        same_set("get_block_changes", one.get_block_changes(id), other.get_block_changes(id))?;
    }
    for session in ["s1", "s2", "s3"].map(SessionId::from_stored) {
        compare!(same, one, other, get_shown_ids(&session, 4); get_shown_ids(&session, 100););
    }
    for after in [0, position / 2, position] {
        compare!(same, one, other, get_answers_after(after, 2); get_answers_after(after, 100););
        compare!(same, one, other, get_changes_after(after););
    }
    Ok(())
}

fn compare_feed(one: &dyn Snapshot, other: &DerivedSnapshot<'_>, history: &RandomHistory) -> Result<()> {
    for ids in [None, Some(&history.ids[..6])] {
        let index_rows = |snapshot: &dyn Snapshot| {
            let mut rows = Vec::new();
            snapshot.visit_index_rows("m1", ids, &mut |row| rows.push(format!("{row:?}")))?;
            Ok(rows)
        };
        same_set("visit_index_rows", index_rows(one), index_rows(other))?;
        let states = |snapshot: &dyn Snapshot| {
            let mut states = Vec::new();
            snapshot.visit_ranking_states(ids, &mut |id, state| states.push((id.clone(), state)))?;
            Ok(states)
        };
        same_set("visit_ranking_states", states(one), states(other))?;
        same_set("get_vectors", one.get_vectors("m1", ids).map(texts), other.get_vectors("m1", ids).map(texts))?;
    }
    for term in history::WORDS.iter().copied().chain(["nothing"]) {
        for term in elfmem_text::terms::query_terms(term) {
            same_set("get_postings", one.get_postings(&term), other.get_postings(&term))?;
        }
    }
    for words in history::WORDS.windows(3) {
        let terms = elfmem_text::terms::query_terms(&words.join(" "));
        // So many that what other scopes hold does not decide.
        compare!(same, one, other, get_common_holders(&terms, 1_000, 0); get_common_holders(&terms, 1_000, 1_000););
    }
    for filter in filters(history) {
        compare!(same, one, other, filter_block_ids(&filter););
    }
    let seen: Vec<BlockId> = other.get_statuses(&history.ids)?.into_keys().collect();
    same_set("get_index_edges", one.get_index_edges(&seen), other.get_index_edges(&seen))
}

fn texts(vectors: Vec<crate::StoredVector>) -> Vec<String> {
    vectors.iter().map(|vector| format!("{vector:?}")).collect()
}

fn filters(history: &RandomHistory) -> Vec<BlockFilter> {
    let open = BlockFilter::default();
    let tags = |patterns: &[&str]| patterns.iter().map(|pattern| (*pattern).to_owned()).collect::<Vec<_>>();
    let at = Some(history::moment(40));
    vec![
        open.clone(),
        BlockFilter { any_tag: tags(&["topic/1", "t%2"]), ..open.clone() },
        BlockFilter { all_tags: tags(&["topic/%", "%1"]), ..open.clone() },
        BlockFilter { categories: tags(&["fact"]), ..open.clone() },
        BlockFilter { since: at, ..open.clone() },
        BlockFilter { until: at, ..open.clone() },
        BlockFilter { contexts: history.contexts.iter().take(2).cloned().collect(), ..open.clone() },
        BlockFilter { context_kinds: tags(&["skill"]), ..open.clone() },
        BlockFilter { sources: vec![elfmem_core::event::EventSource::Assistant], ..open },
    ]
}

fn compare_rest(one: &dyn Snapshot, other: &DerivedSnapshot<'_>) -> Result<()> {
    compare!(same, one, other, is_empty(); list_frames(); get_open_sessions(); get_clock(); get_config("key"); get_frame("self"););
    compare!(same, one, other, get_vector_models(); count_staged_vectors("m2"); get_unstaged_blocks("m2", 5););
    for state in [None, Some(ProposalState::Open), Some(ProposalState::Accepted)] {
        compare!(same, one, other, list_proposals(state););
    }
    for proposal in other.list_proposals(None)? {
        compare!(same, one, other, get_proposal(proposal.number); find_proposal(&proposal.subject()););
    }
    for session in ["s1", "s9"].map(SessionId::from_stored) {
        compare!(same, one, other, get_session(&session););
    }
    Ok(())
}
