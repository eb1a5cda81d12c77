//! One memory, several scopes: nothing of what a scope says or does shows anything of another, and nothing of another can be
//! changed. Every verb of the table is asked.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use elfmem_core::{BlockId, Scope, ScopeView};
use elfmem_engine::catalog;
use elfmem_engine::{
    Edit, ExportOptions, ImportOptions, Learn, LearnDocument, LearnStatus, ListOperations, Options, ParsedImport,
    Purge, Recall, StoreEvent, Verify,
};
use elfmem_store::Store;
use serde_json::{Value, json};

use crate::fixtures::{FileMemory, open_file};
use crate::verb_calls::{Filled, add_review_frame, call, fill, thinking};
use crate::{ManualClock, clock, options};

const MINE: &str = "alpha";
const HIDDEN: &str = "bravo";
/// As long as the others, and nobody's.
const NOBODY: &str = "nobdy";

fn only(name: &str) -> ScopeView {
    ScopeView::only(Scope::parse(name).unwrap())
}

/// A file with two scopes. What the hidden one says, it says of its own blocks and of those it inherits.
struct Shared {
    folder: tempfile::TempDir,
    clock: Arc<ManualClock>,
    mine: Filled,
    hidden: Filled,
    /// Operations of the hidden scope.
    hidden_operations: Vec<i64>,
}

impl Shared {
    fn new() -> Self {
        let (folder, clock) = (tempfile::tempdir().unwrap(), clock());
        let path = folder.path().join("prepared.db");
        let in_view = |view: ScopeView| open(&path, &clock, view);
        add_review_frame(&in_view(only(MINE)));
        let mine = fill(&in_view(only(MINE)), MINE);
        let hidden = fill(&in_view(only(HIDDEN)), HIDDEN);
        let inheriting = in_view(only(HIDDEN).inheriting(Scope::parse(MINE).unwrap()));
        let (mine_ids, hidden_ids) = (mine.ids(), hidden.ids());
        let joined = json!({"source": hidden_ids[0], "target": mine_ids[0], "note": "bravo: between the two"});
        call(&inheriting, "connect", joined);
        let enrolled = json!({"block": mine_ids[0], "context": "error:bravo"});
        call(&inheriting, "enrol", enrolled);
        for link_type in ["reinforces", "related_to"] {
            let link = json!({"from": hidden_ids[9], "link_type": link_type, "to": mine_ids[8], "note": "bravo: so"});
            call(&inheriting, "link", link);
        }
        let seen = call(&inheriting, "recall", json!({"query": "alpha: the port is 5432", "top_k": 20}));
        assert!(seen.to_string().contains(MINE) && seen.to_string().contains(HIDDEN), "{seen}");
        call(&in_view(only(MINE)), "learn", json!({"content": "alpha: the last thing"}));
        let of_both = inheriting.operations(ListOperations::new().limit(1_000)).unwrap();
        let of_mine = in_view(only(MINE)).operations(ListOperations::new().limit(1_000)).unwrap();
        let seqs = |operations: &[elfmem_engine::PastOperation]| -> Vec<i64> {
            operations.iter().map(|operation| operation.seq).collect()
        };
        let mut hidden_operations = seqs(&of_both);
        hidden_operations.retain(|seq| !seqs(&of_mine).contains(seq));
        assert!(hidden_operations.len() > 10, "{hidden_operations:?}");
        drop(inheriting);
        Self { folder, clock, mine, hidden, hidden_operations }
    }

    /// A copy of it, seen from the scope that may not see the other.
    fn copy(&self) -> (tempfile::TempDir, FileMemory) {
        let folder = tempfile::tempdir().unwrap();
        let path: PathBuf = folder.path().join("memory.db");
        std::fs::copy(self.folder.path().join("prepared.db"), &path).unwrap();
        let memory = open(&path, &self.clock, only(MINE));
        (folder, memory)
    }

    /// Arguments that name what another has where those of `mine` name my own.
    fn naming(&self, arguments: &Value, mark: &str, ids: &[String], proposals: &[u64]) -> Value {
        let mut text = arguments.to_string();
        for name in ["error:*", "skill:*", "*-outcome", "*-again", "\"*\""] {
            text = text.replace(&name.replace('*', MINE), &name.replace('*', mark));
        }
        for (mine, other) in self.mine.ids().iter().zip(ids) {
            text = text.replace(mine, other);
        }
        let mut named: Value = serde_json::from_str(&text).unwrap();
        if let Some(numbers) = named.get_mut("numbers").and_then(Value::as_array_mut) {
            for number in numbers {
                let at = self.mine.proposals().iter().position(|mine| number == mine).unwrap();
                *number = proposals[at].into();
            }
        }
        named
    }
}

fn open(path: &Path, clock: &Arc<ManualClock>, view: ScopeView) -> FileMemory {
    open_file(path, Options { view, models: thinking(&[MINE, HIDDEN]), ..options(clock) })
}

/// What a verb said, whether it did its work or refused.
fn said(memory: &FileMemory, verb: &str, arguments: &Value) -> String {
    match memory.invoke(verb, arguments.as_object().unwrap()) {
        Ok(reply) => format!("{}\n{}", reply.text, reply.json),
        Err(error) => format!("refused: {error}"),
    }
}

fn assert_silent(told: &str, hidden: &Filled, which: &str) {
    assert!(!told.to_lowercase().contains(HIDDEN), "{which} tells of the other scope: {told}");
    for id in hidden.ids() {
        assert!(!told.contains(&id) && !told.contains(&id[..8]), "{which} names {id} of the other scope: {told}");
    }
}

/// An answer without names and marks, to compare answers to questions about different things.
fn without_names(told: &str) -> String {
    let told = [MINE, HIDDEN, NOBODY].iter().fold(told.to_owned(), |told, mark| told.replace(mark, "*"));
    // Numbers of proposals are asked for too.
    let told = told.split("proposal ").map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit()));
    let told = told.collect::<Vec<_>>().join("proposal ");
    let mut plain = String::new();
    let mut run = String::new();
    for c in told.chars().chain([' ']) {
        if c.is_ascii_hexdigit() {
            run.push(c);
        } else {
            plain.push_str(if run.len() >= 8 { "#" } else { &run });
            run.clear();
            plain.push(c);
        }
    }
    plain
}

#[test]
fn no_verb_tells_anything_of_a_scope_that_is_not_seen() {
    let shared = Shared::new();
    for verb in catalog::all() {
        let (_folder, memory) = shared.copy();
        if let Some(first) = Filled::before(verb) {
            call(&memory, first, shared.mine.arguments(first));
        }
        assert_silent(&said(&memory, verb.name, &shared.mine.arguments(verb.name)), &shared.hidden, verb.name);
        for look in ["status", "history", "log", "list", "verify"] {
            assert_silent(&said(&memory, look, &json!({})), &shared.hidden, &format!("{look} after {}", verb.name));
        }
    }
}

#[test]
fn what_another_scope_has_is_refused_as_if_it_were_not_there_and_stays_as_it_is() {
    let shared = Shared::new();
    let unknown: Vec<String> =
        shared.mine.ids().iter().map(|id| BlockId::for_content(&format!("nobody has {id}")).to_string()).collect();
    for verb in catalog::all() {
        // What takes no name of anything has nothing of another scope to ask for.
        let mine = shared.mine.arguments(verb.name);
        let theirs = shared.naming(&mine, HIDDEN, &shared.hidden.ids(), shared.hidden.proposals());
        let nobodys = shared.naming(&mine, NOBODY, &unknown, &[9_998, 9_999]);
        if theirs == mine {
            continue;
        }
        let (_folder, memory) = shared.copy();
        let told = said(&memory, verb.name, &theirs);
        let hidden_after = of_hidden_scope(&memory);
        let (_folder, memory) = shared.copy();
        let expected = said(&memory, verb.name, &nobodys);
        assert_eq!(without_names(&told), without_names(&expected), "{} with {theirs}", verb.name);
        assert_eq!(hidden_after, of_hidden_scope(&memory), "{} changed another scope", verb.name);
    }
    for seq in &shared.hidden_operations {
        let (_folder, memory) = shared.copy();
        let before = memory.store().digest().unwrap();
        let told = said(&memory, "undo", &json!({"seq": seq})).replace(&seq.to_string(), "N");
        assert_eq!(told, said(&memory, "undo", &json!({"seq": 99_999})).replace("99999", "N"));
        assert_eq!(memory.store().digest().unwrap(), before);
    }
}

/// Every row that belongs to the hidden scope, as its own view sees it.
fn of_hidden_scope(memory: &FileMemory) -> String {
    let clock = clock();
    let theirs = open(memory.store().path().unwrap(), &clock, only(HIDDEN));
    let out = exported(&theirs);
    let rows = out.lines().filter(|row| !row.contains(r#""type":"setting""#) && !row.contains(r#""type":"session""#));
    rows.filter(|row| row.contains(HIDDEN)).collect::<Vec<_>>().join("\n")
}

fn exported(memory: &FileMemory) -> String {
    let mut out = Vec::new();
    memory.export(&mut out, &ExportOptions { vectors: true, ..ExportOptions::default() }).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn an_export_of_a_scope_holds_nothing_of_another() {
    let shared = Shared::new();
    let (_folder, memory) = shared.copy();
    let out = exported(&memory);
    assert!(out.contains(MINE));
    assert_silent(&out, &shared.hidden, "the export");
}

#[test]
fn a_scope_that_inherits_sees_both_and_the_other_way_round_nothing() {
    let shared = Shared::new();
    let path = shared.folder.path().join("prepared.db");
    let both = open(&path, &shared.clock, only(HIDDEN).inheriting(Scope::parse(MINE).unwrap()));
    for id in shared.mine.ids().iter().chain(&shared.hidden.ids()) {
        assert!(both.show(id).is_ok(), "{id}");
    }
    let mine = open(&path, &shared.clock, only(MINE));
    assert!(shared.hidden.ids().iter().all(|id| mine.show(id).is_err()));
    assert!(shared.hidden.ids().iter().all(|id| mine.show(&id[..6]).is_err()));
}

#[test]
fn what_another_scope_holds_keeps_no_text_from_being_stored() {
    const TEXT: &str = "Customer refunds need approval by Maria";
    let (folder, clock) = (tempfile::tempdir().unwrap(), clock());
    let path = folder.path().join("m.db");
    let other = open(&path, &clock, only(HIDDEN));
    let theirs = other.learn(Learn::new(TEXT).source("web")).unwrap().block_id;
    let mine = open(&path, &clock, only(MINE));
    let stored = mine.learn(Learn::new(TEXT).tag("self/value")).unwrap();
    assert_eq!(stored.status, LearnStatus::Created);
    assert_ne!(stored.block_id, theirs);
    let again = mine.learn(Learn::new(format!(" {} ", TEXT.to_uppercase()))).unwrap();
    assert_eq!((again.status, &again.block_id), (LearnStatus::DuplicateRejected, &stored.block_id));
    let event = mine.store_event(StoreEvent::with_payload("fact", TEXT).source("user")).unwrap();
    assert_eq!(event.block_id.as_ref(), Some(&stored.block_id));
    let chunks = mine.learn_document(LearnDocument::new(TEXT).name("page")).unwrap().chunks;
    assert_eq!(chunks[0].block_id, stored.block_id);
    assert_eq!(mine.recall(Recall::new("who approves refunds")).unwrap().blocks[0].id, stored.block_id);
    // Other letters are the same text.
    let edited = mine.edit(Edit::new(stored.block_id.as_str()).content(TEXT.to_uppercase())).unwrap();
    assert_eq!(edited.block_id, stored.block_id);
    // An export of the scope comes into another memory, and into the other scope of this one.
    let rows = exported(&mine);
    let parsed = ParsedImport::read("m.jsonl", &rows, None).unwrap();
    let third = open(&path, &clock, only(NOBODY));
    assert_eq!(third.import(&parsed, &ImportOptions::default()).unwrap().created, 1);
    assert_eq!(third.learn(TEXT).unwrap().status, LearnStatus::DuplicateRejected);
    let peer = ImportOptions { peer: Some("ana".to_owned()), ..ImportOptions::default() };
    let elsewhere = open(&folder.path().join("n.db"), &clock, only(MINE));
    assert_eq!(elsewhere.import(&parsed, &peer).unwrap().created, 1);
    // The block keeps its id when the other one is gone.
    other.purge(Purge::new(theirs.as_str())).unwrap();
    assert_eq!(mine.learn(TEXT).unwrap().block_id, stored.block_id);
    assert!(mine.verify(Verify::new()).unwrap().findings.is_empty());
}
