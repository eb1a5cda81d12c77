//! Whether anything is hidden from a view at all. Most memories have one scope, and what every row is asked for costs more than
//! asking once.

use elfmem_core::{Scope, ScopeView};
use elfmem_store::StoreError;
use rusqlite::Connection;

use crate::errors::OrStoreError;

/// The scopes that a view sees between separators: one bound value, however many there are, and cheap to look into.
pub(crate) fn visible_scopes(view: &ScopeView) -> String {
    view.visible().fold("\u{1f}".to_owned(), |scopes, scope| scopes + scope.as_str() + "\u{1f}")
}

/// Whether no block is hidden from the scopes. Scopes beyond the default one have an index of their own, so that looking which
/// there are costs nothing where there are none.
pub(crate) fn sees_everything(connection: &Connection, scopes: &str) -> Result<bool, StoreError> {
    let sees = |scope: &str| scopes.contains(&format!("\u{1f}{scope}\u{1f}"));
    if !sees(Scope::DEFAULT.as_str()) {
        return Ok(false);
    }
    let sql = "SELECT min(scope) FROM blocks INDEXED BY idx_blocks_other_scope WHERE scope <> 'default' AND scope > ?1";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let mut last = String::new();
    loop {
        let next: Option<String> = statement.query_row([&last], |row| row.get(0)).or_store_error()?;
        match next {
            None => return Ok(true),
            Some(scope) if !sees(&scope) => return Ok(false),
            Some(scope) => last = scope,
        }
    }
}

/// What a view may see of edges.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sight<'a> {
    /// Its scopes, between separators; conditions find them as `?1`.
    pub(crate) scopes: &'a str,
    /// Whether these are all there are.
    pub(crate) everything: bool,
}

impl Sight<'_> {
    /// A condition that holds for an edge whose end in a column can be seen. A block lies on some page of a large table, and every
    /// edge would want two of them; the index has all that is asked for in a small place.
    pub(crate) fn of(self, column: &str) -> String {
        if self.everything {
            return "?1 IS NOT NULL".to_owned();
        }
        format!(
            "EXISTS (SELECT 1 FROM blocks INDEXED BY idx_blocks_id_scope WHERE id = {column} \
             AND instr(?1, '\u{1f}' || scope || '\u{1f}'))"
        )
    }

    /// Returns a condition that holds for an edge both of whose ends are visible.
    pub(crate) fn of_both(self) -> String {
        format!("{} AND {}", self.of("edges.from_id"), self.of("edges.to_id"))
    }
}
