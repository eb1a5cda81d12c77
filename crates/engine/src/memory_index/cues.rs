//! The meanings of cues: one small vector for every line that says when a block should come to mind.

use std::collections::HashMap;

use elfmem_index::{IndexError, VectorMatrix};
use elfmem_models::Embedder;

use crate::Result;

/// Cue vectors by row, and the block that each belongs to.
#[derive(Debug, Default)]
pub(crate) struct Cues {
    rows: Option<VectorMatrix>,
    /// By row.
    owners: Vec<Option<u32>>,
    free: Vec<u32>,
    /// The rows of each block.
    of_slot: HashMap<u32, Vec<u32>>,
}

impl Cues {
    /// Takes in the cues of some blocks, one a line.
    pub(crate) fn take(&mut self, embedder: &dyn Embedder, cued: &[(u32, String)]) -> Result<()> {
        let lines: Vec<(u32, &str)> =
            cued.iter().flat_map(|(slot, cue)| cue.lines().map(|line| (*slot, line))).collect();
        let texts: Vec<&str> = lines.iter().map(|(_, line)| *line).collect();
        for ((slot, _), vector) in lines.iter().zip(embedder.embed(&texts)?) {
            if let Some(vector) = vector {
                self.insert(*slot, &vector)?;
            }
        }
        Ok(())
    }

    fn insert(&mut self, slot: u32, vector: &[f32]) -> std::result::Result<(), IndexError> {
        let rows = match &mut self.rows {
            Some(rows) => rows,
            None => self.rows.insert(VectorMatrix::with_capacity(vector.len(), 1)?),
        };
        let row = self.free.pop().unwrap_or(self.owners.len() as u32);
        rows.insert(row, vector)?;
        if row as usize == self.owners.len() {
            self.owners.push(None);
        }
        self.owners[row as usize] = Some(slot);
        self.of_slot.entry(slot).or_default().push(row);
        Ok(())
    }

    /// Takes the cues of a block out.
    pub(crate) fn remove(&mut self, slot: u32) {
        if self.is_empty() {
            return;
        }
        for row in self.of_slot.remove(&slot).unwrap_or_default() {
            if let Some(rows) = &mut self.rows {
                rows.remove(row);
            }
            self.owners[row as usize] = None;
            self.free.push(row);
        }
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.of_slot.is_empty()
    }

    /// How near the nearest cue of each block is to a question, for blocks with cues.
    pub(crate) fn cosines(&self, question: &[f32]) -> Result<HashMap<u32, f32>> {
        let Some(rows) = &self.rows else { return Ok(HashMap::new()) };
        let query = rows.query(question)?;
        let mut nearest: HashMap<u32, f32> = HashMap::with_capacity(self.of_slot.len());
        for (row, owner) in (0..).zip(&self.owners) {
            if let (Some(slot), Some(cosine)) = (owner, rows.cosine_of(&query, row)) {
                let best = nearest.entry(*slot).or_insert(f32::MIN);
                *best = best.max(cosine);
            }
        }
        Ok(nearest)
    }
}
