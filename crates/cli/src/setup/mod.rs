//! Setting a project up: which files change and how, as plain values before anything is written.

mod change;
mod json_text;
mod markdown;
mod principles;
mod project;
mod registration;
mod seeds;

pub(crate) use change::{Action, Change};
pub(crate) use json_text::JsonProblem;
pub(crate) use markdown::instructions;
pub(crate) use principles::{Fate, Kept, all_new, selected_principles, store};
pub(crate) use project::{memory_folder, root_of};
pub(crate) use registration::{hooks, mcp_server};
