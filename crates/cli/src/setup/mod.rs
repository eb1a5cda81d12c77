//! Setting a project up: which files change and how, as plain values before anything is written.

mod change;
mod host_command;
mod json_text;
mod lost_commands;
mod markdown;
mod plugin;
mod principles;
mod project;
mod registration;
mod seeds;

pub(crate) use change::{Action, FileChange};
pub(crate) use host_command::{CommandState, PROGRAM, host_command, state_of};
pub(crate) use json_text::JsonProblem;
pub(crate) use lost_commands::{hooks_found_again, is_ours, server_found_again};
pub(crate) use markdown::instructions;
pub(crate) use plugin::plugin_files;
pub(crate) use principles::{Kept, PrincipleAction, all_new, selected_principles, store};
pub(crate) use project::{memory_folder, root_of};
pub(crate) use registration::{hooks, mcp_server, registered_commands};
