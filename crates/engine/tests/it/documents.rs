//! Long texts.

use elfmem_core::BlockId;
use elfmem_core::edge::EdgeOrigin;
use elfmem_engine::{ErrorKind, LearnDocument, LearnStatus, ListBlocks, Recall};

use crate::fixtures::check_invariants;
use crate::memory;

const TEXT: &str = "# Release\n\nDeploys go out on Tuesdays. Dr. Ortiz approves them.\n\n## Rollback\n\nRun the undo job. Tell the team.";

#[test]
fn a_document_becomes_a_chain_of_linked_blocks() {
    let memory = memory();
    let result = memory.learn_document(LearnDocument::new(TEXT).tags(["topic/release"])).unwrap();
    assert_eq!(result.to_string(), "Stored document as 2 blocks: 2 created, 0 duplicates, 1 edges.");
    let first = memory.show(result.chunks[0].block_id.as_str()).unwrap();
    assert!(first.block.content.starts_with("# Release"));
    assert_eq!((first.block.source.as_str(), first.block.tags.len()), ("document", 1));
    assert_eq!((first.edges.len(), first.edges[0].relation_type.as_str()), (1, "follows"));
    assert_eq!(first.edges[0].origin, EdgeOrigin::DOCUMENT);
    assert_eq!(
        memory.recall(Recall::new("who approves deploys?").top_k(1)).unwrap().blocks[0].id,
        result.chunks[0].block_id
    );
}

#[test]
fn storing_a_document_again_creates_nothing() {
    let memory = memory();
    memory.learn_document(LearnDocument::new(TEXT)).unwrap();
    let again = memory.learn_document(LearnDocument::new(TEXT)).unwrap();
    assert_eq!((again.created, again.duplicates, again.edges_created), (0, 2, 0));
    assert!(again.chunks.iter().all(|chunk| chunk.status == LearnStatus::DuplicateRejected));
}

#[test]
fn a_document_is_stored_whole_or_not_at_all() {
    let memory = memory();
    let error = memory.learn_document(LearnDocument::new(format!("{TEXT}\n\nAnd a \0 at the end."))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Input);
    assert!(memory.list(ListBlocks::all()).unwrap().is_empty());
    assert_eq!(memory.learn_document(LearnDocument::new(" \n ")).unwrap_err().kind(), ErrorKind::Input);
}

#[test]
fn a_document_of_a_megabyte_is_stored_and_found() {
    let memory = memory();
    let text: String =
        (0..12_000).map(|n| format!("Sentence number {n} speaks of things. The marker is m{n}x. ")).collect();
    let result = memory.learn_document(LearnDocument::new(text)).unwrap();
    assert!(result.created > 300);
    let found = memory.recall(Recall::new("m11999x").top_k(3)).unwrap();
    assert!(found.blocks[0].content.contains("m11999x"));
    assert_eq!(found.blocks.iter().filter(|block| !block.matched.is_empty()).count(), 1);
}

#[test]
fn a_line_that_returns_again_and_again_keeps_within_the_degree_cap() {
    let memory = memory();
    let line = "The same line returns every time.";
    let text: String = (0..40).map(|n| format!("{line}\n\nParagraph {n} tells of something else.\n\n")).collect();
    let stored = memory.learn_document(LearnDocument::new(text).chunk_words(6)).unwrap();
    let line = BlockId::for_content(line);
    assert!(stored.chunks.iter().filter(|chunk| chunk.block_id == line).count() > 10, "{stored:?}");
    assert_eq!(memory.show(line.as_str()).unwrap().edges.len(), 10);
    check_invariants(&memory);
}
