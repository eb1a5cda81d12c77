//! Mistake, pattern, skill: detected, proposed, done, demoted; and insights for a task.

use std::sync::Arc;

use elfmem_core::{BlockId, LinkOrigin, LinkType};
use elfmem_engine::{
    Dream, Error, EventError, EventOptions, GenerateInsights, Graduate, ListLinks, ListProposals, Memory, Options,
    Outcome, RetrieveMemories, StoreEvent, Undo,
};
use elfmem_models::builtin::STATIC_PROFILE;
use elfmem_models::scripted::{ScriptedAnalyst, ScriptedEmbedder};
use elfmem_store::{ProposalKind, ProposalState, Store};

use crate::fixtures::{TestMemory, block, check_invariants, models, open_memory};
use crate::state::{assert_same_state, state};
use crate::{ManualClock, clock, memory_at, options};

/// Tells a mistake in a session of its own.
fn slip(memory: &Memory<impl Store>, clock: &ManualClock, text: &str, source: &str) -> BlockId {
    clock.forward_minutes(300.0);
    let event = StoreEvent::with_payload("observation", text).source(source).context_id("error:var_in_react");
    memory.store_event(&event).unwrap().block_id.unwrap()
}

fn automatic(clock: &Arc<ManualClock>) -> TestMemory {
    let events = EventOptions { auto_graduate: true, ..EventOptions::default() };
    open_memory(Options { events, ..options(clock) })
}

/// Uses a block well in so many sessions.
fn confirm(memory: &Memory<impl Store>, clock: &ManualClock, id: &BlockId, times: usize) {
    for n in 0..times {
        clock.forward_minutes(300.0);
        memory.outcome(Outcome::new([id.as_str()], 0.9).outcome_id(format!("use {n}"))).unwrap();
    }
}

#[test]
fn a_mistake_seen_in_two_sessions_is_proposed_as_a_pattern_once() {
    let clock = clock();
    let memory = memory_at(&clock);
    let first = slip(&memory, &clock, "Used var instead of const in React component.", "agent");
    // The same session and source again is no second sighting, in whatever words.
    let again = StoreEvent::with_payload("observation", "There is a var again")
        .source("agent")
        .context_id("error:var_in_react");
    memory.store_event(&again).unwrap();
    assert_eq!(memory.dream(Dream::new()).unwrap().proposed, 0);
    let second = slip(&memory, &clock, "Declared state with var in the form", "agent");
    let dreamed = memory.dream(Dream::new()).unwrap();
    assert_eq!((dreamed.proposed, dreamed.graduated), (1, 0));
    let waiting = memory.proposals(ListProposals::new()).unwrap();
    assert_eq!((waiting.len(), waiting[0].proposal.kind), (1, ProposalKind::Pattern));
    assert_eq!(waiting[0].proposal.tag.as_deref(), Some("pattern:var_in_react"));
    assert!(waiting[0].action.starts_with("Store in pattern:var_in_react: Seen 2 times: "), "{}", waiting[0].action);
    assert_eq!(memory.dream(Dream::new()).unwrap().proposed, 0, "it is asked once");
    let before = state(&memory);
    memory.accept_proposals([waiting[0].proposal.number]).unwrap();
    let told = memory.show_context("pattern:var_in_react").unwrap();
    let pattern = told.blocks[0].block_id.clone();
    assert!(block(&memory, &pattern).embedding_model.is_some(), "it has its vector");
    assert_eq!(block(&memory, &pattern).confidence.get(), 0.55, "worked out, not seen");
    let links = memory.links(ListLinks::new().from(pattern)).unwrap();
    let grounds: Vec<_> = links.iter().filter_map(|link| link.key.to.block()).collect();
    assert!(grounds.contains(&&first) && grounds.contains(&&second));
    let ours =
        |link: &elfmem_core::Link| link.key.link_type == LinkType::DerivedFrom && link.origin == LinkOrigin::Graduation;
    assert!(links.iter().all(ours));
    assert_eq!(memory.graduate(Graduate::new().dry_run()).unwrap().steps, []);
    memory.undo(Undo::last()).unwrap();
    assert_same_state(&state(&memory), &before);
    check_invariants(&memory);
}

#[test]
fn two_sources_count_as_two_and_a_rejected_pattern_does_not_come_back() {
    let clock = clock();
    let memory = memory_at(&clock);
    for source in ["agent", "user"] {
        let event = StoreEvent::with_payload("constraint_violation", "Deployed on a Friday")
            .source(source)
            .context_id("project:shop");
        memory.store_event(&event).unwrap();
    }
    assert_eq!(memory.dream(Dream::new()).unwrap().proposed, 1);
    let number = memory.proposals(ListProposals::new()).unwrap()[0].proposal.number;
    memory.reject_proposals([number]).unwrap();
    assert_eq!(memory.dream(Dream::new()).unwrap().proposed, 0);
    assert_eq!(memory.proposals(ListProposals::new().all()).unwrap()[0].proposal.state, ProposalState::Rejected);
}

#[test]
fn strangers_in_one_project_are_no_pattern() {
    let clock = clock();
    let memory = memory_at(&clock);
    for text in ["Maria is allergic to peanuts", "The compiler version is 1.97", "Tuesday was rainy"] {
        clock.forward_minutes(300.0);
        memory.store_event(StoreEvent::with_payload("observation", text).context_id("project:shop")).unwrap();
    }
    assert!(memory.graduate(Graduate::new().dry_run()).unwrap().steps.is_empty());
}

#[test]
fn left_to_itself_a_mistake_becomes_a_pattern_and_after_five_confirmed_uses_a_skill_that_comes_first() {
    let clock = clock();
    let memory = automatic(&clock);
    let mistake = slip(&memory, &clock, "Used var instead of const in React component.", "agent");
    slip(&memory, &clock, "Used var instead of const in React component.", "agent");
    assert_eq!(memory.dream(Dream::new()).unwrap().graduated, 1);
    let pattern = memory.show_context("pattern:var_in_react").unwrap().blocks[0].block_id.clone();
    assert_eq!(block(&memory, &pattern).content, "Seen 2 times: Used var instead of const in React component.");
    confirm(&memory, &clock, &pattern, 4);
    // Said again in the same session is said once, and what did not help confirms nothing.
    memory.outcome(Outcome::new([pattern.as_str()], 0.95)).unwrap();
    clock.forward_minutes(300.0);
    memory.outcome(Outcome::new([pattern.as_str()], 0.6)).unwrap();
    assert_eq!(memory.dream(Dream::new()).unwrap().graduated, 0);
    clock.forward_minutes(300.0);
    let voice = memory.store_event(
        StoreEvent::with_payload("feedback", "The linter says so too").link("reinforces", pattern.as_str()),
    );
    voice.unwrap();
    let before = block(&memory, &mistake).confidence.get();
    let dreamed = memory.dream(Dream::new()).unwrap();
    assert_eq!((dreamed.graduated, dreamed.warnings.as_slice()), (1, &[][..]));
    assert!(dreamed.to_string().contains("1 graduated."));
    let skill = memory.show_context("skill:var_in_react").unwrap().blocks[0].block_id.clone();
    assert!((block(&memory, &mistake).confidence.get() - before - 0.05).abs() < 1e-12, "it confirms the mistake");
    let found = memory.retrieve_memories(RetrieveMemories::new("var instead of const in React")).unwrap();
    assert_eq!((&found.items[0].block_id, &found.items[0].chain[0]), (&skill, &pattern), "{found}");
    let chain = memory.chain(skill.as_str()).unwrap();
    assert!(chain.nodes >= 3 && chain.to_string().contains("derived_from → observation"), "{chain}");
    assert_eq!(memory.dream(Dream::new()).unwrap().graduated, 0, "nothing is done twice");
    check_invariants(&memory);
}

#[test]
fn a_contradicted_skill_is_demoted_and_no_longer_comes_first() {
    let clock = clock();
    let memory = automatic(&clock);
    let mistake = slip(&memory, &clock, "Used var instead of const in React component.", "agent");
    let pattern = memory.graduate(Graduate::new().block_id(mistake.to_string())).unwrap();
    let pattern = pattern.steps[0].block_id.clone().unwrap();
    let text = "Always use const or let in React components.";
    let skill = memory.graduate(Graduate::new().block_id(pattern.as_str()).text(text)).unwrap();
    assert_eq!((skill.applied, skill.steps[0].kind), (true, "skill"));
    let skill = skill.steps[0].block_id.clone().unwrap();
    let asked = RetrieveMemories::new("var in React component");
    assert_eq!(memory.retrieve_memories(&asked).unwrap().items[0].block_id, skill);
    let doubt = StoreEvent::with_payload("fact", "var is fine in generated code")
        .source("user")
        .link("contradicts", skill.as_str());
    memory.store_event(&doubt).unwrap();
    let found = memory.retrieve_memories(&asked).unwrap();
    assert_ne!(found.items[0].block_id, skill, "{found}");
    let shown = found.items.iter().find(|item| item.block_id == skill).expect("it is never dropped");
    assert!(shown.contradicted && shown.confidence < 0.55);
    let before = state(&memory);
    assert_eq!(memory.dream(Dream::new()).unwrap().graduated, 1);
    let contexts = &memory.retrieve_memories(&asked).unwrap();
    let shown = contexts.items.iter().find(|item| item.block_id == skill).unwrap();
    assert_eq!(shown.context_ids[0].as_str(), "pattern:var_in_react");
    assert_eq!(memory.dream(Dream::new()).unwrap().graduated, 0);
    memory.undo(Undo::last()).unwrap();
    assert_same_state(&crate::state::without_uses(state(&memory)), &crate::state::without_uses(before));
    check_invariants(&memory);
}

#[test]
fn what_is_named_graduates_now_and_what_is_not_ready_says_so() {
    let clock = clock();
    let memory = memory_at(&clock);
    let mistake = slip(&memory, &clock, "Forgot the migration before the deploy", "user");
    let asked = Graduate::new().block_id(mistake.to_string()).text("Migrations are forgotten");
    let rehearsed = memory.graduate(asked.clone().dry_run()).unwrap();
    assert_eq!((rehearsed.applied, rehearsed.steps[0].text.as_str()), (false, "Migrations are forgotten"));
    let before = state(&memory);
    let done = memory.graduate(&asked).unwrap();
    memory.undo(Undo::last()).unwrap();
    assert_same_state(&state(&memory), &before);
    assert!(done.applied);
    let plain = memory.store_event(StoreEvent::with_payload("fact", "The sky is blue")).unwrap().block_id.unwrap();
    let error = memory.graduate(Graduate::new().block_id(plain.to_string())).unwrap_err();
    assert!(matches!(error, Error::Event(EventError::NotReady { .. })) && !error.recovery().is_empty(), "{error}");
    assert!(memory.graduate(Graduate::new().block_id("feedfeed")).is_err());
}

#[test]
fn an_analyst_that_writes_gives_patterns_and_insights_their_words() {
    let clock = clock();
    let analyst = ScriptedAnalyst::new().proposing("migration", "The migration is run before every deploy.");
    let embedder = ScriptedEmbedder::new(64).with_profile(STATIC_PROFILE);
    let models = models(Arc::new(embedder), Arc::new(analyst));
    let memory = open_memory(Options { models, ..options(&clock) });
    for _ in 0..2 {
        clock.forward_minutes(300.0);
        let event = StoreEvent::with_payload("observation", "Forgot the migration before the deploy")
            .context_id("error:migration");
        memory.store_event(&event).unwrap();
    }
    let ready = memory.graduate(Graduate::new().dry_run()).unwrap();
    assert_eq!(ready.steps[0].text, "The migration is run before every deploy.");
    let insight = memory.generate_insights(GenerateInsights::new("deploy with a migration")).unwrap();
    assert_eq!(insight.insight, "The migration is run before every deploy. [1]");
    assert_ne!(insight.written_by, "extract");
}

#[test]
fn insights_without_an_analyst_quote_and_cite_and_recommend_what_was_decided() {
    let clock = clock();
    let memory = memory_at(&clock);
    let none = memory.generate_insights(GenerateInsights::new("add a form to the app")).unwrap();
    assert_eq!((none.insight.as_str(), none.confidence), ("Nothing stored concerns this task.", "low"));
    memory
        .store_event(StoreEvent::with_payload("fact", "Forms in the app are validated on blur").source("user"))
        .unwrap();
    let decided =
        StoreEvent::with_payload("decision", "Forms in the app use the shared form component").source("validator");
    let decided = memory.store_event(decided.context_id("project:app")).unwrap().block_id.unwrap();
    let insight = memory.generate_insights(GenerateInsights::new("add a form to the app")).unwrap();
    assert_eq!(insight.sources.len(), 2);
    assert!(insight.insight.contains("[1]") && insight.insight.contains("[2]"));
    let number = insight.sources.iter().find(|source| source.block_id == decided).unwrap().number;
    assert_eq!(insight.recommendation, format!("Forms in the app use the shared form component [{number}]"));
    assert_eq!((insight.confidence, insight.written_by.as_str()), ("medium", "extract"));
    let sure =
        memory.generate_insights(GenerateInsights::new("forms of the app use the shared form component")).unwrap();
    assert_eq!(sure.confidence, "high");
    let narrowed = GenerateInsights::new("add a form to the app").context_id("project:app");
    assert_eq!(memory.generate_insights(&narrowed).unwrap().sources.len(), 1);
    // What is contradicted is quoted as such and recommends nothing.
    let doubt =
        StoreEvent::with_payload("fact", "The shared form component is gone").link("contradicts", decided.as_str());
    memory.store_event(&doubt).unwrap();
    let insight = memory.generate_insights(&narrowed).unwrap();
    assert!(insight.insight.ends_with("(contradicted)"), "{insight}");
    assert!(insight.recommendation.starts_with("No decision"));
}
