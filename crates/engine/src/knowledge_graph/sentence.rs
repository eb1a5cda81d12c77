//! Conversion between the items of a graph and blocks: a sentence for recall, and a document part with the exact values.

use elfmem_core::DocumentPart;
use elfmem_core::id::normalised;
use elfmem_text::fence::safe_text;
use elfmem_text::secrets::SecretsPolicy;

use super::model::GraphRelation;
use crate::documents::MAX_NAME_BYTES;
use crate::import::slug;
use crate::learn::Learn;
use crate::secrets::refuse_secret_name;
use crate::{Error, Result};

/// The source of the document parts of the graph.
pub(crate) const GRAPH_SOURCE: &str = "mcp-memory";
/// The category of blocks that the graph created. Others are kept when they leave the graph.
pub(super) const GRAPH_CATEGORY: &str = "graph";
/// The longest tag, in bytes.
const LONGEST_TAG: usize = 128;

/// An item of the graph.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum GraphItem {
    /// An entity without its observations.
    Entity {
        /// Its name.
        name: String,
        /// Its type.
        entity_type: String,
    },
    /// An observation.
    Observation {
        /// The name of its entity.
        name: String,
        /// The text.
        text: String,
    },
    /// A relation.
    Relation(GraphRelation),
}

impl GraphItem {
    /// Returns the name of the entity that the item is about; of a relation, the one where it starts.
    pub(super) fn about(&self) -> &str {
        match self {
            Self::Entity { name, .. } | Self::Observation { name, .. } => name,
            Self::Relation(relation) => &relation.from,
        }
    }

    /// Returns the sentence that stands for the item in recall.
    pub(crate) fn sentence(&self) -> String {
        match self {
            Self::Entity { name, entity_type } if entity_type.trim().is_empty() => name.trim().to_owned(),
            Self::Entity { name, entity_type } => format!("{} is a {}", name.trim(), entity_type.trim()),
            Self::Observation { name, text } => format!("{name}: {text}"),
            Self::Relation(GraphRelation { from, to, relation_type }) => {
                let verb = relation_type.replace('_', " ");
                format!("{} {} {}", from.trim(), verb.trim(), to.trim())
            }
        }
    }

    /// Returns the request to learn the sentence. `entity_type` is the type of the entity of an observation.
    pub(crate) fn learn(&self, entity_type: Option<&str>) -> Learn {
        let tag = |kind: &str, name: &str| {
            Some(slug(name)).filter(|slug| !slug.is_empty()).map(|slug| format!("{kind}/{slug}"))
        };
        let tags = match self {
            Self::Entity { name, entity_type } => vec![tag("entity", name), tag("type", entity_type)],
            Self::Observation { name, .. } => vec![tag("entity", name), tag("type", entity_type.unwrap_or_default())],
            Self::Relation(relation) => {
                vec![Some("relation".to_owned()), tag("entity", &relation.from), tag("entity", &relation.to)]
            }
        };
        let tags = tags.into_iter().flatten().filter(|tag| tag.len() <= LONGEST_TAG);
        Learn::new(self.sentence()).tags(tags).category(GRAPH_CATEGORY)
    }

    /// Checks the names of the item: nothing in them is hidden, and they contain no secret.
    pub(crate) fn check_names(&self, secrets: SecretsPolicy) -> Result<()> {
        let names = match self {
            Self::Entity { name, entity_type } => vec![("name", name), ("entityType", entity_type)],
            Self::Observation { name, .. } => vec![("entityName", name)],
            Self::Relation(relation) => {
                vec![("from", &relation.from), ("to", &relation.to), ("relationType", &relation.relation_type)]
            }
        };
        for (what, name) in names {
            let problem = if name.len() > MAX_NAME_BYTES {
                format!("is longer than {MAX_NAME_BYTES} bytes")
            } else if name.chars().any(char::is_control) || safe_text(name) != *name {
                "contains a control character, a hidden character or a tag of elfmem".to_owned()
            } else {
                refuse_secret_name(what, name, secrets)?;
                continue;
            };
            return Err(Error::BadText { what, problem });
        }
        Ok(())
    }

    /// Returns the part for a block with a content. The number of headings tells the kinds apart: none for an observation,
    /// the type of an entity, type and end of a relation.
    pub(crate) fn part(&self, position: u32, content: &str) -> DocumentPart {
        let (name, headings) = match self {
            Self::Entity { name, entity_type } => (name, vec![entity_type.clone()]),
            Self::Observation { name, .. } => (name, Vec::new()),
            Self::Relation(relation) => (&relation.from, vec![relation.relation_type.clone(), relation.to.clone()]),
        };
        let mut part = DocumentPart {
            document: name.clone(),
            source: GRAPH_SOURCE.to_owned(),
            position,
            headings,
            verbatim: None,
            labels: None,
        };
        // A content that differs in more than case and white space had secrets in it.
        if let Self::Observation { text, .. } = self
            && Self::from_part(&part, content).as_ref() != Some(self)
            && normalised(content) == normalised(&self.sentence())
        {
            part.verbatim = Some(text.clone());
        }
        part
    }

    /// Reads a part of a block with a content. `None` for parts of other documents.
    pub(crate) fn from_part(part: &DocumentPart, content: &str) -> Option<Self> {
        if part.source != GRAPH_SOURCE {
            return None;
        }
        let name = part.document.clone();
        Some(match part.headings.as_slice() {
            [] => {
                let stored = content.strip_prefix(name.as_str()).and_then(|rest| rest.strip_prefix(": "));
                let text = part.verbatim.as_deref().or(stored).unwrap_or(content).to_owned();
                Self::Observation { name, text }
            }
            [entity_type] => Self::Entity { name, entity_type: entity_type.clone() },
            [relation_type, to, ..] => {
                Self::Relation(GraphRelation { from: name, to: to.clone(), relation_type: relation_type.clone() })
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_item_is_read_back_from_its_part(
            name in any::<String>(),
            text in any::<String>(),
            other in any::<String>(),
            kind in 0..3u8,
        ) {
            let item = match kind {
                0 => GraphItem::Entity { name, entity_type: text },
                1 => GraphItem::Observation { name, text },
                _ => GraphItem::Relation(GraphRelation { from: name, to: text, relation_type: other }),
            };
            // A block is stored without the white space around it.
            let sentence = item.sentence();
            for content in [sentence.trim(), sentence.to_lowercase().trim()] {
                let part = item.part(7, content);
                prop_assert_eq!(GraphItem::from_part(&part, content), Some(item.clone()));
            }
        }
    }

    #[test]
    fn a_redacted_text_is_not_kept_beside_its_block() {
        let item = GraphItem::Observation { name: "Maria".into(), text: "uses key abc".into() };
        let part = item.part(0, "Maria: uses key ***");
        assert_eq!(part.verbatim, None);
    }

    #[test]
    fn sentences_read_well_and_parts_of_other_documents_are_none() {
        let relation = GraphRelation { from: "Maria".into(), to: "Acme".into(), relation_type: "works_at".into() };
        assert_eq!(GraphItem::Relation(relation).sentence(), "Maria works at Acme");
        let item = GraphItem::Observation { name: "Maria".into(), text: "likes tea".into() };
        let mut part = item.part(0, "Maria: likes tea");
        assert_eq!((part.verbatim.clone(), part.headings.len()), (None, 0));
        part.source = "document".into();
        assert_eq!(GraphItem::from_part(&part, "Maria: likes tea"), None);
    }
}
