//! What becomes of a block: repetition, newer wording, contradiction, edges.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use elfmem_core::{
    ArchiveReason, BlockId, BlockStatus, Confidence, EdgeKey, EdgeOrigin, Evidence, OperationKind, Relation, Tag,
    Timestamp,
};
use elfmem_engine::{AddTags, ConsolidateResult, Dream, Fate, Learn, ListOperations, ListProposals, Memory, Undo};
use elfmem_models::builtin::STATIC_PROFILE;
use elfmem_models::scripted::{ScriptedAnalyst, ScriptedEmbedder};
use elfmem_models::{Embedder, RulesAnalyst, SimilarityProfile, StaticEmbedder};
use elfmem_store::{Contradiction, Store};
use proptest::prelude::*;

use crate::fixtures::{
    agent_edge, block, blocks, check_arithmetic, check_invariants, contradictions, edges, edit, inbox, learn,
    memory_thinking, memory_with, models, once,
};
use crate::{clock, memory, memory_at};

fn dream(memory: &Memory<impl Store>) -> elfmem_engine::ConsolidateResult {
    let result = memory.dream(Dream::new()).unwrap();
    check_arithmetic(&result);
    check_invariants(memory);
    result
}

fn tags(names: &[&str]) -> Vec<Tag> {
    names.iter().map(|name| Tag::parse(name).unwrap()).collect()
}

fn joined(memory: &Memory<impl Store>, a: &BlockId, b: &BlockId) -> bool {
    let key = EdgeKey::canonical(a, b).unwrap();
    edges(memory).iter().any(|edge| edge.key == key)
}

#[test]
fn a_repetition_reinforces_the_original_hands_over_its_tags_and_points_to_it() {
    let clock = clock();
    let memory = memory_at(&clock);
    memory.begin_session("work").unwrap();
    let original = memory.learn(Learn::new("Honest answers matter most").tag("topic/style")).unwrap().block_id;
    dream(&memory);
    assert_eq!(block(&memory, &original).reinforcement_count, 1);
    clock.forward_minutes(90.0);
    let again = memory.learn(Learn::new("Honest answers matter most!").tag("self/value")).unwrap().block_id;
    let result = dream(&memory);
    assert_eq!((result.promoted, result.deduplicated, result.superseded), (0, 1, 0));
    let kept = block(&memory, &original);
    assert_eq!((kept.reinforcement_count, kept.last_reinforced_at.get()), (2, 1.5));
    assert_eq!(kept.tags, tags(&["self/value", "topic/style"]));
    assert_eq!(kept.decay_lambda.get(), 0.001, "a tag that asks for a longer life gives it one");
    let gone = block(&memory, &again);
    assert_eq!((gone.status, gone.archive_reason), (BlockStatus::Archived, Some(ArchiveReason::Superseded)));
    assert_eq!(gone.superseded_by, Some(original));
}

#[test]
fn several_repetitions_of_one_block_are_all_settled_in_one_dream() {
    let memory = memory();
    let original = memory.learn("The parser is written in Rust").unwrap().block_id;
    dream(&memory);
    let again: Vec<String> =
        (1..=4).map(|count| format!("The parser is written in Rust{}", "!".repeat(count))).collect();
    learn(&memory, &again.iter().map(String::as_str).collect::<Vec<_>>());
    let result = dream(&memory);
    assert_eq!((result.processed, result.deduplicated, result.left), (4, 4, 0));
    assert_eq!(block(&memory, &original).reinforcement_count, 5);
}

#[test]
fn what_an_agent_connected_with_a_repetition_is_connected_with_the_original() {
    let memory = memory();
    let ids = learn(&memory, &["The parser is written in Rust", "Octopuses have three hearts"]);
    dream(&memory);
    let again = memory.learn("The parser is written in Rust.").unwrap().block_id;
    edit(&memory, |transaction| transaction.put_edge(&agent_edge(&again, &ids[1])));
    dream(&memory);
    assert_eq!(edges(&memory), [agent_edge(&ids[0], &ids[1])]);
}

/// An old block that has learned a lot, and a newer wording of it in the inbox.
fn experienced(memory: &Memory<impl Store>) -> (BlockId, BlockId, BlockId) {
    let ids = learn(memory, &["The deploy runs on Tuesdays", "Octopuses have three hearts"]);
    dream(memory);
    edit(memory, |transaction| {
        transaction.update_block(&ids[0], &mut |block| {
            block.confidence = Confidence::saturating(0.83);
            block.outcome_evidence = Evidence::new(3.0);
            block.reinforcement_count = 7;
            block.pinned = true;
            block.cue = Some("when deploying".into());
            block.tags = tags(&["self/constraint", "topic/release"]);
        })?;
        transaction.put_edge(&agent_edge(&ids[0], &ids[1]))
    });
    let newer = memory.learn(Learn::new("Deploys run on Tuesdays").tag("topic/ops")).unwrap().block_id;
    (ids[0].clone(), newer, ids[1].clone())
}

#[test]
fn a_newer_wording_inherits_everything_and_the_older_points_to_it() {
    let memory = memory();
    let (old, newer, other) = experienced(&memory);
    let result = dream(&memory);
    assert_eq!((result.promoted, result.deduplicated, result.superseded), (1, 1, 1));
    let decision = &result.decisions[0];
    assert_eq!((decision.fate, &decision.block_id, decision.other_id.as_ref()), (Fate::Superseded, &newer, Some(&old)));
    let head = block(&memory, &newer);
    assert_eq!((head.status, head.confidence.get(), head.outcome_evidence.get()), (BlockStatus::Active, 0.83, 3.0));
    assert_eq!((head.reinforcement_count, head.pinned, head.cue.as_deref()), (8, true, Some("when deploying")));
    assert_eq!(head.tags, tags(&["self/constraint", "topic/ops", "topic/release"]));
    assert_eq!(head.decay_lambda.get(), 0.001);
    assert_eq!(edges(&memory), [agent_edge(&newer, &other)]);
    let gone = block(&memory, &old);
    assert_eq!((gone.archive_reason, gone.superseded_by), (Some(ArchiveReason::Superseded), Some(newer)));
}

#[test]
fn a_newer_wording_inherits_the_contradictions_of_the_older() {
    let memory = memory();
    let (old, newer, other) = experienced(&memory);
    let found = Contradiction::between(&old, &other, 0.9, Timestamp::UNIX_EPOCH).unwrap();
    let found = Contradiction { reason: Some("someone said so".into()), ..found };
    edit(&memory, |transaction| transaction.put_contradiction(&found));
    dream(&memory);
    let moved = contradictions(&memory).remove(0);
    let ends = EdgeKey::canonical(&newer, &other).unwrap();
    assert_eq!((moved.block_a_id, moved.block_b_id), (ends.from_id, ends.to_id));
    assert_eq!((moved.score, moved.reason.as_deref()), (0.9, Some("someone said so")));
}

#[test]
fn an_inherited_contradiction_keeps_the_heir_apart_too() {
    let texts = ["The deploy runs on Tuesdays", "Deploys run on Tuesdays", "Deploys need a quiet day"];
    for together in [true, false] {
        let embedder =
            ScriptedEmbedder::new(256).with_cosine(texts[0], texts[1], 0.93).with_cosine(texts[1], texts[2], 0.80);
        let analyst = ScriptedAnalyst::new().contradicting("The deploy runs", "quiet day", 0.9);
        let memory = memory_with(models(Arc::new(embedder), Arc::new(analyst)));
        let mut ids = learn(&memory, &[texts[0], texts[2]]);
        if !together {
            assert_eq!(dream(&memory).contradictions_detected, 1);
        }
        ids.extend(learn(&memory, &texts[1..2]));
        let result = dream(&memory);
        assert_eq!((result.superseded, result.edges_created), (1, 0), "{result:?}");
        if together {
            let [found] = result.contradictions.as_slice() else { panic!("{:?}", result.contradictions) };
            assert!([&found.block_id, &found.other_id].into_iter().all(|id| ids[1..].contains(id)), "{found:?}");
        }
        assert_eq!(contradictions(&memory).len(), 1);
    }
}

#[test]
fn what_spoke_against_a_former_state_does_not_speak_against_the_new_one() {
    let memory = memory();
    let ids = learn(&memory, &["The database is MySQL", "The database is PostgreSQL"]);
    assert_eq!(dream(&memory).contradictions_detected, 1);
    let newer = memory.learn("We migrated the database from MySQL to PostgreSQL").unwrap().block_id;
    let result = dream(&memory);
    assert_eq!(result.superseded, 1, "{result:?}");
    assert_eq!(block(&memory, &ids[0]).superseded_by, Some(newer));
    assert!(contradictions(&memory).is_empty());
}

#[test]
fn wordings_of_one_thing_in_one_batch_end_with_one_head_that_has_everything() {
    let memory = memory();
    let other = memory.learn("The deploy is announced in the release channel").unwrap().block_id;
    dream(&memory);
    let chain = [
        "The deploy runs on Tuesdays",
        "Deploys run on Tuesdays",
        "The deploys run on Tuesdays.",
        "A deploy runs on Tuesdays",
    ];
    let ids: Vec<BlockId> = chain
        .iter()
        .enumerate()
        .map(|(at, text)| memory.learn(Learn::new(*text).tag(format!("t{at}"))).unwrap().block_id)
        .collect();
    edit(&memory, |transaction| transaction.put_edge(&agent_edge(&ids[0], &other)));
    let result = dream(&memory);
    assert_eq!(result.processed, 4);
    let heads: Vec<BlockId> =
        ids.iter().filter(|id| block(&memory, id).status == BlockStatus::Active).cloned().collect();
    assert_eq!(heads.len(), 1, "{:#?}", result.decisions);
    let head = block(&memory, &heads[0]);
    assert_eq!(head.tags, tags(&["t0", "t1", "t2", "t3"]));
    assert_eq!(head.reinforcement_count, 4, "every wording was a use");
    assert!(edges(&memory).contains(&agent_edge(&heads[0], &other)));
    for id in ids.iter().filter(|id| **id != heads[0]) {
        assert_eq!(block(&memory, id).archive_reason, Some(ArchiveReason::Superseded));
    }
}

#[test]
fn almost_the_same_words_that_cannot_both_hold_are_a_contradiction_not_a_duplicate() {
    let embedder = StaticEmbedder::shared().unwrap();
    let pair = ["The cache is thread safe", "The cache is not thread safe"];
    let vectors: Vec<Vec<f32>> = embedder.embed(&pair).unwrap().into_iter().flatten().collect();
    let cosine: f32 = vectors[0].iter().zip(&vectors[1]).map(|(a, b)| a * b).sum();
    assert!(f64::from(cosine) >= embedder.profile().near, "the pair is not a hard one: {cosine}");
    for together in [true, false] {
        let memory = memory();
        let mut ids = learn(&memory, &pair[..1]);
        if !together {
            dream(&memory);
        }
        ids.extend(learn(&memory, &pair[1..]));
        let result = dream(&memory);
        assert_eq!((result.deduplicated, result.contradictions_detected, result.edges_created), (0, 1, 0));
        assert_eq!((&result.contradictions[0].block_id, &result.contradictions[0].other_id), (&ids[1], &ids[0]));
        assert!(ids.iter().all(|id| block(&memory, id).status == BlockStatus::Active));
    }
}

#[test]
fn a_judge_is_not_asked_where_the_rules_know() {
    let analyst = ScriptedAnalyst::new().contradicting("The deploy runs", "Deploys run", 0.93);
    let builtin: Arc<dyn Embedder> = Arc::new(StaticEmbedder::shared().unwrap());
    let memory = memory_with(models(builtin, Arc::new(analyst)));
    learn(&memory, &["The deploy runs on Tuesdays", "Deploys run on Tuesdays"]);
    let result = dream(&memory);
    assert_eq!((result.promoted, result.deduplicated, result.contradictions_detected), (2, 1, 0));
}

#[test]
fn a_judge_finds_contradictions_where_the_rules_know_nothing() {
    let analyst = ScriptedAnalyst::new().contradicting("quiet", "lively", 0.93);
    let builtin: Arc<dyn Embedder> = Arc::new(StaticEmbedder::shared().unwrap());
    let memory = memory_with(models(builtin, Arc::new(analyst)));
    learn(&memory, &["We want a quiet evening at home today", "We want a lively evening at home today"]);
    let result = dream(&memory);
    assert_eq!((result.promoted, result.deduplicated, result.contradictions_detected), (2, 0, 1), "{result}");
    assert_eq!((result.contradictions[0].score, result.contradictions[0].reason.as_str()), (0.93, "scripted"));
}

#[test]
fn a_judge_does_not_overrule_a_contradiction_of_the_rules() {
    let analyst = ScriptedAnalyst::new().contradicting("5432", "5433", 0.1);
    let builtin: Arc<dyn Embedder> = Arc::new(StaticEmbedder::shared().unwrap());
    let memory = memory_with(models(builtin, Arc::new(analyst)));
    learn(&memory, &["The database listens on port 5432", "The database listens on port 5433"]);
    let result = dream(&memory);
    assert_eq!((result.promoted, result.contradictions_detected, result.edges_created), (2, 1, 0));
}

#[test]
fn messages_repeat_themselves_and_stay() {
    let memory = memory();
    let texts = ["Good morning", "Good morning!", "Good morning.", "The port is 5432", "The port is 5433"];
    for text in texts {
        memory.learn(Learn::new(text).category("message")).unwrap();
    }
    let result = dream(&memory);
    assert_eq!((result.promoted, result.deduplicated, result.contradictions_detected), (5, 0, 0));
    // Nor does anything else merge with them.
    memory.learn("Good morning!!").unwrap();
    assert_eq!(dream(&memory).promoted, 1);
    memory.learn(Learn::new("Good morning!!!").category("message")).unwrap();
    assert_eq!(dream(&memory).promoted, 1);
}

#[test]
fn confidence_says_nothing_about_alignment() {
    let analyst = ScriptedAnalyst::new().saying("port", 0.0, &[]).saying("honest", 1.0, &["self/value"]);
    let memory = memory_with(models(Arc::new(ScriptedEmbedder::new(64)), Arc::new(analyst)));
    let ids = learn(&memory, &["The port is 5432", "I value honest answers", "Octopuses have three hearts"]);
    dream(&memory);
    for (id, alignment) in ids.iter().zip([0.0, 1.0, 0.5]) {
        let block = block(&memory, id);
        assert_eq!((block.confidence.get(), block.self_alignment), (0.5, Some(alignment)), "{}", block.content);
    }
}

#[test]
fn an_edge_is_as_strong_as_the_two_are_alike_and_only_made_from_the_threshold_on() {
    let (anchor, near, far) = ["The garden has an apple tree", "The orchard won a prize", "The pond is deep"].into();
    let embedder = ScriptedEmbedder::new(256).with_cosine(anchor, near, 0.72).with_cosine(anchor, far, 0.55);
    let memory = memory_with(models(Arc::new(embedder), Arc::new(RulesAnalyst)));
    let ids = learn(&memory, &[anchor, near, far]);
    let result = dream(&memory);
    assert_eq!(result.edges_created, 1);
    let edge = edges(&memory).remove(0);
    assert_eq!(Some(edge.key), EdgeKey::canonical(&ids[0], &ids[1]));
    assert_eq!((edge.relation_type, edge.origin), (Relation::SIMILAR, EdgeOrigin::SIMILARITY));
    assert!((edge.weight.get() - 0.72).abs() < 1e-3, "{}", edge.weight.get());
}

#[test]
fn the_threshold_is_the_profiles() {
    let (one, other) = ("The garden has an apple tree", "The pond is deep");
    for (threshold, made) in [(0.50, 1), (0.60, 0)] {
        let profile = SimilarityProfile { edge: threshold, ..SimilarityProfile::HOSTED };
        let embedder = ScriptedEmbedder::new(256).with_cosine(one, other, 0.55).with_profile(profile);
        let memory = memory_with(models(Arc::new(embedder), Arc::new(RulesAnalyst)));
        learn(&memory, &[one, other]);
        assert_eq!(dream(&memory).edges_created, made);
    }
}

#[test]
fn a_pair_of_one_batch_gets_one_edge_that_is_counted_once_whenever_it_is_dreamed_of() {
    let mut weights = BTreeSet::new();
    for hours in [0.0, 100.0] {
        let clock = clock();
        let memory = memory_at(&clock);
        memory.begin_session("work").unwrap();
        clock.forward_minutes(hours * 60.0);
        learn(&memory, &["Room 204 has a projector", "Room 305 has a projector"]);
        let result = dream(&memory);
        assert_eq!(result.edges_created, 1);
        let edges = edges(&memory);
        assert_eq!(edges.len(), 1);
        weights.insert(edges[0].weight.get().to_string());
        assert_eq!(dream(&memory).edges_created, 0);
    }
    assert_eq!(weights.len(), 1, "the hour makes no difference");
}

#[test]
fn a_newer_wording_is_not_joined_with_what_it_contradicts() {
    // The older wording and the third text were merely alike; the newer wording and the third cannot both hold.
    let texts = ["The deploy runs on Tuesdays", "Deploys run on Tuesdays", "Deploys need a quiet day"];
    let embedder =
        ScriptedEmbedder::new(256).with_cosine(texts[0], texts[1], 0.93).with_cosine(texts[0], texts[2], 0.80);
    let analyst = ScriptedAnalyst::new().contradicting("Deploys run", "quiet day", 0.9);
    let memory = memory_with(models(Arc::new(embedder), Arc::new(analyst)));
    let ids = learn(&memory, &[texts[0], texts[2]]);
    dream(&memory);
    assert!(joined(&memory, &ids[0], &ids[1]));
    learn(&memory, &[texts[1]]);
    let result = dream(&memory);
    assert_eq!((result.superseded, result.contradictions_detected), (1, 1), "{result:?}");
    assert!(edges(&memory).is_empty());
}

#[test]
fn an_heir_keeps_what_an_agent_asserted_before_what_was_found_alike() {
    let hub = "The deploy runs on Tuesdays";
    let newer = "Deploys run on Tuesdays";
    let others: Vec<String> = (0..12).map(|at| format!("Neighbour {at} of something")).collect();
    let embedder = others.iter().fold(ScriptedEmbedder::new(256).with_cosine(hub, newer, 0.93), |embedder, other| {
        embedder.with_cosine(hub, other, 0.70)
    });
    let memory = memory_with(models(Arc::new(embedder), Arc::new(RulesAnalyst)));
    let old = learn(&memory, &[hub]).remove(0);
    let others = learn(&memory, &others.iter().map(String::as_str).collect::<Vec<_>>());
    dream(&memory);
    let degree = |id: &BlockId| memory.show(id.as_str()).unwrap().edges.len();
    assert_eq!(degree(&old), 10);
    // The newer wording was connected with others while it was in the inbox.
    let head = learn(&memory, &[newer]).remove(0);
    let asserted = [agent_edge(&head, &others[11]), agent_edge(&head, &others[10]), agent_edge(&head, &others[0])];
    edit(&memory, |transaction| asserted.iter().try_for_each(|edge| transaction.put_edge(edge)));
    assert_eq!(dream(&memory).superseded, 1);
    let kept = memory.show(head.as_str()).unwrap().edges;
    assert_eq!(kept.len(), 10);
    assert!(asserted.iter().all(|edge| kept.contains(edge)), "{kept:#?}");
}

#[test]
fn what_was_planned_for_a_block_is_done_though_its_heir_is_left() {
    // The heir is changed by someone else while the analyst thinks; the contradiction of the older must not get lost.
    let texts = ["The deploy runs on Tuesdays", "The deploy never runs on Tuesdays", "Deploys run on Tuesdays"];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let clock = clock();
    let other = crate::memory_on(&path, &clock, elfmem_engine::SessionStyle::Held);
    let heir = BlockId::for_content(texts[2]);
    let meddling = once(move || drop(other.add_tags(AddTags::new(heir.as_str(), ["mine"])).unwrap()));
    let builtin: Arc<dyn Embedder> = Arc::new(StaticEmbedder::shared().unwrap());
    let memory = memory_thinking(&path, &clock, models(builtin, Arc::new(meddling)));
    let ids = learn(&memory, &texts);
    let result = dream(&memory);
    assert_eq!((result.promoted, result.left), (2, 1), "{result:?}");
    assert_eq!(result.contradictions_detected, 1);
    let found = contradictions(&memory).remove(0);
    assert!([&found.block_a_id, &found.block_b_id].into_iter().all(|id| ids[..2].contains(id)));
    assert_eq!(inbox(&memory), ids[2..]);
}

/// Sentences of few words, so that they repeat, reword and contradict each other.
fn sentence() -> impl Strategy<Value = String> {
    let subject = prop::sample::select(vec!["The cache", "The deploy", "Maria", "Our server", "Caches"]);
    let verb = prop::sample::select(vec!["runs on", "holds", "does not like", "likes", "now runs on"]);
    let object = prop::sample::select(vec!["Tuesdays", "Fridays", "12 nodes", "16 nodes", "tea", "Tuesday"]);
    let end = prop::sample::select(vec!["", ".", "!", " today"]);
    (subject, verb, object, end).prop_map(|(subject, verb, object, end)| format!("{subject} {verb} {object}{end}"))
}

#[derive(Debug, Clone)]
enum Step {
    Learn(String, Option<&'static str>),
    Message(String),
    Connect(usize, usize),
    Dream(Option<u32>),
}

fn step() -> impl Strategy<Value = Step> {
    let tag = prop::option::of(prop::sample::select(vec!["topic/a", "topic/b", "self/value"]));
    prop_oneof![
        8 => (sentence(), tag).prop_map(|(text, tag)| Step::Learn(text, tag)),
        1 => sentence().prop_map(Step::Message),
        1 => (0..40usize, 0..40usize).prop_map(|(a, b)| Step::Connect(a, b)),
        2 => prop::option::of(1..8u32).prop_map(Step::Dream),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_learned_and_dreamed_nothing_is_lost_and_the_memory_stays_sound(
        steps in prop::collection::vec(step(), 1..50)
    ) {
        // In three dimensions nearly everything is near something.
        let memory = memory_with(models(Arc::new(ScriptedEmbedder::new(3)), Arc::new(RulesAnalyst)));
        let mut learned: Vec<BlockId> = Vec::new();
        for step in steps.into_iter().chain([Step::Dream(None)]) {
            match step {
                Step::Learn(text, tag) => {
                    learned.push(memory.learn(Learn::new(text).tags(tag)).unwrap().block_id);
                }
                Step::Message(text) => {
                    learned.push(memory.learn(Learn::new(text).category("message")).unwrap().block_id);
                }
                Step::Connect(a, b) => {
                    let alive: Vec<BlockId> = blocks(&memory).into_iter()
                        .filter(|block| block.status != BlockStatus::Archived).map(|block| block.id).collect();
                    let free = |id: &BlockId| memory.show(id.as_str()).unwrap().edges.len() < 10;
                    if let (Some(a), Some(b)) = (alive.get(a), alive.get(b)) && a != b && free(a) && free(b) {
                        edit(&memory, |transaction| transaction.put_edge(&agent_edge(a, b)));
                    }
                }
                Step::Dream(max) => {
                    check_arithmetic(&memory.dream(max.map_or_else(Dream::new, |max| Dream::new().max(max))).unwrap());
                    check_invariants(&memory);
                }
            }
        }
        let known: HashMap<BlockId, BlockStatus> =
            blocks(&memory).into_iter().map(|block| (block.id, block.status)).collect();
        prop_assert!(learned.iter().all(|id| known.contains_key(id)));
        prop_assert!(known.values().all(|status| *status != BlockStatus::Inbox));
    }

    #[test]
    fn no_block_ever_gets_more_than_ten_edges(batches in prop::collection::vec(1..12usize, 1..6)) {
        let memory = memory_with(models(Arc::new(ScriptedEmbedder::new(2)), Arc::new(RulesAnalyst)));
        let (mut number, mut made) = (0, 0);
        for batch in batches {
            for _ in 0..batch {
                number += 1;
                memory.learn(format!("word{number} stands beside word{}", number * 7)).unwrap();
            }
            made += memory.dream(Dream::new()).unwrap().edges_created;
            check_invariants(&memory);
            let edges = edges(&memory);
            prop_assert_eq!(edges.len(), made);
            prop_assert!(edges.iter().all(|edge| edge.weight.get() >= SimilarityProfile::HOSTED.edge));
        }
    }
}

#[test]
fn an_update_is_counted_apart_from_duplicates_in_the_plan_the_run_and_the_sentence() {
    let memory = memory();
    learn(&memory, &["Ada lives in Porto."]);
    dream(&memory);
    learn(&memory, &["Ada moved from Porto to Faro."]);
    let planned = memory.dream(Dream::new().dry_run()).unwrap();
    let result = dream(&memory);
    for counted in [&planned, &result] {
        assert_eq!((counted.promoted, counted.deduplicated, counted.superseded, counted.updated), (1, 0, 1, 1));
        assert!(counted.to_string().contains("0 deduped") && counted.to_string().contains("1 outdated block replaced"));
    }
    assert_eq!(planned.decisions[0].fate, Fate::Updated);
}

#[test]
fn a_late_statement_about_an_earlier_time_replaces_nothing() {
    let memory = memory();
    memory.learn(Learn::new("Ada lives in Porto.").event_at("2025-06-01T00:00:00Z".parse().unwrap())).unwrap();
    dream(&memory);
    memory.learn(Learn::new("Ada now lives in Faro.").event_at("2024-02-01T00:00:00Z".parse().unwrap())).unwrap();
    let result = dream(&memory);
    assert_eq!((result.promoted, result.superseded), (1, 0), "{result:?}");
}

#[test]
fn the_still_true_half_of_a_compound_fact_is_proposed() {
    let (compound, moved) = ("Ada runs the data team and lives in Braga.", "Ada moved to Porto.");
    let embedder = ScriptedEmbedder::new(64).with_profile(STATIC_PROFILE).with_cosine(compound, moved, 0.8);
    let memory = memory_with(models(Arc::new(embedder), Arc::new(ScriptedAnalyst::new())));
    let older = learn(&memory, &[compound]);
    dream(&memory);
    learn(&memory, &[moved]);
    let result = dream(&memory);
    assert_eq!((result.superseded, result.proposed), (0, 1), "{result:?}");
    let open = memory.proposals(ListProposals::new()).unwrap();
    assert_eq!(open[0].proposal.text.as_deref(), Some("Ada runs the data team. Ada moved to Porto."));
    memory.accept_proposals([open[0].proposal.number]).unwrap();
    assert_eq!(block(&memory, &older[0]).status, BlockStatus::Archived);
}

fn news() -> impl Strategy<Value = String> {
    let who = prop::sample::select(vec!["Ada", "Bert", "Cleo"]);
    let said = prop::sample::select(vec![
        "lives in Porto.",
        "moved from Porto to Faro.",
        "moved from Faro to Porto.",
        "is living in Porto.",
        "does not live in Porto.",
        "now lives in Braga.",
        "no longer lives in Braga.",
        "likes tea.",
        "likes tea!",
        "runs the data team and lives in Faro.",
    ]);
    (who, said).prop_map(|(who, said)| format!("{who} {said}"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn plan_run_sentence_status_and_undo_speak_of_the_same_numbers(
        batches in prop::collection::vec(prop::collection::vec(news(), 0..9), 1..5),
    ) {
        let memory = memory();
        for batch in batches {
            for text in &batch {
                memory.learn(text.as_str()).unwrap();
            }
            let replaced = memory.status().unwrap().replaced_count;
            let planned = memory.dream(Dream::new().dry_run()).unwrap();
            prop_assert_eq!(memory.status().unwrap().replaced_count, replaced, "a dry run changes nothing");
            let result = memory.dream(Dream::new()).unwrap();
            let counts = |result: &ConsolidateResult| {
                [
                    result.processed,
                    result.promoted,
                    result.deduplicated,
                    result.superseded,
                    result.updated,
                    result.edges_created,
                    result.contradictions_detected,
                    result.proposed,
                    result.graduated,
                ]
            };
            prop_assert_eq!(counts(&planned), counts(&result));
            let said = planned.to_string().replace("Would consolidate", "Consolidated");
            prop_assert_eq!(said, result.to_string());
            prop_assert_eq!(result.promoted + result.decisions.iter().filter(|one| one.fate == Fate::Rejected).count(), result.processed);
            let now = memory.status().unwrap().replaced_count;
            prop_assert_eq!(now - replaced, (result.deduplicated + result.updated) as u64);
            if result.processed == 0 {
                continue;
            }
            let history = memory.operations(ListOperations::new().limit(10)).unwrap();
            let dreams = history.iter().filter(|past| past.operation == OperationKind::Dream);
            let dreamed = dreams.max_by_key(|past| past.seq).unwrap();
            let undone = memory.undo(Undo::operation(dreamed.seq)).unwrap();
            let back = undone.consolidated.expect("it was a dream");
            prop_assert_eq!(
                [back.processed, back.promoted, back.deduplicated, back.updated, back.edges_created],
                [result.processed, result.promoted, result.deduplicated, result.updated, result.edges_created]
            );
            prop_assert_eq!(memory.status().unwrap().replaced_count, replaced);
            memory.undo(Undo::operation(undone.undo_seq.unwrap())).unwrap();
            prop_assert_eq!(memory.status().unwrap().replaced_count, now);
            check_invariants(&memory);
        }
    }
}
