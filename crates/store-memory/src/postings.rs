//! The full-text index: for each term the blocks that hold it.

use std::collections::{BTreeMap, HashMap};

use elfmem_text::bm25::TermFields;
use elfmem_text::terms::Term;

/// Occurrences of a term in the text, the cue and the tags of a block.
type FieldCounts = [u32; 3];

/// For each term the positions of the blocks that hold it, with the number of occurrences.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TermPostings(HashMap<String, BTreeMap<i64, FieldCounts>>);

impl TermPostings {
    /// Adds the terms of the block at a position.
    pub(crate) fn add(&mut self, position: i64, fields: &TermFields) {
        for (field, term) in occurrences(fields) {
            match self.0.get_mut(&term.text) {
                Some(blocks) => blocks.entry(position).or_default()[field] += 1,
                None => {
                    let mut counts = FieldCounts::default();
                    counts[field] = 1;
                    self.0.insert(term.text.clone(), BTreeMap::from([(position, counts)]));
                }
            }
        }
    }

    /// Removes the terms of the block at a position.
    pub(crate) fn remove(&mut self, position: i64, fields: &TermFields) {
        for (_, term) in occurrences(fields) {
            if let Some(blocks) = self.0.get_mut(&term.text) {
                blocks.remove(&position);
                if blocks.is_empty() {
                    self.0.remove(&term.text);
                }
            }
        }
    }

    /// Lists the blocks that hold a term by their positions, in order.
    pub(crate) fn get(&self, term: &str) -> impl Iterator<Item = (i64, FieldCounts)> {
        self.0.get(term).into_iter().flatten().map(|(position, counts)| (*position, *counts))
    }
}

fn occurrences(fields: &TermFields) -> impl Iterator<Item = (usize, &Term)> {
    let fields = [&fields.content, &fields.cue, &fields.tags].into_iter().enumerate();
    fields.flat_map(|(field, terms)| terms.iter().map(move |term| (field, term)))
}
