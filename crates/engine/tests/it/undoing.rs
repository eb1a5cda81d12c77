//! `undo`: one operation at a time, exactly, or not at all.

use elfmem_core::{ActiveHours, BlockId, BlockStatus, OperationKind, ScopeView, Timestamp};
use elfmem_engine::{
    AddLink, AddTags, Clock, Dream, Edit, Error, ErrorKind, Forget, Learn, ListOperations, Memory, Outcome, Purge,
    ReadLog, RemoveTags, ResolveContradiction, RetractOutcome, SessionStyle, Supersede, Undo, UndoError,
};
use elfmem_store::{Snapshot, Store, StoreError};

use crate::fixtures::{TestMemory, agent_edge, block, blocks, check_invariants, edges, edit, learn, learn_facts};
use crate::state::{assert_same_state, state};
use crate::{ManualClock, clock, memory, memory_at, memory_on};

fn seq_of_last(memory: &Memory<impl Store>) -> i64 {
    memory.log(ReadLog::new().limit(1)).unwrap()[0].seq
}

fn refused(memory: &Memory<impl Store>, seq: i64) -> UndoError {
    let before = state(memory);
    let position = seq_of_last(memory);
    let error = memory.undo(Undo::operation(seq)).unwrap_err();
    assert_same_state(&state(memory), &before);
    assert_eq!(seq_of_last(memory), position, "a refused undo is not an operation");
    assert!(!error.recovery().is_empty() && !error.message().is_empty());
    match error {
        Error::Undo(error) => error,
        other => panic!("{other}"),
    }
}

/// Every verb that changes something, on a memory with a little in it, undone and redone.
#[test]
fn every_verb_is_undone_to_exactly_the_state_before_it_and_redone_to_the_state_after() {
    type Verb = (&'static str, fn(&TestMemory));
    fn id(text: &str) -> String {
        BlockId::for_content(text).to_string()
    }
    let verbs: [Verb; 16] = [
        ("learn", |m| drop(m.learn("Something else entirely").unwrap())),
        ("learn again", |m| drop(m.learn(Learn::new("The port is 5432").tag("more")).unwrap())),
        ("learn archived again", |m| drop(m.learn("Ana keeps bees").unwrap())),
        ("learn_document", |m| {
            let text = "# One\n\nFirst thing.\n\n# Two\n\nSecond thing.";
            drop(m.learn_document(elfmem_engine::LearnDocument::new(text)).unwrap());
        }),
        ("dream", |m| drop(m.dream(Dream::new()).unwrap())),
        ("add_tags", |m| drop(m.add_tags(AddTags::new(id("The port is 5432"), ["self/constitutional"])).unwrap())),
        ("remove_tags", |m| drop(m.remove_tags(RemoveTags::new(id("The port is 5432"), ["topic/db"])).unwrap())),
        ("pin", |m| drop(m.pin(id("The port is 5432")).unwrap())),
        ("forget", |m| drop(m.forget(Forget::new(id("The port is 5432")).reason("wrong")).unwrap())),
        ("restore", |m| drop(m.restore(id("Ana keeps bees")).unwrap())),
        ("edit labels", |m| {
            let edit = Edit::new(id("The port is 5432")).category("decision").cue("connecting");
            drop(m.edit(edit.add_tag("new").remove_tag("topic/db")).unwrap());
        }),
        ("edit text", |m| drop(m.edit(Edit::new(id("The port is 5432")).content("The port is 6000")).unwrap())),
        ("edit letter case", |m| {
            drop(m.edit(Edit::new(id("The port is 5432")).content("THE port is 5432")).unwrap());
        }),
        ("edit to an archived text", |m| {
            drop(m.edit(Edit::new(id("The port is 5432")).content("Ana keeps bees")).unwrap());
        }),
        ("supersede", |m| {
            drop(m.supersede(Supersede::new(id("The port is 5432"), id("Maria is allergic to peanuts"))).unwrap());
        }),
        ("resolve", |m| {
            let [old, new] = ["The port is 5432", "The port is 5433"].map(id);
            drop(m.resolve_contradiction(ResolveContradiction::new(old, &new).keep(&new)).unwrap());
        }),
    ];
    for (name, verb) in verbs {
        let memory = memory();
        memory.learn(Learn::new("The port is 5432").tags(["topic/db", "b"])).unwrap();
        learn(&memory, &["Maria is allergic to peanuts", "Ana keeps bees", "The port is 5433"]);
        memory.dream(Dream::new()).unwrap();
        let known: Vec<BlockId> = blocks(&memory).into_iter().map(|block| block.id).collect();
        edit(&memory, |transaction| transaction.put_edge(&agent_edge(&known[0], &known[1])));
        memory.forget(id("Ana keeps bees")).unwrap();
        memory.learn("Waiting in the inbox").unwrap();
        let before = state(&memory);
        verb(&memory);
        let after = state(&memory);
        assert_ne!(before, after, "{name} changed nothing");
        let rehearsed = memory.undo(Undo::last().dry_run()).unwrap();
        assert!(rehearsed.dry_run);
        assert_same_state(&state(&memory), &after);
        let undone = memory.undo(Undo::last()).unwrap();
        assert_eq!((undone.counts, undone.effects), (rehearsed.counts, rehearsed.effects), "{name}");
        assert_same_state(&state(&memory), &before);
        check_invariants(&memory);
        let redone = memory.undo(Undo::operation(undone.undo_seq.unwrap())).unwrap();
        assert!(redone.redo, "{name}");
        assert_same_state(&state(&memory), &after);
        check_invariants(&memory);
        memory.undo(Undo::operation(undone.seq)).unwrap();
        assert_same_state(&state(&memory), &before);
    }
}

#[test]
fn undo_goes_back_step_by_step_and_ends_where_the_memory_began() {
    let clock = clock();
    let memory = memory_at(&clock);
    let empty = state(&memory);
    let mut states = vec![empty];
    for text in ["one", "two", "three"] {
        clock.forward_minutes(5.0);
        memory.learn(text).unwrap();
        states.push(state(&memory));
    }
    let hours = memory.active_hours().unwrap();
    for expected in states.iter().rev().skip(1) {
        memory.undo(Undo::last()).unwrap();
        assert_same_state(&state(&memory), expected);
    }
    let nothing = memory.undo(Undo::last()).unwrap_err();
    assert!(matches!(nothing, Error::Undo(UndoError::NothingToUndo)), "{nothing}");
    assert!(memory.active_hours().unwrap() >= hours && hours > ActiveHours::ZERO, "the clock never runs backwards");
}

#[test]
fn a_whole_dream_of_several_transactions_is_one_undo() {
    let memory = memory();
    learn_facts(&memory);
    let more: Vec<String> = (0..120).map(|number| format!("Drawer {number} is for odds and ends")).collect();
    learn(&memory, &more.iter().map(String::as_str).collect::<Vec<_>>());
    let before = state(&memory);
    let result = memory.dream(Dream::new()).unwrap();
    assert!(result.processed > 200 && result.contradictions_detected > 0 && result.superseded > 0);
    let after = state(&memory);
    let parts =
        memory.log(ReadLog::new().limit(10)).unwrap().iter().filter(|entry| entry.header.operation == "dream").count();
    assert!(parts >= 2, "{parts}");
    let undone = memory.undo(Undo::last()).unwrap();
    assert!(undone.operations.len() >= 2, "{undone}");
    assert_same_state(&state(&memory), &before);
    memory.undo(Undo::operation(undone.undo_seq.unwrap())).unwrap();
    assert_same_state(&state(&memory), &after);
    // Any of its numbers names the whole dream.
    memory.undo(Undo::operation(undone.operations[0])).unwrap();
    assert_same_state(&state(&memory), &before);
    let again = memory.dream(Dream::new()).unwrap();
    assert_eq!(again.promoted, result.promoted);
}

#[test]
fn what_a_purge_rests_on_is_refused_and_the_error_names_another_way() {
    let memory = memory();
    let [witness, fact] =
        ["Every deploy ran on Tuesday", "Deploys go out on Tuesdays"].map(|text| memory.learn(text).unwrap().block_id);
    memory.dream(Dream::new()).unwrap();
    memory.link(AddLink::new(witness.as_str(), "reinforces", fact.as_str())).unwrap();
    memory.outcome(Outcome::new([fact.as_str()], 0.9).outcome_id("o1")).unwrap();
    let judging = seq_of_last(&memory);
    memory.purge(Purge::new(witness.as_str())).unwrap();
    let error = refused(&memory, judging);
    assert!(matches!(&error, UndoError::DependedForGood { .. }), "{error:?}");
    assert!(error.message().contains("(purge)") && error.message().contains("cannot be undone"), "{error}");
    assert!(error.recovery().contains("retract_outcome()"), "{}", error.recovery());
    memory.retract_outcome(RetractOutcome::new("o1")).unwrap();
}

#[test]
fn what_a_later_operation_rests_on_is_refused_by_its_number_until_that_is_undone() {
    let memory = memory();
    let learned = memory.learn("The port is 5432").unwrap().block_id;
    let learning = seq_of_last(&memory);
    memory.add_tags(AddTags::new(learned.as_str(), ["topic/db"])).unwrap();
    let tagging = seq_of_last(&memory);
    let error = refused(&memory, learning);
    assert!(matches!(&error, UndoError::Depended { later, .. } if *later == [tagging]), "{error:?}");
    assert_eq!(Error::from(error.clone()).kind(), ErrorKind::Conflict);
    assert!(error.message().contains(&format!("operation {tagging} (add_tags)")), "{error}");
    assert!(error.recovery().contains(&format!("Undo operation {tagging} first")), "{}", error.recovery());
    memory.undo(Undo::operation(tagging)).unwrap();
    memory.undo(Undo::operation(learning)).unwrap();
    assert!(blocks(&memory).is_empty());
}

#[test]
fn an_edge_made_later_holds_back_the_dream_that_made_its_block_active() {
    let memory = memory();
    let ids = learn(&memory, &["Ana keeps bees", "The port is 5432"]);
    memory.dream(Dream::new()).unwrap();
    let dream = seq_of_last(&memory);
    edit(&memory, |transaction| transaction.put_edge(&agent_edge(&ids[0], &ids[1])));
    let connecting = seq_of_last(&memory);
    assert!(matches!(refused(&memory, dream), UndoError::Depended { later, .. } if later == [connecting]));
}

#[test]
fn an_edge_does_not_come_back_to_a_block_that_was_archived_since() {
    let memory = memory();
    let ids = learn(&memory, &["Ana keeps bees", "The port is 5432"]);
    memory.dream(Dream::new()).unwrap();
    let edge = agent_edge(&ids[0], &ids[1]);
    edit(&memory, |transaction| transaction.put_edge(&edge));
    edit(&memory, |transaction| transaction.delete_edge(&edge.key).map(drop));
    let disconnecting = seq_of_last(&memory);
    memory.forget(ids[0].as_str()).unwrap();
    let forgetting = seq_of_last(&memory);
    assert!(matches!(refused(&memory, disconnecting), UndoError::Depended { later, .. } if later == [forgetting]));
    memory.undo(Undo::last()).unwrap();
    memory.undo(Undo::operation(disconnecting)).unwrap();
    assert_eq!(edges(&memory), [edge]);
}

#[test]
fn an_edge_does_not_come_back_where_later_ones_took_its_room() {
    let memory = memory();
    let texts: Vec<String> =
        ["bees", "ports", "tea", "rain", "maps", "keys", "songs", "bread", "ships", "clay", "dogs"]
            .iter()
            .map(|word| format!("Something about {word} and nothing more"))
            .collect();
    let ids = learn(&memory, &texts.iter().map(String::as_str).collect::<Vec<_>>());
    let hub = memory.learn("The hub of it all").unwrap().block_id;
    let gone = agent_edge(&hub, &ids[0]);
    edit(&memory, |transaction| transaction.put_edge(&gone));
    edit(&memory, |transaction| transaction.delete_edge(&gone.key).map(drop));
    let disconnecting = seq_of_last(&memory);
    for id in &ids[1..] {
        edit(&memory, |transaction| transaction.put_edge(&agent_edge(&hub, id)));
    }
    let last = seq_of_last(&memory);
    let error = refused(&memory, disconnecting);
    assert!(matches!(&error, UndoError::Depended { later, .. } if *later == [last]), "{error:?}");
    memory.undo(Undo::operation(last)).unwrap();
    memory.undo(Undo::operation(disconnecting)).unwrap();
    assert!(edges(&memory).contains(&gone));
}

#[test]
fn uses_never_stand_in_the_way_and_are_counted_on() {
    let clock = clock();
    let memory = memory_at(&clock);
    let id = memory.learn("The port is 5432").unwrap().block_id;
    memory.dream(Dream::new()).unwrap();
    let dream = seq_of_last(&memory);
    let used = |times: u32| {
        for _ in 0..times {
            clock.forward_minutes(10.0);
            // Saying it again is a use and nothing more.
            memory.learn("The port is 5432").unwrap();
        }
    };
    used(3);
    let stamp = block(&memory, &id).last_reinforced_at;
    assert_eq!(block(&memory, &id).reinforcement_count, 4);
    memory.undo(Undo::operation(dream)).unwrap();
    let now = block(&memory, &id);
    assert_eq!((now.status, now.reinforcement_count, now.last_reinforced_at), (BlockStatus::Inbox, 3, stamp));
    // The last operation that changed more than a count is the learning itself.
    memory.undo(Undo::last()).unwrap();
    assert!(blocks(&memory).is_empty());
}

#[test]
fn what_is_undone_cannot_be_undone_twice_and_what_never_was_is_not_found() {
    let memory = memory();
    memory.learn("one").unwrap();
    let learning = seq_of_last(&memory);
    let undone = memory.undo(Undo::operation(learning)).unwrap();
    let by = undone.undo_seq.unwrap();
    assert_eq!(refused(&memory, learning), UndoError::AlreadyUndone { seq: learning, by });
    for seq in [0, -1, i64::MIN, i64::MAX, 999] {
        let error = refused(&memory, seq);
        assert_eq!(error, UndoError::NoOperation { seq });
    }
    assert!(refused(&memory, learning).recovery().contains(&format!("undo(seq={by})")));
}

#[test]
fn what_made_the_memory_its_sessions_and_its_vectors_are_not_undone() {
    let memory = memory();
    learn(&memory, &["one thing", "another thing"]);
    memory.begin_session("work").unwrap();
    memory.dream(Dream::new()).unwrap();
    memory.end_session().unwrap();
    for entry in memory.log(ReadLog::new().limit(100)).unwrap() {
        if ["create", "begin_session", "end_session", "embed"].contains(&entry.header.operation.as_str()) {
            assert!(matches!(refused(&memory, entry.seq), UndoError::NotUndoable { .. }), "{entry:?}");
        }
    }
    assert_eq!(memory.undo(Undo::last().dry_run()).unwrap().operation, "dream");
}

#[test]
fn undo_works_across_restarts_and_processes() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let before = {
        let memory = memory_on(&path, &clock, SessionStyle::Detached);
        memory.learn("one").unwrap();
        state(&memory)
    };
    memory_on(&path, &clock, SessionStyle::Detached).learn("two").unwrap();
    let memory = memory_on(&path, &clock, SessionStyle::Detached);
    memory.undo(Undo::last()).unwrap();
    assert_same_state(&state(&memory), &before);
}

#[test]
fn a_block_that_comes_back_has_its_vector_and_revisions_go_on() {
    let memory = memory();
    let ids = learn(&memory, &["Ana keeps bees", "The port is 5432"]);
    memory.dream(Dream::new()).unwrap();
    let vector = |id: &BlockId| {
        let model = memory.filled_by().unwrap().unwrap();
        let read = |snapshot: &dyn Snapshot| snapshot.get_vectors(&model, Some(std::slice::from_ref(id)));
        let mut found = memory.store().read::<_, StoreError, _>(&ScopeView::default(), read).unwrap();
        found.pop().map(|stored| stored.vector)
    };
    let (kept, revision) = (vector(&ids[0]), block(&memory, &ids[0]).revision);
    assert!(kept.is_some());
    edit(&memory, |transaction| transaction.delete_block(&ids[0]));
    memory.undo(Undo::last()).unwrap();
    assert_eq!(vector(&ids[0]), kept);
    assert!(block(&memory, &ids[0]).revision > revision);
    // An undone dream leaves the vectors, which may have been paid for.
    memory.undo(Undo::last()).unwrap();
    assert_eq!(block(&memory, &ids[1]).status, BlockStatus::Inbox);
    assert!(vector(&ids[1]).is_some());
}

#[test]
fn a_clock_that_is_finer_than_the_store_does_not_get_in_the_way() {
    let fine = ManualClock::at(Timestamp::new(1_800_000_000, 123_456_789).unwrap());
    let memory = memory_at(&fine);
    learn(&memory, &["Ana keeps bees", "The port is 5432", "The port is 5433"]);
    let before = state(&memory);
    memory.dream(Dream::new()).unwrap();
    let after = state(&memory);
    let undone = memory.undo(Undo::last()).unwrap();
    assert_same_state(&state(&memory), &before);
    memory.undo(Undo::operation(undone.undo_seq.unwrap())).unwrap();
    assert_same_state(&state(&memory), &after);
}

#[test]
fn history_is_in_memory_only_and_the_operations_outlive_it() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let first = memory_on(&path, &clock, SessionStyle::Detached);
    first.learn("one").unwrap();
    assert_eq!(first.history(10).len(), 1);
    drop(first);
    let memory = memory_on(&path, &clock, SessionStyle::Detached);
    assert!(memory.history(10).is_empty());
    let operations: Vec<OperationKind> =
        memory.operations(ListOperations::new().limit(10)).unwrap().into_iter().map(|past| past.operation).collect();
    assert_eq!(operations, ["create", "learn"]);
}

#[test]
fn operations_from_before_a_time_are_left_out() {
    let clock = clock();
    let memory = memory_at(&clock);
    memory.learn("before").unwrap();
    clock.forward_minutes(60.0);
    let noon = clock.now();
    memory.learn("at that time").unwrap();
    clock.forward_minutes(1.0);
    memory.learn("after").unwrap();
    let count = |request: ListOperations| memory.operations(request).unwrap().len();
    assert_eq!((count(ListOperations::new()), count(ListOperations::new().since(noon))), (4, 2));
    assert_eq!(count(ListOperations::new().since(noon).limit(1)), 1);
    clock.forward_minutes(1.0);
    assert_eq!(count(ListOperations::new().since(clock.now())), 0);
}

#[test]
fn the_operations_of_a_run_are_one_line_of_history() {
    let memory = memory();
    let texts: Vec<String> = (0..450).map(|number| format!("Drawer {number} is for odds and ends")).collect();
    learn(&memory, &texts.iter().map(String::as_str).collect::<Vec<_>>());
    memory.dream(Dream::new()).unwrap();
    let newest = memory.operations(ListOperations::new().limit(1)).unwrap().remove(0);
    assert_eq!((newest.operation.as_str(), newest.parts.len() >= 3), ("dream", true), "{newest:?}");
    assert!(newest.summary.contains("more parts)"), "{}", newest.summary);
    memory.undo(Undo::operation(newest.parts[1])).unwrap();
    let dreamed = memory.operations(ListOperations::new().limit(2)).unwrap().remove(0);
    assert_eq!(dreamed.undone_by, Some(seq_of_last(&memory)));
    assert_eq!(memory.operations(ListOperations::new().limit(2)).unwrap()[1].undoes, Some(newest.seq));
}

#[test]
fn a_later_run_stands_in_the_way_by_one_number_and_undoing_that_clears_it() {
    let memory = memory();
    let texts: Vec<String> = (0..450).map(|number| format!("Drawer {number} is for odds and ends")).collect();
    let new: Vec<Learn> = texts.iter().map(Learn::new).collect();
    memory.learn_all(&new).unwrap();
    let learning = seq_of_last(&memory);
    memory.dream(Dream::new()).unwrap();
    let dream = memory.operations(ListOperations::new().limit(1)).unwrap().remove(0);
    assert!(dream.parts.len() >= 3);
    assert!(matches!(refused(&memory, learning), UndoError::Depended { later, .. } if later == [dream.seq]));
    memory.undo(Undo::operation(dream.seq)).unwrap();
    memory.undo(Undo::operation(learning)).unwrap();
    assert!(blocks(&memory).is_empty());
}

#[test]
fn a_row_that_was_changed_behind_the_journals_back_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let memory = memory_on(&path, &clock(), SessionStyle::Held);
    let id = memory.learn("The port is 5432").unwrap().block_id;
    memory.edit(Edit::new(id.as_str()).cue("connecting")).unwrap();
    let editing = seq_of_last(&memory);
    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute("UPDATE blocks SET cue = 'by hand'", []).unwrap();
    assert!(matches!(refused(&memory, editing), UndoError::Drifted { .. }));
    other.execute("UPDATE blocks SET cue = 'connecting'", []).unwrap();
    memory.undo(Undo::operation(editing)).unwrap();
    assert_eq!(block(&memory, &id).cue, None);
}

#[test]
fn a_block_that_took_the_place_of_another_is_not_undone_away_under_it() {
    let memory = memory();
    let (old, new) = (memory.learn("The meeting is on Monday").unwrap(), memory.learn("We meet on Mondays").unwrap());
    let learned = memory.operations(ListOperations::new().limit(10)).unwrap().last().unwrap().seq;
    memory.supersede(Supersede::new(old.block_id.as_str(), new.block_id.as_str())).unwrap();
    let superseded = memory.operations(ListOperations::new().limit(10)).unwrap().last().unwrap().seq;
    let refused = memory.undo(Undo::operation(learned)).unwrap_err();
    assert!(
        matches!(&refused, Error::Undo(UndoError::Depended { later, .. }) if *later == [superseded]),
        "{refused:?}"
    );
    memory.undo(Undo::operation(superseded)).unwrap();
    memory.undo(Undo::operation(learned)).unwrap();
    assert_eq!(blocks(&memory).len(), 1);
}

#[test]
fn an_operation_that_changed_nothing_is_named_when_undo_passes_over_it() {
    let clock = clock();
    let memory = memory_at(&clock);
    memory.remember("The port is 5432").unwrap();
    clock.forward_minutes(1.0);
    let outcome = memory.outcome(elfmem_engine::Outcome::new(["ffff0000"], 0.9)).unwrap();
    assert_eq!(outcome.blocks_updated, 0);
    clock.forward_minutes(1.0);
    memory.recall("which port?").unwrap();
    let would = memory.undo(Undo::last().dry_run()).unwrap();
    let undone = memory.undo(Undo::last()).unwrap();
    assert_eq!(would.skipped, undone.skipped);
    let [skipped] = undone.skipped.as_slice() else { panic!("{undone}") };
    assert_eq!((&skipped.operation, skipped.seq), (&OperationKind::Outcome, None));
    assert_eq!(undone.operation, OperationKind::Remember);
    let said = undone.to_string();
    assert!(said.contains("(remember): 1 block removed."), "{said}");
    assert!(said.contains("Skipped the last outcome: it changed nothing."), "{said}");
    // The journal holds the sentence, too.
    assert!(memory.log(ReadLog::new().limit(1)).unwrap()[0].header.summary.contains("Skipped the last outcome"));
    let redone = memory.undo(Undo::operation(undone.undo_seq.unwrap())).unwrap();
    assert!(redone.skipped.is_empty() && redone.to_string().contains("1 block brought back"), "{redone}");
}

#[test]
fn a_purge_and_an_operation_that_was_undone_are_told_apart_when_undo_passes_over_them() {
    let clock = clock();
    let memory = memory_at(&clock);
    let ids = learn(&memory, &["The port is 5432", "Ana keeps bees", "Maria likes tea"]);
    clock.forward_minutes(1.0);
    memory.purge(ids[0].as_str()).unwrap();
    clock.forward_minutes(1.0);
    let undone = memory.undo(Undo::last()).unwrap();
    assert_eq!(undone.operation, OperationKind::Learn);
    let [skipped] = undone.skipped.as_slice() else { panic!("{undone}") };
    assert_eq!(skipped.operation, OperationKind::Purge);
    assert!(undone.to_string().contains("(purge): what was purged is gone."), "{undone}");
    clock.forward_minutes(1.0);
    let again = memory.undo(Undo::last()).unwrap();
    assert_eq!(again.skipped.len(), 1, "what was undone is not named again: {again}");
}

#[test]
fn the_result_of_an_undo_tells_what_became_of_which_rows() {
    let memory = memory();
    let ids = learn(&memory, &["The port is 5432", "Ana keeps bees"]);
    memory.dream(Dream::new()).unwrap();
    memory.pin(ids[0].as_str()).unwrap();
    assert!(memory.undo(Undo::last()).unwrap().to_string().contains("(pin): 1 block changed back."));
    memory.connect(elfmem_engine::Connect::new(ids[0].as_str(), ids[1].as_str())).unwrap();
    let undone = memory.undo(Undo::last()).unwrap();
    assert!(undone.to_string().contains("(connect): 1 edge removed."), "{undone}");
    let redone = memory.undo(Undo::operation(undone.undo_seq.unwrap())).unwrap();
    assert!(redone.to_string().contains("1 edge brought back."), "{redone}");
}
