//! Links: five types, three layers, what they do to belief, and what is left when one is taken away.

use elfmem_core::belief::after_link;
use elfmem_core::{BlockId, Confidence, EdgeOrigin, LinkType};
use elfmem_engine::{
    AddLink, Connect, ContextGraph, Dream, Edit, Enrol, Error, ErrorKind, Learn, ListLinks, Memory, Outcome, ReadLog,
    Recall, RetrieveMemories, ShowChain, ShowContextGraph, StoreEvent, StoreEvents, Supersede, Undo, Unlink,
};
use elfmem_store::Store;
use proptest::prelude::*;

use crate::fixtures::{TestMemory, block, check_invariants, contradictions, edges};
use crate::state::{assert_same_state, state};
use crate::{clock, memory, memory_at};

fn tell(memory: &Memory<impl Store>, text: &str, source: &str) -> BlockId {
    memory.store_event(StoreEvent::with_payload("fact", text).source(source)).unwrap().block_id.unwrap()
}

fn confidence(memory: &Memory<impl Store>, id: &BlockId) -> f64 {
    block(memory, id).confidence.get()
}

fn close(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 1e-12
}

/// The worked example of the seed, with the numbers after each step.
#[test]
fn a_mistake_becomes_a_pattern_becomes_a_skill_and_the_skill_comes_first_with_its_chain() {
    let memory = memory();
    // Other things are known as well.
    for text in ["React components are functions", "The variable name is too long", "Maria is allergic to peanuts"] {
        tell(&memory, text, "user");
    }
    let observed =
        StoreEvent::with_payload("observation", "Used var instead of const in React component.").source("agent");
    let mistake = memory.store_event(&observed).unwrap().block_id.unwrap();
    assert_eq!(confidence(&memory, &mistake), 0.6);
    let fact = StoreEvent::with_payload("fact", "Repeated use of var in React.").source("agent");
    let pattern = memory.store_event(fact.link("derived_from", mistake.as_str())).unwrap().block_id.unwrap();
    assert_eq!(
        (confidence(&memory, &pattern), confidence(&memory, &mistake)),
        (0.6, 0.6),
        "derived_from moves nothing"
    );
    let decision = StoreEvent::with_payload("decision", "Always use const or let in React components.")
        .source("agent")
        .link("extends", pattern.as_str())
        .link("reinforces", mistake.as_str());
    let learned = memory.store_event(&decision).unwrap();
    let skill = learned.block_id.unwrap();
    assert!(close(confidence(&memory, &mistake), 0.65), "the lesson confirms the mistake");
    assert_eq!((confidence(&memory, &pattern), confidence(&memory, &skill)), (0.6, 0.6), "extends moves nothing");
    for question in ["Used var in React component", "repeated use of var", "should I use const or let in React?"] {
        let found = memory.retrieve_memories(RetrieveMemories::new(question)).unwrap();
        assert_eq!(found.items[0].block_id, skill, "{question}: {found}");
        assert_eq!(found.items[0].chain, [pattern.clone(), mistake.clone()], "{question}");
        assert_eq!(found.items[0].event_kind, "decision");
        let ids: Vec<&BlockId> = found.items.iter().map(|item| &item.block_id).collect();
        assert!(ids.contains(&&mistake) && ids.contains(&&pattern), "{question}: {found}");
    }
    let chain = memory.chain(skill.as_str()).unwrap();
    let (s, p, m) = (skill.short(), pattern.short(), mistake.short());
    assert_eq!(
        chain.to_string(),
        format!(
            "decision {s} [0.60] Always use const or let in React components.\n\
             ├─ extends → fact {p} [0.60] Repeated use of var in React.\n\
             │  └─ derived_from → observation {m} [0.65] Used var instead of const in React component.\n\
             └─ reinforces → observation {m} [0.65] Used var instead of const in React component. (above)"
        )
    );
    let ahead = memory.chain(ShowChain::new(mistake.as_str()).ahead()).unwrap();
    assert_eq!((ahead.nodes, ahead.root.links.len()), (4, 2));
    check_invariants(&memory);
}

#[test]
fn three_reinforcing_links_add_fifteen_hundredths_up_to_one_and_contradictions_take_a_tenth_down_to_a_fifth() {
    let memory = memory();
    let target = tell(&memory, "The harbour opens at nine", "user");
    let voices: Vec<BlockId> = (0..20).map(|n| tell(&memory, &format!("Witness {n} was there"), "agent")).collect();
    let expected = [0.75, 0.80, 0.85, 0.90, 0.95, 1.0, 1.0, 1.0];
    for (voice, expected) in voices.iter().zip(expected) {
        let linked = memory.link(AddLink::new(voice.as_str(), "reinforces", target.as_str())).unwrap();
        assert!(linked.created && close(confidence(&memory, &target), expected), "{linked}");
    }
    for (at, voice) in voices[8..18].iter().enumerate() {
        memory.link(AddLink::new(voice.as_str(), "contradicts", target.as_str())).unwrap();
        let expected = (0.9 - 0.1 * at as f64).max(0.2);
        assert!(close(confidence(&memory, &target), expected), "{} {expected}", confidence(&memory, &target));
    }
    assert_eq!(block(&memory, &target).status, elfmem_core::BlockStatus::Active, "it is never removed");
    let found = memory.recall(Recall::new("when does the harbour open").top_k(30)).unwrap();
    let shown = found.blocks.iter().find(|block| block.id == target).expect("a contradicted block is still found");
    assert!(!shown.contradicted_by.is_empty());
    // Outcomes may take it below; a contradiction never raises it.
    for _ in 0..6 {
        memory.outcome(Outcome::new([target.as_str()], 0.0)).unwrap();
    }
    let low = confidence(&memory, &target);
    assert!(low < 0.2);
    memory.link(AddLink::new(voices[18].as_str(), "contradicts", target.as_str())).unwrap();
    assert_eq!(confidence(&memory, &target), low);
    for link_type in ["related_to", "extends", "derived_from"] {
        memory.link(AddLink::new(voices[19].as_str(), link_type, target.as_str())).unwrap();
        assert_eq!(confidence(&memory, &target), low, "{link_type}");
    }
    check_invariants(&memory);
}

#[test]
fn links_run_between_all_layers_and_reach_what_was_told_in_a_context() {
    let memory = memory();
    let told = |text: &str, context: &str| {
        let event = StoreEvent::with_payload("fact", text).source("user").context_id(context);
        memory.store_event(&event).unwrap().block_id.unwrap()
    };
    let (a, b, c) = (told("a", "skill:react"), told("b", "skill:react"), told("c", "session:s1"));
    memory.enrol(Enrol::new("skill:react", c.as_str())).unwrap();
    let linked = memory.link(AddLink::new(c.as_str(), "reinforces", "skill:react")).unwrap();
    assert_eq!((linked.layer.as_str(), linked.resolved), ("block_to_context", true));
    let reached: Vec<BlockId> = linked.effects.iter().map(|effect| effect.block_id.clone()).collect();
    assert_eq!(reached, [a.clone(), b.clone()], "what was told there, not what merely belongs, nor who says it");
    let joined = memory.link(AddLink::new("session:s1", "related_to", "skill:react").note("one project")).unwrap();
    assert_eq!(joined.layer, "context_to_context");
    let doubted = memory.link(AddLink::new("session:s1", "contradicts", "skill:react")).unwrap();
    assert_eq!(doubted.effects.len(), 2);
    assert!(close(confidence(&memory, &a), 0.65) && close(confidence(&memory, &c), 0.7));
    assert_eq!(memory.link(AddLink::new("skill:react", "extends", a.as_str())).unwrap().layer, "context_to_block");
    // What is told there later is not meant.
    let late = told("late", "skill:react");
    assert_eq!(confidence(&memory, &late), 0.7);
    let ContextGraph { nodes, edges, .. } =
        memory.context_graph(ShowContextGraph::new().context("session:s1")).unwrap();
    assert_eq!((nodes.len(), edges.len()), (2, 3));
    let shown = memory.show_context("skill:react").unwrap();
    assert_eq!((shown.blocks.len(), shown.context.reference_count, shown.unresolved), (4, 4, 0));
    let undone = memory.unlink(Unlink::new("session:s1", "contradicts", "skill:react")).unwrap();
    assert!(undone.removed && close(confidence(&memory, &a), 0.75));
    check_invariants(&memory);
}

#[test]
fn a_link_to_a_context_that_is_not_there_waits_and_takes_effect_when_it_comes() {
    let memory = memory();
    let voice = tell(&memory, "I have read about it", "user");
    let waiting = memory.link(AddLink::new(voice.as_str(), "reinforces", "Skill: Rust ")).unwrap();
    assert!(!waiting.resolved && waiting.effects.is_empty());
    assert_eq!(
        waiting.to_string(),
        format!("Linked: {} reinforces skill:rust. Pending until skill:rust exists.", voice.short())
    );
    let unresolved = ListLinks::new().unresolved();
    assert_eq!(memory.links(&unresolved).unwrap().len(), 1);
    let before = state(&memory);
    let came = memory
        .store_event(StoreEvent::with_payload("fact", "Rust has lifetimes").source("user").context_id("skill:rust"));
    let came = came.unwrap();
    assert_eq!(came.resolved_links.len(), 1);
    assert!(close(came.confidence.unwrap(), 0.75), "{came}");
    assert!(memory.links(&unresolved).unwrap().is_empty());
    // The next one told there was not waited for.
    let next =
        memory.store_event(StoreEvent::with_payload("fact", "Rust has traits").source("user").context_id("skill:rust"));
    assert_eq!(next.unwrap().confidence, Some(0.7));
    memory.undo(Undo::last()).unwrap();
    memory.undo(Undo::last()).unwrap();
    assert_same_state(&state(&memory), &before);
    assert_eq!(memory.links(&unresolved).unwrap().len(), 1, "it waits again");
    // Enrolling what is stored already is another way to bring it.
    let stored = tell(&memory, "Ownership is checked", "agent");
    let enrolled = memory.enrol(Enrol::new("skill:rust", stored.as_str())).unwrap();
    assert_eq!(enrolled.resolved_links.len(), 1);
    assert!(close(confidence(&memory, &stored), 0.65));
}

#[test]
fn the_same_link_counts_once_and_bad_ones_are_refused_with_the_way_out() {
    let memory = memory();
    let (a, b) = (tell(&memory, "a", "user"), tell(&memory, "b", "user"));
    memory.link(AddLink::new(a.as_str(), "reinforces", b.as_str())).unwrap();
    let before = state(&memory);
    let again = memory.link(AddLink::new(a.as_str(), "reinforces", b.as_str())).unwrap();
    assert!(!again.created && again.effects.is_empty());
    let missing = memory.unlink(Unlink::new(b.as_str(), "reinforces", a.as_str())).unwrap();
    assert!(!missing.removed);
    memory.forget(a.as_str()).unwrap();
    for (from, link_type, to, kind, way_out) in [
        (b.as_str(), "supports", b.as_str(), ErrorKind::Input, "Use one of related_to"),
        (b.as_str(), "extends", b.as_str(), ErrorKind::Input, "Name two different ends"),
        (b.as_str(), "extends", "feedfeed", ErrorKind::NotFound, "recall()"),
        (a.as_str(), "extends", b.as_str(), ErrorKind::Conflict, "estore"),
        ("skill:nowhere", "extends", b.as_str(), ErrorKind::NotFound, "list_contexts"),
        (b.as_str(), "extends", ":x", ErrorKind::Input, "type:name"),
    ] {
        let error = memory.link(AddLink::new(from, link_type, to)).unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.recovery().contains(way_out), "{error}");
    }
    assert!(matches!(memory.chain("skill:nowhere"), Err(Error::Event(_))));
    memory.undo(Undo::last()).unwrap();
    assert_same_state(&state(&memory), &before);
}

#[test]
fn links_stand_as_protected_edges_and_edges_that_an_agent_made_stay_what_they_are() {
    let memory = memory();
    let (a, b, c) = (tell(&memory, "a", "user"), tell(&memory, "b", "user"), tell(&memory, "c", "user"));
    memory.connect(Connect::new(a.as_str(), b.as_str()).relation("explains").weight(0.33)).unwrap();
    memory.link(AddLink::new(a.as_str(), "reinforces", b.as_str())).unwrap();
    memory.link(AddLink::new(b.as_str(), "extends", c.as_str())).unwrap();
    let told = |memory: &TestMemory| -> Vec<(String, String, f64)> {
        let of = |edge: elfmem_core::Edge| {
            (edge.relation_type.to_string(), edge.origin.as_str().to_owned(), edge.weight.get())
        };
        let mut all: Vec<_> = edges(memory).into_iter().map(of).collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all
    };
    let agents = ("explains".to_owned(), "agent".to_owned(), 0.33);
    assert_eq!(told(&memory), [("elaborates".into(), "link".into(), 0.7), agents.clone()]);
    // The strongest link says what the edge says; it goes with the last.
    memory.link(AddLink::new(c.as_str(), "reinforces", b.as_str())).unwrap();
    assert_eq!(told(&memory)[1], ("supports".into(), "link".into(), 0.75));
    memory.unlink(Unlink::new(c.as_str(), "reinforces", b.as_str())).unwrap();
    memory.unlink(Unlink::new(b.as_str(), "extends", c.as_str())).unwrap();
    assert_eq!(told(&memory), [agents]);
    // What an agent makes of such an edge is the agent's, and outlives the link.
    memory.link(AddLink::new(b.as_str(), "extends", c.as_str())).unwrap();
    let said = Connect::new(b.as_str(), c.as_str()).relation("explains").if_exists(elfmem_engine::IfExists::Update);
    memory.connect(&said).unwrap();
    memory.unlink(Unlink::new(b.as_str(), "extends", c.as_str())).unwrap();
    assert!(told(&memory).iter().all(|edge| edge.1 == "agent") && told(&memory).len() == 2);
    // Ten links at one block, and the eleventh: all stand, ten as edges.
    let hub = tell(&memory, "hub", "user");
    for n in 0..11 {
        let other = tell(&memory, &format!("spoke {n}"), "user");
        assert!(memory.link(AddLink::new(other.as_str(), "related_to", hub.as_str())).unwrap().created);
    }
    let at_hub = edges(&memory).into_iter().filter(|edge| edge.key.from_id == hub || edge.key.to_id == hub);
    assert_eq!(at_hub.filter(|edge| edge.origin == EdgeOrigin::LINK).count(), 10);
    assert_eq!(memory.links(ListLinks::new().to(hub)).unwrap().len(), 11);
    check_invariants(&memory);
}

#[test]
fn a_contradicts_link_is_a_contradiction_on_record_until_it_is_taken_back() {
    let memory = memory();
    let (a, b) = (tell(&memory, "The door is open", "user"), tell(&memory, "The door is shut", "user"));
    memory.link(AddLink::new(a.as_str(), "contradicts", b.as_str())).unwrap();
    assert_eq!((contradictions(&memory).len(), confidence(&memory, &b)), (1, 0.6));
    let found = memory.recall("is the door open or shut").unwrap();
    let blocks: Vec<_> = found.blocks.iter().map(|block| (&block.id, block.contradicted_by.first())).collect();
    assert_eq!(blocks, [(&a, None), (&b, Some(&a))], "the more believed first, the other marked");
    let found = memory.retrieve_memories(RetrieveMemories::new("is the door open or shut")).unwrap();
    let items: Vec<_> = found.items.iter().map(|item| (&item.block_id, item.contradicted)).collect();
    assert_eq!(items, [(&a, false), (&b, true)], "retrieval marks it and drops nothing");
    assert_eq!(found.items[1].contradicted_by.first(), Some(&a));
    memory.link(AddLink::new(b.as_str(), "contradicts", a.as_str())).unwrap();
    memory.unlink(Unlink::new(a.as_str(), "contradicts", b.as_str())).unwrap();
    assert_eq!(contradictions(&memory).len(), 1, "the other still says so");
    memory.unlink(Unlink::new(b.as_str(), "contradicts", a.as_str())).unwrap();
    assert!(contradictions(&memory).is_empty() && edges(&memory).is_empty());
    assert_eq!((confidence(&memory, &a), confidence(&memory, &b)), (0.7, 0.7));
    check_invariants(&memory);
}

#[test]
fn what_a_forgotten_block_said_is_withdrawn_and_said_again_when_it_comes_back() {
    let memory = memory();
    let (a, b) = (tell(&memory, "a", "user"), tell(&memory, "b", "user"));
    memory.link(AddLink::new(a.as_str(), "reinforces", b.as_str())).unwrap();
    memory.forget(a.as_str()).unwrap();
    assert_eq!(confidence(&memory, &b), 0.7);
    assert!(memory.links(ListLinks::new()).unwrap().is_empty());
    memory.restore(a.as_str()).unwrap();
    assert!(close(confidence(&memory, &b), 0.75));
    assert_eq!(edges(&memory).len(), 1);
    check_invariants(&memory);
}

#[test]
fn a_successor_inherits_links_contexts_and_what_they_taught() {
    let memory = memory();
    let old = StoreEvent::with_payload("fact", "The port is 5432").source("user").context_id("project:db");
    let old = memory.store_event(&old).unwrap().block_id.unwrap();
    let (a, b) = (tell(&memory, "a", "user"), tell(&memory, "b", "user"));
    memory.link(AddLink::new(a.as_str(), "reinforces", old.as_str())).unwrap();
    memory.link(AddLink::new(old.as_str(), "reinforces", b.as_str())).unwrap();
    let new = tell(&memory, "The port is 5433", "agent");
    memory.link(AddLink::new(new.as_str(), "contradicts", old.as_str())).unwrap();
    memory.supersede(Supersede::new(old.as_str(), new.as_str())).unwrap();
    assert!(
        close(confidence(&memory, &new), 0.75),
        "what confirmed the old one confirms it; what it said of it is moot"
    );
    let said: Vec<String> = memory.links(ListLinks::new()).unwrap().iter().map(|link| link.key.to_string()).collect();
    let (short_a, short_b, short_new) = (a.short(), b.short(), new.short());
    assert_eq!(said, [format!("{short_a} reinforces {short_new}"), format!("{short_new} reinforces {short_b}")]);
    memory.unlink(Unlink::new(a.as_str(), "reinforces", new.as_str())).unwrap();
    memory.unlink(Unlink::new(new.as_str(), "reinforces", b.as_str())).unwrap();
    assert_eq!((confidence(&memory, &new), confidence(&memory, &b)), (0.7, 0.7));
    assert_eq!(memory.show_context("project:db").unwrap().blocks[0].block_id, new);
    // Filters and kinds know where it came from.
    let asked = RetrieveMemories::new("which port").source("user");
    assert!(memory.retrieve_memories(&asked).unwrap().items.iter().any(|item| item.block_id == new));
    check_invariants(&memory);
}

#[test]
fn a_dream_that_replaces_a_block_hands_its_links_on() {
    let memory = memory();
    let old = tell(&memory, "The standup is at nine", "user");
    let voice = tell(&memory, "Everybody came at nine", "user");
    memory.link(AddLink::new(voice.as_str(), "reinforces", old.as_str())).unwrap();
    let edited = memory.edit(Edit::new(old.as_str()).content("The standup is at ten")).unwrap();
    assert!(close(confidence(&memory, &edited.block_id), 0.75));
    memory.dream(Dream::new()).unwrap();
    assert_eq!(memory.links(ListLinks::new().to(&edited.block_id)).unwrap().len(), 1);
    memory.unlink(Unlink::new(voice.as_str(), "reinforces", edited.block_id.as_str())).unwrap();
    assert_eq!(confidence(&memory, &edited.block_id), 0.7);
}

/// Every verb of events, contexts and links, undone and redone.
#[test]
fn every_verb_of_events_and_links_is_undone_exactly_and_redone() {
    type Verb = (&'static str, fn(&TestMemory));
    fn id(text: &str) -> String {
        BlockId::for_content(text).to_string()
    }
    let verbs: [Verb; 14] = [
        ("store_event", |m| {
            drop(m.store_event(StoreEvent::with_payload("rule", "new").context_id("skill:new")).unwrap());
        }),
        ("store_event with links", |m| {
            let event = StoreEvent::with_payload("decision", "new").context_id("skill:waited");
            let event = event.link("reinforces", id("a")).link("contradicts", id("b")).link("extends", "skill:react");
            drop(m.store_event(&event).unwrap());
        }),
        ("store_event of a learned text", |m| {
            drop(m.store_event(StoreEvent::with_payload("fact", "learned")).unwrap());
        }),
        ("store_event of a forgotten text", |m| drop(m.store_event(StoreEvent::with_payload("fact", "gone")).unwrap())),
        ("store_event filtered", |m| drop(m.store_event(StoreEvent::with_payload("debug", "noise")).unwrap())),
        ("store_events", |m| {
            let list = [
                StoreEvent::with_payload("fact", "x").context_id("c:x"),
                StoreEvent::with_payload("fact", "y").link("extends", "c:x"),
            ];
            drop(m.store_events(StoreEvents::new(&list).atomic()).unwrap());
        }),
        ("enrol", |m| drop(m.enrol(Enrol::new("skill:waited", id("a"))).unwrap())),
        ("link", |m| drop(m.link(AddLink::new(id("b"), "reinforces", id("a"))).unwrap())),
        ("link contexts", |m| drop(m.link(AddLink::new("skill:react", "contradicts", "skill:vue")).unwrap())),
        ("unlink", |m| drop(m.unlink(Unlink::new(id("a"), "contradicts", id("b"))).unwrap())),
        ("forget", |m| drop(m.forget(id("a")).unwrap())),
        ("supersede", |m| drop(m.supersede(Supersede::new(id("a"), id("b"))).unwrap())),
        ("edit", |m| drop(m.edit(Edit::new(id("a")).content("a more")).unwrap())),
        ("outcome", |m| drop(m.outcome(Outcome::new([id("b")], 0.9)).unwrap())),
    ];
    for (name, verb) in verbs {
        let memory = memory();
        for (text, context) in [("a", "skill:react"), ("b", "skill:vue"), ("gone", "skill:old")] {
            memory.store_event(StoreEvent::with_payload("fact", text).context_id(context).source("user")).unwrap();
        }
        memory.learn(Learn::new("learned").tag("topic/db")).unwrap();
        memory.link(AddLink::new(id("a"), "contradicts", id("b"))).unwrap();
        memory.link(AddLink::new(id("b"), "reinforces", "skill:waited")).unwrap();
        memory.outcome(Outcome::new([id("a")], 0.8)).unwrap();
        memory.forget(id("gone")).unwrap();
        let before = state(&memory);
        verb(&memory);
        let after = state(&memory);
        assert_ne!(before, after, "{name} changed nothing");
        let undone = memory.undo(Undo::last()).unwrap();
        assert_same_state(&state(&memory), &before);
        check_invariants(&memory);
        memory.undo(Undo::operation(undone.undo_seq.unwrap())).unwrap();
        assert_same_state(&state(&memory), &after);
        check_invariants(&memory);
        memory.undo(Undo::operation(undone.seq)).unwrap();
        assert_same_state(&state(&memory), &before);
    }
}

#[test]
fn an_event_that_others_rest_on_is_not_undone_before_them() {
    let memory = memory();
    let a = tell(&memory, "a", "user");
    let seq = memory.log(ReadLog::new().limit(1)).unwrap()[0].seq;
    let b = tell(&memory, "b", "user");
    memory.link(AddLink::new(b.as_str(), "extends", a.as_str())).unwrap();
    let error = memory.undo(Undo::operation(seq)).unwrap_err();
    assert!(error.message().contains("link"), "{error}");
}

/// One step of a history.
#[derive(Debug, Clone, Copy)]
enum Step {
    Link(usize, LinkType),
    Unlink(usize, LinkType),
    Outcome(f64, usize),
    Retract(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let link_type = prop::sample::select(LinkType::ALL.to_vec());
    let moving =
        prop_oneof![3 => prop::sample::select(vec![LinkType::Reinforces, LinkType::Contradicts]), 1 => link_type];
    prop_oneof![
        4 => (0..5usize, moving.clone()).prop_map(|(from, link)| Step::Link(from, link)),
        3 => (0..5usize, moving).prop_map(|(from, link)| Step::Unlink(from, link)),
        2 => (0.0..=1.0f64, 0..4usize).prop_map(|(signal, name)| Step::Outcome(signal, name)),
        1 => (0..4usize).prop_map(Step::Retract),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever was linked, unlinked and linked again, given and taken back: confidence is the replay of what is left.
    #[test]
    fn confidence_is_always_the_replay_of_what_is_left(steps in prop::collection::vec(step(), 1..25)) {
        let memory = memory_at(&clock());
        let target = tell(&memory, "The target", "user");
        let voices: Vec<BlockId> = (0..5).map(|n| tell(&memory, &format!("Voice {n}"), "user")).collect();
        // What stands, in the order it came.
        let mut standing: Vec<Step> = Vec::new();
        for step in steps {
            match step {
                Step::Link(from, link) => {
                    let known = standing.iter().any(|one| matches!(one, Step::Link(f, l) if (*f, *l) == (from, link)));
                    let linked = memory.link(AddLink::new(voices[from].as_str(), link.as_str(), target.as_str())).unwrap();
                    prop_assert_eq!(linked.created, !known);
                    if !known {
                        standing.push(step);
                    }
                }
                Step::Unlink(from, link) => {
                    let before = standing.len();
                    standing.retain(|one| !matches!(one, Step::Link(f, l) if (*f, *l) == (from, link)));
                    let gone = memory.unlink(Unlink::new(voices[from].as_str(), link.as_str(), target.as_str())).unwrap();
                    prop_assert_eq!(gone.removed, standing.len() < before);
                }
                Step::Outcome(signal, name) => {
                    let outcome_id = format!("o{name}");
                    let known = standing.iter().any(|one| matches!(one, Step::Outcome(_, n) if *n == name));
                    let outcome = Outcome::new([target.as_str()], signal).outcome_id(outcome_id);
                    if memory.outcome(&outcome).is_ok() && !known {
                        standing.push(step);
                    }
                }
                Step::Retract(name) => {
                    let known = standing.iter().any(|one| matches!(one, Step::Outcome(_, n) if *n == name));
                    prop_assert_eq!(memory.retract_outcome(format!("o{name}")).is_ok(), known);
                    standing.retain(|one| !matches!(one, Step::Outcome(_, n) if *n == name));
                }
            }
            let (mut c, mut n) = (0.7f64, 0.0f64);
            for one in &standing {
                match one {
                    Step::Link(_, link) => c = after_link(Confidence::saturating(c), *link).get(),
                    Step::Outcome(signal, _) => {
                        c = (c * (2.0 + n) + signal) / (3.0 + n);
                        n += 1.0;
                    }
                    _ => {}
                }
            }
            let found = block(&memory, &target);
            prop_assert!((found.confidence.get() - c).abs() < 1e-9, "{} {c} {standing:?}", found.confidence.get());
            prop_assert!((found.outcome_evidence.get() - n).abs() < 1e-9);
        }
        check_invariants(&memory);
    }
}
