//! Looking a database through: damage to what is derived is found and mended, damage to the rest is named.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use elfmem_core::{ScopeView, Timestamp};
use elfmem_store::conformance::{block, header};
use elfmem_store::{Check, Finding, Store, StoreError};
use elfmem_store_sqlite::{OpenOptions, SqliteStore};
use rusqlite::Connection;

fn found(store: &SqliteStore) -> Vec<Finding> {
    store.examine(&ScopeView::default(), &mut |_| {}).unwrap()
}

fn repair(store: &SqliteStore) {
    store.repair(&ScopeView::default(), &header("repair")).unwrap();
}

fn filled(folder: &std::path::Path) -> SqliteStore {
    let at = Timestamp::constant(1_800_000_000, 0);
    let store = SqliteStore::open(folder.join("m.db"), OpenOptions::default(), at).unwrap();
    store
        .write(&ScopeView::default(), |transaction| -> Result<(), StoreError> {
            for text in ["Maria is allergic to peanuts", "Deploys go out on Tuesdays", "The port is 5433"] {
                transaction.insert_block(&block(text))?;
            }
            transaction.describe(header("learn"));
            Ok(())
        })
        .unwrap();
    store
}

#[test]
fn a_full_text_index_that_lost_changed_or_kept_a_block_is_found_and_made_anew() {
    for damage in [
        "DELETE FROM search_documents WHERE block_id = (SELECT id FROM blocks LIMIT 1)",
        "INSERT INTO search_terms (rowid, content, cue, tags) VALUES (1, 'other words', '', '')",
        "UPDATE blocks SET content = 'Something else altogether' WHERE content LIKE 'The port%'",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let store = filled(folder.path());
        assert_eq!(found(&store), []);
        let other = Connection::open(folder.path().join("m.db")).unwrap();
        if damage.starts_with("INSERT") {
            other.execute("DELETE FROM search_terms WHERE rowid = 1", []).unwrap();
        }
        other.execute(damage, []).unwrap();
        let findings = found(&store);
        assert!(findings.iter().any(|finding| finding.check == Check::Words), "{damage}");
        let derived = |finding: &Finding| matches!(finding.check, Check::Words | Check::Rows) && finding.repairable;
        assert!(findings.iter().all(derived), "{findings:?}");
        repair(&store);
        assert_eq!(found(&store), [], "{damage}");
    }
}

#[test]
fn what_recall_reads_of_a_block_is_compared_with_the_block() {
    for damage in [
        "UPDATE search_documents SET source = 'someone else' WHERE document = 1",
        "UPDATE search_documents SET place = 99 WHERE document = 2",
        "UPDATE search_documents SET model = 'm', coarse = x'0102' WHERE document = 3",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let store = filled(folder.path());
        Connection::open(folder.path().join("m.db")).unwrap().execute(damage, []).unwrap();
        let findings = found(&store);
        assert!(findings.len() == 1 && findings[0].check == Check::Rows, "{damage}: {findings:?}");
        repair(&store);
        assert_eq!(found(&store), [], "{damage}");
    }
}

#[test]
fn rows_that_refer_to_nothing_are_named_and_not_mended() {
    let folder = tempfile::tempdir().unwrap();
    let store = filled(folder.path());
    let other = Connection::open(folder.path().join("m.db")).unwrap();
    other
        .execute_batch("PRAGMA foreign_keys = OFF; INSERT INTO block_tags (block_id, tag) VALUES ('nobody', 'x');")
        .unwrap();
    let findings = found(&store);
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert!(findings[0].check == Check::References && !findings[0].repairable);
    assert_eq!(findings[0].problem, "1 rows of block_tags refer to rows of blocks that are not there");
}
