//! `curate`.

use std::fmt::Write;

use elfmem_core::BlockId;
use elfmem_engine::render::mark_untrusted;
use elfmem_engine::{Curate, FadedBlock, Memory};
use elfmem_store_sqlite::SqliteStore;
use elfmem_text::fence::quote;

use crate::args::VerbInput;
use crate::failure::Failure;
use crate::output::Output;
use crate::spoken::as_typed;
use crate::style::{DIM, NAME};

/// Blocks of a kind that are named one by one; all of them are in the journal and in the JSON.
const NAMED: usize = 20;

pub(super) fn curate(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let result = memory.curate(input.request::<Curate>()?)?;
    let (mut faded, mut lists) = (String::new(), String::new());
    if result.dry_run {
        for block in result.faded.iter().take(NAMED) {
            let FadedBlock { block_id, content, trusted, recency, unused_hours, .. } = block;
            let _ = writeln!(
                faded,
                "{NAME}{}{NAME:#} {DIM}recency {recency:.3}, unused for {unused_hours:.0} active hours{DIM:#}\n{}",
                block_id.short(),
                quote(&mark_untrusted(content, *trusted))
            );
        }
    }
    let archived = if result.dry_run { "would be archived" } else { "archived" };
    let kinds = [
        (archived, &result.archived_ids),
        ("kept, pinned", &result.pinned_kept),
        ("kept, a bridge", &result.bridges_kept),
        ("kept fresh", &result.reinforced_ids),
    ];
    for (word, ids) in kinds.into_iter().filter(|(_, ids)| !ids.is_empty()) {
        let named: Vec<&str> = ids.iter().take(NAMED).map(BlockId::short).collect();
        let more = ids.len() - named.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let _ = writeln!(lists, "{DIM}{word}{DIM:#} {NAME}{}{NAME:#}{more}", named.join(" "));
    }
    Ok(Output::stored(faded, &result).between(as_typed(&result.to_string()), lists))
}
