//! `why`: one test for each stage at which the way of a block may end, and every remedy followed to the letter.

use elfmem_core::BlockId;
use elfmem_engine::{
    AddFrame, Dream, Edit, EditFrame, Learn, ListBlocks, Outcome, Recall, ResolveContradiction, Stage, Supersede, Why,
    WhyResult,
};

use crate::fixtures::{TestMemory, learn, learn_facts, work_for};
use crate::state::{assert_same_state, state};
use crate::{clock, memory, memory_at};

fn is_shown(memory: &TestMemory, request: &Recall, id: &BlockId) -> bool {
    let found = memory.recall(request.clone().preview()).unwrap();
    found.blocks.iter().any(|block| block.id == *id)
}

/// Asks why, checks that it agrees with the answer itself and that asking changed nothing.
fn why(memory: &TestMemory, request: &Recall, id: &BlockId) -> WhyResult {
    let before = state(memory);
    let result = memory.why(Why::about(request, id.as_str())).unwrap();
    assert_same_state(&state(memory), &before);
    assert_eq!(memory.why(Why::about(request, id.short())).unwrap(), result, "a short id will do");
    assert_eq!((&result.block_id, result.remedy.is_none()), (id, result.stage == Stage::Shown), "{result:?}");
    let shown = is_shown(memory, request, id);
    assert_eq!(shown, matches!(result.stage, Stage::Shown | Stage::Budget), "{result:?}");
    assert!(result.to_string().starts_with(&format!("Block {} ", id.short())), "{result}");
    result
}

fn remedy(result: &WhyResult) -> &str {
    result.remedy.as_deref().unwrap()
}

#[test]
fn status_an_archived_block_can_be_restored_or_learned_again() {
    let memory = memory();
    let asked = Recall::new("where is the kettle?");
    for again in [false, true] {
        let id = memory.learn("The kettle is in the kitchen").unwrap().block_id;
        memory.forget(id.as_str()).unwrap();
        let result = why(&memory, &asked, &id);
        assert_eq!((result.stage, result.rank, result.score), (Stage::Status, None, None));
        assert_eq!(remedy(&result), "Restore it, or learn it again.");
        if again {
            memory.learn("The kettle is in the kitchen").unwrap();
        } else {
            memory.restore(id.as_str()).unwrap();
        }
        assert!(is_shown(&memory, &asked, &id), "again: {again}");
    }
}

#[test]
fn a_block_that_was_replaced_says_so_and_by_what() {
    let memory = memory();
    let ids = learn(&memory, &["The kettle is in the kitchen", "The kettle is in the cellar"]);
    memory.supersede(Supersede::new(ids[0].as_str(), ids[1].as_str())).unwrap();
    let asked = Recall::new("where is the kettle?");
    let result = memory.why(Why::about(&asked, ids[0].as_str())).unwrap();
    assert_eq!((result.stage, &result.block_id), (Stage::Status, &ids[0]));
    assert_eq!(result.replaced_by.as_ref(), Some(&ids[1]));
    assert!(result.to_string().contains(&format!("{} took its place", ids[1].short())), "{result}");
}

#[test]
fn filter_a_block_that_does_not_pass_is_found_by_search_without_filters() {
    let memory = memory();
    let id = memory.learn(Learn::new("The kettle is in the kitchen").tag("topic/tea")).unwrap().block_id;
    for request in [
        Recall::new("kettle").tag("topic/coffee"),
        Recall::new("kettle").category("decision"),
        Recall::new("kettle").until("2001-01-01T00:00:00Z".parse().unwrap()),
        Recall::new("kettle").frame("self"),
    ] {
        let result = why(&memory, &request, &id);
        assert_eq!((result.stage, result.rank), (Stage::Filter, None), "{request:?}");
        assert_eq!(remedy(&result), "Ask in the frame 'search' and without filters.");
        assert!(is_shown(&memory, &Recall::new("kettle").frame("search"), &id));
    }
}

#[test]
fn filter_what_a_frame_leaves_to_another_is_found_there() {
    let memory = memory();
    let id = memory.learn(Learn::new("I keep my word").tag("self/constitutional")).unwrap().block_id;
    let result = why(&memory, &Recall::new("word").frame("attention"), &id);
    assert_eq!(result.stage, Stage::Filter);
    assert_eq!(remedy(&result), "Ask in the frame 'self' or 'search'.");
    for frame in ["self", "search"] {
        assert!(is_shown(&memory, &Recall::new("word").frame(frame), &id), "{frame}");
    }
}

#[test]
fn window_an_old_block_is_found_by_search_and_after_a_pin() {
    let clock = clock();
    let memory = memory_at(&clock);
    memory.begin_session("work").unwrap();
    let id = memory.learn("The kettle is in the kitchen").unwrap().block_id;
    memory.consolidate().unwrap();
    work_for(&memory, &clock, 201.0);
    let asked = Recall::new("kettle").frame("attention");
    let result = why(&memory, &asked, &id);
    assert_eq!(result.stage, Stage::Window);
    assert_eq!(remedy(&result), "Ask in the frame 'search', which looks at everything, or pin it.");
    assert!(is_shown(&memory, &Recall::new("kettle").frame("search"), &id));
    memory.pin(id.as_str()).unwrap();
    assert!(is_shown(&memory, &asked, &id));
}

#[test]
fn candidates_a_block_that_shares_nothing_is_found_by_a_cue() {
    let memory = memory();
    memory.learn("Deploys go out on Tuesdays").unwrap();
    let id = memory.learn("🙂👍").unwrap().block_id;
    let asked = Recall::new("how do deploys go?").no_contiguity();
    let result = why(&memory, &asked, &id);
    assert!(result.stage == Stage::Candidates && result.relevance < 0.05, "{result:?}");
    assert_eq!(remedy(&result), "Ask with words that it holds, or give it a cue for this question.");
    memory.edit(Edit::new(id.as_str()).cue("how do deploys go?")).unwrap();
    assert!(is_shown(&memory, &asked, &id));
}

#[test]
fn candidates_a_block_that_is_too_far_down_is_found_by_its_words_and_by_a_cue() {
    let memory = memory();
    let loaves: Vec<Learn> = (0..200).map(|n| Learn::new(format!("The loaf on shelf {n} is fresh"))).collect();
    memory.learn_all(&loaves).unwrap();
    let id = memory.learn("Ravi repaired the bread oven").unwrap().block_id;
    memory.consolidate().unwrap();
    let asked = Recall::new("which loaf is fresh?").no_contiguity();
    let result = why(&memory, &asked, &id);
    assert_eq!(result.stage, Stage::Candidates, "{result:?}");
    assert!(result.rank.unwrap() > 128, "{result:?}");
    assert_eq!(
        remedy(&result),
        "Ask with words that it holds, give it a cue, or connect it to a block that comes back."
    );
    assert!(is_shown(&memory, &Recall::new("who repaired the oven?"), &id));
    memory.edit(Edit::new(id.as_str()).cue("which loaf is fresh?")).unwrap();
    let cued = why(&memory, &asked, &id);
    assert!(cued.stage > Stage::Candidates && cued.rank < result.rank, "{cued:?}");
}

#[test]
fn candidates_a_block_far_down_comes_in_when_it_is_connected_to_one_that_comes_back() {
    let memory = memory();
    let noise: Vec<Learn> = (0..160).map(|n| Learn::new(format!("Shelf {n} holds loaves"))).collect();
    memory.learn_all(&noise).unwrap();
    let answer = memory.learn("Maria is allergic to peanuts and to shelf fungus").unwrap().block_id;
    let id = memory.learn("🙂👍").unwrap().block_id;
    memory.consolidate().unwrap();
    let asked = Recall::new("what is Maria allergic to, on which shelf?").no_contiguity();
    assert_eq!(why(&memory, &asked, &id).stage, Stage::Candidates);
    assert!(is_shown(&memory, &asked, &answer));
    memory.connect(elfmem_engine::Connect::new(answer.as_str(), id.as_str()).weight(1.0)).unwrap();
    assert!(is_shown(&memory, &asked, &id));
}

#[test]
fn suppression_a_block_held_back_comes_in_when_the_contradiction_is_settled() {
    for keep_both in [false, true] {
        let memory = memory();
        let ids = learn(&memory, &["The back door is open", "The back door is closed"]);
        memory.dream(Dream::new()).unwrap();
        memory.outcome(Outcome::new([ids[0].as_str()], 1.0)).unwrap();
        let asked = Recall::new("the back door");
        let shown = memory.why(Why::about(asked.clone(), ids[1].as_str())).unwrap();
        assert_eq!((shown.stage, shown.rank), (Stage::Shown, Some(2)), "{shown:?}");
        assert!(shown.reason.contains(&format!("it contradicts {}", ids[0].short())), "{}", shown.reason);
        let asked = asked.top_k(1);
        let result = why(&memory, &asked, &ids[1]);
        assert_eq!(result.stage, Stage::Suppression, "{result:?}");
        assert_eq!(remedy(&shown), remedy(&result));
        assert!(result.reason.contains(&format!("contradicts {}", ids[0].short())), "{}", result.reason);
        let command = format!("resolve_contradiction(a={}, b={}", ids[1].short(), ids[0].short());
        assert!(remedy(&result).contains(&command), "{}", remedy(&result));
        assert!(remedy(&result).contains(&format!("keep={}", ids[1].short())), "{}", remedy(&result));
        let request = ResolveContradiction::new(ids[1].short(), ids[0].short());
        let request = if keep_both { request.both("two doors") } else { request.keep(ids[1].as_str()) };
        memory.resolve_contradiction(request).unwrap();
        assert!(is_shown(&memory, &asked.top_k(2), &ids[1]));
    }
}

#[test]
fn rank_asking_for_as_many_as_it_says_brings_the_block_in() {
    let memory = memory();
    learn_facts(&memory);
    memory.consolidate().unwrap();
    let all: Vec<BlockId> = memory.list(ListBlocks::all()).unwrap().into_iter().map(|block| block.id).collect();
    let mut ranked = 0;
    for (question, every) in [("Which port does the database listen on?", 13), ("violin", 17)] {
        for (frame, top_k) in [("search", 1), ("attention", 3)] {
            let asked = Recall::new(question).frame(frame).include_weak();
            for id in all.iter().step_by(every) {
                let result = memory.why(Why::about(asked.clone().top_k(top_k), id.as_str())).unwrap();
                if result.stage != Stage::Rank {
                    continue;
                }
                if remedy(&result).contains("resolve_contradiction") {
                    continue;
                }
                ranked += 1;
                assert!(result.rank.unwrap() > top_k && result.score.is_some());
                let count: usize = remedy(&result)
                    .split_once("top_k=")
                    .and_then(|(_, rest)| rest.trim_end_matches([')', '.']).parse().ok())
                    .unwrap_or_else(|| panic!("{}", remedy(&result)));
                assert!(count > top_k, "{result:?}");
                assert!(
                    is_shown(&memory, &asked.clone().top_k(count), &result.block_id),
                    "{question} {frame} {count}: {result:?}"
                );
            }
        }
    }
    assert!(ranked > 5, "{ranked}");
}

#[test]
fn budget_raising_it_brings_the_block_in() {
    let memory = memory();
    memory.add_frame(AddFrame::new("short").budget(70)).unwrap();
    let texts = [0, 1].map(|n| format!("The kettle, remark {n}: {}", "descale it with vinegar, ".repeat(6)));
    let ids = texts.map(|text| memory.learn(text).unwrap().block_id);
    let asked = Recall::new("kettle remark").frame("short");
    let rendered = memory.frame(asked.clone().preview()).unwrap();
    let cut = ids.iter().find(|id| rendered.blocks.iter().all(|block| block.id != **id)).unwrap();
    let result = why(&memory, &asked, cut);
    assert_eq!(result.stage, Stage::Budget, "{result:?}");
    assert!(result.rank.is_some() && result.score.is_some());
    assert!(remedy(&result).contains("edit_frame(name=short, budget=TOKENS)"), "{}", remedy(&result));
    memory.edit_frame(EditFrame::new("short").budget(400)).unwrap();
    assert_eq!(why(&memory, &asked, cut).stage, Stage::Shown);
    assert!(memory.frame(&asked).unwrap().blocks.iter().any(|block| block.id == *cut));
}

#[test]
fn shown_a_block_that_came_back_says_its_place_and_its_parts() {
    let memory = memory();
    let ids = learn(&memory, &["The kettle is in the kitchen", "Deploys go out on Tuesdays"]);
    let asked = Recall::new("where is the kettle?");
    let result = why(&memory, &asked, &ids[0]);
    assert_eq!((result.stage, result.rank), (Stage::Shown, Some(1)));
    assert_eq!(result.reason, format!("Block {} is number 1 of the answer.", ids[0].short()));
    assert_eq!(result.matched, ["kettl"]);
    let hit = memory.recall(asked.preview()).unwrap().blocks.remove(0);
    assert_eq!((result.score, &result.explain), (Some(hit.score), &hit.explain));
    assert!((result.relevance - hit.relevance.unwrap()).abs() < 0.01, "{} {:?}", result.relevance, hit.relevance);
}

#[test]
fn an_unknown_block_is_a_clear_error() {
    let memory = memory();
    memory.learn("something").unwrap();
    for id in ["ffffffff", "", "not an id", "%"] {
        let error = memory.why(Why::new("x", id)).unwrap_err();
        assert!(error.to_string().contains("— Recovery: "), "{error}");
    }
}

#[test]
fn every_way_of_finding_is_told() {
    let clock = crate::clock();
    let trust = elfmem_core::TrustPolicy::new(["caroline"], []);
    let memory = crate::fixtures::open_memory(elfmem_engine::Options { trust, ..crate::options(&clock) });
    let seed = memory.learn(Learn::new("The sourdough class is on Fridays").source("Caroline")).unwrap().block_id;
    let linked = memory.learn("Ravi repaired the delivery van").unwrap().block_id;
    memory.learn(Learn::new("Bring an apron along").source("Caroline")).unwrap();
    let cued = memory.learn(Learn::new("Open the red folder").cue("sourdough class")).unwrap().block_id;
    memory.consolidate().unwrap();
    memory
        .connect(elfmem_engine::Connect::new(seed.as_str(), linked.as_str()).relation("supports").weight(0.9))
        .unwrap();
    let found = memory.recall("When is the sourdough class, Caroline?").unwrap().blocks;
    let of = |id: &BlockId| &found.iter().find(|block| block.id == *id).unwrap().explain;
    let explain = of(&seed);
    assert!(explain.words > 0.1 && explain.meaning.unwrap() > 0.5 && explain.who > 0.0, "{explain:?}");
    assert!(of(&cued).cue.unwrap() > 0.5, "{:?}", of(&cued));
    let via = of(&linked).via.as_ref().unwrap();
    assert_eq!((&via.block_id, via.relation.as_str()), (&seed, "supports"));
    assert!((via.weight - 0.9).abs() < 0.11, "{via:?}");
    assert!(of(&linked).context > 0.0 || of(&seed).context > 0.0, "what was stored around a block is told");
}

#[test]
fn a_misspelt_word_stands_for_its_neighbour_and_the_answer_says_so() {
    let memory = memory();
    memory.learn("The boiler is serviced by Okafor in November").unwrap();
    memory.learn("Tuesday is the day of the release").unwrap();
    let found = memory.recall(Recall::new("boilr servicd").preview()).unwrap();
    assert_eq!(found.blocks[0].content, "The boiler is serviced by Okafor in November");
    assert_eq!(found.blocks[0].matched, ["boilr (boiler)", "servicd (servic)"]);
}

#[test]
fn endings_are_those_of_the_language_of_each_block() {
    let memory = memory();
    memory.learn("Die Boote werden am Samstag von Frau Keller gewartet").unwrap();
    memory.learn("Las botellas se entregan los lunes por la mañana").unwrap();
    memory.learn("The invoices of the studio are paid in March").unwrap();
    for (question, expected) in [
        ("Wer wartet das Boot?", "Die Boote"),
        ("¿Cuándo se entrega la botella?", "Las botellas"),
        ("which invoice is paid?", "The invoices"),
    ] {
        let found = memory.recall(Recall::new(question).preview()).unwrap();
        assert!(found.blocks[0].content.starts_with(expected), "{question}: {}", found.blocks[0].content);
        assert!(!found.blocks[0].matched.is_empty(), "{question}");
    }
}
