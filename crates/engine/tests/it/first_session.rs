//! The first session: what was just learned can be judged, connected and cared for without a dream in between.

use std::sync::Arc;

use elfmem_core::{BlockStatus, Relation};
use elfmem_engine::{
    AddLink, AddTags, Connect, ConnectByQuery, ConnectMany, Edit, EmbedderChoice, Fate, LateEmbedder, Learn, Models,
    Outcome, Pin, Recall, Undo,
};
use elfmem_models::{AnalysisRequest, ModelError, RulesAnalyst};

use crate::fixtures::{AnalystOf, block, blocks, check_invariants, learn, memory_with};
use crate::memory;

const PEANUTS: &str = "Maria is allergic to peanuts";

#[test]
fn what_was_learned_and_recalled_learns_from_an_outcome_and_one_undo_takes_it_back() {
    let memory = memory();
    let id = memory.learn(PEANUTS).unwrap().block_id;
    assert_eq!(memory.recall(Recall::new("what is Maria allergic to?")).unwrap().blocks[0].id, id);
    let before = block(&memory, &id);
    let result = memory.outcome(Outcome::new([id.as_str()], 0.9)).unwrap();
    assert_eq!((result.blocks_updated, result.skipped.len()), (1, 0), "{result}");
    assert_eq!((result.promoted[0].block_id.clone(), result.promoted[0].fate), (id.clone(), Fate::Promoted));
    assert!(result.to_string().contains("was promoted from the inbox first."), "{result}");
    let after = block(&memory, &id);
    assert_eq!(after.status, BlockStatus::Active);
    assert!(after.confidence > before.confidence && after.self_alignment.is_some());
    check_invariants(&memory);
    let again = memory.outcome(Outcome::new([id.as_str()], 0.9)).unwrap();
    assert!(again.promoted.is_empty() && !again.to_string().contains("inbox"), "{again}");
    memory.undo(Undo::last()).unwrap();
    memory.undo(Undo::last()).unwrap();
    let back = block(&memory, &id);
    assert_eq!((back.status, back.confidence), (BlockStatus::Inbox, before.confidence));
    check_invariants(&memory);
}

#[test]
fn a_repetition_in_the_inbox_counts_for_the_block_it_repeats() {
    let memory = memory();
    let first = memory.learn("The staging database listens on port 5433.").unwrap().block_id;
    memory.consolidate().unwrap();
    let again = memory.learn("The staging database listens on port 5433!").unwrap().block_id;
    assert_ne!(first, again);
    let result = memory.outcome(Outcome::new([again.as_str()], 0.9)).unwrap();
    assert_eq!((result.blocks_updated, result.promoted[0].fate), (1, Fate::Rejected), "{result}");
    assert!(result.to_string().contains(&format!("repeats block {}, which stands for it", first.short())), "{result}");
    assert_eq!(block(&memory, &first).outcome_evidence.get(), 1.0);
    assert_eq!(memory.outcome(Outcome::new([again.as_str(), first.as_str()], 0.9)).unwrap().blocks_updated, 1);
    check_invariants(&memory);
}

#[test]
fn inbox_blocks_are_connected_as_asked_even_when_they_are_alike() {
    let memory = memory();
    let ids =
        learn(&memory, &["The api server runs on port 8080 in staging", "The api server in staging restarts at noon"]);
    let result = memory.connect(Connect::new(ids[0].as_str(), ids[1].as_str()).relation("supports")).unwrap();
    assert_eq!((result.relation, result.relation_conflict), (Relation::new("supports"), None));
    assert_eq!(result.promoted.len(), 2);
    assert!(blocks(&memory).iter().all(|block| block.status == BlockStatus::Active));
    memory.undo(Undo::last()).unwrap();
    assert!(blocks(&memory).iter().all(|block| block.status == BlockStatus::Inbox));

    let spec = Connect::new(ids[0].as_str(), ids[1].as_str()).relation("elaborates");
    let wrong = Connect::new(ids[0].as_str(), "ffffffff");
    let batch = memory.connects(ConnectMany::new([wrong, spec])).unwrap();
    assert_eq!((batch.created, batch.errors.len()), (1, 1), "{batch:?}");
    assert_eq!((batch.results[0].relation.clone(), batch.results[0].promoted.len()), (Relation::new("elaborates"), 2));
    check_invariants(&memory);
}

#[test]
fn inbox_blocks_are_connected_by_description() {
    let memory = memory();
    learn(&memory, &[PEANUTS, "The team dinner is planned for Friday"]);
    let asked = ConnectByQuery::new("what Maria is allergic to", "when the team dinner is").min_confidence(0.3);
    let result = memory.connect_by_query(asked).unwrap();
    assert_eq!(result.connect_result.unwrap().promoted.len(), 2);
}

#[test]
fn a_connection_that_cannot_be_made_promotes_nothing() {
    let memory = memory();
    let id = memory.learn(PEANUTS).unwrap().block_id;
    for target in ["ffffffff", id.as_str(), &id.as_str()[..8]] {
        memory.connect(Connect::new(id.as_str(), target)).unwrap_err();
    }
    memory.outcome(Outcome::new([id.as_str()], 7.0)).unwrap_err();
    assert_eq!(block(&memory, &id).status, BlockStatus::Inbox);
}

#[test]
fn edits_tags_pins_and_links_take_inbox_blocks_as_they_are() {
    let memory = memory();
    let ids = learn(&memory, &[PEANUTS, "The team dinner is planned for Friday"]);
    memory.add_tags(AddTags::new(ids[0].as_str(), ["people/maria"])).unwrap();
    memory.pin(Pin::new(ids[0].as_str())).unwrap();
    memory.link(AddLink::new(ids[0].as_str(), "related_to", ids[1].as_str())).unwrap();
    let edited = memory.edit(Edit::new(ids[0].as_str()).content("Maria is allergic to peanuts and cashews")).unwrap();
    let now = block(&memory, &edited.block_id);
    assert!(now.status == BlockStatus::Inbox && now.pinned && now.tags.len() == 1, "{now:?}");
    assert_eq!(memory.outcome(Outcome::new([ids[0].as_str()], 0.9)).unwrap().promoted[0].block_id, edited.block_id);
    check_invariants(&memory);
}

#[test]
fn a_language_model_is_not_asked_on_the_way_and_rescoring_takes_the_block_first() {
    let refuse = |_: &AnalysisRequest<'_>| panic!("asked on the way");
    let memory = memory_with(Models { analyst: Arc::new(AnalystOf(refuse)), ..Models::default() });
    let id = memory.learn(PEANUTS).unwrap().block_id;
    memory.outcome(Outcome::new([id.as_str()], 0.9)).unwrap();
    let now = block(&memory, &id);
    assert_eq!((now.status, now.last_scored_at), (BlockStatus::Active, None));
}

#[test]
fn an_embedder_that_does_not_answer_leaves_the_block_waiting_with_the_reason() {
    let broken = LateEmbedder::new("gone", || Err(ModelError::NotFinite));
    let memory = memory_with(Models {
        embedder: EmbedderChoice::Late(Arc::new(broken)),
        analyst: Arc::new(RulesAnalyst),
        ..Models::default()
    });
    let id = memory.learn(PEANUTS).unwrap().block_id;
    let result = memory.outcome(Outcome::new([id.as_str()], 0.9)).unwrap();
    assert_eq!((result.blocks_updated, result.promoted.len()), (0, 0));
    assert!(result.skipped[0].reason.starts_with("it waits in the inbox: "), "{result}");
    let other = memory.learn("Something else").unwrap().block_id;
    let error = memory.connect(Connect::new(id.as_str(), other.as_str())).unwrap_err();
    assert!(error.recovery().contains("could not be promoted"), "{error}");
}

#[test]
fn an_untrusted_source_promotes_only_what_it_may_judge() {
    let memory = memory();
    let (own, foreign) = (memory.learn(PEANUTS).unwrap().block_id, Learn::new("The moon is cheese").source("tool:web"));
    let foreign = memory.learn(foreign).unwrap().block_id;
    let said = Outcome::new([own.as_str(), foreign.as_str()], 0.9).source("tool:web");
    let result = memory.outcome(said).unwrap();
    assert_eq!((result.blocks_updated, result.promoted.len()), (1, 1), "{result}");
    assert_eq!(block(&memory, &own).status, BlockStatus::Inbox);
    assert_eq!(block(&memory, &foreign).status, BlockStatus::Active);
}
