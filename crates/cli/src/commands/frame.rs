//! `frame`: render one, or tend the frames there are.

use std::fmt::Write;

use elfmem_config::RecallConfig;
use elfmem_core::Frame;
use elfmem_engine::{AddFrame, EditFrame, FrameResult, Memory, Recall};
use elfmem_store_sqlite::SqliteStore;
use serde_json::{Value, json};

use super::learn::given_text;
use super::recall::narrowed;
use super::request;
use crate::args;
use crate::failure::Failure;
use crate::output::Output;
use crate::style::{DIM, NAME};

type Opened = Result<Memory<SqliteStore>, Failure>;

pub(crate) fn frame(
    arguments: &args::Frame,
    defaults: &RecallConfig,
    open: impl FnOnce() -> Opened,
    open_to_look: impl FnOnce() -> Opened,
) -> Result<Output, Failure> {
    match &arguments.command {
        Some(args::FrameCommand::Add(definition)) => {
            Ok(Output::sentence(&open()?.add_frame(request::<AddFrame>(&fields(definition))?)?))
        }
        Some(args::FrameCommand::Edit(definition)) => {
            Ok(Output::sentence(&open()?.edit_frame(request::<EditFrame>(&fields(definition))?)?))
        }
        Some(args::FrameCommand::Rm { name }) => Ok(Output::sentence(&open()?.remove_frame(name)?)),
        Some(args::FrameCommand::Ls) => list(&open_to_look()?),
        None => render(arguments, defaults, &open_to_look()?),
    }
}

fn render(arguments: &args::Frame, defaults: &RecallConfig, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let request = match arguments.query.is_empty() {
        true => Recall::all(),
        false => Recall::new(given_text(&arguments.query)?),
    };
    let name = arguments.name.as_deref().unwrap_or("attention");
    let request = narrowed(request.frame(name), &arguments.narrowing, defaults)?;
    let result = memory.frame(if arguments.preview { request.preview() } else { request })?;
    Ok(Output::new(text(&result), &result))
}

/// The rendering itself: it is meant to be piped on. What else there is to say goes to standard error.
fn text(result: &FrameResult) -> String {
    for left in &result.left_out {
        anstream::eprintln!("{DIM}left out: {}{DIM:#}", left.detail);
    }
    match (&result.message, result.blocks.is_empty()) {
        (Some(message), true) => message.clone(),
        (Some(message), false) => {
            anstream::eprintln!("{message}");
            result.text.clone()
        }
        (None, _) => result.text.clone(),
    }
}

fn fields(definition: &args::FrameDefinition) -> Value {
    json!({
        "name": definition.name, "weights": definition.weights, "tags": definition.tags,
        "exclude_tags": definition.exclude_tags, "categories": definition.categories,
        "guarantees": definition.guarantees, "budget": definition.budget, "template": definition.template,
        "window": definition.window, "cache": definition.cache,
    })
}

fn list(memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let frames = memory.frames()?;
    let mut text = String::new();
    for frame in &frames {
        let _ = writeln!(text, "{}", line(frame));
    }
    Ok(Output::new(text, &json!({"count": frames.len(), "frames": frames})))
}

fn line(frame: &Frame) -> String {
    let weights = frame.weights;
    let mut line = format!(
        "{NAME}{:<12}{NAME:#} {:>5} tokens  similarity {:.2} confidence {:.2} recency {:.2} centrality {:.2} reinforcement {:.2}",
        frame.name,
        frame.token_budget,
        weights.similarity,
        weights.confidence,
        weights.recency,
        weights.centrality,
        weights.reinforcement
    );
    for (name, patterns) in
        [("only", &frame.filters.tag_patterns), ("not", &frame.filters.exclude_tags), ("always", &frame.guarantees)]
    {
        if !patterns.is_empty() {
            let _ = write!(line, " {DIM}{name} {}{DIM:#}", patterns.join(" "));
        }
    }
    line
}
