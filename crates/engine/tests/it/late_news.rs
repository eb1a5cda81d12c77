//! The later event wins, not the later write; and a judge never archives what the rules keep.

use std::sync::{Arc, Mutex};

use elfmem_core::{BlockStatus, Timestamp};
use elfmem_engine::{Dream, Learn, Memory};
use elfmem_models::{
    Analysis, AnalysisRequest, Analyst, ContradictionScore, Embedder, HealthReport, ModelError, StaticEmbedder, Usage,
};
use elfmem_store::Store;

use crate::fixtures::{block, contradictions, memory_with, models};
use crate::memory;

fn day(text: &str) -> Timestamp {
    format!("{text}T12:00:00Z").parse().unwrap()
}

fn at(text: &str, date: &str) -> Learn {
    Learn::new(text).event_at(day(date))
}

/// Learns two texts, dreaming after each or once, and returns whether the first is active.
fn first_stays(memory: &Memory<impl Store>, first: Learn, second: Learn, together: bool) -> bool {
    let id = memory.learn(first).unwrap().block_id;
    if !together {
        memory.dream(Dream::new()).unwrap();
    }
    let other = memory.learn(second).unwrap().block_id;
    memory.dream(Dream::new()).unwrap();
    assert_eq!(block(memory, &other).status, BlockStatus::Active);
    block(memory, &id).status == BlockStatus::Active
}

#[test]
fn the_later_event_wins_and_not_the_later_write() {
    let (old, new) = ("Ada lives in Porto.", "Ada now lives in Braga.");
    for together in [false, true] {
        let stays = |first: Learn, second: Learn| first_stays(&memory(), first, second, together);
        assert!(!stays(Learn::new(old), Learn::new(new)), "without dates the later write wins");
        assert!(!stays(at(old, "2026-02-01"), at(new, "2026-05-01")));
        assert!(stays(at(old, "2026-05-01"), at(new, "2026-02-01")), "news of February do not end what held in May");
        assert!(stays(Learn::new(old), at(new, "2001-02-01")), "what was said without a date is about that day");
    }
}

#[test]
fn a_correction_of_an_earlier_time_leaves_the_later_value() {
    let memory = memory();
    assert!(first_stays(
        &memory,
        at("The review is on Friday.", "2026-05-01"),
        at("The review was moved from Friday to Monday.", "2026-03-01"),
        false,
    ));
}

#[test]
fn what_became_true_again_is_not_lost() {
    let texts = ["The door code is 1234.", "The door code is 9999 now.", "The door code is 1234."];
    for dreams in [[false, false], [true, false], [false, true], [true, true]] {
        let memory = memory();
        let mut ids = Vec::new();
        for (at, text) in texts.into_iter().enumerate() {
            ids.push(memory.learn(text).unwrap().block_id);
            if dreams.get(at).is_none_or(|dream| *dream) {
                memory.dream(Dream::new()).unwrap();
            }
        }
        assert_eq!(block(&memory, &ids[2]).status, BlockStatus::Active, "{dreams:?}");
    }
}

#[test]
fn what_became_true_again_comes_first() {
    let memory = memory();
    for text in ["The door code is 1234.", "The door code is 9999 now.", "The door code is 1234."] {
        memory.learn(text).unwrap();
        memory.dream(Dream::new()).unwrap();
    }
    let found = memory.recall("What is the door code?").unwrap();
    assert_eq!(found.blocks[0].content, "The door code is 1234.", "{found}");
}

/// A judge that takes every pair for a contradiction and remembers what it was asked.
#[derive(Default)]
struct Zealot {
    asked: Mutex<Vec<(String, String)>>,
}

impl Analyst for Zealot {
    fn name(&self) -> &str {
        "zealot"
    }

    fn analyse(&self, _request: &AnalysisRequest<'_>) -> Result<Analysis, ModelError> {
        Ok(Analysis::neutral())
    }

    fn judge(&self, newer: &str, older: &str, _cosine: f64) -> Result<Option<ContradictionScore>, ModelError> {
        self.asked.lock().unwrap().push((older.to_owned(), newer.to_owned()));
        Ok(Some(ContradictionScore { score: 1.0, reason: "everything contradicts everything".to_owned() }))
    }

    fn check(&self) -> Result<HealthReport, ModelError> {
        Ok(HealthReport { model: "zealot".into(), milliseconds: 0, detail: String::new() })
    }

    fn usage(&self) -> Usage {
        Usage::default()
    }

    fn concurrency(&self) -> usize {
        1
    }
}

#[test]
fn a_judge_archives_nothing_and_is_asked_only_where_the_rules_know_nothing() {
    // Whether the rules keep the pair for a reason, so that nobody is asked.
    let pairs = [
        ("Ada lives in Porto.", "Ada's brother now lives in Braga.", true),
        ("Zoe thinks we should stay with Jenkins.", "We switched from Jenkins to Gitea.", true),
        ("Wanda lives in Braga.", "Wanda used to live in Turin.", true),
        ("The kitchen smells of cinnamon buns.", "The kitchen smells of fresh cinnamon buns and coffee.", false),
    ];
    for (older, newer, certain) in pairs {
        let zealot = Arc::new(Zealot::default());
        let builtin: Arc<dyn Embedder> = Arc::new(StaticEmbedder::shared().unwrap());
        let memory = memory_with(models(builtin, zealot.clone()));
        for text in [older, newer] {
            memory.learn(text).unwrap();
            memory.dream(Dream::new()).unwrap();
        }
        for text in [older, newer] {
            let id = elfmem_core::BlockId::for_content(text);
            assert_eq!(block(&memory, &id).status, BlockStatus::Active, "{older} | {newer}");
        }
        let asked = zealot.asked.lock().unwrap().len();
        assert_eq!(asked, usize::from(!certain), "{older} | {newer}");
        assert_eq!(contradictions(&memory).len(), usize::from(!certain), "{older} | {newer}");
    }
}
