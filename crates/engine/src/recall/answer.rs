//! The verbs, and how slots become blocks again.

use std::collections::HashMap;

use crate::render::Rendering;
use crate::results::{Explanation, FrameResult, LeftOut, LeftOutReason, RecallResult, ScoredBlock, Strength, Via};
use elfmem_core::frame::Frame;
use elfmem_core::provenance::is_reserved;
use elfmem_core::{Block, BlockId, EdgeKey, OperationKind};
use elfmem_index::LinkKind;
use elfmem_models::Embedder;
use elfmem_store::{Snapshot, Store};

use super::composite::Ranked;
use super::pipeline::{IDENTITY, PipelineOutput, RecallContext};
use super::request::{DEFAULT_FRAME, Recall, RenderFrame};
use super::shown::Shown;
use crate::memory::Memory;
use crate::memory_index::MemoryIndex;
use crate::models::{EmbedderChoice, is_own_model};
use crate::{Error, Result};

/// Vectors made on the way that are worth keeping in the store.
const WORTH_STORING: usize = 64;

/// Vectors made for one question, of blocks that had none.
type FreshVectors = Vec<(BlockId, Vec<f32>)>;

/// What a request came to, before it is counted.
pub(super) struct Answer {
    frame: Frame,
    blocks: Vec<ScoredBlock>,
    summaries: HashMap<BlockId, String>,
    found: PipelineOutput,
    left_out: Vec<LeftOut>,
    edges: Vec<EdgeKey>,
    message: Option<String>,
}

impl<S: Store> Memory<S> {
    /// Finds the blocks that answer a question best, inbox blocks included. See [`Recall`] for everything that can be asked.
    ///
    /// What is shown counts as used, unless it is a preview. When nothing fits, or nothing fits well, `message` says so.
    ///
    /// # Errors
    /// An unknown frame, a tag or category that cannot be one, an empty span of time.
    pub fn recall(&self, request: impl Into<Recall>) -> Result<RecallResult> {
        let request = &request.into();
        let (answer, fresh) = self.answer(request)?;
        self.keep_vectors(request, &fresh);
        let result = RecallResult {
            query: request.question().unwrap_or_default().to_owned(),
            frame: answer.frame.name,
            strength: answer.found.strength,
            relevance: answer.found.relevance,
            blocks: answer.blocks,
            left_out: answer.left_out,
            message: answer.message,
        };
        let ids = result.blocks.iter().map(|block| block.id.clone()).collect();
        let summary = shown_in_words(result.blocks.len(), &result.frame);
        self.count_unless_preview(request, OperationKind::Recall, &summary, Shown { ids, edges: answer.edges });
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
        let request = &request.into().into_recall();
        let at = self.options.clock.now();
        let (result, edges, fresh) = self.asked(request, DEFAULT_FRAME, |context, index, fresh| {
            if let Some(kept) = index.renderings.get(request, context.frame, index.version, at) {
                return Ok((FrameResult { cached: true, ..kept.0 }, kept.1, fresh));
            }
            let found = context.find(index)?;
            let answer = told(context, index, found)?;
            let edges = answer.edges.clone();
            let result = rendered(answer, request);
            let is_shown = |id: &BlockId| result.blocks.iter().any(|block| block.id == *id);
            let edges: Vec<EdgeKey> =
                edges.into_iter().filter(|key| is_shown(&key.from_id) && is_shown(&key.to_id)).collect();
            index.renderings.keep(request, context.frame, index.version, at, (result.clone(), edges.clone()));
            Ok((result, edges, fresh))
        })?;
        self.keep_vectors(request, &fresh);
        let ids = result.blocks.iter().map(|block| block.id.clone()).collect();
        let summary = shown_in_words(result.block_count, &result.frame_name);
        self.count_unless_preview(request, OperationKind::Frame, &summary, Shown { ids, edges });
        Ok(result)
    }

    fn count_unless_preview(&self, request: &Recall, verb: OperationKind, summary: &str, shown: Shown) {
        if request.preview {
            let at = self.options.clock.now();
            self.running().history.record(verb, format!("{summary} (preview)"), at);
        } else {
            self.count_shown(verb, summary, shown);
        }
    }

    /// Keeps vectors that were made on the way: the next program need not make them again. A memory that cannot be
    /// written to answers all the same, and a preview writes nothing.
    fn keep_vectors(&self, request: &Recall, fresh: &[(BlockId, Vec<f32>)]) {
        if !request.preview
            && fresh.len() >= WORTH_STORING
            && let Ok(embedder) = self.options.models.embedder.load()
        {
            let _ = self.store_vectors(&*embedder, fresh);
        }
    }

    fn answer(&self, request: &Recall) -> Result<(Answer, FreshVectors)> {
        self.asked(request, DEFAULT_FRAME, |context, index, fresh| {
            let found = context.find(index)?;
            Ok((told(context, index, found)?, fresh))
        })
    }

    /// Makes a request ready and runs `work` with what is index; it also gets the vectors that were made for that.
    pub(super) fn asked<T>(
        &self,
        request: &Recall,
        default_frame: &str,
        work: impl FnOnce(&RecallContext<'_>, &mut MemoryIndex, FreshVectors) -> Result<T>,
    ) -> Result<T> {
        request.check()?;
        let (at, held) = (self.options.clock.now(), self.running().held.clone());
        let embedder = self.options.models.embedder.load()?;
        self.read(|snapshot| {
            let frame = named_frame(snapshot, request.frame.as_deref().unwrap_or(default_frame))?;
            let weights = match request.question() {
                Some(_) => frame.weights,
                None => frame
                    .weights
                    .queryless()
                    .map_err(|error| Error::BadFrame { name: frame.name.clone(), problem: error.to_string() })?,
            };
            let usable = is_own_model(snapshot, &*embedder)?;
            let hours = self.hours_at(snapshot, at, held.as_ref())?;
            self.with_index(snapshot, &*embedder, |index| {
                let built_in = matches!(self.options.models.embedder, EmbedderChoice::BuiltIn);
                let fresh = if built_in && usable { embed_waiting(snapshot, index, &*embedder)? } else { Vec::new() };
                let embedder = usable.then_some(&*embedder);
                let untrusted = &self.options.untrusted;
                work(
                    &RecallContext { snapshot, request, frame: &frame, weights, hours, at, embedder, untrusted },
                    index,
                    fresh,
                )
            })
        })
    }
}

/// What the journal says of an answer. The question is not in it: what was asked is nobody's business later, and a purge
/// would have to find it.
fn shown_in_words(blocks: usize, frame: &str) -> String {
    format!("Showed {blocks} {} in frame '{frame}'.", if blocks == 1 { "block" } else { "blocks" })
}

/// A frame by name, as the store has it.
pub(crate) fn named_frame(snapshot: &dyn Snapshot, name: &str) -> Result<Frame> {
    match snapshot.get_frame(name)? {
        Some(frame) => Ok(frame),
        None => {
            let valid = snapshot.list_frames()?.into_iter().map(|frame| frame.name).collect();
            Err(Error::UnknownFrame { name: name.to_owned(), valid })
        }
    }
}

/// Gives blocks that were stored since the last dream a vector, so that they are found by meaning at once.
fn embed_waiting(snapshot: &dyn Snapshot, index: &mut MemoryIndex, embedder: &dyn Embedder) -> Result<FreshVectors> {
    let waiting = index.take_unembedded();
    if waiting.is_empty() {
        return Ok(Vec::new());
    }
    let blocks = snapshot.get_blocks(&waiting)?;
    let texts: Vec<&str> = blocks.iter().map(|block| block.content.as_str()).collect();
    let mut fresh = Vec::new();
    for (block, vector) in blocks.iter().zip(embedder.embed(&texts)?) {
        if let Some(vector) = vector {
            index.vectors.insert(&block.id, &vector)?;
            fresh.push((block.id.clone(), vector));
        }
    }
    Ok(fresh)
}

/// Turns what was found into blocks, with the reasons.
pub(super) fn told(context: &RecallContext<'_>, index: &mut MemoryIndex, found: PipelineOutput) -> Result<Answer> {
    let ids: Vec<BlockId> =
        found.selection.shown.iter().filter_map(|ranked| index.id(ranked.candidate.slot).cloned()).collect();
    let mut texts: HashMap<BlockId, Block> =
        context.snapshot.get_blocks(&ids)?.into_iter().map(|block| (block.id.clone(), block)).collect();
    let mut left_out = left_out(index, &found);
    let mut blocks = Vec::with_capacity(ids.len());
    let mut summaries = HashMap::new();
    for ranked in &found.selection.shown {
        let Some(mut block) = index.id(ranked.candidate.slot).and_then(|id| texts.remove(id)) else { continue };
        if context.untrusted.distrust(&block) {
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
        let explain = explanation(context.snapshot, index, ranked, &block.id, &left_out)?;
        blocks.push(scored(block, ranked, index, &found, explain));
    }
    let edges = edges_among(context.snapshot, index, &found.selection.shown)?;
    let message = message(context, index, &found, blocks.is_empty());
    let frame = context.frame.clone();
    Ok(Answer { frame, blocks, summaries, left_out, edges, message, found })
}

fn scored(
    block: Block,
    ranked: &Ranked,
    index: &MemoryIndex,
    found: &PipelineOutput,
    explain: Explanation,
) -> ScoredBlock {
    let matched = index.words.matched(ranked.candidate.slot, &found.question.words);
    ScoredBlock {
        id: block.id,
        content: block.content,
        score: ranked.score,
        relevance: found.strength.map(|_| ranked.candidate.relevance),
        status: block.status,
        category: block.category,
        tags: block.tags,
        source: block.source,
        created_at: block.created_at,
        event_at: block.event_at,
        matched: matched.into_iter().map(str::to_owned).collect(),
        guaranteed: ranked.guaranteed,
        explain,
    }
}

pub(super) fn explanation(
    snapshot: &dyn Snapshot,
    index: &MemoryIndex,
    ranked: &Ranked,
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
        components: ranked.components,
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

/// Suppressed blocks with what they lost to: those whose opponent is shown, and those good enough to be shown.
fn left_out(index: &MemoryIndex, found: &PipelineOutput) -> Vec<LeftOut> {
    let shown = &found.selection.shown;
    let lowest = shown.iter().filter(|ranked| !ranked.guaranteed).map(|ranked| ranked.score).reduce(f64::min);
    let is_shown = |slot: u32| shown.iter().any(|ranked| ranked.candidate.slot == slot);
    found
        .suppressed
        .iter()
        .filter(|lost| is_shown(lost.by) || lowest.is_some_and(|lowest| lost.score > lowest))
        .filter_map(|lost| {
            let (block_id, by) = (index.id(lost.slot)?.clone(), index.id(lost.by)?.clone());
            let detail = format!("{} contradicts {} and is believed less.", block_id.short(), by.short());
            Some(LeftOut { block_id, reason: LeftOutReason::Contradiction, by: Some(by), detail })
        })
        .collect()
}

/// Edges between blocks that are shown together; contradictions are not confirmed by being shown.
fn edges_among(snapshot: &dyn Snapshot, index: &mut MemoryIndex, shown: &[Ranked]) -> Result<Vec<EdgeKey>> {
    let slots: Vec<u32> = shown.iter().map(|ranked| ranked.candidate.slot).collect();
    index.load_links(snapshot, &slots)?;
    let mut keys = Vec::new();
    for (at, a) in slots.iter().enumerate() {
        for b in &slots[at + 1..] {
            let linked = index.links.link(*a, *b).is_some_and(|link| link.kind == LinkKind::Associates);
            if let (true, Some(a), Some(b)) = (linked, index.id(*a), index.id(*b)) {
                keys.extend(EdgeKey::canonical(a, b));
            }
        }
    }
    Ok(keys)
}

/// Says why an answer is empty, or what to make of one that is not worth much.
fn message(context: &RecallContext<'_>, index: &MemoryIndex, found: &PipelineOutput, empty: bool) -> Option<String> {
    let question = context.request.question();
    let trouble = found.question.trouble.as_ref().map(|trouble| format!("PipelineOutput by words alone: {trouble}"));
    if !empty {
        let said = match found.strength {
            Some(Strength::Weak) => Some(
                "The evidence is weak: nothing stored is close to this question, so take these as a guess at best.",
            ),
            Some(Strength::Doubtful) => Some("The evidence is doubtful: these are near the topic and may not answer."),
            _ => None,
        };
        return match (said, trouble) {
            (Some(said), Some(trouble)) => Some(format!("{said} {trouble}")),
            (said, trouble) => said.map(str::to_owned).or(trouble),
        };
    }
    let blocks = index.len();
    let noun = if blocks == 1 { "block" } else { "blocks" };
    let may_answer = |slot: u32| index.contains(slot) && found.gate.lets_in(slot, index.standing(slot));
    Some(if blocks == 0 {
        "Nothing is stored yet. Remember something first, then ask again.".to_owned()
    } else if context.top_k() == 0 {
        "No blocks were asked for. Ask for at least one.".to_owned()
    } else if !(0..index.bound() as u32).any(may_answer) {
        format!("None of the {blocks} {noun} passes the filters. Ask with fewer of them, or in another frame.")
    } else if !context.request.overview && question.is_none() || question.is_some() && found.question.is_empty() {
        "The question has no words to search for. Ask with at least one word.".to_owned()
    } else {
        let why = format!(
            "None of the {blocks} {noun} shares a word or a meaning with the question. Ask with other words, or look \
             through them with ls."
        );
        trouble.map_or(why.clone(), |trouble| format!("{why} {trouble}"))
    })
}

/// Renders an answer within the frame's budget. What the frame guarantees has a budget of its own, as large.
pub(super) fn rendered(answer: Answer, request: &Recall) -> FrameResult {
    let Answer { frame, blocks, summaries, mut left_out, found, message, .. } = answer;
    let promised = blocks.iter().any(|block| block.guaranteed);
    let budget = if promised { frame.token_budget.saturating_mul(2) } else { frame.token_budget };
    let mut rendering = Rendering::new(&frame.template, frame.token_budget);
    let mut fitting = vec![false; blocks.len()];
    for (at, block) in blocks.iter().enumerate().filter(|(_, block)| block.guaranteed) {
        fitting[at] = rendering.try_add(block, summaries.get(&block.id).map(String::as_str));
    }
    if promised {
        rendering.add_budget(rendering.tokens().min(frame.token_budget));
    }
    for (at, block) in blocks.iter().enumerate().filter(|(_, block)| !block.guaranteed) {
        fitting[at] = rendering.try_add(block, summaries.get(&block.id).map(String::as_str));
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
        strength: found.strength,
        blocks: shown,
        left_out,
        tokens,
        token_budget: budget,
        message,
    }
}
