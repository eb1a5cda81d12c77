//! The request of `retrieve_memories`.

use std::collections::BTreeMap;

use crate::request::{choice_argument, object_argument, parameter_group, request};

/// Types of contexts with the names that are meant; no names stand for any.
pub type ContextTypes = BTreeMap<String, Vec<String>>;

object_argument!(ContextTypes, Object);

parameter_group! {
    /// The contexts to which an answer must belong.
    pub(crate) struct ContextFilter in places with context_filter_setters {
        /// Only what belongs to one of these contexts
        context_ids/context_id: [String] => option("--context", "CONTEXT"),
        /// Only what belongs to contexts of these types: {type: [names]}, no names for any
        context_types: ContextTypes => option("--context-types", "JSON")
            .example("{\"skill\": [\"react\"], \"project\": []}"),
    }
}
#[expect(clippy::single_component_path_imports, reason = "a macro needs a path for other modules")]
pub(crate) use context_filter_setters;

/// How memories are rendered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum RetrieveFormat {
    /// As a text to read.
    #[default]
    Markdown,
    /// As items only.
    Json,
}

choice_argument! {
    RetrieveFormat { "markdown" => Markdown, "As a text to read"; "json" => Json, "As items only"; }
}

request! {
    /// Find memories by words, meaning and belief, in contexts and from sources.
    pub struct RetrieveMemories: "retrieve_memories" {
        command: "retrieve",
        profile: Locus,
        effect: Reads,
        when: "You work with events and contexts; lessons come before the mistakes they were learned from.",
        when_not: "You want a context shaped by intent: frame().",
        cost: "Fast. A hosted embedder is asked once.",
        returns: "RetrieveResult: items, best first, each with its match, confidence, kind, source, contexts and chain; \
                  contradicted ones rank lower and are marked.",
        next: "chain() of one; outcome() with those that helped.",
        example: "elfmem retrieve \"declaring variables in React\" --context skill:react",
        answers: &[
            field("query", Text),
            field("items", Objects),
            field("items_found", Count),
            field("offset", Count),
            field("has_more", Flag),
            nullable("memories", Text),
        ],
    }
    needs {
        /// What you want to know
        query: String => words("QUERY"),
    }
    shares { places: ContextFilter with context_filter_setters }
    takes {
        /// How many memories, at most 100; what extends them comes in addition
        limit: usize = 5 => option("--limit", "COUNT").also(&["top_k"]),
        /// Leave out so many of the best
        offset: usize = 0 => option("--offset", "COUNT"),
        /// Only what one of these sources told
        sources/source: [String] => option("--source", "SOURCE"),
        /// Contexts whose memories take part and rank higher
        boost_context_ids: [String] => option("--boost", "CONTEXT"),
        /// Steps along extends links
        expand_depth: usize = 1 => option("--depth", "COUNT"),
        /// How much meaning counts beside words: 0 for words alone, 1 for meaning alone
        semantic_weight: f64 = 0.6 => option("--semantic-weight", "SHARE"),
        /// As text, or as items only
        format: RetrieveFormat = Markdown => option("--format", "FORMAT"),
        /// Name ids in the text
        include_ids: bool => flag("--ids"),
        /// Look without counting it as use
        preview: bool => flag("--preview"),
    }
}
