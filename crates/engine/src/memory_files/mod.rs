//! Memory files: a folder `/memories` of text files for Anthropic's memory tool.
//!
//! A file is a document of the memory, so recall finds what it says, and every change of it can be undone. The exact text is
//! kept in the document parts of its blocks. A folder exists as long as a file is in it.

mod command;
mod error;
mod lines;
mod listing;
mod path;
mod store;

pub use command::FileCommand;
pub use error::FileError;
