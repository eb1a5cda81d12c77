//! Contradictions: told with both texts, settled in three ways.

use elfmem_core::{
    ArchiveReason, BlockId, BlockStatus, Confidence, EdgeKey, EdgeOrigin, Evidence, Relation, Timestamp,
};
use elfmem_engine::{
    AddLink, ContradictionDetails, Dream, Edit, ErrorKind, Learn, LearnStatus, ListContradictions, ReadLog,
    ResolveContradiction,
};
use elfmem_store::Contradiction;
use serde_json::json;

use crate::fixtures::{TestMemory, agent_edge, block, blocks, check_invariants, contradictions, edges, edit, learn};
use crate::memory;

const OPEN: &str = "The back door is open";
const CLOSED: &str = "The back door is closed";

/// A memory with one contradiction; the ids of the two blocks.
fn contradictory() -> (TestMemory, BlockId, BlockId) {
    let memory = memory();
    let open = memory.learn(Learn::new(OPEN).tag("topic/house")).unwrap().block_id;
    let closed = memory.learn(CLOSED).unwrap().block_id;
    assert_eq!(memory.dream(Dream::new()).unwrap().contradictions_detected, 1);
    (memory, open, closed)
}

fn listed(memory: &TestMemory, resolved_too: bool) -> Vec<ContradictionDetails> {
    let request = ListContradictions::new();
    memory.contradictions(if resolved_too { request.all() } else { request }).unwrap()
}

#[test]
fn contradictions_are_listed_with_both_texts_and_the_reason() {
    let (memory, open, closed) = contradictory();
    let [found] = listed(&memory, false).try_into().unwrap();
    let mut sides = [(found.a.block_id, found.a.content), (found.b.block_id, found.b.content)];
    sides.sort();
    let mut expected = [(open, OPEN.to_owned()), (closed, CLOSED.to_owned())];
    expected.sort();
    assert_eq!(sides, expected);
    assert_eq!(found.reason.as_deref(), Some("opposites: 'open' and 'closed'"));
    assert_eq!((found.score, found.resolved, found.note), (0.95, false, None));
    assert_eq!((found.a.confidence, found.b.confidence), (0.5, 0.5));
    assert!(
        memory
            .contradictions(ListContradictions::new())
            .unwrap()
            .iter()
            .all(|found| found.a.created_at == found.b.created_at)
    );
}

#[test]
fn the_newest_contradiction_comes_first() {
    let clock = crate::clock();
    let memory = crate::memory_at(&clock);
    learn(&memory, &[OPEN, CLOSED]);
    memory.dream(Dream::new()).unwrap();
    clock.forward_minutes(10.0);
    learn(&memory, &["The cluster has 12 nodes", "The cluster has 16 nodes"]);
    memory.dream(Dream::new()).unwrap();
    let listed = listed(&memory, false);
    assert!(listed[0].a.content.contains("cluster") && listed[1].a.content.contains("door"));
}

#[test]
fn keeping_one_archives_the_other_with_a_pointer() {
    let (memory, open, closed) = contradictory();
    let result = memory
        .resolve_contradiction(ResolveContradiction::new(open.short(), closed.short()).keep(closed.short()))
        .unwrap();
    assert_eq!((result.action, result.kept, result.archived), ("kept", vec![closed.clone()], vec![open.clone()]));
    let gone = block(&memory, &open);
    assert_eq!((gone.archive_reason, gone.superseded_by), (Some(ArchiveReason::Superseded), Some(closed.clone())));
    assert_eq!(block(&memory, &closed).tags[0].as_str(), "topic/house");
    assert!(listed(&memory, true).is_empty());
    check_invariants(&memory);
    let last = memory.log(ReadLog::new().limit(1)).unwrap().remove(0);
    assert_eq!(last.header.operation, "resolve");
    assert_eq!(last.header.summary, format!("Resolved: {} holds, {} is archived.", closed.short(), open.short()));
}

#[test]
fn what_was_learned_about_the_wrong_claim_does_not_pass_to_the_right_one() {
    let (memory, open, closed) = contradictory();
    let third = memory.learn("The back door is locked and closed").unwrap().block_id;
    memory.dream(Dream::new()).unwrap();
    let against = Contradiction::between(&open, &third, 0.9, Timestamp::UNIX_EPOCH).unwrap();
    edit(&memory, |transaction| {
        transaction.update_block(&open, &mut |block| {
            block.confidence = Confidence::saturating(0.1);
            block.outcome_evidence = Evidence::new(4.0);
        })?;
        for found in transaction.get_contradictions_for_blocks(std::slice::from_ref(&third))? {
            transaction.delete_contradiction(&found)?;
        }
        transaction.put_contradiction(&against)?;
        transaction.put_edge(&agent_edge(&open, &third))
    });
    memory.resolve_contradiction(ResolveContradiction::new(open.as_str(), closed.as_str()).keep(&closed)).unwrap();
    let kept = block(&memory, &closed);
    assert_eq!((kept.confidence.get(), kept.outcome_evidence.get()), (0.5, 0.0));
    assert!(contradictions(&memory).is_empty(), "the third agrees with what is kept");
    assert!(edges(&memory).contains(&agent_edge(&closed, &third)), "what an agent connected stays connected");
}

#[test]
fn keeping_one_does_not_join_it_with_what_else_it_contradicts() {
    let (memory, open, closed) = contradictory();
    let third = memory.learn("Octopuses have three hearts").unwrap().block_id;
    memory.dream(Dream::new()).unwrap();
    let alike = |id: &BlockId| {
        let key = EdgeKey::canonical(id, &third).unwrap();
        elfmem_core::Edge::new(key, Relation::SIMILAR, EdgeOrigin::SIMILARITY, Timestamp::UNIX_EPOCH)
    };
    let against = Contradiction::between(&closed, &third, 0.9, Timestamp::UNIX_EPOCH).unwrap();
    edit(&memory, |transaction| {
        transaction.put_edge(&alike(&open))?;
        transaction.put_contradiction(&against)
    });
    memory.resolve_contradiction(ResolveContradiction::new(open.as_str(), closed.as_str()).keep(&closed)).unwrap();
    assert!(edges(&memory).is_empty());
    check_invariants(&memory);
}

#[test]
fn keeping_one_stays_within_the_degree_cap() {
    let (memory, open, closed) = contradictory();
    let others: Vec<BlockId> =
        (0..16).map(|number| memory.learn(format!("Neighbour number {number}")).unwrap().block_id).collect();
    edit(&memory, |transaction| {
        for (at, other) in others.iter().enumerate() {
            let end = if at < 8 { &open } else { &closed };
            let key = EdgeKey::canonical(end, other).unwrap();
            let edge = elfmem_core::Edge::new(key, Relation::SIMILAR, EdgeOrigin::SIMILARITY, Timestamp::UNIX_EPOCH);
            transaction.put_edge(&edge)?;
        }
        Ok(())
    });
    memory.resolve_contradiction(ResolveContradiction::new(open.as_str(), closed.as_str()).keep(&open)).unwrap();
    assert_eq!(memory.show(open.as_str()).unwrap().edges.len(), 10);
    check_invariants(&memory);
}

#[test]
fn keeping_both_settles_it_with_a_note_for_good() {
    let (memory, open, closed) = contradictory();
    let both = ResolveContradiction::new(open.as_str(), closed.as_str()).both("There are two back doors.");
    let result = memory.resolve_contradiction(both).unwrap();
    assert_eq!((result.action, result.archived.len()), ("kept_both", 0));
    assert!(listed(&memory, false).is_empty());
    let [settled] = listed(&memory, true).try_into().unwrap();
    assert!(settled.resolved);
    assert_eq!(settled.note.as_deref(), Some("There are two back doors."));
    assert!([&open, &closed].into_iter().all(|id| block(&memory, id).status == BlockStatus::Active));
    // A repetition does not bring it up again.
    learn(&memory, &["The back door is closed!"]);
    assert_eq!(memory.dream(Dream::new()).unwrap().contradictions_detected, 0);
    assert!(listed(&memory, false).is_empty());
}

#[test]
fn what_was_settled_stays_settled_in_other_words() {
    let (memory, open, closed) = contradictory();
    let both = ResolveContradiction::new(open.short(), closed.short()).both("there are two back doors");
    memory.resolve_contradiction(both).unwrap();
    // The same knowledge in slightly other words takes the place of the older text.
    learn(&memory, &["The back doors are closed"]);
    let result = memory.dream(Dream::new()).unwrap();
    assert_eq!((result.superseded, result.contradictions_detected), (1, 0), "{result:?}");
    assert!(listed(&memory, false).is_empty());
    let [settled] = listed(&memory, true).try_into().unwrap();
    assert_eq!((settled.resolved, settled.note.as_deref()), (true, Some("there are two back doors")));
    assert!([settled.a.content, settled.b.content].contains(&"The back doors are closed".to_owned()));
}

#[test]
fn a_replacement_takes_the_place_of_both() {
    let (memory, open, closed) = contradictory();
    let text = "The back door is open in summer and closed in winter";
    let result =
        memory.resolve_contradiction(ResolveContradiction::new(open.as_str(), closed.as_str()).replace(text)).unwrap();
    let id = BlockId::for_content(text);
    assert_eq!((result.action, &result.kept[..]), ("replaced", std::slice::from_ref(&id)));
    for old in [&open, &closed] {
        assert_eq!(block(&memory, old).superseded_by.as_ref(), Some(&id));
    }
    let new = block(&memory, &id);
    assert_eq!((new.status, new.confidence.get(), new.tags[0].as_str()), (BlockStatus::Inbox, 0.5, "topic/house"));
    assert!(listed(&memory, true).is_empty());
    assert_eq!(memory.dream(Dream::new()).unwrap().promoted, 1);
    check_invariants(&memory);
    assert_eq!(memory.learn(text).unwrap().status, LearnStatus::DuplicateRejected);
}

#[test]
fn a_replacement_that_is_one_of_the_two_keeps_that_one() {
    let (memory, open, closed) = contradictory();
    let result = memory
        .resolve_contradiction(ResolveContradiction::new(open.as_str(), closed.as_str()).replace(CLOSED))
        .unwrap();
    assert_eq!((result.kept, result.archived), (vec![closed.clone()], vec![open]));
    assert_eq!(block(&memory, &closed).status, BlockStatus::Active);
    check_invariants(&memory);
}

#[test]
fn what_cannot_be_settled_is_refused_and_changes_nothing() {
    let (memory, open, closed) = contradictory();
    let other = memory.learn("Octopuses have three hearts").unwrap().block_id;
    let before = (blocks(&memory), contradictions(&memory));
    let with = |b: &str| ResolveContradiction::new(open.as_str(), b);
    for (request, kind) in [
        (with(other.as_str()).both(""), ErrorKind::NotFound),
        (with(open.as_str()).both(""), ErrorKind::NotFound),
        (with("ffffffff").both(""), ErrorKind::NotFound),
        (with(closed.as_str()).keep(other.as_str()), ErrorKind::NotFound),
        (with(closed.as_str()).keep("ffffffff"), ErrorKind::NotFound),
        (with(closed.as_str()).replace("  "), ErrorKind::Input),
        (with(closed.as_str()), ErrorKind::Input),
        (with(closed.as_str()).both("").keep(open.as_str()), ErrorKind::Input),
    ] {
        let error = memory.resolve_contradiction(&request).unwrap_err();
        assert_eq!(error.kind(), kind, "{request:?}");
        assert!(error.to_string().contains(" — Recovery: "), "{error}");
        assert_eq!((blocks(&memory), contradictions(&memory)), before);
    }
}

#[test]
fn a_shown_block_names_what_contradicts_and_what_replaces_it() {
    let memory = memory();
    let learn = |text: &str| memory.learn(Learn::new(text)).unwrap().block_id;
    let (weak, strong) = (learn("The shop opens at six"), learn("The shop opens at seven"));
    let shown = |id: &BlockId| memory.invoke("show", json!({"block_id": id}).as_object().unwrap()).unwrap();
    assert!(!shown(&weak).text.contains("contradicted by"));
    memory.link(AddLink::new(strong.as_str(), "contradicts", weak.as_str())).unwrap();
    let reply = shown(&weak);
    assert!(reply.text.contains(&format!("; contradicted by {}", strong.short())), "{}", reply.text);
    assert_eq!(reply.json["contradicted_by"], json!([strong]));
    assert!(!shown(&strong).text.contains("contradicted by"));
    let new = memory.edit(Edit::new(strong.as_str()).content("The shop opens at eight")).unwrap().block_id;
    let replaced = shown(&strong).text;
    assert!(replaced.contains(&format!("; replaced by {}", new.short())), "{replaced}");
}
