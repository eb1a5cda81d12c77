//! `scope ls`: the scopes of a memory.

use std::fmt::Write;

use elfmem_core::ScopeView;
use elfmem_engine::Memory;
use elfmem_store_sqlite::SqliteStore;
use elfmem_text::phrase::{counted, one_line};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::Output;
use crate::style::{DIM, HANG, NAME};

pub(super) fn list(memory: &Memory<SqliteStore>, view: &ScopeView) -> Result<Output, Failure> {
    let found = memory.store().scopes().map_err(elfmem_engine::Error::from)?;
    let mut text = String::new();
    for (scope, counts) in &found {
        let mark = match (scope == view.own(), view.sees(scope)) {
            (true, _) => " (in use)",
            (false, true) => " (seen too)",
            (false, false) => "",
        };
        let blocks = counts.inbox + counts.active;
        let name = one_line(scope.as_str());
        let _ = writeln!(
            text,
            "{blocks:>5}  {HANG}{NAME}{name}{NAME:#}{mark} {DIM}{} active, {} in the inbox, {} archived{DIM:#}",
            counts.active, counts.inbox, counts.archived
        );
    }
    match found.len() {
        0 => text
            .push_str("Nothing is stored yet. A scope begins with its first block: elfmem remember \"…\" --scope NAME"),
        count => {
            text.push_str(&format!("{}. Use one with: --scope NAME", counted(count as u64, "scope")));
        }
    }
    let scopes: Vec<Value> = found
        .iter()
        .map(|(scope, counts)| {
            json!({
                "scope": scope.as_str(),
                "inbox": counts.inbox,
                "active": counts.active,
                "archived": counts.archived,
                "in_use": scope == view.own(),
                "seen": view.sees(scope),
            })
        })
        .collect();
    Ok(Output::new(text, &json!({"count": scopes.len(), "scopes": scopes})))
}
