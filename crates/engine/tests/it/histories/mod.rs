//! Random histories of use against a small model of what must be true.

mod believing;
mod crowding;
mod fading;
mod model;
mod taking_back;
mod undoing;

use std::collections::{BTreeMap, BTreeSet};

use elfmem_core::{ActiveHours, BlockId, ScopeView};
use elfmem_engine::{AddTags, Learn, LearnStatus, ListBlocks, Recall, RemoveTags};
use elfmem_store::Store;
use proptest::prelude::*;

use crate::{clock, memory_at};

#[derive(Debug, Clone)]
enum Step {
    Learn { text: usize, tag: Option<usize> },
    Tag { text: usize, tag: usize },
    Untag { text: usize, tag: usize },
    Recall { text: usize },
    Begin,
    End,
    Wait { minutes: i32 },
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..12usize, prop::option::of(0..4usize)).prop_map(|(text, tag)| Step::Learn { text, tag }),
        1 => (0..12usize, 0..4usize).prop_map(|(text, tag)| Step::Tag { text, tag }),
        1 => (0..12usize, 0..4usize).prop_map(|(text, tag)| Step::Untag { text, tag }),
        2 => (0..12usize).prop_map(|text| Step::Recall { text }),
        1 => Just(Step::Begin),
        1 => Just(Step::End),
        2 => (-120..120i32).prop_map(|minutes| Step::Wait { minutes }),
    ]
}

fn content(text: usize) -> String {
    format!("memory word{text} about things")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn the_memory_agrees_with_a_simple_model(steps in prop::collection::vec(step(), 1..60)) {
        let clock = clock();
        let memory = memory_at(&clock);
        let mut model: BTreeMap<BlockId, Vec<String>> = BTreeMap::new();
        let (mut shown, mut shown_in_session) = (BTreeSet::new(), BTreeSet::new());
        let mut in_session = false;
        let mut hours = ActiveHours::ZERO;
        for step in steps {
            match step {
                Step::Learn { text, tag } => {
                    let tags: Vec<String> = tag.map(|tag| format!("t{tag}")).into_iter().collect();
                    let id = BlockId::for_content(&content(text));
                    let known = model.contains_key(&id);
                    let result = memory.learn(Learn::new(content(text)).tags(tags.clone())).unwrap();
                    // Automatic sessions end by themselves; in one that was begun, what was shown is an echo.
                    let may_echo = known && shown.contains(&id);
                    let must_echo = known && in_session && shown_in_session.contains(&id);
                    prop_assert!(!must_echo || result.status == LearnStatus::Echo);
                    let expected = match known {
                        true if may_echo && result.status == LearnStatus::Echo => LearnStatus::Echo,
                        true => LearnStatus::DuplicateRejected,
                        false => LearnStatus::Created,
                    };
                    prop_assert_eq!(result.status, expected);
                    model.entry(id).or_default().extend(tags);
                }
                Step::Tag { text, tag } => {
                    let id = BlockId::for_content(&content(text));
                    let tagged = memory.add_tags(AddTags::new(id.as_str(), &[format!("t{tag}")]));
                    prop_assert_eq!(tagged.is_ok(), model.contains_key(&id));
                    if let Some(tags) = model.get_mut(&id) {
                        tags.push(format!("t{tag}"));
                    }
                }
                Step::Untag { text, tag } => {
                    let id = BlockId::for_content(&content(text));
                    prop_assert_eq!(memory.remove_tags(RemoveTags::new(id.as_str(), &[format!("t{tag}")])).is_ok(), model.contains_key(&id));
                    if let Some(tags) = model.get_mut(&id) {
                        tags.retain(|known| *known != format!("t{tag}"));
                    }
                }
                Step::Recall { text } => {
                    let found = memory.recall(Recall::new(format!("word{text}")).top_k(3)).unwrap();
                    let id = BlockId::for_content(&content(text));
                    prop_assert_eq!(found.blocks.first().map(|block| &block.id) == Some(&id), model.contains_key(&id));
                    prop_assert!(found.message.is_some() || !found.blocks.is_empty());
                    for block in &found.blocks {
                        shown.insert(block.id.clone());
                        shown_in_session.insert(block.id.clone());
                    }
                }
                Step::Begin => {
                    prop_assert_eq!(memory.begin_session("w").unwrap().already_open, in_session);
                    if !in_session {
                        shown_in_session.clear();
                    }
                    in_session = true;
                }
                Step::End => {
                    prop_assert_eq!(memory.end_session().is_ok(), in_session);
                    in_session = false;
                }
                Step::Wait { minutes } => clock.forward_minutes(f64::from(minutes)),
            }
            let now = memory.store().read(&ScopeView::default(), |snapshot| snapshot.get_total_active_hours()).unwrap();
            prop_assert!(now >= hours);
            let stored = memory.status().unwrap();
            prop_assert_eq!(stored.inbox_count as usize, model.len());
            hours = now;
        }
        for block in memory.list(ListBlocks::all()).unwrap() {
            let mut expected = model.get(&block.id).cloned().unwrap();
            expected.sort();
            expected.dedup();
            let tags: Vec<String> = block.tags.iter().map(|tag| tag.to_string()).collect();
            prop_assert_eq!(tags, expected);
        }
    }
}
