//! A memory in a few lines: what the verbs mean, without a store, a journal or a model.

use std::collections::{BTreeMap, BTreeSet};

use elfmem_core::BlockStatus;

use super::believing::Told;

/// A text by its number.
pub(crate) type Text = usize;

/// How fast an ordinary block fades.
pub(crate) const STANDARD: f64 = 0.010;

/// What the model knows of one block.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ModelBlock {
    pub(crate) status: BlockStatus,
    pub(crate) tags: BTreeSet<String>,
    pub(crate) pinned: bool,
    pub(crate) successor: Option<Text>,
    pub(crate) confidence: f64,
    pub(crate) evidence: f64,
    pub(crate) told: Vec<Told>,
    pub(crate) rate: f64,
    pub(crate) uses: u32,
    pub(crate) used_at: f64,
    /// What it had when it was archived last.
    pub(crate) dropped: Option<Dropped>,
}

/// What a block had when it was archived.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Dropped {
    status: BlockStatus,
    tags: BTreeSet<String>,
    edges: BTreeMap<Text, ModelEdge>,
    faded: bool,
}

/// What the model knows of one edge.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ModelEdge {
    pub(crate) relation: String,
    pub(crate) origin: String,
    pub(crate) weight: f64,
    pub(crate) uses: u32,
    pub(crate) used_at: Option<f64>,
    /// The end it was asserted from, if someone asserted it.
    pub(crate) from: Option<Text>,
}

impl ModelEdge {
    pub(crate) fn new(relation: &str, origin: &str, weight: f64) -> Self {
        Self { relation: relation.into(), origin: origin.into(), weight, uses: 0, used_at: None, from: None }
    }

    pub(crate) fn confirm(&mut self, gain: f64, now: f64) {
        self.weight = (self.weight + gain).min(1.0);
        self.uses += 1;
        self.used_at = Some(now);
    }
}

/// What the model knows of a memory.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Model {
    pub(crate) blocks: BTreeMap<Text, ModelBlock>,
    pub(crate) edges: BTreeMap<(Text, Text), ModelEdge>,
}

pub(crate) fn pair(a: Text, b: Text) -> (Text, Text) {
    (a.min(b), a.max(b))
}

impl ModelBlock {
    fn new(tags: BTreeSet<String>, now: f64) -> Self {
        Self {
            status: BlockStatus::Inbox,
            tags,
            pinned: false,
            successor: None,
            confidence: 0.5,
            evidence: 0.0,
            told: Vec::new(),
            rate: STANDARD,
            uses: 0,
            used_at: now,
            dropped: None,
        }
    }

    pub(crate) fn use_at(&mut self, now: f64) {
        self.uses += 1;
        self.used_at = self.used_at.max(now);
    }
}

impl Model {
    /// The block that a text leads to.
    pub(crate) fn head(&self, text: Text) -> Option<Text> {
        let mut head = text;
        while let Some(next) = self.blocks.get(&head)?.successor {
            head = next;
        }
        Some(head)
    }

    /// The living block that a text leads to.
    pub(crate) fn living(&self, text: Text) -> Option<Text> {
        self.head(text).filter(|head| self.blocks[head].status != BlockStatus::Archived)
    }

    /// The active block that a text leads to.
    pub(crate) fn active(&self, text: Text) -> Option<Text> {
        self.head(text).filter(|head| self.blocks[head].status == BlockStatus::Active)
    }

    fn edges_of(&self, text: Text) -> BTreeMap<Text, ModelEdge> {
        let own = self.edges.iter().filter(|((a, b), _)| *a == text || *b == text);
        own.map(|((a, b), edge)| (if *a == text { *b } else { *a }, edge.clone())).collect()
    }

    /// Stores a text; whether it is new.
    pub(crate) fn learn(&mut self, text: Text, tags: BTreeSet<String>, now: f64) -> bool {
        match self.blocks.get_mut(&text) {
            Some(block) if block.status == BlockStatus::Archived => {
                (block.status, block.tags, block.rate) = (BlockStatus::Inbox, tags, STANDARD);
                (block.successor, block.dropped, block.used_at) = (None, None, block.used_at.max(now));
                true
            }
            Some(block) => {
                block.tags.extend(tags);
                block.use_at(now);
                false
            }
            None => {
                self.blocks.insert(text, ModelBlock::new(tags, now));
                true
            }
        }
    }

    pub(crate) fn dream(&mut self, now: f64) {
        for block in self.blocks.values_mut().filter(|block| block.status == BlockStatus::Inbox) {
            block.status = BlockStatus::Active;
            block.use_at(now);
        }
    }

    /// Promotes those of some texts that wait in the inbox.
    pub(crate) fn promote(&mut self, texts: &[Text], now: f64) {
        for text in texts {
            let Some(head) = self.living(*text) else { continue };
            let block = self.blocks.get_mut(&head).unwrap();
            if block.status == BlockStatus::Inbox {
                block.status = BlockStatus::Active;
                block.use_at(now);
            }
        }
    }

    /// Archives a living block.
    pub(crate) fn archive(&mut self, text: Text, successor: Option<Text>) {
        let edges = self.edges_of(text);
        self.archive_with(text, edges, successor, false);
    }

    /// Archives what has faded. An edge between two of them goes with both.
    pub(crate) fn fade(&mut self, texts: &[Text]) {
        let edges: Vec<_> = texts.iter().map(|text| self.edges_of(*text)).collect();
        for (text, edges) in texts.iter().zip(edges) {
            self.archive_with(*text, edges, None, true);
        }
    }

    fn archive_with(&mut self, text: Text, edges: BTreeMap<Text, ModelEdge>, successor: Option<Text>, faded: bool) {
        self.edges.retain(|(a, b), _| *a != text && *b != text);
        let block = self.blocks.get_mut(&text).unwrap();
        let tags = std::mem::take(&mut block.tags);
        block.dropped = Some(Dropped { status: block.status, tags, edges, faded });
        (block.status, block.successor) = (BlockStatus::Archived, successor);
    }

    /// Lets a living block take the place of another.
    pub(crate) fn supersede(&mut self, old: Text, new: Text) {
        let (former, edges) = (self.blocks[&old].clone(), self.edges_of(old));
        self.archive(old, Some(new));
        let heir = self.blocks.get_mut(&new).unwrap();
        heir.tags.extend(former.tags.iter().cloned());
        heir.pinned |= former.pinned;
        heir.inherit(&former);
        for (other, edge) in edges.into_iter().filter(|(other, _)| *other != new) {
            let known = self.edges.get(&pair(other, new));
            if known.is_none_or(|known| known.origin == "similarity" && edge.origin != "similarity") {
                let from = edge.from.map(|end| if end == old { new } else { end });
                self.edges.insert(pair(other, new), ModelEdge { from, ..edge });
            }
        }
    }

    /// Puts another text in the place of a living one.
    pub(crate) fn edit(&mut self, old: Text, new: Text, now: f64) {
        let rate = self.blocks[&old].rate;
        self.learn(new, BTreeSet::new(), now);
        self.supersede(old, new);
        self.blocks.get_mut(&new).unwrap().rate = rate;
    }

    /// Brings an archived block back; whether there was one.
    pub(crate) fn restore(&mut self, text: Text, now: f64) -> bool {
        let Some(block) = self.blocks.get_mut(&text).filter(|block| block.status == BlockStatus::Archived) else {
            return false;
        };
        let dropped = block.dropped.take().unwrap();
        (block.status, block.tags, block.successor) = (dropped.status, dropped.tags, None);
        if dropped.faded {
            block.use_at(now);
        }
        for (other, edge) in dropped.edges {
            if self.blocks.get(&other).is_some_and(|other| other.status != BlockStatus::Archived) {
                self.edges.entry(pair(text, other)).or_insert(edge);
            }
        }
        true
    }

    /// The model without what counts uses, which no undo looks for.
    fn without_uses(&self) -> Self {
        let mut model = self.clone();
        for block in model.blocks.values_mut() {
            (block.uses, block.used_at) = (0, 0.0);
        }
        for edge in model.edges.values_mut() {
            (edge.uses, edge.used_at) = (0, None);
        }
        model
    }

    /// Whether more than uses differs.
    pub(crate) fn differs(&self, other: &Self) -> bool {
        self.without_uses() != other.without_uses()
    }

    /// Takes back the operation that led from `before` to `after`; uses that came since stay counted.
    pub(crate) fn take_back(&mut self, before: &Self, after: &Self) {
        let mut back = before.clone();
        for (text, block) in &mut back.blocks {
            let (Some(then), Some(now)) = (after.blocks.get(text), self.blocks.get(text)) else { continue };
            block.uses = uses_back(block.uses, then.uses, now.uses);
            block.used_at = stamp_back(block.used_at, then.used_at, now.used_at);
        }
        for (key, edge) in &mut back.edges {
            let (Some(then), Some(now)) = (after.edges.get(key), self.edges.get(key)) else { continue };
            edge.uses = uses_back(edge.uses, then.uses, now.uses);
            edge.used_at = stamp_back(edge.used_at, then.used_at, now.used_at);
        }
        *self = back;
    }
}

/// Later uses stay counted.
fn uses_back(before: u32, then: u32, now: u32) -> u32 {
    if now == then { before } else { now.saturating_sub(then.saturating_sub(before)) }
}

/// A stamp that later uses moved stays where they put it.
fn stamp_back<T: PartialEq>(before: T, then: T, now: T) -> T {
    if before != then && now == then { before } else { now }
}
