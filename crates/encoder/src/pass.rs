//! The forward pass over some windows of pieces.

use crate::batch::rows_of_each;
use crate::kernel::{AttentionScratch, Kernel, Quantised};
use crate::weights::{EncoderLayer, Linear, Weights};

/// A matrix with a bias.
pub(crate) trait Product {
    /// Returns the number of outputs with the missing ones of the last panel.
    fn outputs(&self) -> usize;

    /// Computes the outputs of every row of `stride` numbers, of which the first `width` count.
    fn product(
        &self,
        kernel: Kernel,
        rows: &[f32],
        stride: usize,
        width: usize,
        rounded: &mut Quantised,
        out: &mut Vec<f32>,
    );
}

impl Product for Linear<'_> {
    fn outputs(&self) -> usize {
        Self::outputs(self)
    }

    fn product(
        &self,
        kernel: Kernel,
        rows: &[f32],
        stride: usize,
        width: usize,
        rounded: &mut Quantised,
        out: &mut Vec<f32>,
    ) {
        kernel.quantise(rows, stride, width, rounded);
        kernel.product(rounded, self, out);
    }
}

/// The sizes of all layers of a model.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LayerSizes {
    pub(crate) width: usize,
    pub(crate) heads: usize,
    pub(crate) inner: usize,
}

/// Reusable buffers of a forward pass.
#[derive(Debug, Default)]
pub(crate) struct PassScratch {
    /// The state of every piece of all windows, row by row.
    pub(crate) states: Vec<f32>,
    /// Results of products, padded to whole panels.
    wide: Vec<f32>,
    inner: Vec<f32>,
    attended: Vec<f32>,
    rounded: Quantised,
    attention: AttentionScratch,
}

impl PassScratch {
    /// Computes the states of the pieces of some windows, each with a mark before and after its pieces. The rows of the
    /// windows follow each other.
    pub(crate) fn run(&mut self, weights: &Weights<'_>, kernel: Kernel, windows: &[&[u32]]) -> &[f32] {
        self.run_first(weights, weights.layers.len(), kernel, windows)
    }

    /// Computes the states after the first `count` layers. See [`run`](Self::run).
    pub(crate) fn run_first(
        &mut self,
        weights: &Weights<'_>,
        count: usize,
        kernel: Kernel,
        windows: &[&[u32]],
    ) -> &[f32] {
        self.look_up(weights, kernel, windows);
        self.run_layers(&weights.layers[..count], weights.sizes.of_layers(), kernel, &rows_of_each(windows));
        &self.states
    }

    /// Applies all layers to the states of some windows, given the number of rows of each.
    pub(crate) fn run_layers<M: Product>(
        &mut self,
        layers: &[EncoderLayer<M>],
        sizes: LayerSizes,
        kernel: Kernel,
        windows: &[usize],
    ) {
        for layer in layers {
            self.attend(layer, sizes, kernel, windows);
            let Self { states, wide, inner, rounded, .. } = self;
            layer.inner.product(kernel, states, sizes.width, sizes.width, rounded, inner);
            kernel.gelu(inner);
            layer.outer.product(kernel, inner, layer.inner.outputs(), sizes.inner, rounded, wide);
            kernel.add_norm(states, wide, layer.outer.outputs(), &layer.norm);
        }
    }

    /// Multiplies single rows, each as long as the inputs of `linear`.
    pub(crate) fn project(&mut self, linear: &Linear<'_>, kernel: Kernel, rows: &[f32], width: usize) -> &[f32] {
        linear.product(kernel, rows, width, width, &mut self.rounded, &mut self.wide);
        &self.wide
    }

    /// Sums the vectors of each piece and of its position.
    fn look_up(&mut self, weights: &Weights<'_>, kernel: Kernel, windows: &[&[u32]]) {
        let sizes = weights.sizes;
        let pieces: Vec<(usize, u32)> = marked_pieces(windows, sizes.start_mark, sizes.end_mark).collect();
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
                let (table_width, Self { attended, wide, rounded, .. }) = (sizes.table_width, &mut *self);
                widen.product(kernel, attended, table_width, table_width, rounded, wide);
                kernel.add_norm(&mut self.states, &self.wide, widen.outputs(), &weights.norm);
            }
        }
    }

    /// Lets the pieces of each window attend to each other.
    fn attend<M: Product>(&mut self, layer: &EncoderLayer<M>, sizes: LayerSizes, kernel: Kernel, windows: &[usize]) {
        let LayerSizes { width, heads, .. } = sizes;
        let Self { states, wide, attended, rounded, attention, .. } = self;
        layer.attention_in.product(kernel, states, width, width, rounded, wide);
        attended.resize(states.len(), 0.0);
        let (mut row, stride) = (0, layer.attention_in.outputs());
        for rows in windows {
            let end = row + rows;
            let (from, to) = (&wide[row * stride..end * stride], &mut attended[row * width..end * width]);
            kernel.attend(from, stride, (width, heads), attention, to);
            row = end;
        }
        layer.attention_out.product(kernel, attended, width, width, rounded, wide);
        kernel.add_norm(states, wide, layer.attention_out.outputs(), &layer.attention_norm);
    }
}

/// Returns the rows of a window: its pieces and two marks.
pub(crate) fn rows_of(window: &[u32]) -> usize {
    window.len() + 2
}

/// Returns the positions and ids of the pieces of some windows, with the marks around each.
pub(crate) fn marked_pieces(windows: &[&[u32]], start: u32, end: u32) -> impl Iterator<Item = (usize, u32)> {
    windows.iter().flat_map(move |window| {
        std::iter::once(start).chain(window.iter().copied()).chain(std::iter::once(end)).enumerate()
    })
}
