//! The requests of `link`, `unlink`, `links` and `chain`.

use elfmem_core::LinkEnd;

use crate::request::request;

/// The types of links.
const LINK_TYPES: &[&str] = &["related_to", "extends", "derived_from", "reinforces", "contradicts"];

request! {
    /// State that one thing confirms, contradicts, extends, derives from or relates to another.
    pub struct AddLink: "link" {
        command: "link",
        profile: Locus,
        effect: Writes idempotent,
        when: "New evidence supports or speaks against something stored, or one thing grew out of another.",
        when_not: "Two blocks merely belong together: connect() them.",
        cost: "Instant. One write.",
        returns: "LinkResult: reinforces adds 0.05 to the target's confidence up to 1.0, contradicts takes 0.10 down to \
                  0.2; the others move nothing. The same link counts once.",
        next: "unlink() takes it back; chain() shows what stands behind a block.",
        example: "elfmem link 6b0c8d3a reinforces 1f3a9c02",
        answers: &[
            field("from", Text),
            field("link_type", Text),
            field("to", Text),
            field("layer", Text),
            field("created", Flag),
            field("resolved", Flag),
            field("effects", Objects),
        ],
    }
    needs {
        /// Where it starts: a block or a context
        from: String => place("FROM").also(&["source"]),
        /// What it says
        link_type: String => place("TYPE").one_of(LINK_TYPES).also(&["relation"]),
        /// Where it ends: a block or a context
        to: String => place("TO").also(&["target"]),
    }
    takes {
        /// Why
        note: String => option("--note", "TEXT"),
    }
}

request! {
    /// Remove a link and compute confidence again without it.
    pub struct Unlink: "unlink" {
        command: "unlink",
        profile: Locus,
        effect: Writes idempotent,
        when: "A link was wrong.",
        when_not: "Things have changed since: say so with another link.",
        cost: "Instant. One write.",
        returns: "UnlinkResult: whether there was one, and whose confidence moved.",
        next: "Nothing.",
        example: "elfmem unlink 6b0c8d3a reinforces 1f3a9c02",
        answers: &[
            field("from", Text),
            field("link_type", Text),
            field("to", Text),
            field("removed", Flag),
            field("effects", Objects),
        ],
    }
    needs {
        /// Where it starts: a block or a context
        from: String => place("FROM").also(&["source"]),
        /// What it says
        link_type: String => place("TYPE").one_of(LINK_TYPES).also(&["relation"]),
        /// Where it ends: a block or a context
        to: String => place("TO").also(&["target"]),
    }
}

request! {
    /// List links, the oldest first.
    pub struct ListLinks: "links" {
        command: "links",
        profile: All,
        effect: Reads,
        when: "You want to see what was stated, about one block or at all, or which contexts links wait for.",
        when_not: "You want what stands behind one block: chain().",
        cost: "Fast. One read.",
        returns: "The links with who made them and when.",
        next: "unlink() what is wrong.",
        example: "elfmem links 6b0c8d3a",
        answers: &[field("count", Count), field("links", Objects)],
    }
    takes {
        /// Only those that start or end at this block or context
        block_id: String => place("BLOCK").also(&["block", "id"]),
        /// Only those that start at this block or context
        from: String => option("--from", "END").also(&["source"]),
        /// Only those that end at this block or context
        to: String => option("--to", "END").also(&["target"]),
        /// Only of this type
        link_type: String => option("--type", "TYPE").one_of(LINK_TYPES).also(&["relation"]),
        /// Only those that wait for their context
        unresolved: bool => flag("--unresolved"),
        /// At most this many; 0 for all
        limit: u32 = 100 => option("--limit", "COUNT").also(&["top_k"]),
    }
    beside {
        /// Blocks or contexts of which links must start at one.
        from_any: Option<Vec<LinkEnd>>,
        /// Blocks or contexts of which links must end at one.
        to_any: Option<Vec<LinkEnd>>,
    }
}

impl ListLinks {
    /// Lists all links that start at one of these blocks or contexts.
    pub fn from_any(ends: impl IntoIterator<Item = LinkEnd>) -> Self {
        Self { from_any: Some(ends.into_iter().collect()), ..Self::new().limit(0) }
    }

    /// Lists all links that end at one of these blocks or contexts.
    pub fn to_any(ends: impl IntoIterator<Item = LinkEnd>) -> Self {
        Self { to_any: Some(ends.into_iter().collect()), ..Self::new().limit(0) }
    }
}

request! {
    /// Show what a block was derived from, as a tree.
    pub struct ShowChain: "chain" {
        command: "chain",
        profile: Locus,
        effect: Reads,
        when: "You want to know why something is believed, or where a lesson comes from.",
        when_not: "You want why it was recalled: why().",
        cost: "Fast. A few reads.",
        returns: "Chain: the block, what it is linked to, and what that is linked to.",
        next: "show() a block of it.",
        example: "elfmem chain 6b0c8d3a",
        answers: &[field("way", Text), field("nodes", Count), field("cut", Flag), field("root", Object)],
    }
    needs {
        /// Which block, or context
        block_id: String => place("BLOCK").also(&["block", "id"]),
    }
    takes {
        /// Show what was derived from it instead
        ahead: bool => flag("--ahead"),
        /// How many steps
        depth: usize = 8 => option("--depth", "COUNT"),
    }
}
