//! `why`: at which stage of a recall a block was dropped, and what would have kept it.

use elfmem_core::{Block, BlockId, BlockReplacement, BlockStatus};
use elfmem_store::Store;

use crate::memory::{Memory, head_of, resolve_exactly};
use crate::recall::answer::blocks::{build_answer, explanation, render, words_alone};
use crate::recall::candidates::filter::Rejection;
use crate::recall::pipeline::{PipelineOutput, RecallContext};
use crate::recall::ranking::composite::RankedCandidate;
use crate::recall::ranking::suppression::Suppressed;
use crate::recall::request::{DEFAULT_FRAME, Why};
use crate::results::{Explanation, LeftOut, LeftOutReason, Stage, WhyResult};
use crate::trace;
use crate::{Error, Result};

impl<S: Store> Memory<S> {
    /// Says why a block came back for a question, or why it did not and what would have brought it in. See [`Why`].
    ///
    /// # Errors
    /// A block that is not there; and the errors of [`recall`](Self::recall).
    pub fn why(&self, request: impl Into<Why>) -> Result<WhyResult> {
        let _span = trace::verb("why");
        let (request, block) = request.into().into_recall();
        self.with_context(&request, DEFAULT_FRAME, |context| {
            let id = resolve_exactly(context.snapshot, &block)?;
            let block = context.snapshot.get_block(&id)?;
            let block = block.ok_or_else(|| Error::UnknownBlock { id: id.to_string() })?;
            if block.status == BlockStatus::Archived {
                return archived(context, &block);
            }
            let output = context.run()?;
            let Some(slot) = context.index.slot(&block.id) else {
                return Err(Error::UnknownBlock { id: block.id.to_string() });
            };
            BlockTrace { context, block: &block, slot }.explain(output)
        })
    }
}

/// Returns the text of the question.
fn query(context: &RecallContext<'_>) -> String {
    context.request.question().unwrap_or_default().to_owned()
}

/// Answers for an archived block: when and by what it was replaced, as far as it was.
fn archived(context: &RecallContext<'_>, block: &Block) -> Result<WhyResult> {
    let reason = block.archive_reason.map_or("archived", |reason| reason.as_str());
    let (name, replaced_by) = (block.id.short(), block.superseded_by.clone());
    let (because, remedy) = match &replaced_by {
        Some(successor) => {
            let by = successor.short();
            let note = match &block.replacement {
                Some(BlockReplacement { kind, reason, .. }) => format!(" ({}: {reason})", kind.as_str()),
                None => String::new(),
            };
            let head = head_of(context.snapshot, block.id.clone())?;
            let look = if head == *successor { by.to_owned() } else { format!("{by}, and {} in turn", head.short()) };
            (
                format!(", {by} took its place{note}"),
                format!(
                    "Look at {look}; ask with recall(superseded=true) to include what was replaced, or restore {name}."
                ),
            )
        }
        None => (String::new(), "Restore it, or learn it again.".to_owned()),
    };
    Ok(WhyResult {
        block_id: block.id.clone(),
        query: query(context),
        frame: context.frame.name.clone(),
        stage: Stage::Status,
        rank: None,
        score: None,
        relevance: 0.0,
        matched: vec![],
        reason: format!("Block {name} is archived ({reason}){because}: archived blocks are not recalled."),
        remedy: Some(remedy),
        replaced_by,
        explain: Explanation::default(),
    })
}

/// One block on its way through the stages.
struct BlockTrace<'a> {
    context: &'a RecallContext<'a>,
    block: &'a Block,
    slot: u32,
}

impl BlockTrace<'_> {
    fn explain(&self, output: PipelineOutput<'_>) -> Result<WhyResult> {
        let name = self.block.id.short().to_owned();
        let lost = output.suppressed.iter().find(|lost| lost.slot() == self.slot).map(|lost| {
            let by = self.context.index.id(lost.by).map_or_else(|| "another".to_owned(), |id| id.short().to_owned());
            let why = if lost.for_trust { "which a trusted source said" } else { "which is believed more" };
            (format!("contradicts {by}, {why}"), self.settle(lost))
        });
        if let Some(at) = self.position(&output.selection.shown) {
            let place = format!("Block {name} is number {} of the answer", at + 1);
            let (reason, remedy) = match lost {
                Some((why, settle)) => (format!("{place}, below the others: it {why}."), Some(settle)),
                None => (format!("{place}."), None),
            };
            let result = self.result(&output, Stage::Shown, Some(at + 1), reason, remedy)?;
            return self.within_budget(output, result);
        }
        if let Some((why, settle)) = lost {
            let reason = format!("Block {name} {why}, and found no place.");
            return self.result(&output, Stage::Suppression, None, reason, Some(settle));
        }
        if let Some(at) = self.position(&output.selection.rest) {
            let rank = output.selection.shown.len() + at + 1;
            let reason = format!("Block {name} would be number {rank}; {} were asked for.", self.context.top_k());
            let remedy = self.ask_for_more(self.context.top_k().saturating_add(at + 1))?;
            return self.result(&output, Stage::Rank, Some(rank), reason, Some(remedy));
        }
        if let Some(at) = self.position(&output.below_floor) {
            let rank = output.selection.shown.len() + output.selection.rest.len() + at + 1;
            let reason =
                format!("Block {name} is not relevant enough to be returned: the memory knows too little about this.");
            let remedy =
                "Ask for everything with recall(include_weak=true), ask with words that it holds, or give it a cue."
                    .to_owned();
            return self.result(&output, Stage::Floor, Some(rank), reason, Some(remedy));
        }
        if let Err(rejection) = output.filter.check(self.slot) {
            return self.rejected(&output, rejection);
        }
        let rank = self.rank_among_all(&output);
        let (reason, remedy) = if output.candidate(self.slot).balanced_match() > 0.0 {
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
        self.result(&output, Stage::Candidates, Some(rank), reason, Some(remedy))
    }

    /// Returns the position of the block in a list.
    fn position(&self, list: &[RankedCandidate]) -> Option<usize> {
        list.iter().position(|ranked| ranked.candidate.slot == self.slot)
    }

    /// Says how to settle the contradiction with another block so that this one is shown.
    fn settle(&self, lost: &Suppressed) -> String {
        let name = self.block.id.short();
        let by = self.context.index.id(lost.by).map_or("another", BlockId::short);
        if lost.for_trust {
            return format!(
                "If {name} is right, say it in your own words with learn(), or keep both: \
                 resolve_contradiction(a={name}, b={by}, both=NOTE)."
            );
        }
        format!(
            "Settle which of the two holds: resolve_contradiction(a={name}, b={by}, keep={name}), or with both=NOTE \
             instead of keep."
        )
    }

    /// Says how many results to ask for to see the block, beginning with the number that its position suggests. More
    /// candidates can move it: similar blocks may go first, and one that contradicts it may come in before it.
    fn ask_for_more(&self, suggested: usize) -> Result<String> {
        let mut count = suggested;
        while count < self.context.index.len() {
            let request = self.context.request.clone().top_k(count);
            let output = RecallContext { request: &request, ..*self.context }.run()?;
            if self.position(&output.selection.shown).is_some() {
                break;
            }
            if let Some(lost) = output.suppressed.iter().find(|lost| lost.slot() == self.slot) {
                return Ok(self.settle(lost));
            }
            // A quarter more at a time: the number need not be the smallest, and every try is a recall.
            count += self.position(&output.selection.rest).map_or(count, |at| (at + 1).max(count / 4));
        }
        Ok(format!("Ask for more: recall(top_k={count})."))
    }

    fn rejected(&self, output: &PipelineOutput<'_>, rejection: Rejection) -> Result<WhyResult> {
        let (name, frame) = (self.block.id.short().to_owned(), self.context.frame.name.clone());
        let (stage, reason, remedy) = match rejection {
            Rejection::Filter => (
                Stage::Filter,
                format!("Block {name} does not pass the filters of the frame '{frame}' and of the question."),
                "Ask in the frame 'search' and without filters.",
            ),
            Rejection::Excluded => (
                Stage::Filter,
                format!("Block {name} is left to another frame by '{frame}'."),
                "Ask in the frame 'self' or 'search'.",
            ),
            Rejection::Window => (
                Stage::Window,
                format!("Block {name} was not of use for longer than the frame '{frame}' looks back."),
                "Ask in the frame 'search', which looks at everything, or pin it.",
            ),
        };
        self.result(output, stage, None, reason, Some(remedy.to_owned()))
    }

    /// Checks whether a selected block fits the rendering of a frame. The answer of a recall has no budget.
    fn within_budget(&self, output: PipelineOutput<'_>, chosen: WhyResult) -> Result<WhyResult> {
        if self.context.request.frame.is_none() {
            return Ok(chosen);
        }
        let rendering = render(build_answer(self.context, output)?, self.context.request);
        let is_cut = |left: &LeftOut| left.block_id == chosen.block_id && left.reason == LeftOutReason::TokenBudget;
        Ok(match rendering.left_out.iter().find(|left| is_cut(left)) {
            Some(cut) => WhyResult {
                stage: Stage::Budget,
                reason: format!("Block {} was chosen, but {}", chosen.block_id.short(), cut.detail),
                remedy: Some(format!("Raise the budget: edit_frame(name={}, budget=TOKENS).", self.context.frame.name)),
                ..chosen
            },
            None => chosen,
        })
    }

    /// Returns the rank of the block by words and meaning alone, among all blocks.
    fn rank_among_all(&self, output: &PipelineOutput<'_>) -> usize {
        let index = self.context.index;
        let own = output.candidate(self.slot).balanced_match();
        let slots = (0..index.bound() as u32).filter(|slot| index.contains(*slot));
        slots.filter(|slot| output.candidate(*slot).balanced_match() > own).count() + 1
    }

    fn result(
        &self,
        output: &PipelineOutput<'_>,
        stage: Stage,
        rank: Option<usize>,
        reason: String,
        remedy: Option<String>,
    ) -> Result<WhyResult> {
        let RecallContext { index, snapshot, .. } = *self.context;
        let mut all = output.selection.shown.iter().chain(&output.selection.rest).chain(&output.below_floor);
        let ranked = all.find(|ranked| ranked.candidate.slot == self.slot);
        let candidate = output.candidate(self.slot);
        let explain = match ranked {
            Some(ranked) => explanation(snapshot, index, ranked, &self.block.id, &[])?,
            None => Explanation {
                words: candidate.words,
                meaning: candidate.meaning,
                cue: candidate.cue,
                ..Explanation::default()
            },
        };
        let matched = output.question.words.matched(self.slot);
        let reason = match &output.question.embedding_problem {
            Some(problem) => format!("{reason} {}", words_alone(problem)),
            None => reason,
        };
        Ok(WhyResult {
            block_id: self.block.id.clone(),
            query: query(self.context),
            frame: self.context.frame.name.clone(),
            stage,
            rank,
            score: ranked.map(|ranked| ranked.score.min(1.0)),
            relevance: ranked.map_or_else(
                || output.relevance_of(&candidate, index.is_trusted(self.slot)),
                |ranked| ranked.candidate.relevance,
            ),
            matched: matched.into_iter().map(str::to_owned).collect(),
            reason,
            remedy,
            replaced_by: None,
            explain,
        })
    }
}
