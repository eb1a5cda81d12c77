//! Rows of a memory as plain values: what a store keeps, and what goes from one memory into another.

use std::collections::HashSet;

use elfmem_core::{Block, BlockId, Edge, EdgeKey, Frame, Link, LinkEffect, OutcomeRecord, Session, SessionId};
use serde::{Deserialize, Serialize};

use super::RowKind;
use crate::{Context, Contradiction, Enrolment, Event, Proposal, Tombstone};

/// One row of a memory. As JSON its kind is the field `type`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Row {
    /// A block with its provenance and its vector.
    Block(Box<BlockRow>),
    /// An edge.
    Edge(Edge),
    /// A contradiction, resolved or not.
    Contradiction(Contradiction),
    /// The effect of an outcome on a block.
    Outcome(OutcomeRecord),
    /// A proposal in any state.
    Proposal(Proposal),
    /// A pair of blocks that were recalled together and have no edge yet.
    Pair(StagedPair),
    /// A session.
    Session(Session),
    /// A frame.
    Frame(Frame),
    /// The tombstone of a purged block.
    Tombstone(Tombstone),
    /// A setting kept in the memory.
    Setting(Setting),
    /// An event, whether or not it became a block.
    Event(Box<Event>),
    /// A context.
    Context(Context),
    /// The enrolment of a block in a context.
    Enrolment(Enrolment),
    /// A link.
    Link(Link),
    /// The effect of a link on a block.
    Effect(LinkEffect),
}

/// A block with its provenance and, if it was asked for, its vector.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BlockRow {
    /// The block.
    #[serde(flatten)]
    pub block: Block,
    /// Where it came from and who may have it.
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
    /// The envelope it was exchanged in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub envelope_json: Option<String>,
}

/// How often two blocks were recalled together: enough sessions make it an edge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StagedPair {
    /// The two blocks.
    #[serde(flatten)]
    pub key: EdgeKey,
    /// The number of sessions.
    pub count: u32,
    /// The sessions, as far as they are known.
    pub sessions: Vec<SessionId>,
}

impl StagedPair {
    /// Returns whether all sessions of the pair are among those that are over. A pair without sessions is not stale.
    pub fn is_stale(&self, over: &HashSet<SessionId>) -> bool {
        !self.sessions.is_empty() && self.sessions.iter().all(|session| over.contains(session))
    }
}

/// A setting kept in a memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    /// Its name.
    pub key: String,
    /// Its value.
    pub value: String,
}

impl Row {
    /// The kind of the row.
    pub fn kind(&self) -> RowKind {
        match self {
            Self::Block(_) => RowKind::Block,
            Self::Edge(_) => RowKind::Edge,
            Self::Contradiction(_) => RowKind::Contradiction,
            Self::Outcome(_) => RowKind::Outcome,
            Self::Proposal(_) => RowKind::Proposal,
            Self::Pair(_) => RowKind::Pair,
            Self::Session(_) => RowKind::Session,
            Self::Frame(_) => RowKind::Frame,
            Self::Tombstone(_) => RowKind::Tombstone,
            Self::Setting(_) => RowKind::Setting,
            Self::Event(_) => RowKind::Event,
            Self::Context(_) => RowKind::Context,
            Self::Enrolment(_) => RowKind::Enrolment,
            Self::Link(_) => RowKind::Link,
            Self::Effect(_) => RowKind::Effect,
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

/// The type of the rows of one kind.
pub(crate) trait RowValue: Sized {
    /// The kind.
    const KIND: RowKind;

    /// Takes the value out of a row of the kind.
    fn from_row(row: Row) -> Option<Self>;

    /// Borrows the value from a row of the kind.
    fn in_row(row: &Row) -> Option<&Self>;
}

macro_rules! row_values {
    ($($kind:ident: $type:ty, $value:ident => $taken:expr;)*) => {
        $(impl RowValue for $type {
            const KIND: RowKind = RowKind::$kind;

            fn from_row(row: Row) -> Option<Self> {
                match row {
                    Row::$kind($value) => Some($taken),
                    _ => None,
                }
            }

            fn in_row(row: &Row) -> Option<&Self> {
                match row {
                    Row::$kind(value) => Some(value),
                    _ => None,
                }
            }
        })*
    };
}

row_values! {
    Block: BlockRow, value => *value;
    Edge: Edge, value => value;
    Contradiction: Contradiction, value => value;
    Outcome: OutcomeRecord, value => value;
    Proposal: Proposal, value => value;
    Pair: StagedPair, value => value;
    Session: Session, value => value;
    Frame: Frame, value => value;
    Tombstone: Tombstone, value => value;
    Setting: Setting, value => value;
    Event: Event, value => *value;
    Context: Context, value => value;
    Enrolment: Enrolment, value => value;
    Link: Link, value => value;
    Effect: LinkEffect, value => value;
}

/// Serialises a vector as hexadecimal text, bit by bit. Numbers in JSON would be longer, and readers may round them.
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
            assert_eq!(value["type"], row.kind().as_str());
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
