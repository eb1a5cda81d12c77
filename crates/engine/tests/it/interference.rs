//! Others who change the memory while a dream thinks: nothing of theirs is overwritten, nothing of the dream is lost.

use std::sync::{Arc, Barrier};

use elfmem_core::{ArchiveReason, Block, BlockId, BlockStatus, Tag};
use elfmem_engine::{AddTags, ConsolidateResult, Dream, Fate, Learn, Memory, Models, SessionStyle};
use elfmem_models::scripted::ScriptedAnalyst;
use elfmem_models::{Analysis, AnalysisRequest, Analyst};
use elfmem_store_sqlite::{OpenOptions, SqliteStore};

use crate::fixtures::{
    AnalystOf, FileMemory, agent_edge, block, blocks, check_arithmetic, check_invariants, contradictions, edges, edit,
    essence, facts, inbox, learn, learn_facts, memory_thinking, once,
};
use crate::{clock, memory_on, options};

/// The built-in vectors, with another analyst.
fn with_analyst(analyst: impl Analyst + 'static) -> Models {
    Models { analyst: Arc::new(analyst), ..Models::default() }
}

/// What someone else may do to a block.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Meddling {
    Archive,
    Delete,
    Tag,
    Connect,
}

const BYSTANDER: &str = "Octopuses have three hearts";

impl Meddling {
    const ALL: [Self; 4] = [Self::Archive, Self::Delete, Self::Tag, Self::Connect];

    fn with(self, memory: &FileMemory, id: &BlockId) {
        let bystander = BlockId::for_content(BYSTANDER);
        match self {
            Self::Archive => edit(memory, |transaction| {
                let reason = Some(ArchiveReason::Forgotten);
                transaction.update_block_status(id, BlockStatus::Archived, reason).map(drop)
            }),
            Self::Delete => edit(memory, |transaction| transaction.delete_block(id)),
            Self::Tag => drop(memory.add_tags(AddTags::new(id.as_str(), ["mine"])).unwrap()),
            Self::Connect => edit(memory, |transaction| transaction.put_edge(&agent_edge(id, &bystander))),
        }
    }
}

/// A memory with what was active before, what is in the inbox, and someone who does something to the block with the text
/// `target` while the dream asks its analyst. Gives the memory after that dream, and what the dream said.
fn dream_disturbed(
    active: &[&str],
    waiting: &[Learn],
    target: &str,
    meddling: Meddling,
) -> (tempfile::TempDir, FileMemory, ConsolidateResult) {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let other = memory_on(&path, &clock, SessionStyle::Held);
    learn(&other, active);
    other.dream(Dream::new()).unwrap();
    other.learn_all(waiting).unwrap();
    let target = BlockId::for_content(target);
    let models = with_analyst(once(move || meddling.with(&other, &target)));
    let memory = memory_thinking(&path, &clock, models);
    let result = memory.dream(Dream::new()).unwrap();
    check_arithmetic(&result);
    check_invariants(&memory);
    (folder, memory, result)
}

fn mine(memory: &FileMemory, id: &BlockId) -> bool {
    block(memory, id).tags.contains(&Tag::parse("mine").unwrap())
}

#[test]
fn a_block_that_someone_changes_meanwhile_is_left_as_they_made_it() {
    let text = "Bamboo can grow a metre in a day";
    let id = BlockId::for_content(text);
    for meddling in Meddling::ALL {
        let waiting = [BYSTANDER, text].map(Learn::from);
        let (_folder, memory, result) = dream_disturbed(&[], &waiting, text, meddling);
        let known = blocks(&memory).into_iter().find(|block| block.id == id);
        if meddling == Meddling::Connect {
            assert_eq!((result.promoted, result.left), (2, 0));
            assert_eq!(edges(&memory), [agent_edge(&id, &BlockId::for_content(BYSTANDER))]);
            continue;
        }
        assert_eq!((result.promoted, result.left), (1, 1), "{meddling:?}");
        let [decision] = result.decisions.as_slice() else { panic!("{:?}", result.decisions) };
        assert_eq!((&decision.block_id, decision.fate), (&id, Fate::Left));
        assert!(result.warnings.iter().any(|warning| warning.contains("changed meanwhile")), "{:?}", result.warnings);
        let next = memory.dream(Dream::new()).unwrap();
        match meddling {
            Meddling::Archive => {
                let block = known.unwrap();
                assert_eq!(
                    (block.status, block.archive_reason),
                    (BlockStatus::Archived, Some(ArchiveReason::Forgotten))
                );
                assert_eq!(next.processed, 0);
            }
            Meddling::Delete => assert_eq!((known, next.processed), (None, 0)),
            _ => {
                assert_eq!(known.unwrap().status, BlockStatus::Inbox);
                assert_eq!(next.promoted, 1);
                assert!(mine(&memory, &id));
            }
        }
        check_invariants(&memory);
    }
}

#[test]
fn a_repetition_waits_when_its_original_goes_and_respects_what_was_done_to_it() {
    let (original, repetition) = ("The parser is written in Rust", "The parser is written in Rust!");
    let (original_id, repetition_id) = (BlockId::for_content(original), BlockId::for_content(repetition));
    for meddling in Meddling::ALL {
        // A repetition is not analysed; the third text is, and that is when the other acts.
        let waiting = [Learn::new(repetition).tag("topic/code"), Learn::new("Honey does not spoil")];
        let (_folder, memory, result) = dream_disturbed(&[original, BYSTANDER], &waiting, original, meddling);
        if [Meddling::Archive, Meddling::Delete].contains(&meddling) {
            assert_eq!((result.promoted, result.left), (1, 1), "{meddling:?}");
            assert_eq!(inbox(&memory), std::slice::from_ref(&repetition_id));
            assert_eq!(memory.dream(Dream::new()).unwrap().promoted, 1);
            let kept = blocks(&memory).into_iter().find(|block| block.id == original_id);
            assert!(kept.is_none_or(|block| block.archive_reason == Some(ArchiveReason::Forgotten)));
            assert_eq!(block(&memory, &repetition_id).status, BlockStatus::Active);
        } else {
            assert_eq!((result.deduplicated, result.left), (1, 0), "{meddling:?}");
            let kept = block(&memory, &original_id);
            assert_eq!((kept.status, kept.reinforcement_count), (BlockStatus::Active, 2));
            assert!(kept.tags.contains(&Tag::parse("topic/code").unwrap()));
            assert_eq!(mine(&memory, &original_id), meddling == Meddling::Tag);
            assert_eq!(edges(&memory).len(), usize::from(meddling == Meddling::Connect));
        }
        check_invariants(&memory);
    }
}

#[test]
fn a_newer_wording_waits_when_the_older_goes_and_inherits_what_was_done_to_it() {
    let (older, newer) = ("The deploy runs on Tuesdays", "Deploys run on Tuesdays");
    let (older_id, newer_id) = (BlockId::for_content(older), BlockId::for_content(newer));
    for meddling in Meddling::ALL {
        let (_folder, memory, result) = dream_disturbed(&[older, BYSTANDER], &[newer.into()], older, meddling);
        if [Meddling::Archive, Meddling::Delete].contains(&meddling) {
            assert_eq!((result.promoted, result.left), (0, 1), "{meddling:?}");
            assert_eq!(memory.dream(Dream::new()).unwrap().promoted, 1);
            let kept = blocks(&memory).into_iter().find(|block| block.id == older_id);
            assert!(kept.is_none_or(|block| block.archive_reason == Some(ArchiveReason::Forgotten)));
        } else {
            assert_eq!((result.superseded, result.left), (1, 0), "{meddling:?}");
            assert_eq!(mine(&memory, &newer_id), meddling == Meddling::Tag);
            assert_eq!(edges(&memory).len(), usize::from(meddling == Meddling::Connect));
            assert_eq!(block(&memory, &older_id).superseded_by, Some(newer_id.clone()));
        }
        check_invariants(&memory);
        assert_eq!(block(&memory, &newer_id).status, BlockStatus::Active);
    }
}

#[test]
fn nothing_is_joined_with_or_held_against_a_block_that_went_meanwhile() {
    for (older, newer) in [
        ("The garden has an apple tree", "The garden has a small pond"),
        ("The back door is open", "The back door is closed"),
    ] {
        for meddling in [Meddling::Archive, Meddling::Delete] {
            let (_folder, memory, result) = dream_disturbed(&[older], &[newer.into()], older, meddling);
            assert_eq!((result.promoted, result.edges_created, result.contradictions_detected), (1, 0, 0));
            assert!(edges(&memory).is_empty() && contradictions(&memory).is_empty());
        }
    }
}

#[test]
fn what_is_learned_during_a_dream_waits_for_the_next_and_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let other = memory_on(&path, &clock, SessionStyle::Held);
    let alone: Vec<&str> = facts().into_iter().filter(|fact| fact.0 == "alone").map(|fact| fact.1).collect();
    let late: Vec<&str> = alone[10..22].to_vec();
    let models = with_analyst(once(move || drop(learn(&other, &late))));
    let memory = memory_thinking(&path, &clock, models);
    learn(&memory, &alone[..10]);
    let result = memory.dream(Dream::new()).unwrap();
    assert_eq!((result.processed, result.promoted), (10, 10));
    assert_eq!(inbox(&memory).len(), 12);
    assert!(memory.should_dream().unwrap());
    assert_eq!(memory.status().unwrap().inbox_count, 12);
    assert_eq!(memory.dream(Dream::new()).unwrap().promoted, 12);
    assert!(!memory.should_dream().unwrap());
}

#[test]
fn two_dreams_with_the_same_plan_promote_every_block_once() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let meeting = Arc::new(Barrier::new(2));
    let dreamer = || {
        let meeting = Arc::clone(&meeting);
        let models = with_analyst(once(move || _ = meeting.wait()));
        memory_thinking(&path, &clock, models)
    };
    let (one, two) = (dreamer(), dreamer());
    learn_facts(&one);
    let learned = blocks(&one).len();
    let results = std::thread::scope(|scope| {
        let threads = [&one, &two].map(|memory| scope.spawn(|| memory.dream(Dream::new()).unwrap()));
        threads.map(|thread| thread.join().unwrap())
    });
    for result in &results {
        check_arithmetic(result);
        assert_eq!(result.processed, learned);
    }
    assert_eq!(results[0].left + results[1].left, learned, "what one did, the other left");
    check_invariants(&one);
    let quiet = crate::memory();
    learn_facts(&quiet);
    let quiet_result = quiet.dream(Dream::new()).unwrap();
    assert_eq!(results[0].promoted + results[1].promoted, quiet_result.promoted);
    assert_eq!(results[0].edges_created + results[1].edges_created, quiet_result.edges_created);
    let counts = |blocks: Vec<Block>| {
        let mut counts: Vec<(BlockId, BlockStatus, u32)> =
            blocks.into_iter().map(|block| (block.id, block.status, block.reinforcement_count)).collect();
        counts.sort();
        counts
    };
    assert_eq!(counts(blocks(&one)), counts(blocks(&quiet)));
    assert_eq!(edges(&one).len(), edges(&quiet).len());
}

#[test]
fn learners_and_dreamers_on_one_file_come_to_rest_without_losing_anything() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    drop(memory_on(&path, &clock, SessionStyle::Held));
    let facts: Vec<(&str, &str, Option<&str>)> = facts().into_iter().take(80).collect();
    let promoted: usize = std::thread::scope(|scope| {
        for newer in [false, true] {
            let memory = memory_on(&path, &clock, SessionStyle::Held);
            let texts: Vec<&str> =
                facts.iter().filter_map(|(_, old, new)| if newer { *new } else { Some(*old) }).collect();
            scope.spawn(move || learn(&memory, &texts));
        }
        let dreamers: Vec<_> = (0..2)
            .map(|_| {
                let memory = memory_on(&path, &clock, SessionStyle::Held);
                scope.spawn(move || (0..6).map(|_| memory.dream(Dream::new()).unwrap().promoted).sum::<usize>())
            })
            .collect();
        dreamers.into_iter().map(|dreamer| dreamer.join().unwrap()).sum()
    });
    let memory = memory_on(&path, &clock, SessionStyle::Held);
    let last = memory.dream(Dream::new()).unwrap();
    check_invariants(&memory);
    assert!(inbox(&memory).is_empty());
    let known = blocks(&memory);
    for text in facts.iter().flat_map(|(_, old, new)| std::iter::once(*old).chain(*new)) {
        assert!(known.iter().any(|block| block.id == BlockId::for_content(text)), "{text}");
    }
    let ever_active = known.iter().filter(|block| block.token_count.is_some()).count();
    assert_eq!(promoted + last.promoted, ever_active);
    assert_eq!(memory.store().pragma("integrity_check").unwrap(), "ok");
}

#[test]
fn many_calls_at_once_come_to_the_same_as_one_after_the_other() {
    let dreamed = |concurrency: usize| {
        let analyst = ScriptedAnalyst::new().with_concurrency(concurrency).saying("honest", 0.9, &["self/value"]);
        let folder = tempfile::tempdir().unwrap();
        let memory = memory_thinking(&folder.path().join("memory.db"), &clock(), with_analyst(analyst));
        learn_facts(&memory);
        memory.dream(Dream::new()).unwrap();
        essence(&memory)
    };
    crate::fixtures::check_same(&dreamed(1), &dreamed(8));
}

#[test]
fn a_dream_does_not_hold_the_memory_while_it_thinks() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let impatient = OpenOptions { busy_bound: std::time::Duration::from_millis(50), ..OpenOptions::default() };
    let other = SqliteStore::open(&path, impatient, elfmem_engine::Clock::now(&*clock)).unwrap();
    let other = Memory::open(other, options(&clock));
    let models = with_analyst(AnalystOf(move |request: &AnalysisRequest<'_>| {
        other.learn(format!("While thinking about {}", request.content)).unwrap();
        Ok(Analysis::neutral())
    }));
    let memory = memory_thinking(&path, &clock, models);
    learn(&memory, &["Octopuses have three hearts", "Honey does not spoil"]);
    assert_eq!(memory.dream(Dream::new()).unwrap().promoted, 2);
    assert_eq!(inbox(&memory).len(), 2);
}
