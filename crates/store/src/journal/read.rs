//! Reading the journal.

use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;

use elfmem_core::{BlockId, SessionId};

use super::fold::FOLDED;
use super::{Answer, Change, FoldedJournal, JournalEntry, JournalQuery, JournalRecord, NumberedChange, Operation};
use crate::rows::{RowKey, get};
use crate::{Internal, ReadBlocks, Result, Setting, StoreError};

const SECONDS_OF_A_DAY: i64 = 86_400;

/// Receives the operations of a scan, and may break it off.
pub type JournalVisitor<'a> = &'a mut dyn FnMut(&JournalRecord) -> ControlFlow<()>;

/// Reads the journal: what changed, when, by whom, from what to what.
pub trait ReadJournal: ReadBlocks {
    /// Visits the operations with a number above `after`, the newest first, those of other scopes too.
    fn scan_journal(&self, after: i64, visit: JournalVisitor<'_>, internal: Internal) -> Result<()>;

    /// Returns the number of the newest operation; 0 when there is none.
    fn get_journal_position(&self) -> Result<i64> {
        let mut position = 0;
        let newest = &mut |record: &JournalRecord| {
            position = record.seq;
            ControlFlow::Break(())
        };
        self.scan_journal(0, newest, Internal(()))?;
        Ok(position)
    }

    /// Returns what was folded so far, of all scopes.
    fn get_folded_journal(&self) -> Result<FoldedJournal> {
        match get::<Setting>(self, &RowKey::Setting(FOLDED.to_owned()))? {
            Some(setting) => serde_json::from_str(&setting.value).map_err(StoreError::driver),
            None => Ok(FoldedJournal::default()),
        }
    }

    /// Returns the number of the newest operation before the last `days` days of use; 0 when there is none. A day of use is a day
    /// (UTC) on which an operation ran.
    fn get_position_before_days(&self, days: u32) -> Result<i64> {
        let (mut seen, mut position) = (HashSet::new(), 0);
        let visit = &mut |record: &JournalRecord| {
            seen.insert(record.header.at.as_second().div_euclid(SECONDS_OF_A_DAY));
            if seen.len() <= days as usize {
                return ControlFlow::Continue(());
            }
            position = record.seq;
            ControlFlow::Break(())
        };
        self.scan_journal(0, visit, Internal(()))?;
        Ok(position)
    }

    /// Lists operations that changed nothing outside the view, in the order they ran, with their changes.
    fn get_journal(&self, query: &JournalQuery) -> Result<Vec<JournalEntry>> {
        let mut entries = Vec::new();
        visit_visible(self, query, |record| {
            let JournalRecord { seq, header, links, changes, .. } = record.clone();
            entries.push(JournalEntry { seq, header, links, changes });
        })?;
        entries.reverse();
        Ok(entries)
    }

    /// Lists operations that changed nothing outside the view, in the order they ran, without their changes.
    fn get_operations(&self, query: &JournalQuery) -> Result<Vec<Operation>> {
        let mut operations = Vec::new();
        visit_visible(self, query, |record| {
            let JournalRecord { seq, scope, header, links, changed, .. } = record;
            let (scope, header, links) = (scope.clone(), header.clone(), links.clone());
            operations.push(Operation { seq: *seq, header, links, changed: *changed, scope });
        })?;
        operations.reverse();
        Ok(operations)
    }

    /// Lists the changes of the operations with these numbers, in the order they were made.
    fn get_changes(&self, seqs: &[i64]) -> Result<Vec<NumberedChange>> {
        let Some(first) = seqs.iter().min() else { return Ok(Vec::new()) };
        oldest_first(self, first - 1, |record| match seqs.contains(&record.seq) {
            true => record.changes.clone(),
            false => Vec::new(),
        })
    }

    /// Lists the changes that operations after the first of `seqs`, and not among them, made to rows that those touched: the blocks
    /// themselves, their edges and contradictions, blocks superseded by them, and other rows with the same names.
    fn get_later_changes(&self, seqs: &[i64]) -> Result<Vec<NumberedChange>> {
        let Some(first) = seqs.iter().min() else { return Ok(Vec::new()) };
        let changed = self.get_changes(seqs)?;
        let touched: HashSet<&str> = changed.iter().flat_map(|numbered| ends(&numbered.change)).collect();
        oldest_first(self, *first, |record| {
            let later = record.changes.iter().filter(|_| !seqs.contains(&record.seq));
            later.filter(|change| change.touched().any(|id| touched.contains(id))).cloned().collect()
        })
    }

    /// Lists every change of a block and of the rows named after it, such as its edges and contradictions, the newest first.
    fn get_block_changes(&self, id: &BlockId) -> Result<Vec<NumberedChange>> {
        let mut changes = oldest_first(self, 0, |record| {
            record.changes.iter().filter(|change| change.is_about(id.as_str())).cloned().collect()
        })?;
        changes.reverse();
        Ok(changes)
    }

    /// Lists the operations that undid another, as `(its number, the number it undid)`, the newest first.
    fn get_undos(&self) -> Result<Vec<(i64, i64)>> {
        let mut undos = Vec::new();
        let visit = &mut |record: &JournalRecord| {
            undos.extend(record.links.undoes.map(|undone| (record.seq, undone)));
            ControlFlow::Continue(())
        };
        self.scan_journal(0, visit, Internal(()))?;
        Ok(undos)
    }

    /// Lists the numbers of the operations of a run, in order.
    fn get_run(&self, run: &str) -> Result<Vec<i64>> {
        let mut seqs = Vec::new();
        let visit = &mut |record: &JournalRecord| {
            seqs.extend(Some(record.seq).filter(|_| record.links.run.as_deref() == Some(run)));
            ControlFlow::Continue(())
        };
        self.scan_journal(0, visit, Internal(()))?;
        seqs.reverse();
        Ok(seqs)
    }

    /// Lists the ids of the blocks that recalls and frames of a session showed, those of the newest answer first, each once, at most
    /// `limit`. Some of them may be gone by now, or outside the view.
    fn get_shown_ids(&self, session: &SessionId, limit: u32) -> Result<Vec<BlockId>> {
        let mut touched: Vec<BTreeSet<String>> = Vec::new();
        let visit = &mut |record: &JournalRecord| {
            if record.is_answer() && record.header.session.as_ref() == Some(session) {
                touched.push(record.changes.iter().flat_map(Change::touched).map(str::to_owned).collect());
            }
            ControlFlow::Continue(())
        };
        self.scan_journal(0, visit, Internal(()))?;
        let mut seen = HashSet::new();
        let ids = touched.into_iter().flatten().map(|id| BlockId::from_stored(&id));
        Ok(ids.filter(|id| seen.insert(id.clone())).take(limit as usize).collect())
    }

    /// Lists what the recalls and frames of the view's own scope showed after the operation with the number `position`, in order; at
    /// most `limit`, the newest.
    fn get_answers_after(&self, position: i64, limit: u32) -> Result<Vec<Answer>> {
        let mut answers = Vec::new();
        if limit == 0 {
            return Ok(answers);
        }
        let visit = &mut |record: &JournalRecord| {
            let own = record.scope.as_ref() == Some(self.scope());
            if let Some(session) = record.header.session.clone().filter(|_| own && record.is_answer()) {
                answers.push(Answer::from_changes(record.header.at, session, &record.changes));
            }
            if answers.len() == limit as usize { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        self.scan_journal(position, visit, Internal(()))?;
        answers.reverse();
        Ok(answers)
    }
}

fn ends(change: &Change) -> impl Iterator<Item = &str> {
    let (id, other) = change.ends();
    std::iter::once(id).chain(other)
}

/// Collects changes of operations above a number, in the order they were made.
fn oldest_first(
    journal: &(impl ReadJournal + ?Sized),
    after: i64,
    mut select: impl FnMut(&JournalRecord) -> Vec<Change>,
) -> Result<Vec<NumberedChange>> {
    let mut operations: Vec<(i64, Vec<Change>)> = Vec::new();
    let visit = &mut |record: &JournalRecord| {
        operations.push((record.seq, select(record)));
        ControlFlow::Continue(())
    };
    journal.scan_journal(after, visit, Internal(()))?;
    let numbered =
        |(seq, changes): (i64, Vec<Change>)| changes.into_iter().map(move |change| NumberedChange { seq, change });
    Ok(operations.into_iter().rev().flat_map(numbered).collect())
}

/// Visits the operations that a query selects and the view may see, the newest first.
fn visit_visible(
    journal: &(impl ReadJournal + ?Sized),
    query: &JournalQuery,
    mut visit: impl FnMut(&JournalRecord),
) -> Result<()> {
    let mut left = query.limit.unwrap_or(u32::MAX);
    let mut failure = None;
    let mut step = |record: &JournalRecord| -> Result<ControlFlow<()>> {
        if left == 0 {
            return Ok(ControlFlow::Break(()));
        }
        let in_range = query.before.is_none_or(|before| record.seq < before);
        let about = |id: &BlockId| record.changes.iter().any(|change| change.is_about(id.as_str()));
        if in_range && query.block.as_ref().is_none_or(about) && is_visible(journal, record)? {
            left -= 1;
            visit(record);
        }
        Ok(ControlFlow::Continue(()))
    };
    let scan = &mut |record: &JournalRecord| {
        step(record).unwrap_or_else(|error| {
            failure = Some(error);
            ControlFlow::Break(())
        })
    };
    journal.scan_journal(query.after.unwrap_or(0), scan, Internal(()))?;
    failure.map_or(Ok(()), Err::<(), StoreError>)
}

/// Whether an operation was made in a scope of the view and touched no block outside it.
fn is_visible(journal: &(impl ReadJournal + ?Sized), record: &JournalRecord) -> Result<bool> {
    if record.scope.as_ref().is_some_and(|scope| !journal.view().sees(scope)) {
        return Ok(false);
    }
    for id in record.changes.iter().flat_map(Change::touched) {
        if journal.is_hidden(&BlockId::from_stored(id), Internal(()))? {
            return Ok(false);
        }
    }
    Ok(true)
}
