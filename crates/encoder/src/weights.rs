//! The weights of a model, read in place.
//!
//! A model comes in parts, because a package registry limits the size of a package. Every part is little-endian and starts
//! with 64 bytes: `ELFP`, the version, the eleven [sizes](Sizes), the number of the part, and the range of rows of the
//! table that it holds. Sections follow, each padded with zeros to a multiple of 64 bytes. The first part has all
//! matrices; every part ends with its rows of the table.
//!
//! The large matrices stay where they are, in the order in which the kernels read them ([`Linear`]). Scales, biases and the
//! numbers of the norms are copied, 130 kB in all: so they are aligned, and known to be finite.

use crate::error::EncoderError;
use crate::pass::LayerSizes;
use crate::sizes::{SIZE_COUNT, Sizes, read_numbers};

/// Outputs that a panel of weights holds side by side. A power of two.
pub(crate) const PANEL: usize = 16;
/// Bytes that a section starts at a multiple of.
pub(crate) const ALIGNMENT: usize = 64;
/// The first bytes of a part.
pub(crate) const PART_MAGIC: [u8; 4] = *b"ELFP";
/// The version of the layout.
pub(crate) const PART_VERSION: u32 = 1;
/// Added to the variance in the norms of the built-in encoder.
const EPSILON: f32 = 1e-12;
/// Numbers in the header of a part after the magic.
pub(crate) const PART_NUMBERS: usize = 1 + SIZE_COUNT + 3;

/// The weights of two inputs and all outputs of a panel: output 0 input 0, output 0 input 1, output 1 input 0, …
pub(crate) type WeightPairs = [u8; 2 * PANEL];

/// A matrix of weights with a bias, in the order of the kernels.
///
/// Outputs come in panels of sixteen. A panel goes through the inputs two at a time, because processors multiply and add
/// pairs of 16-bit numbers. Missing outputs and inputs are zeros.
#[derive(Debug)]
pub(crate) struct Linear<'a> {
    /// Pairs of inputs.
    pub(crate) pairs: usize,
    /// A factor for each output, zero for missing ones.
    pub(crate) scales: Vec<f32>,
    pub(crate) bias: Vec<f32>,
    weights: &'a [WeightPairs],
}

impl<'a> Linear<'a> {
    #[cfg(test)]
    pub(crate) fn for_tests(pairs: usize, scales: Vec<f32>, bias: Vec<f32>, weights: &'a [WeightPairs]) -> Self {
        Self { pairs, scales, bias, weights }
    }

    /// Returns the number of outputs with the missing ones of the last panel.
    pub(crate) fn outputs(&self) -> usize {
        self.scales.len()
    }

    /// Returns the weights panel by panel.
    pub(crate) fn panels(&self) -> std::slice::ChunksExact<'a, WeightPairs> {
        self.weights.chunks_exact(self.pairs)
    }
}

/// The factors and offsets of a layer norm.
#[derive(Debug)]
pub(crate) struct Norm {
    pub(crate) gain: Vec<f32>,
    pub(crate) shift: Vec<f32>,
    /// Added to a variance before its root is taken.
    pub(crate) epsilon: f32,
}

/// Rows that are looked up by number: scales, then bytes row by row.
#[derive(Debug)]
pub(crate) struct QuantisedRows<'a> {
    start: usize,
    width: usize,
    scales: &'a [[u8; 4]],
    rows: &'a [u8],
}

impl QuantisedRows<'_> {
    /// Adds a row to `sum`. A row that the table does not have adds nothing.
    pub(crate) fn add_row(&self, row: usize, sum: &mut [f32]) {
        let Some(at) = row.checked_sub(self.start) else { return };
        let Some(scale) = self.scales.get(at) else { return };
        let scale = f32::from_le_bytes(*scale);
        for (total, byte) in sum.iter_mut().zip(&self.rows[at * self.width..(at + 1) * self.width]) {
            *total += scale * f32::from(byte.cast_signed());
        }
    }
}

/// One transformer layer with matrices of one kind.
#[derive(Debug)]
pub(crate) struct EncoderLayer<M> {
    pub(crate) attention_in: M,
    pub(crate) attention_out: M,
    pub(crate) attention_norm: Norm,
    pub(crate) inner: M,
    pub(crate) outer: M,
    pub(crate) norm: Norm,
}

/// All weights of a model.
#[derive(Debug)]
pub(crate) struct Weights<'a> {
    pub(crate) sizes: Sizes,
    pub(crate) table: Vec<QuantisedRows<'a>>,
    /// From the width of the table to that of the layers, if they differ.
    pub(crate) widen: Option<Linear<'a>>,
    pub(crate) positions: QuantisedRows<'a>,
    pub(crate) norm: Norm,
    pub(crate) layers: Vec<EncoderLayer<Linear<'a>>>,
    pub(crate) output: Linear<'a>,
}

impl<'a> Weights<'a> {
    /// Reads the parts of a model. The cost does not depend on the size of the matrices.
    pub(crate) fn read(parts: &[&'a [u8]]) -> Result<Self, EncoderError> {
        let wrong = |problem: String| EncoderError::WrongParts { problem };
        let (first, others) = parts.split_first().ok_or_else(|| wrong("there is no part".to_owned()))?;
        let header = PartHeader::read(first)?;
        header.check(0, 0)?;
        let sizes = header.sizes;
        let mut sections = Sections::after_header(first);
        let mut weights = Self::read_matrices(&mut sections, sizes)?;
        weights.table.push(sections.rows(header.rows.start, header.rows.len(), sizes.table_width)?);
        sections.finish()?;
        let mut next = header.rows.end;
        for (number, part) in (1..).zip(others) {
            let header = PartHeader::read(part)?;
            header.check(number, next)?;
            if header.sizes != sizes {
                return Err(wrong(format!("part {number} has the sizes of another model")));
            }
            let mut sections = Sections::after_header(part);
            weights.table.push(sections.rows(next, header.rows.len(), sizes.table_width)?);
            sections.finish()?;
            next = header.rows.end;
        }
        if next != sizes.pieces {
            return Err(wrong(format!("the table has {next} rows of {}", sizes.pieces)));
        }
        Ok(weights)
    }

    fn read_matrices(sections: &mut Sections<'a>, sizes: Sizes) -> Result<Self, EncoderError> {
        let Sizes { table_width, width, .. } = sizes;
        let widen = if table_width == width { None } else { Some(sections.linear(width, table_width)?) };
        let positions = sections.rows(0, sizes.positions, width)?;
        let norm = sections.norm(width)?;
        let layers = (0..sizes.layers).map(|_| sections.layer(sizes.of_layers())).collect::<Result<_, _>>()?;
        let output = sections.linear(sizes.dimensions, width)?;
        Ok(Self { sizes, table: Vec::new(), widen, positions, norm, layers, output })
    }

    /// Adds the vector of a piece to `sum`. A piece that the table does not have adds nothing.
    pub(crate) fn add_piece(&self, id: u32, sum: &mut [f32]) {
        self.table.iter().for_each(|part| part.add_row(id as usize, sum));
    }
}

/// The header of a part.
struct PartHeader {
    sizes: Sizes,
    number: usize,
    rows: std::ops::Range<usize>,
}

impl PartHeader {
    fn read(part: &[u8]) -> Result<Self, EncoderError> {
        let other = |problem: String| EncoderError::OtherFormat { problem };
        let (magic, rest) =
            part.split_first_chunk::<4>().ok_or_else(|| other(format!("a part of {} bytes", part.len())))?;
        if *magic != PART_MAGIC {
            return Err(other("it does not start with ELFP".to_owned()));
        }
        let [version, numbers @ .., number, start, end] =
            read_numbers::<PART_NUMBERS>(rest).ok_or(EncoderError::WrongLength { expected: 64, found: part.len() })?;
        if version != PART_VERSION {
            return Err(other(format!("its layout has version {version}, this program reads {PART_VERSION}")));
        }
        let sizes = Sizes::from_numbers(numbers)?;
        let (number, start, end) = (number as usize, start as usize, end as usize);
        if start > end || end > sizes.pieces {
            let problem = format!("rows {start} to {end} of a table with {}", sizes.pieces);
            return Err(EncoderError::BadHeader { problem });
        }
        Ok(Self { sizes, number, rows: start..end })
    }

    /// Checks that this is the part that should come next.
    fn check(&self, number: usize, start: usize) -> Result<(), EncoderError> {
        if (self.number, self.rows.start) == (number, start) {
            return Ok(());
        }
        let problem =
            format!("expected part {number} from row {start}, found part {} from row {}", self.number, self.rows.start);
        Err(EncoderError::WrongParts { problem })
    }
}

/// Reads a part section by section.
pub(crate) struct Sections<'a> {
    part: &'a [u8],
    at: usize,
}

impl<'a> Sections<'a> {
    pub(crate) fn after_header(part: &'a [u8]) -> Self {
        Self { part, at: ALIGNMENT }
    }

    /// Returns the next bytes. All sizes are bounded, so that no length overflows 64 bits.
    fn take(&mut self, bytes: u64) -> Result<&'a [u8], EncoderError> {
        let end = (self.at as u64).saturating_add(bytes).next_multiple_of(ALIGNMENT as u64);
        let expected = usize::try_from(end).unwrap_or(usize::MAX);
        let section = self.part.get(self.at..expected);
        let section = section.ok_or(EncoderError::WrongLength { expected, found: self.part.len() })?;
        self.at = expected;
        Ok(&section[..usize::try_from(bytes).unwrap_or_default()])
    }

    pub(crate) fn floats(&mut self, count: usize) -> Result<Vec<f32>, EncoderError> {
        let at = self.at;
        let (numbers, _) = self.take(4 * count as u64)?.as_chunks();
        let numbers: Vec<f32> = numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        if numbers.iter().all(|number| number.is_finite()) {
            return Ok(numbers);
        }
        Err(EncoderError::DamagedWeights { problem: format!("a number after byte {at} is not finite") })
    }

    pub(crate) fn linear(&mut self, outputs: usize, inputs: usize) -> Result<Linear<'a>, EncoderError> {
        let (outputs, pairs) = (outputs.next_multiple_of(PANEL), inputs.div_ceil(2));
        let scales = self.floats(outputs)?;
        let (weights, _) = self.take(outputs as u64 * 2 * pairs as u64)?.as_chunks();
        Ok(Linear { pairs, scales, bias: self.floats(outputs)?, weights })
    }

    pub(crate) fn layer(&mut self, sizes: LayerSizes) -> Result<EncoderLayer<Linear<'a>>, EncoderError> {
        let LayerSizes { width, inner, .. } = sizes;
        Ok(EncoderLayer {
            attention_in: self.linear(3 * width, width)?,
            attention_out: self.linear(width, width)?,
            attention_norm: self.norm(width)?,
            inner: self.linear(inner, width)?,
            outer: self.linear(width, inner)?,
            norm: self.norm(width)?,
        })
    }

    fn norm(&mut self, width: usize) -> Result<Norm, EncoderError> {
        Ok(Norm { gain: self.floats(width)?, shift: self.floats(width)?, epsilon: EPSILON })
    }

    fn rows(&mut self, start: usize, count: usize, width: usize) -> Result<QuantisedRows<'a>, EncoderError> {
        let (scales, _) = self.take(4 * count as u64)?.as_chunks();
        Ok(QuantisedRows { start, width, scales, rows: self.take(count as u64 * width as u64)? })
    }

    pub(crate) fn finish(self) -> Result<(), EncoderError> {
        if self.at == self.part.len() {
            return Ok(());
        }
        Err(EncoderError::WrongLength { expected: self.at, found: self.part.len() })
    }
}
