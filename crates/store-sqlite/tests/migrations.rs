//! Migrations: every schema that ever landed opens with its rows, and ends with the schema of a new file.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use elfmem_core::{BlockId, Scope, ScopeView, Timestamp};
use elfmem_store::conformance::{block, header};
use elfmem_store::{BlockQuery, JournalQuery, Snapshot, Store, StoreError};
use elfmem_store_sqlite::{OpenOptions, SqliteStore};
use rusqlite::Connection;
use rusqlite::types::Value;

const NOW: Timestamp = Timestamp::constant(1_800_000_000, 0);

fn open(path: &Path) -> Result<SqliteStore, StoreError> {
    SqliteStore::open(path, OpenOptions::default(), NOW)
}

fn read<T>(store: &SqliteStore, work: impl FnOnce(&dyn Snapshot) -> Result<T, StoreError>) -> T {
    store.read(&ScopeView::default(), work).unwrap()
}

/// The fixtures of our own schemas, `schema-<version><draft>.sql`, in order.
fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let is_schema = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap();
        name.starts_with("schema-") && name.ends_with(".sql")
    };
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut fixtures: Vec<PathBuf> = entries.filter(is_schema).collect();
    fixtures.sort();
    assert!(!fixtures.is_empty());
    fixtures
}

fn newest_fixture() -> PathBuf {
    fixtures().pop().unwrap()
}

/// Whether the journal of a fixture tells all of its rows: the last draft of each version.
fn is_whole(fixture: &Path) -> bool {
    [
        "schema-1d.sql",
        "schema-2i.sql",
        "schema-3e.sql",
        "schema-4.sql",
        "schema-5.sql",
        "schema-6.sql",
        "schema-7.sql",
        "schema-8.sql",
    ]
    .iter()
    .any(|name| fixture.ends_with(name))
}

/// Makes a database from a fixture.
fn make(path: &Path, fixture: &Path) {
    let sql = format!("PRAGMA journal_mode = WAL; BEGIN; {} COMMIT;", std::fs::read_to_string(fixture).unwrap());
    Connection::open(path).unwrap().execute_batch(&sql).unwrap_or_else(|error| panic!("{fixture:?}: {error}"));
}

/// Everything in `sqlite_schema` that is not made by SQLite itself.
fn schema_of(path: &Path) -> Vec<(String, String, String)> {
    let connection = Connection::open(path).unwrap();
    let sql =
        "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY name";
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    rows.map(Result::unwrap).collect()
}

fn schema_of_a_new_file() -> Vec<(String, String, String)> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new.db");
    drop(open(&path).unwrap());
    schema_of(&path)
}

/// The columns of every table that keeps rows of its own.
fn columns_of(connection: &Connection) -> BTreeMap<String, Vec<String>> {
    let sql = "SELECT tables.name, columns.name FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns \
               WHERE tables.type = 'table' AND tables.name NOT GLOB 'search_*' AND tables.name NOT GLOB 'sqlite_*'";
    let mut statement = connection.prepare(sql).unwrap();
    let mut columns: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut rows = statement.query([]).unwrap();
    while let Some(row) = rows.next().unwrap() {
        columns.entry(row.get(0).unwrap()).or_default().push(row.get(1).unwrap());
    }
    columns
}

/// The values of some columns, in the order of the values.
fn rows_of(connection: &Connection, table: &str, columns: &[String]) -> Vec<Vec<Value>> {
    let list = columns.join(", ");
    let mut statement = connection.prepare(&format!("SELECT {list} FROM {table} ORDER BY {list}")).unwrap();
    let rows = statement.query_map([], |row| (0..columns.len()).map(|at| row.get(at)).collect()).unwrap();
    rows.map(Result::unwrap).collect()
}

/// Columns that a migration fills or converts.
fn is_converted(table: &str, column: &str) -> bool {
    matches!((table, column), ("journal", "changed" | "changes_json"))
}

/// Settings that version 5 keeps under another key, or drops.
fn is_renamed_setting(key: &Value) -> bool {
    let Value::Text(key) = key else { return false };
    key.starts_with("answers_counted_up_to:") || key == "last_dream_failure"
}

#[test]
fn every_schema_that_ever_landed_keeps_its_rows_and_becomes_that_of_a_new_file() {
    let new = schema_of_a_new_file();
    for fixture in fixtures() {
        let folder = tempfile::tempdir().unwrap();
        let [old, path] = ["old.db", "memory.db"].map(|name| folder.path().join(name));
        make(&old, &fixture);
        std::fs::copy(&old, &path).unwrap();
        let store = open(&path).unwrap_or_else(|error| panic!("{fixture:?}: {error}"));
        let current: i64 = store.pragma("user_version").unwrap().parse().unwrap();
        assert_eq!(schema_of(&path), new, "{fixture:?}");

        let (old, migrated) = (Connection::open(&old).unwrap(), Connection::open(&path).unwrap());
        let stamped: i64 = old.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
        let kept = columns_of(&migrated);
        for (table, mut columns) in columns_of(&old) {
            if table == "journal_changes" {
                continue;
            }
            columns.retain(|column| kept[&table].contains(column) && !is_converted(&table, column));
            let mut now = rows_of(&migrated, &table, &columns);
            let mut before = rows_of(&old, &table, &columns);
            before.retain(|row| table != "system_config" || !is_renamed_setting(&row[0]));
            // Opening adds the built-in frames, a line of the journal and the settings of scopes.
            let is_added_to = matches!(table.as_str(), "frames" | "journal" | "journal_touched" | "system_config");
            now.retain(|row| !is_added_to || before.contains(row));
            assert_eq!(now, before, "{fixture:?}: {table}");
        }
        let key = if stamped < 4 { "rowid" } else { "position" };
        let order = |connection: &Connection, key: &str| -> Vec<(i64, String)> {
            let mut statement = connection.prepare(&format!("SELECT {key}, id FROM blocks ORDER BY 1")).unwrap();
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
            rows.map(Result::unwrap).collect()
        };
        assert_eq!(order(&migrated, "position"), order(&old, key), "{fixture:?}");

        let peanuts = read(&store, |snapshot| snapshot.get_postings("peanut"));
        assert_eq!(peanuts.len(), 1, "{fixture:?}: its words are found");
        let journal = read(&store, |snapshot| snapshot.get_journal(&JournalQuery::default()));
        let migration = journal.last().unwrap();
        let summary = format!("Brought the memory from schema {stamped} to {current}.");
        assert_eq!((migration.header.operation.as_str(), &migration.header.summary), ("migrate", &summary));
        if is_whole(&fixture) {
            assert_eq!(store.examine(&ScopeView::default(), &mut |_| {}).unwrap(), [], "{fixture:?}");
        }

        drop((store, old, migrated));
        let before = std::fs::read(&path).unwrap();
        drop(open(&path).unwrap());
        assert!(std::fs::read(&path).unwrap() == before, "{fixture:?}: opening again changes nothing");
        assert_eq!(backups_in(folder.path()).len(), 1, "{fixture:?}");
    }
}

fn backups_in(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(".bak")).collect()
}

#[test]
fn a_python_database_gets_the_schema_of_a_new_file_and_keeps_its_other_tables() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("elfmem.db");
    std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/python-0.15.db"), &path).unwrap();
    drop(open(&path).unwrap());
    let mut migrated = schema_of(&path);
    let new = schema_of_a_new_file();
    migrated.retain(|object| !new.contains(object));
    // Beside them are the triggers that note what the Python elfmem writes afterwards.
    migrated.retain(|(kind, ..)| kind != "trigger");
    let others: Vec<&str> = migrated.iter().map(|(_, name, _)| name.as_str()).collect();
    assert_eq!(others, ["outside_changes", "peer_roster"]);
}

#[test]
fn settings_that_all_scopes_shared_become_those_of_each() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let shared = fixtures().into_iter().find(|fixture| fixture.ends_with("schema-4.sql")).unwrap();
    make(&path, &shared);
    let store = open(&path).unwrap();
    let of_scope = |scope: &str, name: &str| {
        let view = ScopeView::only(Scope::from_stored(scope));
        store.read::<_, StoreError, _>(&view, |snapshot| snapshot.get_scope_config(name)).unwrap()
    };
    for (scope, name, expected) in [
        ("default", "last_curate_at", Some("12.5")),
        ("shop", "last_curate_at", Some("12.5")),
        ("shop", "blocks_over_degree_cap", Some("[\"0df8edae6b966de1\"]")),
        ("default", "answers_counted_up_to", Some("13")),
        ("shop", "answers_counted_up_to", Some("5")),
        ("default", "last_dream_failure", None),
        ("another", "last_curate_at", None),
    ] {
        assert_eq!(of_scope(scope, name).as_deref(), expected, "{name} of {scope}");
    }
    let sql = "SELECT count(*) FROM system_config WHERE key LIKE 'answers_counted_up_to:%'";
    let left: i64 = Connection::open(&path).unwrap().query_row(sql, [], |row| row.get(0)).unwrap();
    assert_eq!(left, 0);
}

#[test]
fn blocks_that_documents_brought_become_their_parts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let without_parts = fixtures().into_iter().find(|fixture| fixture.ends_with("schema-6.sql")).unwrap();
    make(&path, &without_parts);
    let old = Connection::open(&path).unwrap();
    old.execute("UPDATE blocks SET document_name = 'handbook.md', source = 'document'", []).unwrap();
    let mut statement = old.prepare("SELECT id FROM blocks WHERE scope = 'default' ORDER BY position").unwrap();
    let ids: Vec<String> = statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    drop(statement);
    drop(old);
    let store = open(&path).unwrap();
    for (position, id) in ids.iter().enumerate() {
        let block = read(&store, |snapshot| snapshot.get_block(&BlockId::from_stored(id))).unwrap();
        let [part] = block.parts.as_slice() else { panic!("{block:?}") };
        assert!(part.belongs_to("handbook.md", "document") && part.headings.is_empty());
        assert_eq!(part.position as usize, position);
    }
}

#[test]
fn numbers_of_deleted_rows_are_not_assigned_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    make(&path, &newest_fixture());
    let given = |path: &Path| -> BTreeMap<String, i64> {
        let connection = Connection::open(path).unwrap();
        let mut statement = connection.prepare("SELECT name, seq FROM sqlite_sequence").unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        rows.map(Result::unwrap).collect()
    };
    let before = given(&path);
    assert_eq!(before.keys().collect::<Vec<_>>(), ["events", "links", "proposals"]);
    drop(open(&path).unwrap());
    assert_eq!(given(&path), before);
}

#[test]
fn eight_openers_of_one_old_file_all_succeed_and_make_one_backup() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    make(&path, &newest_fixture());
    std::thread::scope(|threads| {
        for _ in 0..8 {
            threads.spawn(|| open(&path).unwrap());
        }
    });
    let journal = read(&open(&path).unwrap(), |snapshot| snapshot.get_journal(&JournalQuery::default()));
    assert_eq!(journal.iter().filter(|entry| entry.header.operation == "migrate").count(), 1);
    assert_eq!(backups_in(folder.path()).len(), 1);
}

/// Everything a database holds, as text.
#[cfg(feature = "faults")]
fn dump(path: &Path) -> String {
    let connection = Connection::open(path).unwrap();
    let rows = columns_of(&connection).into_iter().map(|(table, columns)| {
        let rows = rows_of(&connection, &table, &columns);
        format!("{table} {columns:?}\n{rows:?}\n")
    });
    let rows: String = rows.collect();
    format!("{:?}\n{rows}", schema_of(path))
}

#[cfg(feature = "faults")]
#[test]
fn a_migration_that_fails_anywhere_leaves_the_old_version_intact() {
    use elfmem_store_sqlite::faults;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    // The draft with the most to convert.
    let fixture = fixtures().into_iter().find(|fixture| fixture.ends_with("schema-2e.sql")).unwrap();
    make(&path, &fixture);
    let before = dump(&path);
    faults::fail_commit(1);
    assert!(open(&path).is_err() && faults::stop());
    assert_eq!(dump(&path), before, "commit");
    let mut failed = 0;
    for number in (1..).step_by(3) {
        faults::fail_statement(number);
        let opened = open(&path);
        if !faults::stop() {
            drop(opened.unwrap());
            break;
        }
        assert!(opened.is_err(), "statement {number}");
        failed += 1;
        assert_eq!(dump(&path), before, "statement {number}");
    }
    assert!(failed > 50, "{failed} statements failed");
    assert_ne!(dump(&path), before);
}

#[test]
fn tables_whose_rows_are_ordered_or_referred_to_by_number_have_an_explicit_key() {
    // Their rows are found by their names only, so VACUUM may renumber them.
    const UNORDERED: [&str; 4] = ["block_tags", "frames", "staged_vectors", "system_config"];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    drop(open(&path).unwrap());
    let connection = Connection::open(&path).unwrap();
    let sql = "SELECT tables.name FROM pragma_table_list AS tables WHERE tables.type = 'table' AND NOT tables.wr \
               AND tables.name NOT GLOB 'sqlite_*' AND NOT EXISTS (SELECT 1 FROM pragma_table_info(tables.name) \
               WHERE pk = 1 AND type = 'INTEGER') ORDER BY tables.name";
    let mut statement = connection.prepare(sql).unwrap();
    let names = statement.query_map([], |row| row.get(0)).unwrap();
    let without: Vec<String> = names.map(Result::unwrap).collect();
    assert_eq!(without, UNORDERED);
}

#[test]
fn order_and_search_survive_a_vacuum() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let store = open(&path).unwrap();
    let texts = ["Zebras sleep", "Apples fall", "Moths fly", "Birds sleep", "Cats sleep"];
    store
        .write(&ScopeView::default(), |transaction| -> Result<(), StoreError> {
            for text in texts {
                // All at one time, so that only the order of insertion tells them apart.
                transaction.insert_block(&block(text))?;
            }
            transaction.describe(header("learn"));
            Ok(())
        })
        .unwrap();
    // Gaps in the numbers are what VACUUM may close.
    Connection::open(&path)
        .unwrap()
        .execute_batch(
            "DELETE FROM search_documents WHERE block_id = (SELECT id FROM blocks WHERE content = 'Apples fall');
             DELETE FROM blocks WHERE content = 'Apples fall';",
        )
        .unwrap();
    let look = || {
        read(&store, |snapshot| {
            let order: Vec<BlockId> =
                snapshot.list_blocks(&BlockQuery::default())?.into_iter().map(|block| block.id).collect();
            let mut exported = Vec::new();
            snapshot.visit_rows(elfmem_store::Vectors::Skip, &mut |row| {
                exported.push(format!("{row:?}"));
                std::ops::ControlFlow::Continue(())
            })?;
            Ok((order, snapshot.get_postings("sleep")?, exported))
        })
    };
    let before = look();
    assert_eq!((before.0.len(), before.1.len()), (4, 3));
    Connection::open(&path).unwrap().execute_batch("VACUUM").unwrap();
    assert_eq!(look(), before);
    let places = "SELECT count(*) FROM search_documents JOIN blocks ON id = block_id WHERE place <> position";
    let moved: i64 = Connection::open(&path).unwrap().query_row(places, [], |row| row.get(0)).unwrap();
    assert_eq!(moved, 0);
}
