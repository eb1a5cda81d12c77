//! Purging: every word of a block out of every table. The bytes follow when the file is written anew (`store.rs`, `scrub`).

use std::collections::HashSet;

use elfmem_core::{Block, BlockId, time};
use elfmem_store::{Change, Entity, PURGED, Proposal, StoreError, Tombstone};
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;

use crate::blocks::{json, stamp};
use crate::errors::OrStoreError;
use crate::{events, journal, links};

type Result<T> = std::result::Result<T, StoreError>;

/// What stands where a sentence of the journal held words of a purged block.
pub(crate) const REDACTED: &str = "(its words were purged)";

/// The shortest word that gives something away; numbers always do.
const SHORTEST_WORD: usize = 3;

/// A block whose rows are gone already.
pub(crate) struct Purged<'a> {
    pub(crate) block: &'a Block,
    /// Those whose place it took, or that took its place.
    pub(crate) kin: &'a [BlockId],
    /// What was proposed about it.
    pub(crate) proposals: &'a [Proposal],
}

/// Takes what the journal and the block's kin still say of it, and leaves a tombstone.
pub(crate) fn erase(connection: &Connection, gone: &Purged<'_>, tombstone: &Tombstone) -> Result<()> {
    let Purged { block, kin, proposals } = gone;
    let words = words_of(block);
    redact_summaries(connection, block, &words)?;
    let id = block.id.as_str();
    // An event that was taken back may quote it too, and so may what was proposed to be said of it.
    let quoted = events::as_json(&block.content);
    let gone = events::purge(connection, &block.id, &block.content)?;
    let numbers: Vec<String> = proposals.iter().map(|proposal| proposal.number.to_string()).collect();
    let numbered = numbers.iter().map(|number| format!("[\"{}\",\"{number}\"", Entity::Proposal.as_str()));
    let numbered: Vec<String> = numbered.collect();
    let names: Vec<&str> = [id, &quoted].into_iter().chain(gone.iter().chain(&numbered).map(String::as_str)).collect();
    journal::rewrite(connection, &names, &mut |change| {
        let (one, other) = change.ends();
        let told = one == id
            || other == Some(id)
            || change.entity == Entity::Proposal
                && (numbers.contains(&change.id) || mentions(change, &[id]) || quoted_in(change, &quoted))
            || change.entity == Entity::Event
                && (gone.iter().any(|event| event == one)
                    || is_event_of(change, Some(id))
                    || is_event_of(change, None) && quoted_in(change, &quoted));
        if told {
            for image in [&mut change.before, &mut change.after].into_iter().flatten() {
                *image = serde_json::json!({ PURGED: true });
            }
        }
        told
    })?;
    redact_kin(connection, kin, &words)?;
    redact_proposals(connection, &block.content)?;
    links::purge(connection, &block.id)?;
    connection
        .execute(
            "INSERT OR REPLACE INTO tombstones (block_id, scope, purged_at, actor) VALUES (?1, ?2, ?3, ?4)",
            params![id, block.scope.as_str(), time::to_iso(tombstone.purged_at), tombstone.actor],
        )
        .or_store_error()?;
    Ok(())
}

pub(crate) fn tombstone(connection: &Connection, scopes: &str, prefix: &str) -> Result<Option<Tombstone>> {
    let sql = "SELECT block_id, purged_at, actor FROM tombstones WHERE block_id >= ?1 AND block_id < ?1 || char(1114111) \
               AND instr(?2, '\u{1f}' || scope || '\u{1f}') ORDER BY block_id LIMIT 1";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let found = statement.query_row([prefix, scopes], |row| {
        let block_id = BlockId::from_stored(&row.get::<_, String>(0)?);
        Ok(Tombstone { block_id, purged_at: stamp(1, &row.get::<_, String>(1)?)?, actor: row.get(2)? })
    });
    found.optional().or_store_error()
}

/// The words of everything that was written about a block, lowercased.
fn words_of(block: &Block) -> Vec<String> {
    let mut texts = vec![block.content.as_str()];
    texts.extend([&block.summary, &block.cue].into_iter().flatten().map(String::as_str));
    texts.extend(block.tags.iter().map(|tag| tag.as_str()));
    let lowercase = texts.join(" ").to_lowercase();
    let tells = |word: &&str| word.chars().count() >= SHORTEST_WORD || word.contains(char::is_numeric);
    let mut words: Vec<String> =
        lowercase.split(|c: char| !c.is_alphanumeric()).filter(tells).map(str::to_owned).collect();
    words.sort_unstable();
    words.dedup();
    words
}

fn holds_one(text: &str, words: &[String]) -> bool {
    let text = text.to_lowercase();
    words.iter().any(|word| text.contains(word))
}

/// Sentences of operations on the block that use a word of it, and any sentence that quotes it whole.
fn redact_summaries(connection: &Connection, block: &Block, words: &[String]) -> Result<()> {
    let touching: HashSet<i64> = journal::touching(connection, block.id.as_str())?.into_iter().collect();
    let mut statement = connection.prepare_cached("SELECT seq, summary FROM journal").or_store_error()?;
    let rows = statement.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?))).or_store_error()?;
    let mut telling = Vec::new();
    for row in rows {
        let (seq, summary) = row.or_store_error()?;
        if summary.contains(&block.content) || touching.contains(&seq) && holds_one(&summary, words) {
            telling.push(seq);
        }
    }
    for seq in telling {
        connection
            .execute("UPDATE journal SET summary = ?2 WHERE seq = ?1", params![seq, REDACTED])
            .or_store_error()?;
    }
    Ok(())
}

/// What was said of the block's predecessors and successors (why two contradict each other, why they are joined) may quote it.
fn redact_kin(connection: &Connection, kin: &[BlockId], words: &[String]) -> Result<()> {
    if kin.is_empty() {
        return Ok(());
    }
    redact_images(connection, kin, words)?;
    let kin = json(kin);
    for (table, ends, fields) in [
        ("contradictions", ["block_a_id", "block_b_id"], &["reason", "note"][..]),
        ("edges", ["from_id", "to_id"], &["note"]),
        ("proposals", ["block_id", "other_id"], &["reason", "text"]),
    ] {
        for field in fields {
            let [a, b] = ends;
            let of_kin =
                format!("({a} IN (SELECT value FROM json_each(?1)) OR {b} IN (SELECT value FROM json_each(?1)))");
            let sql = format!("SELECT DISTINCT {field} FROM {table} WHERE {field} IS NOT NULL AND {of_kin}");
            let update = format!("UPDATE {table} SET {field} = ?3 WHERE {field} = ?2 AND {of_kin}");
            for text in texts(connection, &sql, &kin)?.iter().filter(|text| holds_one(text, words)) {
                connection.execute(&update, [&kin, text, REDACTED]).or_store_error()?;
            }
        }
    }
    Ok(())
}

fn texts(connection: &Connection, sql: &str, kin: &str) -> Result<Vec<String>> {
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let rows = statement.query_map([kin], |row| row.get(0)).or_store_error()?;
    rows.collect::<rusqlite::Result<_>>().or_store_error()
}

/// The same in what the journal keeps of those rows.
fn redact_images(connection: &Connection, kin: &[BlockId], words: &[String]) -> Result<()> {
    let kin: Vec<&str> = kin.iter().map(BlockId::as_str).collect();
    journal::rewrite(connection, &kin, &mut |change| {
        let (one, other) = change.ends();
        let of_kin = match change.entity {
            Entity::Block => false,
            Entity::Proposal => mentions(change, &kin),
            _ => kin.iter().any(|id| one == *id || other == Some(*id)),
        };
        let images = [&mut change.before, &mut change.after].into_iter().flatten();
        of_kin && images.filter_map(|image| redact(image, words).then_some(())).count() > 0
    })
}

/// Whether what a change was about names one of some blocks.
fn mentions(change: &Change, ids: &[&str]) -> bool {
    let images = [&change.before, &change.after].into_iter().flatten().map(Value::to_string);
    images.into_iter().any(|image| ids.iter().any(|id| image.contains(id)))
}

/// Whether what a change was about quotes a text whole.
fn quoted_in(change: &Change, quoted: &str) -> bool {
    [&change.before, &change.after].into_iter().flatten().any(|image| events::quotes(&image.to_string(), quoted))
}

/// Whether an event that changed became this block, or none.
fn is_event_of(change: &Change, block: Option<&str>) -> bool {
    let images = [&change.before, &change.after].into_iter().flatten();
    images.into_iter().any(|image| image.get("block_id").and_then(Value::as_str) == block)
}

/// Texts that were proposed and quote the block.
fn redact_proposals(connection: &Connection, content: &str) -> Result<()> {
    let mut statement =
        connection.prepare_cached("SELECT number, text FROM proposals WHERE text IS NOT NULL").or_store_error()?;
    let rows = statement.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?))).or_store_error()?;
    let all = rows.collect::<rusqlite::Result<Vec<_>>>().or_store_error()?;
    for (number, _) in all.into_iter().filter(|(_, text)| events::quotes(text, content)) {
        let sql = "UPDATE proposals SET text = ?2 WHERE number = ?1";
        connection.execute(sql, params![number, REDACTED]).or_store_error()?;
    }
    Ok(())
}

/// Takes one of the words out of the free texts of an image; whether it was there.
fn redact(image: &mut Value, words: &[String]) -> bool {
    let mut found = false;
    for name in ["reason", "note", "text"] {
        if image.get(name).and_then(Value::as_str).is_some_and(|text| holds_one(text, words)) {
            image[name] = REDACTED.into();
            found = true;
        }
    }
    found
}
