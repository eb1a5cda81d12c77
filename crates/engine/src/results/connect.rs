//! Results of connecting and disconnecting blocks (seed 000).

use std::fmt;

use serde::{Deserialize, Serialize};

use elfmem_core::edge::{Edge, Relation};
use elfmem_core::id::BlockId;
use elfmem_core::unit::EdgeWeight;

/// What became of an edge that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConnectAction {
    /// It is new.
    Created,
    /// It was there and is stronger now.
    Reinforced,
    /// It was there and says what was given now.
    Updated,
    /// It was there and stayed as it was.
    Skipped,
    /// It waits. No operation answers so: what cannot be placed is an error. The word belongs to the seed's result.
    Deferred,
}

impl ConnectAction {
    /// The word that begins the sentence.
    fn title(self) -> &'static str {
        match self {
            Self::Created => "Created",
            Self::Reinforced => "Reinforced",
            Self::Updated => "Updated",
            Self::Skipped => "Skipped",
            Self::Deferred => "Deferred",
        }
    }
}

/// An edge that gave way to another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DisplacedEdge {
    /// The smaller id.
    pub from_id: BlockId,
    /// The larger id.
    pub to_id: BlockId,
    /// What it said.
    pub relation_type: Relation,
    /// How strong it was.
    pub weight: EdgeWeight,
}

impl From<&Edge> for DisplacedEdge {
    fn from(edge: &Edge) -> Self {
        Self {
            from_id: edge.key.from_id.clone(),
            to_id: edge.key.to_id.clone(),
            relation_type: edge.relation_type.clone(),
            weight: edge.weight,
        }
    }
}

/// Result of `connect`: the edge as it is stored now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ConnectResult {
    /// Where it was asserted from.
    pub source_id: BlockId,
    /// Where it was asserted to.
    pub target_id: BlockId,
    /// What it says.
    pub relation: Relation,
    /// How strong it is.
    pub weight: EdgeWeight,
    /// What became of it.
    pub action: ConnectAction,
    /// Why it exists.
    pub note: Option<String>,
    /// The edge that gave way to it.
    pub displaced_edge: Option<DisplacedEdge>,
    /// The edge that gave way at the other end, which had one too many from before.
    pub also_displaced: Option<DisplacedEdge>,
    /// The relation that was given when the edge was reinforced, if the edge says something else and went on saying it.
    pub relation_conflict: Option<Relation>,
    /// What else was given and is not what the reinforced edge holds: `weight`, `note`.
    pub not_applied: Vec<String>,
    /// The block that has one edge more than it should until the next dream or curate takes its weakest away.
    pub over_cap: Option<BlockId>,
}

impl fmt::Display for ConnectResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (source, target) = (self.source_id.short(), self.target_id.short());
        let (action, relation, weight) = (self.action.title(), &self.relation, self.weight);
        write!(f, "{action} {relation} edge: {source}…→{target}… (weight={weight}).")?;
        if let Some(displaced) = &self.displaced_edge {
            let DisplacedEdge { relation_type, weight, .. } = displaced;
            write!(f, " Displaced auto-{relation_type} edge (weight={weight}) to fit degree cap.")?;
        }
        if let Some(displaced) = &self.also_displaced {
            let DisplacedEdge { relation_type, weight, .. } = displaced;
            write!(
                f,
                " Displaced auto-{relation_type} edge (weight={weight}) at the other end, which was over its cap."
            )?;
        }
        if let Some(asked) = &self.relation_conflict {
            write!(f, " The edge stays '{relation}', not '{asked}': use if_exists='update' to change it.")?;
        }
        if !self.not_applied.is_empty() {
            let given = self.not_applied.join(" and ");
            write!(f, " The {given} given did not change it: use if_exists='update' for that.")?;
        }
        if let Some(id) = &self.over_cap {
            let id = id.short();
            write!(f, " Block {id}… is one over its degree cap until the next dream or curate.")?;
        }
        Ok(())
    }
}

/// What became of an edge that was to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DisconnectAction {
    /// It is gone.
    Removed,
    /// There was none.
    NotFound,
    /// It says something else than the guard expected, and stayed.
    Guarded,
}

/// Result of `disconnect`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DisconnectResult {
    /// One end.
    pub source_id: BlockId,
    /// The other.
    pub target_id: BlockId,
    /// What became of the edge.
    pub action: DisconnectAction,
    /// What the removed edge said.
    pub removed_relation: Option<Relation>,
    /// How strong the removed edge was.
    pub removed_weight: Option<EdgeWeight>,
}

impl fmt::Display for DisconnectResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (source, target) = (self.source_id.short(), self.target_id.short());
        match (self.action, &self.removed_relation, self.removed_weight) {
            (DisconnectAction::Removed, Some(relation), Some(weight)) => {
                write!(f, "Removed {relation} edge: {source}…→{target}… (was weight={weight}).")
            }
            (DisconnectAction::Removed, ..) => write!(f, "Removed edge: {source}…→{target}…."),
            (DisconnectAction::NotFound, ..) => write!(f, "No edge found between {source}… and {target}…"),
            (DisconnectAction::Guarded, ..) => {
                f.write_str("Edge not removed — relation type did not match guard_relation.")
            }
        }
    }
}

/// What became of two queries whose blocks were to be connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QueryAction {
    /// The two blocks are connected.
    Connected,
    /// At least one query met nothing it clearly means; nothing was written.
    InsufficientConfidence,
    /// This only shows what would be connected.
    DryRunPreview,
}

/// Result of `connect_by_query`. Read both contents to see that the right blocks were met.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ConnectByQueryResult {
    /// How the source was described.
    pub source_query: String,
    /// How the target was described.
    pub target_query: String,
    /// The block that was met.
    pub source_id: Option<BlockId>,
    /// The block that was met.
    pub target_id: Option<BlockId>,
    /// Its whole text.
    pub source_content: Option<String>,
    /// Its whole text.
    pub target_content: Option<String>,
    /// How surely the query means that block, in `[0, 1]`.
    pub source_confidence: f64,
    /// How surely the query means that block, in `[0, 1]`.
    pub target_confidence: f64,
    /// What was done.
    pub action: QueryAction,
    /// The edge, if there is one.
    pub connect_result: Option<ConnectResult>,
    /// What to know about the result, such as an embedder that could not be reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// Characters of a block that a preview shows.
const PREVIEW: usize = 60;

impl fmt::Display for ConnectByQueryResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let preview = |content: &Option<String>| match content {
            Some(text) if !text.is_empty() => format!("{}…", text.chars().take(PREVIEW).collect::<String>()),
            _ => "?".to_owned(),
        };
        match (self.action, &self.connect_result) {
            (QueryAction::InsufficientConfidence, _) => write!(
                f,
                "connect_by_query: confidence too low (source={:.2}, target={:.2}). Use connect() with explicit IDs.",
                self.source_confidence, self.target_confidence
            ),
            (QueryAction::DryRunPreview, _) => write!(
                f,
                "dry_run: source='{}' | target='{}'. Call again without dry_run=True to connect.",
                preview(&self.source_content),
                preview(&self.target_content)
            ),
            (QueryAction::Connected, Some(result)) => result.fmt(f),
            (QueryAction::Connected, None) => f.write_str("connect_by_query: connected."),
        }?;
        match &self.message {
            Some(message) => write!(f, " {message}"),
            None => Ok(()),
        }
    }
}

/// Result of `connects`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ConnectsResult {
    /// One result for each edge that could be placed, in the order given.
    pub results: Vec<ConnectResult>,
    /// How many are new.
    pub created: usize,
    /// How many were reinforced.
    pub reinforced: usize,
    /// How many were updated.
    pub updated: usize,
    /// How many were there and stayed as they were.
    pub skipped: usize,
    /// How many wait: none, see [`ConnectAction::Deferred`].
    pub deferred: usize,
    /// One sentence for each edge that could not be placed.
    pub errors: Vec<String>,
}

impl ConnectsResult {
    /// Adds one edge.
    pub fn count(&mut self, result: ConnectResult) {
        let counter = match result.action {
            ConnectAction::Created => &mut self.created,
            ConnectAction::Reinforced => &mut self.reinforced,
            ConnectAction::Updated => &mut self.updated,
            ConnectAction::Skipped => &mut self.skipped,
            ConnectAction::Deferred => &mut self.deferred,
        };
        *counter += 1;
        self.results.push(result);
    }
}

impl fmt::Display for ConnectsResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Edges: {} created", self.created)?;
        let others = [(self.reinforced, "reinforced"), (self.updated, "updated"), (self.deferred, "deferred")];
        for (count, word) in others.into_iter().filter(|(count, _)| *count > 0) {
            write!(f, ", {count} {word}")?;
        }
        if !self.errors.is_empty() {
            write!(f, ", {} errors", self.errors.len())?;
        }
        f.write_str(".")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn connected() -> ConnectResult {
        ConnectResult {
            source_id: BlockId::from_stored("8f1b61460000aaaa"),
            target_id: BlockId::from_stored("45afd0dd0000bbbb"),
            relation: Relation::new("supports"),
            weight: EdgeWeight::saturating(0.75),
            action: ConnectAction::Created,
            note: None,
            displaced_edge: None,
            also_displaced: None,
            relation_conflict: None,
            not_applied: Vec::new(),
            over_cap: None,
        }
    }

    fn displaced() -> DisplacedEdge {
        DisplacedEdge {
            from_id: BlockId::from_stored("1111"),
            to_id: BlockId::from_stored("8f1b61460000aaaa"),
            relation_type: Relation::SIMILAR,
            weight: EdgeWeight::saturating(0.5),
        }
    }

    #[test]
    fn a_connect_result_reads_as_the_seed_writes_it() {
        assert_eq!(connected().to_string(), "Created supports edge: 8f1b6146…→45afd0dd… (weight=0.75).");
        let result = ConnectResult { displaced_edge: Some(displaced()), ..connected() };
        assert_eq!(
            result.to_string(),
            "Created supports edge: 8f1b6146…→45afd0dd… (weight=0.75). Displaced auto-similar edge (weight=0.50) to fit \
             degree cap."
        );
    }

    #[test]
    fn what_was_given_and_not_stored_is_said() {
        let result = ConnectResult {
            action: ConnectAction::Reinforced,
            relation_conflict: Some(Relation::SIMILAR),
            not_applied: vec!["weight".into(), "note".into()],
            over_cap: Some(BlockId::from_stored("45afd0dd0000bbbb")),
            ..connected()
        };
        assert_eq!(
            result.to_string(),
            "Reinforced supports edge: 8f1b6146…→45afd0dd… (weight=0.75). The edge stays 'supports', not 'similar': use \
             if_exists='update' to change it. The weight and note given did not change it: use if_exists='update' for \
             that. Block 45afd0dd… is one over its degree cap until the next dream or curate."
        );
    }

    #[test]
    fn a_connect_result_has_the_keys_of_the_seed() {
        let dict = serde_json::to_value(ConnectResult { displaced_edge: Some(displaced()), ..connected() }).unwrap();
        assert_eq!(
            dict,
            json!({
                "source_id": "8f1b61460000aaaa", "target_id": "45afd0dd0000bbbb", "relation": "supports", "weight": 0.75,
                "action": "created", "note": null, "also_displaced": null, "relation_conflict": null, "not_applied": [], "over_cap": null,
                "displaced_edge": {
                    "from_id": "1111", "to_id": "8f1b61460000aaaa", "relation_type": "similar", "weight": 0.5,
                },
            })
        );
    }

    #[test]
    fn a_disconnect_result_reads_as_the_seed_writes_it() {
        let result = |action| DisconnectResult {
            source_id: BlockId::from_stored("abc1234500000000"),
            target_id: BlockId::from_stored("def6789000000000"),
            action,
            removed_relation: (action == DisconnectAction::Removed).then_some(Relation::SIMILAR),
            removed_weight: (action == DisconnectAction::Removed).then_some(EdgeWeight::saturating(0.63)),
        };
        assert_eq!(
            result(DisconnectAction::Removed).to_string(),
            "Removed similar edge: abc12345…→def67890… (was weight=0.63)."
        );
        let missing = result(DisconnectAction::NotFound);
        assert_eq!(missing.to_string(), "No edge found between abc12345… and def67890…");
        let guarded = result(DisconnectAction::Guarded).to_string();
        assert_eq!(guarded, "Edge not removed — relation type did not match guard_relation.");
        assert_eq!(
            serde_json::to_value(missing).unwrap(),
            json!({
                "source_id": "abc1234500000000", "target_id": "def6789000000000", "action": "not_found",
                "removed_relation": null, "removed_weight": null,
            })
        );
    }

    #[test]
    fn a_query_result_reads_as_the_seed_writes_it() {
        let result = |action, connect_result| ConnectByQueryResult {
            source_query: "frames".into(),
            target_query: "constitution".into(),
            source_id: Some(BlockId::from_stored("a")),
            target_id: None,
            source_content: Some("x".repeat(70)),
            target_content: None,
            source_confidence: 0.814,
            target_confidence: 0.4,
            action,
            connect_result,
            message: None,
        };
        assert_eq!(
            result(QueryAction::InsufficientConfidence, None).to_string(),
            "connect_by_query: confidence too low (source=0.81, target=0.40). Use connect() with explicit IDs."
        );
        let preview =
            format!("dry_run: source='{}…' | target='?'. Call again without dry_run=True to connect.", "x".repeat(60));
        assert_eq!(result(QueryAction::DryRunPreview, None).to_string(), preview);
        let done = result(QueryAction::Connected, Some(connected()));
        assert_eq!(done.to_string(), connected().to_string());
        let dict = serde_json::to_value(done).unwrap();
        for key in [
            "source_query",
            "target_query",
            "source_id",
            "target_id",
            "source_content",
            "target_content",
            "source_confidence",
            "target_confidence",
            "action",
            "connect_result",
        ] {
            assert!(dict.get(key).is_some(), "{key}");
        }
        assert_eq!(dict["action"], "connected");
    }

    #[test]
    fn a_batch_counts_by_action_and_reads_as_the_seed_writes_it() {
        let mut batch = ConnectsResult::default();
        assert_eq!(batch.to_string(), "Edges: 0 created.");
        for action in [
            ConnectAction::Created,
            ConnectAction::Created,
            ConnectAction::Reinforced,
            ConnectAction::Updated,
            ConnectAction::Skipped,
        ] {
            batch.count(ConnectResult { action, ..connected() });
        }
        batch.errors.push("a→b: no".into());
        assert_eq!(batch.to_string(), "Edges: 2 created, 1 reinforced, 1 updated, 1 errors.");
        let dict = serde_json::to_value(&batch).unwrap();
        assert_eq!(
            (&dict["skipped"], &dict["deferred"], &dict["errors"][0]),
            (&1.into(), &0.into(), &"a→b: no".into())
        );
        assert_eq!(dict["results"].as_array().map(Vec::len), Some(5));
    }
}
