//! The requests of `recall`, `frame` and `why`.

use elfmem_core::Timestamp;
use elfmem_core::event::EventSource;

use crate::events::{EventError, checked_context};
use crate::learn::checked_tags;
use crate::request::{parameter_group, request};
use crate::{Error, Result};

/// The frame of a recall that names none.
pub(in crate::recall) const DEFAULT_FRAME: &str = "search";
/// The frame that is rendered when none is named.
const DEFAULT_CONTEXT: &str = "attention";

parameter_group! {
    /// What limits the blocks that may answer.
    pub(crate) struct RecallFilter in filter with recall_filter_setters {
        /// How many blocks
        top_k: usize = 5 => option("--top-k", "COUNT").short('k').also(&["limit"]),
        /// Only blocks with all these tags; % stands for anything
        tags/tag: [String] => option("--tag", "PATTERN").short('t').advanced(),
        /// Only blocks of a category
        category: String => option("--category", "CATEGORY").short('c').advanced(),
        /// Only blocks that belong to one of these contexts (type:name)
        contexts/context: [String] => option("--context", "CONTEXT").advanced(),
        /// Only what happened at or after this
        since: Timestamp => option("--since", "TIME").advanced(),
        /// Only what happened before this
        until: Timestamp => option("--until", "TIME").advanced(),
        /// Ask as if it were then: only what had happened, and 'last week' is the week before
        as_of_event: Timestamp => option("--as-of-event", "TIME").advanced(),
        /// Leave out what was stored right before and after, and in the same session
        no_contiguity: bool => flag("--no-contiguity").advanced(),
        /// Also weak matches, only near the topic
        include_weak: bool => flag("--all").advanced(),
    }
}

request! {
    /// Find the blocks that answer a question best.
    pub struct Recall: "recall" {
        command: "recall",
        profile: Core,
        effect: Reads,
        when: "You need a fact, preference or decision from before; at the start of a task, ask for what concerns it.",
        when_not: "You want a ready context for a prompt: frame() renders one.",
        cost: "Fast. About a millisecond with the built-in embedder; a hosted one is asked once.",
        returns: "RecallResult: blocks, best first, each with id, content, score and why; what extends them comes \
                  along, what they contradict below and marked. strength: strong, doubtful or weak. Inbox blocks are \
                  found too.",
        next: "After using them, outcome() with their ids says how well they served.",
        example: "elfmem recall \"who can't eat nuts?\" --top-k 3",
        tool: "Find what is known about a question. Use when you need a fact, preference or decision from before, and \
               when a task starts.",
        answers: &[
            field("query", Text),
            field("frame", Text),
            nullable("strength", Text),
            nullable("relevance", Number),
            field("blocks", Objects),
            field("left_out", Objects),
            nullable("message", Text),
            nullable("evidence", Object),
        ],
    }
    needs {
        /// What you want to know, in your own words
        query: String => words("QUERY"),
    }
    shares { filter: RecallFilter with recall_filter_setters }
    takes {
        /// Ask in a frame
        frame: String => option("--frame", "NAME").short('f').default(DEFAULT_FRAME).advanced(),
        /// Also return replaced blocks that fit, marked with what replaced them
        superseded: bool => flag("--superseded").advanced(),
        /// Look without counting it as use
        preview: bool => flag("--preview").advanced(),
    }
    beside {
        /// Whether no question is asked, and the frame's own view of the memory is wanted.
        overview: bool,
        /// Types of contexts of which blocks must belong to one.
        context_kinds: Vec<String>,
        /// Sources of events of which one must have told a block.
        sources: Vec<String>,
    }
}

request! {
    /// Render a context for an intent, within a budget of tokens.
    pub struct RenderFrame: "frame" {
        command: "frame",
        profile: Core,
        effect: Reads,
        when: "You build a prompt: self says who you are, attention what concerns a query, task the rules and limits of a task, simulate \
               the minds of others.",
        when_not: "You want single blocks with their scores: recall() them.",
        cost: "Fast. Like recall; an unchanged frame comes from the cache.",
        returns: "FrameResult: text to put into the prompt (fenced as data), the blocks in it, and what the budget \
                  left out.",
        next: "outcome() with the ids of the blocks that helped.",
        example: "elfmem frame attention \"planning the release\"",
        tool: "Render a context for a prompt. Use when you build one: self is who you are, attention what concerns a \
               query, task what a task must respect, simulate other minds.",
        answers: &[
            field("frame_name", Text),
            field("block_count", Count),
            field("cached", Flag),
            field("text", Text),
            field("query", Text),
            nullable("strength", Text),
            field("blocks", Objects),
            field("left_out", Objects),
            field("tokens", Count),
            field("token_budget", Count),
            nullable("message", Text),
        ],
    }
    needs {
        /// self, attention, task, simulate, search, or your own
        name: String => place("NAME"),
    }
    shares { filter: RecallFilter with recall_filter_setters }
    takes {
        /// What it is about; without one, what matters most
        query: String => words("QUERY"),
        /// Look without counting it as use
        preview: bool => flag("--preview").advanced(),
    }
}

request! {
    /// Say why a block came back for a question, or why it did not.
    pub struct Why: "why" {
        command: "why",
        profile: All,
        effect: Reads,
        when: "You know that it is stored and recall() does not bring it.",
        when_not: "You do not know the block: list() or recall() first.",
        cost: "Fast. Like recall; nothing counts as used.",
        returns: "WhyResult: the stage it reached, its rank and score, the reason and what would bring it in.",
        next: "edit() it to add a cue or a tag, or ask with other words.",
        example: "elfmem why \"who can't eat nuts?\" 6b0c8d3a",
        answers: &[
            field("block_id", Text),
            field("query", Text),
            field("frame", Text),
            field("stage", Text),
            nullable("rank", Count),
            nullable("score", Number),
            field("relevance", Number),
            field("matched", Texts),
            field("reason", Text),
            nullable("remedy", Text),
            nullable("replaced_by", Text),
            field("explain", Object),
        ],
    }
    needs {
        /// The question
        query: String => place("QUERY"),
        /// Which block
        block_id: String => place("BLOCK").also(&["block", "id"]),
    }
    shares { filter: RecallFilter with recall_filter_setters }
    takes {
        /// Ask in a frame
        frame: String => option("--frame", "NAME").short('f'),
    }
}

impl Recall {
    /// Asks for what matters most, without a question.
    pub fn all() -> Self {
        Self { overview: true, ..Self::new("") }
    }

    /// The question, if it has any words.
    pub(crate) fn question(&self) -> Option<&str> {
        Some(self.query.as_str()).filter(|query| !query.trim().is_empty())
    }

    /// Checks all filters.
    pub(crate) fn check(&self) -> Result<()> {
        let filter = &self.filter;
        checked_tags(&filter.tags)?;
        filter.contexts.iter().try_for_each(|context| checked_context(context).map(drop))?;
        self.sources.iter().try_for_each(|source| checked_source(source).map(drop))?;
        if let Some(category) = &filter.category {
            elfmem_core::Category::parse(category)?;
        }
        let ends = [filter.until, filter.as_of_event].into_iter().flatten().min();
        if let (Some(since), Some(until)) = (filter.since, ends)
            && since >= until
        {
            return Err(Error::EmptyTimeSpan { since, until });
        }
        Ok(())
    }
}

impl RenderFrame {
    /// The question that the frame answers.
    pub(in crate::recall) fn into_recall(self) -> Recall {
        let Self { name, query, preview, filter } = self;
        Recall { frame: Some(name), preview, filter, ..query.map_or_else(Recall::all, Recall::new) }
    }
}

impl From<Recall> for RenderFrame {
    /// Renders the answer to a question, in its frame or else in `attention`.
    fn from(request: Recall) -> Self {
        let Recall { query, frame, preview, filter, overview, .. } = request;
        let name = frame.unwrap_or_else(|| DEFAULT_CONTEXT.to_owned());
        Self { query: (!overview).then_some(query), preview, filter, ..Self::new(name) }
    }
}

impl From<&Recall> for RenderFrame {
    fn from(request: &Recall) -> Self {
        request.clone().into()
    }
}

impl Why {
    /// Asks about a block of a recall: with its question, frame and filters.
    pub fn about(question: impl Into<Recall>, block: impl Into<String>) -> Self {
        let Recall { query, frame, filter, .. } = question.into();
        Self { query, block_id: block.into(), frame, filter }
    }

    /// The question, and the block that is asked about.
    pub(in crate::recall) fn into_recall(self) -> (Recall, String) {
        let Self { query, block_id: block, frame, filter } = self;
        (Recall { frame, filter, preview: true, ..Recall::new(query) }, block)
    }
}

/// Parses the name of an event source.
pub(crate) fn checked_source(name: &str) -> Result<EventSource> {
    EventSource::parse(name).ok_or_else(|| EventError::UnknownSource { name: name.to_owned() }.into())
}
