//! The provenance of blocks, and which sources are trusted.
//!
//! Text from a person or the agent is their own. Text from a document, a tool, an import or a peer
//! was written by someone else, and may be written to manipulate a model. Such a block is recalled
//! like any other, but it cannot describe the agent itself, and it cannot raise a confidence above
//! [`CEILING`].

use serde::{Deserialize, Serialize};

use crate::block::{Block, Tag};
use crate::unit::Confidence;

/// How a block entered the memory.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct BroughtBy {
    /// The surface: `cli`, `mcp`, `http`, `hook`, `library` or `import`. `None` for blocks from
    /// older databases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surface: Option<String>,
    /// The name of the client program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// The document that contains the block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// The peer that sent the block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peer: Option<String>,
}

/// Separator of the parts in a line.
const SEPARATOR: char = '\u{1f}';

/// The surface of imported blocks.
pub const IMPORT: &str = "import";

impl BroughtBy {
    /// Parses a journal actor: surface, colon, client.
    pub fn actor(actor: &str) -> Self {
        let (surface, client) = match actor.split_once(':') {
            Some((surface, client)) => (surface, Some(client.trim()).filter(|client| !client.is_empty())),
            None => (actor, None),
        };
        let surface = Some(surface.trim()).filter(|surface| !surface.is_empty());
        Self { surface: surface.map(str::to_owned), client: client.map(str::to_owned), ..Self::default() }
    }

    /// Serialises to one line, for an index.
    pub fn to_line(&self) -> String {
        let part = |text: &Option<String>| text.as_deref().unwrap_or_default().replace(SEPARATOR, " ");
        [&self.surface, &self.client, &self.document, &self.peer].map(part).join(&SEPARATOR.to_string())
    }

    /// Parses the result of [`to_line`](Self::to_line).
    pub fn from_line(line: &str) -> Self {
        let mut parts = line.split(SEPARATOR).map(|part| Some(part.to_owned()).filter(|part| !part.is_empty()));
        let mut next = || parts.next().flatten();
        Self { surface: next(), client: next(), document: next(), peer: next() }
    }

    /// Describes the provenance: `mcp:claude-code, document notes.md`.
    pub fn in_words(&self) -> String {
        let mut words = Vec::new();
        words.extend(self.surface.as_ref().map(|surface| match &self.client {
            Some(client) => format!("{surface}:{client}"),
            None => surface.clone(),
        }));
        words.extend(self.document.as_ref().map(|document| format!("document {document}")));
        words.extend(self.peer.as_ref().map(|peer| format!("peer {peer}")));
        if words.is_empty() { "unknown".to_owned() } else { words.join(", ") }
    }
}

/// Returns all names by which the provenance of a block can be queried.
pub fn names<'a>(source: &'a str, brought: &'a BroughtBy) -> impl Iterator<Item = &'a str> {
    let more = [&brought.surface, &brought.client, &brought.document, &brought.peer];
    std::iter::once(source).chain(more.into_iter().flatten().map(String::as_str))
}

/// Upper bound of the confidence that outcomes and links of untrusted sources can reach.
pub const CEILING: f64 = 0.7;

/// First parts of tags that describe the agent or a mind.
const RESERVED: [&str; 2] = ["self", "mind"];

/// Returns true if a tag or category describes the agent. Only the agent and its users may add
/// those.
pub fn is_reserved(label: &str) -> bool {
    let first = label.trim().split('/').next().unwrap_or_default().trim().to_lowercase();
    RESERVED.contains(&first.as_str())
}

/// The untrusted sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UntrustedSources(Vec<String>);

impl Default for UntrustedSources {
    fn default() -> Self {
        Self(Self::USUAL.map(str::to_owned).to_vec())
    }
}

impl UntrustedSources {
    /// The default list.
    pub const USUAL: [&'static str; 4] = ["document", "import", "peer", "tool"];

    /// Creates a list of names. `document` and `peer` also match every document and peer, and a
    /// name matches everything after it and a colon: `tool` matches `tool:web`.
    pub fn new(names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self(names.into_iter().map(|name| name.into().trim().to_lowercase()).filter(|name| !name.is_empty()).collect())
    }

    /// Returns true if a source is untrusted.
    pub fn names(&self, source: &str) -> bool {
        let source = source.trim().to_lowercase();
        let kind = source.split(':').next().unwrap_or_default();
        self.0.iter().any(|name| *name == source || name == kind)
    }

    /// Returns true if this provenance is untrusted.
    pub fn hold(&self, source: &str, brought: &BroughtBy) -> bool {
        let listed = |name: &str| self.0.iter().any(|listed| listed == name);
        names(source, brought).any(|name| self.names(name))
            || brought.document.is_some() && listed("document")
            || brought.peer.is_some() && listed("peer")
    }

    /// Returns true if a block is untrusted.
    pub fn distrust(&self, block: &Block) -> bool {
        self.hold(&block.source, &block.brought_by)
    }

    /// Returns the tags that a block may have: all, or only unreserved ones if it is untrusted.
    pub fn permitted(&self, block: &Block, tags: Vec<Tag>) -> Vec<Tag> {
        if self.distrust(block) { tags.into_iter().filter(|tag| !is_reserved(tag.as_str())).collect() } else { tags }
    }

    /// Returns the upper bound of the confidence for a source. `None` for trusted sources.
    pub fn ceiling_for(&self, source: &str) -> Option<Confidence> {
        self.names(source).then(|| Confidence::saturating(CEILING))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actors_parse_to_surface_and_client() {
        let brought = BroughtBy::actor("mcp:claude-code");
        assert_eq!((brought.surface.as_deref(), brought.client.as_deref()), (Some("mcp"), Some("claude-code")));
        assert_eq!(BroughtBy::actor("cli").in_words(), "cli");
        assert_eq!(BroughtBy { document: Some("a.md".into()), ..brought }.in_words(), "mcp:claude-code, document a.md");
        assert_eq!(BroughtBy::default().in_words(), "unknown");
    }

    #[test]
    fn provenance_round_trips_through_a_line() {
        for actor in ["cli", "mcp:claude-code", ""] {
            let brought = BroughtBy { document: Some("a.md".into()), ..BroughtBy::actor(actor) };
            assert_eq!(BroughtBy::from_line(&brought.to_line()), brought);
        }
        assert_eq!(BroughtBy::from_line(""), BroughtBy::default());
    }

    #[test]
    fn documents_imports_peers_and_tools_are_untrusted() {
        let usual = UntrustedSources::default();
        let by = |actor: &str| BroughtBy::actor(actor);
        for (source, brought) in [
            ("document", by("cli")),
            ("tool:web", by("mcp:agent")),
            ("Tool", by("mcp")),
            ("note", by("import")),
            ("cli", BroughtBy { peer: Some("bob".into()), ..by("cli") }),
            ("cli", BroughtBy { document: Some("a.md".into()), ..by("cli") }),
        ] {
            assert!(usual.hold(source, &brought), "{source} {brought:?}");
        }
        for (source, brought) in [("cli", by("cli")), ("mcp:agent", by("mcp:agent")), ("toolbox", by("library"))] {
            assert!(!usual.hold(source, &brought), "{source} {brought:?}");
        }
        let own = UntrustedSources::new(["Rumour", " "]);
        assert!(own.hold("rumour:cafe", &by("cli")) && !own.hold("document", &by("cli")));
    }

    #[test]
    fn reserved_labels_are_recognised_ignoring_case() {
        for label in ["self", "self/value", " SELF/Goal", "mind/ada"] {
            assert!(is_reserved(label), "{label}");
        }
        assert!(!is_reserved("topic/self") && !is_reserved("selfish"));
    }
}
