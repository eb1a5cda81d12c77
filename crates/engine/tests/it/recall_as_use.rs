//! What being shown does to a memory: it counts as use, it links what keeps coming up together, and nothing else moves.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use elfmem_core::{ActiveHours, BlockId, Confidence, Edge, EdgeOrigin, Relation, Timestamp};
use elfmem_engine::{
    Connect, Curate, Disconnect, Dream, Learn, LeftOutReason, ListOperations, Memory, Outcome, Recall, RenderFrame,
    ResolveContradiction, SessionStyle, Undo, Why,
};
use elfmem_store::{Contradiction, Store};

use crate::fixtures::{TestMemory, block, blocks, edge_between, edit, learn, put_edge};
use crate::{clock, memory, memory_at, memory_on};

/// Every row of every table of a file, as text.
fn every_row(path: &Path) -> BTreeMap<String, Vec<String>> {
    let file = rusqlite::Connection::open(path).unwrap();
    let mut tables = file.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").unwrap();
    let names: Vec<String> = tables.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    assert!(names.len() > 8, "{names:?}");
    names
        .into_iter()
        .map(|name| {
            let mut statement = file.prepare(&format!("SELECT * FROM \"{name}\"")).unwrap();
            let columns = statement.column_count();
            let rows = statement
                .query_map([], |row| {
                    let values: Vec<String> =
                        (0..columns).map(|at| format!("{:?}", row.get_ref(at).unwrap())).collect();
                    Ok(values.join(" "))
                })
                .unwrap();
            (name, rows.map(Result::unwrap).collect())
        })
        .collect()
}

#[test]
fn what_was_shown_is_reinforced_and_nothing_else() {
    let clock = clock();
    let memory = memory_at(&clock);
    memory.begin_session("work").unwrap();
    let texts = ["Bread rises in the proofing room", "Bread rises slower in winter", "The van needs new tyres"];
    let ids = learn(&memory, &texts);
    let waiting = memory.learn("Bread rises on the windowsill too").unwrap().block_id;
    memory.consolidate().unwrap();
    let inbox = memory.learn("Bread rises faster with sugar").unwrap().block_id;
    for (a, b) in [(0, 1), (0, 2)] {
        put_edge(&memory, &ids[a], &ids[b], "supports", EdgeOrigin::AGENT, 0.3);
    }
    clock.forward_minutes(90.0);
    let before: BTreeMap<BlockId, _> = blocks(&memory).into_iter().map(|block| (block.id.clone(), block)).collect();
    let edge = |a: usize, b: usize| edge_between(&memory, &ids[a], &ids[b]).unwrap();
    let edges: [Edge; 2] = [edge(0, 1), edge(0, 2)];
    let shown: Vec<BlockId> = memory
        .recall(Recall::new("where does bread rise").top_k(4))
        .unwrap()
        .blocks
        .into_iter()
        .map(|block| block.id)
        .collect();
    assert_eq!(shown.len(), 4);
    assert!(shown.contains(&inbox) && shown.contains(&waiting) && !shown.contains(&ids[2]));
    for (id, was) in &before {
        let mut expected = was.clone();
        if shown.contains(id) {
            expected.reinforcement_count += 1;
            expected.last_reinforced_at = memory.active_hours().unwrap();
        }
        let mut is = block(&memory, id);
        (is.revision, expected.revision) = (0, 0);
        // The recall embedded what was not embedded yet.
        expected.embedding_model.clone_from(&is.embedding_model);
        assert_eq!(is, expected);
    }
    assert_eq!(edge(0, 1).reinforcement_count, edges[0].reinforcement_count + 1, "both ends were shown");
    assert_eq!(edge(0, 2), edges[1], "one end was not shown");
}

#[test]
fn a_preview_changes_no_row_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let memory = memory_on(&path, &clock, SessionStyle::Held);
    for n in 0..120 {
        memory.learn(format!("loaf number {n} was baked on shelf {}", n % 7)).unwrap();
    }
    for text in ["I am a baker", "I keep my word"] {
        memory.learn(Learn::new(text).tag("self/constitutional")).unwrap();
    }
    clock.forward_minutes(5.0);
    let before = every_row(&path);
    for frame in ["self", "attention", "task", "simulate", "search"] {
        for request in [Recall::new("which loaf is on shelf three?"), Recall::all(), Recall::new("?!")] {
            let request = request.frame(frame).preview();
            memory.recall(&request).unwrap();
            memory.frame(&request).unwrap();
        }
    }
    memory.why(Why::new("loaf", memory.last_learned_block_id().unwrap().as_str())).unwrap();
    assert_eq!(every_row(&path), before);
    assert!(memory.last_recall_block_ids().is_empty());
    memory.recall(Recall::new("which loaf is on shelf three?").top_k(3)).unwrap();
    let after = every_row(&path);
    let changed: Vec<&String> = after.keys().filter(|name| after[*name] != before[*name]).collect();
    assert!(changed.iter().any(|name| *name == "blocks"), "without preview it counts: {changed:?}");
}

/// Two blocks that come up for `bread`, and never resemble each other enough for an edge by themselves.
fn pair(memory: &Memory<impl Store>) -> (BlockId, BlockId) {
    let ids = learn(memory, &["Bread needs salt", "Maria sells bread at the Saturday market in Braga"]);
    memory.consolidate().unwrap();
    assert!(edge_between(memory, &ids[0], &ids[1]).is_none());
    (ids[0].clone(), ids[1].clone())
}

#[test]
fn a_pair_shown_together_in_three_sessions_becomes_an_edge() {
    let memory = memory();
    let (a, b) = pair(&memory);
    for session in 1..=3 {
        memory.begin_session("work").unwrap();
        assert_eq!(memory.recall(Recall::new("bread").top_k(2)).unwrap().blocks.len(), 2);
        memory.end_session().unwrap();
        assert_eq!(edge_between(&memory, &a, &b).is_some(), session == 3, "after session {session}");
    }
    let edge = edge_between(&memory, &a, &b).unwrap();
    assert_eq!((edge.relation_type, edge.origin), (Relation::CO_OCCURS, EdgeOrigin::CO_RETRIEVAL));
    assert!((edge.weight.get() - 0.55).abs() < 1e-9, "{}", edge.weight.get());
}

#[test]
fn many_recalls_of_one_session_or_of_two_make_no_edge() {
    let memory = memory();
    let (a, b) = pair(&memory);
    for _ in 0..2 {
        memory.begin_session("work").unwrap();
        for _ in 0..5 {
            memory.recall(Recall::new("bread").top_k(2)).unwrap();
            memory.frame(RenderFrame::new("attention").query("bread")).unwrap();
        }
        memory.end_session().unwrap();
        assert!(edge_between(&memory, &a, &b).is_none());
    }
}

#[test]
fn previews_and_blocks_that_were_cut_link_nothing() {
    let memory = memory();
    let (a, b) = pair(&memory);
    for _ in 0..4 {
        memory.begin_session("work").unwrap();
        memory.recall(Recall::new("bread").preview()).unwrap();
        memory.recall(Recall::new("bread").top_k(1)).unwrap();
        memory.end_session().unwrap();
    }
    assert!(edge_between(&memory, &a, &b).is_none());
}

#[test]
fn what_is_on_its_way_to_an_edge_survives_restarts() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let (a, b) = pair(&memory_on(&path, &clock, SessionStyle::Held));
    for session in 1..=3 {
        clock.forward_minutes(300.0);
        let memory = memory_on(&path, &clock, SessionStyle::Held);
        memory.begin_session("work").unwrap();
        assert!(edge_between(&memory, &a, &b).is_none(), "before session {session}");
        // The program dies without ending its session.
        memory.recall(Recall::new("bread").top_k(2)).unwrap();
    }
    clock.forward_minutes(300.0);
    let memory = memory_on(&path, &clock, SessionStyle::Held);
    memory.begin_session("work").unwrap();
    assert!(edge_between(&memory, &a, &b).is_some());
}

#[test]
fn what_came_up_together_is_linked_after_a_dream_and_before_a_curate_too_as_an_operation_that_can_be_undone() {
    for curate in [false, true] {
        let (clock, folder) = (clock(), tempfile::tempdir().unwrap());
        let memory = memory_on(&folder.path().join("memory.db"), &clock, SessionStyle::Held);
        let (a, b) = pair(&memory);
        for _ in 0..3 {
            clock.forward_minutes(300.0);
            assert_eq!(memory.recall(Recall::new("bread").top_k(2)).unwrap().blocks.len(), 2);
        }
        assert!(edge_between(&memory, &a, &b).is_none());
        if curate {
            memory.curate(Curate::new()).unwrap();
        } else {
            memory.consolidate().unwrap();
        }
        assert!(edge_between(&memory, &a, &b).is_some());
        let operations = memory.operations(ListOperations::new().limit(10)).unwrap();
        let associated = operations.iter().find(|past| past.operation == "associate").unwrap();
        assert_eq!(associated.summary, "Linked 1 pair that keeps coming up together.");
        memory.undo(Undo::operation(associated.seq)).unwrap();
        assert!(edge_between(&memory, &a, &b).is_none());
    }
}

#[test]
fn blocks_that_are_archived_or_linked_by_then_are_not_counted_as_a_pair() {
    let memory = memory();
    let (a, b) = pair(&memory);
    for session in 1..=4 {
        memory.begin_session("work").unwrap();
        memory.recall(Recall::new("bread").top_k(2)).unwrap();
        match session {
            3 => drop(memory.forget(a.as_str()).unwrap()),
            _ => drop(memory.connect(Connect::new(a.as_str(), b.as_str()).relation("supports")).unwrap()),
        }
        memory.end_session().unwrap();
        assert!(edge_between(&memory, &a, &b).is_none_or(|edge| edge.relation_type.as_str() == "supports"));
        match session {
            3 => drop(memory.restore(a.as_str()).unwrap()),
            _ => drop(memory.disconnect(Disconnect::new(a.as_str(), b.as_str())).unwrap()),
        }
    }
    assert!(edge_between(&memory, &a, &b).is_none());
}

#[test]
fn two_sessions_that_take_turns_are_still_two() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let (one, two) = (memory_on(&path, &clock, SessionStyle::Held), memory_on(&path, &clock, SessionStyle::Held));
    let (a, b) = pair(&one);
    one.begin_session("one").unwrap();
    two.begin_session("two").unwrap();
    for _ in 0..4 {
        one.recall(Recall::new("bread").top_k(2)).unwrap();
        two.recall(Recall::new("bread").top_k(2)).unwrap();
    }
    assert!(edge_between(&one, &a, &b).is_none());
}

#[test]
fn a_contradiction_that_is_shown_on_both_sides_does_not_stand_in_the_way_of_counting() {
    let memory = memory();
    let ids = ["The guild meets in Braga", "Bread needs no salt"]
        .map(|text| memory.learn(Learn::new(text).tag("self/constitutional")).unwrap().block_id);
    memory.consolidate().unwrap();
    put_edge(&memory, &ids[0], &ids[1], "contradicts", EdgeOrigin::AGENT, 0.9);
    for _ in 0..4 {
        memory.begin_session("work").unwrap();
        let before = block(&memory, &ids[0]).reinforcement_count;
        memory.frame(RenderFrame::new("self").query("bread in Braga")).unwrap();
        assert_eq!(block(&memory, &ids[0]).reinforcement_count, before + 1);
        memory.end_session().unwrap();
    }
    let edge = edge_between(&memory, &ids[0], &ids[1]).unwrap();
    assert_eq!((edge.relation_type.as_str(), edge.reinforcement_count), ("contradicts", 0));
}

#[test]
fn contradicts_edges_help_neither_by_expansion_nor_by_centrality() {
    let relations = ["contradicts", "supports"];
    let [against, along] = relations.map(|relation| {
        let memory = memory();
        let found = memory.learn("The sourdough class is on Fridays").unwrap().block_id;
        let linked = memory.learn("Ravi repaired the delivery van").unwrap().block_id;
        let third = memory.learn("Umbrellas are sold out").unwrap().block_id;
        memory.consolidate().unwrap();
        memory.connect(Connect::new(found.as_str(), linked.as_str()).relation(relation).weight(1.0)).unwrap();
        memory.connect(Connect::new(linked.as_str(), third.as_str()).relation(relation).weight(1.0)).unwrap();
        let request = Recall::new("when is the sourdough class?").frame("attention").top_k(5).preview();
        let shown = memory.recall(&request).unwrap().blocks;
        let of = |id: &BlockId| shown.iter().find(|block| block.id == *id).map(|block| block.explain.clone());
        (of(&linked), of(&found).unwrap().components.centrality)
    });
    assert!(along.0.unwrap().via.is_some(), "the same edge would help if it were another");
    assert!(along.1 > 0.3, "{}", along.1);
    assert!(against.0.is_none_or(|explain| explain.via.is_none() && explain.components.centrality <= 0.5));
    assert!(against.1 <= 0.5, "as young and unlinked as any: {}", against.1);
}

/// A memory with one unresolved contradiction; the ids of the two blocks.
fn contradictory() -> (TestMemory, BlockId, BlockId) {
    let memory = memory();
    let ids = learn(&memory, &["The back door is open", "The back door is closed"]);
    assert_eq!(memory.dream(Dream::new()).unwrap().contradictions_detected, 1);
    (memory, ids[0].clone(), ids[1].clone())
}

#[test]
fn of_a_contradicting_pair_the_more_confident_comes_first_and_the_other_below_it_and_marked() {
    let (memory, open, closed) = contradictory();
    let texts = |id: &BlockId| block(&memory, id).content;
    for (winner, loser, signal) in [(&open, &closed, 0.9), (&closed, &open, 1.0)] {
        for _ in 0..3 {
            memory.outcome(Outcome::new([winner.as_str()], signal)).unwrap();
        }
        memory.outcome(Outcome::new([loser.as_str()], 0.3)).unwrap();
        for frame in ["search", "attention", "task"] {
            let asked = Recall::new("is the back door open or closed?").frame(frame).preview();
            let found = memory.recall(&asked).unwrap();
            let shown: Vec<_> = found.blocks.iter().map(|block| (&block.id, block.contradicted_by.first())).collect();
            assert_eq!(shown, [(winner, None), (loser, Some(winner))], "{frame}");
            assert!(found.left_out.is_empty() && found.blocks[0].explain.displaced.is_empty());
            let rendered = memory.frame(&asked).unwrap().text;
            let (first, second) =
                (rendered.find(&texts(winner)), rendered.find(&format!("(contradicted) {}", texts(loser))));
            assert!(first.is_some() && first < second, "{rendered}");
        }
    }
}

#[test]
fn a_contradicted_block_takes_no_place_of_another_and_is_named_with_its_text() {
    let (memory, open, closed) = contradictory();
    memory.outcome(Outcome::new([open.as_str()], 1.0)).unwrap();
    let asked = Recall::new("is the back door open or closed?").top_k(1).preview();
    let found = memory.recall(&asked).unwrap();
    assert_eq!(found.blocks.iter().map(|block| &block.id).collect::<Vec<_>>(), [&open]);
    let [left] = &found.left_out[..] else { panic!("{found:?}") };
    assert_eq!((&left.block_id, left.reason, left.by.as_ref()), (&closed, LeftOutReason::Contradiction, Some(&open)));
    assert_eq!(left.content.as_deref(), Some("The back door is closed"));
    assert_eq!(found.blocks[0].explain.displaced, std::slice::from_ref(left));
    assert_eq!(memory.frame(asked.clone().frame("search")).unwrap().left_out, found.left_out);
    let arguments = serde_json::json!({"query": "is the back door open or closed?", "top_k": 1, "preview": true});
    let said = memory.invoke("recall", arguments.as_object().unwrap()).unwrap().text;
    assert!(said.contains(&format!("[{}] (contradicted) The back door is closed", closed.short())), "{said}");
    let other = memory.learn("The back door was painted green by Ravi").unwrap().block_id;
    let found = memory.recall(Recall::new("the back door").top_k(2).preview()).unwrap();
    assert_eq!(found.blocks.iter().map(|block| &block.id).collect::<HashSet<_>>(), HashSet::from([&open, &other]));
}

#[test]
fn being_shown_as_contradicted_is_no_use() {
    let clock = clock();
    let memory = memory_at(&clock);
    memory.begin_session("work").unwrap();
    let ids = learn(&memory, &["The back door is open", "The back door is closed"]);
    memory.dream(Dream::new()).unwrap();
    clock.forward_minutes(60.0);
    let first = memory.recall(Recall::new("the back door").preview()).unwrap().blocks[0].id.clone();
    let loser = ids.iter().find(|id| **id != first).unwrap();
    let before = block(&memory, loser).reinforcement_count;
    for _ in 0..3 {
        clock.forward_minutes(10.0);
        let shown = memory.recall("the back door").unwrap().blocks;
        assert_eq!(shown.iter().map(|block| &block.id).collect::<Vec<_>>(), [&first, loser], "the order stays");
    }
    assert_eq!(block(&memory, loser).reinforcement_count, before);
    assert!(memory.last_recall_block_ids().contains(loser), "it was shown");
}

#[test]
fn a_block_whose_opponent_is_itself_suppressed_is_shown_and_the_loss_is_reported() {
    let memory = memory();
    let ids = learn(&memory, &["The gate needs a badge", "Ravi painted the gate green", "Umbrellas hang by the gate"]);
    memory.consolidate().unwrap();
    edit(&memory, |transaction| {
        for pair in ids.windows(2) {
            let found = Contradiction::between(&pair[0], &pair[1], 0.9, Timestamp::UNIX_EPOCH).unwrap();
            transaction.insert_contradiction(&found)?;
        }
        for (id, confidence) in ids.iter().zip([0.3, 0.5, 0.8]) {
            let confidence = Confidence::saturating(confidence);
            transaction.update_block(id, &mut |block| block.confidence = confidence)?;
        }
        Ok(())
    });
    let found = memory.recall(Recall::new("the gate").top_k(2).preview()).unwrap();
    let mut shown: Vec<&BlockId> = found.blocks.iter().map(|block| &block.id).collect();
    shown.sort_by_key(|id| ids.iter().position(|known| known == *id));
    assert_eq!(shown, [&ids[0], &ids[2]]);
    let left: Vec<_> = found.left_out.iter().map(|left| (&left.block_id, left.by.as_ref())).collect();
    assert_eq!(left, [(&ids[1], Some(&ids[2]))]);
    let found = memory.recall(Recall::new("the gate").preview()).unwrap();
    let last = found.blocks.last().unwrap();
    assert_eq!((found.blocks.len(), &last.id, &last.contradicted_by[..]), (3, &ids[1], &ids[2..]));
}

#[test]
fn equally_confident_the_more_recent_comes_first_and_what_is_settled_is_no_longer_marked() {
    let clock = clock();
    let memory = memory_at(&clock);
    memory.begin_session("work").unwrap();
    let ids = learn(&memory, &["The back door is open", "The back door is closed"]);
    memory.dream(Dream::new()).unwrap();
    for recent in [&ids[0], &ids[1]] {
        clock.forward_minutes(120.0);
        let other = if recent == &ids[0] { &ids[1] } else { &ids[0] };
        let now = ActiveHours::new(memory.status().unwrap().total_active_hours);
        edit(&memory, |transaction| transaction.reinforce_blocks(std::slice::from_ref(recent), now));
        let found = memory.recall(Recall::new("the back door").preview()).unwrap();
        assert_eq!(found.blocks.iter().map(|block| &block.id).collect::<Vec<_>>(), [recent, other]);
        assert_eq!(found.blocks[1].contradicted_by, std::slice::from_ref(recent));
    }
    memory
        .resolve_contradiction(ResolveContradiction::new(ids[0].as_str(), ids[1].as_str()).both("two doors"))
        .unwrap();
    let found = memory.recall("the back door").unwrap();
    assert_eq!((found.blocks.len(), found.left_out.len()), (2, 0));
    assert!(found.blocks.iter().all(|block| block.contradicted_by.is_empty()));
}
