//! `purge`: after it, the words are nowhere.

use std::path::Path;

use elfmem_core::BlockId;
use elfmem_engine::{
    CareError, Dream, Edit, Error, Forget, Learn, Memory, ReadLog, Recall, RemoveTags, SessionStyle, Undo,
};
use elfmem_store::Store;

use crate::fixtures::{agent_edge, block, edit, learn};
use crate::{clock, memory, memory_on};

const SECRET: &str = "The vault of Zanzibar opens with the phrase quixotic marmalade 88417721390";
/// What gives it away, and the stems that the full-text index holds.
const WORDS: [&str; 7] = ["zanzibar", "quixotic", "quixot", "marmalade", "marmalad", "88417721390", "xenolith"];

/// The bytes of the database, its log and its shared memory, lowercased.
fn bytes_of(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    for suffix in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        bytes.extend(std::fs::read(name).unwrap_or_default());
    }
    bytes.to_ascii_lowercase()
}

fn words_in(path: &Path) -> Vec<&'static str> {
    let bytes = bytes_of(path);
    let holds = |word: &&&str| bytes.windows(word.len()).any(|window| window == word.as_bytes());
    WORDS.iter().filter(holds).copied().collect()
}

/// A life that leaves the words in as many places as it can.
fn live(memory: &Memory<impl Store>) -> BlockId {
    let others = learn(memory, &["Ana keeps bees", "The vault is in the cellar", "Doors open at nine"]);
    let secret = memory.learn(Learn::new(SECRET).tag("topic/xenolith")).unwrap().block_id;
    memory.dream(Dream::new()).unwrap();
    memory.edit(Edit::new(secret.as_str()).cue("quixotic things").add_tag("more/xenolith")).unwrap();
    let mut edge = agent_edge(&secret, &others[0]);
    edge.note = Some("both about marmalade".into());
    edit(memory, |transaction| transaction.put_edge(&edge));
    memory.recall(Recall::new("quixotic marmalade").top_k(3)).unwrap();
    memory.forget(Forget::new(secret.as_str()).reason("marmalade is private")).unwrap();
    memory.restore(secret.as_str()).unwrap();
    memory.undo(Undo::last()).unwrap();
    memory.restore(secret.as_str()).unwrap();
    // A removed block is whole in the journal, and back by undo.
    edit(memory, |transaction| transaction.delete_block(&secret));
    memory.undo(Undo::last()).unwrap();
    memory.edit(Edit::new(secret.as_str()).content(SECRET.to_uppercase())).unwrap();
    // Enough churn that pages are freed and used again.
    for number in 0..200 {
        memory.learn(format!("Filler {number} of no interest to anyone at all")).unwrap();
    }
    memory.dream(Dream::new()).unwrap();
    secret
}

#[test]
fn after_a_purge_the_words_are_nowhere_in_the_bytes_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let memory = memory_on(&path, &clock(), SessionStyle::Held);
    let secret = live(&memory);
    assert_eq!(words_in(&path), WORDS, "the test must be able to find them");
    let purged = memory.purge(secret.short()).unwrap();
    assert!(purged.erased && purged.kin.is_empty() && purged.warnings.is_empty(), "{purged}");
    assert_eq!(words_in(&path), [""; 0]);
    drop(memory);
    assert_eq!(words_in(&path), [""; 0], "also when the file was closed");
    let memory = memory_on(&path, &clock(), SessionStyle::Held);
    assert_eq!(memory.store().pragma("integrity_check").unwrap(), "ok");
    let found = memory.recall(Recall::new("quixotic marmalade").top_k(3)).unwrap();
    assert!(found.blocks.iter().all(|block| block.matched.is_empty() && block.id != secret), "{found}");
    assert_eq!(words_in(&path), [""; 0], "what is asked is not written down");
    assert!(
        !memory.recall(Recall::new("bees").top_k(3)).unwrap().blocks[0].matched.is_empty(),
        "the rest is still found"
    );
}

#[test]
fn after_a_purge_its_vectors_are_nowhere_in_the_bytes_of_the_file_and_the_rest_keeps_its_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let memory = memory_on(&path, &clock(), SessionStyle::Held);
    let secret = live(&memory);
    let file = rusqlite::Connection::open(&path).unwrap();
    let forms: [Vec<u8>; 2] = file
        .query_row(
            "SELECT embedding, coarse FROM blocks JOIN search_documents ON block_id = id WHERE id = ?1",
            [secret.as_str()],
            |row| Ok([row.get(0)?, row.get(1)?]),
        )
        .unwrap();
    // A page may hold a part of a row: any piece of them would give it away.
    let pieces: Vec<&[u8]> = forms.iter().flat_map(|form| form.chunks_exact(64)).collect();
    let found = || {
        let bytes: Vec<u8> = ["", "-wal"]
            .iter()
            .flat_map(|suffix| std::fs::read(format!("{}{suffix}", path.display())).unwrap_or_default())
            .collect();
        pieces.iter().filter(|piece| bytes.windows(piece.len()).any(|window| window == **piece)).count()
    };
    assert_eq!(found(), pieces.len(), "the test must be able to find them");
    drop(file);
    assert!(memory.purge(secret.as_str()).unwrap().erased);
    assert_eq!(found(), 0);
    drop(memory);
    let file = rusqlite::Connection::open(&path).unwrap();
    let moved = "SELECT count(*) FROM search_documents JOIN blocks ON id = block_id WHERE place <> blocks.position";
    assert_eq!(file.query_row(moved, [], |row| row.get::<_, i64>(0)).unwrap(), 0);
}

#[test]
fn a_tombstone_says_that_there_was_a_block_and_a_purge_can_be_finished_later() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let memory = memory_on(&path, &clock(), SessionStyle::Held);
    let secret = live(&memory);
    // A reader of an older state keeps the log from being emptied.
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch("BEGIN; SELECT count(*) FROM blocks;").unwrap();
    let purged = memory.purge(secret.as_str()).unwrap();
    assert!(!purged.erased && purged.to_string().contains("Repeat purge"), "{purged}");
    let error = memory.show(secret.short()).unwrap_err();
    assert!(matches!(&error, Error::Care(CareError::Purged { id, .. }) if *id == secret), "{error}");
    connection.execute_batch("COMMIT").unwrap();
    let finished = memory.purge(secret.short()).unwrap();
    assert!(finished.erased && finished.already_purged, "{finished}");
    assert_eq!(words_in(&path), [""; 0]);
}

#[test]
fn other_wordings_are_named_and_what_they_inherited_says_nothing_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let memory = memory_on(&path, &clock(), SessionStyle::Held);
    let secret = live(&memory);
    let newer = memory.edit(Edit::new(secret.as_str()).content("The vault has a phrase")).unwrap().block_id;
    memory.remove_tags(RemoveTags::new(newer.as_str(), ["topic/xenolith", "more/xenolith"])).unwrap();
    memory.edit(Edit::new(newer.as_str()).cue("")).unwrap();
    let purged = memory.purge(secret.as_str()).unwrap();
    assert_eq!(purged.kin, std::slice::from_ref(&newer));
    assert!(purged.to_string().contains(newer.short()), "{purged}");
    assert_eq!(block(&memory, &newer).content, "The vault has a phrase");
    // What the newer wording had inherited and lost again is its own history, not the old text's.
    let left = words_in(&path);
    assert!(!left.contains(&"zanzibar") && !left.contains(&"88417721390"), "{left:?}");
}

#[test]
fn operations_on_a_purged_block_are_undone_without_it() {
    let memory = memory();
    let secret = memory.learn(SECRET).unwrap().block_id;
    let other = memory.learn("Ana keeps bees").unwrap().block_id;
    memory.dream(Dream::new()).unwrap();
    memory.purge(secret.as_str()).unwrap();
    let purging = memory.log(ReadLog::new().limit(1)).unwrap()[0].seq;
    assert!(matches!(
        memory.undo(Undo::operation(purging)).unwrap_err(),
        Error::Undo(elfmem_engine::UndoError::NotUndoable { .. })
    ));
    let undone = memory.undo(Undo::last()).unwrap();
    assert_eq!((undone.operation.as_str(), undone.purged.len(), undone.counts.blocks), ("dream", 1, 1));
    assert_eq!(block(&memory, &other).status, elfmem_core::BlockStatus::Inbox);
    assert!(memory.purge("ffff0000").is_err());
    // It may be learned again.
    assert_eq!(memory.learn(SECRET).unwrap().status, elfmem_engine::LearnStatus::Created);
}
