//! Whether everything that was acknowledged is there, and the file is sound.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::Path;

use elfmem_core::eviction::DEGREE_CAP;
use elfmem_core::{ActiveHours, BlockStatus, EdgeOrigin, OperationKind, ScopeView};
use elfmem_engine::{Clock, Memory, Options, Recall, SystemClock};
use elfmem_store::{Change, Entity, JournalHeader, JournalQuery, Row, Snapshot, Store, StoreError};
use elfmem_store_sqlite::{OpenOptions, SqliteStore};
use serde_json::Value;

use super::claims::Claim;
use super::ledger::Ledger;
use crate::Result;
use crate::corpus::Corpus;

/// Operations that are read from the journal at a time.
const PAGE: u32 = 2_000;
/// Questions that must be answered the same from indexes that were made anew.
const QUESTIONS: usize = 40;

/// Fields of a block that must be as the journal says. The others count writes, or are times that rows keep less exactly.
const COMPARED: &[&str] = &[
    "archive_reason",
    "category",
    "confidence",
    "cue",
    "decay_lambda",
    "last_reinforced_at",
    "outcome_evidence",
    "pinned",
    "reinforcement_count",
    "scope",
    "source",
    "status",
    "summary",
    "superseded_by",
    "tags",
];

/// What is wrong.
#[derive(Debug, Default)]
pub(super) struct FoundBlock {
    pub(super) lost: Vec<String>,
    pub(super) corruptions: Vec<String>,
}

/// What the journal says, put together by reading it from its beginning.
#[derive(Debug, Default)]
struct ReportedOperation {
    /// Operations by block.
    operations: HashMap<String, HashSet<String>>,
    /// The last that was said of each field of each block; none of a block that was removed.
    blocks: HashMap<String, Option<HashMap<String, Value>>>,
    /// Blocks that took another's place. What is asked of the old one is done to them.
    heirs: HashMap<String, HashSet<String>>,
    /// Outcomes of blocks that were taken back, as `block:outcome`.
    retracted: HashSet<String>,
    /// Events that were taken off the record.
    unrecorded: HashSet<String>,
    /// The kind of each operation by its number, and the last number.
    numbered: HashMap<i64, String>,
    last: i64,
}

pub(super) fn check(database: &Path, ledger: &Ledger) -> Result<FoundBlock> {
    let store = SqliteStore::open(database, OpenOptions::default(), SystemClock.now())?;
    let memory = Memory::open(store, Options::default());
    let mut found = FoundBlock::default();
    let told = memory.store().read::<_, StoreError, _>(&ScopeView::default(), read_journal)?;
    memory.store().read::<_, StoreError, _>(&ScopeView::default(), |snapshot| {
        for claim in &ledger.claims {
            if let Some(problem) = missing(snapshot, &told, claim)? {
                found.lost.push(problem);
            }
        }
        rows_are_sound(snapshot, &told, &mut found.corruptions)
    })?;
    let findings = memory.store().examine(&ScopeView::default(), &mut |_| {})?;
    found.corruptions.extend(findings.into_iter().map(|finding| format!("examine: {}", finding.problem)));
    same_answers_from_new_indexes(database, &memory, &mut found.corruptions)?;
    Ok(found)
}

fn read_journal(snapshot: &dyn Snapshot) -> std::result::Result<ReportedOperation, StoreError> {
    let mut told = ReportedOperation::default();
    let end = snapshot.get_journal_position()?;
    told.last = end;
    let mut after = 0;
    while after < end {
        let before = after + i64::from(PAGE) + 1;
        let query = JournalQuery { after: Some(after), before: Some(before), ..JournalQuery::default() };
        for entry in snapshot.get_journal(&query)? {
            told.numbered.insert(entry.seq, entry.header.operation.as_str().to_owned());
            for change in &entry.changes {
                told.take(entry.header.operation.as_str(), change);
            }
        }
        after = before - 1;
    }
    Ok(told)
}

impl ReportedOperation {
    fn take(&mut self, operation: &str, change: &Change) {
        let (id, other) = change.ends();
        for id in std::iter::once(id).chain(other) {
            self.operations.entry(id.to_owned()).or_default().insert(operation.to_owned());
        }
        match change.entity {
            Entity::Block => self.take_block(id, change),
            Entity::Outcome if change.after.is_none() => {
                self.retracted.insert(change.id.clone());
            }
            Entity::Event if change.after.is_none() => {
                self.unrecorded.insert(change.id.split('|').next().unwrap_or_default().to_owned());
            }
            _ => {}
        }
    }

    fn take_block(&mut self, id: &str, change: &Change) {
        match &change.after {
            None => {
                self.blocks.insert(id.to_owned(), None);
            }
            Some(Value::Object(fields)) => {
                if let Some(heir) = fields.get("superseded_by").and_then(Value::as_str) {
                    self.heirs.entry(id.to_owned()).or_default().insert(heir.to_owned());
                }
                let known = self.blocks.entry(id.to_owned()).or_default().get_or_insert_default();
                if change.before.is_none() {
                    known.clear();
                }
                known.extend(fields.iter().map(|(name, value)| (name.clone(), value.clone())));
            }
            Some(_) => {}
        }
    }

    /// A block and all that ever took its place.
    fn line(&self, id: &str) -> Vec<String> {
        let mut line = vec![id.to_owned()];
        let mut at = 0;
        while at < line.len() {
            for heir in self.heirs.get(&line[at]).into_iter().flatten() {
                if !line.contains(heir) {
                    line.push(heir.clone());
                }
            }
            at += 1;
        }
        line
    }

    /// Whether an operation of one of these kinds changed something.
    fn did(&self, id: &str, operations: &[&str]) -> bool {
        let did = self.operations.get(id);
        did.is_some_and(|did| operations.iter().any(|operation| did.contains(*operation)))
    }

    /// Whether an operation on record removed a block.
    fn removed(&self, id: &str) -> bool {
        matches!(self.blocks.get(id), Some(None))
    }
}

/// What is missing of something that was acknowledged.
fn missing(
    snapshot: &dyn Snapshot,
    told: &ReportedOperation,
    claim: &Claim,
) -> std::result::Result<Option<String>, StoreError> {
    let exists = |id: &str| snapshot.block_exists(&elfmem_core::BlockId::from_stored(id));
    let purged = |id: &str| snapshot.find_tombstone(id).map(|tombstone| tombstone.is_some());
    Ok(match claim {
        Claim::Stored { id } => {
            let here = exists(id)? || told.removed(id) || purged(id)?;
            (!here).then(|| format!("block {id} was stored and is gone"))
        }
        Claim::Changed { id, operations } => {
            for one in told.line(id) {
                if told.did(&one, operations) || purged(&one)? {
                    return Ok(None);
                }
            }
            Some(format!("{} of {id} is not on record", operations[0]))
        }
        Claim::Untaught { outcome } => {
            let ending = format!(":{outcome}");
            let retracted = told.retracted.iter().any(|id| id.ends_with(&ending));
            let gone = retracted || snapshot.get_outcomes_by_id(outcome)?.is_empty();
            (!gone).then(|| format!("outcome {outcome} was taken back and is there"))
        }
        Claim::Settled { number, operations } => {
            // A purge takes what was said of a proposal about its block.
            let unknown = !told.operations.contains_key(number);
            (!unknown && !told.did(number, operations))
                .then(|| format!("{} of proposal {number} is gone", operations[0]))
        }
        Claim::Numbered { seq, operation } => {
            let here = told.numbered.get(seq).map_or(*seq <= told.last, |kind| kind == operation);
            (!here).then(|| format!("operation {seq} was {operation} and is not"))
        }
        Claim::Taught { id, outcome } => {
            let records = snapshot.get_outcomes_by_id(outcome)?;
            for one in told.line(id) {
                let here = records.iter().any(|record| record.block_id.as_str() == one)
                    || told.retracted.contains(&format!("{one}:{outcome}"))
                    || told.removed(&one);
                if here || purged(&one)? {
                    return Ok(None);
                }
            }
            Some(format!("outcome {outcome} of block {id} is gone"))
        }
        Claim::Recorded { event, block } => {
            let purged = block.as_deref().map_or(Ok(false), purged)?;
            let here = snapshot.get_event(event)?.is_some() || told.unrecorded.contains(event) || purged;
            (!here).then(|| format!("event {event} was put on record and is gone"))
        }
        Claim::Purged { id } => {
            let gone = purged(id)? && !exists(id)?;
            (!gone).then(|| format!("block {id} was purged and is there"))
        }
    })
}

/// Whether the rows are what the journal says of them, and the invariants hold.
fn rows_are_sound(
    snapshot: &dyn Snapshot,
    told: &ReportedOperation,
    wrong: &mut Vec<String>,
) -> std::result::Result<(), StoreError> {
    let mut statuses = HashMap::new();
    let mut edges = Vec::new();
    snapshot.visit_rows(elfmem_store::Vectors::Skip, &mut |row| {
        match row {
            Row::Block(row) => {
                let block = &row.block;
                statuses.insert(block.id.clone(), block.status);
                if !(0.0..=1.0).contains(&block.confidence.get()) {
                    wrong.push(format!("block {} is believed {}", block.id, block.confidence.get()));
                }
                let here = serde_json::to_value(block).unwrap_or_default();
                let said = told.blocks.get(block.id.as_str()).and_then(Option::as_ref);
                for (name, value) in said.into_iter().flatten() {
                    let is = here.get(name).unwrap_or(&Value::Null);
                    if COMPARED.contains(&name.as_str()) && is != value {
                        wrong.push(format!("block {}: {name} is {is}, and the journal says {value}", block.id));
                    }
                }
            }
            Row::Edge(edge) => edges.push(edge),
            _ => {}
        }
        ControlFlow::Continue(())
    })?;
    let mut degrees: HashMap<_, usize> = HashMap::new();
    for edge in &edges {
        let key = &edge.key;
        if key.from_id >= key.to_id {
            wrong.push(format!("edge {}:{} is not canonical", key.from_id, key.to_id));
        }
        for end in [&key.from_id, &key.to_id] {
            if statuses.get(end).is_none_or(|status| *status == BlockStatus::Archived) {
                wrong.push(format!("edge {}:{} ends at a block that is archived or gone", key.from_id, key.to_id));
            }
            *degrees.entry(end).or_default() += usize::from(edge.origin != EdgeOrigin::AGENT);
        }
    }
    for (id, degree) in degrees {
        if degree > DEGREE_CAP {
            wrong.push(format!("block {id} has {degree} edges that are not asserted, and {DEGREE_CAP} are the most"));
        }
    }
    Ok(())
}

/// What is derived, made anew, must answer as it did.
fn same_answers_from_new_indexes(database: &Path, memory: &Memory<SqliteStore>, wrong: &mut Vec<String>) -> Result<()> {
    let mut corpus = Corpus::new(99);
    let questions: Vec<String> = (0..QUESTIONS).map(|_| corpus.question()).collect();
    let answers = |memory: &Memory<SqliteStore>| -> Result<Vec<Vec<String>>> {
        let ids = |question: &String| -> Result<Vec<String>> {
            let answer = memory.recall(Recall::new(question.as_str()).preview())?;
            Ok(answer.blocks.iter().map(|hit| hit.id.to_string()).collect())
        };
        questions.iter().map(ids).collect()
    };
    let before = answers(memory)?;
    let header = JournalHeader {
        at: SystemClock.now(),
        active_hours: ActiveHours::ZERO,
        session: None,
        actor: "bench".to_owned(),
        operation: OperationKind::Repair,
        summary: String::new(),
    };
    memory.store().repair(&ScopeView::default(), &header)?;
    let store = SqliteStore::open(database, OpenOptions::default(), SystemClock.now())?;
    let anew = Memory::open(store, Options::default());
    let after = answers(&anew)?;
    for ((question, before), after) in questions.iter().zip(before).zip(after) {
        if before != after {
            wrong.push(format!("'{question}' is answered differently from indexes made anew"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use elfmem_engine::Outcome;

    #[test]
    fn what_is_not_in_the_file_is_lost_and_what_is_there_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("memory.db");
        let store = SqliteStore::open(&database, OpenOptions::default(), SystemClock.now()).unwrap();
        let memory = Memory::open(store, Options::default());
        let learned = memory.learn("The harbour opens at six.").unwrap();
        memory.consolidate().unwrap();
        let id = learned.block_id.to_string();
        let taught = memory.outcome(Outcome::new([id.clone()], 0.9)).unwrap().outcome_id;
        let mut ledger = Ledger::default();
        ledger.claims = vec![Claim::Stored { id: id.clone() }, Claim::Taught { id: id.clone(), outcome: taught }];
        let found = check(&database, &ledger).unwrap();
        assert!(found.lost.is_empty() && found.corruptions.is_empty(), "{found:?}");

        let other = "0123456789abcdef".to_owned();
        ledger.claims = vec![
            Claim::Stored { id: other.clone() },
            Claim::Changed { id: id.clone(), operations: &["forget"] },
            Claim::Numbered { seq: 1_000, operation: "undo" },
            Claim::Taught { id: id.clone(), outcome: "never".to_owned() },
            Claim::Purged { id },
        ];
        assert_eq!(check(&database, &ledger).unwrap().lost.len(), 5);
    }
}
