//! A whole memory, out and in.

use std::ops::ControlFlow;

use elfmem_core::outcome::OutcomeRecord;
use elfmem_core::{
    ActiveHours, BlockId, BlockStatus, Confidence, Evidence, LinkType, Scope, ScopeView, Session, SessionId,
    SessionKind, Signal,
};

use super::events::{context, effect, enrolment, event, link};
use super::{active, block, edge, header, insert, noon, read, tags, write};
use crate::{
    Context, Contradiction, Proposal, ProposalKind, ProposalState, Provenance, Row, Setting, StagedPair, Store,
    Tombstone,
};

/// Every row the default scope sees.
fn rows(store: &impl Store, vectors: bool) -> Vec<Row> {
    let mut rows = Vec::new();
    read(store, |snapshot| {
        snapshot.visit_rows(vectors.into(), &mut |row| {
            rows.push(row);
            ControlFlow::Continue(())
        })
    });
    rows
}

/// One of each kind comes back as it was stored, blocks first and in the order of storing.
pub fn every_kind_of_row_is_visited_as_it_was_stored(store: &impl Store) {
    let (mut late, early) = (active("late"), active("early"));
    late.tags = tags(&["topic/db"]);
    late.created_at = elfmem_core::Timestamp::UNIX_EPOCH;
    insert(store, &[&early, &late]);
    let joined = edge(&early, &late, 0.5);
    let contradiction = Contradiction::between(&early.id, &late.id, 0.9, noon()).expect("two blocks");
    let record = OutcomeRecord {
        outcome_id: "o1".into(),
        block_id: late.id.clone(),
        sequence: 1,
        signal: Signal::saturating(0.9),
        weight: 1.0,
        source: "test".into(),
        confidence_before: Confidence::default(),
        confidence_after: Confidence::saturating(0.63),
        evidence_before: Evidence::NONE,
        created_at: noon(),
        ceiling: None,
    };
    let proposal = Proposal {
        number: 0,
        kind: ProposalKind::Stale,
        block_id: early.id.clone(),
        other_id: None,
        tag: None,
        text: None,
        score: 0.5,
        reason: "it fades".into(),
        state: ProposalState::Open,
        created_at: noon(),
        settled_at: None,
    };
    let session = Session {
        id: SessionId::from_stored("s1"),
        task_type: "general".into(),
        kind: SessionKind::Held,
        started_at: noon(),
        ended_at: Some(noon()),
        start_active_hours: ActiveHours::new(1.0),
        last_seen_at: noon(),
    };
    let pair =
        StagedPair { key: joined.key.clone(), count: 2, sessions: ["s1", "s2"].map(SessionId::from_stored).into() };
    let tombstone = Tombstone { block_id: BlockId::from_stored("gone"), purged_at: noon(), actor: "test".into() };
    let provenance =
        Provenance { source_peer: Some("elf:ada".into()), share: Some("peer".into()), envelope_json: None };
    let told = event("e1", "fact", Some(&late.id));
    let place = Context { id: context("skill:rust"), created_at: noon() };
    let belongs = enrolment(&late.id, "skill:rust", true);
    let stated = link(late.id.as_str(), LinkType::Reinforces, early.id.as_str());
    let done = effect(&stated, &early.id, 2);
    let stated = write(store, |transaction| {
        transaction.insert_event(&told)?;
        transaction.insert_context(&place)?;
        transaction.put_enrolment(&belongs)?;
        transaction.put_effect(&done)?;
        transaction.put_link(&stated)
    });
    let stored = write(store, |transaction| {
        transaction.put_edge(&joined)?;
        transaction.put_contradiction(&contradiction)?;
        transaction.put_outcome(&record)?;
        transaction.start_session(&session)?;
        transaction.put_staged_pair(&pair)?;
        transaction.put_tombstone(&tombstone)?;
        transaction.set_provenance(&late.id, &provenance)?;
        transaction.set_embedding(&late.id, "m", &[0.25, -1.5])?;
        transaction.set_config("mine", "7")?;
        transaction.insert_proposal(&proposal)
    });
    let all = rows(store, true);
    let blocks: Vec<_> = all.iter().filter_map(Row::block_id).collect();
    assert_eq!(blocks, [&early.id, &late.id], "in the order of storing, whatever their dates say");
    let Row::Block(out) = &all[1] else { panic!("blocks come first") };
    assert_eq!((&out.provenance, out.vector.as_deref()), (&provenance, Some(&[0.25f32, -1.5][..])));
    assert_eq!((&out.block.tags, out.block.embedding_model.as_deref()), (&late.tags, Some("m")));
    let frames = read(store, |snapshot| snapshot.list_frames());
    let expected = [
        Row::Edge(joined),
        Row::Contradiction(contradiction),
        Row::Outcome(record),
        Row::Proposal(stored),
        Row::Pair(pair),
        Row::Session(session),
        Row::Tombstone(tombstone),
        Row::Setting(Setting { key: "mine".into(), value: "7".into() }),
        Row::Event(Box::new(told)),
        Row::Context(place),
        Row::Enrolment(belongs),
        Row::Link(stated),
        Row::Effect(done),
    ];
    for row in expected.into_iter().chain(frames.into_iter().map(Row::Frame)) {
        assert!(all.contains(&row), "{row:?}");
        let text = serde_json::to_string(&row).expect("it can be written");
        assert_eq!(serde_json::from_str::<Row>(&text).expect("it can be read"), row);
    }
    let without = rows(store, false);
    let bare = |row: &Row| matches!(row, Row::Block(row) if row.vector.is_none());
    assert_eq!(without.iter().filter(|row| bare(row)).count(), 2);
}

/// Whoever looks may stop; archived blocks are rows too.
pub fn a_visit_ends_when_the_visitor_breaks_off(store: &impl Store) {
    insert(store, &[&block("one"), &block("two"), &block("three")]);
    write(store, |transaction| transaction.update_block_status(&block("one").id, BlockStatus::Archived, None));
    let mut seen = 0;
    read(store, |snapshot| {
        snapshot.visit_rows(crate::Vectors::Skip, &mut |_| {
            seen += 1;
            if seen == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    });
    assert_eq!(seen, 2);
    assert_eq!(rows(store, false).iter().filter_map(Row::block_id).count(), 3);
}

/// Nothing of another scope goes out, and a memory is blank only when no scope holds anything.
pub fn rows_of_another_scope_are_not_visited(store: &impl Store) {
    assert!(read(store, |snapshot| snapshot.is_empty()));
    let other = ScopeView::only(Scope::parse("other").expect("a name"));
    let (mut a, mut b) = (active("a"), active("b"));
    for block in [&mut a, &mut b] {
        block.scope = Scope::parse("other").expect("a name");
    }
    let stored: Result<(), crate::StoreError> = store.write(&other, |transaction| {
        transaction.describe(header("test"));
        transaction.insert_block(&a)?;
        transaction.insert_block(&b)?;
        transaction.put_edge(&edge(&a, &b, 0.5))?;
        transaction.put_staged_pair(&StagedPair { key: edge(&a, &b, 0.5).key, count: 1, sessions: vec![] })?;
        transaction.put_tombstone(&Tombstone {
            block_id: BlockId::from_stored("gone"),
            purged_at: noon(),
            actor: "test".into(),
        })?;
        transaction.set_scope_config("mine", "7")
    });
    stored.expect("the write succeeds");
    assert!(!read(store, |snapshot| snapshot.is_empty()), "another scope holds something");
    let all = rows(store, false);
    assert!(!all.iter().any(|row| matches!(row, Row::Setting(setting) if setting.key.starts_with("mine"))));
    let kinds: Vec<&str> = all.iter().map(|row| row.kind().as_str()).collect();
    assert!(!kinds.iter().any(|kind| ["block", "edge", "pair", "tombstone"].contains(kind)), "{kinds:?}");
}

/// What another memory counted or purged does not undo what this one did.
pub fn what_comes_in_from_elsewhere_does_not_replace_what_is_here(store: &impl Store) {
    let (a, b) = (active("a"), active("b"));
    insert(store, &[&a, &b]);
    let key = edge(&a, &b, 0.5).key;
    let here = SessionId::from_stored("here");
    write(store, |transaction| transaction.stage_co_retrieval(std::slice::from_ref(&key), &here));
    let stone =
        |actor: &str| Tombstone { block_id: BlockId::from_stored("gone"), purged_at: noon(), actor: actor.into() };
    write(store, |transaction| {
        transaction.put_staged_pair(&StagedPair { key: key.clone(), count: 2, sessions: vec![] })?;
        transaction.put_tombstone(&stone("first"))?;
        transaction.put_tombstone(&stone("second"))
    });
    let all = rows(store, false);
    assert!(all.contains(&Row::Pair(StagedPair { key: key.clone(), count: 1, sessions: vec![here] })));
    assert!(all.contains(&Row::Tombstone(stone("first"))));
    // A pair that came in counts on like any other.
    let (c, d) = (active("c"), active("d"));
    insert(store, &[&c, &d]);
    let key = edge(&c, &d, 0.5).key;
    let counted = write(store, |transaction| {
        let sessions = ["s1", "s2"].map(SessionId::from_stored).into();
        transaction.put_staged_pair(&StagedPair { key: key.clone(), count: 2, sessions })?;
        transaction.stage_co_retrieval(std::slice::from_ref(&key), &SessionId::from_stored("s1"))?;
        transaction.stage_co_retrieval(std::slice::from_ref(&key), &SessionId::from_stored("s3"))
    });
    assert_eq!(counted, [(key, 3)], "a session that was counted elsewhere is not counted again");
}
