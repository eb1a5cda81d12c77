//! The chain over the journal: every operation carries a hash of the chain value before it and of its own contents.
//!
//! The hash covers what no rewriting changes: time, clock of use, session, actor, kind, run, the operation that was undone, and
//! a digest of the changes as they were made. The digest is kept beside the chain value, because purges, redactions and folding
//! rewrite the changes later. Folding also removes operations, so the first one after the folded part is taken as it is and
//! the chain is checked from there.

use elfmem_store::StoreError;
use rusqlite::{Connection, OptionalExtension, Row, params};
use sha2::{Digest, Sha256};

use crate::errors::OrStoreError;

type Result<T> = std::result::Result<T, StoreError>;

/// The length of a hash.
const HASH: usize = 32;

/// The chain value of one operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ChainValue(pub(crate) [u8; HASH]);

/// What the journal keeps with an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ChainLink {
    /// The digest of the changes as they were made.
    changes: [u8; HASH],
    value: ChainValue,
}

impl ChainLink {
    /// The stored form: the digest, then the chain value.
    pub(crate) fn to_bytes(self) -> Vec<u8> {
        [self.changes, self.value.0].concat()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (changes, value) = bytes.split_first_chunk()?;
        Some(Self { changes: *changes, value: ChainValue(value.try_into().ok()?) })
    }
}

/// An operation by its number and its chain value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) seq: i64,
    pub(crate) value: ChainValue,
}

/// The parts of an operation that its chain value covers.
pub(crate) struct ChainedFields<'a> {
    pub(crate) at: &'a str,
    pub(crate) active_hours: f64,
    pub(crate) session: Option<&'a str>,
    pub(crate) actor: &'a str,
    pub(crate) operation: &'a str,
    pub(crate) run: Option<&'a str>,
    pub(crate) undoes: Option<i64>,
}

impl ChainedFields<'_> {
    /// Returns the link of an operation that follows another, or begins the chain. `changes` are its changes as they are stored.
    pub(crate) fn link(&self, changes: &str, previous: Option<ChainValue>) -> ChainLink {
        let changes = Sha256::digest(changes.as_bytes()).into();
        ChainLink { changes, value: self.value(&changes, previous) }
    }

    fn value(&self, changes: &[u8; HASH], previous: Option<ChainValue>) -> ChainValue {
        let mut hash = Sha256::new();
        hash.update(previous.map_or([0; HASH], |value| value.0));
        hash.update(changes);
        hash.update(self.active_hours.to_bits().to_le_bytes());
        let undoes = self.undoes.map(|seq| seq.to_string());
        let texts = [Some(self.at), self.session, Some(self.actor), Some(self.operation), self.run, undoes.as_deref()];
        for text in texts {
            // The length goes first, so that no two lists of texts are hashed from the same bytes.
            hash.update(text.map_or(u64::MAX, |text| text.len() as u64).to_le_bytes());
            hash.update(text.unwrap_or_default().as_bytes());
        }
        ChainValue(hash.finalize().into())
    }
}

/// Returns the newest operation; none if the journal is empty or its newest operation is from before the chain.
pub(crate) fn newest(connection: &Connection) -> Result<Option<Position>> {
    let sql = "SELECT seq, chain FROM journal ORDER BY seq DESC LIMIT 1";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let found = statement.query_row([], |row| Ok((row.get(0)?, stored_in(row, 1)?))).optional().or_store_error()?;
    Ok(found.and_then(|(seq, link)| Some(Position { seq, value: link?.value })))
}

/// Returns the chain value of an operation; none if there is no such operation or it is from before the chain.
pub(crate) fn value_at(connection: &Connection, seq: i64) -> Result<Option<ChainValue>> {
    let mut statement = connection.prepare_cached("SELECT chain FROM journal WHERE seq = ?1").or_store_error()?;
    let found = statement.query_row(params![seq], |row| stored_in(row, 0)).optional().or_store_error()?;
    Ok(found.flatten().map(|link| link.value))
}

/// Lists the operations above `after` whose chain value does not follow from the operation before them.
pub(crate) fn broken_links(connection: &Connection, after: i64) -> Result<Vec<i64>> {
    let sql = "SELECT seq, at, active_hours, session_id, actor, operation, run, undoes, chain FROM journal \
               WHERE seq > ?1 ORDER BY seq";
    let mut statement = connection.prepare(sql).or_store_error()?;
    let mut rows = statement.query([after]).or_store_error()?;
    let (mut broken, mut previous) = (Vec::new(), None);
    while let Some(row) = rows.next().or_store_error()? {
        let (seq, found, expected) = operation_in(row, previous).or_store_error()?;
        let value = found.map(|link| link.value);
        if previous.is_some() && (value.is_none() || value != expected) {
            broken.push(seq);
        }
        previous = value.or(previous);
    }
    Ok(broken)
}

/// Reads an operation: its number, the link that it has, and the chain value that it should have.
fn operation_in(
    row: &Row<'_>,
    previous: Option<ChainValue>,
) -> rusqlite::Result<(i64, Option<ChainLink>, Option<ChainValue>)> {
    let (at, actor, operation): (String, String, String) = (row.get(1)?, row.get(4)?, row.get(5)?);
    let (session, run): (Option<String>, Option<String>) = (row.get(3)?, row.get(6)?);
    let fields = ChainedFields {
        at: &at,
        active_hours: row.get(2)?,
        session: session.as_deref(),
        actor: &actor,
        operation: &operation,
        run: run.as_deref(),
        undoes: row.get(7)?,
    };
    let found = stored_in(row, 8)?;
    Ok((row.get(0)?, found, found.map(|link| fields.value(&link.changes, previous))))
}

fn stored_in(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<ChainLink>> {
    let bytes: Option<Vec<u8>> = row.get(column)?;
    Ok(bytes.and_then(|bytes| ChainLink::from_bytes(&bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields() -> ChainedFields<'static> {
        ChainedFields {
            at: "2026-11-18T04:00:00.000001+00:00",
            active_hours: 1.5,
            session: None,
            actor: "cli",
            operation: "learn",
            run: None,
            undoes: None,
        }
    }

    #[test]
    fn every_field_the_changes_and_the_value_before_change_the_chain_value() {
        let value = |fields: ChainedFields<'_>| fields.link("[]", None).value;
        let first = value(fields());
        let others = [
            fields().link("[]", Some(first)).value,
            fields().link("[1]", None).value,
            value(ChainedFields { at: "2026-11-18T04:00:00.000002+00:00", ..fields() }),
            value(ChainedFields { active_hours: 1.6, ..fields() }),
            value(ChainedFields { session: Some(""), ..fields() }),
            value(ChainedFields { actor: "clil", operation: "earn", ..fields() }),
            value(ChainedFields { run: Some("r"), ..fields() }),
            value(ChainedFields { undoes: Some(1), ..fields() }),
        ];
        assert_eq!(value(fields()), first);
        assert!(others.iter().all(|other| *other != first));
    }

    #[test]
    fn a_link_is_read_as_it_was_stored() {
        let link = fields().link("[]", None);
        assert_eq!(ChainLink::from_bytes(&link.to_bytes()), Some(link));
        assert_eq!(ChainLink::from_bytes(&link.to_bytes()[1..]), None);
        assert_eq!(ChainLink::from_bytes(&[]), None);
    }
}
