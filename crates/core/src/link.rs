//! Links: directed, typed statements between blocks and contexts, and what they do to belief (seed 004).
//!
//! Edges are the weighted associations that recall walks along. Links say what one thing is to another, which way round, and
//! some of them move how much their target is believed.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::belief::{Belief, Evidence, LinkType, after_link};
use crate::edge::Relation;
use crate::event::ContextId;
use crate::id::BlockId;
use crate::time::Timestamp;
use crate::unit::{Confidence, EdgeWeight};

impl LinkType {
    /// All five, the weakest effect first.
    pub const ALL: [Self; 5] = [Self::RelatedTo, Self::Extends, Self::DerivedFrom, Self::Reinforces, Self::Contradicts];

    /// The name that is stored, shown and asked for.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::RelatedTo => "related_to",
            Self::Extends => "extends",
            Self::DerivedFrom => "derived_from",
            Self::Reinforces => "reinforces",
            Self::Contradicts => "contradicts",
        }
    }

    /// The type of a name, in any case.
    pub fn parse(name: &str) -> Option<Self> {
        let name = name.trim();
        Self::ALL.into_iter().find(|link| link.as_str().eq_ignore_ascii_case(name))
    }

    /// Whether it moves how much its target is believed.
    pub fn moves_belief(self) -> bool {
        matches!(self, Self::Reinforces | Self::Contradicts)
    }

    /// The edge that stands for such a link where recall walks along edges: what it says, and how strongly.
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

/// One end of a link. As text a context has a colon in it and the id of a block never has.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkEnd {
    /// A block.
    Block(BlockId),
    /// A context.
    Context(ContextId),
}

impl LinkEnd {
    /// Takes an end as a store holds it.
    pub fn from_stored(text: &str) -> Self {
        match text.contains(':') {
            true => Self::Context(ContextId::from_stored(text)),
            false => Self::Block(BlockId::from_stored(text)),
        }
    }

    /// The id of the block or the context.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Block(id) => id.as_str(),
            Self::Context(id) => id.as_str(),
        }
    }

    /// The block, if it is one.
    pub fn block(&self) -> Option<&BlockId> {
        match self {
            Self::Block(id) => Some(id),
            Self::Context(_) => None,
        }
    }

    /// The context, if it is one.
    pub fn context(&self) -> Option<&ContextId> {
        match self {
            Self::Block(_) => None,
            Self::Context(id) => Some(id),
        }
    }

    /// What summaries show: the beginning of a block's id, a context whole.
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

/// What makes a link the one it is: there is at most one for each of these.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LinkKey {
    /// Where it starts.
    pub from: LinkEnd,
    /// What it says.
    pub link_type: LinkType,
    /// What it says it of.
    pub to: LinkEnd,
}

impl LinkKey {
    /// Between which layers it runs: `block_to_block`, `block_to_context` and so on.
    pub fn layer(&self) -> String {
        format!("{}_to_{}", self.from.word(), self.to.word())
    }

    /// One name for all of it, as the journal has it: no id holds the mark between the parts.
    pub fn name(&self) -> String {
        format!("{}|{}|{}", self.from, self.to, self.link_type)
    }

    /// Reads what [`name`](Self::name) wrote.
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

/// Who made a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LinkOrigin {
    /// An event came with it.
    Event,
    /// Someone stated it by itself.
    Stated,
    /// The kind of an event implied it.
    Implied,
    /// A mistake became a pattern, or a pattern a skill.
    Graduation,
}

impl LinkOrigin {
    /// The name that is stored and shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Event => "event",
            Self::Stated => "stated",
            Self::Implied => "implied",
            Self::Graduation => "graduation",
        }
    }

    /// Reads a stored name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Event, Self::Stated, Self::Implied, Self::Graduation].into_iter().find(|found| found.as_str() == name)
    }
}

/// One stored link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// What it says.
    #[serde(flatten)]
    pub key: LinkKey,
    /// Its place in the order in which links came; 0 until it is stored.
    pub sequence: u64,
    /// Who made it.
    pub origin: LinkOrigin,
    /// The event it came with.
    pub event_id: Option<String>,
    /// Why, in the words of whoever stated it.
    pub note: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
}

/// What one link did to one block that it reached.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LinkEffect {
    /// Which link.
    #[serde(flatten)]
    pub key: LinkKey,
    /// Which block.
    pub block_id: BlockId,
    /// Its place among everything that moved the block's belief.
    pub sequence: u64,
    /// How much the block was believed before.
    pub confidence_before: Confidence,
    /// And after.
    pub confidence_after: Confidence,
    /// How much of that was observed; a link does not change it.
    pub evidence_before: Evidence,
    /// When it was.
    pub created_at: Timestamp,
    /// How far it may raise the confidence: set where it comes from a block that is not trusted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ceiling: Option<Confidence>,
}

/// What is believed after one link. One with a ceiling raises belief up to there and no further; doubt has no ceiling.
pub fn after_link_up_to(before: Confidence, link_type: LinkType, ceiling: Option<Confidence>) -> Confidence {
    let after = after_link(before, link_type);
    match ceiling {
        Some(ceiling) if after > before && after > ceiling => Confidence::saturating(before.get().max(ceiling.get())),
        _ => after,
    }
}

impl LinkEffect {
    /// What was believed before it.
    pub fn before(&self) -> Belief {
        Belief { confidence: self.confidence_before, evidence: self.evidence_before }
    }

    /// What was believed after it.
    pub fn after(&self) -> Belief {
        Belief { confidence: self.confidence_after, evidence: self.evidence_before }
    }

    /// The same effect, following on `before`.
    #[must_use]
    pub fn following(&self, before: Belief) -> Self {
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
    fn there_are_five_types_from_the_weakest_to_the_strongest_effect() {
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
    fn a_link_runs_between_layers_and_is_found_by_its_name() {
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
    fn the_edges_that_stand_for_links_weigh_what_the_relation_does() {
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
