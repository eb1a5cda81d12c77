//! Links: directed, typed statements between blocks and contexts, and their effect on belief (seed
//! 004).
//!
//! Edges are weighted associations that recall traverses. Links state the relation of one thing to
//! another, with a direction, and some of them change the confidence of their target.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::belief::{Belief, Evidence, LinkType, after_link};
use crate::edge::Relation;
use crate::event::ContextId;
use crate::id::BlockId;
use crate::time::Timestamp;
use crate::unit::{Confidence, EdgeWeight};

impl LinkType {
    /// All types, weakest effect first.
    pub const ALL: [Self; 5] = [Self::RelatedTo, Self::Extends, Self::DerivedFrom, Self::Reinforces, Self::Contradicts];

    /// Returns the name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::RelatedTo => "related_to",
            Self::Extends => "extends",
            Self::DerivedFrom => "derived_from",
            Self::Reinforces => "reinforces",
            Self::Contradicts => "contradicts",
        }
    }

    /// Parses a name, ignoring case.
    pub fn parse(name: &str) -> Option<Self> {
        let name = name.trim();
        Self::ALL.into_iter().find(|link| link.as_str().eq_ignore_ascii_case(name))
    }

    /// Returns true if the link changes the confidence of its target.
    pub fn moves_belief(self) -> bool {
        matches!(self, Self::Reinforces | Self::Contradicts)
    }

    /// Returns the relation and weight of the edge that represents the link in recall.
    pub fn projected(self) -> (Relation, EdgeWeight) {
        let (relation, weight) = match self {
            Self::RelatedTo => ("related_to", 0.65),
            Self::Extends => ("elaborates", 0.70),
            Self::DerivedFrom => ("derived_from", 0.70),
            Self::Reinforces => ("supports", 0.75),
            Self::Contradicts => ("contradicts", 0.60),
        };
        (Relation::new(relation), EdgeWeight::saturating(weight))
    }
}

impl std::fmt::Display for LinkType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One end of a link. In text form, a context contains a colon and a block id never does.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkEnd {
    /// A block.
    Block(BlockId),
    /// A context.
    Context(ContextId),
}

impl LinkEnd {
    /// Creates an end from its stored form.
    pub fn from_stored(text: &str) -> Self {
        match text.contains(':') {
            true => Self::Context(ContextId::from_stored(text)),
            false => Self::Block(BlockId::from_stored(text)),
        }
    }

    /// Returns the id of the block or context.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Block(id) => id.as_str(),
            Self::Context(id) => id.as_str(),
        }
    }

    /// Returns the block id, if the end is a block.
    pub fn block(&self) -> Option<&BlockId> {
        match self {
            Self::Block(id) => Some(id),
            Self::Context(_) => None,
        }
    }

    /// Returns the context id, if the end is a context.
    pub fn context(&self) -> Option<&ContextId> {
        match self {
            Self::Block(_) => None,
            Self::Context(id) => Some(id),
        }
    }

    /// Returns the short form for summaries: the prefix of a block id, or the whole context id.
    pub fn short(&self) -> &str {
        match self {
            Self::Block(id) => id.short(),
            Self::Context(id) => id.as_str(),
        }
    }

    fn word(&self) -> &'static str {
        match self {
            Self::Block(_) => "block",
            Self::Context(_) => "context",
        }
    }
}

impl From<BlockId> for LinkEnd {
    fn from(id: BlockId) -> Self {
        Self::Block(id)
    }
}

impl From<ContextId> for LinkEnd {
    fn from(id: ContextId) -> Self {
        Self::Context(id)
    }
}

impl std::fmt::Display for LinkEnd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for LinkEnd {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for LinkEnd {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::from_stored(&String::deserialize(deserializer)?))
    }
}

/// The unique key of a link.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LinkKey {
    /// The source.
    pub from: LinkEnd,
    /// The type.
    pub link_type: LinkType,
    /// The target.
    pub to: LinkEnd,
}

impl LinkKey {
    /// Returns the layers it connects: `block_to_block`, `block_to_context` and so on.
    pub fn layer(&self) -> String {
        format!("{}_to_{}", self.from.word(), self.to.word())
    }

    /// Serialises the key to one string, for the journal. The separator occurs in no id.
    pub fn name(&self) -> String {
        format!("{}|{}|{}", self.from, self.to, self.link_type)
    }

    /// Parses the result of [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        let mut parts = name.split('|');
        let (from, to, link_type) = (parts.next()?, parts.next()?, LinkType::parse(parts.next()?)?);
        Some(Self { from: LinkEnd::from_stored(from), link_type, to: LinkEnd::from_stored(to) })
    }
}

impl std::fmt::Display for LinkKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} {}", self.from.short(), self.link_type, self.to.short())
    }
}

/// What created a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum LinkOrigin {
    /// Part of an event.
    Event,
    /// Stated explicitly.
    Stated,
    /// Implied by the kind of an event.
    Implied,
    /// The graduation of a mistake to a pattern, or of a pattern to a skill.
    Graduation,
}

impl LinkOrigin {
    /// Returns the name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Event => "event",
            Self::Stated => "stated",
            Self::Implied => "implied",
            Self::Graduation => "graduation",
        }
    }

    /// Parses a stored name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Event, Self::Stated, Self::Implied, Self::Graduation].into_iter().find(|found| found.as_str() == name)
    }
}

/// A stored link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// The key.
    #[serde(flatten)]
    pub key: LinkKey,
    /// Position in the order of creation; 0 until stored.
    pub sequence: u64,
    /// What created the link.
    pub origin: LinkOrigin,
    /// The event that contained the link.
    pub event_id: Option<String>,
    /// The reason given by its creator.
    pub note: Option<String>,
    /// When it was created.
    pub created_at: Timestamp,
}

/// The effect of one link on one block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LinkEffect {
    /// The link.
    #[serde(flatten)]
    pub key: LinkKey,
    /// The block.
    pub block_id: BlockId,
    /// Position among the belief updates of the block.
    pub sequence: u64,
    /// Confidence before.
    pub confidence_before: Confidence,
    /// Confidence after.
    pub confidence_after: Confidence,
    /// Evidence, which a link does not change.
    pub evidence_before: Evidence,
    /// When it was recorded.
    pub created_at: Timestamp,
    /// Upper bound of the confidence, set for links from untrusted blocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ceiling: Option<Confidence>,
}

/// Returns the confidence after one link, with an optional upper bound for increases.
pub fn after_link_up_to(before: Confidence, link_type: LinkType, ceiling: Option<Confidence>) -> Confidence {
    let after = after_link(before, link_type);
    match ceiling {
        Some(ceiling) if after > before && after > ceiling => Confidence::saturating(before.get().max(ceiling.get())),
        _ => after,
    }
}

impl LinkEffect {
    /// Returns the belief before the link.
    pub fn before(&self) -> Belief {
        Belief { confidence: self.confidence_before, evidence: self.evidence_before }
    }

    /// Returns the belief after the link.
    pub fn after(&self) -> Belief {
        Belief { confidence: self.confidence_after, evidence: self.evidence_before }
    }

    /// Recomputes the effect from another start value.
    #[must_use]
    pub fn reapplied_to(&self, before: Belief) -> Self {
        Self {
            confidence_before: before.confidence,
            confidence_after: after_link_up_to(before.confidence, self.key.link_type, self.ceiling),
            evidence_before: before.evidence,
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(from: &str, link_type: LinkType, to: &str) -> LinkKey {
        LinkKey { from: LinkEnd::from_stored(from), link_type, to: LinkEnd::from_stored(to) }
    }

    #[test]
    fn link_types_are_ordered_by_effect() {
        let names = LinkType::ALL.map(LinkType::as_str);
        assert_eq!(names, ["related_to", "extends", "derived_from", "reinforces", "contradicts"]);
        for link in LinkType::ALL {
            assert_eq!(LinkType::parse(&format!(" {} ", link.as_str().to_uppercase())), Some(link));
            assert_eq!(serde_json::to_value(link).unwrap(), link.as_str());
        }
        let moving = LinkType::ALL.into_iter().filter(|link| link.moves_belief()).count();
        assert_eq!((moving, LinkType::parse("supports")), (2, None));
    }

    #[test]
    fn link_keys_have_layers_and_round_trip() {
        for (from, to, layer) in [
            ("8f1b6146", "45afd0dd", "block_to_block"),
            ("8f1b6146", "session:s1", "block_to_context"),
            ("project:shop", "skill:fn:core", "context_to_context"),
        ] {
            let link = key(from, LinkType::Extends, to);
            assert_eq!(link.layer(), layer);
            assert_eq!(LinkKey::from_name(&link.name()), Some(link.clone()));
            let json = serde_json::to_value(&link).unwrap();
            assert_eq!((&json["from"], &json["link_type"]), (&from.into(), &"extends".into()));
            assert_eq!(serde_json::from_value::<LinkKey>(json).unwrap(), link);
        }
        assert_eq!(LinkKey::from_name("a|b"), None);
    }

    #[test]
    fn link_types_map_to_edge_relations_and_weights() {
        let weights = LinkType::ALL.map(|link| (link.projected().0.as_str().to_owned(), link.projected().1.get()));
        let expected = [
            ("related_to", 0.65),
            ("elaborates", 0.7),
            ("derived_from", 0.7),
            ("supports", 0.75),
            ("contradicts", 0.6),
        ];
        assert_eq!(weights, expected.map(|(name, weight)| (name.to_owned(), weight)));
    }
}
