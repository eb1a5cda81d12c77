//! What outcomes teach about relevance: within bounds, in one scope, for one model, and never by an untrusted source.

use std::sync::Arc;

use elfmem_core::{BlockId, Scope, ScopeView};
use elfmem_engine::{
    CalibrationStatus, Curate, EmbedderChoice, Learn, ListOperations, Memory, MigrateEmbeddings, Models, Options,
    Outcome, Recall, RetractOutcome, Status, Undo, Verify,
};
use elfmem_models::scripted::ScriptedEmbedder;
use elfmem_models::{BuiltinModel, RulesAnalyst};
use elfmem_store::Store;

use crate::fixtures::{FileMemory, ManualClock, TestMemory, models, open_file, open_memory};
use crate::{clock, options};

/// Twenty-four notes that have nothing to do with each other.
const NOTES: [(&str, &str); 24] = [
    ("Ana", "breeds carrier pigeons"),
    ("Bruno", "repairs church organs"),
    ("Carla", "translates Finnish poetry"),
    ("Dmitri", "collects meteorites"),
    ("Elif", "restores wooden boats"),
    ("Farid", "grows saffron"),
    ("Greta", "teaches fencing"),
    ("Hiro", "brews barley tea"),
    ("Ines", "designs subway maps"),
    ("Jonas", "tunes racing bicycles"),
    ("Kira", "paints miniatures"),
    ("Liam", "studies glaciers"),
    ("Mona", "writes crosswords"),
    ("Nils", "herds reindeer"),
    ("Olga", "conducts a choir"),
    ("Pavel", "forges kitchen knives"),
    ("Quinn", "judges dog shows"),
    ("Rosa", "runs a bakery"),
    ("Sven", "dives for scallops"),
    ("Tara", "programs looms"),
    ("Umar", "carves chess pieces"),
    ("Vera", "keeps a lighthouse"),
    ("Wim", "prints banknotes"),
    ("Yara", "photographs owls"),
];

fn static_models() -> Models {
    Models {
        embedder: EmbedderChoice::BuiltIn(BuiltinModel::Static),
        analyst: Arc::new(RulesAnalyst),
        ..Models::default()
    }
}

fn filled(clock: &Arc<ManualClock>) -> TestMemory {
    let memory = open_memory(Options { models: static_models(), ..options(clock) });
    fill(&memory, "user");
    memory
}

fn fill(memory: &Memory<impl Store>, source: &str) {
    for (name, work) in NOTES {
        memory.learn(Learn::new(format!("{name} {work}")).source(source)).unwrap();
    }
    memory.consolidate().unwrap();
}

/// Asks for every note, and says of what came first that it served as `signal` says for its number.
fn use_memory(
    memory: &Memory<impl Store>,
    clock: &ManualClock,
    source: &str,
    signal: impl Fn(usize) -> f64,
) -> Vec<String> {
    let mut outcomes = Vec::new();
    for (number, (name, work)) in NOTES.iter().enumerate() {
        clock.forward_minutes(1.0);
        let found = memory.recall(format!("who {work}, is it {name}?")).unwrap();
        let first = found.blocks.first().map(|block| block.id.to_string()).unwrap();
        clock.forward_minutes(1.0);
        let told = memory.outcome(Outcome::new([first], signal(number)).source(source)).unwrap();
        outcomes.push(told.outcome_id);
    }
    outcomes
}

/// Half of what was shown as certain did not help.
fn disappoint(memory: &Memory<impl Store>, clock: &ManualClock) {
    use_memory(memory, clock, "user", |number| if number % 2 == 0 { 1.0 } else { 0.0 });
    use_memory(memory, clock, "user", |number| if number % 2 == 0 { 0.0 } else { 1.0 });
}

fn relevance(memory: &Memory<impl Store>) -> (f64, f64) {
    let found = memory.recall(Recall::new("who grows saffron, is it Farid?").preview()).unwrap();
    (found.relevance.unwrap(), found.blocks[0].relevance.unwrap())
}

fn calibrations(memory: &Memory<impl Store>) -> Vec<i64> {
    let operations = memory.operations(ListOperations::new().limit(1_000)).unwrap();
    operations.into_iter().filter(|past| past.operation == "calibrate").map(|past| past.seq).collect()
}

fn status(memory: &Memory<impl Store>) -> CalibrationStatus {
    memory.status_with(Status::new().calibration()).unwrap().calibration.unwrap()
}

#[test]
fn outcomes_move_relevance_within_bounds_and_an_undo_restores_it() {
    let clock = clock();
    let memory = filled(&clock);
    let before = relevance(&memory);
    assert!(before.0 > 0.8 && before.1 > 0.5, "{before:?}");
    disappoint(&memory, &clock);
    assert!(status(&memory).enough && status(&memory).fit.is_none(), "{}", status(&memory));
    memory.consolidate().unwrap();
    let after = relevance(&memory);
    let fit = status(&memory).fit.unwrap();
    assert!(after.0 < before.0 && after.1 < before.1 - 0.1, "{before:?} {after:?}");
    assert!(after.1 <= after.0, "a block is no likelier than the answer");
    assert!(fit.loss_after < fit.loss_before && fit.calibration.offset() < 0.0, "{fit:?}");
    let operation = calibrations(&memory);
    assert_eq!(operation.len(), 1);
    memory.undo(Undo::operation(operation[0])).unwrap();
    assert_eq!((relevance(&memory), status(&memory).fit), (before, None));
    memory.consolidate().unwrap();
    memory.curate(Curate::new()).unwrap();
    assert_eq!(relevance(&memory), before, "it does not return without new outcomes");
    assert!(memory.verify(Verify::new()).unwrap().findings.is_empty());
}

#[test]
fn what_was_learned_is_not_learned_again_from_corrected_numbers() {
    let clock = clock();
    let memory = filled(&clock);
    disappoint(&memory, &clock);
    memory.consolidate().unwrap();
    let first = status(&memory).fit.unwrap().calibration;
    disappoint(&memory, &clock);
    memory.consolidate().unwrap();
    let second = status(&memory).fit.unwrap().calibration;
    // More of the same outcomes bring the fit nearer to them; they are not corrected twice.
    assert!(second.offset() <= first.offset() + 0.05 && second.offset() > -1.0 - 1e-9, "{first:?} {second:?}");
    assert!((second.offset() - first.offset()).abs() < 0.5, "{first:?} {second:?}");
}

#[test]
fn what_was_shown_and_not_spoken_of_is_a_hint_at_most() {
    let clock = clock();
    let memory = filled(&clock);
    for (name, work) in NOTES {
        memory.recall(format!("who {work}, is it {name}?")).unwrap();
    }
    assert_eq!(status(&memory).judged.examples, 0, "without any outcome nothing is known");
    clock.forward_minutes(1.0);
    let shown = memory.recall("who grows saffron, and who breeds carrier pigeons?").unwrap();
    assert!(shown.blocks.len() > 1, "{shown}");
    memory.outcome(Outcome::new([shown.blocks[0].id.to_string()], 1.0).source("user")).unwrap();
    let judged = status(&memory).judged;
    assert_eq!((judged.helped, judged.not_helped), (1.0, 0.25 * (shown.blocks.len() - 1) as f64));
}

#[test]
fn a_retracted_outcome_a_late_one_and_one_about_something_else_do_not_count() {
    let clock = clock();
    let memory = filled(&clock);
    let outcomes = use_memory(&memory, &clock, "user", |_| 1.0);
    let judged = status(&memory).judged;
    assert!(judged.helped > 20.0, "{judged:?}");
    memory.retract_outcome(RetractOutcome::new(&outcomes[0])).unwrap();
    assert_eq!(status(&memory).judged.helped, judged.helped - 1.0);
    clock.forward_minutes(25.0 * 60.0);
    memory.outcome(Outcome::new([BlockId::for_content("Ana breeds carrier pigeons").to_string()], 0.0)).unwrap();
    assert_eq!(status(&memory).judged.helped, judged.helped - 1.0, "a day later it speaks of something else");
}

#[test]
fn untrusted_outcomes_and_untrusted_blocks_never_count() {
    let clock = clock();
    let (memory, before) = (filled(&clock), relevance(&filled(&clock)));
    use_memory(&memory, &clock, "web", |_| 0.0);
    assert_eq!(status(&memory).judged.examples, 0, "outcomes of a page");
    let pages = open_memory(Options { models: static_models(), ..options(&clock) });
    fill(&pages, "web");
    use_memory(&pages, &clock, "web", |_| 0.0);
    disappoint(&pages, &clock);
    assert_eq!(status(&pages).judged.examples, 0, "outcomes about pages");
    memory.consolidate().unwrap();
    assert_eq!(relevance(&memory), before);
    assert!(calibrations(&memory).is_empty() && calibrations(&pages).is_empty());
}

#[test]
fn one_scope_does_not_learn_from_another() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), clock());
    let open = |scope: &str| -> FileMemory {
        let view = ScopeView::only(Scope::parse(scope).unwrap());
        open_file(&folder.path().join("memory.db"), Options { view, models: static_models(), ..options(&clock) })
    };
    let (one, two) = (open("one"), open("two"));
    // The same text is one block of one scope: the other scope has notes of its own.
    fill(&one, "user");
    two.learn("Zoe maps caves and Farid grows saffron in the garden of the museum").unwrap();
    two.consolidate().unwrap();
    let before = relevance(&two);
    disappoint(&one, &clock);
    one.consolidate().unwrap();
    assert_eq!(calibrations(&one).len(), 1);
    two.consolidate().unwrap();
    assert_eq!(relevance(&two), before);
    assert_eq!((status(&two).judged.examples, status(&two).fit), (0, None));
    assert!(one.verify(Verify::new()).unwrap().findings.is_empty());
    let restored = one.undo(Undo::operation(calibrations(&one)[0])).unwrap();
    assert_eq!(restored.counts.settings, 1, "{restored}");
    assert!(status(&one).fit.is_none());
    one.undo(Undo::operation(restored.undo_seq.unwrap())).unwrap();
    assert!(status(&one).fit.is_some(), "an undo can be undone");
}

#[test]
fn another_model_begins_without_a_calibration_and_keeps_that_of_the_old_one() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), clock());
    let path = folder.path().join("memory.db");
    let open = |models: Models| open_file(&path, Options { models, ..options(&clock) });
    let memory = open(static_models());
    fill(&memory, "user");
    disappoint(&memory, &clock);
    memory.consolidate().unwrap();
    let corrected = relevance(&memory);
    let other = || open(models(Arc::new(ScriptedEmbedder::new(64)), Arc::new(RulesAnalyst)));
    other().migrate_embeddings(MigrateEmbeddings::new()).unwrap();
    other().recall(Recall::new("who grows saffron, is it Farid?")).unwrap();
    assert_eq!((status(&other()).judged.examples, status(&other()).fit), (0, None));
    let memory = open(static_models());
    memory.migrate_embeddings(MigrateEmbeddings::new()).unwrap();
    assert_eq!(relevance(&memory), corrected, "back with the old model, what was learned for it holds again");
}
