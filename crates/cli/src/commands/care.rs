//! `edit`, `forget`, `restore`, `pin`, `unpin`, `supersede`, `tag`.

use elfmem_engine::{Edit, Memory};
use elfmem_store_sqlite::SqliteStore;

use super::learn::given_text;
use crate::args::{self, TagAction};
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn edit(
    arguments: &args::Edit,
    open: impl FnOnce() -> Result<Memory<SqliteStore>, Failure>,
) -> Result<Output, Failure> {
    let mut edit = Edit::default();
    // Unlike for `remember`, no text means no other text.
    if !arguments.text.is_empty() {
        edit = edit.content(given_text(&arguments.text)?);
    }
    if let Some(category) = &arguments.category {
        edit = edit.category(category);
    }
    if let Some(cue) = &arguments.cue {
        edit = edit.cue(cue);
    }
    edit = arguments.tags.iter().fold(edit, |edit, tag| edit.add_tag(tag));
    edit = arguments.untag.iter().fold(edit, |edit, tag| edit.remove_tag(tag));
    edit = edit.allow_secrets(arguments.allow_secrets);
    Ok(Output::sentence(&open()?.edit(&arguments.block, &edit)?))
}

pub(crate) fn forget(arguments: &args::Forget, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    Ok(Output::sentence(&memory.forget(&arguments.block, arguments.reason.as_deref())?))
}

pub(crate) fn restore(arguments: &args::OneBlock, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    Ok(Output::sentence(&memory.restore(&arguments.block)?))
}

pub(crate) fn pin(arguments: &args::OneBlock, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    Ok(Output::sentence(&memory.pin(&arguments.block)?))
}

pub(crate) fn unpin(arguments: &args::OneBlock, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    Ok(Output::sentence(&memory.unpin(&arguments.block)?))
}

pub(crate) fn supersede(arguments: &args::Supersede, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    Ok(Output::sentence(&memory.supersede(&arguments.old, &arguments.by)?))
}

pub(crate) fn tag(arguments: &args::Tags, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    Ok(match &arguments.action {
        TagAction::Add(tagged) => Output::sentence(&memory.add_tags(&tagged.block, &tagged.tags)?),
        TagAction::Rm(tagged) => Output::sentence(&memory.remove_tags(&tagged.block, &tagged.tags)?),
    })
}
