//! Edges between blocks that are described, not named (seed 000, group 8; the names of the tests are the seed's).

use elfmem_core::{BlockId, EdgeOrigin};
use elfmem_engine::{ConnectAction, ConnectByQuery, ErrorKind, QueryAction, ReadLog, Recall};

use crate::fixtures::{TestMemory, edge_between};
use crate::memory;

const PARSER: &str = "The tokenizer splits identifiers at underscores";
const BACKUP: &str = "Nightly backups of the database go to the Lisbon server";

/// A consolidated memory with the built-in models.
fn consolidated() -> TestMemory {
    let memory = memory();
    for text in
        [PARSER, BACKUP, "Maria is allergic to peanuts", "Deploys go out on Tuesdays", "The office has two kettles"]
    {
        memory.learn(text).unwrap();
    }
    memory.consolidate().unwrap();
    memory
}

fn queries() -> ConnectByQuery {
    ConnectByQuery::new("how the tokenizer splits identifiers", "nightly database backups")
}

#[test]
fn test_connect_by_query_connects_matching_blocks() {
    let memory = consolidated();
    let asked = queries().relation("supports").note("why");
    let result = memory.connect_by_query(&asked).unwrap();
    assert_eq!(result.action, QueryAction::Connected, "{result:?}");
    let (a, b) = (BlockId::for_content(PARSER), BlockId::for_content(BACKUP));
    assert_eq!((result.source_id.as_ref(), result.target_id.as_ref()), (Some(&a), Some(&b)));
    let edge = edge_between(&memory, &a, &b).unwrap();
    assert_eq!(
        (edge.relation_type.as_str(), edge.origin, edge.note.as_deref()),
        ("supports", EdgeOrigin::AGENT, Some("why"))
    );
    assert!(result.source_confidence >= 0.70 && result.target_confidence >= 0.70);
}

#[test]
fn test_connect_by_query_returns_block_content_for_verification() {
    let result = consolidated().connect_by_query(queries()).unwrap();
    assert_eq!((result.source_content.as_deref(), result.target_content.as_deref()), (Some(PARSER), Some(BACKUP)));
    assert_eq!(result.connect_result.unwrap().action, ConnectAction::Created);
}

#[test]
fn test_connect_by_query_insufficient_confidence_returns_no_edge() {
    let memory = consolidated();
    for target in ["the tax rules of medieval Burgundy", "zzz qqq", ""] {
        let result =
            memory.connect_by_query(ConnectByQuery::new("how the tokenizer splits identifiers", target)).unwrap();
        assert_eq!(result.action, QueryAction::InsufficientConfidence, "{result:?}");
        assert!(result.target_confidence < 0.70 && result.connect_result.is_none());
        assert_eq!(result.source_content.as_deref(), Some(PARSER), "what matched is shown");
        assert!(result.to_string().starts_with("connect_by_query: confidence too low"), "{result}");
    }
    assert!(memory.show(BlockId::for_content(PARSER).as_str()).unwrap().edges.is_empty());
    let empty = crate::memory().connect_by_query(queries()).unwrap();
    assert_eq!((empty.action, empty.source_id), (QueryAction::InsufficientConfidence, None));
}

#[test]
fn test_connect_by_query_dry_run_preview_no_edge_written() {
    let memory = consolidated();
    let before = memory.log(ReadLog::new().limit(100)).unwrap().len();
    let result = memory.connect_by_query(queries().dry_run()).unwrap();
    assert_eq!((result.action, result.connect_result), (QueryAction::DryRunPreview, None));
    assert!(memory.show(BlockId::for_content(PARSER).as_str()).unwrap().edges.is_empty());
    assert_eq!(memory.log(ReadLog::new().limit(100)).unwrap().len(), before);
}

#[test]
fn test_connect_by_query_dry_run_returns_matched_content() {
    let result = consolidated().connect_by_query(queries().dry_run()).unwrap();
    assert_eq!((result.source_content.as_deref(), result.target_content.as_deref()), (Some(PARSER), Some(BACKUP)));
    assert!(result.to_string().starts_with("dry_run: source='The tokenizer splits"), "{result}");
}

#[test]
fn queries_reinforce_nothing_and_leave_the_breadcrumbs_alone() {
    let memory = consolidated();
    memory.recall(Recall::new("kettles").top_k(1)).unwrap();
    let trail = (memory.last_recall_block_ids(), memory.session_block_ids(), memory.last_learned_block_id());
    let id = BlockId::for_content(PARSER);
    let before = memory.show(id.as_str()).unwrap().block;
    memory.connect_by_query(queries()).unwrap();
    assert_eq!((memory.last_recall_block_ids(), memory.session_block_ids(), memory.last_learned_block_id()), trail);
    assert_eq!(memory.show(id.as_str()).unwrap().block, before);
}

#[test]
fn two_queries_that_mean_one_block_are_a_self_loop_and_bad_confidence_is_an_error() {
    let memory = consolidated();
    let same = ConnectByQuery::new(PARSER, "the tokenizer splits identifiers at underscores");
    for asked in [same.clone().dry_run(), same] {
        let error = memory.connect_by_query(asked).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::SelfLoop);
    }
    for min_confidence in [f64::NAN, -0.1, 1.1] {
        let error = memory.connect_by_query(queries().min_confidence(min_confidence)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Input);
    }
}
