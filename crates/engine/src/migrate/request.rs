//! The request of `migrate_embeddings`.

use crate::progress::{ProgressListener, progress_setter};
use crate::request::request;

request! {
    /// Embed everything again with the model in use.
    pub struct MigrateEmbeddings: "migrate_embeddings" {
        command: "migrate-embeddings",
        profile: All,
        effect: Writes idempotent,
        when: "The model was changed, and errors or status() say that another one filled the memory.",
        when_not: "Nothing was changed.",
        cost: "Slow (batch). Every block is embedded; it goes on where it was stopped.",
        returns: "MigrateResult: both models and how many blocks were embedded.",
        next: "recall() as before.",
        example: "elfmem migrate-embeddings",
        answers: &[
            nullable("from_model", Text),
            field("to_model", Text),
            field("embedded", Count),
            field("resumed", Count),
        ],
    }
    beside {
        /// The callback for progress.
        progress: Option<ProgressListener>,
    }
}

progress_setter!(MigrateEmbeddings);
