//! A whole memory as plain rows: what goes out of one memory and into another.

use elfmem_core::{Block, BlockId, Edge, EdgeKey, Frame, Link, LinkEffect, OutcomeRecord, Session, SessionId};
use serde::{Deserialize, Serialize};

use crate::{Context, Contradiction, Enrolment, Event, Proposal, Tombstone};

/// One row of a memory, whatever its kind. As JSON its kind stands under `type`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Row {
    /// A block with everything that is known about it.
    Block(Box<BlockRow>),
    /// An edge.
    Edge(Edge),
    /// A contradiction, settled or not.
    Contradiction(Contradiction),
    /// What an outcome did to a block.
    Outcome(OutcomeRecord),
    /// A proposal, decided or not.
    Proposal(Proposal),
    /// A pair that came up together and is no edge yet.
    Pair(StagedPair),
    /// A session.
    Session(Session),
    /// A frame.
    Frame(Frame),
    /// What is left of a purged block.
    Tombstone(Tombstone),
    /// A setting that the memory keeps.
    Setting(Setting),
    /// An event, whether or not it became a memory.
    Event(Box<Event>),
    /// A context.
    Context(Context),
    /// That a block belongs to a context.
    Enrolment(Enrolment),
    /// A link.
    Link(Link),
    /// What a link did to a block.
    Effect(LinkEffect),
}

/// A block as it leaves a memory: with its vector, if that was asked for, and what peers said of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BlockRow {
    /// The block.
    #[serde(flatten)]
    pub block: Block,
    /// What peers said of it.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// Its vector.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "vector_as_text")]
    pub vector: Option<Vec<f32>>,
}

/// Where a block came from and who may have it. Kept for databases of the Python elfmem, which exchanged blocks with peers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Provenance {
    /// The peer that sent it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_peer: Option<String>,
    /// Who may have it; none is `private`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<String>,
    /// The letter it came in or went out with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub envelope_json: Option<String>,
}

/// A pair of blocks that came up together, on its way to becoming an edge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StagedPair {
    /// The two blocks.
    #[serde(flatten)]
    pub key: EdgeKey,
    /// In how many sessions.
    pub count: u32,
    /// In which, as far as that is known.
    pub sessions: Vec<SessionId>,
}

/// A setting that a memory keeps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    /// Its name.
    pub key: String,
    /// Its value.
    pub value: String,
}

impl Row {
    /// The word for its kind, as JSON has it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Block(_) => "block",
            Self::Edge(_) => "edge",
            Self::Contradiction(_) => "contradiction",
            Self::Outcome(_) => "outcome",
            Self::Proposal(_) => "proposal",
            Self::Pair(_) => "pair",
            Self::Session(_) => "session",
            Self::Frame(_) => "frame",
            Self::Tombstone(_) => "tombstone",
            Self::Setting(_) => "setting",
            Self::Event(_) => "event",
            Self::Context(_) => "context",
            Self::Enrolment(_) => "enrolment",
            Self::Link(_) => "link",
            Self::Effect(_) => "effect",
        }
    }

    /// The block, if it is one.
    pub fn block_id(&self) -> Option<&BlockId> {
        match self {
            Self::Block(row) => Some(&row.block.id),
            _ => None,
        }
    }
}

/// A vector as text that gives back every bit of it: numbers in JSON would be longer and may be rounded by whoever reads them.
mod vector_as_text {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::journal::{vector_from_text, vector_text};

    pub(super) fn serialize<S: Serializer>(vector: &Option<Vec<f32>>, serializer: S) -> Result<S::Ok, S::Error> {
        vector.as_deref().map(vector_text).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<f32>>, D::Error> {
        let Some(text) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
        vector_from_text(&text).map(Some).ok_or_else(|| D::Error::custom("the vector is not one"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elfmem_core::{EdgeOrigin, Relation, Timestamp};
    use serde_json::json;

    #[test]
    fn rows_name_their_kind_and_survive_as_json() {
        let key = EdgeKey::canonical(&BlockId::from_stored("a"), &BlockId::from_stored("b")).unwrap();
        let rows = [
            Row::Edge(Edge::new(key.clone(), Relation::SIMILAR, EdgeOrigin::AGENT, Timestamp::UNIX_EPOCH)),
            Row::Pair(StagedPair { key, count: 2, sessions: vec![SessionId::from_stored("s")] }),
            Row::Setting(Setting { key: "top_k".into(), value: "5".into() }),
        ];
        for row in rows {
            let value = serde_json::to_value(&row).unwrap();
            assert_eq!(value["type"], row.kind());
            assert_eq!(row.block_id(), None);
            let text = value.to_string();
            assert_eq!(serde_json::from_str::<Row>(&text).unwrap(), row);
        }
    }

    #[test]
    fn a_vector_survives_bit_by_bit_and_nonsense_is_refused() {
        #[derive(Debug, PartialEq, Serialize, Deserialize)]
        struct Held(#[serde(with = "vector_as_text")] Option<Vec<f32>>);
        let held = Held(Some(vec![0.1, -0.0, f32::MIN_POSITIVE]));
        let text = serde_json::to_string(&held).unwrap();
        assert_eq!(serde_json::from_str::<Held>(&text).unwrap(), held);
        for bad in [json!("xyz"), json!(""), json!(5), json!([0.1])] {
            assert!(serde_json::from_value::<Held>(bad).is_err());
        }
    }
}
