//! The provenance of blocks: by which way they entered the memory.

use serde::{Deserialize, Serialize};

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

    /// Describes the provenance on one line: `mcp:claude-code, document notes.md`.
    pub fn in_words(&self) -> String {
        let mut words = Vec::new();
        words.extend(self.surface.as_ref().map(|surface| match &self.client {
            Some(client) => format!("{surface}:{client}"),
            None => surface.clone(),
        }));
        words.extend(self.document.as_ref().map(|document| format!("document {document}")));
        words.extend(self.peer.as_ref().map(|peer| format!("peer {peer}")));
        if words.is_empty() { "unknown".to_owned() } else { on_one_line(&words.join(", ")) }
    }
}

/// Returns a text with single spaces instead of white space, so that a stored name fills no line of its own.
pub(crate) fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns all names by which the provenance of a block can be queried.
pub fn names<'a>(source: &'a str, brought: &'a BroughtBy) -> impl Iterator<Item = &'a str> {
    let more = [&brought.surface, &brought.client, &brought.document, &brought.peer];
    std::iter::once(source).chain(more.into_iter().flatten().map(String::as_str))
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
        let forged = BroughtBy { document: Some("a\n[dead]\u{2028}b".into()), ..BroughtBy::default() };
        assert_eq!(forged.in_words(), "document a [dead] b");
    }

    #[test]
    fn provenance_round_trips_through_a_line() {
        for actor in ["cli", "mcp:claude-code", ""] {
            let brought = BroughtBy { document: Some("a.md".into()), ..BroughtBy::actor(actor) };
            assert_eq!(BroughtBy::from_line(&brought.to_line()), brought);
        }
        assert_eq!(BroughtBy::from_line(""), BroughtBy::default());
    }
}
