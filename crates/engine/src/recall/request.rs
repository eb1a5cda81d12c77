//! What is asked of a memory.

use elfmem_core::Timestamp;
use elfmem_core::event::EventSource;

use crate::events::{EventError, checked_context};
use crate::learn::checked_tags;
use crate::{Error, Result};

/// Blocks that come back when nobody says how many.
pub const DEFAULT_TOP_K: usize = 5;

/// A question to the memory, or the wish for a frame's own view of it when there is none.
///
/// ```
/// use elfmem_engine::Recall;
///
/// let asked = Recall::new("who can't eat nuts?").top_k(3).tag("people/%");
/// let who_am_i = Recall::all().frame("self");
/// ```
#[derive(Debug, Clone)]
pub struct Recall {
    pub(crate) query: Option<String>,
    pub(crate) frame: Option<String>,
    pub(crate) top_k: Option<usize>,
    pub(crate) tags: Vec<String>,
    pub(crate) category: Option<String>,
    pub(crate) contexts: Vec<String>,
    pub(crate) context_kinds: Vec<String>,
    pub(crate) sources: Vec<String>,
    pub(crate) since: Option<Timestamp>,
    pub(crate) until: Option<Timestamp>,
    pub(crate) as_of: Option<Timestamp>,
    pub(crate) preview: bool,
    pub(crate) contiguity: bool,
}

impl Recall {
    /// Asks a question.
    pub fn new(query: impl Into<String>) -> Self {
        Self { query: Some(query.into()), ..Self::all() }
    }

    /// Asks for what matters most without a question.
    pub fn all() -> Self {
        Self {
            query: None,
            frame: None,
            top_k: None,
            tags: Vec::new(),
            category: None,
            contexts: Vec::new(),
            context_kinds: Vec::new(),
            sources: Vec::new(),
            since: None,
            until: None,
            as_of: None,
            preview: false,
            contiguity: true,
        }
    }

    /// Asks in a frame; `search` unless said otherwise.
    #[must_use]
    pub fn frame(mut self, name: impl Into<String>) -> Self {
        self.frame = Some(name.into());
        self
    }

    /// Sets how many blocks come back at most, beyond those a frame guarantees.
    #[must_use]
    pub fn top_k(mut self, count: usize) -> Self {
        self.top_k = Some(count);
        self
    }

    /// Only blocks with a tag that matches, `%` standing for anything; every tag given must be met.
    #[must_use]
    pub fn tag(mut self, pattern: impl Into<String>) -> Self {
        self.tags.push(pattern.into());
        self
    }

    /// Only blocks of a category.
    #[must_use]
    pub fn category(mut self, category: impl Into<String>) -> Self {
        self.category = Some(category.into());
        self
    }

    /// Only blocks that belong to a context (`type:name`); of several, to any of them.
    #[must_use]
    pub fn context(mut self, context: impl Into<String>) -> Self {
        self.contexts.push(context.into());
        self
    }

    /// Only blocks that belong to a context of a type, or to one that was named.
    #[must_use]
    pub fn context_type(mut self, kind: impl Into<String>) -> Self {
        self.context_kinds.push(kind.into());
        self
    }

    /// Only what a source told as an event; of several, any of them.
    #[must_use]
    pub fn told_by(mut self, source: impl Into<String>) -> Self {
        self.sources.push(source.into());
        self
    }

    /// Only what happened at or after this; what has no time of its own counts as of when it was stored.
    #[must_use]
    pub fn since(mut self, at: Timestamp) -> Self {
        self.since = Some(at);
        self
    }

    /// Only what happened before this.
    #[must_use]
    pub fn until(mut self, at: Timestamp) -> Self {
        self.until = Some(at);
        self
    }

    /// Asks as if it were then: only what had happened, and `last week` is the week before.
    #[must_use]
    pub fn as_of_event(mut self, at: Timestamp) -> Self {
        self.as_of = Some(at);
        self
    }

    /// Looks without counting it as use: nothing is reinforced, linked or noted as the last recall.
    #[must_use]
    pub fn preview(mut self, preview: bool) -> Self {
        self.preview = preview;
        self
    }

    /// Whether what was stored right before and after, and in the same session, may help; it does unless said otherwise.
    #[must_use]
    pub fn contiguity(mut self, on: bool) -> Self {
        self.contiguity = on;
        self
    }

    /// The question, if there is one worth the name.
    pub(crate) fn question(&self) -> Option<&str> {
        self.query.as_deref().filter(|query| !query.trim().is_empty())
    }

    /// Checks everything that was given.
    pub(crate) fn check(&self) -> Result<()> {
        checked_tags(&self.tags)?;
        self.contexts.iter().try_for_each(|context| checked_context(context).map(drop))?;
        self.sources.iter().try_for_each(|source| checked_source(source).map(drop))?;
        if let Some(category) = &self.category {
            elfmem_core::Category::parse(category)?;
        }
        let ends = [self.until, self.as_of].into_iter().flatten().min();
        if let (Some(since), Some(until)) = (self.since, ends)
            && since >= until
        {
            return Err(Error::EmptyTimeSpan { since, until });
        }
        Ok(())
    }
}

/// The source of a name.
pub(crate) fn checked_source(name: &str) -> Result<EventSource> {
    EventSource::parse(name).ok_or_else(|| EventError::UnknownSource { name: name.to_owned() }.into())
}

impl<T: Into<String>> From<T> for Recall {
    fn from(query: T) -> Self {
        Self::new(query)
    }
}
