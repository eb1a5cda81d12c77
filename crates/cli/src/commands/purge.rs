//! `purge`, after a question.

use elfmem_engine::render::mark_untrusted;
use elfmem_engine::{CareError, Error, Memory, Purge};
use elfmem_store_sqlite::SqliteStore;
use elfmem_text::fence::quote;
use elfmem_text::terms::escape_hidden;

use super::confirm::confirm;
use crate::args::{VerbInput, YES};
use crate::failure::Failure;
use crate::output::Output;

pub(super) fn purge(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    // An id that names nothing is no reason to ask. One that was purged before has only bytes left to remove.
    let content = match memory.show(input.text("block_id")) {
        Ok(details) => Some(mark_untrusted(&escape_hidden(&details.block.content), details.trusted).into_owned()),
        Err(Error::Care(CareError::Purged { .. })) => None,
        Err(error) => return Err(error.into()),
    };
    if let Some(content) = content.filter(|_| !input.has_flag(YES)) {
        let question = format!("{}\n\nRemove this for good? It cannot be undone.", quote(&content));
        confirm(&question, "Purging cannot be undone, and there is no terminal to ask on.", "Nothing was purged.")?;
    }
    Ok(Output::sentence(&memory.purge(input.request::<Purge>()?)?))
}
