//! Who looks: everything is looked at, and only what the view sees is named.

use std::collections::BTreeSet;

use elfmem_core::{BlockId, ScopeView};
use elfmem_store::{Check, Finding, StoreError};
use rusqlite::Connection;

use crate::blocks::exists;
use crate::rows::every_scope;
use crate::visibility::{Sight, sees_everything, visible_scopes};

type Result<T> = std::result::Result<T, StoreError>;

/// Largest number of places that a finding names.
pub(super) const MAX_NAMED: usize = 5;

/// Who can mend what was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mending {
    /// A table that is derived and made anew as a whole, whoever asks.
    Anew,
    /// A row of the memory, which whoever sees it can have mended.
    Row,
    /// Nobody.
    None,
}

/// A row that something is wrong with.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RowLocation {
    /// Its name with full ids.
    pub(super) name: String,
    /// Its name with short ids, for messages.
    pub(super) short: String,
    /// The blocks it belongs to: it is named where they are seen.
    pub(super) blocks: Vec<BlockId>,
}

impl RowLocation {
    /// Two blocks that are joined.
    pub(super) fn pair(from: &str, to: &str) -> Self {
        let blocks = [from, to].map(BlockId::from_stored);
        let short = format!("{}:{}", blocks[0].short(), blocks[1].short());
        Self { name: format!("{from}:{to}"), short, blocks: blocks.into() }
    }

    /// An operation of the journal. Its number says nothing of what it did.
    pub(super) fn operation(seq: i64) -> Self {
        Self { name: seq.to_string(), short: seq.to_string(), blocks: Vec::new() }
    }
}

impl From<BlockId> for RowLocation {
    fn from(id: BlockId) -> Self {
        Self { name: id.to_string(), short: id.short().to_owned(), blocks: vec![id] }
    }
}

/// One look at one state of the database, on behalf of a view.
#[derive(Debug)]
pub(super) struct Lens<'c> {
    pub(super) connection: &'c Connection,
    /// Every scope there is, in the form that readings take.
    pub(super) all: String,
    /// Those of the view.
    pub(super) seen: String,
    /// Whether these are the same.
    everything: bool,
}

impl<'c> Lens<'c> {
    pub(super) fn of(connection: &'c Connection, view: &ScopeView) -> Result<Self> {
        let all = every_scope(connection)?;
        let seen = visible_scopes(view);
        Ok(Self { connection, everything: sees_everything(connection, &seen)?, all, seen })
    }

    /// What may be read of edges: all of them.
    pub(super) fn sight(&self) -> Sight<'_> {
        Sight { scopes: &self.all, everything: true }
    }

    /// The scope of a memory that has only one.
    pub(super) fn only_scope(&self) -> Option<&str> {
        let mut scopes = self.all.split('\u{1f}').filter(|scope| !scope.is_empty());
        scopes.next().filter(|_| scopes.next().is_none())
    }

    /// Whether the view may know a row.
    pub(super) fn sees(&self, place: &RowLocation) -> Result<bool> {
        for block in place.blocks.iter().filter(|_| !self.everything) {
            if !exists(self.connection, &self.seen, block)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What is wrong with some rows: those that the view sees by name, of the others how many.
    pub(super) fn findings(
        &self,
        check: Check,
        mending: Mending,
        places: impl IntoIterator<Item = RowLocation>,
        problem: impl Fn(&str) -> String,
    ) -> Result<Vec<Finding>> {
        let (mut seen, mut hidden) = (Vec::new(), 0usize);
        for place in places.into_iter().collect::<BTreeSet<_>>() {
            if self.sees(&place)? {
                seen.push(place);
            } else {
                hidden += 1;
            }
        }
        let mut findings = Vec::new();
        if !seen.is_empty() {
            let problem = problem(&in_short(&seen));
            let places = seen.into_iter().map(|place| place.name).collect();
            findings.push(Finding { check, problem, places, repairable: mending != Mending::None });
        }
        if hidden > 0 {
            let problem = problem(&format!("({hidden} of other scopes)"));
            findings.push(Finding { check, problem, places: Vec::new(), repairable: mending == Mending::Anew });
        }
        Ok(findings)
    }
}

/// The first of many.
fn in_short(places: &[RowLocation]) -> String {
    let named: Vec<&str> = places.iter().take(MAX_NAMED).map(|place| place.short.as_str()).collect();
    match places.len().saturating_sub(MAX_NAMED) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}
