//! `tags`: the tags in use.

use std::fmt::Write;

use elfmem_engine::Memory;
use elfmem_store_sqlite::SqliteStore;
use elfmem_text::phrase::{counted, one_line};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::Output;
use crate::style::{HANG, NAME};

pub(super) fn tags(memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let found = memory.tag_counts()?;
    let mut text = String::new();
    for (tag, blocks) in &found {
        let _ = writeln!(text, "{blocks:>5}  {HANG}{NAME}{}{NAME:#}", one_line(tag.as_str()));
    }
    match found.len() {
        0 => text.push_str("No block has a tag. Add one with: elfmem tag add BLOCK TAG"),
        count => {
            text.push_str(&format!("{}. Blocks with one of them: elfmem ls --tag TAG", counted(count as u64, "tag")));
        }
    }
    let tags: Vec<Value> = found.iter().map(|(tag, blocks)| json!({"tag": tag, "blocks": blocks})).collect();
    Ok(Output::new(text, &json!({"count": tags.len(), "tags": tags})))
}
