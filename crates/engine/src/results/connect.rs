//! Results of `connect`, `connects`, `connect_by_query` and `disconnect` (seed 000).

use std::fmt;

use crate::render::mark_untrusted;
use elfmem_text::phrase::one_line;
use serde::{Deserialize, Serialize};

use super::PromotedBlock;
use super::promoted::write_promoted;
use elfmem_core::edge::{Edge, Relation};
use elfmem_core::id::BlockId;
use elfmem_core::unit::EdgeWeight;

/// The effect of `connect` on an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ConnectAction {
    /// The edge was created.
    Created,
    /// The existing edge was reinforced.
    Reinforced,
    /// The existing edge was updated.
    Updated,
    /// The existing edge was left unchanged.
    Skipped,
    /// The edge is pending. Part of the seed's result, but never returned: an edge that cannot be
    /// created is an error.
    Deferred,
}

impl ConnectAction {
    /// Returns the first word of the summary.
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

/// An edge that was evicted for another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DisplacedEdge {
    /// The smaller id.
    pub from_id: BlockId,
    /// The larger id.
    pub to_id: BlockId,
    /// The relation.
    pub relation_type: Relation,
    /// The weight.
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

/// Result of `connect`: the stored edge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ConnectResult {
    /// The source block.
    pub source_id: BlockId,
    /// The target block.
    pub target_id: BlockId,
    /// The relation.
    pub relation: Relation,
    /// The weight.
    pub weight: EdgeWeight,
    /// The effect on the edge.
    pub action: ConnectAction,
    /// The note.
    pub note: Option<String>,
    /// The edge that was evicted for it.
    pub displaced_edge: Option<DisplacedEdge>,
    /// The edge that was evicted at the other end, which was above the degree cap.
    pub also_displaced: Option<DisplacedEdge>,
    /// The requested relation, if a reinforced edge has and keeps a different one.
    pub relation_conflict: Option<Relation>,
    /// The requested fields that a reinforced edge did not take: `weight`, `note`.
    pub not_applied: Vec<String>,
    /// The block that is above the degree cap until the next dream or curate.
    pub over_cap: Option<BlockId>,
    /// The weight that was asked for, if it is not between 0 and 1. Omitted from the JSON otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clamped_weight: Option<f64>,
    /// The inbox blocks that were promoted on the way. Omitted from the JSON if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub promoted: Vec<PromotedBlock>,
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
        if let Some(asked) = self.clamped_weight {
            write!(f, " A weight is between 0 and 1, so {asked} was taken as {}.", asked.clamp(0.0, 1.0))?;
        }
        if let Some(id) = &self.over_cap {
            let id = id.short();
            write!(f, " Block {id}… is one over its degree cap until the next dream or curate.")?;
        }
        write_promoted(f, &self.promoted)
    }
}

/// The effect of `disconnect`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DisconnectAction {
    /// The edge was removed.
    Removed,
    /// There is no such edge.
    NotFound,
    /// The edge was kept because its relation differs from the guard.
    Guarded,
}

/// Result of `disconnect`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DisconnectResult {
    /// The first block.
    pub source_id: BlockId,
    /// The second block.
    pub target_id: BlockId,
    /// The effect.
    pub action: DisconnectAction,
    /// The relation of the removed edge.
    pub removed_relation: Option<Relation>,
    /// The weight of the removed edge.
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

/// The effect of `connect_by_query`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum QueryAction {
    /// The two blocks are connected.
    Connected,
    /// At least one query has no clear match. Nothing was written.
    InsufficientConfidence,
    /// Dry run: the two blocks would be connected.
    DryRunPreview,
}

/// Result of `connect_by_query`. Read both contents to verify the matches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ConnectByQueryResult {
    /// The query for the source.
    pub source_query: String,
    /// The query for the target.
    pub target_query: String,
    /// The block matched by the source query.
    pub source_id: Option<BlockId>,
    /// The block matched by the target query.
    pub target_id: Option<BlockId>,
    /// The full text of the source.
    pub source_content: Option<String>,
    /// The full text of the target.
    pub target_content: Option<String>,
    /// Whether the source of the first block speaks for the owner of the memory. `None` without a block.
    #[serde(default)]
    pub source_trusted: Option<bool>,
    /// Whether the source of the second block speaks for the owner of the memory. `None` without a block.
    #[serde(default)]
    pub target_trusted: Option<bool>,
    /// The confidence of the source match, in `[0, 1]`.
    pub source_confidence: f64,
    /// The confidence of the target match, in `[0, 1]`.
    pub target_confidence: f64,
    /// The effect.
    pub action: QueryAction,
    /// The edge, if there is one.
    pub connect_result: Option<ConnectResult>,
    /// What to know about the result, such as an embedder that could not be reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// Maximum number of characters of a text in a preview.
const PREVIEW_LENGTH: usize = 60;

impl fmt::Display for ConnectByQueryResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let preview = |content: &Option<String>, trusted: Option<bool>| match content {
            Some(text) if !text.is_empty() => {
                let text: String = one_line(text).chars().take(PREVIEW_LENGTH).collect();
                format!("{}…", mark_untrusted(&text, trusted != Some(false)))
            }
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
                preview(&self.source_content, self.source_trusted),
                preview(&self.target_content, self.target_trusted)
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
#[non_exhaustive]
pub struct ConnectsResult {
    /// The result of each edge that did not fail, in the order of the request.
    pub results: Vec<ConnectResult>,
    /// Number of created edges.
    pub created: usize,
    /// Number of reinforced edges.
    pub reinforced: usize,
    /// Number of updated edges.
    pub updated: usize,
    /// Number of unchanged edges.
    pub skipped: usize,
    /// Always 0; see [`ConnectAction::Deferred`].
    pub deferred: usize,
    /// One message for each edge that failed.
    pub errors: Vec<String>,
}

impl ConnectsResult {
    /// Adds the result of one edge.
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
            clamped_weight: None,
            promoted: Vec::new(),
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
    fn a_weight_that_was_clamped_is_named() {
        let result = ConnectResult { clamped_weight: Some(7.0), ..connected() };
        let said = "(weight=0.75). A weight is between 0 and 1, so 7 was taken as 1.";
        assert!(result.to_string().ends_with(said), "{result}");
        assert!(serde_json::to_value(connected()).unwrap().get("clamped_weight").is_none());
    }

    #[test]
    fn requested_fields_that_were_not_applied_are_reported() {
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
            source_trusted: Some(true),
            target_trusted: None,
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
