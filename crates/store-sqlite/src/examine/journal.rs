//! Whether the journal can be read, what stands beside it follows from it, and rows are what it says last.
//!
//! It is read from its end: the first value read for a field is the current one.

use std::collections::HashMap;

use elfmem_core::event::ContextId;
use elfmem_core::{BlockId, EdgeKey, LinkEnd, LinkKey, LinkType, ScopeView};
use elfmem_store::{Change, Check, Entity, Finding, REDACTED, ReadJournal, Setting, StoreError};
use rusqlite::Row;
use serde::Serialize;
use serde_json::{Map, Value};

use super::lens::{Lens, Mending, RowLocation};
use crate::changes::{decoded, is_listed, scope_of};
use crate::errors::OrStoreError;
use crate::transaction::SqliteTransaction;
use crate::{blocks, contexts, contradictions, edges, events, frames, journal, links, outcomes, proposals, sessions};

type Result<T> = std::result::Result<T, StoreError>;

/// Fields that are not compared: the ends of a pair, which are its name, counters of writes, what is derived and not on record when it is made anew, and times, which
/// rows keep less exactly.
const NOT_COMPARED: [&str; 13] = [
    "from_id",
    "to_id",
    "block_a_id",
    "block_b_id",
    "revision",
    "embedding",
    "embedding_model",
    "created_at",
    "event_at",
    "last_scored_at",
    "settled_at",
    "happened_at",
    "recorded_at",
];

/// What of a row has been met on the way back: a bit for each field, and one for the row itself.
type Met = u128;
const ROW: Met = 1;
const ALL: Met = Met::MAX;

/// A row that is not what the journal says of it last.
#[derive(Debug, Clone)]
pub(super) struct Differing {
    pub(super) entity: Entity,
    pub(super) id: String,
    /// The fields that differ, as the journal has them.
    pub(super) recorded: Map<String, Value>,
    place: RowLocation,
}

/// Differences between the journal and the rows.
#[derive(Debug, Default)]
pub(super) struct JournalComparison {
    unreadable: Vec<i64>,
    /// Operations whose count or list of ids is not that of their changes.
    pub(super) mislisted: Vec<i64>,
    astray: Vec<i64>,
    /// The number of the newest operation that was folded.
    folded: i64,
    missing: Vec<RowLocation>,
    left: Vec<RowLocation>,
    pub(super) differing: Vec<Differing>,
}

impl JournalComparison {
    pub(super) fn read(lens: &Lens<'_>) -> Result<Self> {
        let open = SqliteTransaction::new(lens.connection, &ScopeView::default());
        let mut comparison = Self { folded: open.get_folded_journal()?.through, ..Self::default() };
        let sql = "SELECT journal.seq, changes_json, changed, ids, \
                   undoes IS NOT NULL AND NOT EXISTS (SELECT 1 FROM journal undone WHERE undone.seq = journal.undoes) \
                   FROM journal LEFT JOIN journal_touched ON journal_touched.seq = journal.seq ORDER BY journal.seq DESC";
        let mut statement = lens.connection.prepare(sql).or_store_error()?;
        let mut rows = statement.query([]).or_store_error()?;
        let mut reader = Reader::default();
        while let Some(row) = rows.next().or_store_error()? {
            comparison.take(lens, &mut reader, row)?;
        }
        Ok(comparison)
    }

    fn take(&mut self, lens: &Lens<'_>, reader: &mut Reader, row: &Row<'_>) -> Result<()> {
        let seq: i64 = row.get(0).or_store_error()?;
        let changes = row.get_ref(1).or_store_error()?.as_str().ok().and_then(|text| decoded(text).ok());
        let Some(changes) = changes else {
            self.unreadable.push(seq);
            return Ok(());
        };
        let counted: i64 = row.get(2).or_store_error()?;
        let ids: Option<String> = row.get(3).or_store_error()?;
        // Of what was folded only a part is left.
        let wrongly_counted = seq > self.folded && usize::try_from(counted) != Ok(changes.len());
        if wrongly_counted || !ids.as_deref().is_some_and(|ids| is_listed(ids, &changes, seq <= self.folded)) {
            self.mislisted.push(seq);
        }
        if row.get(4).or_store_error()? {
            self.astray.push(seq);
        }
        let ids = ids.unwrap_or_default();
        let scope = scope_of(&ids).or(lens.only_scope());
        for change in changes.iter().rev() {
            let place = || place_of(change);
            match reader.compare(lens, scope, change)? {
                RowComparison::Same => {}
                RowComparison::Missing => self.missing.push(place()),
                RowComparison::Left => self.left.push(place()),
                RowComparison::Differing(recorded) => {
                    let is_belief =
                        |(name, _): &(String, Value)| change.entity != Entity::Block || is_belief_field(name);
                    let (believed, other): (Vec<_>, Vec<_>) = recorded.into_iter().partition(is_belief);
                    for recorded in [believed, other].into_iter().filter(|recorded| !recorded.is_empty()) {
                        let (entity, id) = (change.entity, change.id.clone());
                        let recorded = recorded.into_iter().collect();
                        self.differing.push(Differing { entity, id, recorded, place: place() });
                    }
                }
            }
        }
        Ok(())
    }

    pub(super) fn findings(&self, lens: &Lens<'_>) -> Result<Vec<Finding>> {
        let operations = |seqs: &[i64]| seqs.iter().map(|seq| RowLocation::operation(*seq)).collect::<Vec<_>>();
        let others = self.differing.iter().filter(|row| !row.is_belief());
        let kinds = [
            (operations(&self.unreadable), Mending::None, "what operation", "changed cannot be read"),
            (
                operations(&self.mislisted),
                Mending::Anew,
                "what operation",
                "changed is counted or listed wrongly beside it",
            ),
            (operations(&self.astray), Mending::None, "operation", "took back one that is not there"),
            (self.missing.clone(), Mending::None, "", "is not there, and the journal says it is"),
            (self.left.clone(), Mending::None, "", "is there, and the journal says it was removed"),
            (others.map(|row| row.place.clone()).collect(), Mending::None, "", "is not what the journal says last"),
        ];
        let mut findings = Vec::new();
        for (places, mending, what, how) in kinds {
            let problem = |named: &str| format!("{what} {named} {how}").trim_start().to_owned();
            findings.extend(lens.findings(Check::Journal, mending, places, problem)?);
        }
        Ok(findings)
    }
}

impl Differing {
    /// Whether it is about what is believed, which outcomes and links add up to.
    pub(super) fn is_belief(&self) -> bool {
        match self.entity {
            Entity::Block => self.recorded.keys().all(|name| is_belief_field(name)),
            Entity::Outcome | Entity::Effect => true,
            _ => false,
        }
    }
}

fn is_belief_field(name: &str) -> bool {
    ["confidence", "outcome_evidence"].contains(&name)
}

/// The row that a change is about.
fn place_of(change: &Change) -> RowLocation {
    let (one, other) = change.ends();
    let is_block = |id: &&str| id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    let blocks = std::iter::once(one).chain(other).filter(is_block).map(BlockId::from_stored).collect();
    let kind = change.entity.as_str();
    let short = match change.entity {
        Entity::Block => BlockId::from_stored(one).short().to_owned(),
        _ => change.id.replace('|', " "),
    };
    RowLocation { name: format!("{kind} {}", change.id), short: format!("{kind} {short}"), blocks }
}

enum RowComparison {
    Same,
    Missing,
    Left,
    Differing(Map<String, Value>),
}

/// What has been met of each row on the way back.
#[derive(Debug, Default)]
struct Reader {
    fields: HashMap<String, u32>,
    met: HashMap<(Entity, String), Met>,
}

impl Reader {
    /// The bit of a field; none of one too many, which is then not compared.
    fn bit(&mut self, name: &str) -> Met {
        let next = self.fields.len() as u32 + 1;
        let at = *self.fields.entry(name.to_owned()).or_insert(next);
        if at < Met::BITS { 1 << at } else { 0 }
    }

    fn compare(&mut self, lens: &Lens<'_>, scope: Option<&str>, change: &Change) -> Result<RowComparison> {
        // Sessions show signs of life that are not on record, and the relevance of an answer is no row.
        if matches!(change.entity, Entity::Session | Entity::Answer) {
            return Ok(RowComparison::Same);
        }
        let name = match scope.filter(|_| is_kept_by_scope(change.entity)) {
            Some(scope) => format!("{scope}\u{1f}{}", change.id),
            None => change.id.clone(),
        };
        let key = (change.entity, name);
        let met = self.met.get(&key).copied().unwrap_or_default();
        if met == ALL {
            return Ok(RowComparison::Same);
        }
        if change.is_folded() || change.is_purged() || is_kept_by_scope(change.entity) && scope.is_none() {
            self.met.insert(key, ALL);
            return Ok(RowComparison::Same);
        }
        let Some(Value::Object(recorded)) = &change.after else {
            self.met.insert(key, ALL);
            let left = met == 0 && row_of(lens, scope, change)?.is_some();
            return Ok(if left { RowComparison::Left } else { RowComparison::Same });
        };
        let mut now = met | ROW;
        let mut fresh = Vec::new();
        for field in recorded.keys().filter(|name| !NOT_COMPARED.contains(&name.as_str())) {
            let bit = self.bit(field);
            if met & bit == 0 && bit != 0 {
                now |= bit;
                fresh.push(field);
            }
        }
        let made = change.before.is_none();
        self.met.insert(key.clone(), if made { ALL } else { now });
        if met != 0 && fresh.is_empty() {
            return Ok(RowComparison::Same);
        }
        let Some(row) = row_of(lens, scope, change)? else {
            self.met.insert(key, ALL);
            return Ok(if met == 0 && is_whole(lens, change)? { RowComparison::Missing } else { RowComparison::Same });
        };
        let differs = |field: &&String| {
            let (is, recorded) = (row.get(field.as_str()).unwrap_or(&Value::Null), &recorded[field.as_str()]);
            !is_same(is, recorded) && is != REDACTED && recorded != REDACTED
        };
        let recorded: Map<String, Value> =
            fresh.into_iter().filter(differs).map(|field| (field.clone(), recorded[field.as_str()].clone())).collect();
        Ok(if recorded.is_empty() { RowComparison::Same } else { RowComparison::Differing(recorded) })
    }
}

/// Whether two values are the same. The order of tags says nothing.
fn is_same(is: &Value, recorded: &Value) -> bool {
    match (is, recorded) {
        (Value::Array(is), Value::Array(recorded)) => {
            is.len() == recorded.len() && is.iter().all(|one| recorded.contains(one))
        }
        _ => is == recorded,
    }
}

/// Rows that scopes keep each for itself.
fn is_kept_by_scope(entity: Entity) -> bool {
    matches!(entity, Entity::Context | Entity::Enrolment | Entity::Link)
}

/// Whether the blocks that a row hangs on are there: with a block goes all that hangs on it.
fn is_whole(lens: &Lens<'_>, change: &Change) -> Result<bool> {
    if change.entity == Entity::Block {
        return Ok(true);
    }
    for block in place_of(change).blocks {
        if !blocks::exists(lens.connection, &lens.all, &block)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The row that a change is about, as it is now, with the fields that the journal has.
fn row_of(lens: &Lens<'_>, scope: Option<&str>, change: &Change) -> Result<Option<Value>> {
    fn to_json<T: Serialize>(row: Option<T>) -> Option<Value> {
        row.and_then(|row| serde_json::to_value(row).ok())
    }
    let (connection, all) = (lens.connection, lens.all.as_str());
    let (one, other) = change.ends();
    let (block, second) = (BlockId::from_stored(one), BlockId::from_stored(other.unwrap_or_default()));
    let (own, stands) = (scope.unwrap_or_default(), change.after.is_some());
    Ok(match change.entity {
        Entity::Block => to_json(blocks::get(connection, all, &block)?),
        // One that stands the wrong way round is reported by the check of edges.
        Entity::Edge => {
            let key = EdgeKey { from_id: block.clone(), to_id: second.clone() };
            match edges::get(connection, lens.sight(), &key)? {
                None if stands => {
                    to_json(edges::get(connection, lens.sight(), &EdgeKey { from_id: second, to_id: block })?)
                }
                found => to_json(found),
            }
        }
        Entity::Contradiction => match contradictions::get(connection, all, &block, &second)? {
            None if stands => to_json(contradictions::get(connection, all, &second, &block)?),
            found => to_json(found),
        },
        Entity::Frame => to_json(frames::get(connection, &change.id)?),
        Entity::Session | Entity::Answer => None,
        Entity::Setting => {
            let value = sessions::get_config(connection, &change.id)?;
            to_json(value.map(|value| Setting { key: change.id.clone(), value }))
        }
        Entity::Proposal => match change.id.parse() {
            Ok(number) => to_json(proposals::get(connection, all, number)?),
            Err(_) => None,
        },
        Entity::Outcome => to_json(outcomes::named(connection, &format!("{}:{one}", other.unwrap_or_default()))?),
        Entity::Event => to_json(events::get(connection, all, one)?),
        Entity::Context => to_json(contexts::own(connection, own, &ContextId::from_stored(&change.id))?),
        Entity::Enrolment => {
            let context = ContextId::from_stored(other.unwrap_or_default());
            to_json(contexts::enrolment(connection, own, &block, &context)?)
        }
        Entity::Link => match link_key(&change.id) {
            Some(key) => to_json(links::own(connection, own, &key)?),
            None => None,
        },
        Entity::Effect => match change.id.split_once('|').and_then(|(_, key)| link_key(key)) {
            Some(key) => to_json(links::effect(connection, &key, &block)?),
            None => None,
        },
    })
}

/// Reads what [`LinkKey::name`] wrote.
fn link_key(name: &str) -> Option<LinkKey> {
    let mut parts = name.split('|');
    let (from, to, link_type) = (parts.next()?, parts.next()?, parts.next()?);
    let link_type = LinkType::parse(link_type)?;
    Some(LinkKey { from: LinkEnd::from_stored(from), link_type, to: LinkEnd::from_stored(to) })
}

/// Lists what operations changed beside them anew.
pub(super) fn list_anew(lens: &Lens<'_>) -> Result<()> {
    for seq in JournalComparison::read(lens)?.mislisted {
        journal::list_anew(lens.connection, seq, lens.only_scope())?;
    }
    Ok(())
}
