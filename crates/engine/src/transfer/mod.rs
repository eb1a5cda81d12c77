//! In and out: `export` writes a memory down, `import` takes in what others wrote down.
//!
//! What files of other programs look like is known in [`crate::import`], as pure parsers; here is what is done with what
//! they found.

mod attached;
mod error;
mod export;
mod header;
mod import;
mod markdown;
mod result;
mod rows;
mod settings;
mod texts;
mod told;
mod vectors;

pub use error::TransferError;
pub use export::ExportOptions;
pub(crate) use header::{End, Header, VERSION};
pub use import::ImportOptions;
pub use result::{ExportResult, ImportResult, SkippedRows};
