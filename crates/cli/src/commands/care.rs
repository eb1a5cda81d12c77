//! `edit`, `forget`, `restore`, `pin`, `unpin`, `supersede`, `tag`.

use elfmem_engine::{AddTags, Edit, Forget, Memory, RemoveTags, Supersede};
use elfmem_store_sqlite::SqliteStore;

use serde_json::json;

use super::learn::given_text;
use super::request;
use crate::args::{self, TagAction};
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn edit(
    arguments: &args::Edit,
    open: impl FnOnce() -> Result<Memory<SqliteStore>, Failure>,
) -> Result<Output, Failure> {
    // Unlike for `remember`, no text means no other text.
    let content = if arguments.text.is_empty() { None } else { Some(given_text(&arguments.text)?) };
    let edit = request::<Edit>(&json!({
        "block": arguments.block, "content": content, "category": arguments.category, "cue": arguments.cue,
        "add_tags": arguments.tags, "remove_tags": arguments.untag, "allow_secrets": arguments.allow_secrets,
    }))?;
    Ok(Output::sentence(&open()?.edit(edit)?))
}

pub(crate) fn forget(arguments: &args::Forget, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let asked = request::<Forget>(&json!({"block": arguments.block, "reason": arguments.reason}))?;
    Ok(Output::sentence(&memory.forget(asked)?))
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
    Ok(Output::sentence(&memory.supersede(Supersede::new(&arguments.old, &arguments.by))?))
}

pub(crate) fn tag(arguments: &args::Tags, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    Ok(match &arguments.action {
        TagAction::Add(tagged) => Output::sentence(&memory.add_tags(AddTags::new(&tagged.block, &tagged.tags))?),
        TagAction::Rm(tagged) => Output::sentence(&memory.remove_tags(RemoveTags::new(&tagged.block, &tagged.tags))?),
    })
}
