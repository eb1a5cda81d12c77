//! `dream --review`: what dreams replaced, one by one on a terminal, as a list without one.

use std::fmt::Write;
use std::io::IsTerminal;

use elfmem_engine::render::mark_untrusted;
use elfmem_engine::{Edit, KeepReplaced, Memory, ReplacedBlock, Restore, ReviewReplaced};
use elfmem_store_sqlite::SqliteStore;
use elfmem_text::fence::quote;
use elfmem_text::phrase::counted;
use elfmem_text::terms::escape_hidden;
use serde_json::json;

use super::confirm::{answer_to, line_from};
use crate::args::VerbInput;
use crate::failure::Failure;
use crate::output::Output;
use crate::style::{DIM, NAME, NOTE};

/// What can be decided about a replaced block.
const CHOICE: &str = "[k]eep, [u]ndo, [m]erge, [s]kip, [q]uit?";

/// Walks through them on a terminal; lists them without one.
pub(super) fn review(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let replaced = memory.review(input.request::<ReviewReplaced>()?)?;
    let asks = std::io::stdin().is_terminal() && std::io::stderr().is_terminal() && std::io::stdout().is_terminal();
    if asks && !replaced.is_empty() {
        return walk(memory, &replaced);
    }
    list(input, memory)
}

/// Lists them, and says how to decide.
pub(super) fn list(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let replaced = memory.review(input.request::<ReviewReplaced>()?)?;
    let json = json!({"count": replaced.len(), "replaced": replaced});
    if replaced.is_empty() {
        return Ok(Output::new("No dream replaced anything since the last review.", &json));
    }
    let text: String = replaced.iter().map(|one| format!("{}\n", described(one))).collect();
    let how = format!(
        "{DIM}It is right: elfmem dream --keep BLOCK (or all). It is still true: elfmem restore BLOCK. Both are half \
         right: elfmem edit OTHER \"merged text\".{DIM:#}"
    );
    Ok(Output::stored(text, &json).between(counted(replaced.len() as u64, "block") + " to review:", how))
}

/// A replaced block and the one that holds its place.
fn described(one: &ReplacedBlock) -> String {
    let mut text = format!("{NAME}{}{NAME:#} {NOTE}{}{NOTE:#}\n", one.block_id.short(), one.kind.as_str());
    let _ = writeln!(text, "{}", quote(&mark_untrusted(&escape_hidden(&one.content), one.trusted)));
    match &one.by {
        Some(by) => {
            let _ = writeln!(text, "  replaced by {NAME}{}{NAME:#}", by.block_id.short());
            let _ = writeln!(text, "{}", quote(&mark_untrusted(&escape_hidden(&by.content), by.trusted)));
        }
        None => text.push_str("  the block that replaced it is gone\n"),
    }
    let _ = write!(text, "  {DIM}{}{DIM:#}", one.reason);
    text
}

/// How often each decision was made.
#[derive(Default)]
struct ReviewTally {
    kept: usize,
    undone: usize,
    merged: usize,
    left: usize,
}

/// Asks about each of them.
fn walk(memory: &Memory<SqliteStore>, replaced: &[ReplacedBlock]) -> Result<Output, Failure> {
    let mut made = ReviewTally { left: replaced.len(), ..ReviewTally::default() };
    for one in replaced {
        let id = one.block_id.as_str();
        let question = format!("{}\n", described(one));
        let answer = loop {
            let answer = answer_to(&question, CHOICE)?.unwrap_or_default();
            match answer.chars().next() {
                Some('k' | 'u' | 'm' | 's' | 'q') => break answer,
                // The end of the input.
                None if answer.is_empty() => break "q".to_owned(),
                _ => {}
            }
        };
        let decided = match answer.chars().next() {
            Some('k') => {
                memory.keep_replaced(KeepReplaced::new([id]))?;
                &mut made.kept
            }
            Some('u') => {
                memory.restore(Restore::new(id))?;
                &mut made.undone
            }
            Some('m') => match merge(memory, one)? {
                true => &mut made.merged,
                false => continue,
            },
            Some('s') => continue,
            _ => break,
        };
        *decided += 1;
        made.left -= 1;
    }
    let ReviewTally { kept, undone, merged, left } = made;
    let sentence = format!("Reviewed: {kept} kept, {undone} restored, {merged} merged, {left} left.");
    Ok(Output::new(sentence, &json!({"kept": kept, "restored": undone, "merged": merged, "left": left})))
}

/// Lets the block that holds the place say what both say, in a text that is typed.
fn merge(memory: &Memory<SqliteStore>, one: &ReplacedBlock) -> Result<bool, Failure> {
    let Some(by) = &one.by else { return Ok(false) };
    let text = line_from("What holds now, in one text (empty for none):")?;
    if text.is_empty() {
        return Ok(false);
    }
    memory.edit(Edit::new(by.block_id.as_str()).content(text))?;
    memory.keep_replaced(KeepReplaced::new([one.block_id.as_str()]))?;
    Ok(true)
}
