//! Superseded blocks beside an answer: what used to hold, marked with what holds its place now. A question about the past
//! reaches them by itself.
//!
//! Archived blocks are not in the search index. There are few superseded ones, so they are read and compared by their words.

use std::collections::{HashMap, HashSet};

use elfmem_core::{Block, BlockId, BlockStatus, Timestamp};
use elfmem_store::BlockQuery;
use elfmem_text::statements::AskedAttribute;
use elfmem_text::temporal::TimeSpan;
use elfmem_text::terms::query_terms;
use elfmem_text::updates::QuestionTense;

use crate::Result;
use crate::age;
use crate::memory::head_of;
use crate::recall::answer::blocks::{said_by, shown_part};
use crate::recall::pipeline::RecallContext;
use crate::recall::question::asked_attribute::{AttributeValues, DatedText, stated_time};
use crate::results::{Explanation, ScoredBlock};

/// The share of the question's words from which a superseded block fits by itself.
const MIN_WORDS: f64 = 0.5;

/// Replaced blocks that are shown before the block that replaced them, at most.
const MAX_FORMER: usize = 3;

/// Adds to the answer of a question about the past what its blocks replaced, each before the block in its place: all of it for
/// what was before, and for a stated time what held then.
pub(in crate::recall) fn add_former(context: &RecallContext<'_>, blocks: &mut Vec<ScoredBlock>) -> Result<()> {
    let Some(parsed) = context.question else { return Ok(()) };
    let is_former = QuestionTense::of(parsed.text()) == QuestionTense::Former;
    let stated = stated_time(parsed);
    if !is_former && stated.is_none() || blocks.is_empty() {
        return Ok(());
    }
    let query = BlockQuery { status: Some(BlockStatus::Archived), ..BlockQuery::default() };
    let mut former: HashMap<BlockId, Vec<Block>> = HashMap::new();
    let asked = stated.and_then(|_| AskedAttribute::parse(parsed.text()));
    let mut told: Vec<Block> = Vec::new();
    for block in context.snapshot.list_blocks(&query)? {
        if asked.as_ref().is_some_and(|asked| asked.may_be_about(&block.content)) && passes(context, &block) {
            told.push(block.clone());
        }
        let Some(next) = block.superseded_by.clone().filter(|_| passes(context, &block)) else { continue };
        let head = head_of(context.snapshot, block.id.clone())?;
        let is_trusted = context.trust.trusts(&block);
        if !blocks.iter().any(|shown| shown.id == head && (is_trusted || !shown.trusted)) {
            continue;
        }
        let held_until = context.snapshot.get_block(&next)?.map(|next| began(&next));
        let held = |span: TimeSpan| began(&block) < span.until && held_until.is_none_or(|until| until > span.from);
        if stated.is_none_or(held) {
            former.entry(head).or_default().push(block);
        }
    }
    for (head, mut replaced) in former {
        let Some(at) = blocks.iter().position(|shown| shown.id == head) else { continue };
        // The last one first: it is what was before.
        replaced.sort_by(|one, other| began(other).cmp(&began(one)).then_with(|| one.id.cmp(&other.id)));
        replaced.truncate(MAX_FORMER);
        let relevance = blocks[at].relevance;
        let words: HashSet<String> = query_terms(parsed.text()).into_iter().collect();
        let found = replaced.into_iter().map(|block| {
            let matched = query_terms(&block.content).into_iter().filter(|term| words.contains(term)).collect();
            superseded_block(context, block, head.clone(), 0.0, relevance, matched)
        });
        let found: Vec<ScoredBlock> = found.collect();
        blocks.splice(at..at, found);
    }
    match stated {
        Some(span) => lead_with_what_held(context, parsed.text(), span, told, blocks),
        None => Ok(()),
    }
}

/// Puts the block first that says what the attribute of a question was at a stated time, be it one of the answer or one
/// that was replaced since.
fn lead_with_what_held(
    context: &RecallContext<'_>,
    question: &str,
    span: TimeSpan,
    replaced: Vec<Block>,
    blocks: &mut Vec<ScoredBlock>,
) -> Result<()> {
    let shown =
        blocks.iter().map(|block| DatedText::new(&block.content, block.event_at, block.created_at, block.trusted));
    let others = replaced.iter().filter(|block| !blocks.iter().any(|shown| shown.id == block.id));
    let others: Vec<&Block> = others.filter(|block| block.superseded_by.is_some()).collect();
    let told: Vec<DatedText<'_>> =
        shown.chain(others.iter().map(|block| DatedText::of(block, context.trust.trusts(*block)))).collect();
    let Some(values) = AttributeValues::read(question, &told, Some(span.until)) else { return Ok(()) };
    if !told[values.holds].trusted && blocks.iter().any(|block| block.trusted) {
        return Ok(());
    }
    if values.holds < blocks.len() {
        let held = blocks.remove(values.holds);
        blocks.insert(0, held);
        return Ok(());
    }
    let block = others[values.holds - blocks.len()].clone();
    let head = head_of(context.snapshot, block.id.clone())?;
    let relevance = blocks.first().and_then(|block| block.relevance);
    let words: HashSet<String> = query_terms(question).into_iter().collect();
    let matched = query_terms(&block.content).into_iter().filter(|term| words.contains(term)).collect();
    let held = superseded_block(context, block, head, 0.0, relevance, matched);
    blocks.insert(0, held);
    Ok(())
}

/// Returns when what a block says began to hold, as far as is known.
fn began(block: &Block) -> Timestamp {
    block.event_at.unwrap_or(block.created_at)
}

/// Returns superseded blocks that fit a question, best first, at most as many as blocks were asked for: those whose
/// place a block of the answer holds, and those that contain at least half of the words of the question.
pub(in crate::recall) fn superseded_blocks(
    context: &RecallContext<'_>,
    shown: &[ScoredBlock],
) -> Result<Vec<ScoredBlock>> {
    let words: HashSet<String> = context.request.question().map(query_terms).unwrap_or_default().into_iter().collect();
    let relevance: HashMap<&BlockId, Option<f64>> = shown.iter().map(|block| (&block.id, block.relevance)).collect();
    let query = BlockQuery { status: Some(BlockStatus::Archived), ..BlockQuery::default() };
    let mut found = Vec::new();
    for block in context.snapshot.list_blocks(&query)? {
        if block.superseded_by.is_none() || !passes(context, &block) {
            continue;
        }
        let head = head_of(context.snapshot, block.id.clone())?;
        let own: HashSet<String> = query_terms(&block.content).into_iter().collect();
        let matched: Vec<String> = words.iter().filter(|word| own.contains(*word)).cloned().collect();
        let share = matched.len() as f64 / words.len().max(1) as f64;
        if head == block.id || !relevance.contains_key(&head) && share < MIN_WORDS {
            continue;
        }
        let of_head = relevance.get(&head).copied().flatten();
        found.push(superseded_block(context, block, head, share, of_head, matched));
    }
    found.sort_by(|one, other| {
        other
            .score
            .total_cmp(&one.score)
            .then_with(|| other.created_at.cmp(&one.created_at))
            .then(one.id.cmp(&other.id))
    });
    found.truncate(context.top_k());
    Ok(found)
}

/// Whether the filters of the question let a superseded block pass. Archiving takes off tags and contexts, so that a
/// question for them finds none.
fn passes(context: &RecallContext<'_>, block: &Block) -> bool {
    let filter = &context.request.filter;
    let at = block.event_at.unwrap_or(block.created_at);
    filter.tags.is_empty()
        && filter.contexts.is_empty()
        && filter.category.as_deref().is_none_or(|category| block.category.as_str() == category)
        && filter.since.is_none_or(|since| at >= since)
        && [filter.until, filter.as_of_event].into_iter().flatten().all(|until| at < until)
}

fn superseded_block(
    context: &RecallContext<'_>,
    block: Block,
    head: BlockId,
    share: f64,
    relevance: Option<f64>,
    mut matched: Vec<String>,
) -> ScoredBlock {
    matched.sort();
    let then = block.event_at.unwrap_or(block.created_at);
    let part = shown_part(block.brought_by.document.as_deref(), block.parts.clone());
    ScoredBlock {
        said_by: said_by(&block),
        age: age::in_words(then, context.at, context.zone),
        date: age::date(then, context.at, context.zone),
        trusted: context.trust.trusts(&block),
        document: block.brought_by.document,
        id: block.id,
        content: block.content,
        score: share.max(relevance.unwrap_or(0.0)),
        relevance: context.request.question().map(|_| relevance.unwrap_or(0.0)),
        status: block.status,
        category: block.category,
        tags: block.tags,
        source: block.source,
        created_at: block.created_at,
        event_at: block.event_at,
        matched,
        guaranteed: false,
        newer: None,
        superseded_by: Some(head),
        part,
        contradicted_by: Vec::new(),
        constraint: false,
        explain: Explanation { words: share, ..Explanation::default() },
    }
}
