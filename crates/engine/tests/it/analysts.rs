//! Analysts and embedders that answer, fail, hang or overstep, and analyses that the host agent hands in.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use elfmem_core::{BlockId, BlockStatus, Tag};
use elfmem_engine::{Dream, ErrorKind, Fate, HostAnalysis, HostContradiction, Learn, ListPending, ReadLog, Rescore};
use elfmem_models::scripted::{ScriptedAnalyst, ScriptedEmbedder};
use elfmem_models::{
    Analysis, AnalysisRequest, Analyst, Embedder, HealthReport, ModelError, RulesAnalyst, SimilarityProfile,
    StaticEmbedder, Usage,
};

use crate::fixtures::{
    AnalystOf, TestMemory, block, blocks, check_arithmetic, check_invariants, contradictions, edges, facts, inbox,
    learn, memory_with, models,
};
use crate::memory;

fn unrelated(analyst: impl Analyst + 'static) -> TestMemory {
    memory_with(models(Arc::new(ScriptedEmbedder::new(256)), Arc::new(analyst)))
}

fn alone(count: usize) -> Vec<&'static str> {
    facts().into_iter().filter(|fact| fact.0 == "alone").map(|fact| fact.1).take(count).collect()
}

#[test]
fn the_analyst_is_shown_what_the_agent_is() {
    struct Shown {
        content: String,
        self_text: String,
        similarity: Option<f64>,
    }
    let seen: Arc<Mutex<Vec<Shown>>> = Arc::default();
    let notes = Arc::clone(&seen);
    let analyst = AnalystOf(move |request: &AnalysisRequest<'_>| {
        let (content, self_text) = (request.content.to_owned(), request.self_text.to_owned());
        let note = Shown { content, self_text, similarity: request.self_similarity };
        notes.lock().unwrap().push(note);
        Ok(Analysis::neutral())
    });
    let same = "Honesty comes before comfort";
    let embedder = ScriptedEmbedder::new(256).with_cosine("I value honesty", same, 0.5);
    let memory = memory_with(models(Arc::new(embedder), Arc::new(analyst)));
    memory.learn(Learn::new("I value honesty").tag("self/value")).unwrap();
    memory.learn(Learn::new("I never deploy on Fridays").tag("self/constraint")).unwrap();
    memory.dream(Dream::new()).unwrap();
    let first: Vec<Shown> = seen.lock().unwrap().drain(..).collect();
    assert!(first.iter().all(|shown| shown.self_text.is_empty() && shown.similarity.is_none()));
    memory.learn(same).unwrap();
    memory.dream(Dream::new()).unwrap();
    let Shown { content, self_text, similarity } = seen.lock().unwrap().remove(0);
    assert_eq!((content.as_str(), self_text.as_str()), (same, "- I value honesty\n- I never deploy on Fridays\n"));
    assert!((similarity.unwrap() - 0.5).abs() < 1e-3);
}

#[test]
fn one_long_text_about_the_self_does_not_hide_the_others() {
    let seen: Arc<Mutex<String>> = Arc::default();
    let note = Arc::clone(&seen);
    let memory = unrelated(AnalystOf(move |request: &AnalysisRequest<'_>| {
        request.self_text.clone_into(&mut note.lock().unwrap());
        Ok(Analysis::neutral())
    }));
    memory.learn(Learn::new("I am thorough. ".repeat(400)).tag("self/style")).unwrap();
    memory.learn(Learn::new("I value honesty").tag("self/value")).unwrap();
    memory.dream(Dream::new()).unwrap();
    learn(&memory, &alone(1));
    memory.dream(Dream::new()).unwrap();
    assert_eq!(*seen.lock().unwrap(), "- I value honesty\n");
}

#[test]
fn no_analyst_makes_a_block_constitutional() {
    let eager =
        || ScriptedAnalyst::new().saying("answers", 7.0, &["self/constitutional", "Self/Constitutional", "self/value"]);
    let memory = unrelated(eager());
    let id = memory.learn("I give short answers").unwrap().block_id;
    memory.dream(Dream::new()).unwrap();
    let stored = block(&memory, &id);
    assert_eq!(stored.tags, [Tag::parse("self/value").unwrap()]);
    assert_eq!((stored.decay_lambda.get(), stored.self_alignment), (0.001, Some(1.0)));
    memory.rescore(Rescore::new().min_age_hours(0.0)).unwrap();
    assert_eq!(block(&memory, &id).tags, [Tag::parse("self/value").unwrap()]);
    // What a person tagged stays.
    let own = memory.learn(Learn::new("My answers are true").tag("self/constitutional")).unwrap().block_id;
    memory.dream(Dream::new()).unwrap();
    assert!(block(&memory, &own).tags.contains(&Tag::parse("self/constitutional").unwrap()));
}

#[test]
fn a_failed_analysis_concerns_its_block_alone_and_is_flagged() {
    for concurrency in [1, 4] {
        let memory = unrelated(ScriptedAnalyst::new().failing_every(3).with_concurrency(concurrency));
        let ids = learn(&memory, &alone(12));
        let result = memory.dream(Dream::new()).unwrap();
        check_arithmetic(&result);
        check_invariants(&memory);
        assert_eq!((result.promoted, result.analysis_failed), (12, 4));
        let failed: Vec<&BlockId> = result.decisions.iter().map(|decision| &decision.block_id).collect();
        for id in &ids {
            let block = block(&memory, id);
            assert_eq!((block.status, block.confidence.get()), (BlockStatus::Active, 0.5));
            assert_eq!(block.last_scored_at.is_none(), failed.contains(&id), "{}", block.content);
            assert_eq!(block.self_alignment, Some(0.5));
        }
        assert!(result.decisions.iter().all(|decision| {
            decision.fate == Fate::Promoted && decision.analysis_failed.as_ref().unwrap().contains("scripted failure")
        }));
        let [warning] = result.warnings.as_slice() else { panic!("{:?}", result.warnings) };
        assert!(warning.starts_with("4 of 12 blocks could not be analysed"), "{warning}");
        assert!(warning.contains("dream(rescore=COUNT)"), "{warning}");
    }
}

#[test]
fn one_text_that_no_model_can_cope_with_does_not_come_back_to_stop_the_next_dream() {
    let memory = unrelated(AnalystOf(|request: &AnalysisRequest<'_>| match request.content.contains("Honey") {
        true => Err(ModelError::BadRequest { status: 400, detail: "refused".into() }),
        false => Ok(Analysis { alignment: 0.3, ..Analysis::neutral() }),
    }));
    learn(&memory, &alone(20));
    let result = memory.dream(Dream::new()).unwrap();
    assert_eq!((result.promoted, result.analysis_failed), (20, 1));
    learn(&memory, &["Another day begins"]);
    assert_eq!(memory.dream(Dream::new()).unwrap().warnings, [""; 0]);
    // Looking at it again fails again, and the others still get their turn.
    let rescore = Rescore::new().min_age_hours(0.0);
    let again = memory.rescore(rescore).unwrap();
    assert_eq!((again.rescored, again.analysis_failed), (19, 1));
}

#[test]
fn an_analyst_that_never_answers_holds_a_dream_up_for_three_calls_only() {
    let patience = Duration::from_millis(100);
    let memory = unrelated(ScriptedAnalyst::new().hanging_for(patience));
    learn(&memory, &alone(40));
    let started = Instant::now();
    let result = memory.dream(Dream::new()).unwrap();
    assert!(started.elapsed() < patience * 25, "{:?}", started.elapsed());
    assert_eq!((result.promoted, result.analysis_failed), (40, 40));
    let asked =
        |decision: &&elfmem_engine::Decision| decision.analysis_failed.as_ref().unwrap().contains("did not answer");
    assert_eq!(result.decisions.iter().filter(asked).count(), 3);
    assert_eq!(result.warnings.len(), 1);
}

#[test]
fn pairs_that_no_judge_answers_for_are_left_to_the_rules() {
    let patience = Duration::from_millis(20);
    let analyst = ScriptedAnalyst::new().hanging_for(patience);
    let builtin: Arc<dyn Embedder> = Arc::new(StaticEmbedder::shared().unwrap());
    let memory = memory_with(models(builtin, Arc::new(analyst)));
    crate::fixtures::learn_facts(&memory);
    let started = Instant::now();
    let result = memory.dream(Dream::new()).unwrap();
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    check_arithmetic(&result);
    check_invariants(&memory);
    assert!(result.deduplicated + result.updated > 15 && result.contradictions_detected > 25, "{result}");
    let [pairs, blocks] = result.warnings.as_slice() else { panic!("{:?}", result.warnings) };
    assert!(pairs.contains("close pairs were judged by the rules"), "{pairs}");
    assert!(blocks.contains("blocks could not be analysed"), "{blocks}");
}

#[test]
fn a_judge_is_asked_about_a_few_of_the_nearest_pairs_only() {
    let letter = |number: u8| char::from(b'a' + number % 26);
    let text = |number: u8| format!("We talk about z{}{}k here", letter(number / 26), letter(number));
    let texts: Vec<String> = (0..30).map(text).collect();
    let hub = texts[0].as_str();
    let near = |embedder: ScriptedEmbedder, text: &String| embedder.with_cosine(hub, text, 0.9);
    let embedder = texts[1..].iter().fold(ScriptedEmbedder::new(256), near);
    let analyst = Arc::new(ScriptedAnalyst::new());
    let memory = memory_with(models(Arc::new(embedder), analyst.clone()));
    learn(&memory, &texts.iter().map(String::as_str).collect::<Vec<_>>());
    let result = memory.dream(Dream::new()).unwrap();
    assert_eq!(result.processed, 30);
    let analyses = (result.promoted) as u64;
    let judged = analyst.usage().llm_calls - analyses;
    assert!(judged > 30 && judged <= 5 * 30, "{judged} of {} pairs", 30 * 29 / 2);
}

#[test]
fn a_judge_is_not_asked_about_pairs_whose_verdict_decides_nothing() {
    let (first, second) = ("We meet on Monday to sing", "We meet on Monday to paint");
    let judged = |cosine: f64, category: &str, named: bool| {
        let embedder = ScriptedEmbedder::new(64)
            .with_profile(SimilarityProfile { contradiction_prefilter: 0.70, ..SimilarityProfile::HOSTED })
            .with_cosine(first, second, cosine);
        let analyst = Arc::new(ScriptedAnalyst::new());
        let memory = memory_with(models(Arc::new(embedder), analyst.clone()));
        let older = memory.learn(Learn::new(first)).unwrap().block_id;
        let newer = memory.learn(Learn::new(second).category(category)).unwrap().block_id;
        let contradiction = HostContradiction::new(older, 0.9, "so");
        let analysis = host(0.5).contradiction(contradiction);
        let analyses = named.then_some((newer.to_string(), analysis)).into_iter().collect();
        let result = memory.dream(Dream::new().analyses(analyses)).unwrap();
        assert_eq!(result.promoted, 2, "{result}");
        analyst.usage().llm_calls - if named { 1 } else { 2 }
    };
    assert_eq!(judged(0.75, "knowledge", false), 1);
    assert_eq!(judged(0.65, "knowledge", false), 0, "below the prefilter of the profile");
    assert_eq!(judged(0.75, "message", false), 0, "messages stay, whatever they say");
    assert_eq!(judged(0.75, "knowledge", true), 0, "the host has judged this pair");
}

#[test]
fn a_server_that_refuses_the_key_is_not_asked_for_every_block() {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let memory = unrelated(AnalystOf(move |_: &AnalysisRequest<'_>| {
        counted.fetch_add(1, Ordering::Relaxed);
        Err(ModelError::Refused { status: 401 })
    }));
    learn(&memory, &alone(20));
    let result = memory.dream(Dream::new()).unwrap();
    assert_eq!((result.promoted, result.analysis_failed, calls.load(Ordering::Relaxed)), (20, 20, 3));
}

#[test]
fn a_slow_analyst_gets_the_agreed_time_and_no_more() {
    let memory = unrelated(AnalystOf(|_: &AnalysisRequest<'_>| {
        std::thread::sleep(Duration::from_millis(60));
        Ok(Analysis::neutral())
    }));
    let ids = learn(&memory, &alone(50));
    let dream = Dream::new().analyst_time(Duration::from_millis(200));
    let started = Instant::now();
    let result = memory.dream(&dream).unwrap();
    assert!(started.elapsed() < Duration::from_millis(2500), "{:?}", started.elapsed());
    assert_eq!(result.promoted, 50);
    assert!(result.analysis_failed >= 40, "{}", result.analysis_failed);
    let flagged = ids.iter().filter(|id| block(&memory, id).last_scored_at.is_none()).count();
    assert_eq!(flagged, result.analysis_failed);
    let last = result.decisions.last().unwrap();
    assert!(last.analysis_failed.as_ref().unwrap().contains("time for analysis was up"));
}

/// A slow embedder with its switch, which counts what it is given.
struct Switched {
    inner: ScriptedEmbedder,
    works: AtomicBool,
    slow: Duration,
}

impl Embedder for Switched {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn dimensions(&self) -> usize {
        self.inner.dimensions()
    }

    fn profile(&self) -> SimilarityProfile {
        self.inner.profile()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, ModelError> {
        if !self.works.load(Ordering::Relaxed) {
            return Err(ModelError::Unreachable { endpoint: "http://localhost".into(), reason: "refused".into() });
        }
        std::thread::sleep(self.slow);
        self.inner.embed(texts)
    }

    fn check(&self) -> Result<HealthReport, ModelError> {
        self.inner.check()
    }

    fn usage(&self) -> Usage {
        self.inner.usage()
    }
}

fn switched(works: bool, slow: Duration) -> Arc<Switched> {
    Arc::new(Switched { inner: ScriptedEmbedder::new(256), works: AtomicBool::new(works), slow })
}

#[test]
fn without_its_embedder_a_dream_fails_and_leaves_everything_for_the_next() {
    let embedder = switched(false, Duration::ZERO);
    let memory = memory_with(models(embedder.clone(), Arc::new(RulesAnalyst)));
    learn(&memory, &alone(8));
    let before = (blocks(&memory), memory.log(ReadLog::new().limit(100)).unwrap());
    for _ in 0..2 {
        let error = memory.dream(Dream::new()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Model);
        assert!(error.to_string().contains(" — Recovery: "), "{error}");
        assert_eq!((blocks(&memory), memory.log(ReadLog::new().limit(100)).unwrap()), before);
        assert_eq!(memory.status().unwrap().last_consolidated, "never");
    }
    embedder.works.store(true, Ordering::Relaxed);
    assert_eq!(memory.dream(Dream::new()).unwrap().promoted, 8);
    assert!(inbox(&memory).is_empty());
}

#[test]
fn the_time_of_the_embedder_is_not_taken_from_the_analyst() {
    let embedder = switched(true, Duration::from_millis(400));
    let memory = memory_with(models(embedder, Arc::new(RulesAnalyst)));
    learn(&memory, &alone(4));
    let dream = Dream::new().analyst_time(Duration::from_millis(350));
    assert_eq!(memory.dream(&dream).unwrap().analysis_failed, 0);
}

#[test]
fn nothing_is_embedded_twice() {
    let embedder = Arc::new(ScriptedEmbedder::new(256));
    let memory = memory_with(models(embedder.clone(), Arc::new(RulesAnalyst)));
    learn(&memory, &alone(30));
    memory.dream(Dream::new().max(10)).unwrap();
    assert_eq!((embedder.usage().embedding_calls, embedder.usage().embedding_tokens), (1, 10));
    memory.dream(Dream::new()).unwrap();
    assert_eq!((embedder.usage().embedding_calls, embedder.usage().embedding_tokens), (2, 30));
    learn(&memory, &["One more"]);
    memory.dream(Dream::new()).unwrap();
    memory.dream(Dream::new()).unwrap();
    assert_eq!((embedder.usage().embedding_calls, embedder.usage().embedding_tokens), (3, 31));
}

fn host(alignment: f64) -> HostAnalysis {
    HostAnalysis::new(alignment)
}

fn hand_in(analyses: impl IntoIterator<Item = (BlockId, HostAnalysis)>) -> Dream {
    Dream::new().analyses(analyses.into_iter().map(|(id, analysis)| (id.to_string(), analysis)).collect())
}

#[test]
fn the_host_is_shown_what_waits_and_what_it_hands_in_counts() {
    let memory = memory();
    let known = memory.learn("The deploy runs on Tuesdays").unwrap().block_id;
    memory.dream(Dream::new()).unwrap();
    let ids =
        learn(&memory, &["Deploys run on Tuesdays", "I like to keep things short", "Octopuses have three hearts"]);
    let pending = memory.pending(ListPending::new().max(2)).unwrap();
    assert_eq!(pending.iter().map(|waiting| waiting.block_id.clone()).collect::<Vec<_>>(), ids[..2]);
    assert_eq!(pending[1].content, "I like to keep things short");
    let against = HostContradiction::new(known.clone(), 0.7, "Only on paper.");
    let result = memory
        .dream(hand_in([
            (ids[0].clone(), host(0.1).contradiction(against)),
            (ids[1].clone(), host(0.9).tag("style").tag("self/value").summary("Brief.")),
        ]))
        .unwrap();
    check_arithmetic(&result);
    check_invariants(&memory);
    // The rules would have merged the first with the block it is said to contradict.
    assert_eq!((result.promoted, result.deduplicated, result.contradictions_detected), (3, 0, 1));
    let found = &result.contradictions[0];
    assert_eq!((&found.block_id, &found.other_id, found.score), (&ids[0], &known, 0.7));
    assert_eq!(
        (found.reason.as_str(), found.other_content.as_str()),
        ("Only on paper.", "The deploy runs on Tuesdays")
    );
    assert!(edges(&memory).is_empty());
    let style = block(&memory, &ids[1]);
    assert_eq!(style.tags, ["self/style", "self/value"].map(|tag| Tag::parse(tag).unwrap()));
    assert_eq!((style.self_alignment, style.summary.as_deref()), (Some(0.9), Some("Brief.")));
    assert!(style.last_scored_at.is_some());
    assert_eq!(block(&memory, &ids[0]).self_alignment, Some(0.1));
}

#[test]
fn a_dry_run_tells_both_texts_of_a_contradiction_the_host_named() {
    let memory = memory();
    let ids = learn(&memory, &["Octopuses have three hearts", "Bamboo can grow a metre in a day"]);
    let against = HostContradiction::new(ids[0].clone(), 0.9, "Because.");
    let analysis = host(0.5).contradiction(against);
    let told = memory.dream(hand_in([(ids[1].clone(), analysis)]).dry_run()).unwrap();
    assert_eq!(told.contradictions[0].other_content, "Octopuses have three hearts");
}

#[test]
fn an_analysis_that_oversteps_is_refused_whole() {
    let memory = memory();
    let ids = learn(&memory, &["I like to keep things short", "Octopuses have three hearts"]);
    let forgotten = memory.learn("A passing thought").unwrap().block_id;
    crate::fixtures::edit(&memory, |transaction| {
        let reason = Some(elfmem_core::ArchiveReason::Forgotten);
        transaction.update_block_status(&forgotten, BlockStatus::Archived, reason).map(drop)
    });
    let unknown = BlockId::for_content("never stored");
    let against = |id: &BlockId, score: f64| host(0.5).contradiction(HostContradiction::new(id.clone(), score, "So."));
    let bad = [
        (ids[0].clone(), host(1.5)),
        (ids[0].clone(), host(f64::NAN)),
        (ids[0].clone(), host(0.5).tag("constitutional")),
        (ids[0].clone(), host(0.5).tag("self/constitutional")),
        (ids[0].clone(), host(0.5).tag("topic/db")),
        (ids[0].clone(), host(0.5).summary("x".repeat(3 * 1024))),
        (ids[0].clone(), against(&ids[0], 0.9)),
        (ids[0].clone(), against(&ids[1], 1.1)),
        (ids[0].clone(), against(&forgotten, 0.9)),
        (forgotten.clone(), host(0.5)),
    ];
    let nobody = [(ids[0].clone(), against(&unknown, 0.9)), (unknown.clone(), host(0.5))];
    let before = (blocks(&memory), memory.log(ReadLog::new().limit(100)).unwrap());
    let bad = bad.into_iter().map(|bad| (bad, ErrorKind::Input));
    for ((id, analysis), kind) in bad.chain(nobody.into_iter().map(|bad| (bad, ErrorKind::NotFound))) {
        let shown = format!("{analysis:?}");
        let error = memory.dream(hand_in([(ids[1].clone(), host(0.5)), (id, analysis)])).unwrap_err();
        assert_eq!(error.kind(), kind, "{shown}");
        assert!(kind == ErrorKind::NotFound || error.to_string().contains("nothing was changed"), "{error}");
        assert_eq!((blocks(&memory), memory.log(ReadLog::new().limit(100)).unwrap()), before, "{shown}");
    }
    assert!(contradictions(&memory).is_empty());
}
