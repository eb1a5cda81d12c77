//! Kinds and keys of rows.

use elfmem_core::event::ContextId;
use elfmem_core::{BlockId, EdgeKey, LinkKey, SessionId};

use crate::{Entity, Row};

/// The kind of a row: one kind is one table of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RowKind {
    /// Blocks with their tags, vector and provenance.
    Block,
    /// Edges.
    Edge,
    /// Contradictions.
    Contradiction,
    /// Effects of outcomes on blocks.
    Outcome,
    /// Proposals.
    Proposal,
    /// Events.
    Event,
    /// Contexts.
    Context,
    /// Enrolments of blocks in contexts.
    Enrolment,
    /// Links.
    Link,
    /// Effects of links on blocks.
    Effect,
    /// Pairs of blocks that were recalled together and have no edge yet.
    Pair,
    /// Sessions.
    Session,
    /// Frames.
    Frame,
    /// Tombstones of purged blocks.
    Tombstone,
    /// Settings.
    Setting,
}

impl RowKind {
    /// Every kind, in the order of an export: a row comes after the rows it refers to.
    pub const ALL: [Self; 15] = [
        Self::Block,
        Self::Edge,
        Self::Contradiction,
        Self::Outcome,
        Self::Proposal,
        Self::Event,
        Self::Context,
        Self::Enrolment,
        Self::Link,
        Self::Effect,
        Self::Pair,
        Self::Session,
        Self::Frame,
        Self::Tombstone,
        Self::Setting,
    ];

    /// The name of the kind, as JSON and messages have it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Block => "block",
            Self::Edge => "edge",
            Self::Contradiction => "contradiction",
            Self::Outcome => "outcome",
            Self::Proposal => "proposal",
            Self::Event => "event",
            Self::Context => "context",
            Self::Enrolment => "enrolment",
            Self::Link => "link",
            Self::Effect => "effect",
            Self::Pair => "pair",
            Self::Session => "session",
            Self::Frame => "frame",
            Self::Tombstone => "tombstone",
            Self::Setting => "setting",
        }
    }

    /// Whether rows of this kind belong to the scope that wrote them. Rows of the other kinds belong to the scopes of their
    /// blocks, or to every scope when they have none.
    pub fn has_scope(self) -> bool {
        matches!(self, Self::Event | Self::Context | Self::Enrolment | Self::Link | Self::Tombstone)
    }

    /// The name of the kind in the journal; none for kinds that are not journaled.
    pub fn entity(self) -> Option<Entity> {
        Some(match self {
            Self::Block => Entity::Block,
            Self::Edge => Entity::Edge,
            Self::Contradiction => Entity::Contradiction,
            Self::Outcome => Entity::Outcome,
            Self::Proposal => Entity::Proposal,
            Self::Event => Entity::Event,
            Self::Context => Entity::Context,
            Self::Enrolment => Entity::Enrolment,
            Self::Link => Entity::Link,
            Self::Effect => Entity::Effect,
            Self::Session => Entity::Session,
            Self::Frame => Entity::Frame,
            Self::Setting => Entity::Setting,
            Self::Pair | Self::Tombstone => return None,
        })
    }
}

/// The primary key of a row. Rows of a kind that [has a scope](RowKind::has_scope) are unique within their scope, except events,
/// whose ids are unique in the store.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RowKey {
    /// A block by its id.
    Block(BlockId),
    /// An edge by its two blocks.
    Edge(EdgeKey),
    /// A contradiction by its two blocks.
    Contradiction(EdgeKey),
    /// The effect of an outcome on a block.
    Outcome {
        /// The block.
        block_id: BlockId,
        /// The outcome.
        outcome_id: String,
    },
    /// A proposal by its number.
    Proposal(i64),
    /// An event by its id.
    Event(String),
    /// A context by its id.
    Context(ContextId),
    /// The enrolment of a block in a context.
    Enrolment {
        /// The block.
        block_id: BlockId,
        /// The context.
        context_id: ContextId,
    },
    /// A link by its ends and its type.
    Link(LinkKey),
    /// The effect of a link on a block.
    Effect {
        /// The block.
        block_id: BlockId,
        /// The link.
        key: LinkKey,
    },
    /// A staged pair by its two blocks.
    Pair(EdgeKey),
    /// A session by its id.
    Session(SessionId),
    /// A frame by its name.
    Frame(String),
    /// A tombstone by the block that was purged.
    Tombstone(BlockId),
    /// A setting by its name.
    Setting(String),
}

impl RowKey {
    /// The kind of the row.
    pub fn kind(&self) -> RowKind {
        match self {
            Self::Block(_) => RowKind::Block,
            Self::Edge(_) => RowKind::Edge,
            Self::Contradiction(_) => RowKind::Contradiction,
            Self::Outcome { .. } => RowKind::Outcome,
            Self::Proposal(_) => RowKind::Proposal,
            Self::Event(_) => RowKind::Event,
            Self::Context(_) => RowKind::Context,
            Self::Enrolment { .. } => RowKind::Enrolment,
            Self::Link(_) => RowKind::Link,
            Self::Effect { .. } => RowKind::Effect,
            Self::Pair(_) => RowKind::Pair,
            Self::Session(_) => RowKind::Session,
            Self::Frame(_) => RowKind::Frame,
            Self::Tombstone(_) => RowKind::Tombstone,
            Self::Setting(_) => RowKind::Setting,
        }
    }
}

impl Row {
    /// The primary key of the row.
    pub fn key(&self) -> RowKey {
        match self {
            Self::Block(row) => RowKey::Block(row.block.id.clone()),
            Self::Edge(edge) => RowKey::Edge(edge.key.clone()),
            Self::Contradiction(found) => RowKey::Contradiction(found.key()),
            Self::Outcome(record) => {
                RowKey::Outcome { block_id: record.block_id.clone(), outcome_id: record.outcome_id.clone() }
            }
            Self::Proposal(proposal) => RowKey::Proposal(proposal.number),
            Self::Pair(pair) => RowKey::Pair(pair.key.clone()),
            Self::Session(session) => RowKey::Session(session.id.clone()),
            Self::Frame(frame) => RowKey::Frame(frame.name.clone()),
            Self::Tombstone(tombstone) => RowKey::Tombstone(tombstone.block_id.clone()),
            Self::Setting(setting) => RowKey::Setting(setting.key.clone()),
            Self::Event(event) => RowKey::Event(event.id.clone()),
            Self::Context(context) => RowKey::Context(context.id.clone()),
            Self::Enrolment(enrolment) => {
                let (block_id, context_id) = (enrolment.block_id.clone(), enrolment.context_id.clone());
                RowKey::Enrolment { block_id, context_id }
            }
            Self::Link(link) => RowKey::Link(link.key.clone()),
            Self::Effect(effect) => RowKey::Effect { block_id: effect.block_id.clone(), key: effect.key.clone() },
        }
    }

    /// The blocks that the row belongs to: it is seen only by views that see all of them, and is removed with any of them. An event
    /// is the exception: it stays when its block is removed.
    pub fn blocks(&self) -> impl Iterator<Item = &BlockId> {
        let (one, other) = match self {
            Self::Block(row) => (Some(&row.block.id), None),
            Self::Edge(edge) => (Some(&edge.key.from_id), Some(&edge.key.to_id)),
            Self::Contradiction(found) => (Some(&found.block_a_id), Some(&found.block_b_id)),
            Self::Outcome(record) => (Some(&record.block_id), None),
            Self::Proposal(proposal) => (Some(&proposal.block_id), proposal.other_id.as_ref()),
            Self::Pair(pair) => (Some(&pair.key.from_id), Some(&pair.key.to_id)),
            Self::Event(event) => (event.block_id.as_ref(), None),
            Self::Enrolment(enrolment) => (Some(&enrolment.block_id), None),
            Self::Link(link) => (link.key.from.block(), link.key.to.block()),
            Self::Effect(effect) => (Some(&effect.block_id), None),
            Self::Session(_) | Self::Frame(_) | Self::Tombstone(_) | Self::Setting(_) | Self::Context(_) => {
                (None, None)
            }
        };
        one.into_iter().chain(other)
    }

    /// The name of the row in the journal: its key as text.
    pub(crate) fn journal_id(&self) -> String {
        match self {
            Self::Block(row) => row.block.id.to_string(),
            Self::Edge(edge) => format!("{}:{}", edge.key.from_id, edge.key.to_id),
            Self::Contradiction(found) => format!("{}:{}", found.block_a_id, found.block_b_id),
            Self::Outcome(record) => format!("{}:{}", record.block_id, record.outcome_id),
            Self::Proposal(proposal) => proposal.number.to_string(),
            Self::Pair(pair) => format!("{}:{}", pair.key.from_id, pair.key.to_id),
            Self::Session(session) => session.id.to_string(),
            Self::Frame(frame) => frame.name.clone(),
            Self::Tombstone(tombstone) => tombstone.block_id.to_string(),
            Self::Setting(setting) => setting.key.clone(),
            Self::Event(event) => match &event.block_id {
                Some(block) => format!("{}|{block}", event.id),
                None => event.id.clone(),
            },
            Self::Context(context) => context.id.to_string(),
            Self::Enrolment(enrolment) => format!("{}|{}", enrolment.block_id, enrolment.context_id),
            Self::Link(link) => link.key.name(),
            Self::Effect(effect) => format!("{}|{}", effect.block_id, effect.key.name()),
        }
    }
}
