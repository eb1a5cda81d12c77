//! `blame`, `influence`, `retract_source`.

use elfmem_core::{BlockId, BlockStatus, ScopeView};
use elfmem_engine::{
    Connect, Dream, Edit, Error, IfExists, Learn, LearnDocument, Outcome, RetractSource, Supersede, Undo, Verify,
};
use elfmem_store::{Check, Provenance, Store};

use crate::fixtures::{TestMemory, block};
use crate::memory;

fn page(memory: &TestMemory, name: &str, text: &str) -> BlockId {
    memory.learn_document(LearnDocument::new(text).name(name)).unwrap().chunks.remove(0).block_id
}

fn join(memory: &TestMemory, from: &BlockId, relation: &str, to: &BlockId) {
    // A dream may have found the two alike; what the agent asserts now is what the edge is to say.
    let edge = Connect::new(from.as_str(), to.as_str()).relation(relation).if_exists(IfExists::Update);
    memory.connect(edge).unwrap();
}

fn status(memory: &TestMemory, id: &BlockId) -> BlockStatus {
    block(memory, id).status
}

/// A poisoned page, two conclusions drawn from it, one of them also from something else, and one drawn from a conclusion.
struct Case {
    memory: TestMemory,
    poison: BlockId,
    fact: BlockId,
    only: BlockId,
    both: BlockId,
    further: BlockId,
}

fn case() -> Case {
    let memory = memory();
    let poison = page(&memory, "evil.md", "Mallory approves every release of the billing service");
    let fact = memory.learn("Releases of the billing service are tagged by Ana").unwrap().block_id;
    let only = memory.learn("Ask Mallory before shipping billing").unwrap().block_id;
    let both = memory.learn("Mallory and Ana sign the billing release together").unwrap().block_id;
    let further = memory.learn("Book a meeting with Mallory each sprint").unwrap().block_id;
    memory.dream(Dream::new()).unwrap();
    join(&memory, &only, "derived_from", &poison);
    join(&memory, &both, "derived_from", &poison);
    join(&memory, &both, "derived_from", &fact);
    join(&memory, &further, "derived_from", &only);
    join(&memory, &poison, "supports", &fact);
    Case { memory, poison, fact, only, both, further }
}

#[test]
fn blame_tells_the_source_the_grounds_and_the_outcomes_of_a_block() {
    let Case { memory, poison, fact, only, further, .. } = case();
    memory.outcome(Outcome::new([further.as_str()], 0.9).source("validator")).unwrap();
    memory.outcome(Outcome::new([poison.as_str()], 0.9).source("tool:ci")).unwrap();
    let blame = memory.blame(further.as_str()).unwrap();
    let ids: Vec<(&BlockId, usize)> = blame.rests_on.iter().map(|rest| (&rest.block_id, rest.steps)).collect();
    assert_eq!(ids, [(&only, 1), (&poison, 2)]);
    assert_eq!(blame.rests_on[1].through.as_ref(), Some(&only));
    assert!(blame.trusted && !blame.rests_on[1].trusted);
    assert_eq!(blame.rests_on[1].brought_by.document.as_deref(), Some("evil.md"));
    assert_eq!((blame.outcomes.len(), blame.outcomes[0].trusted), (1, true));
    let of_poison = memory.blame(poison.as_str()).unwrap().outcomes;
    assert_eq!((of_poison.len(), of_poison[0].trusted), (1, false));
    assert_eq!(blame.stored_by.as_ref().unwrap().operation, "learn");
    let of_fact = memory.blame(fact.as_str()).unwrap();
    assert_eq!((of_fact.rests_on[0].how.as_str(), &of_fact.rests_on[0].block_id), ("supports", &poison));
    assert!(memory.blame("ffffffff").is_err());
}

#[test]
fn a_document_and_a_peer_are_told_apart_whatever_the_document_is_called() {
    let memory = memory();
    // What stands between the two where recall reads them.
    let id = page(&memory, "a\u{1f}b\u{1f}\0.md", "Mallory approves every release of the billing service");
    let check = || assert_eq!(memory.verify(Verify::new()).unwrap().findings, []);
    check();
    let sent = Provenance { source_peer: Some("elf:mallory".into()), ..Provenance::default() };
    let view = ScopeView::default();
    memory.store().write(&view, |transaction| transaction.set_provenance(&id, &sent)).unwrap();
    let findings = memory.verify(Verify::new()).unwrap().findings;
    assert!(findings.iter().all(|finding| finding.check != Check::Rows), "{findings:?}");
}

#[test]
fn a_block_that_took_the_place_of_another_rests_on_it() {
    let memory = memory();
    let old = memory.learn("The port is 5432").unwrap().block_id;
    let new = memory.edit(Edit::new(old.as_str()).content("The port of staging is 5432")).unwrap().block_id;
    assert_eq!(memory.blame(new.as_str()).unwrap().rests_on[0].block_id, old);
    let up = memory.influence(old.as_str()).unwrap();
    assert_eq!((up.supports[0].block_id.clone(), up.supports[0].how.as_str()), (new, "took_the_place_of"));
}

#[test]
fn influence_tells_everything_that_rests_on_a_block() {
    let Case { memory, poison, fact, only, both, further } = case();
    let influence = memory.influence(poison.as_str()).unwrap();
    let mut ids: Vec<BlockId> = influence.supports.iter().map(|rest| rest.block_id.clone()).collect();
    ids.sort();
    let mut wanted = vec![fact, only, both, further];
    wanted.sort();
    assert_eq!(ids, wanted);
    assert!(influence.to_string().starts_with("4 blocks rest on"), "{influence}");
}

#[test]
fn retracting_a_source_takes_what_follows_from_it_alone_and_is_undone_as_one() {
    let Case { memory, poison, fact, only, both, further } = case();
    let rehearsed = memory.retract_source(RetractSource::new("evil.md").dry_run()).unwrap();
    assert!(rehearsed.dry_run);
    assert_eq!(status(&memory, &poison), BlockStatus::Active, "a rehearsal changes nothing");

    let result = memory.retract_source("evil.md").unwrap();
    assert_eq!(result.retracted, rehearsed.retracted);
    let gone: Vec<&BlockId> = result.retracted.iter().map(|block| &block.block_id).collect();
    assert_eq!(gone.len(), 3);
    assert!([&poison, &only, &further].into_iter().all(|id| gone.contains(&id)));
    assert_eq!((result.kept.len(), &result.kept[0].block_id, &result.kept[0].follows_from), (1, &both, &fact));
    for (id, wanted) in [
        (&poison, BlockStatus::Archived),
        (&only, BlockStatus::Archived),
        (&further, BlockStatus::Archived),
        (&fact, BlockStatus::Active),
        (&both, BlockStatus::Active),
    ] {
        assert_eq!(status(&memory, id), wanted);
    }
    memory.undo(Undo::last()).unwrap();
    assert!([&poison, &only, &further].into_iter().all(|id| status(&memory, id) == BlockStatus::Active));
    assert_eq!(memory.influence(poison.as_str()).unwrap().supports.len(), 4, "with all that hung on it");
}

#[test]
fn what_a_source_had_displaced_comes_back_and_its_outcomes_count_no_longer() {
    // A source that was trusted and turned out not to deserve it.
    let clock = crate::clock();
    let trust = elfmem_core::TrustPolicy::new(["tool:rumour"], []);
    let memory = crate::fixtures::open_memory(elfmem_engine::Options { trust, ..crate::options(&clock) });
    let honest = memory.learn(Learn::new("The office closes at six").tag("topic/office")).unwrap().block_id;
    memory.dream(Dream::new()).unwrap();
    let before = block(&memory, &honest);
    memory.outcome(Outcome::new([honest.as_str()], 0.0).source("tool:rumour")).unwrap();
    let lie = memory.learn(Learn::new("The office never closes").source("tool:rumour")).unwrap().block_id;
    memory.dream(Dream::new()).unwrap();
    memory.supersede(Supersede::new(honest.as_str(), lie.as_str())).unwrap();

    let result = memory.retract_source("tool:rumour").unwrap();
    assert_eq!((result.restored.as_slice(), result.outcomes_retracted), ([honest.clone()].as_slice(), 1), "{result}");
    let after = block(&memory, &honest);
    assert_eq!((after.status, after.superseded_by), (BlockStatus::Active, None));
    assert_eq!((after.tags, after.confidence), (before.tags, before.confidence));
    assert_eq!(status(&memory, &lie), BlockStatus::Archived);
}

#[test]
fn an_unknown_source_is_a_clear_error_that_names_those_there_are() {
    let memory = memory();
    memory.learn("The office closes at six").unwrap();
    let error = memory.retract_source("nobody").unwrap_err();
    assert!(matches!(&error, Error::UnknownSource { .. }));
    assert!(error.to_string().contains("Sources there are: api"), "{error}");
    assert!(memory.retract_source(RetractSource::new("  ").dry_run()).is_err());
}
