//! The forward pass over some windows of pieces.

use crate::kernel::{AttentionScratch, Kernel, Quantised};
use crate::weights::{Layer, Linear, Weights};

/// Reusable buffers of a forward pass.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// The state of every piece of all windows, row by row.
    states: Vec<f32>,
    /// Results of products, padded to whole panels.
    wide: Vec<f32>,
    attended: Vec<f32>,
    rounded: Quantised,
    attention: AttentionScratch,
}

impl Scratch {
    /// Computes the states of the pieces of some windows, each with a mark before and after its pieces. The rows of the
    /// windows follow each other.
    pub(crate) fn run(&mut self, weights: &Weights<'_>, kernel: Kernel, windows: &[&[u32]]) -> &[f32] {
        self.look_up(weights, kernel, windows);
        for layer in &weights.layers {
            self.attend(weights, layer, kernel, windows);
            let width = weights.sizes.width;
            kernel.quantise(&self.states, width, width, &mut self.rounded);
            kernel.product(&self.rounded, &layer.inner, &mut self.wide);
            kernel.gelu(&mut self.wide);
            kernel.quantise(&self.wide, layer.inner.outputs(), weights.sizes.inner, &mut self.rounded);
            kernel.product(&self.rounded, &layer.outer, &mut self.wide);
            kernel.add_norm(&mut self.states, &self.wide, layer.outer.outputs(), &layer.norm);
        }
        &self.states
    }

    /// Multiplies single rows, each as long as the inputs of `linear`.
    pub(crate) fn project(&mut self, linear: &Linear<'_>, kernel: Kernel, rows: &[f32], width: usize) -> &[f32] {
        kernel.quantise(rows, width, width, &mut self.rounded);
        kernel.product(&self.rounded, linear, &mut self.wide);
        &self.wide
    }

    /// Sums the vectors of each piece and of its position.
    fn look_up(&mut self, weights: &Weights<'_>, kernel: Kernel, windows: &[&[u32]]) {
        let sizes = weights.sizes;
        let marked = |window: &[u32]| {
            let ids = std::iter::once(sizes.start_mark).chain(window.iter().copied());
            ids.chain(std::iter::once(sizes.end_mark)).collect::<Vec<u32>>()
        };
        let pieces: Vec<(usize, u32)> =
            windows.iter().flat_map(|window| marked(window).into_iter().enumerate()).collect();
        let fill = |out: &mut Vec<f32>, width: usize, add: &dyn Fn(usize, u32, &mut [f32])| {
            out.clear();
            out.resize(pieces.len() * width, 0.0);
            for ((position, id), row) in pieces.iter().zip(out.chunks_exact_mut(width)) {
                add(*position, *id, row);
            }
        };
        let width = sizes.width;
        fill(&mut self.attended, sizes.table_width, &|_, id, row| weights.add_piece(id, row));
        fill(&mut self.states, width, &|position, _, row| weights.positions.add_row(position, row));
        match &weights.widen {
            None => kernel.add_norm(&mut self.states, &self.attended, width, &weights.norm),
            Some(widen) => {
                kernel.quantise(&self.attended, sizes.table_width, sizes.table_width, &mut self.rounded);
                kernel.product(&self.rounded, widen, &mut self.wide);
                kernel.add_norm(&mut self.states, &self.wide, widen.outputs(), &weights.norm);
            }
        }
    }

    /// Lets the pieces of each window attend to each other.
    fn attend(&mut self, weights: &Weights<'_>, layer: &Layer<'_>, kernel: Kernel, windows: &[&[u32]]) {
        let (width, heads) = (weights.sizes.width, weights.sizes.heads);
        kernel.quantise(&self.states, width, width, &mut self.rounded);
        kernel.product(&self.rounded, &layer.attention_in, &mut self.wide);
        self.attended.resize(self.states.len(), 0.0);
        let (mut row, stride) = (0, layer.attention_in.outputs());
        for window in windows {
            let end = row + window.len() + 2;
            let (from, to) = (&self.wide[row * stride..end * stride], &mut self.attended[row * width..end * width]);
            kernel.attend(from, stride, (width, heads), &mut self.attention, to);
            row = end;
        }
        kernel.quantise(&self.attended, width, width, &mut self.rounded);
        kernel.product(&self.rounded, &layer.attention_out, &mut self.wide);
        kernel.add_norm(&mut self.states, &self.wide, layer.attention_out.outputs(), &layer.attention_norm);
    }
}
