//! What went wrong in memories of this kind before, and must not here.

use elfmem_core::{BlockId, BlockStatus};
use elfmem_engine::{
    AddFrame, AddTags, Connect, EditFrame, FrameResult, Learn, LeftOutReason, Outcome, Recall, RenderFrame,
    SessionStyle,
};

use crate::fixtures::{TestMemory, block, work_for};
use crate::{clock, frame_for, memory, memory_at, memory_on};

const CONSTITUTION: [&str; 10] = [
    "I say plainly what I do not know",
    "I never hand the data of one person to another",
    "I ask before I delete what cannot be made again",
    "I prefer the small change that can be taken back",
    "I test what I claim before I claim it",
    "I keep a promise or say early that I cannot",
    "I read what is there before I write something new",
    "I leave a place tidier than I found it",
    "I name the source of what I repeat",
    "I stop when I am asked to stop",
];

/// A memory with a constitution, the user's own identity, a mind and some facts, all consolidated.
fn settled() -> TestMemory {
    let memory = memory();
    for text in CONSTITUTION {
        memory.learn(Learn::new(text).tag("self/constitutional")).unwrap();
    }
    memory.learn(Learn::new("I am the assistant of a bakery in Porto").tag("self/identity")).unwrap();
    memory.learn(Learn::new("Ravi reads a plan twice before he agrees to it").tag("mind/ravi")).unwrap();
    for fact in ["The oven is cleaned on Mondays", "Maria is allergic to peanuts", "Flour comes from the mill in Braga"]
    {
        memory.learn(fact).unwrap();
    }
    memory.consolidate().unwrap();
    memory
}

fn contents(frame: &FrameResult) -> Vec<&str> {
    frame.blocks.iter().map(|block| block.content.as_str()).collect()
}

#[test]
fn in_the_first_minute_a_question_finds_the_fact_it_shares_no_word_with() {
    let memory = memory();
    for fact in ["Deploys go out on Tuesdays", "Maria is allergic to peanuts", "The office closes at six"] {
        memory.remember(fact).unwrap();
    }
    for top_k in [1, 5] {
        let found = memory.recall(Recall::new("who can't eat nuts?").top_k(top_k)).unwrap();
        assert_eq!(found.blocks[0].content, "Maria is allergic to peanuts");
        assert_eq!(found.blocks[0].status, BlockStatus::Inbox);
        assert!(found.blocks[0].matched.is_empty() && found.blocks[0].explain.meaning.unwrap() > 0.2, "{found:?}");
    }
    let attention = memory.frame(RenderFrame::new("attention").query("who can't eat nuts?").top_k(1)).unwrap();
    assert!(attention.text.contains("Maria is allergic to peanuts"), "{}", attention.text);
}

#[test]
fn ten_constitutional_blocks_and_the_users_own_identity_all_appear_in_self_by_default() {
    let memory = settled();
    for question in [None, Some("who are you?")] {
        let own = memory.frame(frame_for("self", question)).unwrap();
        for text in CONSTITUTION {
            assert!(own.text.contains(text), "{text}: {}", own.text);
        }
        assert!(own.text.contains("I am the assistant of a bakery in Porto"), "{}", own.text);
        assert_eq!((own.block_count, own.left_out.len()), (11, 0));
        assert!(own.tokens <= own.token_budget);
    }
}

#[test]
fn a_mind_appears_in_simulate_with_and_without_a_question() {
    let memory = settled();
    for question in [None, Some("how would the flour delivery go?")] {
        let simulate = memory.frame(frame_for("simulate", question).top_k(0)).unwrap();
        assert!(simulate.text.contains("## Minds (reasoning about)"), "{}", simulate.text);
        assert!(simulate.text.contains("Ravi reads a plan twice"));
        assert!(simulate.text.contains(CONSTITUTION[0]));
    }
}

#[test]
fn a_question_to_self_never_returns_what_is_not_of_self_not_even_over_an_edge() {
    let memory = settled();
    let own = memory.learn(Learn::new("I bake the sourdough before sunrise").tag("self/habit")).unwrap().block_id;
    let fact = memory.learn("The baker's guild meets in the old town hall").unwrap().block_id;
    memory.consolidate().unwrap();
    memory.connect(Connect::new(own.as_str(), fact.as_str()).weight(1.0)).unwrap();
    let asked =
        |frame: &str, question: &str| memory.recall(Recall::new(question).frame(frame).top_k(50)).unwrap().blocks;
    let found = asked("attention", "sourdough before sunrise");
    let linked = found.iter().find(|block| block.id == fact).unwrap();
    assert_eq!(linked.explain.via.as_ref().unwrap().block_id, own, "the edge would lead there");
    for question in ["sourdough before sunrise", "guild town hall", "peanuts", "oven flour mill Maria"] {
        let found = asked("self", question);
        assert!(found.len() >= 10, "{question}");
        for block in found {
            assert!(block.tags.iter().any(|tag| tag.as_str().starts_with("self/")), "{question}: {}", block.content);
        }
    }
}

#[test]
fn guaranteed_blocks_survive_any_top_k() {
    let memory = settled();
    for top_k in [0, 1, 3, 100] {
        for question in [None, Some("bakery"), Some("?!"), Some("zxqv")] {
            let own = memory.frame(frame_for("self", question).top_k(top_k)).unwrap();
            assert!(CONSTITUTION.iter().all(|text| own.text.contains(text)), "{top_k} {question:?}");
            let others = own.blocks.iter().filter(|block| !block.guaranteed).count();
            assert!(others <= top_k, "{top_k} {question:?}");
        }
        let found = memory.recall(Recall::new("bakery").frame("self").top_k(top_k)).unwrap();
        assert_eq!(found.blocks.iter().filter(|block| block.guaranteed).count(), 10);
    }
}

#[test]
fn a_block_cut_by_the_budget_is_named_and_not_reinforced() {
    let memory = memory();
    let small = memory.learn("The kettle whistles").unwrap().block_id;
    let large = memory.learn(format!("The kettle manual says: {}", "descale it with vinegar, ".repeat(40))).unwrap();
    memory.consolidate().unwrap();
    memory.add_frame(AddFrame::new("short").budget(60)).unwrap();
    let uses = |id: &BlockId| block(&memory, id).reinforcement_count;
    let before = (uses(&small), uses(&large.block_id));
    let short = memory.frame(RenderFrame::new("short").query("kettle")).unwrap();
    assert_eq!(contents(&short), ["The kettle whistles"]);
    let [cut] = &short.left_out[..] else { panic!("{:?}", short.left_out) };
    assert_eq!((&cut.block_id, cut.reason), (&large.block_id, LeftOutReason::TokenBudget));
    assert!(cut.detail.contains("budget of 60 tokens"), "{}", cut.detail);
    assert_eq!((uses(&small), uses(&large.block_id)), (before.0 + 1, before.1));
    assert_eq!(memory.last_recall_block_ids(), [small]);
    assert!(short.tokens <= 60 && !short.text.contains("vinegar"));
}

#[test]
fn durable_identity_older_than_the_window_is_found_and_a_standard_block_only_by_search() {
    let clock = clock();
    let memory = memory_at(&clock);
    memory.begin_session("work").unwrap();
    let durable = memory.learn(Learn::new("I value sourdough above all bread").tag("self/value")).unwrap().block_id;
    let standard = memory.learn("The sourdough starter lives in the cellar").unwrap().block_id;
    let pinned = memory.learn("The sourdough class takes twelve guests").unwrap().block_id;
    memory.consolidate().unwrap();
    memory.pin(pinned.as_str()).unwrap();
    work_for(&memory, &clock, 200.5);
    let shown = |frame: &str| -> Vec<BlockId> {
        let request = Recall::new("sourdough").frame(frame).top_k(9).preview();
        memory.recall(&request).unwrap().blocks.into_iter().map(|block| block.id).collect()
    };
    for frame in ["attention", "task", "simulate"] {
        let shown = shown(frame);
        assert!(shown.contains(&durable) && shown.contains(&pinned), "{frame}");
        assert!(!shown.contains(&standard), "{frame}");
    }
    assert_eq!(shown("self"), [durable]);
    assert!(shown("search").contains(&standard));
    memory.recall(Recall::new("sourdough starter").top_k(1)).unwrap();
    assert!(shown("attention").contains(&standard), "what was of use again is back");
}

#[test]
fn a_kept_rendering_never_answers_another_question() {
    let memory = settled();
    let shown = |request: &Recall| memory.frame(request.clone().frame("self")).unwrap();
    let asked = Recall::new("bakery").top_k(1);
    assert!(!shown(&asked).cached);
    let again = shown(&asked);
    assert!(again.cached && again.query == "bakery");
    for other in [
        Recall::new("oven").top_k(1),
        Recall::new("bakery").top_k(0),
        Recall::new("Bakery").top_k(1),
        Recall::new("bakery").top_k(1).tag("self/identity"),
        Recall::new("bakery").top_k(1).category("decision"),
        Recall::new("bakery").top_k(1).no_contiguity(),
        Recall::all().top_k(1),
    ] {
        let fresh = shown(&other);
        assert!(!fresh.cached, "{other:?}");
        let served = shown(&other);
        assert!(served.cached, "{other:?}");
        assert_eq!((served.text, contents_owned(&served.blocks)), (fresh.text, contents_owned(&fresh.blocks)));
    }
    assert_eq!(shown(&asked).text, again.text);
}

fn contents_owned(blocks: &[elfmem_engine::ScoredBlock]) -> Vec<String> {
    blocks.iter().map(|block| block.content.clone()).collect()
}

#[test]
fn a_kept_rendering_is_dropped_when_the_memory_changes() {
    let memory = settled();
    let cached = || memory.frame("self").unwrap().cached;
    assert!(!cached() && cached() && cached(), "use alone does not change what is true");
    memory.learn("a fact that has nothing to do with it").unwrap();
    assert!(!cached() && cached(), "learned");
    let id = memory.frame("self").unwrap().blocks[0].id.to_string();
    memory.outcome(Outcome::new([id.as_str()], 0.9)).unwrap();
    assert!(!cached() && cached(), "an outcome");
    memory.edit_frame(EditFrame::new("self").budget(700)).unwrap();
    assert!(!cached() && cached(), "the frame was changed");
    memory.add_tags(AddTags::new(&id, ["self/extra".to_owned()])).unwrap();
    assert!(!cached() && cached(), "a tag");
    memory.forget(&id).unwrap();
    assert!(!cached() && cached(), "forgotten");
    assert!(!memory.frame("self").unwrap().blocks.iter().any(|block| block.id.as_str() == id));
}

#[test]
fn a_kept_rendering_is_dropped_when_another_process_changes_the_memory_and_when_its_time_is_over() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let (one, other) = (memory_on(&path, &clock, SessionStyle::Held), memory_on(&path, &clock, SessionStyle::Held));
    one.learn(Learn::new("I am one").tag("self/identity")).unwrap();
    let shown = || one.frame("self").unwrap();
    assert!(!shown().cached && shown().cached);
    other.learn(Learn::new("I am another").tag("self/identity")).unwrap();
    let fresh = shown();
    assert!(!fresh.cached && fresh.text.contains("I am another"));
    other.edit_frame(EditFrame::new("self").budget(900)).unwrap();
    let fresh = shown();
    assert!(!fresh.cached && fresh.token_budget == 900, "{fresh:?}");
    assert!(shown().cached);
    clock.forward_minutes(61.0);
    assert!(!shown().cached);
}

#[test]
fn attention_and_task_leave_the_constitution_to_self() {
    let memory = settled();
    memory.learn(Learn::new("Ship the summer menu").tag("self/goal")).unwrap();
    for frame in ["attention", "task"] {
        for question in [None, Some("what do I not know, and what do I promise?")] {
            let shown = memory.frame(frame_for(frame, question).top_k(50)).unwrap();
            assert!(CONSTITUTION.iter().all(|text| !shown.text.contains(text)), "{frame}: {}", shown.text);
            let is_shown = shown.text.contains("Ship the summer menu");
            assert_eq!(is_shown, frame == "task" || question.is_none(), "{frame} {question:?}: {}", shown.text);
        }
    }
    let found = memory.recall(Recall::new("I say plainly what I do not know").top_k(1)).unwrap();
    assert_eq!(found.blocks[0].content, CONSTITUTION[0], "it can be searched for");
}

#[test]
fn inbox_blocks_take_part_in_every_frame_and_are_marked() {
    let memory = settled();
    memory.learn(Learn::new("I never bake with lard").tag("self/value")).unwrap();
    for frame in ["self", "attention", "task", "simulate", "search"] {
        let found = memory.recall(Recall::new("bake with lard").frame(frame).top_k(20)).unwrap();
        let fresh = found.blocks.iter().find(|block| block.content == "I never bake with lard").unwrap();
        assert_eq!(fresh.status, BlockStatus::Inbox, "{frame}");
        let others = found.blocks.iter().filter(|block| block.id != fresh.id);
        assert!(others.into_iter().all(|block| block.status == BlockStatus::Active), "{frame}");
    }
    memory.consolidate().unwrap();
    assert_eq!(memory.recall(Recall::new("bake with lard").top_k(1)).unwrap().blocks[0].status, BlockStatus::Active);
}
