//! `recall` and `frame`, and how slots become blocks again.

use std::collections::HashMap;

use elfmem_core::frame::Frame;
use elfmem_core::trust::is_reserved;
use elfmem_core::{Block, BlockId, EdgeKey, OperationKind, ScoreComponents};
use elfmem_index::AdjacentEdgeKind;
use elfmem_store::{Snapshot, Store};

use super::composite::RankedCandidate;
use super::frame_cache::CachedFrame;
use super::pipeline::{IDENTITY, PipelineOutput, RecallContext};
use super::question::ParsedQuestion;
use super::record_use::ShownBlocks;
use super::request::{DEFAULT_FRAME, Recall, RenderFrame};
use crate::memory::Memory;
use crate::memory_index::{FreshVectors, MemoryIndex};
use crate::render::Rendering;
use crate::results::{Explanation, FrameResult, LeftOut, LeftOutReason, RecallResult, ScoredBlock, Strength, Via};
use crate::trace;
use crate::{Error, Result};

/// Smallest number of computed vectors that are written to the store.
const MIN_STORED_VECTORS: usize = 64;

/// The answer to a request, before its use is recorded.
#[derive(Debug)]
pub(super) struct BuiltAnswer {
    frame: Frame,
    blocks: Vec<ScoredBlock>,
    summaries: HashMap<BlockId, String>,
    strength: Option<Strength>,
    relevance: Option<f64>,
    left_out: Vec<LeftOut>,
    edges: Vec<EdgeKey>,
    message: Option<String>,
    /// Whether the question should have had a vector and has none.
    is_degraded: bool,
}

impl<S: Store> Memory<S> {
    /// Finds the blocks that answer a question best, inbox blocks included. See [`Recall`] for everything that can be asked.
    ///
    /// What is shown counts as used, unless it is a preview. When nothing fits, or nothing fits well, `message` says so. An
    /// embedder that cannot be reached is no error: words and edges answer, and `message` says so.
    ///
    /// # Errors
    /// An unknown frame, a tag or category that is not valid, an empty span of time.
    pub fn recall(&self, request: impl Into<Recall>) -> Result<RecallResult> {
        let _span = trace::verb("recall");
        let request = &request.into();
        let (answer, fresh) = self.with_context(request, DEFAULT_FRAME, |context, fresh| {
            Ok((build_answer(context, context.run()?)?, fresh))
        })?;
        self.store_fresh_vectors(request, &fresh);
        let result = RecallResult {
            query: request.question().unwrap_or_default().to_owned(),
            frame: answer.frame.name,
            strength: answer.strength,
            relevance: answer.relevance,
            blocks: answer.blocks,
            left_out: answer.left_out,
            message: answer.message,
        };
        let ids = result.blocks.iter().map(|block| block.id.clone()).collect();
        let summary = journal_summary(result.blocks.len(), &result.frame);
        self.record_use_unless_preview(
            request,
            OperationKind::Recall,
            &summary,
            ShownBlocks { ids, edges: answer.edges },
        );
        Ok(result)
    }

    /// Renders a context for one intent: `self`, `attention`, `task`, `simulate`, `search`, or a frame of your own. See
    /// [`RenderFrame`].
    ///
    /// What is shown counts as used, unless it is a preview.
    ///
    /// # Errors
    /// [`Error::UnknownFrame`], which lists the frames there are; and the errors of [`recall`](Self::recall).
    pub fn frame(&self, request: impl Into<RenderFrame>) -> Result<FrameResult> {
        let _span = trace::verb("frame");
        let request = &request.into().into_recall();
        let at = self.options.clock.now();
        let ((result, edges), fresh) = self.with_context(request, DEFAULT_FRAME, |context, fresh| {
            let content = context.index.content();
            if let Some((cached, edges)) = self.frames.get(request, context.frame, content, at) {
                return Ok(((FrameResult { cached: true, ..cached }, edges), fresh));
            }
            let answer = build_answer(context, context.run()?)?;
            let is_degraded = answer.is_degraded;
            let rendered = render_with_edges(answer, request);
            if !is_degraded {
                self.frames.put(request, context.frame, content, at, &rendered);
            }
            Ok((rendered, fresh))
        })?;
        self.store_fresh_vectors(request, &fresh);
        let ids = result.blocks.iter().map(|block| block.id.clone()).collect();
        let summary = journal_summary(result.block_count, &result.frame_name);
        self.record_use_unless_preview(request, OperationKind::Frame, &summary, ShownBlocks { ids, edges });
        Ok(result)
    }

    fn record_use_unless_preview(&self, request: &Recall, verb: OperationKind, summary: &str, shown: ShownBlocks) {
        if request.preview {
            let at = self.options.clock.now();
            self.running().history.record(verb, format!("{summary} (preview)"), at);
        } else {
            self.record_use(verb, summary, shown);
        }
    }

    /// Stores vectors that were computed for the index, so that the next process need not compute them again. A preview
    /// writes nothing, and a memory that cannot be written answers all the same.
    fn store_fresh_vectors(&self, request: &Recall, fresh: &FreshVectors) {
        if !request.preview
            && fresh.len() >= MIN_STORED_VECTORS
            && let Ok(embedder) = self.options.models.embedder.load()
        {
            let _ = self.store_vectors(&*embedder, fresh);
        }
    }

    /// Prepares a request and runs `work` on one state of the memory; `work` also gets the vectors that were computed for the
    /// index. The question is embedded before the state is read.
    pub(super) fn with_context<T>(
        &self,
        request: &Recall,
        default_frame: &str,
        work: impl FnOnce(&RecallContext<'_>, FreshVectors) -> Result<T>,
    ) -> Result<T> {
        request.check()?;
        let (at, held) = (self.options.clock.now(), self.running().held.clone());
        let question =
            request.question().map(|text| ParsedQuestion::parse(text, request.filter.as_of_event.unwrap_or(at)));
        let embedding = self.embed_question(question.as_ref())?;
        let latest = self.latest_index();
        self.read(|snapshot| {
            let frame = named_frame(snapshot, request.frame.as_deref().unwrap_or(default_frame))?;
            let weights = match &question {
                Some(_) => frame.weights,
                None => frame
                    .weights
                    .queryless()
                    .map_err(|error| Error::BadFrame { name: frame.name.clone(), problem: error.to_string() })?,
            };
            let hours = self.hours_at(snapshot, at, held.as_ref())?;
            let (index, fresh) = self.index_at(snapshot, latest)?;
            let context = RecallContext {
                snapshot,
                index: &index,
                request,
                question: question.as_ref(),
                embedding: &embedding,
                frame: &frame,
                weights,
                hours,
                at,
                trust: &self.options.trust,
                scratch: &self.scratch,
            };
            work(&context, fresh)
        })
    }
}

/// Returns what the journal says of an answer. It does not name the question: a purge would have to find it.
fn journal_summary(blocks: usize, frame: &str) -> String {
    format!("Showed {blocks} {} in frame '{frame}'.", if blocks == 1 { "block" } else { "blocks" })
}

/// Returns a frame by name.
pub(crate) fn named_frame(snapshot: &dyn Snapshot, name: &str) -> Result<Frame> {
    match snapshot.get_frame(name)? {
        Some(frame) => Ok(frame),
        None => {
            let valid = snapshot.list_frames()?.into_iter().map(|frame| frame.name).collect();
            Err(Error::UnknownFrame { name: name.to_owned(), valid })
        }
    }
}

/// Turns selected slots into blocks with explanations.
pub(super) fn build_answer(context: &RecallContext<'_>, output: PipelineOutput<'_>) -> Result<BuiltAnswer> {
    let RecallContext { index, snapshot, .. } = *context;
    let shown = &output.selection.shown;
    let ids: Vec<BlockId> = shown.iter().filter_map(|ranked| index.id(ranked.candidate.slot).cloned()).collect();
    let mut texts: HashMap<BlockId, Block> =
        snapshot.get_blocks(&ids)?.into_iter().map(|block| (block.id.clone(), block)).collect();
    let mut left_out = left_out(index, &output);
    let mut blocks = Vec::with_capacity(ids.len());
    let mut summaries = HashMap::new();
    for ranked in shown {
        let Some(mut block) = index.id(ranked.candidate.slot).and_then(|id| texts.remove(id)) else { continue };
        let trusted = context.trust.trusts(&block);
        if !trusted {
            if context.frame.template == IDENTITY {
                let detail =
                    format!("{} comes from a source that is not trusted to say who you are.", block.id.short());
                left_out.push(LeftOut { block_id: block.id, reason: LeftOutReason::Untrusted, by: None, detail });
                continue;
            }
            // An older memory may hold such tags: they place nothing among goals and values.
            block.tags.retain(|tag| !is_reserved(tag.as_str()));
        }
        if let Some(summary) = &block.summary {
            summaries.insert(block.id.clone(), summary.clone());
        }
        let explain = explanation(snapshot, index, ranked, &block.id, &left_out)?;
        blocks.push(scored_block(block, ranked, &output, trusted, explain));
    }
    let edges = edges_among(snapshot, index, shown)?;
    let message = message(context, &output, blocks.is_empty());
    let PipelineOutput { strength, relevance, question, .. } = output;
    let is_degraded = question.embedding_problem.is_some();
    let frame = context.frame.clone();
    Ok(BuiltAnswer { frame, blocks, summaries, strength, relevance, left_out, edges, message, is_degraded })
}

fn scored_block(
    block: Block,
    ranked: &RankedCandidate,
    output: &PipelineOutput<'_>,
    trusted: bool,
    explain: Explanation,
) -> ScoredBlock {
    let matched = output.question.words.matched(ranked.candidate.slot);
    ScoredBlock {
        id: block.id,
        content: block.content,
        score: ranked.score.min(1.0),
        relevance: output.strength.map(|_| ranked.candidate.relevance),
        status: block.status,
        category: block.category,
        tags: block.tags,
        source: block.source,
        trusted,
        created_at: block.created_at,
        event_at: block.event_at,
        matched: matched.into_iter().map(str::to_owned).collect(),
        guaranteed: ranked.guaranteed,
        explain,
    }
}

/// Returns the components and signals of a ranked block.
pub(super) fn explanation(
    snapshot: &dyn Snapshot,
    index: &MemoryIndex,
    ranked: &RankedCandidate,
    id: &BlockId,
    left_out: &[LeftOut],
) -> Result<Explanation> {
    let candidate = &ranked.candidate;
    let via = match candidate.via.and_then(|(seed, weight)| Some((index.id(seed)?, weight))) {
        Some((seed, weight)) => {
            let edge = EdgeKey::canonical(seed, id).map(|key| snapshot.get_edge(&key)).transpose()?.flatten();
            let relation = edge.map_or_else(|| "linked".to_owned(), |edge| edge.relation_type.as_str().to_owned());
            Some(Via { block_id: seed.clone(), relation, weight: f64::from(weight) })
        }
        None => None,
    };
    Ok(Explanation {
        components: ScoreComponents { similarity: ranked.components.similarity.min(1.0), ..ranked.components },
        words: candidate.words,
        meaning: candidate.meaning,
        cue: candidate.cue,
        context: candidate.context,
        who: candidate.who,
        time: candidate.time,
        via,
        displaced: left_out.iter().filter(|left| left.by.as_ref() == Some(id)).cloned().collect(),
    })
}

/// Returns suppressed blocks with what they lost to: those whose opponent is shown, and those good enough to be shown.
fn left_out(index: &MemoryIndex, output: &PipelineOutput<'_>) -> Vec<LeftOut> {
    let shown = &output.selection.shown;
    let lowest = shown.iter().filter(|ranked| !ranked.guaranteed).map(|ranked| ranked.score).reduce(f64::min);
    let is_shown = |slot: u32| shown.iter().any(|ranked| ranked.candidate.slot == slot);
    output
        .suppressed
        .iter()
        .filter(|lost| is_shown(lost.by) || lowest.is_some_and(|lowest| lost.score > lowest))
        .filter_map(|lost| {
            let (block_id, by) = (index.id(lost.slot)?.clone(), index.id(lost.by)?.clone());
            let why = if lost.for_trust { ", which a trusted source said" } else { " and is believed less" };
            let detail = format!("{} contradicts {}{why}.", block_id.short(), by.short());
            Some(LeftOut { block_id, reason: LeftOutReason::Contradiction, by: Some(by), detail })
        })
        .collect()
}

/// Returns the edges between blocks that are shown together, without contradictions: being shown does not confirm those.
fn edges_among(snapshot: &dyn Snapshot, index: &MemoryIndex, shown: &[RankedCandidate]) -> Result<Vec<EdgeKey>> {
    let slots: Vec<u32> = shown.iter().map(|ranked| ranked.candidate.slot).collect();
    let links = index.links(snapshot, &slots)?;
    let mut keys = Vec::new();
    for (at, a) in slots.iter().enumerate() {
        for b in &slots[at + 1..] {
            let link = links.get(a).and_then(|list| list.get(*b));
            let linked = link.is_some_and(|link| link.kind == AdjacentEdgeKind::Associates);
            if let (true, Some(a), Some(b)) = (linked, index.id(*a), index.id(*b)) {
                keys.extend(EdgeKey::canonical(a, b));
            }
        }
    }
    Ok(keys)
}

/// Says why an answer is empty, or that it is weak, or that the embedder could not be used.
fn message(context: &RecallContext<'_>, output: &PipelineOutput<'_>, empty: bool) -> Option<String> {
    let (index, question) = (context.index, context.request.question());
    let problem = output.question.embedding_problem.as_deref().map(words_alone);
    if !empty {
        let said = match output.strength {
            Some(Strength::Weak) => Some(
                "The evidence is weak: nothing stored is close to this question, so take these as a guess at best.",
            ),
            Some(Strength::Doubtful) => Some("The evidence is doubtful: these are near the topic and may not answer."),
            _ => None,
        };
        return match (said, problem) {
            (Some(said), Some(problem)) => Some(format!("{said} {problem}")),
            (said, problem) => said.map(str::to_owned).or(problem),
        };
    }
    let blocks = index.len();
    let noun = if blocks == 1 { "block" } else { "blocks" };
    let is_eligible = |slot: u32| index.contains(slot) && output.filter.accepts(slot);
    Some(if blocks == 0 {
        "Nothing is stored yet. Remember something first, then ask again.".to_owned()
    } else if context.top_k() == 0 {
        "No blocks were asked for. Ask for at least one.".to_owned()
    } else if !(0..index.bound() as u32).any(is_eligible) {
        format!("None of the {blocks} {noun} passes the filters. Ask with fewer of them, or in another frame.")
    } else if !context.request.overview && question.is_none() || question.is_some() && output.question.is_empty() {
        "The question has no words to search for. Ask with at least one word.".to_owned()
    } else {
        let why = format!(
            "None of the {blocks} {noun} shares a word or a meaning with the question. Ask with other words, or look \
             through them with ls."
        );
        problem.map_or(why.clone(), |problem| format!("{why} {problem}"))
    })
}

/// Says that a question has no vector, and why.
pub(crate) fn words_alone(problem: &str) -> String {
    format!("Found by words alone: {problem}")
}

/// Renders an answer; the edges are those between blocks that fit the budget.
fn render_with_edges(mut answer: BuiltAnswer, request: &Recall) -> CachedFrame {
    let edges = std::mem::take(&mut answer.edges);
    let result = render(answer, request);
    let is_shown = |id: &BlockId| result.blocks.iter().any(|block| block.id == *id);
    let edges = edges.into_iter().filter(|key| is_shown(&key.from_id) && is_shown(&key.to_id)).collect();
    (result, edges)
}

/// Renders an answer within the budget of the frame. Guaranteed blocks have a second budget of the same size.
pub(super) fn render(answer: BuiltAnswer, request: &Recall) -> FrameResult {
    let BuiltAnswer { frame, blocks, summaries, mut left_out, strength, message, .. } = answer;
    let has_guaranteed = blocks.iter().any(|block| block.guaranteed);
    let budget = if has_guaranteed { frame.token_budget.saturating_mul(2) } else { frame.token_budget };
    let mut rendering = Rendering::new(&frame.template, frame.token_budget);
    let mut fitting = vec![false; blocks.len()];
    for (at, block) in blocks.iter().enumerate().filter(|(_, block)| block.guaranteed) {
        fitting[at] = rendering.try_add(block, summaries.get(&block.id).map(String::as_str));
    }
    if has_guaranteed {
        rendering.add_budget(rendering.tokens().min(frame.token_budget));
    }
    // Trusted blocks first: an untrusted one does not take their budget.
    for trusted in [true, false] {
        for (at, block) in blocks.iter().enumerate().filter(|(_, block)| !block.guaranteed && block.trusted == trusted)
        {
            fitting[at] = rendering.try_add(block, summaries.get(&block.id).map(String::as_str));
        }
    }
    let (text, tokens) = (rendering.text(), rendering.tokens());
    let mut shown = Vec::new();
    for (block, fits) in blocks.into_iter().zip(fitting) {
        if fits {
            shown.push(block);
            continue;
        }
        let detail = format!("{} did not fit the budget of {} tokens.", block.id.short(), frame.token_budget);
        left_out.push(LeftOut { block_id: block.id, reason: LeftOutReason::TokenBudget, by: None, detail });
    }
    FrameResult {
        frame_name: frame.name,
        block_count: shown.len(),
        cached: false,
        text,
        query: request.question().unwrap_or_default().to_owned(),
        strength,
        blocks: shown,
        left_out,
        tokens,
        token_budget: budget,
        message,
    }
}
