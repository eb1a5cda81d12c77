//! `why`: what became of one block on the way to an answer.

use crate::results::{Explanation, LeftOut, LeftOutReason, Stage, WhyResult};
use elfmem_core::{Block, BlockId, BlockStatus};
use elfmem_store::Store;

use super::answer::{explanation, rendered, told};
use super::candidates;
use super::composite::Ranked;
use super::gate::Barred;
use super::pipeline::{PipelineOutput, RecallContext};
use super::request::{DEFAULT_FRAME, Why};
use crate::memory::{Memory, resolve};
use crate::memory_index::MemoryIndex;
use crate::{Error, Result};

impl<S: Store> Memory<S> {
    /// Says why a block came back for a question, or why it did not and what would have brought it in. See [`Why`].
    ///
    /// # Errors
    /// A block that is not there; and the errors of [`recall`](Self::recall).
    pub fn why(&self, request: impl Into<Why>) -> Result<WhyResult> {
        let (request, block) = request.into().into_recall();
        self.asked(&request, DEFAULT_FRAME, |context, index, _| {
            let id = resolve(context.snapshot, &block)?;
            let block = context.snapshot.get_block(&id)?;
            let block = block.ok_or_else(|| Error::UnknownBlock { id: id.to_string() })?;
            if block.status == BlockStatus::Archived {
                return Ok(archived(context, &block));
            }
            let found = context.find(index)?;
            let Some(slot) = index.slot(&block.id) else {
                return Err(Error::UnknownBlock { id: block.id.to_string() });
            };
            Case { context, index, block: &block, slot }.judge(found)
        })
    }
}

/// The words of the request that names the question.
fn query(context: &RecallContext<'_>) -> String {
    context.request.question().unwrap_or_default().to_owned()
}

fn archived(context: &RecallContext<'_>, block: &Block) -> WhyResult {
    let reason = block.archive_reason.map_or("archived", |reason| reason.as_str());
    let (because, remedy) = match &block.superseded_by {
        Some(successor) => {
            (format!(", {} took its place", successor.short()), format!("Look at {}.", successor.short()))
        }
        None => (String::new(), "Restore it, or learn it again.".to_owned()),
    };
    WhyResult {
        block_id: block.id.clone(),
        query: query(context),
        frame: context.frame.name.clone(),
        stage: Stage::Status,
        rank: None,
        score: None,
        relevance: 0.0,
        matched: vec![],
        reason: format!(
            "Block {} is archived ({reason}){because}: archived blocks are not recalled.",
            block.id.short()
        ),
        remedy: Some(remedy),
        explain: Explanation::default(),
    }
}

/// One block and one question.
struct Case<'a> {
    context: &'a RecallContext<'a>,
    index: &'a mut MemoryIndex,
    block: &'a Block,
    slot: u32,
}

impl Case<'_> {
    fn judge(&mut self, found: PipelineOutput) -> Result<WhyResult> {
        let name = self.block.id.short().to_owned();
        let place = |of: &[Ranked]| of.iter().position(|ranked| ranked.candidate.slot == self.slot);
        let (shown, next) = (place(&found.selection.shown), place(&found.selection.rest));
        if let Some(at) = shown {
            let reason = format!("Block {name} is number {} of the answer.", at + 1);
            let result = self.told(&found, Stage::Shown, Some(at + 1), reason, None)?;
            return self.within_budget(found, result);
        }
        if let Some(suppressed) = found.suppressed.iter().find(|suppressed| suppressed.slot == self.slot) {
            let by = self.index.id(suppressed.by).map_or_else(|| "another".to_owned(), |id| id.short().to_owned());
            let reason = format!("Block {name} contradicts {by}, which is believed more, and was held back.");
            let remedy = self.settle(suppressed.by);
            return self.told(&found, Stage::Suppression, None, reason, Some(remedy));
        }
        if let Some(at) = next {
            let rank = found.selection.shown.len() + at + 1;
            let reason = format!("Block {name} would be number {rank}; {} were asked for.", self.context.top_k());
            let remedy = self.more(self.context.top_k().saturating_add(at + 1))?;
            return self.told(&found, Stage::Rank, Some(rank), reason, Some(remedy));
        }
        if let Err(barred) = found.gate.check(self.slot, self.index.standing(self.slot)) {
            return self.barred(&found, barred);
        }
        let rank = self.place_among_all(&found);
        let look = candidates::look(self.index, &found.question, self.slot);
        let (reason, remedy) = if look.relevance > 0.0 {
            (
                format!(
                    "Block {name} has too little in common with the question for a closer look: about {} others are \
                     nearer.",
                    rank - 1
                ),
                "Ask with words that it holds, give it a cue, or connect it to a block that comes back.".to_owned(),
            )
        } else {
            (
                format!("Block {name} shares neither a word nor a meaning with the question."),
                "Ask with words that it holds, or give it a cue for this question.".to_owned(),
            )
        };
        self.told(&found, Stage::Candidates, Some(rank), reason, Some(remedy))
    }

    /// How a contradiction with another block is settled so that this one is shown.
    fn settle(&self, by: u32) -> String {
        let name = self.block.id.short();
        let by = self.index.id(by).map_or("another", BlockId::short);
        format!(
            "Settle which of the two holds: elfmem contradictions resolve {name} {by} --keep {name}, or --both NOTE."
        )
    }

    /// How many to ask for to see the block, beginning with the number that its place suggests: more that are weighed can
    /// move it, of blocks that say the same others go first, and one that contradicts it may come in before it does.
    fn more(&mut self, suggested: usize) -> Result<String> {
        let mut count = suggested;
        while count < self.index.len() {
            let request = self.context.request.clone().top_k(count);
            let found = RecallContext { request: &request, ..*self.context }.find(self.index)?;
            if let Some(suppressed) = found.suppressed.iter().find(|suppressed| suppressed.slot == self.slot) {
                return Ok(self.settle(suppressed.by));
            }
            let place = |of: &[Ranked]| of.iter().position(|ranked| ranked.candidate.slot == self.slot);
            if place(&found.selection.shown).is_some() {
                break;
            }
            // A quarter more at a time: the number need not be the smallest, and every try is a recall.
            count += place(&found.selection.rest).map_or(count, |at| (at + 1).max(count / 4));
        }
        Ok(format!("Ask for {count} (--top-k {count})."))
    }

    fn barred(&self, found: &PipelineOutput, barred: Barred) -> Result<WhyResult> {
        let (name, frame) = (self.block.id.short().to_owned(), self.context.frame.name.clone());
        let (stage, reason, remedy) = match barred {
            Barred::Filter => (
                Stage::Filter,
                format!("Block {name} does not pass the filters of the frame '{frame}' and of the question."),
                "Ask in the frame 'search' and without filters.",
            ),
            Barred::Excluded => (
                Stage::Filter,
                format!("Block {name} is left to another frame by '{frame}'."),
                "Ask in the frame 'self' or 'search'.",
            ),
            Barred::Window => (
                Stage::Window,
                format!("Block {name} was not of use for longer than the frame '{frame}' looks back."),
                "Ask in the frame 'search', which looks at everything, or pin it.",
            ),
        };
        self.told(found, stage, None, reason, Some(remedy.to_owned()))
    }

    /// A block that was chosen may still not fit the rendering of a frame. The answer of a recall has no budget.
    fn within_budget(&mut self, found: PipelineOutput, chosen: WhyResult) -> Result<WhyResult> {
        if self.context.request.frame.is_none() {
            return Ok(chosen);
        }
        let rendering = rendered(told(self.context, self.index, found)?, self.context.request);
        let is_cut = |left: &LeftOut| left.block_id == chosen.block_id && left.reason == LeftOutReason::TokenBudget;
        Ok(match rendering.left_out.iter().find(|left| is_cut(left)) {
            Some(cut) => WhyResult {
                stage: Stage::Budget,
                reason: format!("Block {} was chosen, but {}", chosen.block_id.short(), cut.detail),
                remedy: Some(format!("Raise the budget (frame edit {} --budget TOKENS).", self.context.frame.name)),
                ..chosen
            },
            None => chosen,
        })
    }

    /// Its place by words and meaning alone, among all.
    fn place_among_all(&self, found: &PipelineOutput) -> usize {
        let own = candidates::look(self.index, &found.question, self.slot).relevance;
        let better = (0..self.index.bound() as u32)
            .filter(|slot| self.index.contains(*slot))
            .filter(|slot| candidates::look(self.index, &found.question, *slot).relevance > own)
            .count();
        better + 1
    }

    fn told(
        &self,
        found: &PipelineOutput,
        stage: Stage,
        rank: Option<usize>,
        reason: String,
        remedy: Option<String>,
    ) -> Result<WhyResult> {
        let all = found.selection.shown.iter().chain(&found.selection.rest);
        let ranked = all.into_iter().find(|ranked| ranked.candidate.slot == self.slot);
        let look = candidates::look(self.index, &found.question, self.slot);
        let explain = match ranked {
            Some(ranked) => explanation(self.context.snapshot, self.index, ranked, &self.block.id, &[])?,
            None => Explanation { words: look.words, meaning: look.meaning, cue: look.cue, ..Explanation::default() },
        };
        let matched = self.index.words.matched(self.slot, &found.question.words);
        Ok(WhyResult {
            block_id: self.block.id.clone(),
            query: query(self.context),
            frame: self.context.frame.name.clone(),
            stage,
            rank,
            score: ranked.map(|ranked| ranked.score),
            relevance: ranked.map_or(look.relevance, |ranked| ranked.candidate.relevance),
            matched: matched.into_iter().map(str::to_owned).collect(),
            reason,
            remedy,
            explain,
        })
    }
}
