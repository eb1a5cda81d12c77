//! The weights of a model with numbers of 32 bits, handed in by a caller that has read them from files.

use crate::error::EncoderError;
use crate::kernel::{Kernel, Quantised};
use crate::numbers::NumberFormat;
use crate::pass::Product;
use crate::weights::{EncoderLayer, Norm, PANEL};

/// A matrix with a bias, in panels of sixteen outputs that go through the inputs one by one. Missing outputs are zeros.
#[derive(Debug)]
pub struct FloatLinear {
    inputs: usize,
    outputs: usize,
    bias: Vec<f32>,
    weights: Vec<[f32; PANEL]>,
}

impl FloatLinear {
    /// Lays out a matrix of `outputs` rows and `inputs` columns.
    ///
    /// # Errors
    /// If the lengths do not fit, or a number is not finite.
    pub fn new((outputs, inputs): (usize, usize), weights: &[f32], bias: &[f32]) -> Result<Self, EncoderError> {
        if outputs == 0 || inputs == 0 || weights.len() != outputs.saturating_mul(inputs) || bias.len() != outputs {
            let problem = format!("{} weights and {} biases for {outputs} × {inputs}", weights.len(), bias.len());
            return Err(EncoderError::WrongParts { problem });
        }
        check_finite(weights)?;
        check_finite(bias)?;
        let mut panels = vec![[0.0; PANEL]; outputs.div_ceil(PANEL) * inputs];
        for (output, row) in weights.chunks_exact(inputs).enumerate() {
            let panel = &mut panels[output / PANEL * inputs..];
            for (column, weight) in panel.iter_mut().zip(row) {
                column[output % PANEL] = *weight;
            }
        }
        let mut padded = bias.to_vec();
        padded.resize(outputs.next_multiple_of(PANEL), 0.0);
        Ok(Self { inputs, outputs, bias: padded, weights: panels })
    }

    /// Returns the number of outputs with the missing ones of the last panel.
    pub(crate) fn outputs(&self) -> usize {
        self.bias.len()
    }

    pub(crate) fn bias(&self) -> &[f32] {
        &self.bias
    }

    /// Returns the weights panel by panel.
    pub(crate) fn panels(&self) -> std::slice::ChunksExact<'_, [f32; PANEL]> {
        self.weights.chunks_exact(self.inputs)
    }

    fn check(&self, outputs: usize, inputs: usize) -> Result<(), EncoderError> {
        if (self.outputs, self.inputs) == (outputs, inputs) {
            return Ok(());
        }
        let problem = format!("a matrix of {} × {} where {outputs} × {inputs} is needed", self.outputs, self.inputs);
        Err(EncoderError::WrongParts { problem })
    }
}

impl Product for FloatLinear {
    fn outputs(&self) -> usize {
        Self::outputs(self)
    }

    fn product(
        &self,
        kernel: Kernel,
        rows: &[f32],
        stride: usize,
        _width: usize,
        _rounded: &mut Quantised,
        out: &mut Vec<f32>,
    ) {
        kernel.float_product(rows, stride, self, out);
    }
}

/// The factors and offsets of a layer norm.
#[derive(Debug)]
pub struct LayerNorm(pub(crate) Norm);

impl LayerNorm {
    /// Makes a layer norm; `epsilon` is added to a variance before its root is taken.
    ///
    /// # Errors
    /// If the lengths differ, or a number is not finite.
    pub fn new(gain: Vec<f32>, shift: Vec<f32>, epsilon: f32) -> Result<Self, EncoderError> {
        check_finite(&gain)?;
        check_finite(&shift)?;
        if gain.len() != shift.len() || !(0.0..1.0).contains(&epsilon) {
            let problem = format!("a norm of {} and {} numbers, epsilon {epsilon}", gain.len(), shift.len());
            return Err(EncoderError::WrongParts { problem });
        }
        Ok(Self(Norm { gain, shift, epsilon }))
    }
}

/// One transformer layer.
#[derive(Debug)]
pub struct FloatLayer {
    /// Queries, keys and values: three times the width.
    pub attention_in: FloatLinear,
    /// After attention.
    pub attention_out: FloatLinear,
    /// After attention.
    pub attention_norm: LayerNorm,
    /// From the width to the inner width.
    pub inner: FloatLinear,
    /// Back to the width.
    pub outer: FloatLinear,
    /// After the feed-forward part.
    pub norm: LayerNorm,
}

/// A vector for each piece, in the number format of its file.
#[derive(Debug)]
pub struct PieceTable {
    width: usize,
    format: NumberFormat,
    bytes: Vec<u8>,
}

impl PieceTable {
    /// Makes a table of rows of `width` numbers.
    ///
    /// # Errors
    /// If there is no row, or the last one is not complete.
    pub fn new(width: usize, format: NumberFormat, bytes: Vec<u8>) -> Result<Self, EncoderError> {
        let row = width.saturating_mul(format.size());
        if row == 0 || bytes.is_empty() || !bytes.len().is_multiple_of(row) {
            return Err(EncoderError::WrongParts { problem: format!("a table of {} bytes", bytes.len()) });
        }
        Ok(Self { width, format, bytes })
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.bytes.len() / (self.width * self.format.size())
    }

    /// Returns a row; nothing if there is none.
    pub(crate) fn row(&self, id: u32) -> Vec<f32> {
        let size = self.width * self.format.size();
        let start = (id as usize).saturating_mul(size);
        self.bytes.get(start..start.saturating_add(size)).map_or_else(Vec::new, |row| self.format.read(row))
    }
}

/// All weights of a model of the BERT family.
#[derive(Debug)]
pub struct FloatWeights {
    /// The vectors of the pieces.
    pub table: PieceTable,
    /// The vectors of the positions from the first one on, with that of the token type added.
    pub positions: Vec<f32>,
    /// The norm of the sum of both.
    pub norm: LayerNorm,
    /// The layers.
    pub layers: Vec<FloatLayer>,
    /// Attention heads.
    pub heads: usize,
    /// The mark before the pieces of a window.
    pub start_mark: u32,
    /// The mark after them.
    pub end_mark: u32,
}

impl FloatWeights {
    /// Returns the numbers of a piece between layers.
    pub(crate) fn width(&self) -> usize {
        self.table.width
    }

    /// Returns the inner width of the layers.
    pub(crate) fn inner(&self) -> usize {
        self.layers.first().map_or(0, |layer| layer.inner.outputs)
    }

    /// Checks that all parts have fitting sizes.
    pub(crate) fn check(&self) -> Result<(), EncoderError> {
        let (width, inner) = (self.width(), self.inner());
        let wrong = |problem: String| Err(EncoderError::WrongParts { problem });
        if self.heads == 0 || !width.is_multiple_of(self.heads) {
            return wrong(format!("a width of {width} cannot be divided among {} heads", self.heads));
        }
        if !self.positions.len().is_multiple_of(width) || self.positions.len() / width < 3 {
            return wrong(format!("{} numbers of positions for a width of {width}", self.positions.len()));
        }
        check_finite(&self.positions)?;
        for mark in [self.start_mark, self.end_mark] {
            if mark as usize >= self.table.rows() {
                return wrong(format!("the mark {mark}, but there are {} pieces", self.table.rows()));
            }
        }
        let norms = self.layers.iter().flat_map(|layer| [&layer.attention_norm, &layer.norm]).chain([&self.norm]);
        for norm in norms {
            if norm.0.gain.len() != width {
                return wrong(format!("a norm of {} numbers for a width of {width}", norm.0.gain.len()));
            }
        }
        for layer in &self.layers {
            layer.attention_in.check(3 * width, width)?;
            layer.attention_out.check(width, width)?;
            layer.inner.check(inner, width)?;
            layer.outer.check(width, inner)?;
        }
        Ok(())
    }
}

impl From<FloatLayer> for EncoderLayer<FloatLinear> {
    fn from(layer: FloatLayer) -> Self {
        let FloatLayer { attention_in, attention_out, attention_norm, inner, outer, norm } = layer;
        Self { attention_in, attention_out, attention_norm: attention_norm.0, inner, outer, norm: norm.0 }
    }
}

fn check_finite(numbers: &[f32]) -> Result<(), EncoderError> {
    if numbers.iter().all(|number| number.is_finite()) {
        return Ok(());
    }
    Err(EncoderError::DamagedWeights { problem: "a number is not finite".to_owned() })
}
