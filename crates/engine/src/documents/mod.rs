//! Documents: long texts as chains of blocks, with a name by which they are learned again, listed and forgotten.
//!
//! A block knows its places in named documents ([`DocumentPart`](elfmem_core::DocumentPart)). A document is the blocks of one
//! scope that name it and its source; there is no other record of it.

mod error;
mod follow_edges;
mod forget;
mod key;
mod labels;
mod learn;
mod list;
mod replace;
mod request;

pub use error::DocumentError;
pub use forget::ForgetDocumentResult;
pub use list::DocumentDetails;
pub use request::{ForgetDocument, ListDocuments};

pub(crate) use follow_edges::{has_room, separate};
pub(crate) use key::{DocumentKey, archive_part, blocks_by_document};
pub(crate) use labels::{keep_tags, set_labels};
pub(crate) use learn::{DOCUMENT_SOURCE, MAX_NAME_BYTES, store_text};
pub(crate) use replace::replace;
