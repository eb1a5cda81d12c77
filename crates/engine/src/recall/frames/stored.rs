//! Frames as data: list them, add your own, change them, take them away.

use std::fmt;

use crate::render::TEMPLATES;
use elfmem_core::frame::{CachePolicy, Frame, FrameFilters, FrameSource};
use elfmem_core::{OperationKind, ScoreWeights, Tag};
use elfmem_store::Store;
use serde::Serialize;

use crate::memory::Memory;
use crate::recall::answer::blocks::named_frame;
use crate::recall::frames::requests::{AddFrame, EditFrame, FrameDefinition, RemoveFrame};
use crate::secrets::refuse_secret_name;
use crate::trace;
use crate::{Error, Result};

/// The longest name of a frame.
const LONGEST_NAME: usize = 64;
/// Names that mean something else where frames are typed.
const RESERVED: [&str; 4] = ["add", "edit", "ls", "rm"];
/// The largest budget, in tokens.
const LARGEST_BUDGET: u32 = 1_000_000;

/// Result of adding or changing a frame.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FrameStored {
    /// Whether it is new.
    pub created: bool,
    /// The frame as it is now.
    pub frame: Frame,
}

impl fmt::Display for FrameStored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} frame '{}'.", if self.created { "Added" } else { "Changed" }, self.frame.name)
    }
}

/// Result of removing a frame.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FrameRemoved {
    /// The frame as it was.
    pub frame: Frame,
}

impl fmt::Display for FrameRemoved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Removed frame '{}'.", self.frame.name)
    }
}

impl<S: Store> Memory<S> {
    /// Every frame, by name.
    ///
    /// USE WHEN: you want to know which contexts can be rendered. DON'T USE WHEN: you want one rendered; that is
    /// [`frame`](Self::frame). COST: instant, one read. RETURNS: [`Frame`]s. NEXT: [`add_frame`](Self::add_frame) for
    /// your own.
    pub fn frames(&self) -> Result<Vec<Frame>> {
        let _span = trace::verb("frames");
        self.read(|snapshot| Ok(snapshot.list_frames()?))
    }

    /// Adds a frame of your own. Without weights it weighs like `attention`. See [`AddFrame`].
    ///
    /// # Errors
    /// [`Error::BadFrame`] when the name is taken or cannot be used, or the weights do not sum to one.
    pub fn add_frame(&self, request: impl Into<AddFrame>) -> Result<FrameStored> {
        let _span = trace::verb("add_frame");
        let AddFrame { name, definition } = request.into();
        let name = name.trim();
        let fresh = Frame {
            name: name.to_owned(),
            weights: ScoreWeights::new([0.35, 0.15, 0.25, 0.15, 0.10]),
            filters: FrameFilters::default(),
            guarantees: Vec::new(),
            template: "attention".to_owned(),
            token_budget: 2000,
            cache: None,
            source: FrameSource::User,
        };
        let frame = edited(fresh, &definition)?;
        check_name(name)?;
        self.refuse_secrets_in(&frame)?;
        self.change(OperationKind::AddFrame, |transaction, moment| {
            if transaction.get_frame(name)?.is_some() {
                return Err(bad(name, "there is one of that name already"));
            }
            transaction.upsert_frame(&frame, moment.at)?;
            Ok(FrameStored { created: true, frame: frame.clone() })
        })
    }

    /// Changes a frame, built-in ones too: what the memory holds is what runs. See [`EditFrame`].
    pub fn edit_frame(&self, request: impl Into<EditFrame>) -> Result<FrameStored> {
        let _span = trace::verb("edit_frame");
        let EditFrame { name, definition } = request.into();
        self.change(OperationKind::EditFrame, |transaction, moment| {
            let frame = edited(named_frame(&*transaction, &name)?, &definition)?;
            self.refuse_secrets_in(&frame)?;
            transaction.upsert_frame(&frame, moment.at)?;
            Ok(FrameStored { created: false, frame })
        })
    }

    /// Refuses a frame with a secret in its name or patterns.
    fn refuse_secrets_in(&self, frame: &Frame) -> Result<()> {
        let filters = &frame.filters;
        let patterns = [&frame.guarantees, &filters.tag_patterns, &filters.exclude_tags, &filters.categories];
        let names = std::iter::once(&frame.name).chain(patterns.into_iter().flatten());
        names.into_iter().try_for_each(|name| refuse_secret_name("frame", name, self.options.secrets))
    }

    /// Takes a frame of your own away. See [`RemoveFrame`].
    ///
    /// # Errors
    /// [`Error::BadFrame`] for a built-in one, which can be changed but not removed.
    pub fn remove_frame(&self, request: impl Into<RemoveFrame>) -> Result<FrameRemoved> {
        let _span = trace::verb("remove_frame");
        let RemoveFrame { name } = request.into();
        self.change(OperationKind::RemoveFrame, |transaction, _| {
            let frame = named_frame(&*transaction, &name)?;
            if frame.source == FrameSource::Builtin {
                return Err(bad(&name, "it comes with elfmem and can be changed, not removed"));
            }
            transaction.delete_frame(&name)?;
            Ok(FrameRemoved { frame })
        })
    }
}

fn bad(name: &str, problem: impl Into<String>) -> Error {
    Error::BadFrame { name: name.to_owned(), problem: problem.into() }
}

fn check_name(name: &str) -> Result<()> {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    if name.is_empty() || name.len() > LONGEST_NAME || !name.chars().all(allowed) {
        return Err(bad(name, "a name has 1 to 64 lowercase letters, digits, '-' and '_'"));
    }
    if RESERVED.contains(&name) {
        return Err(bad(name, "that word is a command"));
    }
    Ok(())
}

/// Checks a frame that comes from elsewhere as one that is typed.
pub(crate) fn check_frame(frame: &Frame) -> Result<()> {
    check_name(&frame.name)?;
    let filters = &frame.filters;
    let definition = FrameDefinition {
        tags: Some(filters.tag_patterns.clone()),
        exclude_tags: Some(filters.exclude_tags.clone()),
        categories: Some(filters.categories.clone()),
        guarantees: Some(frame.guarantees.clone()),
        budget: Some(frame.token_budget),
        // A frame of another program may have a template of its own, which is rendered like `attention`.
        template: Some(frame.template.clone()).filter(|template| TEMPLATES.contains(&template.as_str())),
        window: filters.search_window,
        ..FrameDefinition::default()
    };
    edited(frame.clone(), &definition).map(drop)
}

/// A frame with what was given set, checked as a whole.
fn edited(mut frame: Frame, definition: &FrameDefinition) -> Result<Frame> {
    if let Some(weights) = definition.weights {
        frame.weights = ScoreWeights::new(weights);
    }
    frame.weights = frame.weights.checked().map_err(|error| bad(&frame.name, error.to_string()))?;
    for (patterns, place) in [
        (&definition.tags, &mut frame.filters.tag_patterns),
        (&definition.exclude_tags, &mut frame.filters.exclude_tags),
        (&definition.guarantees, &mut frame.guarantees),
    ] {
        if let Some(patterns) = patterns {
            *place = patterns.iter().map(|tag| Ok(Tag::parse(tag)?.as_str().to_owned())).collect::<Result<_>>()?;
        }
    }
    if let Some(categories) = &definition.categories {
        let parse = |category: &String| Ok(elfmem_core::Category::parse(category)?.as_str().to_owned());
        frame.filters.categories = categories.iter().map(parse).collect::<Result<_>>()?;
    }
    if let Some(budget) = definition.budget {
        if !(1..=LARGEST_BUDGET).contains(&budget) {
            return Err(bad(&frame.name, format!("a budget has 1 to {LARGEST_BUDGET} tokens, not {budget}")));
        }
        frame.token_budget = budget;
    }
    if let Some(template) = &definition.template {
        if !TEMPLATES.contains(&template.as_str()) {
            let known = TEMPLATES.join(", ");
            return Err(bad(&frame.name, format!("there is no template '{template}', only {known}")));
        }
        frame.template.clone_from(template);
    }
    if let Some(hours) = definition.window {
        if !hours.is_finite() || hours < 0.0 {
            return Err(bad(&frame.name, format!("a window has a number of hours, not {hours}")));
        }
        frame.filters.search_window = (hours > 0.0).then_some(hours);
    }
    if let Some(ttl_seconds) = definition.cache {
        frame.cache = (ttl_seconds > 0).then_some(CachePolicy { ttl_seconds });
    }
    Ok(frame)
}
