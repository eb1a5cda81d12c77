//! The vectors of cues: one for every line that says when a block should be recalled.

use std::collections::HashMap;
use std::sync::Arc;

use elfmem_index::{IndexError, VectorMatrix};
use elfmem_models::Embedder;

use crate::Result;

/// Cue vectors by row, and the block that each belongs to.
#[derive(Debug, Clone, Default)]
pub(crate) struct CueVectors(Arc<CueRows>);

#[derive(Debug, Clone, Default)]
struct CueRows {
    vectors: Option<VectorMatrix>,
    /// By row.
    owners: Vec<Option<u32>>,
    free: Vec<u32>,
    /// The rows of each block.
    by_slot: HashMap<u32, Vec<u32>>,
}

impl CueVectors {
    /// Embeds and adds the cues of some blocks, one a line.
    pub(crate) fn add(&mut self, embedder: &dyn Embedder, cued: &[(u32, String)]) -> Result<()> {
        let lines: Vec<(u32, &str)> =
            cued.iter().flat_map(|(slot, cue)| cue.lines().map(|line| (*slot, line))).collect();
        let texts: Vec<&str> = lines.iter().map(|(_, line)| *line).collect();
        let rows = Arc::make_mut(&mut self.0);
        for ((slot, _), vector) in lines.iter().zip(embedder.embed(&texts)?) {
            if let Some(vector) = vector {
                rows.insert(*slot, &vector)?;
            }
        }
        Ok(())
    }

    /// Removes the cues of a block.
    pub(crate) fn remove(&mut self, slot: u32) {
        if self.0.by_slot.contains_key(&slot) {
            Arc::make_mut(&mut self.0).remove(slot);
        }
    }

    /// Returns whether no block has a cue.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.by_slot.is_empty()
    }

    /// Returns the cosine of a question with the nearest cue of each block that has cues.
    pub(crate) fn cosines(&self, question: &[f32]) -> Result<HashMap<u32, f32>> {
        let Some(vectors) = &self.0.vectors else { return Ok(HashMap::new()) };
        let query = vectors.query(question)?;
        let mut nearest: HashMap<u32, f32> = HashMap::with_capacity(self.0.by_slot.len());
        for (row, owner) in (0..).zip(&self.0.owners) {
            if let (Some(slot), Some(cosine)) = (owner, vectors.cosine_of(&query, row)) {
                let best = nearest.entry(*slot).or_insert(f32::MIN);
                *best = best.max(cosine);
            }
        }
        Ok(nearest)
    }
}

impl CueRows {
    fn insert(&mut self, slot: u32, vector: &[f32]) -> std::result::Result<(), IndexError> {
        let vectors = match &mut self.vectors {
            Some(vectors) => vectors,
            None => self.vectors.insert(VectorMatrix::with_capacity(vector.len(), 1)?),
        };
        let row = self.free.pop().unwrap_or(self.owners.len() as u32);
        vectors.insert(row, vector)?;
        if row as usize == self.owners.len() {
            self.owners.push(None);
        }
        self.owners[row as usize] = Some(slot);
        self.by_slot.entry(slot).or_default().push(row);
        Ok(())
    }

    fn remove(&mut self, slot: u32) {
        for row in self.by_slot.remove(&slot).unwrap_or_default() {
            if let Some(vectors) = &mut self.vectors {
                vectors.remove(row);
            }
            self.owners[row as usize] = None;
            self.free.push(row);
        }
    }
}
