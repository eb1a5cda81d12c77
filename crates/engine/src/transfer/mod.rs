//! `export` and `import`.
//!
//! The parsers of all file formats are in [`crate::import`]. This module stores the parsed
//! contents.

mod error;
mod event_rows;
mod export;
mod header;
mod import;
mod markdown;
mod moved;
mod notes;
mod peer_rows;
mod related_rows;
mod result;
mod rows;
mod settings;
mod texts;
mod vectors;

pub use error::TransferError;
pub use export::ExportOptions;
pub(crate) use header::{End, FORMAT_VERSION, Header};
pub use import::ImportOptions;
pub(crate) use markdown::unquoted;
pub(crate) use peer_rows::is_proposed_by;
pub use result::{ExportResult, ImportResult, SkippedRows};
