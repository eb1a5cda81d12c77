//! What hooks add to the context of an agent: who it is, and what the memory surely knows about a prompt.

use std::path::Path;

use elfmem_core::BlockId;
use elfmem_engine::render::Rendering;
use elfmem_engine::{HostSession, Recall, RenderFrame, ScoredBlock, Strength};

use super::OpenedMemory;
use super::call::Call;
use crate::failure::Failure;

/// A prompt up to this length is the question.
const QUESTION_CHARACTERS: usize = 500;
/// Smallest relevance of a block that is shown though nobody asked: three of four such blocks help.
const SURE: f64 = 0.75;
/// The frame of a prompt.
const FRAME: &str = "attention";
/// How a session begins that has nothing in its context, or a summary: what was told before is gone. Any other way goes on
/// with the context there is.
const FRESH: [&str; 3] = ["startup", "clear", "compact"];

/// Who the agent is, and what has been on its mind; nothing that this session was told already.
pub(super) fn beginning(call: &Call, opened: &OpenedMemory) -> Result<Option<String>, Failure> {
    let known = opened.session(call)?;
    let fresh = call.source.as_deref().is_some_and(|source| FRESH.contains(&source));
    if known.introduced && !fresh {
        return Ok(None);
    }
    let mut shown: Vec<BlockId> = if fresh { Vec::new() } else { known.shown };
    let mut parts = Vec::new();
    for name in ["self", FRAME] {
        let frame = opened.memory.frame(RenderFrame::new(name).top_k(opened.top_k).preview())?;
        let new: Vec<&ScoredBlock> = frame.blocks.iter().filter(|block| !shown.contains(&block.id)).collect();
        let text =
            if new.len() == frame.blocks.len() { frame.text } else { rendered(name, frame.token_budget, &new).0 };
        if !text.is_empty() {
            parts.push(text);
        }
        shown.extend(new.into_iter().map(|block| block.id.clone()));
    }
    let told = (!parts.is_empty()).then(|| parts.join("\n\n"));
    opened.note(call, |session| {
        session.introduced = true;
        session.shown.clone_from(&shown);
    });
    Ok(told)
}

/// What the memory surely knows about a prompt, within the budget: nothing that this session was shown already, and nothing
/// of a document that the prompt does not name.
pub(super) fn about(call: &Call, opened: &OpenedMemory) -> Result<Option<String>, Failure> {
    let prompt = call.prompt.as_deref().unwrap_or("");
    let question = question_in(prompt);
    if question.trim().is_empty() || opened.prompt_tokens == 0 {
        return Ok(None);
    }
    let asked = Recall::new(question).frame(FRAME).top_k(opened.top_k).preview();
    let found = opened.memory.recall(asked)?;
    if found.strength != Some(Strength::Strong) {
        return Ok(None);
    }
    let known = opened.session(call)?;
    let is_sure = |block: &ScoredBlock| block.relevance.is_some_and(|relevance| relevance >= SURE);
    let is_asked_for = |block: &ScoredBlock| block.document.as_deref().is_none_or(|name| names(prompt, name));
    let new: Vec<&ScoredBlock> = found
        .blocks
        .iter()
        .filter(|block| is_sure(block) && is_asked_for(block) && !known.shown.contains(&block.id))
        // What contradicts it may have been shown before: one side alone would mislead.
        .filter(|block| block.contradicted_by.is_empty())
        .collect();
    let (text, shown) = rendered(FRAME, opened.prompt_tokens, &new);
    if shown.is_empty() {
        return Ok(None);
    }
    opened.note(call, |session: &mut HostSession| session.shown.extend(shown.iter().cloned()));
    Ok(Some(text))
}

/// Renders blocks within a budget, and tells which fit.
fn rendered(template: &str, budget: u32, blocks: &[&ScoredBlock]) -> (String, Vec<BlockId>) {
    let mut rendering = Rendering::new(template, budget);
    let mut shown = Vec::new();
    for block in blocks {
        if rendering.try_add(block, None) {
            shown.push(block.id.clone());
        }
    }
    (rendering.text(), shown)
}

/// Whether a prompt names a document: by its name, or by that without folder and ending.
fn names(prompt: &str, document: &str) -> bool {
    let prompt = prompt.to_lowercase();
    let document = document.to_lowercase();
    let stem = Path::new(&document).file_stem().and_then(|stem| stem.to_str()).unwrap_or(&document);
    let is_word = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()) == stem;
    prompt.contains(&document) || prompt.split_whitespace().any(is_word)
}

/// What a prompt asks. In a long one it stands at the beginning or at the end, and what is pasted in between says little.
fn question_in(prompt: &str) -> String {
    let prompt = prompt.trim();
    if prompt.chars().nth(QUESTION_CHARACTERS).is_none() {
        return prompt.to_owned();
    }
    let mut paragraphs = prompt.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty());
    let beginning = |paragraph: &str| paragraph.chars().take(QUESTION_CHARACTERS / 2).collect::<String>();
    let first = paragraphs.next().map(beginning).unwrap_or_default();
    match paragraphs.last().map(beginning) {
        Some(last) => format!("{first}\n{last}"),
        None => first,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_prompt_asks_with_its_beginning_and_its_end() {
        assert_eq!(question_in("  short and whole\n\nwith a gap "), "short and whole\n\nwith a gap");
        let log = "é 2026 error\n".repeat(500);
        assert_eq!(
            question_in(&format!("Why does it fail?\n\n{log}\n\nIt did not last week.")),
            "Why does it fail?\nIt did not last week."
        );
        assert_eq!(question_in(&"é".repeat(9_999)).chars().count(), QUESTION_CHARACTERS / 2);
    }

    #[test]
    fn a_document_is_named_by_its_name_or_the_word_for_it() {
        assert!(names("What does docs/Handbook.md say?", "docs/handbook.md"));
        assert!(names("what does the handbook, say?", "docs/handbook.md"));
        assert!(!names("when does the office close?", "docs/handbook.md"));
        assert!(!names("a book in hand", "docs/handbook.md"));
    }
}
