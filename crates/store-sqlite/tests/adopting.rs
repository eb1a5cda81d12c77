//! Taking over databases of the Python elfmem, and taking in what it writes to them afterwards.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::{Path, PathBuf};

use elfmem_core::{Block, BlockId, BlockStatus, EdgeKey, ScopeView, Timestamp};
use elfmem_store::{BlockQuery, JournalQuery, ProposalKind, ProposalState, Snapshot, Store, StoreError};
use elfmem_store_sqlite::{Adoption, BadRows, OpenOptions, SqliteStore, python_blocks};
use rusqlite::Connection;
use tempfile::TempDir;

const NOW: Timestamp = Timestamp::constant(1_800_000_000, 0);
const DEPLOYS: &str = "980c1114316ac724";
const MARIA: &str = "0df8edae6b966de1";
const STAGING: &str = "71d2accf66b2ca16";
const ANSWERS: &str = "d2c036a76dbb5cf3";
const RAIN: &str = "19b4c4fb0573e47c";
const INVOICE: &str = "4a48b2c6dbd7919a";

fn open(path: &Path) -> Result<SqliteStore, StoreError> {
    SqliteStore::open(path, OpenOptions::default(), NOW)
}

fn read<T>(store: &SqliteStore, work: impl FnOnce(&dyn Snapshot) -> Result<T, StoreError>) -> T {
    store.read(&ScopeView::default(), work).unwrap()
}

fn id(text: &str) -> BlockId {
    BlockId::from_stored(text)
}

/// A database of a version, changed by some SQL.
fn python(version: &str, change: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("elfmem.db");
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/python-{version}.sql"));
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch(&std::fs::read_to_string(fixture).unwrap()).unwrap();
    connection.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
    connection.execute_batch(change).unwrap();
    (folder, path)
}

fn block(store: &SqliteStore, name: &str) -> Block {
    read(store, |snapshot| snapshot.get_block(&id(name))).unwrap()
}

fn assert_sound(store: &SqliteStore) {
    assert_eq!(store.examine(&ScopeView::default(), &mut |_| {}).unwrap(), []);
}

fn files_beside(path: &Path) -> Vec<String> {
    let folder = std::fs::read_dir(path.parent().unwrap()).unwrap();
    let mut names: Vec<String> = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn conversions(adoption: &Adoption) -> Vec<(&str, u64)> {
    adoption.conversions.iter().map(|conversion| (conversion.what.as_str(), conversion.count)).collect()
}

#[test]
fn a_database_of_0_20_opens_in_place_with_its_belief_peers_and_amendments() {
    let (_folder, path) = python(
        "0.20",
        "INSERT INTO peer_roster VALUES ('elf:ada', 'Ada', NULL, 0.7, 0, 't', 't', 1, 2, 3, 4, 'a friend', '/tmp');
         INSERT INTO block_amendments VALUES ('one', '980c1114316ac724', 'Deploys go out on Mondays');",
    );
    let store = open(&path).unwrap();
    assert_sound(&store);
    let deploys = block(&store, DEPLOYS);
    assert_eq!((deploys.confidence.get(), deploys.outcome_evidence.get()), (0.75, 3.0));
    assert_eq!((deploys.pinned, deploys.cue.as_deref()), (true, Some("when a release is planned")));
    let edge = read(&store, |snapshot| snapshot.get_edge(&EdgeKey::canonical(&id(DEPLOYS), &id(STAGING)).unwrap()));
    assert_eq!(edge.unwrap().asserted_from, Some(id(DEPLOYS)));
    let adoption = store.adoption().unwrap();
    assert_eq!((adoption.schema, adoption.counts.peers, adoption.counts.amendments), (9, 1, 1));
    assert!(adoption.backup.as_ref().unwrap().exists());
    let notice = store.notices().join("\n");
    assert!(notice.contains("schema 9") && notice.contains("1 peer, 1 amendment") && notice.contains(".bak"));
    assert_eq!(store.left_behind().unwrap()[0].what, "peer_roster");

    drop(store);
    let again = open(&path).unwrap();
    assert!(again.notices().is_empty(), "it is said once");
    assert_eq!(again.past_adoption().unwrap().unwrap().schema, 9);
    let connection = Connection::open(&path).unwrap();
    let trust: f64 = connection.query_row("SELECT trust FROM peer_roster", [], |row| row.get(0)).unwrap();
    let proposed: String = connection.query_row("SELECT proposed FROM block_amendments", [], |row| row.get(0)).unwrap();
    assert_eq!((trust, proposed.as_str()), (0.7, "Deploys go out on Mondays"));
}

#[test]
fn what_a_memory_has_no_place_for_and_blocks_with_too_many_edges_are_named() {
    let twins: String = (0..12)
        .map(|number| {
            format!(
                "INSERT INTO blocks SELECT 'aaaa0000aaaa{number:04}', content || ' {number}', category, source, created_at, \
                 status, archive_reason, confidence, reinforcement_count, decay_lambda, last_reinforced_at, \
                 self_alignment, embedding, embedding_model, token_count, summary, last_session_id, outcome_evidence, \
                 source_peer, share, envelope_json, last_scored_at, success_count, failure_count, superseded_by, 0, \
                 NULL, 'slow' FROM blocks WHERE id = '{DEPLOYS}';
                 INSERT INTO edges VALUES ('{DEPLOYS}', 'aaaa0000aaaa{number:04}', 0.7, 0, \
                 '2026-05-02T10:00:00+00:00', 'similar', 'similarity', NULL, NULL, NULL);"
            )
        })
        .collect();
    let (_folder, path) = python("0.20", &twins);
    let store = open(&path).unwrap();
    let adoption = store.adoption().unwrap();
    assert_eq!(adoption.over_degree_cap, [&DEPLOYS[..8]]);
    let told = adoption.to_string();
    assert!(told.contains(&format!("More than 10 edges: {}.", &DEPLOYS[..8])), "{told}");
    let classes = "the column volatility_class of blocks; tags and category say the same, and nothing reads it";
    assert!(conversions(adoption).iter().any(|(what, count)| *what == classes && *count >= 12), "{told}");
    assert!(store.left_behind().unwrap().iter().any(|rows| rows.reason == classes));
}

#[test]
fn a_frame_with_lists_that_are_null_comes_along() {
    let (_folder, path) = python(
        "0.20",
        r#"INSERT INTO frames VALUES ('mine',
            '{"similarity":0.4,"confidence":0.2,"recency":0.2,"centrality":0.1,"reinforcement":0.1}',
            '{"tag_patterns":["topic/%"],"categories":null}', '[]', 'attention', 500, NULL, 'user',
            '2026-05-01T08:00:00.000000+00:00');"#,
    );
    let store = open(&path).unwrap();
    let frame = read(&store, |snapshot| snapshot.get_frame("mine")).unwrap();
    assert_eq!((frame.filters.tag_patterns, frame.filters.categories), (vec!["topic/%".to_owned()], vec![]));
}

#[test]
fn near_duplicates_of_0_20_become_proposals_and_contradictions_stay() {
    let (_folder, path) = python(
        "0.20",
        "INSERT INTO contradictions (block_a_id, block_b_id, score, resolved, created_at, kind) VALUES
            ('71d2accf66b2ca16', '980c1114316ac724', 0.93, 0, '2026-05-02T10:00:00+00:00', 'near_duplicate'),
            ('0df8edae6b966de1', '980c1114316ac724', 0.91, 1, '2026-05-02T10:00:00+00:00', 'near_duplicate');",
    );
    let store = open(&path).unwrap();
    let proposals = read(&store, |snapshot| snapshot.list_proposals(None));
    let told: Vec<_> = proposals.iter().map(|one| (one.kind, one.block_id.as_str(), one.state)).collect();
    assert_eq!(
        told,
        [
            (ProposalKind::NearDuplicate, STAGING, ProposalState::Open),
            (ProposalKind::NearDuplicate, MARIA, ProposalState::Rejected)
        ]
    );
    assert_eq!(proposals[0].other_id, Some(id(DEPLOYS)), "the younger would take the place of the older");
    let left = read(&store, |snapshot| snapshot.list_contradictions(elfmem_store::ContradictionFilter::All));
    assert_eq!(left.len(), 1);
    assert_sound(&store);
}

#[test]
fn placeholders_become_the_rate_of_the_tags_and_the_present_hour() {
    let (_folder, path) = python(
        "0.15",
        "INSERT INTO block_tags VALUES ('4a48b2c6dbd7919a', 'self/constitutional');
         UPDATE blocks SET decay_lambda = 0.01 WHERE id = 'd2c036a76dbb5cf3';
         UPDATE blocks SET decay_lambda = 0.04 WHERE id = '980c1114316ac724';",
    );
    let store = open(&path).unwrap();
    let [invoice, answers, deploys] = [INVOICE, ANSWERS, DEPLOYS].map(|name| block(&store, name));
    assert_eq!((invoice.decay_lambda.get(), invoice.last_reinforced_at.get()), (0.00001, 12.5));
    assert_eq!((answers.decay_lambda.get(), answers.last_reinforced_at.get()), (0.001, 12.0));
    assert_eq!(deploys.decay_lambda.get(), 0.04, "a penalty stays");
}

#[test]
fn of_a_pair_stored_in_both_directions_the_asserted_or_stronger_edge_stays() {
    let (_folder, path) = python(
        "0.15",
        "DELETE FROM edges;
         INSERT INTO edges (from_id, to_id, weight, reinforcement_count, created_at, relation_type, origin) VALUES
            ('0df8edae6b966de1', '980c1114316ac724', 0.9, 9, '2026-05-02T10:00:00+00:00', 'similar', 'similarity'),
            ('980c1114316ac724', '0df8edae6b966de1', 0.4, 0, '2026-05-02T10:00:00+00:00', 'supports', 'agent'),
            ('71d2accf66b2ca16', 'd2c036a76dbb5cf3', 0.3, 0, '2026-05-02T10:00:00+00:00', 'similar', 'similarity'),
            ('d2c036a76dbb5cf3', '71d2accf66b2ca16', 0.8, 0, '2026-05-02T10:00:00+00:00', 'similar', 'similarity'),
            ('d2c036a76dbb5cf3', 'd2c036a76dbb5cf3', 0.8, 0, '2026-05-02T10:00:00+00:00', 'similar', 'import'),
            ('19b4c4fb0573e47c', 'd2c036a76dbb5cf3', 0.8, 0, '2026-05-02T10:00:00+00:00', 'similar', 'similarity');",
    );
    let store = open(&path).unwrap();
    let edge = |a: &str, b: &str| {
        let key = EdgeKey::canonical(&id(a), &id(b)).unwrap();
        read(&store, |snapshot| snapshot.get_edge(&key)).map(|edge| (edge.relation_type.to_string(), edge.weight.get()))
    };
    assert_eq!(edge(MARIA, DEPLOYS), Some(("supports".to_owned(), 0.4)));
    assert_eq!(edge(STAGING, ANSWERS), Some(("similar".to_owned(), 0.8)));
    assert_eq!(edge(RAIN, ANSWERS), None);
    let told = conversions(store.adoption().unwrap());
    for (words, count) in [("both directions", 2), ("with itself", 1), ("archived block", 1)] {
        assert!(told.iter().any(|(what, found)| what.contains(words) && *found == count), "{words}: {told:?}");
    }
    assert_sound(&store);
}

#[test]
fn a_text_that_is_both_archived_and_live_has_its_id_at_the_live_block() {
    let (_folder, path) = python(
        "0.15",
        "INSERT INTO blocks (id, content, category, source, created_at, status, confidence, reinforcement_count,
            decay_lambda, last_reinforced_at, outcome_evidence) VALUES ('aaaaaaaaaaaaaaaa', 'It rained at the offsite',
            'knowledge', 'api', '2026-05-05T10:00:00+00:00', 'active', 0.8, 3, 0.01, 12.0, 1.0);
         INSERT INTO block_tags VALUES ('aaaaaaaaaaaaaaaa', 'topic/weather');
         INSERT INTO edges (from_id, to_id, weight, reinforcement_count, created_at)
            VALUES ('980c1114316ac724', 'aaaaaaaaaaaaaaaa', 0.5, 0, '2026-05-05T10:00:00+00:00');",
    );
    let store = open(&path).unwrap();
    let (live, archived) = (block(&store, RAIN), block(&store, "aaaaaaaaaaaaaaaa"));
    assert_eq!((live.status, live.confidence.get(), live.tags.len()), (BlockStatus::Active, 0.8, 1));
    assert_eq!(archived.status, BlockStatus::Archived);
    assert_eq!(read(&store, |snapshot| snapshot.get_edges_for_block(&id(RAIN))).len(), 1);
    assert_sound(&store);
}

#[test]
fn outcomes_of_the_python_elfmem_are_kept_as_history() {
    let (_folder, path) = python("0.15", "");
    let store = open(&path).unwrap();
    let outcomes = read(&store, |snapshot| snapshot.get_outcomes(&id(DEPLOYS)));
    assert_eq!(outcomes.len(), 1);
    assert!(outcomes[0].is_history() && outcomes[0].outcome_id == "0f");
    assert_eq!(read(&store, |snapshot| snapshot.get_last_evidence_sequence(&id(DEPLOYS))), 0);
}

#[test]
fn rows_that_cannot_be_read_are_named_and_nothing_is_left_beside_the_file() {
    let when = "'2026-05-02T10:00:00+00:00'";
    for (change, table, name, words) in [
        (
            format!(
                "INSERT INTO edges (from_id, to_id, weight, reinforcement_count, created_at) VALUES ('{DEPLOYS}', 'gone', 0.5, 0, {when})"
            ),
            "edges",
            "980c1114316ac724 – gone",
            "names block 'gone', which is not there",
        ),
        (
            format!("UPDATE blocks SET created_at = 'tuesday' WHERE id = '{MARIA}'"),
            "blocks",
            MARIA,
            "no time but 'tuesday'",
        ),
        (format!("UPDATE blocks SET status = 'asleep' WHERE id = '{MARIA}'"), "blocks", MARIA, "'asleep'"),
        (format!("UPDATE blocks SET confidence = 'high' WHERE id = '{MARIA}'"), "blocks", MARIA, "no number"),
        (
            format!("INSERT INTO frames VALUES ('mine', 'much', '{{}}', '[]', 'x', 5, NULL, 'user', {when})"),
            "frames",
            "mine",
            "definition",
        ),
    ] {
        let (_folder, path) = python("0.15", &change);
        let (bytes, files) = (std::fs::read(&path).unwrap(), files_beside(&path));
        let error = open(&path).unwrap_err();
        let StoreError::BadRows { rows, .. } = &error else { panic!("{change}: {error}") };
        assert_eq!((rows[0].table.as_str(), rows[0].name.as_str()), (table, name));
        assert!(rows[0].problem.contains(words), "{}", rows[0].problem);
        assert!(error.recovery().contains("leave them out"));
        assert_eq!((std::fs::read(&path).unwrap(), files_beside(&path)), (bytes, files), "{change}");

        let options = OpenOptions { bad_rows: BadRows::LeaveOut, ..OpenOptions::default() };
        let store = SqliteStore::open(&path, options, NOW).unwrap();
        assert_eq!(store.adoption().unwrap().left_out[0].name, name);
        assert_sound(&store);
        let expected = if table == "blocks" { 5 } else { 6 };
        assert_eq!(read(&store, |snapshot| snapshot.list_blocks(&BlockQuery::default())).len(), expected);
    }
}

#[test]
fn numbers_outside_of_their_bounds_and_an_unreadable_clock_are_put_right_and_counted() {
    let change = format!(
        "UPDATE blocks SET confidence = 1.5, reinforcement_count = -4, last_reinforced_at = 7.5 WHERE id = '{MARIA}';
         UPDATE edges SET weight = 7 WHERE rowid = (SELECT min(rowid) FROM edges);
         UPDATE system_config SET value = 'many' WHERE key = 'total_active_hours'"
    );
    let (_folder, path) = python("0.15", &change);
    let latest: f64 = Connection::open(&path)
        .unwrap()
        .query_row("SELECT max(last_reinforced_at) FROM blocks", [], |row| row.get(0))
        .unwrap();
    let store = open(&path).unwrap();
    let maria = block(&store, MARIA);
    assert_eq!((maria.confidence.get(), maria.reinforcement_count), (1.0, 0));
    let stored: (f64, i64, f64) = Connection::open(&path)
        .unwrap()
        .query_row(
            "SELECT confidence, reinforcement_count, (SELECT max(weight) FROM edges) FROM blocks WHERE id = ?1",
            [MARIA],
            |row| row.try_into(),
        )
        .unwrap();
    assert_eq!(stored, (1.0, 0, 1.0), "the file says what counts");
    assert!(latest >= 7.5);
    assert_eq!(read(&store, |snapshot| snapshot.get_total_active_hours()).get(), latest);
    let told = conversions(store.adoption().unwrap());
    assert!(told.contains(&("a number was outside of its bounds, and is the nearest that it can be", 3)), "{told:?}");
    assert!(
        told.contains(&("the clock of use could not be read, and is the latest hour that a row names", 1)),
        "{told:?}"
    );
    assert_sound(&store);
}

#[test]
fn what_another_program_writes_to_an_adopted_file_is_indexed_and_journaled() {
    let (_folder, path) = python("0.15", "");
    drop(open(&path).unwrap());
    Connection::open(&path)
        .unwrap()
        .execute_batch(
            "INSERT INTO blocks (id, content, category, source, created_at, status, confidence, reinforcement_count,
                decay_lambda, last_reinforced_at, outcome_evidence) VALUES ('bbbbbbbbbbbbbbbb', 'Giraffes live outside',
                'observation', 'api', '2026-05-05T10:00:00+00:00', 'inbox', 0.5, 0, 0.01, 0.0, 0.0);
             INSERT INTO block_tags VALUES ('bbbbbbbbbbbbbbbb', 'topic/animals'), ('0df8edae6b966de1', 'topic/food');
             UPDATE blocks SET confidence = 0.66, content = 'Maria is allergic to cashews' WHERE id = '0df8edae6b966de1';
             DELETE FROM edges WHERE from_id = '71d2accf66b2ca16' AND to_id = '980c1114316ac724';
             INSERT INTO edges (from_id, to_id, weight, reinforcement_count, created_at, relation_type, origin)
                VALUES ('d2c036a76dbb5cf3', '0df8edae6b966de1', 0.7, 1, '2026-05-05T10:00:00+00:00', 'supports', 'agent');
             UPDATE blocks SET status = 'archived', archive_reason = 'forgotten' WHERE id = 'd2c036a76dbb5cf3';
             INSERT INTO block_outcomes (id, block_id, signal, weight, source, confidence_before, confidence_after, created_at)
                VALUES ('ee', '0df8edae6b966de1', 1.0, 1.0, 'x', 0.5, 0.66, '2026-05-05T10:00:00+00:00');",
        )
        .unwrap();
    let store = open(&path).unwrap();
    assert_sound(&store);
    assert!(store.notices()[0].contains("took in changes of 3 blocks"), "{:?}", store.notices());
    let found = |word: &str| read(&store, |snapshot| snapshot.get_postings(word)).len();
    assert_eq!((found("giraff"), found("cashew"), found("peanut")), (1, 1, 0));
    let giraffes = block(&store, "bbbbbbbbbbbbbbbb");
    assert_eq!((giraffes.decay_lambda.get(), giraffes.last_reinforced_at.get()), (0.05, 12.5));
    let last = read(&store, |snapshot| snapshot.get_journal(&JournalQuery::default())).pop().unwrap();
    assert_eq!((last.header.operation.as_str(), last.header.actor.as_str()), ("found_outside", "outside"));
    let of_maria = last.changes.iter().find(|change| change.id == MARIA).unwrap();
    let before = of_maria.before.as_ref().unwrap();
    assert_eq!(before["content"], "Maria is allergic to peanuts");
    assert_eq!(read(&store, |snapshot| snapshot.get_outcomes(&id(MARIA))).len(), 1);
    assert_eq!(read(&store, |snapshot| snapshot.get_edges_for_block(&id(ANSWERS))).len(), 0);
    drop(store);
    assert!(open(&path).unwrap().notices().is_empty());
}

#[test]
fn a_row_from_outside_that_cannot_be_read_is_told_and_the_memory_opens_all_the_same() {
    let (_folder, path) = python("0.15", "");
    drop(open(&path).unwrap());
    let connection = Connection::open(&path).unwrap();
    connection.execute("UPDATE blocks SET status = 'asleep' WHERE id = ?1", [MARIA]).unwrap();
    let store = open(&path).unwrap();
    assert!(store.notices()[0].contains("cannot be read"), "{:?}", store.notices());
    assert_eq!(block(&store, DEPLOYS).reinforcement_count, 7);
    drop(store);
    connection.execute("UPDATE blocks SET status = 'active', confidence = 0.9 WHERE id = ?1", [MARIA]).unwrap();
    let store = open(&path).unwrap();
    assert!(store.notices()[0].contains("took in changes of 1 block"), "{:?}", store.notices());
    assert_sound(&store);
}

#[test]
fn our_own_writes_to_an_adopted_file_are_not_found_outside() {
    let (_folder, path) = python("0.20", "");
    let store = open(&path).unwrap();
    store
        .write(&ScopeView::default(), |transaction| -> Result<(), StoreError> {
            transaction.insert_block(&elfmem_store::conformance::block("written by us"))?;
            transaction.describe(elfmem_store::conformance::header("learn"));
            Ok(())
        })
        .unwrap();
    drop(store);
    assert!(open(&path).unwrap().notices().is_empty());
}

#[test]
fn only_databases_of_the_python_elfmem_are_counted_as_such() {
    let (_folder, path) = python("0.20", "");
    assert_eq!(python_blocks(&path), Some(6));
    drop(open(&path).unwrap());
    assert_eq!(python_blocks(&path), None, "it is ours now");
    assert_eq!(python_blocks(Path::new("nowhere.db")), None);
}
