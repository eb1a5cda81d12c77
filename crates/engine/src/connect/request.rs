//! The requests of `connect`, `connects`, `connect_by_query` and `disconnect`.

use serde::{Deserialize, Serialize};

use crate::request::{choice_argument, object_argument, request};

/// What to do when the two blocks have an edge already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum IfExists {
    /// Count it and make it stronger; its relation stays.
    #[default]
    Reinforce,
    /// Write what is given, and only that.
    Update,
    /// Leave it.
    Skip,
    /// Refuse.
    Error,
}

choice_argument! {
    IfExists {
        "reinforce" => Reinforce, "Make it stronger; its relation stays";
        "update" => Update, "Write what is given";
        "skip" => Skip, "Leave it";
        "error" => Error, "Refuse";
    }
}

request! {
    /// Create or strengthen a semantic edge between two knowledge blocks.
    with
    #[derive(PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Connect: "connect" {
        command: "connect",
        profile: Core,
        effect: Writes,
        when: "The agent observes a relationship between two recalled blocks that the system has not captured, or has \
               captured with the wrong semantic type. Best called immediately after recall() or learn() when block \
               IDs are available.",
        when_not: "You don't have block IDs — use connect_by_query() instead. Don't connect blocks the agent hasn't \
                   read; unverified connections add noise. Don't call for blocks that will decay soon — weak \
                   connections fade on their own.",
        cost: "Instant. No LLM calls. Pure database write.",
        returns: "ConnectResult. action: 'created' (new edge), 'reinforced' (existing edge boosted), 'updated' \
                  (relation/note changed), 'skipped' (edge exists, if_exists=skip). If a lower-priority auto-edge was \
                  displaced, displaced_edge is set in result.",
        next: "No follow-up required. To undo, call disconnect(). Block IDs are in system.last_recall_block_ids and \
               system.last_learned_block_id.",
        example: "elfmem connect 1f3a 9c02 --relation supports --note \"B gives the mechanism behind A\"",
        overview: "connect(src, tgt, ...)", "Assert a semantic edge between two blocks",
        tool: "Create or strengthen a semantic edge between two knowledge blocks. Use block IDs from elfmem_recall or \
               elfmem_learn responses.",
        answers: &[
            field("source_id", Text),
            field("target_id", Text),
            field("relation", Text),
            field("weight", Number),
            field("action", Text),
            nullable("note", Text),
            nullable("displaced_edge", Object),
            nullable("also_displaced", Object),
            nullable("relation_conflict", Text),
            field("not_applied", Texts),
            nullable("over_cap", Text),
            optional("clamped_weight", Number),
            optional("promoted", Objects),
        ],
    }
    needs {
        /// An id, or its beginning
        source: String => place("SOURCE"),
        /// The block it leads to
        target: String => place("TARGET"),
    }
    takes {
        /// similar, co_occurs, elaborates, supports, contradicts, outcome, or your own word
        relation: String => option("--relation", "RELATION").short('r').default("similar"),
        /// How strong, 0 to 1; each relation has a default
        weight: f64 => option("--weight", "WEIGHT").short('w').advanced(),
        /// Why it exists
        note: String => option("--note", "TEXT").short('n'),
        /// If there is an edge already
        if_exists: IfExists => option("--if-exists", "ACTION").default(IfExists::Reinforce.as_str()),
    }
}

object_argument!(Vec<Connect>, Objects);

request! {
    /// Connect many blocks at once.
    pub struct ConnectMany: "connects" {
        command: "connects",
        profile: All,
        effect: Writes,
        when: "You have a list of relationships, after a long piece of work.",
        when_not: "There is one: connect().",
        cost: "Instant. One transaction, no model is asked.",
        returns: "ConnectsResult: a result an edge, and an error for each that could not be placed; the others stand.",
        next: "Fix those with an error and send them again.",
        example: "elfmem connects edges.json",
        answers: &[
            field("results", Objects),
            field("created", Count),
            field("reinforced", Count),
            field("updated", Count),
            field("skipped", Count),
            field("deferred", Count),
            field("errors", Texts),
        ],
    }
    needs {
        /// Each: source, target, relation?, weight?, note?, if_exists?
        edges: [Connect] => place("FILE").file_contents().example(
            "[{\"source\": \"BLOCK\", \"target\": \"BLOCK\", \"relation\": \"supports\", \"weight\": 0.8, \
             \"note\": \"…\", \"if_exists\": \"reinforce\"}]",
        ),
    }
}

request! {
    /// Connect two blocks that you describe instead of naming.
    pub struct ConnectByQuery: "connect_by_query" {
        command: "connect --by-query",
        profile: All,
        effect: Writes,
        when: "You have a relationship in mind and no ids.",
        when_not: "You have the ids, or can only describe them vaguely.",
        cost: "Fast. Two questions are embedded; no LLM.",
        returns: "ConnectByQueryResult with the text of both blocks: read them. Below min_confidence nothing is written.",
        next: "disconnect() if the wrong blocks were connected.",
        example: "elfmem connect --by-query \"how deploys work\" \"who may deploy\" --dry-run",
        answers: &[
            field("source_query", Text),
            field("target_query", Text),
            nullable("source_id", Text),
            nullable("target_id", Text),
            nullable("source_content", Text),
            nullable("target_content", Text),
            nullable("source_trusted", Flag),
            nullable("target_trusted", Flag),
            field("source_confidence", Number),
            field("target_confidence", Number),
            field("action", Text),
            nullable("connect_result", Object),
        ],
    }
    needs {
        /// Describes one block
        source_query: String => place("SOURCE"),
        /// Describes the other
        target_query: String => place("TARGET"),
    }
    takes {
        /// similar, co_occurs, elaborates, supports, contradicts, outcome, or your own word
        relation: String => option("--relation", "RELATION").short('r').default("similar"),
        /// Why it exists
        note: String => option("--note", "TEXT").short('n'),
        /// The smallest confidence with which a description must match its block
        min_confidence: f64 = 0.7 => option("--min-confidence", "CONFIDENCE"),
        /// What to do when there is an edge already
        if_exists: IfExists => option("--if-exists", "ACTION").default(IfExists::Reinforce.as_str()),
        /// Only show which blocks are meant
        dry_run: bool => flag("--dry-run"),
    }
}

request! {
    /// Remove the edge between two knowledge blocks.
    pub struct Disconnect: "disconnect" {
        command: "disconnect",
        profile: Core,
        effect: Destroys idempotent,
        when: "An agent-created edge was incorrect and should not persist. Also use to override automatic edges that \
               cause retrieval noise (e.g., two blocks that are textually similar but contextually unrelated).",
        when_not: "The edge is correct but weak — decay and pruning remove it naturally over time. Only use \
                   disconnect() for deliberate correction of wrong connections.",
        cost: "Instant. No LLM calls.",
        returns: "DisconnectResult. action: 'removed' (edge deleted), 'not_found' (no edge exists between the pair), \
                  'guarded' (edge exists but relation did not match guard_relation).",
        next: "No follow-up required. Edge is immediately gone from graph expansion.",
        example: "elfmem disconnect 1f3a 9c02 --reason \"only the words are alike\"",
        overview: "disconnect(src, tgt)", "Remove a wrong or unwanted edge",
        tool: "Remove the edge between two blocks. Use to correct wrong connections.",
        answers: &[
            field("source_id", Text),
            field("target_id", Text),
            field("action", Text),
            nullable("removed_relation", Text),
            nullable("removed_weight", Number),
        ],
    }
    needs {
        /// An id, or its beginning
        source: String => place("SOURCE"),
        /// The other block
        target: String => place("TARGET"),
    }
    takes {
        /// Only of this relation
        guard_relation: String => option("--guard-relation", "RELATION"),
        /// Why, for the journal
        reason: String => option("--reason", "TEXT"),
    }
}
