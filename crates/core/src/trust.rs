//! Trust: who speaks with the owner's voice, and who does not.
//!
//! A short allow-list decides. A person, the agent and the programs that they use are on it (the five
//! sources of seed 004 among them). Everybody else is untrusted, with a name: documents, tools, web
//! pages, mail, imports, peers and every name nobody has heard of. Trust is derived from the
//! provenance of a block whenever it is needed, and stored nowhere.

mod name;

use crate::block::{Block, Tag};
use crate::document::short_name;
use crate::provenance::{self, BroughtBy, IMPORT};
use crate::unit::Confidence;

pub use name::skeleton;

/// Upper bound of the confidence that outcomes and links of untrusted sources can reach.
pub const CEILING: f64 = 0.7;

/// First parts of tags that describe the agent or a mind.
const RESERVED: [&str; 2] = ["self", "mind"];

/// Returns true if a tag or category describes the agent. Only trusted sources may add those. Hidden characters and
/// look-alike letters make no difference.
pub fn is_reserved(label: &str) -> bool {
    let label = skeleton(label);
    let first = label.split(['/', '\u{2044}', '\u{2215}', '\u{ff0f}']).next().unwrap_or_default();
    RESERVED.contains(&first.trim())
}

/// Whether somebody speaks for the owner of the memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Trust {
    /// Data: it can be recalled, and it changes nothing that the owner said.
    Untrusted,
    /// The owner, the agent, or a program that works for them.
    Owner,
}

/// Who says something: a source with the way by which it came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Speaker<'a> {
    /// The name of the source. Empty if nobody is named: then the program at the surface speaks.
    pub source: &'a str,
    /// The way by which it came.
    pub brought_by: &'a BroughtBy,
}

impl<'a> From<&'a Block> for Speaker<'a> {
    fn from(block: &'a Block) -> Self {
        Self { source: &block.source, brought_by: &block.brought_by }
    }
}

impl Speaker<'_> {
    /// Returns true if one of the speaker's names is `name`, or begins with it and a colon. Case, white
    /// space, hidden characters and look-alike letters make no difference. A document that is a file may be
    /// named without its folders. `document` and `peer` name every document and every peer, `mcp:NAME` the
    /// client whatever source it claims, `document:NAME` and `peer:NAME` one of them.
    pub fn is_named(&self, name: &str) -> bool {
        let name = skeleton(name);
        let is_it = |own: &str| {
            let own = skeleton(own);
            own == name || own.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with(':'))
        };
        let BroughtBy { surface, client, document, peer } = self.brought_by;
        let document = document.as_deref();
        let in_class = |class: &str, own: Option<&str>| own.is_some_and(|own| is_it(&format!("{class}:{own}")));
        !name.is_empty()
            && (provenance::names(self.source, self.brought_by).any(is_it)
                || document.is_some_and(|document| is_it(short_name(document)))
                || in_class(surface.as_deref().unwrap_or_default(), client.as_deref())
                || in_class(DOCUMENT, document)
                || in_class(DOCUMENT, document.map(short_name))
                || in_class(PEER, peer.as_deref()))
    }
}

/// The class of all documents, and the source of a document that names none.
const DOCUMENT: &str = "document";
/// The class of all peers.
const PEER: &str = "peer";

/// Sources that speak for the owner: the five of seed 004, the synonyms that events have for them, and `api`, which stands for
/// a client that names no source.
const OWNER: [&str; 9] = ["user", "agent", "assistant", "model", "system", "validator", "verified", "executor", "api"];

/// Sources that speak for the owner on the command line, in an embedding program and in older memories, which name no surface.
/// Whoever speaks to a server chooses its words, and these are none of the five.
const OWNER_AT_HOME: [&str; 5] = ["policy", "derived", "init", "mind_create", "elfmem"];
/// Surfaces of servers and hosts.
const REMOTE: [&str; 3] = ["mcp", "http", "hook"];

/// Surfaces, which also name their client: `mcp:claude-code`.
const SURFACES: [&str; 5] = ["cli", "mcp", "http", "hook", "library"];

/// Decides who is trusted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TrustPolicy {
    trusted: Vec<String>,
    untrusted: Vec<String>,
}

impl TrustPolicy {
    /// Adds names to the allow-list, and takes names off it; the second goes first.
    ///
    /// A name stands for itself and for everything after it and a colon. `document` and `peer` stand for
    /// every document and every peer, `document:NAME` and `peer:NAME` for one of them.
    pub fn new<T: Into<String>>(trusted: impl IntoIterator<Item = T>, untrusted: impl IntoIterator<Item = T>) -> Self {
        fn names<T: Into<String>>(names: impl IntoIterator<Item = T>) -> Vec<String> {
            names
                .into_iter()
                .map(|name| name.into().trim().to_ascii_lowercase())
                .filter(|name| !name.is_empty())
                .collect()
        }
        Self { trusted: names(trusted), untrusted: names(untrusted) }
    }

    /// Returns whether somebody speaks for the owner.
    pub fn trust_of<'a>(&self, speaker: impl Into<Speaker<'a>>) -> Trust {
        if self.trusts(speaker) { Trust::Owner } else { Trust::Untrusted }
    }

    /// Returns true if somebody speaks for the owner.
    pub fn trusts<'a>(&self, speaker: impl Into<Speaker<'a>>) -> bool {
        let speaker: Speaker<'a> = speaker.into();
        let Speaker { source, brought_by } = speaker;
        let BroughtBy { surface, document, peer, .. } = brought_by;
        if self.untrusted.iter().any(|name| speaker.is_named(name)) {
            return false;
        }
        if peer.as_ref().is_some_and(|peer| !self.adds_one_of(PEER, peer))
            || document.as_ref().is_some_and(|document| !self.adds_one_of(DOCUMENT, document))
        {
            return false;
        }
        let imported = surface.as_deref().is_some_and(|surface| skeleton(surface) == IMPORT);
        if imported && peer.is_none() && !self.adds(IMPORT) {
            return false;
        }
        let source = source.trim().to_ascii_lowercase();
        let of_trusted_document = document.is_some() && source == DOCUMENT;
        source.is_empty()
            || of_trusted_document
            || OWNER.contains(&source.as_str())
            || (surface.is_none() || imported) && names_a_client(&source)
            || !is_remote(surface.as_deref()) && (OWNER_AT_HOME.contains(&source.as_str()) || names_a_surface(&source))
            || is_own_name(&source, brought_by) && !imported
            || self.adds(&source)
    }

    /// Returns true if a source without a provenance of its own is trusted.
    pub fn trusts_source(&self, source: &str) -> bool {
        self.trusts(Speaker { source, brought_by: &BroughtBy::default() })
    }

    /// Returns the tags that a block may have: all, or only unreserved ones if it is untrusted.
    pub fn permitted(&self, block: &Block, tags: Vec<Tag>) -> Vec<Tag> {
        if self.trusts(block) { tags } else { tags.into_iter().filter(|tag| !is_reserved(tag.as_str())).collect() }
    }

    /// Returns true if a name is added to the allow-list. Only the exact letters count: a look-alike of a
    /// trusted name is another name.
    fn adds(&self, name: &str) -> bool {
        self.trusted.iter().any(|listed| {
            listed == name || name.strip_prefix(listed.as_str()).is_some_and(|rest| rest.starts_with(':'))
        })
    }

    fn adds_one_of(&self, class: &str, name: &str) -> bool {
        self.adds(class) || self.adds(&format!("{class}:{}", name.trim().to_ascii_lowercase()))
    }
}

impl Trust {
    /// Returns the upper bound of the confidence that somebody can raise a block to. `None` for the owner.
    pub fn ceiling(self) -> Option<Confidence> {
        (self == Self::Untrusted).then(|| Confidence::saturating(CEILING))
    }
}

/// Returns true for the surface of a server or a host.
fn is_remote(surface: Option<&str>) -> bool {
    surface.is_some_and(|surface| REMOTE.contains(&skeleton(surface).as_str()))
}

fn names_a_surface(source: &str) -> bool {
    SURFACES.contains(&source)
}

/// Returns true for `mcp:claude-code`, which is how older memories and exports name the program that stored a block. A web
/// address names no client, and a program that is known speaks in its own name only.
fn names_a_client(source: &str) -> bool {
    source.split_once(':').is_some_and(|(surface, client)| {
        SURFACES.contains(&surface) && client.starts_with(|first: char| first.is_alphanumeric())
    })
}

/// Returns true if a source is the program that brought it: the default of a source that is not named.
fn is_own_name(source: &str, brought_by: &BroughtBy) -> bool {
    let BroughtBy { surface: Some(surface), client, .. } = brought_by else { return false };
    let surface = surface.trim().to_ascii_lowercase();
    match client {
        Some(client) => source == surface || source == format!("{surface}:{}", client.trim().to_ascii_lowercase()),
        None => source == surface,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn trusts(policy: &TrustPolicy, source: &str, brought_by: &BroughtBy) -> bool {
        policy.trusts(Speaker { source, brought_by })
    }

    fn by(actor: &str) -> BroughtBy {
        BroughtBy::actor(actor)
    }

    #[test]
    fn a_web_address_and_the_name_of_another_program_do_not_speak_for_the_owner() {
        let policy = TrustPolicy::default();
        for source in ["http://evil.example/page", "http:x", "mcp:github", "mcp:", "hook:x", "library:x", "cli:x"] {
            for actor in ["cli", "mcp:agent", "http:app"] {
                assert!(!trusts(&policy, source, &by(actor)), "{source} by {actor}");
            }
        }
        assert!(!policy.trusts_source("http://evil.example/page"));
        assert!(policy.trusts_source("mcp:agent"), "an older memory names no surface");
    }

    #[test]
    fn hidden_characters_and_look_alikes_do_not_open_reserved_tags() {
        for tag in ["self/value", "Self/goal", "self\u{200b}/value", "s\u{2066}elf/x", "\u{455}elf/x", "self\u{2215}x"]
        {
            assert!(is_reserved(tag), "{tag:?}");
        }
        assert!(!is_reserved("selfish/value") && !is_reserved("topic/self"));
    }

    #[test]
    fn the_sources_of_seed_004_and_the_program_itself_speak_for_the_owner() {
        let policy = TrustPolicy::default();
        for source in ["user", "agent", "system", "validator", "executor", "User", " agent ", "", "mcp", "mcp:agent"] {
            assert!(trusts(&policy, source, &by("mcp:agent")), "{source}");
        }
        for actor in ["cli", "library", "my-program", "my-program:worker"] {
            assert!(trusts(&policy, actor, &by(actor)), "{actor}");
        }
        assert!(trusts(&policy, "api", &BroughtBy::default()), "older memories name no surface");
    }

    #[test]
    fn a_client_cannot_choose_a_trusted_name_beside_the_five() {
        let policy = TrustPolicy::default();
        for source in OWNER_AT_HOME {
            for actor in ["mcp:agent", "MCP", "http:app", "hook"] {
                assert!(!trusts(&policy, source, &by(actor)), "{source} by {actor}");
            }
            assert!(!trusts(&policy, "cli", &by("mcp:agent")), "the name of another surface");
            assert!(trusts(&policy, source, &by("cli")) && trusts(&policy, source, &by("my-program")), "{source}");
            assert!(trusts(&TrustPolicy::new([source], []), source, &by("mcp:agent")), "a setting adds {source}");
        }
    }

    #[test]
    fn everybody_else_is_untrusted() {
        let policy = TrustPolicy::default();
        for source in [
            "document",
            "tool",
            "tool:web",
            "tool-web",
            "web",
            "https://user.example",
            "email",
            "Caroline",
            "user2",
            "user:mallory",
            "agent x",
            "import",
            "peer",
            "toolbox",
            // Look-alikes of trusted names: full-width, Cyrillic, a hidden character, another case mapping.
            "ｕｓｅｒ",
            "usеr",
            "us\u{200b}er",
            "user\u{202e}",
            "\u{1}user",
            "hoo\u{212a}",
            "system\u{307}",
        ] {
            assert!(!trusts(&policy, source, &by("cli")), "{source:?}");
        }
        for brought in [
            by("import"),
            BroughtBy { peer: Some("bob".into()), ..by("cli") },
            BroughtBy { document: Some("a.md".into()), ..by("cli") },
        ] {
            assert!(!trusts(&policy, "user", &brought), "{brought:?}");
        }
        assert!(!trusts(&policy, "import", &by("import")), "an import does not vouch for itself");
    }

    #[test]
    fn settings_add_trust_and_take_it_away() {
        let policy =
            TrustPolicy::new(["Caroline", "tool:ci", "document:handbook.md", "peer:ana"], ["mcp:bot", "validator"]);
        for (source, brought) in [
            ("caroline", by("cli")),
            ("tool:ci:lint", by("cli")),
            ("document", BroughtBy { document: Some("Handbook.md".into()), ..by("cli") }),
            ("cli", BroughtBy { peer: Some("ana".into()), ..by("import") }),
        ] {
            assert!(trusts(&policy, source, &brought), "{source} {brought:?}");
        }
        for (source, brought) in [
            ("tool", by("cli")),
            ("tool:web", by("cli")),
            ("document", BroughtBy { document: Some("other.md".into()), ..by("cli") }),
            ("cli", BroughtBy { peer: Some("bob".into()), ..by("import") }),
            ("web", BroughtBy { peer: Some("ana".into()), ..by("import") }),
            ("mcp:bot", by("mcp:bot")),
            ("Validator", by("cli")),
            ("vаlidator", by("cli")),
        ] {
            assert!(!trusts(&policy, source, &brought), "{source} {brought:?}");
        }
        assert!(trusts(&TrustPolicy::new(["import", "note"], []), "note", &by("import")));
    }

    #[test]
    fn who_lost_trust_has_none_whatever_source_it_claims() {
        let policy = TrustPolicy::new(["document", "peer"], ["mcp:bot", "document:evil.md", "peer:bob"]);
        let document = |name: &str| BroughtBy { document: Some(name.into()), ..by("cli") };
        let peer = |name: &str| BroughtBy { peer: Some(name.into()), ..by("import") };
        for source in ["", "user", "agent", "mcp", "mcp:bot", "validator"] {
            assert!(!trusts(&policy, source, &by("mcp:bot")), "{source}");
            assert!(!trusts(&policy, source, &by("MCP: Bot ")), "{source}");
            assert!(trusts(&policy, source, &by("mcp:robot")) || source == "mcp:bot", "{source}");
        }
        assert!(
            !trusts(&policy, "document", &document("/tmp/evil.md")) && trusts(&policy, "document", &document("b.md"))
        );
        assert!(!trusts(&policy, "user", &peer("Bob")) && trusts(&policy, "user", &peer("ana")));
    }

    #[test]
    fn a_speaker_is_found_by_each_of_its_names_however_they_are_written() {
        let brought = BroughtBy { document: Some("a.md".into()), ..by("mcp:claude") };
        let speaker = Speaker { source: "tооl:Web", brought_by: &brought };
        for name in ["tool", "TOOL", "ｔool", "to\u{200b}ol", "tool:web", "a.md", "claude", "mcp", "document"] {
            assert!(speaker.is_named(name), "{name}");
        }
        for name in ["", "web", "too", "peer", "b.md"] {
            assert!(!speaker.is_named(name), "{name}");
        }
    }

    #[test]
    fn reserved_labels_are_recognised_ignoring_case() {
        for label in ["self", "self/value", " SELF/Goal", "mind/ada"] {
            assert!(is_reserved(label), "{label}");
        }
        assert!(!is_reserved("topic/self") && !is_reserved("selfish"));
    }

    proptest! {
        #[test]
        fn no_unknown_name_is_trusted(source in "\\PC{1,20}") {
            let known = OWNER.iter().chain(&OWNER_AT_HOME).chain(&SURFACES).any(|name| source.trim().to_lowercase().starts_with(name));
            prop_assume!(!known && !source.trim().is_empty());
            prop_assert!(!TrustPolicy::default().trusts_source(&source));
        }

        #[test]
        fn nothing_that_came_with_a_peer_or_a_document_is_trusted(source in "\\PC{0,12}", name in "\\PC{0,12}") {
            for brought in [
                BroughtBy { peer: Some(name.clone()), ..by("cli") },
                BroughtBy { document: Some(name.clone()), ..by("cli") },
            ] {
                prop_assert!(!trusts(&TrustPolicy::default(), &source, &brought));
            }
        }
    }
}
