//! Proposals: what the memory would like to do and leaves to others.

use std::sync::Arc;

use elfmem_core::{ActiveHours, BlockId, BlockStatus, Tag};
use elfmem_engine::{CareError, Dream, Error, Learn, ListOperations, ListProposals, Options, Rescore, Undo};
use elfmem_models::builtin::STATIC_PROFILE;
use elfmem_models::scripted::{ScriptedAnalyst, ScriptedEmbedder};
use elfmem_store::{Proposal, ProposalKind, ProposalState};

use crate::fixtures::{
    TestMemory, block, check_invariants, edges, edit, learn, memory_with, models, open_memory, work_for,
};
use crate::state::{assert_same_state, state};
use crate::{clock, options};

const OLD: &str = "Ana rides her bicycle to work";
const NEW: &str = "By bike is how Ana commutes";

fn only(memory: &TestMemory) -> Proposal {
    let found = memory.proposals(ListProposals::new()).unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(!found[0].action.is_empty() && !found[0].proposal.reason.is_empty());
    found[0].proposal.clone()
}

/// Two texts that are very near to the embedder and that the rules do not merge.
fn near() -> TestMemory {
    let embedder = ScriptedEmbedder::new(64).with_profile(STATIC_PROFILE).with_cosine(OLD, NEW, 0.97);
    memory_with(models(Arc::new(embedder), Arc::new(ScriptedAnalyst::new())))
}

#[test]
fn near_duplicates_that_the_rules_kept_apart_are_proposed_once_and_merged_on_request() {
    let memory = near();
    learn(&memory, &[OLD, NEW]);
    let result = memory.dream(Dream::new()).unwrap();
    assert_eq!((result.promoted, result.proposed), (2, 1), "{result}");
    assert!(result.to_string().contains("1 proposal waits."), "{result}");
    let proposal = only(&memory);
    assert_eq!(proposal.kind, ProposalKind::NearDuplicate);
    assert_eq!(proposal.block_id, BlockId::for_content(NEW));
    let before = state(&memory);
    let accepted = memory.accept_proposals([proposal.number]).unwrap();
    assert!(accepted.to_string().contains("supersedes"), "{accepted}");
    assert_eq!(block(&memory, &BlockId::for_content(OLD)).superseded_by, Some(BlockId::for_content(NEW)));
    assert!(memory.proposals(ListProposals::new()).unwrap().is_empty());
    check_invariants(&memory);
    let again = memory.accept_proposals([proposal.number]).unwrap_err();
    assert!(matches!(again, Error::Care(CareError::Settled { state: ProposalState::Accepted, .. })), "{again}");
    memory.undo(Undo::last()).unwrap();
    assert_same_state(&state(&memory), &before);
}

#[test]
fn a_purge_takes_settled_proposals_about_the_block_with_it_and_the_memory_agrees_with_itself() {
    for accept in [false, true] {
        let memory = near();
        learn(&memory, &[OLD, NEW]);
        memory.dream(Dream::new()).unwrap();
        let number = only(&memory).number;
        if accept {
            memory.accept_proposals([number]).unwrap();
        } else {
            memory.reject_proposals([number]).unwrap();
        }
        memory.purge(BlockId::for_content(OLD).as_str()).unwrap();
        assert!(memory.proposals(ListProposals::new().all()).unwrap().is_empty());
        check_invariants(&memory);
    }
}

#[test]
fn a_dream_that_is_undone_takes_its_proposals_with_it() {
    let memory = near();
    learn(&memory, &[OLD, NEW]);
    let before = state(&memory);
    memory.dream(Dream::new()).unwrap();
    let past = memory.operations(ListOperations::new().limit(1)).unwrap().remove(0);
    assert_eq!((past.operation.as_str(), past.parts.len()), ("dream", 2), "the proposals are a part of it");
    assert_eq!(memory.undo(Undo::last()).unwrap().operation, "dream");
    assert_same_state(&state(&memory), &before);
    assert_eq!(memory.dream(Dream::new()).unwrap().proposed, 1, "it is proposed anew");
}

#[test]
fn what_was_rejected_does_not_come_back() {
    let memory = near();
    learn(&memory, &[OLD, NEW]);
    memory.dream(Dream::new()).unwrap();
    memory.reject_proposals([only(&memory).number]).unwrap();
    assert!(memory.proposals(ListProposals::new()).unwrap().is_empty());
    memory.forget(BlockId::for_content(NEW).as_str()).unwrap();
    memory.learn(NEW).unwrap();
    let again = memory.dream(Dream::new()).unwrap();
    assert_eq!((again.promoted, again.proposed), (1, 0));
    assert!(memory.proposals(ListProposals::new()).unwrap().is_empty());
    assert_eq!(memory.proposals(ListProposals::new().all()).unwrap()[0].proposal.state, ProposalState::Rejected);
}

#[test]
fn an_analyst_may_only_propose_what_is_constitutional() {
    let text = "I never share what I was told in confidence";
    let analyst = ScriptedAnalyst::new().saying("confidence", 0.9, &["self/value", "self/constitutional"]);
    let memory = memory_with(models(Arc::new(ScriptedEmbedder::new(16)), Arc::new(analyst)));
    let id = learn(&memory, &[text]).remove(0);
    memory.dream(Dream::new()).unwrap();
    assert_eq!(block(&memory, &id).tags, [Tag::from_stored("self/value")]);
    let proposal = only(&memory);
    assert_eq!((proposal.kind, proposal.tag.as_deref()), (ProposalKind::Tag, Some("self/constitutional")));
    // Looking again makes no second one.
    memory.rescore(Rescore::new().max(5).min_age_hours(0.0)).unwrap();
    memory.accept_proposals([only(&memory).number]).unwrap();
    let tags = block(&memory, &id).tags;
    assert!(tags.contains(&Tag::from_stored("self/constitutional")), "{tags:?}");
    memory.undo(Undo::last()).unwrap();
    assert_eq!(block(&memory, &id).tags, [Tag::from_stored("self/value")]);
    assert_eq!(only(&memory).state, ProposalState::Open);
}

#[test]
fn pairs_that_did_not_fit_under_the_cap_are_proposed_as_connections() {
    let hub = "The hub everything is near to";
    let spokes: Vec<String> =
        (0..12).map(|n| format!("Spoke {} stands alone", "abcdefghijkl".chars().nth(n).unwrap())).collect();
    let embedder = spokes
        .iter()
        .enumerate()
        .fold(ScriptedEmbedder::new(64).with_profile(STATIC_PROFILE), |embedder, (at, spoke)| {
            embedder.with_cosine(hub, spoke, 0.93 - at as f64 * 0.001)
        });
    let memory = memory_with(models(Arc::new(embedder), Arc::new(ScriptedAnalyst::new())));
    let hub = learn(&memory, &[hub]).remove(0);
    learn(&memory, &spokes.iter().map(String::as_str).collect::<Vec<_>>());
    let result = memory.dream(Dream::new()).unwrap();
    let of_hub = || edges(&memory).iter().filter(|edge| [&edge.key.from_id, &edge.key.to_id].contains(&&hub)).count();
    assert_eq!(of_hub(), 10);
    let found = memory.proposals(ListProposals::new()).unwrap();
    let connections: Vec<&Proposal> =
        found.iter().map(|found| &found.proposal).filter(|found| found.kind == ProposalKind::Connection).collect();
    assert!(!connections.is_empty() && result.proposed == found.len(), "{result} {found:?}");
    assert!(connections[0].reason.contains("has 10 edges already"), "{}", connections[0].reason);
    let before = state(&memory);
    let accepted = memory.accept_proposals([connections[0].number]).unwrap();
    assert!(accepted.to_string().contains("Displaced auto-similar edge"), "{accepted}");
    assert_eq!(of_hub(), 10);
    check_invariants(&memory);
    memory.undo(Undo::last()).unwrap();
    assert_same_state(&state(&memory), &before);
}

#[test]
fn a_block_that_was_of_use_and_fades_is_proposed_to_be_kept() {
    let clock = clock();
    let models = models(Arc::new(ScriptedEmbedder::new(16)), Arc::new(ScriptedAnalyst::new()));
    let memory = open_memory(Options { models, ..options(&clock) });
    let ids = learn(&memory, &["Used often", "Used never"]);
    memory.dream(Dream::new()).unwrap();
    edit(&memory, |transaction| {
        transaction.update_block(&ids[0], &mut |block| block.reinforcement_count = 9).map(drop)
    });
    memory.begin_session("work").unwrap();
    work_for(&memory, &clock, 260.0);
    assert_eq!(memory.dream(Dream::new()).unwrap().proposed, 1);
    let proposal = only(&memory);
    assert_eq!((proposal.kind, &proposal.block_id), (ProposalKind::Stale, &ids[0]));
    assert_eq!(memory.dream(Dream::new()).unwrap().proposed, 0, "one for each subject");
    memory.accept_proposals([proposal.number]).unwrap();
    let kept = block(&memory, &ids[0]);
    assert!(kept.last_reinforced_at > ActiveHours::new(250.0) && kept.status == BlockStatus::Active);
    // It may fade again.
    work_for(&memory, &clock, 260.0);
    assert_eq!(memory.dream(Dream::new()).unwrap().proposed, 1);
    assert_eq!(only(&memory).number, proposal.number);
}

#[test]
fn there_is_never_a_flood() {
    let pairs: Vec<(String, String)> = (0..140)
        .map(|n| {
            (format!("Case {n}: Ana rides her bicycle to work"), format!("Under {n}, by bike is how Ana commutes"))
        })
        .collect();
    let embedder = pairs.iter().fold(ScriptedEmbedder::new(512).with_profile(STATIC_PROFILE), |embedder, (a, b)| {
        embedder.with_cosine(a, b, 0.97)
    });
    let memory = memory_with(models(Arc::new(embedder), Arc::new(ScriptedAnalyst::new())));
    let mut most = 0;
    for chunk in pairs.chunks(20) {
        let texts: Vec<&str> = chunk.iter().flat_map(|(a, b)| [a.as_str(), b.as_str()]).collect();
        learn(&memory, &texts);
        most = most.max(memory.dream(Dream::new()).unwrap().proposed);
    }
    assert_eq!((most, memory.proposals(ListProposals::new()).unwrap().len()), (20, 100));
}

#[test]
fn proposals_that_no_longer_hold_are_not_shown_and_cannot_be_accepted() {
    let memory = near();
    learn(&memory, &[OLD, NEW]);
    memory.dream(Dream::new()).unwrap();
    let number = only(&memory).number;
    memory.forget(BlockId::for_content(OLD).as_str()).unwrap();
    assert!(memory.proposals(ListProposals::new()).unwrap().is_empty());
    let before = state(&memory);
    let outdated = memory.accept_proposals([number]).unwrap_err();
    assert!(matches!(&outdated, Error::Care(CareError::Outdated { .. })), "{outdated}");
    let missing = memory.accept_proposals([999]).unwrap_err();
    assert!(matches!(missing, Error::Care(CareError::NoProposal { number: 999 })), "{missing}");
    assert!(memory.reject_proposals([number, 999]).is_err());
    assert_same_state(&state(&memory), &before);
    memory.restore(BlockId::for_content(OLD).as_str()).unwrap();
    assert_eq!(only(&memory).number, number);
}

#[test]
fn a_merged_text_has_the_least_trust_of_its_parts() {
    const WEB: &str = "Ada runs the data team and lives in Braga.";
    const OWN: &str = "Ada now lives in Porto.";
    let merged_text = "Ada runs the data team. Ada now lives in Porto.";
    for (older, newer) in [("tool:web", "user"), ("tool:web", "tool:web"), ("user", "user")] {
        let embedder = ScriptedEmbedder::new(64).with_profile(STATIC_PROFILE).with_cosine(WEB, OWN, 0.8);
        let memory = memory_with(models(Arc::new(embedder), Arc::new(ScriptedAnalyst::new())));
        memory.learn(Learn::new(WEB).source(older)).unwrap();
        memory.learn(Learn::new(OWN).source(newer)).unwrap();
        memory.dream(Dream::new()).unwrap();
        let found = memory.proposals(ListProposals::new()).unwrap();
        let details = found.iter().find(|one| one.proposal.text.as_deref() == Some(merged_text)).expect("proposed");
        let web = details.blocks.iter().find(|one| one.content == WEB).expect("the older block");
        assert_eq!((web.source.as_str(), web.trusted), (older, older == "user"));
        assert_eq!(details.action.contains("not trusted"), older != "user", "{}", details.action);
        let before = state(&memory);
        let accepted = memory.accept_proposals([details.proposal.number]).unwrap().to_string();
        assert_eq!(accepted.contains("tool:web"), older != "user", "{accepted}");
        let merged = block(&memory, &BlockId::for_content(merged_text));
        assert_eq!((merged.status, merged.source.as_str()), (BlockStatus::Active, older));
        assert_eq!(block(&memory, &BlockId::for_content(WEB)).superseded_by, Some(merged.id.clone()));
        let kept = block(&memory, &BlockId::for_content(OWN)).status;
        let mixed = older != newer;
        assert_eq!(kept, if mixed { BlockStatus::Active } else { BlockStatus::Archived }, "{older} {newer}");
        check_invariants(&memory);
        memory.undo(Undo::last()).unwrap();
        assert_same_state(&state(&memory), &before);
    }
}
