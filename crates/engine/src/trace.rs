//! Spans and events of this crate.

elfmem_core::trace_points! {
    /// One verb.
    span DEBUG verb(name: word);
    /// One transaction, retries of the store included.
    span TRACE write(operation: label);
    /// One read of a consistent state.
    span TRACE read();
    /// A verb changed nothing.
    event DEBUG failed(operation: label, kind: word) "operation failed";
    /// The search index is read from the store.
    span DEBUG build_index();
    /// The search index is brought up to date from the journal.
    span TRACE follow_index();
    /// A question has no vector: words and edges answer it.
    event WARN question_not_embedded(error: word) "no vector for the question; answering by words and edges";
    /// The analyst could not answer about a block or a pair.
    event WARN analysis_failed(error: word) "the analyst failed";
    /// The analyst is not asked: it failed several times in a row, or the time for it is over.
    event DEBUG analysis_skipped(reason: word) "the analyst is not asked";
    /// A dream ended.
    event INFO dreamed(processed: number, promoted: number) "dream committed";
    /// Work that follows a verb failed; the verb itself succeeded.
    event WARN upkeep_failed(task: word, kind: word) "upkeep failed";
    /// Vectors of a new model were computed and kept aside.
    event DEBUG vectors_staged(blocks: number) "vectors staged";
    /// All blocks have vectors of a new model.
    event INFO embeddings_migrated(embedded: number, resumed: number) "embeddings migrated";
}
