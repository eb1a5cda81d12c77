//! A memory in a few lines: what the verbs mean, without a store, a journal or a model.

use std::collections::{BTreeMap, BTreeSet};

use elfmem::core::BlockStatus;

/// A text by its number.
pub(crate) type Text = usize;

/// What the model knows of one block.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ModelBlock {
    pub(crate) status: BlockStatus,
    pub(crate) tags: BTreeSet<String>,
    pub(crate) pinned: bool,
    pub(crate) successor: Option<Text>,
    /// What it had when it was archived last.
    pub(crate) dropped: Option<(BlockStatus, BTreeSet<String>, BTreeSet<Text>)>,
}

/// What the model knows of a memory.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Model {
    pub(crate) blocks: BTreeMap<Text, ModelBlock>,
    pub(crate) edges: BTreeSet<(Text, Text)>,
}

fn pair(a: Text, b: Text) -> (Text, Text) {
    (a.min(b), a.max(b))
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

    fn partners(&self, text: Text) -> BTreeSet<Text> {
        self.edges
            .iter()
            .filter(|(a, b)| *a == text || *b == text)
            .map(|(a, b)| if *a == text { *b } else { *a })
            .collect()
    }

    /// Stores a text; whether it is new.
    pub(crate) fn learn(&mut self, text: Text, tags: BTreeSet<String>) -> bool {
        match self.blocks.get_mut(&text) {
            Some(block) if block.status != BlockStatus::Archived => {
                block.tags.extend(tags);
                false
            }
            known => {
                let pinned = known.is_some_and(|block| block.pinned);
                let (status, successor, dropped) = (BlockStatus::Inbox, None, None);
                self.blocks.insert(text, ModelBlock { status, tags, pinned, successor, dropped });
                true
            }
        }
    }

    pub(crate) fn dream(&mut self) {
        for block in self.blocks.values_mut().filter(|block| block.status == BlockStatus::Inbox) {
            block.status = BlockStatus::Active;
        }
    }

    /// Archives a living block.
    pub(crate) fn archive(&mut self, text: Text, successor: Option<Text>) {
        let partners = self.partners(text);
        self.edges.retain(|(a, b)| *a != text && *b != text);
        let block = self.blocks.get_mut(&text).unwrap();
        block.dropped = Some((block.status, std::mem::take(&mut block.tags), partners));
        (block.status, block.successor) = (BlockStatus::Archived, successor);
    }

    /// Lets a living block take the place of another.
    pub(crate) fn supersede(&mut self, old: Text, new: Text) {
        let (tags, pinned, partners) = (self.blocks[&old].tags.clone(), self.blocks[&old].pinned, self.partners(old));
        self.archive(old, Some(new));
        let heir = self.blocks.get_mut(&new).unwrap();
        heir.tags.extend(tags);
        heir.pinned |= pinned;
        self.edges.extend(partners.into_iter().filter(|other| *other != new).map(|other| pair(other, new)));
    }

    /// Brings an archived block back; whether there was one.
    pub(crate) fn restore(&mut self, text: Text) -> bool {
        let Some(block) = self.blocks.get_mut(&text).filter(|block| block.status == BlockStatus::Archived) else {
            return false;
        };
        let (status, tags, partners) = block.dropped.take().unwrap();
        (block.status, block.tags, block.successor) = (status, tags, None);
        let living = |other: &Text| self.blocks.get(other).is_some_and(|other| other.status != BlockStatus::Archived);
        let back: Vec<_> = partners.into_iter().filter(living).map(|other| pair(text, other)).collect();
        self.edges.extend(back);
        true
    }

    /// Joins two living blocks, or parts them; whether that changed anything.
    pub(crate) fn join(&mut self, a: Text, b: Text, joined: bool) -> bool {
        if joined { self.edges.insert(pair(a, b)) } else { self.edges.remove(&pair(a, b)) }
    }
}
