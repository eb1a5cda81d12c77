//! The model that judges pairs of texts: what it may change, and what happens when it cannot answer.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use elfmem_core::{BlockId, BlockStatus};
use elfmem_engine::{
    Dream, EmbedderChoice, Learn, ListContradictions, Models, Options, PairJudgeChoice, Progress, ProgressListener,
    Recall, Undo,
};
use elfmem_models::scripted::ScriptedEmbedder;
use elfmem_models::{BuiltinModel, Embedder, ModelError, PairJudge};
use elfmem_text::statements::PairProbabilities;

use crate::fixtures::{ManualClock, TestMemory, clock, learn, memory_with, open_memory, options};

const FLAT: &str = "Jonas rents a flat on Mill Lane";
const BAKERY: &str = "Jonas bought the old bakery and sleeps there, the flat is let";

/// What the model answers to pairs of an older and a newer text.
type Answer = fn(&[[&str; 2]]) -> Result<Vec<Option<PairProbabilities>>, ModelError>;

/// Answers each pair alike, and keeps what it was asked.
struct Judge {
    answer: Answer,
    local: bool,
    asked: Mutex<Vec<[String; 2]>>,
    calls: AtomicUsize,
}

impl PairJudge for Judge {
    fn name(&self) -> &str {
        "scripted-pairs"
    }

    fn is_local(&self) -> bool {
        self.local
    }

    fn judge(&self, pairs: &[[&str; 2]]) -> Result<Vec<Option<PairProbabilities>>, ModelError> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.asked.lock().unwrap().extend(pairs.iter().map(|pair| pair.map(str::to_owned)));
        (self.answer)(pairs)
    }
}

fn sure(update: f64, contradiction: f64, both_true: f64) -> PairProbabilities {
    PairProbabilities { both_true, update, contradiction, same: 1.0 - update - contradiction - both_true }
}

fn memory_of(embedder: ScriptedEmbedder, answer: Answer) -> (TestMemory, Arc<Judge>) {
    memory_and_judge(&clock(), embedder, answer)
}

fn memory_and_judge(time: &Arc<ManualClock>, embedder: ScriptedEmbedder, answer: Answer) -> (TestMemory, Arc<Judge>) {
    memory_and_judge_that(false, time, embedder, answer)
}

fn memory_and_judge_that(
    local: bool,
    time: &Arc<ManualClock>,
    embedder: ScriptedEmbedder,
    answer: Answer,
) -> (TestMemory, Arc<Judge>) {
    let judge = Arc::new(Judge { answer, local, asked: Mutex::default(), calls: AtomicUsize::new(0) });
    let pairs = PairJudgeChoice::Custom(Arc::clone(&judge) as Arc<dyn PairJudge>);
    let embedder = EmbedderChoice::Custom(Arc::new(embedder) as Arc<dyn Embedder>);
    let models = Models { embedder, pairs, ..Models::default() };
    (open_memory(Options { models, ..options(time) }), judge)
}

fn near() -> ScriptedEmbedder {
    ScriptedEmbedder::new(64).with_cosine(FLAT, BAKERY, 0.7)
}

#[test]
fn an_update_that_the_model_is_sure_of_takes_the_place_of_the_older_text() {
    let (memory, _) = memory_of(near(), |pairs| Ok(vec![Some(sure(0.998, 0.0, 0.001)); pairs.len()]));
    let ids = learn(&memory, &[FLAT, BAKERY]);
    let dreamed = memory.dream(Dream::new()).unwrap();
    assert_eq!(dreamed.updated, 1, "{dreamed:?}");
    let details = memory.show(ids[0].as_str()).unwrap();
    assert_eq!(details.block.status, BlockStatus::Archived);
    memory.undo(Undo::last()).unwrap();
    assert_eq!(memory.show(ids[0].as_str()).unwrap().block.status, BlockStatus::Inbox);
}

#[test]
fn a_likely_update_is_marked_and_the_later_text_comes_first() {
    let question = QUESTION;
    let embedder = near().with_cosine(question, FLAT, 0.7).with_cosine(question, BAKERY, 0.5);
    let time = clock();
    let (memory, _) = memory_and_judge(&time, embedder, |pairs| Ok(vec![Some(sure(0.95, 0.02, 0.03)); pairs.len()]));
    let older = learn(&memory, &[FLAT]);
    time.forward_minutes(1.0);
    let ids = [older, learn(&memory, &[BAKERY])].concat();
    let dreamed = memory.dream(Dream::new()).unwrap();
    assert_eq!((dreamed.updated, dreamed.contradictions_detected), (0, 1), "{dreamed:?}");
    assert_eq!(memory.contradictions(ListContradictions::new()).unwrap().len(), 1);
    let found = memory.recall(Recall::new(question)).unwrap();
    let order: Vec<_> = found.blocks.iter().map(|block| block.id.clone()).collect();
    assert_eq!(order.first(), Some(&ids[1]), "{found:?}");
}

#[test]
fn what_is_not_trusted_replaces_nothing_however_sure_the_model_is() {
    let (memory, _) = memory_of(near(), |pairs| Ok(vec![Some(sure(0.999, 0.0, 0.001)); pairs.len()]));
    let ids = learn(&memory, &[FLAT]);
    memory.dream(Dream::new()).unwrap();
    memory.learn(Learn::new(BAKERY).source("web")).unwrap();
    let dreamed = memory.dream(Dream::new()).unwrap();
    assert_eq!(dreamed.updated, 0, "{dreamed:?}");
    assert_eq!(memory.show(ids[0].as_str()).unwrap().block.status, BlockStatus::Active);
}

#[test]
fn a_model_that_fails_or_answers_too_little_leaves_the_rules_and_says_so() {
    let failing: [Answer; 2] =
        [|_| Err(ModelError::DamagedModel { problem: "a bit flipped".to_owned() }), |_| Ok(Vec::new())];
    for answer in failing {
        let (memory, _) = memory_of(near(), answer);
        learn(&memory, &[FLAT, BAKERY]);
        let dreamed = memory.dream(Dream::new()).unwrap();
        assert_eq!((dreamed.promoted, dreamed.updated, dreamed.contradictions_detected), (2, 0, 0));
        let warning = dreamed.warnings.iter().find(|warning| warning.contains("scripted-pairs")).unwrap();
        assert!(warning.contains("1 of 1 close pairs were judged by the rules"), "{warning}");
    }
}

#[test]
fn only_the_nearest_block_is_asked_about() {
    let (mill, lamp, news) = ("Jonas keeps bees on Mill Lane", "The lamp on Mill Lane is broken", BAKERY);
    let embedder = ScriptedEmbedder::new(64)
        .with_cosine(news, FLAT, 0.8)
        .with_cosine(news, mill, 0.75)
        .with_cosine(news, lamp, 0.72);
    let (memory, judge) = memory_of(embedder, |pairs| {
        let answer = |pair: &[&str; 2]| match pair[0] == FLAT {
            true => sure(0.01, 0.01, 0.97),
            false => sure(0.98, 0.01, 0.01),
        };
        Ok(pairs.iter().map(|pair| Some(answer(pair))).collect())
    });
    learn(&memory, &[FLAT, mill, lamp]);
    memory.dream(Dream::new()).unwrap();
    judge.asked.lock().unwrap().clear();
    learn(&memory, &[news]);
    let dreamed = memory.dream(Dream::new()).unwrap();
    let asked = judge.asked.lock().unwrap().clone();
    assert_eq!(asked, [[FLAT.to_owned(), news.to_owned()]]);
    assert_eq!(dreamed.contradictions_detected, 0, "{dreamed:?}");
}

#[test]
fn the_rules_decide_alone_where_they_were_chosen_or_speed_was() {
    let chosen = Models { pairs: PairJudgeChoice::Rules, ..Models::default() };
    let fast = Models { embedder: EmbedderChoice::BuiltIn(BuiltinModel::Static), ..Models::default() };
    for models in [chosen, fast] {
        let memory = memory_with(models);
        learn(&memory, &[FLAT, BAKERY]);
        let dreamed = memory.dream(Dream::new()).unwrap();
        assert_eq!((dreamed.updated, dreamed.contradictions_detected), (0, 0), "{dreamed:?}");
    }
}

#[test]
fn the_built_in_model_reads_free_wording_by_default() {
    let memory = memory_with(Models::default());
    learn(
        &memory,
        &["The team's chat runs on Rocket.", "We moved the team chat over to Zulip last week, Rocket is switched off."],
    );
    let dreamed = memory.dream(Dream::new()).unwrap();
    assert_eq!(dreamed.updated + dreamed.contradictions_detected, 1, "{dreamed:?}");
}

const QUESTION: &str = "which flat does Jonas rent";

/// A memory of two notes about which a dream decided nothing, the later one nearer to the older than to the question.
fn undecided(local: bool, answer: Answer) -> (TestMemory, Arc<Judge>, Vec<BlockId>) {
    let embedder = near().with_cosine(QUESTION, FLAT, 0.7).with_cosine(QUESTION, BAKERY, 0.5);
    let time = clock();
    let (memory, judge) = memory_and_judge_that(local, &time, embedder, answer);
    let older = learn(&memory, &[FLAT]);
    time.forward_minutes(1.0);
    let ids = [older, learn(&memory, &[BAKERY])].concat();
    let dreamed = memory.dream(Dream::new()).unwrap();
    assert_eq!((dreamed.updated, dreamed.contradictions_detected), (0, 0), "{dreamed:?}");
    judge.asked.lock().unwrap().clear();
    judge.calls.store(0, Ordering::Relaxed);
    (memory, judge, ids)
}

fn order_of(memory: &TestMemory, question: &str) -> Vec<BlockId> {
    let found = memory.recall(Recall::new(question).preview()).unwrap();
    found.blocks.iter().map(|block| block.id.clone()).collect()
}

#[test]
fn recall_puts_first_what_is_likely_an_update_and_asks_about_a_pair_once() {
    let (memory, judge, ids) = undecided(true, |pairs| Ok(vec![Some(sure(0.6, 0.05, 0.3)); pairs.len()]));
    assert_eq!(order_of(&memory, QUESTION), [ids[1].clone(), ids[0].clone()]);
    assert_eq!(order_of(&memory, QUESTION), [ids[1].clone(), ids[0].clone()]);
    assert_eq!(judge.asked.lock().unwrap().as_slice(), [[FLAT.to_owned(), BAKERY.to_owned()]]);
    let found = memory.recall(Recall::new(QUESTION).preview()).unwrap();
    assert_eq!(found.blocks[1].newer.as_ref(), Some(&ids[1]));
}

#[test]
fn recall_leaves_the_order_where_the_model_holds_both_to_be_true_or_fails() {
    let answers: [Answer; 3] = [
        |pairs| Ok(vec![Some(sure(0.1, 0.05, 0.85)); pairs.len()]),
        |_| Err(ModelError::DamagedModel { problem: "a bit flipped".to_owned() }),
        |_| Ok(Vec::new()),
    ];
    for answer in answers {
        let (memory, _, ids) = undecided(true, answer);
        assert_eq!(order_of(&memory, QUESTION).first(), Some(&ids[0]));
    }
}

#[test]
fn recall_never_asks_a_model_that_is_not_local() {
    let (memory, judge, ids) = undecided(false, |pairs| Ok(vec![Some(sure(0.6, 0.05, 0.3)); pairs.len()]));
    assert_eq!(order_of(&memory, QUESTION).first(), Some(&ids[0]));
    assert_eq!(judge.calls.load(Ordering::Relaxed), 0);
}

#[test]
fn a_later_note_about_something_else_of_the_same_thing_makes_nothing_older() {
    let time = clock();
    let memory = open_memory(Options { models: Models::default(), ..options(&time) });
    for text in [
        "Anna's onboarding: laptop was ordered from Dell and arrives on Thursday",
        "Anna's onboarding: her mentor is Tobias, they meet daily at 9",
        "Anna's onboarding: building badge is at the reception now",
    ] {
        memory.learn(text).unwrap();
        time.forward_minutes(1.0);
    }
    let found = memory.recall(Recall::new("what about Anna's onboarding?").preview()).unwrap();
    assert_eq!(found.blocks.len(), 3, "{found:?}");
    assert!(found.blocks.iter().all(|block| block.newer.is_none()), "{found:?}");
}

#[test]
fn no_stage_of_a_dream_counts_past_its_total() {
    for dry in [true, false] {
        let (memory, judge) = memory_of(near(), |pairs| Ok(vec![Some(sure(0.1, 0.1, 0.1)); pairs.len()]));
        learn(&memory, &[FLAT]);
        memory.dream(Dream::new()).unwrap();
        learn(&memory, &[BAKERY, "Ana keeps bees", "The office closes at six"]);
        let steps: Arc<Mutex<Vec<Progress>>> = Arc::default();
        let told = Arc::clone(&steps);
        let listener = ProgressListener::new(move |step| told.lock().unwrap().push(step));
        let dream = Dream::new().progress(listener);
        memory.dream(if dry { dream.dry_run() } else { dream }).unwrap();
        assert_eq!(
            judge.calls.load(Ordering::Relaxed),
            1,
            "the judge is asked, about fewer pairs than there are blocks"
        );
        let (mut stage, mut total, mut finished) = ("", 0, Vec::new());
        for step in steps.lock().unwrap().iter() {
            match step {
                Progress::Stage(name, steps) => (stage, total) = (name, *steps),
                Progress::Done(done) => {
                    assert!(*done <= total, "{stage} {done}/{total}");
                    finished.extend((*done == total).then_some(stage));
                }
                _ => {}
            }
        }
        assert!(finished.contains(&"compare") && finished.contains(&"judge"), "{finished:?}");
    }
}
