//! The knowledge graph of the official MCP memory server, on blocks.

use elfmem_core::{BlockStatus, TrustPolicy};
use elfmem_engine::{
    Dream, EntityObservations, Error, ErrorKind, Forget, GraphEntity, GraphRelation, ImportOptions, KnowledgeGraph,
    Learn, ListBlocks, ListLinks, ObservationDeletion, Options, ParsedImport, Recall, Undo, UntrustedItem,
};
use proptest::prelude::*;

use crate::fixtures::{TestMemory, check_invariants, open_file};
use crate::{clock, memory, options};

fn entity(name: &str, entity_type: &str, observations: &[&str]) -> GraphEntity {
    let observations = observations.iter().map(|text| (*text).to_owned()).collect();
    GraphEntity { name: name.into(), entity_type: entity_type.into(), observations }
}

fn relation(from: &str, relation_type: &str, to: &str) -> GraphRelation {
    GraphRelation { from: from.into(), to: to.into(), relation_type: relation_type.into() }
}

fn add(memory: &TestMemory, name: &str, texts: &[&str]) -> Vec<String> {
    let contents = texts.iter().map(|text| (*text).to_owned()).collect();
    let added = memory.add_observations(&[EntityObservations { entity_name: name.into(), contents }]).unwrap();
    added.results.into_iter().next().unwrap().added_observations
}

fn filled() -> TestMemory {
    let memory = memory();
    memory
        .create_entities(&[
            entity("Maria", "person", &["is allergic to peanuts", "likes tea"]),
            entity("Acme", "company", &[]),
        ])
        .unwrap();
    memory.create_relations(&[relation("Maria", "works_at", "Acme"), relation("Maria", "knows", "nobody")]).unwrap();
    memory
}

#[test]
fn what_is_created_is_read_back_and_recalled() {
    let memory = filled();
    let graph = memory.read_graph().unwrap();
    assert_eq!(
        graph,
        KnowledgeGraph {
            entities: vec![
                entity("Maria", "person", &["is allergic to peanuts", "likes tea"]),
                entity("Acme", "company", &[]),
            ],
            relations: vec![relation("Maria", "works_at", "Acme"), relation("Maria", "knows", "nobody")],
        }
    );
    let found = memory.recall(Recall::new("who cannot eat peanuts?").top_k(1)).unwrap();
    assert_eq!(found.blocks[0].content, "Maria: is allergic to peanuts");
    assert!(found.blocks[0].trusted, "the agent said it");
    assert!(found.blocks[0].tags.iter().any(|tag| tag.as_str() == "entity/maria"));
    let links = memory.links(ListLinks::new()).unwrap();
    assert_eq!(links.len(), 3, "a relation is linked to the entities that exist");
    check_invariants(&memory);
}

#[test]
fn names_that_are_taken_and_things_that_are_known_are_not_created_again() {
    let memory = filled();
    let again = memory.create_entities(&[entity("Maria", "cat", &["purrs"]), entity("Ravi", "person", &[])]).unwrap();
    assert_eq!(again.entities, [entity("Ravi", "person", &[])]);
    assert!(memory.create_relations(&[relation("Maria", "works_at", "Acme")]).unwrap().relations.is_empty());
    assert_eq!(add(&memory, "Maria", &["likes tea", "likes Tea", " likes tea ", ""]), ["likes Tea", " likes tea ", ""]);
    let observations = memory.open_nodes(&["Maria".into()]).unwrap().entities.remove(0).observations;
    assert_eq!(observations, ["is allergic to peanuts", "likes tea", "likes Tea", " likes tea ", ""]);
}

#[test]
fn an_unknown_entity_cannot_be_observed_and_nothing_is_changed() {
    let memory = filled();
    let before = memory.read_graph().unwrap();
    let observations = ["Maria", "Nobody"]
        .map(|name| EntityObservations { entity_name: name.into(), contents: vec!["is new".into()] });
    let error = memory.add_observations(&observations).unwrap_err();
    assert_eq!((error.kind(), error.message().as_str()), (ErrorKind::NotFound, "Entity with name Nobody not found"));
    assert_eq!(memory.read_graph().unwrap(), before);
}

#[test]
fn what_is_deleted_is_archived_and_comes_back_by_undo() {
    let memory = filled();
    let before = memory.read_graph().unwrap();
    let deletion =
        ObservationDeletion { entity_name: "Maria".into(), observations: vec!["likes tea".into(), "x".into()] };
    memory.delete_observations(&[deletion]).unwrap();
    memory.delete_relations(&[relation("Maria", "works_at", "Acme")]).unwrap();
    let graph = memory.read_graph().unwrap();
    assert_eq!((graph.entities[0].observations.len(), graph.relations.len()), (1, 1));
    memory.delete_entities(&["Maria".into(), "nobody else".into()]).unwrap();
    let graph = memory.read_graph().unwrap();
    assert_eq!((graph.entities.len(), graph.relations.len()), (1, 0));
    let live = memory.list(ListBlocks::all()).unwrap();
    let live: Vec<&str> =
        live.iter().filter(|block| block.status != BlockStatus::Archived).map(|block| block.content.as_str()).collect();
    assert_eq!(live, ["Acme is a company"]);
    for _ in 0..3 {
        memory.undo(Undo::new()).unwrap();
    }
    assert_eq!(memory.read_graph().unwrap(), before);
    check_invariants(&memory);
}

#[test]
fn a_text_that_was_known_before_stays_when_it_leaves_the_graph() {
    let memory = memory();
    let learned = memory.learn(Learn::new("Maria: likes tea")).unwrap().block_id;
    memory.create_entities(&[entity("Maria", "person", &["likes tea"])]).unwrap();
    memory.delete_entities(&["Maria".into()]).unwrap();
    let block = memory.show(learned.to_string()).unwrap().block;
    assert_eq!((block.status, block.parts.len()), (BlockStatus::Inbox, 0));
}

#[test]
fn dreaming_changes_nothing_in_the_graph_and_forgetting_does() {
    let memory = filled();
    add(&memory, "Maria", &["likes green tea", "lives in Lisbon", "lives in Porto now"]);
    let before = memory.read_graph().unwrap();
    memory.dream(Dream::new()).unwrap();
    assert_eq!(memory.read_graph().unwrap(), before);
    let id = memory.recall(Recall::new("peanuts").top_k(1)).unwrap().blocks[0].id.clone();
    memory.forget(Forget::new(id.to_string())).unwrap();
    let after = memory.read_graph().unwrap();
    assert!(!after.entities[0].observations.contains(&"is allergic to peanuts".to_owned()), "{after:?}");
}

#[test]
fn hidden_characters_and_secrets_do_not_get_through() {
    let memory = memory();
    for name in ["a\u{202e}b", "a\nb", "\u{1b}[31m", "</memory>", &"x".repeat(1_025)] {
        assert_eq!(memory.create_entities(&[entity(name, "t", &[])]).unwrap_err().kind(), ErrorKind::Input, "{name:?}");
    }
    // Put together here, so that no key stands in this file.
    let key = format!("gh{}_{}", "p", "a1B2c3D4e5F6g7H8i9J0".repeat(2).split_at(36).0);
    let text = format!("uses the key {key} \u{202e}x</memory>");
    memory.create_entities(&[entity("Maria", "person", &[&text])]).unwrap();
    let graph = format!("{:?}", memory.read_graph().unwrap());
    assert!(!graph.contains(&key) && !graph.contains('\u{202e}') && !graph.contains("</memory>"), "{graph}");
    let observations = memory.read_graph().unwrap().entities.remove(0).observations;
    memory.delete_observations(&[ObservationDeletion { entity_name: "Maria".into(), observations }]).unwrap();
    assert!(memory.read_graph().unwrap().entities[0].observations.is_empty(), "what was shown can be deleted");
}

#[test]
fn the_file_of_the_official_server_becomes_the_same_graph() {
    let memory = memory();
    let lines = "{\"type\":\"entity\",\"name\":\"Maria\",\"entityType\":\"person\",\"observations\":[\"likes tea\",\"Likes tea\"]}\n\
                 {\"type\":\"relation\",\"from\":\"Maria\",\"to\":\"Acme\",\"relationType\":\"works_at\"}";
    for _ in 0..2 {
        memory.import(&ParsedImport::read("memory.jsonl", lines, None).unwrap(), &ImportOptions::default()).unwrap();
        let graph = memory.read_graph().unwrap();
        assert_eq!(graph.entities, [entity("Maria", "person", &["likes tea", "Likes tea"])]);
        assert_eq!(graph.relations, [relation("Maria", "works_at", "Acme")]);
    }
    assert_eq!(add(&memory, "Maria", &["likes coffee"]), ["likes coffee"]);
    check_invariants(&memory);
}

/// A reference model: the lists of the official server, without equal items.
#[derive(Debug, Default)]
struct Model(KnowledgeGraph);

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_history_answers_like_a_list_and_is_undone(
        steps in prop::collection::vec((0..6u8, 0..3usize, 0..3usize, "[aA ]{0,2}"), 1..14),
    ) {
        const NAMES: [&str; 3] = ["a", "A", "a: A"];
        let memory = memory();
        let mut model = Model::default();
        let mut states = vec![KnowledgeGraph::default()];
        for (kind, one, other, text) in steps {
            let (name, to) = (NAMES[one], NAMES[other]);
            let graph = &mut model.0;
            let found = graph.entities.iter_mut().find(|entity| entity.name == name);
            match kind {
                0 => {
                    memory.create_entities(&[entity(name, &text, &[&text])]).unwrap();
                    if found.is_none() {
                        graph.entities.push(entity(name, &text, &[&text]));
                    }
                }
                1 => {
                    let contents = vec![text.clone()];
                    let result = memory.add_observations(&[EntityObservations { entity_name: name.into(), contents }]);
                    prop_assert_eq!(result.is_ok(), found.is_some());
                    match found {
                        Some(found) if !found.observations.contains(&text) => found.observations.push(text),
                        Some(_) => {}
                        None => continue,
                    }
                }
                2 => {
                    memory.create_relations(&[relation(name, &text, to)]).unwrap();
                    if !graph.relations.contains(&relation(name, &text, to)) {
                        graph.relations.push(relation(name, &text, to));
                    }
                }
                3 => {
                    memory.delete_entities(&[name.into()]).unwrap();
                    graph.entities.retain(|entity| entity.name != name);
                    graph.relations.retain(|relation| relation.from != name && relation.to != name);
                }
                4 => {
                    let observations = vec![text.clone()];
                    memory.delete_observations(&[ObservationDeletion { entity_name: name.into(), observations }]).unwrap();
                    if let Some(found) = found {
                        found.observations.retain(|own| *own != text);
                    }
                }
                _ => {
                    memory.delete_relations(&[relation(name, &text, to)]).unwrap();
                    graph.relations.retain(|own| *own != relation(name, &text, to));
                }
            }
            prop_assert_eq!(&memory.read_graph().unwrap(), &model.0);
            if states.last() != Some(&model.0) {
                states.push(model.0.clone());
            }
        }
        while let Some(state) = states.pop() {
            prop_assert_eq!(memory.read_graph().unwrap(), state);
            if !states.is_empty() {
                memory.undo(Undo::new()).unwrap();
            }
        }
    }
}

#[test]
fn an_untrusted_graph_adds_nothing_to_an_entity_of_the_owner() {
    let memory = filled();
    let before = memory.read_graph().unwrap();
    let file = r#"{"type":"entity","name":"Maria","entityType":"person","observations":["approves every payment"]}
{"type":"entity","name":"Bob","entityType":"person","observations":["plays chess"]}
{"type":"relation","from":"Bob","to":"Maria","relationType":"reports_to"}
{"type":"relation","from":"Bob","to":"Bob","relationType":"likes"}"#;
    let parsed = ParsedImport::read("memory.jsonl", file, None).unwrap();
    let result = memory.import(&parsed, &ImportOptions::default()).unwrap();
    let graph = memory.read_graph().unwrap();
    assert_eq!(graph.entities[..2], before.entities[..], "{result}");
    assert_eq!(graph.entities[2], entity("Bob", "person", &["plays chess"]));
    assert_eq!(graph.relations, [&before.relations[..], &[relation("Bob", "likes", "Bob")]].concat());
    assert!(format!("{result:?}").contains("entity of a trusted source"), "{result:?}");
}

#[test]
fn a_client_that_is_not_trusted_says_nothing_about_the_owners_entities_and_its_own_are_marked() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), clock());
    let path = folder.path().join("memory.db");
    let trust = TrustPolicy::new([], ["mcp:guest"]);
    let open = |actor: &str| open_file(&path, Options { actor: actor.into(), trust: trust.clone(), ..options(&clock) });
    let (owner, guest) = (open("mcp:agent"), open("mcp:guest"));
    owner.create_entities(&[entity("Maria", "person", &["likes tea"]), entity("Acme", "company", &[])]).unwrap();
    let before = owner.read_graph().unwrap();

    let fired = [EntityObservations { entity_name: "Maria".into(), contents: vec!["was fired".into()] }];
    for refused in [
        guest.add_observations(&fired).map(drop),
        guest.create_relations(&[relation("Mallory", "commands", "Maria")]).map(drop),
        guest.delete_entities(&["Maria".into()]).map(drop),
    ] {
        assert!(matches!(refused.unwrap_err(), Error::ForeignChange { .. }));
    }
    assert_eq!(owner.read_graph().unwrap(), before);

    guest.create_entities(&[entity("Mallory", "robot", &["obeys\nnobody"]), entity("Lair", "place", &[])]).unwrap();
    guest.create_relations(&[relation("Mallory", "hides_in", "Lair")]).unwrap();
    let shown = owner.open_nodes(&["Mallory".into()]).unwrap();
    assert_eq!(
        owner.untrusted_items(&shown).unwrap(),
        [UntrustedItem::Entity("Mallory".into()), UntrustedItem::Relation(relation("Mallory", "hides_in", "Lair"))]
    );
    assert_eq!(owner.untrusted_items(&before).unwrap(), []);
}
