//! Who brought a block, and whether that is someone to be believed.
//!
//! What a person or the agent says is theirs to say. What comes out of a document, a tool, an import or a peer is somebody
//! else's text: it may be true and useful, and it may be written to be read by a machine. Such a block is recalled like any other, but it
//! does not say who the agent is, and it does not raise a belief beyond [`CEILING`].

use serde::{Deserialize, Serialize};

use crate::block::{Block, Tag};
use crate::unit::Confidence;

/// By which way a block came in.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct BroughtBy {
    /// The surface: `cli`, `mcp`, `http`, `hook`, `library` or `import`; none for blocks from before this was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surface: Option<String>,
    /// The program behind the surface, by its own name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// The document it is a part of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// The peer that sent it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peer: Option<String>,
}

/// What stands between the parts of a line.
const SEPARATOR: char = '\u{1f}';

/// The surface of what is imported.
pub const IMPORT: &str = "import";

impl BroughtBy {
    /// Reads an actor of the journal: the surface, a colon, the client.
    pub fn actor(actor: &str) -> Self {
        let (surface, client) = match actor.split_once(':') {
            Some((surface, client)) => (surface, Some(client.trim()).filter(|client| !client.is_empty())),
            None => (actor, None),
        };
        let surface = Some(surface.trim()).filter(|surface| !surface.is_empty());
        Self { surface: surface.map(str::to_owned), client: client.map(str::to_owned), ..Self::default() }
    }

    /// All of it as one line, for an index that keeps it beside other things.
    pub fn to_line(&self) -> String {
        let part = |text: &Option<String>| text.as_deref().unwrap_or_default().replace(SEPARATOR, " ");
        [&self.surface, &self.client, &self.document, &self.peer].map(part).join(&SEPARATOR.to_string())
    }

    /// Reads what [`to_line`](Self::to_line) wrote.
    pub fn from_line(line: &str) -> Self {
        let mut parts = line.split(SEPARATOR).map(|part| Some(part.to_owned()).filter(|part| !part.is_empty()));
        let mut next = || parts.next().flatten();
        Self { surface: next(), client: next(), document: next(), peer: next() }
    }

    /// What is known, in words: `mcp:claude-code, document notes.md`.
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

/// The names under which a block's origin can be asked for.
pub fn names<'a>(source: &'a str, brought: &'a BroughtBy) -> impl Iterator<Item = &'a str> {
    let more = [&brought.surface, &brought.client, &brought.document, &brought.peer];
    std::iter::once(source).chain(more.into_iter().flatten().map(String::as_str))
}

/// An outcome or a link from a source that is not trusted raises a confidence up to here and no further.
pub const CEILING: f64 = 0.7;

/// Tags that say who the agent is, or how a mind works, begin with one of these.
const RESERVED: [&str; 2] = ["self", "mind"];

/// Whether a tag or category says who the agent is: only the agent and its people say that.
pub fn is_reserved(label: &str) -> bool {
    let first = label.trim().split('/').next().unwrap_or_default().trim().to_lowercase();
    RESERVED.contains(&first.as_str())
}

/// Sources whose word is not taken for the agent's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UntrustedSources(Vec<String>);

impl Default for UntrustedSources {
    fn default() -> Self {
        Self(Self::USUAL.map(str::to_owned).to_vec())
    }
}

impl UntrustedSources {
    /// What is not trusted unless someone says otherwise.
    pub const USUAL: [&'static str; 4] = ["document", "import", "peer", "tool"];

    /// A list of names. `document` and `peer` also stand for every document and every peer, and a name stands for what follows it
    /// behind a colon: `tool` for `tool:web`.
    pub fn new(names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self(names.into_iter().map(|name| name.into().trim().to_lowercase()).filter(|name| !name.is_empty()).collect())
    }

    /// Whether a source of that name is one of them.
    pub fn names(&self, source: &str) -> bool {
        let source = source.trim().to_lowercase();
        let kind = source.split(':').next().unwrap_or_default();
        self.0.iter().any(|name| *name == source || name == kind)
    }

    /// Whether what came in that way is not trusted.
    pub fn hold(&self, source: &str, brought: &BroughtBy) -> bool {
        let listed = |name: &str| self.0.iter().any(|listed| listed == name);
        names(source, brought).any(|name| self.names(name))
            || brought.document.is_some() && listed("document")
            || brought.peer.is_some() && listed("peer")
    }

    /// Whether a block is not trusted.
    pub fn distrust(&self, block: &Block) -> bool {
        self.hold(&block.source, &block.brought_by)
    }

    /// The tags that a block may have: all of them, or those that are not reserved.
    pub fn permitted(&self, block: &Block, tags: Vec<Tag>) -> Vec<Tag> {
        if self.distrust(block) { tags.into_iter().filter(|tag| !is_reserved(tag.as_str())).collect() } else { tags }
    }

    /// How far an outcome or a link of that source may raise a confidence; none for as far as it goes.
    pub fn ceiling_for(&self, source: &str) -> Option<Confidence> {
        self.names(source).then(|| Confidence::saturating(CEILING))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_actor_is_a_surface_and_a_client() {
        let brought = BroughtBy::actor("mcp:claude-code");
        assert_eq!((brought.surface.as_deref(), brought.client.as_deref()), (Some("mcp"), Some("claude-code")));
        assert_eq!(BroughtBy::actor("cli").in_words(), "cli");
        assert_eq!(BroughtBy { document: Some("a.md".into()), ..brought }.in_words(), "mcp:claude-code, document a.md");
        assert_eq!(BroughtBy::default().in_words(), "unknown");
    }

    #[test]
    fn a_line_gives_everything_back() {
        for actor in ["cli", "mcp:claude-code", ""] {
            let brought = BroughtBy { document: Some("a.md".into()), ..BroughtBy::actor(actor) };
            assert_eq!(BroughtBy::from_line(&brought.to_line()), brought);
        }
        assert_eq!(BroughtBy::from_line(""), BroughtBy::default());
    }

    #[test]
    fn documents_imports_peers_and_tools_are_not_trusted_and_people_and_agents_are() {
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
    fn reserved_labels_are_known_however_they_are_written() {
        for label in ["self", "self/value", " SELF/Goal", "mind/ada"] {
            assert!(is_reserved(label), "{label}");
        }
        assert!(!is_reserved("topic/self") && !is_reserved("selfish"));
    }
}
