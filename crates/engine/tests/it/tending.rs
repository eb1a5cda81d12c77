//! The care of blocks: edit, forget, restore, pin, supersede, tags.

use elfmem_core::{ArchiveReason, Block, BlockId, BlockStatus, Confidence, Edge, Evidence, Tag};
use elfmem_engine::{AddTags, CareError, Dream, Edit, Error, Forget, Learn, ReadLog, Recall, Supersede};

use crate::fixtures::{TestMemory, agent_edge, block, check_invariants, contradictions, edges, edit, learn};
use crate::state::{assert_same_state, state};
use crate::{clock, memory, memory_at};

const PORT: &str = "The port is 5432";

fn id(text: &str) -> String {
    BlockId::for_content(text).to_string()
}

fn tag(name: &str) -> Tag {
    Tag::from_stored(name)
}

/// A memory with three active blocks, the first tagged, believed, used and joined with the second.
fn tended() -> (TestMemory, Vec<BlockId>) {
    let memory = memory();
    memory.learn(Learn::new(PORT).tags(["topic/db", "durable"])).unwrap();
    let mut ids = vec![BlockId::for_content(PORT)];
    ids.extend(learn(&memory, &["Ana keeps bees", "Maria is allergic to peanuts"]));
    memory.dream(Dream::new()).unwrap();
    edit(&memory, |transaction| {
        transaction.put_edge(&agent_edge(&ids[0], &ids[1]))?;
        transaction.update_block(&ids[0], &mut |block| {
            (block.confidence, block.outcome_evidence) = (Confidence::saturating(0.9), Evidence::new(3.0));
            block.reinforcement_count = 7;
        })?;
        Ok(())
    });
    (memory, ids)
}

fn care_error<T: std::fmt::Debug>(result: elfmem_engine::Result<T>) -> CareError {
    match result.unwrap_err() {
        Error::Care(error) => {
            assert!(!error.message().is_empty() && !error.recovery().is_empty());
            error
        }
        other => panic!("{other}"),
    }
}

#[test]
fn a_reason_to_forget_is_bounded_and_keeps_no_secret() {
    let memory = memory();
    let id = memory.learn("Octopuses have three hearts").unwrap().block_id;
    for reason in ["x".repeat(5_000).as_str(), "a nul \0 in it"] {
        let error = memory.forget(Forget::new(id.as_str()).reason(reason)).unwrap_err();
        assert!(matches!(error, Error::BadText { what: "reason", .. }), "{error}");
        assert_eq!(block(&memory, &id).status, BlockStatus::Inbox);
    }
    let forgotten = memory.forget(Forget::new(id.as_str()).reason("it had redis://:s3cr3tpw@cache/0 in it")).unwrap();
    assert!(!forgotten.to_string().contains("s3cr3tpw"), "{forgotten}");
    let line = memory.log(ReadLog::new().limit(1)).unwrap().remove(0).header.summary;
    assert!(line.contains("in it") && !line.contains("s3cr3tpw"), "{line}");
}

#[test]
fn labels_are_edited_in_place_and_a_longer_life_comes_with_its_tag() {
    let (memory, ids) = tended();
    let edit = Edit::new(ids[0].short()).category("decision").cue("connecting to the database");
    let result = memory.edit(edit.add_tag("new").remove_tag("topic/db")).unwrap();
    assert_eq!((result.block_id.clone(), result.previous.clone()), (ids[0].clone(), None));
    assert_eq!(result.changed, ["category", "cue", "tags"]);
    let now = block(&memory, &ids[0]);
    assert_eq!((now.category.as_str(), now.tags.clone()), ("decision", vec![tag("durable"), tag("new")]));
    assert_eq!(now.cue.as_deref(), Some("connecting to the database"));
    assert_eq!(memory.recall(Recall::new("connecting").top_k(3)).unwrap().blocks[0].id, ids[0]);
    let none = memory.edit(Edit::new(ids[0].short()).add_tag("new")).unwrap();
    assert!(none.changed.is_empty() && none.to_string().starts_with("Nothing to change"), "{none}");
    let cleared = memory.edit(Edit::new(ids[0].short()).cue("  ")).unwrap();
    assert_eq!((cleared.changed, block(&memory, &ids[0]).cue), (vec!["cue"], None));
}

#[test]
fn another_text_is_a_successor_that_inherits_everything_and_the_old_id_leads_to_it() {
    let (memory, ids) = tended();
    let old = block(&memory, &ids[0]);
    let result = memory.edit(Edit::new(ids[0].as_str()).content("The port is 6000").add_tag("new")).unwrap();
    let new = block(&memory, &BlockId::for_content("The port is 6000"));
    assert_eq!((result.block_id.clone(), result.previous), (new.id.clone(), Some(ids[0].clone())));
    assert_eq!(result.changed, ["content", "tags"]);
    assert_eq!(new.tags, [tag("durable"), tag("new"), tag("topic/db")]);
    assert_eq!((new.confidence, new.outcome_evidence), (old.confidence, old.outcome_evidence));
    assert_eq!((new.reinforcement_count, new.decay_lambda, new.category), (7, old.decay_lambda, old.category));
    assert!(edges(&memory).iter().any(|edge| edge.key == agent_edge(&new.id, &ids[1]).key));
    let archived = block(&memory, &ids[0]);
    assert_eq!((archived.status, archived.archive_reason), (BlockStatus::Archived, Some(ArchiveReason::Superseded)));
    assert_eq!(archived.content, PORT, "the text is kept");
    // On every surface the old id leads to the new block.
    assert_eq!(memory.resolve(ids[0].short()).unwrap(), new.id);
    let shown = memory.show(ids[0].as_str()).unwrap();
    let leads_to = shown.leads_to.unwrap();
    assert_eq!((leads_to.block_id, leads_to.content.as_str()), (new.id.clone(), "The port is 6000"));
    let tagged = memory.add_tags(AddTags::new(ids[0].as_str(), ["later"])).unwrap();
    assert_eq!((&tagged.block_id, &tagged.led_from), (&new.id, &Some(ids[0].clone())));
    assert!(tagged.to_string().contains(ids[0].short()), "{tagged}");
    check_invariants(&memory);
    memory.dream(Dream::new()).unwrap();
    assert_eq!(block(&memory, &new.id).status, BlockStatus::Active);
    check_invariants(&memory);
}

#[test]
fn a_chain_of_edits_leads_to_its_end_and_an_edit_back_turns_it_round() {
    let (memory, ids) = tended();
    let texts = ["The port is 6001", "The port is 6002", "The port is 6003"];
    for text in texts {
        memory.edit(Edit::new(ids[0].as_str()).content(text)).unwrap();
    }
    for text in [PORT, texts[0], texts[1], texts[2]] {
        assert_eq!(memory.resolve(&id(text)).unwrap(), BlockId::for_content(texts[2]));
    }
    check_invariants(&memory);
    memory.edit(Edit::new(id(texts[2])).content(PORT)).unwrap();
    for text in texts {
        assert_eq!(memory.resolve(&id(text)).unwrap(), ids[0]);
    }
    check_invariants(&memory);
}

#[test]
fn letter_case_changes_the_text_and_not_the_block() {
    let (memory, ids) = tended();
    let result = memory.edit(Edit::new(ids[0].as_str()).content("  THE PORT is 5432 ")).unwrap();
    assert_eq!((result.block_id, result.previous), (ids[0].clone(), None));
    assert_eq!(block(&memory, &ids[0]).content, "THE PORT is 5432");
}

#[test]
fn an_edit_that_cannot_be_made_changes_nothing() {
    let (memory, ids) = tended();
    memory.forget(ids[1].as_str()).unwrap();
    let before = state(&memory);
    assert_eq!(care_error(memory.edit(Edit::new(ids[0].as_str()))), CareError::EmptyEdit);
    let edit = || Edit::new(ids[0].as_str());
    for cue in ["x".repeat(3_000), "a\0b".to_owned()] {
        assert!(matches!(care_error(memory.edit(edit().cue(cue))), CareError::BadCue { .. }));
    }
    let archived = memory.edit(Edit::new(ids[1].as_str()).add_tag("x"));
    assert!(matches!(care_error(archived), CareError::Archived { reason: Some(ArchiveReason::Forgotten), .. }));
    for bad in [edit().content(" "), edit().category(","), edit().add_tag("a,b")] {
        assert!(memory.edit(bad.cue("fine")).is_err());
    }
    assert_same_state(&state(&memory), &before);
}

#[test]
fn what_was_forgotten_is_restored_exactly_with_tags_and_edges() {
    let (memory, ids) = tended();
    let before = state(&memory);
    let forgotten = memory.forget(Forget::new(ids[0].short()).reason("it was another port")).unwrap();
    assert_eq!((forgotten.tags_dropped, forgotten.edges_dropped), (2, 1));
    assert!(
        memory.log(ReadLog::new().block_id(ids[0].as_str()).limit(1)).unwrap()[0]
            .header
            .summary
            .contains("it was another port")
    );
    assert_eq!(block(&memory, &ids[0]).archive_reason, Some(ArchiveReason::Forgotten));
    assert!(memory.recall(Recall::new("port").top_k(3)).unwrap().blocks.is_empty());
    let restored = memory.restore(ids[0].short()).unwrap();
    assert_eq!((restored.status, restored.edges_restored, restored.left_out.len()), (BlockStatus::Active, 1, 0));
    assert_same_state(&state(&memory), &before);
    assert_eq!(memory.recall(Recall::new("port").top_k(3)).unwrap().blocks[0].id, ids[0]);
    assert!(matches!(care_error(memory.restore(ids[0].short())), CareError::NotArchived { .. }));
}

#[test]
fn contradictions_come_back_with_a_restored_block() {
    let memory = memory();
    learn(&memory, &[PORT, "The port is 5433"]);
    memory.dream(Dream::new()).unwrap();
    assert_eq!(contradictions(&memory).len(), 1);
    let before = state(&memory);
    memory.forget(id(PORT)).unwrap();
    assert!(contradictions(&memory).is_empty());
    assert_eq!(memory.restore(id(PORT)).unwrap().contradictions_restored, 1);
    assert_same_state(&state(&memory), &before);
}

#[test]
fn edges_to_blocks_that_are_gone_or_full_stay_away_and_are_named() {
    let (memory, ids) = tended();
    memory.forget(ids[0].as_str()).unwrap();
    memory.forget(ids[1].as_str()).unwrap();
    let restored = memory.restore(ids[0].as_str()).unwrap();
    assert_eq!((restored.edges_restored, restored.left_out.len()), (0, 1));
    assert!(restored.to_string().contains("which is archived"), "{restored}");
    check_invariants(&memory);
    // The other one has no record of the edge: it was gone before it was forgotten.
    assert_eq!(memory.restore(ids[1].as_str()).unwrap().edges_restored, 0);
}

#[test]
fn a_superseded_block_can_be_restored_beside_its_successor() {
    let (memory, ids) = tended();
    memory.supersede(Supersede::new(ids[0].as_str(), ids[2].as_str())).unwrap();
    let restored = memory.restore(ids[0].as_str()).unwrap();
    assert_eq!((restored.status, restored.tags.len(), restored.edges_restored), (BlockStatus::Active, 2, 1));
    assert_eq!(block(&memory, &ids[0]).superseded_by, None);
    assert_eq!(memory.resolve(ids[0].as_str()).unwrap(), ids[0]);
    check_invariants(&memory);
}

#[test]
fn a_faded_block_counts_as_used_when_it_is_restored() {
    let clock = clock();
    let memory = memory_at(&clock);
    let faded = memory.learn(PORT).unwrap().block_id;
    memory.dream(Dream::new()).unwrap();
    memory.begin_session("work").unwrap();
    clock.forward_minutes(60.0 * 400.0);
    edit(&memory, |transaction| {
        transaction.update_block_status(&faded, BlockStatus::Archived, Some(ArchiveReason::Decayed)).map(drop)
    });
    let uses = block(&memory, &faded).reinforcement_count;
    memory.restore(faded.as_str()).unwrap();
    let back = memory.show(faded.as_str()).unwrap();
    assert_eq!((back.block.reinforcement_count, back.block.status), (uses + 1, BlockStatus::Active));
    assert!(back.recency > 0.99, "{}", back.recency);
}

#[test]
fn pins_are_set_and_taken_off() {
    let (memory, ids) = tended();
    let pinned = memory.pin(ids[0].short()).unwrap();
    assert!(pinned.pinned && pinned.changed && block(&memory, &ids[0]).pinned);
    assert!(!memory.pin(ids[0].short()).unwrap().changed);
    assert!(memory.unpin(ids[0].short()).unwrap().changed);
    assert!(!block(&memory, &ids[0]).pinned);
    memory.forget(ids[0].as_str()).unwrap();
    assert!(matches!(care_error(memory.pin(ids[0].as_str())), CareError::Archived { .. }));
}

#[test]
fn one_block_takes_the_place_of_another_by_request() {
    let (memory, ids) = tended();
    let old: Block = block(&memory, &ids[0]);
    let result = memory.supersede(Supersede::new(ids[0].short(), ids[2].short())).unwrap();
    assert_eq!((result.old_id, result.new_id), (ids[0].clone(), ids[2].clone()));
    let heir = block(&memory, &ids[2]);
    assert_eq!((heir.tags, heir.confidence), (old.tags, old.confidence));
    let joined = |edge: &Edge| edge.key == agent_edge(&ids[2], &ids[1]).key;
    assert!(edges(&memory).iter().any(joined));
    assert_eq!(memory.resolve(ids[0].short()).unwrap(), ids[2]);
    // The old id leads to the heir now, so this would let it take its own place.
    let again = care_error(memory.supersede(Supersede::new(ids[0].as_str(), ids[2].as_str())));
    assert!(matches!(&again, CareError::Replaced { id, by } if *id == ids[0] && *by == ids[2]), "{again:?}");
    let same = memory.supersede(Supersede::new(ids[2].as_str(), ids[2].as_str()));
    assert!(matches!(care_error(same), CareError::SameBlock { .. }));
    check_invariants(&memory);
}
