//! Version 4: the first exact schema, and explicit keys for tables whose order of insertion matters.
//!
//! Files from before carry 1, 2, 3 or no number of ours, and the number did not tell them apart: columns were added without
//! a new one. So this step does not ask which of them a file is. It sets every known table aside, creates all tables, and
//! copies the columns that both have. What is missing gets its default.

use elfmem_store::StoreError;
use rusqlite::Connection;

use crate::errors::OrStoreError;
use crate::schema::columns_of;

type Result<T> = std::result::Result<T, StoreError>;

const TABLES: &str = include_str!("m0004_tables.sql");
const INDEXES: &str = include_str!("m0004_indexes.sql");

/// The tables whose rows are copied.
const COPIED: [&str; 20] = [
    "blocks",
    "block_tags",
    "edges",
    "contradictions",
    "frames",
    "sessions",
    "system_config",
    "block_outcomes",
    "co_retrieval_staging",
    "staged_vectors",
    "journal",
    "journal_touched",
    "proposals",
    "tombstones",
    "events",
    "contexts",
    "enrolments",
    "links",
    "link_effects",
    "journal_changes",
];

/// Those among them whose numbers are never assigned twice (`AUTOINCREMENT`).
const NUMBERED: [&str; 3] = ["proposals", "events", "links"];

/// Tables and triggers of the full-text index in all its forms. They are derived, so they are made anew.
const DERIVED: &str = "
DROP TRIGGER IF EXISTS search_documents_added;
DROP TRIGGER IF EXISTS search_documents_removed;
DROP TABLE IF EXISTS search_totals;
DROP TABLE IF EXISTS search_vocabulary;
DROP TABLE IF EXISTS search_instances;
DROP TABLE IF EXISTS search_documents;
DROP TABLE IF EXISTS search_terms;
";

/// Joins the changes of an operation, which were one row each, into one row per operation.
const GATHER_CHANGES: &str = "
UPDATE journal SET changed = gathered.changed, changes_json = gathered.changes FROM (
    SELECT seq, count(*) AS changed, json_group_array(json_array(entity, entity_id || coalesce(':' || other_id, ''),
        json(before_json), json(after_json))) AS changes
    FROM (SELECT * FROM old_journal_changes ORDER BY seq, position) GROUP BY seq
) AS gathered WHERE gathered.seq = journal.seq;
INSERT INTO journal_touched (seq, ids)
    SELECT seq, char(31) || group_concat(id, char(31)) || char(31) FROM (
        SELECT seq, entity_id AS id FROM old_journal_changes
        UNION SELECT seq, other_id FROM old_journal_changes WHERE other_id IS NOT NULL
        UNION SELECT seq, json_extract(after_json, '$.superseded_by') FROM old_journal_changes
            WHERE entity = 'block' AND json_extract(after_json, '$.superseded_by') IS NOT NULL
        ORDER BY seq, id
    ) GROUP BY seq;
INSERT INTO journal_touched (seq, ids)
    SELECT seq, char(31) FROM journal WHERE seq NOT IN (SELECT seq FROM journal_touched);
";

/// Keeps the name of the session that staged a pair last; later files name them all, one a line.
const KEEP_STAGING_SESSION: &str = "
UPDATE co_retrieval_staging SET sessions = (
    SELECT char(10) || last_session_id || char(10) FROM old_co_retrieval_staging AS old
    WHERE old.from_id = co_retrieval_staging.from_id AND old.to_id = co_retrieval_staging.to_id
);
";

pub(super) fn apply(connection: &Connection) -> Result<()> {
    let run = |sql: &str| connection.execute_batch(sql).or_store_error();
    run(DERIVED)?;
    let old = set_aside(connection)?;
    run(TABLES)?;
    for table in old.iter().filter(|table| **table != "journal_changes") {
        copy_rows(connection, table)?;
    }
    if old.contains(&"journal_changes") {
        run(GATHER_CHANGES)?;
    }
    if columns_of(connection, "old_co_retrieval_staging")?.iter().any(|column| column == "last_session_id") {
        run(KEEP_STAGING_SESSION)?;
    }
    for table in &old {
        run(&format!("DROP TABLE old_{table}"))?;
    }
    run(INDEXES)
}

/// Renames the tables of an older file to `old_…` and drops their indexes, whose names are needed again.
fn set_aside(connection: &Connection) -> Result<Vec<&'static str>> {
    // In this mode views and triggers of others that name a table go on naming it.
    connection.pragma_update(None, "legacy_alter_table", "ON").or_store_error()?;
    let mut old = Vec::new();
    for table in COPIED {
        if columns_of(connection, table)?.is_empty() {
            continue;
        }
        for index in indexes_of(connection, table)? {
            connection.execute_batch(&format!("DROP INDEX \"{}\"", index.replace('"', "\"\""))).or_store_error()?;
        }
        connection.execute_batch(&format!("ALTER TABLE {table} RENAME TO old_{table}")).or_store_error()?;
        old.push(table);
    }
    connection.pragma_update(None, "legacy_alter_table", "OFF").or_store_error()?;
    Ok(old)
}

/// The indexes of a table that are not part of its definition.
fn indexes_of(connection: &Connection, table: &str) -> Result<Vec<String>> {
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?1 AND sql IS NOT NULL";
    let mut statement = connection.prepare(sql).or_store_error()?;
    let names = statement.query_map([table], |row| row.get(0)).or_store_error()?;
    names.collect::<rusqlite::Result<_>>().or_store_error()
}

/// Copies the columns that the old and the new form of a table share. The rowid becomes the `position`.
fn copy_rows(connection: &Connection, table: &str) -> Result<()> {
    let had = columns_of(connection, &format!("old_{table}"))?;
    let sql = "SELECT name, iif(\"notnull\", dflt_value, NULL) FROM pragma_table_info(?1)";
    let mut statement = connection.prepare(sql).or_store_error()?;
    let rows = statement
        .query_map([table], |row| Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?)))
        .or_store_error()?;
    let (mut columns, mut values) = (Vec::new(), Vec::new());
    for row in rows {
        let (column, default) = row.or_store_error()?;
        let value = match default {
            _ if column == "position" => "rowid".to_owned(),
            _ if !had.contains(&column) => continue,
            // The Python elfmem let some of these be NULL.
            Some(default) => format!("coalesce({column}, {default})"),
            None => column.clone(),
        };
        columns.push(column);
        values.push(value);
    }
    let order = if columns.iter().any(|column| column == "position") { " ORDER BY rowid" } else { "" };
    let sql =
        format!("INSERT INTO {table} ({}) SELECT {} FROM old_{table}{order}", columns.join(", "), values.join(", "));
    connection.execute_batch(&sql).or_store_error()?;
    keep_numbering(connection, table)
}

/// Keeps the numbers of deleted rows from being assigned again.
fn keep_numbering(connection: &Connection, table: &str) -> Result<()> {
    if NUMBERED.contains(&table) {
        connection.execute("DELETE FROM sqlite_sequence WHERE name = ?1", [table]).or_store_error()?;
        let sql = "UPDATE sqlite_sequence SET name = ?1 WHERE name = 'old_' || ?1";
        connection.execute(sql, [table]).or_store_error()?;
    }
    Ok(())
}
