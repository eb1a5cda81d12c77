//! Lays out a trained model in the order in which the kernels read it.
//!
//! A trained file is little-endian without padding: `ELFB`, version 1, the eleven [sizes](Sizes), then matrices (a `f32`
//! scale for each row, then the rows as `i8`) and vectors (`f32`). This runs when a model is added to the program, not when
//! the program runs.

use std::ops::Range;

use crate::error::EncoderError;
use crate::sizes::{SIZE_COUNT, Sizes, read_numbers};
use crate::weights::{ALIGNMENT, PANEL, PART_MAGIC, PART_VERSION};

/// Bytes before the first matrix of a trained file.
const TRAINED_HEADER: usize = 52;

/// Converts a trained file to parts. The first part has the matrices and the rows of the table before `first_part_rows`;
/// the second has the rest of the table. There is one part if that is everything.
///
/// # Errors
/// If the file is not a trained model, or its length does not fit its header.
pub fn lay_out(trained: &[u8], first_part_rows: usize) -> Result<Vec<Vec<u8>>, EncoderError> {
    let mut file = TrainedFile::open(trained)?;
    let sizes = file.sizes;
    let Sizes { pieces, table_width, width, inner, .. } = sizes;
    let table = file.matrix(pieces, table_width)?;
    let split = first_part_rows.min(pieces);

    let mut part = WrittenPart::new(sizes, 0, 0..split);
    if table_width != width {
        part.linear(&file.matrix(width, table_width)?, None);
    }
    part.rows(&file.matrix(sizes.positions, width)?, 0..sizes.positions);
    part.vectors(&mut file, width, 2)?;
    for _ in 0..sizes.layers {
        for (outputs, inputs, norms) in [(3 * width, width, 0), (width, width, 2), (inner, width, 0), (width, inner, 2)]
        {
            let matrix = file.matrix(outputs, inputs)?;
            part.linear(&matrix, Some(file.vector(outputs)?));
            part.vectors(&mut file, width, norms)?;
        }
    }
    let output = file.matrix(sizes.dimensions, width)?;
    part.linear(&output, Some(file.vector(sizes.dimensions)?));
    file.finish()?;
    part.rows(&table, 0..split);

    let mut parts = vec![part.bytes];
    if split < pieces {
        let mut rest = WrittenPart::new(sizes, 1, split..pieces);
        rest.rows(&table, split..pieces);
        parts.push(rest.bytes);
    }
    Ok(parts)
}

/// A trained file, read from its start to its end.
struct TrainedFile<'a> {
    sizes: Sizes,
    bytes: &'a [u8],
    at: usize,
}

/// A matrix of a trained file.
struct Matrix<'a> {
    columns: usize,
    scales: &'a [u8],
    rows: &'a [u8],
}

impl<'a> TrainedFile<'a> {
    fn open(bytes: &'a [u8]) -> Result<Self, EncoderError> {
        let other = |problem: String| EncoderError::OtherFormat { problem };
        let rest = bytes.strip_prefix(b"ELFB").ok_or_else(|| other("it does not start with ELFB".to_owned()))?;
        let [version, numbers @ ..] = read_numbers::<{ SIZE_COUNT + 1 }>(rest)
            .ok_or(EncoderError::WrongLength { expected: TRAINED_HEADER, found: bytes.len() })?;
        if version != 1 {
            return Err(other(format!("version {version} of the trained format, this program reads 1")));
        }
        Ok(Self { sizes: Sizes::from_numbers(numbers)?, bytes, at: TRAINED_HEADER })
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], EncoderError> {
        let expected = self.at.saturating_add(length);
        let found = self.bytes.get(self.at..expected);
        self.at = expected;
        found.ok_or(EncoderError::WrongLength { expected, found: self.bytes.len() })
    }

    fn matrix(&mut self, rows: usize, columns: usize) -> Result<Matrix<'a>, EncoderError> {
        Ok(Matrix { columns, scales: self.take(4 * rows)?, rows: self.take(rows.saturating_mul(columns))? })
    }

    fn vector(&mut self, length: usize) -> Result<&'a [u8], EncoderError> {
        self.take(4 * length)
    }

    fn finish(self) -> Result<(), EncoderError> {
        if self.at == self.bytes.len() {
            return Ok(());
        }
        Err(EncoderError::WrongLength { expected: self.at, found: self.bytes.len() })
    }
}

/// A part that is being written.
struct WrittenPart {
    bytes: Vec<u8>,
}

impl WrittenPart {
    fn new(sizes: Sizes, number: u32, rows: Range<usize>) -> Self {
        let row = |row: usize| u32::try_from(row).unwrap_or(u32::MAX);
        let numbers = [PART_VERSION].into_iter().chain(sizes.to_numbers());
        let numbers = numbers.chain([number, row(rows.start), row(rows.end)]);
        let mut part = Self { bytes: PART_MAGIC.to_vec() };
        part.bytes.extend(numbers.flat_map(u32::to_le_bytes));
        part.section(&[]);
        part
    }

    fn section(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(ALIGNMENT), 0);
    }

    /// Writes numbers of four bytes, with zeros up to `count`.
    fn padded(&mut self, numbers: &[u8], count: usize) {
        self.bytes.extend(numbers);
        self.section(&vec![0; 4 * count - numbers.len()]);
    }

    fn vectors(&mut self, file: &mut TrainedFile<'_>, length: usize, count: usize) -> Result<(), EncoderError> {
        for _ in 0..count {
            self.section(file.vector(length)?);
        }
        Ok(())
    }

    fn rows(&mut self, matrix: &Matrix<'_>, rows: Range<usize>) {
        self.section(&matrix.scales[4 * rows.start..4 * rows.end]);
        self.section(&matrix.rows[rows.start * matrix.columns..rows.end * matrix.columns]);
    }

    /// Writes a matrix in panels of sixteen outputs, two inputs at a time.
    fn linear(&mut self, matrix: &Matrix<'_>, bias: Option<&[u8]>) {
        let (columns, outputs) = (matrix.columns, matrix.scales.len() / 4);
        let padded = outputs.next_multiple_of(PANEL);
        self.padded(matrix.scales, padded);
        let weight = |output: usize, input: usize| match output < outputs && input < columns {
            true => matrix.rows[output * columns + input],
            false => 0,
        };
        for panel in (0..padded).step_by(PANEL) {
            for input in (0..columns).step_by(2) {
                self.bytes.extend((panel..panel + PANEL).flat_map(|o| [weight(o, input), weight(o, input + 1)]));
            }
        }
        self.section(&[]);
        self.padded(bias.unwrap_or_default(), padded);
    }
}
