//! `recall` and `frame`, and how slots become blocks again.

use std::collections::HashMap;

use elfmem_core::frame::Frame;
use elfmem_core::trust::is_reserved;
use elfmem_core::{Block, BlockId, BroughtBy, DocumentPart, EdgeKey, OperationKind, ScoreComponents};
use elfmem_index::AdjacentEdgeKind;
use elfmem_store::{Snapshot, Store};

use crate::age;
use crate::calibration::{CALIBRATION, CalibratedCurve};
use crate::documents::DOCUMENT_SOURCE;
use crate::learn::DEFAULT_SOURCE;
use crate::memory::Memory;
use crate::memory_index::MemoryIndex;
use crate::recall::answer::record_use::ShownBlocks;
use crate::recall::answer::superseded::{add_former, superseded_blocks};
use crate::recall::candidates::bridges::SAME_NAME;
use crate::recall::frames::cache::{CachedFrame, frame_key};
use crate::recall::pipeline::{IDENTITY, PipelineOutput, RecallContext};
use crate::recall::question::parsed::ParsedQuestion;
use crate::recall::ranking::composite::RankedCandidate;
use crate::recall::ranking::relevance::AnswerRelevance;
use crate::recall::request::{DEFAULT_FRAME, Recall, RenderFrame};
use crate::render::Rendering;
use crate::results::{Explanation, FrameResult, LeftOut, LeftOutReason, RecallResult, ScoredBlock, Strength, Via};
use crate::trace;
use crate::waiting::{WaitingBlocks, waiting_note};
use crate::{Error, Result};

/// The relation by which a companion comes back.
const EXTENDS: &str = "extends";
/// How many times a request runs again with further opinions of the model of pairs.
const OPINION_ROUNDS: usize = 2;

/// The answer to a request, before its use is recorded.
#[derive(Debug)]
pub(in crate::recall) struct BuiltAnswer {
    frame: Frame,
    blocks: Vec<ScoredBlock>,
    summaries: HashMap<BlockId, String>,
    strength: Option<Strength>,
    relevance: Option<AnswerRelevance>,
    left_out: Vec<LeftOut>,
    /// The edges between blocks whose being shown counts as use.
    edges: Vec<EdgeKey>,
    message: Option<String>,
    /// Whether the question should have had a vector and has none.
    is_degraded: bool,
    /// The curve that the relevance of the blocks comes from.
    curve: Option<CalibratedCurve>,
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
        let (answer, superseded) = self.with_context(request, DEFAULT_FRAME, |context| {
            let mut answer = build_answer(context, context.run()?)?;
            add_former(context, &mut answer.blocks)?;
            let superseded = if request.superseded { superseded_blocks(context, &answer.blocks)? } else { Vec::new() };
            Ok((answer, superseded))
        })?;
        let mut result = RecallResult {
            query: request.question().unwrap_or_default().to_owned(),
            frame: answer.frame.name,
            strength: answer.strength,
            relevance: answer.relevance.map(|relevance| relevance.probability()),
            evidence: answer.relevance.map(|relevance| relevance.evidence()),
            blocks: answer.blocks,
            left_out: answer.left_out,
            message: answer.message,
        };
        let summary = journal_summary(result.blocks.len(), &result.frame);
        let shown = ShownBlocks::new(&result.blocks, answer.edges, answer.curve.as_ref());
        self.record_use_unless_preview(request, OperationKind::Recall, &summary, shown);
        let shown: Vec<BlockId> = result.blocks.iter().map(|block| block.id.clone()).collect();
        result.blocks.extend(superseded.into_iter().filter(|block| !shown.contains(&block.id)));
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
        let CachedFrame { result, edges, curve } = self.with_context(request, DEFAULT_FRAME, |context| {
            let content = context.index.content();
            // A calibration changes the numbers of a frame, and is no content.
            let calibration = context.snapshot.get_scope_config(CALIBRATION)?.unwrap_or_default();
            let key = frame_key(request, context.frame, &calibration);
            if let Some(cached) = self.frames.get(&key, context.frame, content, at) {
                return Ok(CachedFrame { result: FrameResult { cached: true, ..cached.result }, ..cached });
            }
            let mut answer = build_answer(context, context.run()?)?;
            add_former(context, &mut answer.blocks)?;
            let is_degraded = answer.is_degraded;
            let rendered = render_with_edges(answer, request);
            if !is_degraded && !context.opinions.are_open() {
                self.frames.put(key, context.frame, content, at, &rendered);
            }
            Ok(rendered)
        })?;
        let summary = result.sentence();
        let shown = ShownBlocks::new(&result.blocks, edges, curve.as_ref());
        self.record_use_unless_preview(request, OperationKind::Frame, &summary, shown);
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

    /// Prepares a request and runs `work` on one state of the memory. The question, and blocks without a vector that the
    /// index meets for the first time, are embedded while no state is read.
    pub(in crate::recall) fn with_context<T>(
        &self,
        request: &Recall,
        default_frame: &str,
        work: impl Fn(&RecallContext<'_>) -> Result<T>,
    ) -> Result<T> {
        request.check()?;
        let (at, held) = (self.options.clock.now(), self.running().held.clone());
        let question =
            request.question().map(|text| ParsedQuestion::parse(text, request.filter.as_of_event.unwrap_or(at)));
        let embedding = self.embed_question(question.as_ref())?;
        let opinions = self.request_opinions()?;
        let answer = |snapshot: &dyn Snapshot, index: &MemoryIndex| {
            let frame = named_frame(snapshot, request.frame.as_deref().unwrap_or(default_frame))?;
            let weights = match &question {
                Some(_) => frame.weights,
                None => frame
                    .weights
                    .queryless()
                    .map_err(|error| Error::BadFrame { name: frame.name.clone(), problem: error.to_string() })?,
            };
            let hours = self.hours_at(snapshot, at, held.as_ref())?;
            let context = RecallContext {
                snapshot,
                index,
                request,
                question: question.as_ref(),
                embedding: &embedding,
                opinions: &opinions,
                frame: &frame,
                weights,
                hours,
                at,
                zone: &self.options.time_zone,
                trust: &self.options.trust,
                scratch: &self.scratch,
            };
            work(&context)
        };
        let latest = self.latest_index();
        let attempt = self.read(|snapshot| {
            let index = self.index_at(snapshot, latest)?;
            // Without a question no vector is compared.
            let waiting = question.as_ref().map(|_| self.waiting_blocks(snapshot, &index)).transpose()?.flatten();
            match waiting {
                Some(waiting) => Ok(Attempt::Waits(waiting)),
                None => answer(snapshot, &index).map(Attempt::Answered),
            }
        })?;
        let (mut answered, fresh) = match attempt {
            Attempt::Answered(answered) => (answered, None),
            Attempt::Waits(waiting) => {
                let fresh = self.embed_waiting_blocks(waiting, self.options.embedding_time);
                (self.read_indexed(answer)?, Some(fresh))
            }
        };
        // What the model says may lead to further pairs.
        for _ in 0..OPINION_ROUNDS {
            if !self.judge_open_pairs(&opinions) {
                break;
            }
            answered = self.read_indexed(answer)?;
        }
        if let Some(fresh) = fresh.filter(|_| !request.preview) {
            self.store_fresh_vectors(fresh);
        }
        Ok(answered)
    }
}

/// What became of a request at the first try.
enum Attempt<T> {
    Answered(T),
    /// Some blocks should be embedded first.
    Waits(WaitingBlocks),
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
pub(in crate::recall) fn build_answer(context: &RecallContext<'_>, output: PipelineOutput<'_>) -> Result<BuiltAnswer> {
    let RecallContext { index, snapshot, .. } = *context;
    let shown = &output.selection.shown;
    let mut left_out = left_out(index, &output);
    let shown_ids = shown.iter().filter_map(|ranked| index.id(ranked.candidate.slot));
    let ids: Vec<BlockId> = shown_ids.chain(left_out.iter().map(|left| &left.block_id)).cloned().collect();
    let mut texts: HashMap<BlockId, Block> =
        snapshot.get_blocks(&ids)?.into_iter().map(|block| (block.id.clone(), block)).collect();
    let is_shown = |id: &BlockId| shown.iter().any(|ranked| index.id(ranked.candidate.slot) == Some(id));
    for left in &mut left_out {
        // The owner's word on a contradiction is told in any case.
        let is_told = left.by.as_ref().is_some_and(|by| left.trusted || is_shown(by));
        left.content = texts.get(&left.block_id).filter(|_| is_told).map(|block| block.content.clone());
    }
    let mut blocks = Vec::with_capacity(shown.len());
    let mut summaries = HashMap::new();
    for ranked in shown {
        let Some(mut block) = index.id(ranked.candidate.slot).and_then(|id| texts.remove(id)) else { continue };
        let trusted = context.trust.trusts(&block);
        if !trusted {
            if context.frame.template == IDENTITY {
                let detail =
                    format!("{} comes from a source that is not trusted to say who you are.", block.id.short());
                left_out.push(LeftOut::new(block.id, LeftOutReason::Untrusted, detail, false));
                continue;
            }
            // An older memory may hold such tags: they place nothing among goals and values.
            block.tags.retain(|tag| !is_reserved(tag.as_str()));
        }
        if let Some(summary) = &block.summary {
            summaries.insert(block.id.clone(), summary.clone());
        }
        let mut explain = explanation(snapshot, index, ranked, &block.id, &left_out)?;
        if let Some(via) = explain.via.as_mut().filter(|_| output.selection.is_companion(ranked.candidate.slot)) {
            EXTENDS.clone_into(&mut via.relation);
        }
        let newer = ranked.newer.and_then(|slot| index.id(slot).cloned());
        let contradicted_by = contradicted_by(index, &output, ranked.candidate.slot);
        let block = scored_block(block, ranked, &output, trusted, context, explain);
        let constraint = output.selection.is_constraint(ranked.candidate.slot);
        blocks.push(ScoredBlock { newer, contradicted_by, constraint, ..block });
    }
    let counted: Vec<u32> = (shown.iter().map(|ranked| ranked.candidate.slot))
        .filter(|slot| contradicted_by(index, &output, *slot).is_empty())
        .collect();
    let edges = edges_among(snapshot, index, &counted)?;
    let message = with_waiting(context, &output, message(context, &output, blocks.is_empty()));
    let PipelineOutput { strength, relevance, question, .. } = output;
    let (is_degraded, curve) = (question.embedding_problem.is_some(), question.calibrated);
    let frame = context.frame.clone();
    Ok(BuiltAnswer { frame, blocks, summaries, strength, relevance, left_out, edges, message, is_degraded, curve })
}

fn scored_block(
    block: Block,
    ranked: &RankedCandidate,
    output: &PipelineOutput<'_>,
    trusted: bool,
    context: &RecallContext<'_>,
    explain: Explanation,
) -> ScoredBlock {
    let matched = output.question.words.matched(ranked.candidate.slot);
    let then = block.event_at.unwrap_or(block.created_at);
    let part = shown_part(block.brought_by.document.as_deref(), block.parts.clone());
    ScoredBlock {
        said_by: said_by(&block),
        document: block.brought_by.document,
        age: age::in_words(then, context.at, context.zone),
        date: age::date(then, context.at, context.zone),
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
        newer: None,
        superseded_by: None,
        part,
        contradicted_by: Vec::new(),
        constraint: false,
        explain,
    }
}

/// Returns who said a block: the source it names, else the peer or the program that brought it.
pub(in crate::recall) fn said_by(block: &Block) -> String {
    let brought = &block.brought_by;
    let named = ![DEFAULT_SOURCE, DOCUMENT_SOURCE].contains(&block.source.as_str());
    if named && !block.source.is_empty() {
        return block.source.clone();
    }
    match (&brought.peer, &brought.surface) {
        (Some(peer), _) => format!("peer {peer}"),
        (None, Some(_)) => BroughtBy { document: None, ..brought.clone() }.in_words(),
        (None, None) => String::new(),
    }
}

/// Returns the place of a block that is shown: in the document that brought it, else in the first.
pub(in crate::recall) fn shown_part(brought_by: Option<&str>, parts: Vec<DocumentPart>) -> Option<DocumentPart> {
    let at = parts.iter().position(|part| Some(part.document.as_str()) == brought_by).unwrap_or(0);
    parts.into_iter().nth(at)
}

/// Returns the stronger blocks that a shown one contradicts: the one it lost to, else those it keeps its place beside.
fn contradicted_by(index: &MemoryIndex, output: &PipelineOutput<'_>, slot: u32) -> Vec<BlockId> {
    let lost = output.suppressed.iter().filter(|lost| lost.slot() == slot).map(|lost| lost.by);
    let contested = output.contested.iter().filter(|contested| contested.weaker == slot).map(|contested| contested.by);
    let mut stronger: Vec<BlockId> = lost.chain(contested).filter_map(|slot| index.id(slot).cloned()).collect();
    stronger.dedup();
    stronger
}

/// Returns the components and signals of a ranked block.
pub(in crate::recall) fn explanation(
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
            let relation = edge.map_or_else(|| SAME_NAME.to_owned(), |edge| edge.relation_type.as_str().to_owned());
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
        placed_by_time: ranked.placed_by_time,
        displaced: left_out.iter().filter(|left| left.by.as_ref() == Some(id)).cloned().collect(),
    })
}

/// Returns suppressed blocks that found no place, with what they lost to: those that are relevant enough to be shown, and
/// whose opponent is shown or that are better than something that is.
fn left_out(index: &MemoryIndex, output: &PipelineOutput<'_>) -> Vec<LeftOut> {
    let selection = &output.selection;
    let lowest = selection.selected().map(|ranked| ranked.score).reduce(f64::min);
    let floor = |slot: u32| output.relevance.map_or(0.0, |relevance| relevance.min_hit(index.is_trusted(slot)));
    output
        .suppressed
        .iter()
        .filter(|lost| !selection.is_shown(lost.slot()) && lost.ranked.candidate.relevance >= floor(lost.slot()))
        .filter(|lost| selection.is_shown(lost.by) || lowest.is_some_and(|lowest| lost.ranked.score > lowest))
        .filter_map(|lost| {
            let (block_id, by) = (index.id(lost.slot())?.clone(), index.id(lost.by)?.clone());
            let why = if lost.for_trust { ", which a trusted source said" } else { " and is believed less" };
            let detail = format!("{} contradicts {}{why}.", block_id.short(), by.short());
            let left = LeftOut::new(block_id, LeftOutReason::Contradiction, detail, index.is_trusted(lost.slot()));
            Some(LeftOut { by: Some(by), ..left })
        })
        .chain(unshown_sides(index, output))
        .chain(more_constraints(index, output))
        .collect()
}

/// Returns constraints of a task for which there was no place.
fn more_constraints<'a>(index: &'a MemoryIndex, output: &'a PipelineOutput<'_>) -> impl Iterator<Item = LeftOut> + 'a {
    let unshown = output.selection.more_constraints.iter().filter(|slot| !output.selection.is_shown(**slot));
    unshown.take(NAMED_CONSTRAINTS).filter_map(|slot| {
        let (id, trusted) = (index.id(*slot)?.clone(), index.is_trusted(*slot));
        let detail = format!("{} may constrain the task too; other constraints concern it more.", id.short());
        Some(LeftOut::new(id, LeftOutReason::MoreConstraints, detail, trusted))
    })
}

/// Returns the other side of contradictions of which the answer shows the one that the question asks for.
fn unshown_sides(index: &MemoryIndex, output: &PipelineOutput<'_>) -> Vec<LeftOut> {
    let mut named: Vec<u32> =
        output.suppressed.iter().map(crate::recall::ranking::suppression::Suppressed::slot).collect();
    let mut unshown = Vec::new();
    for contested in &output.contested {
        let is_shown = |slot: u32| output.selection.is_shown(slot);
        let (here, other) = match (is_shown(contested.weaker), is_shown(contested.by)) {
            (true, false) => (contested.weaker, contested.by),
            (false, true) => (contested.by, contested.weaker),
            _ => continue,
        };
        let may_be_shown = output.filter.accepts(other) && (index.is_trusted(other) || !index.is_trusted(here));
        let (Some(block_id), Some(by)) = (index.id(other), index.id(here)) else { continue };
        if may_be_shown && !named.contains(&other) {
            named.push(other);
            let detail = format!("{} contradicts {}, which the question asks for.", block_id.short(), by.short());
            let trusted = index.is_trusted(other);
            let left = LeftOut::new(block_id.clone(), LeftOutReason::Contradiction, detail, trusted);
            unshown.push(LeftOut { by: Some(by.clone()), ..left });
        }
    }
    unshown
}

/// Returns the edges between blocks that are shown together, without contradictions: being shown does not confirm those.
fn edges_among(snapshot: &dyn Snapshot, index: &MemoryIndex, slots: &[u32]) -> Result<Vec<EdgeKey>> {
    let links = index.links(snapshot, slots)?;
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

/// Says what a block must have to be shown. Whoever sets no filter sees those of the frame.
fn nothing_eligible(context: &RecallContext<'_>, what: &str) -> String {
    let filter = &context.request.filter;
    let sets_filter = !filter.tags.is_empty() || filter.category.is_some() || !filter.contexts.is_empty();
    let tags = &context.frame.filters.tag_patterns;
    match sets_filter || filter.since.is_some() || filter.until.is_some() || tags.is_empty() {
        true => format!("{what}. Ask with fewer of them, or in another frame."),
        false => {
            let (name, tags) = (&context.frame.name, tags.join(" or "));
            format!("{what} of the frame '{name}': it shows blocks with a tag like {tags}. Ask in another frame.")
        }
    }
}

/// Says why an answer is empty, or that it is weak, or that the embedder could not be used.
fn message(context: &RecallContext<'_>, output: &PipelineOutput<'_>, empty: bool) -> Option<String> {
    let (index, question) = (context.index, context.request.question());
    let problem = output.question.embedding_problem.as_deref().map(words_alone);
    if !empty {
        let said = match output.strength.filter(|_| !context.ranks_unrelated()) {
            Some(Strength::Weak) if context.request.filter.include_weak => {
                Some("Nothing certain is known about this: take these as a guess at best.")
            }
            Some(Strength::Weak) => Some("Nothing certain is known about this."),
            Some(Strength::Doubtful) => Some("The evidence is doubtful: these are near the topic and may not answer."),
            _ => None,
        };
        return match (said, problem) {
            (Some(said), Some(problem)) => Some(format!("{said} {problem}")),
            (said, problem) => said.map(str::to_owned).or(problem),
        };
    }
    let blocks = index.len();
    let none = if blocks == 1 { "No stored block".to_owned() } else { format!("None of the {blocks} blocks") };
    let is_eligible = |slot: u32| index.contains(slot) && output.filter.accepts(slot);
    Some(if blocks == 0 {
        "Nothing is stored yet. Remember something first, then ask again.".to_owned()
    } else if context.top_k() == 0 {
        "No blocks were asked for. Ask for at least one.".to_owned()
    } else if !(0..index.bound() as u32).any(is_eligible) {
        nothing_eligible(context, &format!("{none} passes the filters"))
    } else if !context.request.overview && question.is_none() || question.is_some() && output.question.is_empty() {
        "The question has no words to search for. Ask with at least one word.".to_owned()
    } else if let Some(nearest) = nearest(index, output) {
        let why = format!(
            "Nothing certain is known about this. Nearest: {nearest}. Ask for everything with recall(include_weak=true) to see them."
        );
        problem.map_or(why.clone(), |problem| format!("{why} {problem}"))
    } else {
        let why = format!(
            "{none} shares a word or a meaning with the question. Ask with other words, or look \
             through them with list()."
        );
        problem.map_or(why.clone(), |problem| format!("{why} {problem}"))
    })
}

/// Constraints of a task without a place that an answer names.
const NAMED_CONSTRAINTS: usize = 4;
/// Blocks below the floor whose ids an empty answer names.
const NAMED_NEAREST: usize = 3;

/// Returns the short ids of the nearest blocks below the floor; none if there are none.
fn nearest(index: &MemoryIndex, output: &PipelineOutput<'_>) -> Option<String> {
    let nearest = output.below_floor.iter().take(NAMED_NEAREST);
    let ids: Vec<&str> = nearest.filter_map(|ranked| index.id(ranked.candidate.slot)).map(BlockId::short).collect();
    (!ids.is_empty()).then(|| ids.join(", "))
}

/// Adds how many blocks have no vector yet, if the question has one.
fn with_waiting(context: &RecallContext<'_>, output: &PipelineOutput<'_>, said: Option<String>) -> Option<String> {
    let by_meaning = context.request.question().is_some() && output.question.embedding_problem.is_none();
    let Some(note) = waiting_note(context.index.waiting().len()).filter(|_| by_meaning) else { return said };
    Some(said.map_or(note.clone(), |said| format!("{said} {note}")))
}

/// Says that a question has no vector, and why.
pub(crate) fn words_alone(problem: &str) -> String {
    format!("Found by words alone: {problem}")
}

/// Renders an answer; the edges are those between blocks that fit the budget.
fn render_with_edges(mut answer: BuiltAnswer, request: &Recall) -> CachedFrame {
    let (edges, curve) = (std::mem::take(&mut answer.edges), answer.curve.take());
    let result = render(answer, request);
    let is_shown = |id: &BlockId| result.blocks.iter().any(|block| block.id == *id);
    let edges = edges.into_iter().filter(|key| is_shown(&key.from_id) && is_shown(&key.to_id)).collect();
    CachedFrame { result, edges, curve }
}

/// Renders an answer within the budget of the frame. Guaranteed blocks have a second budget of the same size.
pub(in crate::recall) fn render(answer: BuiltAnswer, request: &Recall) -> FrameResult {
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
            // An untrusted block is not shown alone where the owner's word against it does not fit.
            let misses = |id: &BlockId| {
                blocks.iter().zip(&fitting).any(|(other, fits)| other.id == *id && other.trusted && !*fits)
            };
            if !trusted && block.contradicted_by.iter().any(misses) {
                continue;
            }
            fitting[at] = rendering.try_add(block, summaries.get(&block.id).map(String::as_str));
        }
    }
    let (text, tokens) = (rendering.text(), rendering.tokens());
    let order: HashMap<BlockId, usize> =
        rendering.order().into_iter().enumerate().map(|(at, id)| (id.clone(), at)).collect();
    let mut shown = Vec::new();
    for (block, fits) in blocks.into_iter().zip(fitting) {
        if fits {
            shown.push(block);
            continue;
        }
        let detail = format!("{} did not fit the budget of {} tokens.", block.id.short(), frame.token_budget);
        left_out.push(LeftOut::new(block.id, LeftOutReason::TokenBudget, detail, block.trusted));
    }
    // The ids stand in the order of the text.
    shown.sort_by_key(|block| order.get(&block.id).copied());
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
