//! Long texts.

use elfmem_core::edge::EdgeOrigin;
use elfmem_core::{Block, BlockId, BlockStatus};
use elfmem_engine::{
    Connect, Dream, Edit, ErrorKind, ForgetDocument, Learn, LearnDocument, LearnDocumentResult, LearnStatus,
    ListBlocks, ListDocuments, Outcome, Pin, Recall, Undo,
};

use crate::fixtures::{TestMemory, block, check_invariants};
use crate::memory;

const TEXT: &str = "# Release\n\nDeploys go out on Tuesdays. Dr. Ortiz approves them.\n\n## Rollback\n\nRun the undo job. Tell the team.";

#[test]
fn a_document_becomes_a_chain_of_linked_blocks() {
    let memory = memory();
    let result = memory.learn_document(LearnDocument::new(TEXT).tags(["topic/release"])).unwrap();
    assert_eq!(result.to_string(), "Stored document as 2 blocks: 2 created, 0 duplicates, 1 edge.");
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

const NOTES: &str = "# Office\n\nThe office is in Porto. It opens at nine.\n\n# Lunch\n\nLunch is at noon. Ana cooks on \
                     Fridays.\n\n# Pets\n\nDogs are welcome on Mondays.";

fn learn(memory: &TestMemory, text: &str) -> LearnDocumentResult {
    memory.learn_document(LearnDocument::new(text).name("notes.md")).unwrap()
}

fn all(memory: &TestMemory) -> Vec<Block> {
    let mut blocks = memory.list(ListBlocks::all()).unwrap();
    blocks.sort_by(|one, other| one.id.cmp(&other.id));
    blocks.iter_mut().for_each(|block| block.revision = 0);
    blocks
}

#[test]
fn a_document_learned_again_keeps_replaces_and_archives_its_chunks_in_one_operation() {
    let memory = memory();
    let first = learn(&memory, NOTES);
    assert_eq!((first.created, first.replaced), (3, false));
    let own =
        memory.learn(Learn::new("The landlord of the office is called Rui").source("tool:mail")).unwrap().block_id;
    memory.dream(Dream::new()).unwrap();
    let [office, lunch, pets] = [0, 1, 2].map(|at| first.chunks[at].block_id.clone());
    memory.outcome(Outcome::new([office.as_str(), lunch.as_str()], 1.0)).unwrap();
    memory.connect(Connect::new(lunch.as_str(), own.as_str())).unwrap();
    let before = all(&memory);

    let text =
        NOTES.replace("Lunch is at noon.", "Lunch is at one.").replace("# Pets\n\nDogs are welcome on Mondays.", "");
    let again = learn(&memory, &format!("{text}\n\n# Travel\n\nTrains are paid for."));
    assert_eq!((again.unchanged, again.changed, again.removed, again.created), (1, 1, 1, 2), "{again}");
    assert_eq!((again.replaced, again.kept, again.duplicates), (true, 0, 0));
    let office_before = before.iter().find(|block| block.id == office).unwrap();
    let now = block(&memory, &office);
    assert_eq!((now.confidence, now.outcome_evidence), (office_before.confidence, office_before.outcome_evidence));
    assert_eq!(now.status, BlockStatus::Active);
    let successor = again.chunks[1].block_id.clone();
    assert_eq!(again.chunks[1].superseded, Some(lunch.clone()));
    let old = block(&memory, &lunch);
    assert_eq!((old.status, old.superseded_by), (BlockStatus::Archived, Some(successor.clone())));
    let new = memory.show(successor.as_str()).unwrap();
    let lunch_before = before.iter().find(|block| block.id == lunch).unwrap();
    assert_eq!(new.block.confidence, lunch_before.confidence, "what was learned goes to the successor");
    assert!(new.edges.iter().any(|edge| *edge.key.other(&successor) == own), "{:?}", new.edges);
    let gone = block(&memory, &pets);
    assert_eq!((gone.status, gone.superseded_by), (BlockStatus::Archived, None));
    check_invariants(&memory);

    memory.undo(Undo::last()).unwrap();
    assert_eq!(all(&memory), before, "one undo takes all of it back");
}

#[test]
fn the_same_document_again_changes_no_block() {
    let memory = memory();
    learn(&memory, NOTES);
    memory.dream(Dream::new()).unwrap();
    let before = all(&memory);
    let again = learn(&memory, NOTES);
    assert_eq!((again.unchanged, again.created, again.duplicates, again.changed), (3, 0, 0, 0));
    assert_eq!((again.removed, again.kept, again.edges_created), (0, 0, 0));
    assert_eq!(all(&memory), before);
}

#[test]
fn a_version_that_comes_back_brings_its_chunks_back() {
    let memory = memory();
    let first = learn(&memory, NOTES);
    learn(&memory, &NOTES.replace("noon", "one"));
    let back = learn(&memory, NOTES);
    assert_eq!((back.unchanged, back.changed, back.created), (2, 1, 1), "{back}");
    assert_eq!(block(&memory, &first.chunks[1].block_id).status, BlockStatus::Inbox);
    assert_eq!(memory.documents(ListDocuments::new()).unwrap()[0].chunks, 3);
    check_invariants(&memory);
}

#[test]
fn a_document_touches_neither_another_source_nor_another_name_nor_the_owner() {
    let memory = memory();
    let shared = "Every visitor signs the book at the door.";
    let own = memory.learn("The alarm code changes every month.").unwrap().block_id;
    learn(&memory, &format!("# A\n\n{shared}\n\n# B\n\nThe alarm code changes every month.\n\n# C\n\nOnly here."));
    let other = LearnDocument::new(format!("# A\n\n{shared}")).name("other.md");
    let of_other = memory.learn_document(other).unwrap();
    let web = LearnDocument::new("# A\n\nThe web says so.").name("notes.md").source("tool:web");
    let of_web = memory.learn_document(web).unwrap().chunks.remove(0).block_id;
    assert_eq!((of_other.duplicates, of_other.created), (1, 0));

    let again = learn(&memory, "# Z\n\nSomething else entirely.");
    assert_eq!((again.removed, again.kept), (2, 1), "{again}");
    for id in [&own, &of_other.chunks[0].block_id, &of_web] {
        assert_ne!(block(&memory, id).status, BlockStatus::Archived, "{id}");
    }
    let part = &block(&memory, &of_other.chunks[0].block_id);
    assert_eq!(part.parts.len(), 1);
    assert_eq!(part.brought_by.document.as_deref(), Some("other.md"), "the other document stands for it now");
    let names: Vec<(String, String, usize)> = memory
        .documents(ListDocuments::new())
        .unwrap()
        .into_iter()
        .map(|document| (document.name, document.source, document.chunks))
        .collect();
    let named = |name: &str, source: &str| (name.to_owned(), source.to_owned(), 1);
    assert_eq!(names, [named("notes.md", "document"), named("notes.md", "tool:web"), named("other.md", "document")]);
}

#[test]
fn an_untrusted_document_lets_go_of_what_the_owner_connected_and_takes_nothing_along() {
    let memory = memory();
    let chunk = learn(&memory, NOTES).chunks[1].block_id.clone();
    let own = memory.learn("I plan the team lunch").unwrap().block_id;
    memory.dream(Dream::new()).unwrap();
    memory.connect(Connect::new(own.as_str(), chunk.as_str())).unwrap();
    let again = learn(&memory, &NOTES.replace("Lunch is at noon.", "Lunch is at one."));
    assert_eq!(again.changed, 1);
    assert!(memory.show(own.as_str()).unwrap().edges.is_empty(), "an untrusted text is not joined to a trusted one");
    check_invariants(&memory);
}

#[test]
fn what_is_pinned_or_said_outside_of_the_document_stays_when_it_vanishes() {
    let memory = memory();
    let first = learn(&memory, NOTES);
    memory.pin(Pin::new(first.chunks[2].block_id.as_str())).unwrap();
    let said = block(&memory, &first.chunks[1].block_id).content;
    memory.learn(Learn::new(said).source("tool:mail")).unwrap();
    let again = learn(&memory, "# Office\n\nThe office is in Porto. It opens at nine.");
    assert_eq!((again.unchanged, again.kept, again.removed, again.changed), (1, 2, 0, 0), "{again}");
}

#[test]
fn an_edited_chunk_stays_edited_when_the_document_did_not_change_there() {
    let memory = memory();
    let first = learn(&memory, NOTES);
    let edit = Edit::new(first.chunks[2].block_id.as_str()).content("# Pets\n\nDogs are welcome on all days.");
    let edited = memory.edit(edit).unwrap().block_id;
    let again = learn(&memory, NOTES);
    assert_eq!((again.unchanged, again.created, again.removed), (3, 0, 0), "{again}");
    assert_eq!(block(&memory, &edited).status, BlockStatus::Inbox);
    assert_eq!(block(&memory, &first.chunks[2].block_id).status, BlockStatus::Archived);
}

#[test]
fn a_sentence_that_comes_into_a_long_section_changes_one_chunk() {
    let memory = memory();
    let text: String = (0..200).map(|n| format!("Sentence number {n} speaks of thing {n}. ")).collect();
    let document = |text: &str| LearnDocument::new(text).name("long.md").chunk_words(50);
    let first = memory.learn_document(document(&text)).unwrap();
    let longer = text.replacen("Sentence number 33 ", "A sentence came in. Sentence number 33 ", 1);
    let again = memory.learn_document(document(&longer)).unwrap();
    assert_eq!((again.changed, again.removed), (1, 0), "{again}");
    assert_eq!(again.unchanged, first.chunks.len() - 1);
}

#[test]
fn a_hit_shows_its_document_and_headings() {
    let memory = memory();
    let text = "# Handbook\n\n## Refunds\n\nA refund takes nine days.\n\n## Travel\n\nTrains are paid for.";
    memory.learn_document(LearnDocument::new(text).name("/srv/handbook.md").chunk_words(20)).unwrap();
    let hit = memory.recall(Recall::new("how long does a refund take?").top_k(1)).unwrap().blocks.remove(0);
    let part = hit.part.expect("it is a part of the handbook");
    assert_eq!((part.document.as_str(), part.headings.join("/").as_str()), ("/srv/handbook.md", "Handbook/Refunds"));
    assert_eq!(part.in_words(), "handbook.md › Handbook › Refunds");
}

#[test]
fn forgetting_a_document_archives_all_of_it_and_undo_brings_it_back() {
    let memory = memory();
    learn(&memory, NOTES);
    let other = memory.learn_document(LearnDocument::new("# X\n\nOther text.").name("/tmp/x/other.md")).unwrap();
    let before = all(&memory);
    let forgotten = memory.forget_document(ForgetDocument::new("notes.md").reason("outdated")).unwrap();
    assert_eq!((forgotten.archived, forgotten.kept), (3, 0));
    assert_eq!(memory.status().unwrap().archived_count, 3);
    assert_eq!(memory.documents(ListDocuments::new()).unwrap().len(), 1);
    memory.undo(Undo::last()).unwrap();
    assert_eq!(all(&memory), before);
    let missing = memory.forget_document(ForgetDocument::new("nothing.md")).unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::NotFound);
    assert!(missing.to_string().contains("notes.md (source document)"), "{missing}");
    memory.forget_document(ForgetDocument::new("other.md")).unwrap();
    assert_eq!(block(&memory, &other.chunks[0].block_id).status, BlockStatus::Archived);
    let web = LearnDocument::new("Another page.").name("notes.md").source("tool:web");
    memory.learn_document(web).unwrap();
    assert_eq!(memory.forget_document(ForgetDocument::new("notes.md")).unwrap_err().kind(), ErrorKind::Conflict);
    let chosen = memory.forget_document(ForgetDocument::new("notes.md").source("tool:web")).unwrap();
    assert_eq!((chosen.archived, chosen.source.as_str()), (1, "tool:web"));
}

#[test]
fn chunks_of_one_document_never_replace_each_other_in_a_dream() {
    let memory = memory();
    let text = "# May\n\nThe staging database listens on port 5432.\n\n# June\n\nThe staging database now listens on \
                port 5433, no longer on port 5432.\n\n# July\n\nThe staging database is listening on port 5432.";
    for document in [LearnDocument::new(text).name("log.md"), LearnDocument::new(text.replace("staging", "test"))] {
        let chunks = memory.learn_document(document.chunk_words(12)).unwrap().chunks;
        assert_eq!(chunks.len(), 3);
        let result = memory.dream(Dream::new()).unwrap();
        assert_eq!((result.promoted, result.deduplicated, result.updated), (3, 0, 0), "{result:?}");
    }
}
