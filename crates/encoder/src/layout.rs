//! Lays out a trained model in the order in which the kernels read it.
//!
//! A trained file is little-endian without padding: `ELFB`, version 1, the eleven [sizes](Sizes), then matrices (a `f32`
//! scale for each row, then the rows as `i8`) and vectors (`f32`). This runs when a model is added to the program, not when
//! the program runs.

use std::ops::Range;

use crate::error::EncoderError;
use crate::pair_weights::{PAIR_MAGIC, PAIR_SIZE_COUNT, PAIR_VERSION, PairSizes};
use crate::pass::LayerSizes;
use crate::sizes::{SIZE_COUNT, Sizes, read_numbers};
use crate::weights::{ALIGNMENT, PANEL, PART_MAGIC, PART_VERSION};

/// Converts a trained file to parts. The first part has the matrices and the rows of the table before `first_part_rows`;
/// the second has the rest of the table. There is one part if that is everything.
///
/// # Errors
/// If the file is not a trained model, or its length does not fit its header.
pub fn lay_out(trained: &[u8], first_part_rows: usize) -> Result<Vec<Vec<u8>>, EncoderError> {
    let mut file = TrainedFile::open(trained, *b"ELFB")?;
    let sizes = Sizes::from_numbers(file.numbers::<SIZE_COUNT>()?)?;
    let Sizes { pieces, table_width, width, .. } = sizes;
    let table = file.matrix(pieces, table_width)?;
    let split = first_part_rows.min(pieces);

    let mut part = WrittenPart::of_model(sizes, 0, 0..split);
    if table_width != width {
        part.linear(&file.matrix(width, table_width)?, None);
    }
    part.rows(&file.matrix(sizes.positions, width)?, 0..sizes.positions);
    part.vectors(&mut file, width, 2)?;
    for _ in 0..sizes.layers {
        part.layer(&mut file, sizes.of_layers())?;
    }
    let output = file.matrix(sizes.dimensions, width)?;
    part.linear(&output, Some(file.vector(sizes.dimensions)?));
    file.finish()?;
    part.rows(&table, 0..split);

    let mut parts = vec![part.bytes];
    if split < pieces {
        let mut rest = WrittenPart::of_model(sizes, 1, split..pieces);
        rest.rows(&table, split..pieces);
        parts.push(rest.bytes);
    }
    Ok(parts)
}

/// Converts a trained classifier of pairs: `ELFC`, version 1, the eight sizes, the offsets of both texts, the layers, the
/// hidden layer and the output, with matrices and vectors as in a trained model.
///
/// # Errors
/// If the file is not a trained classifier, or its length does not fit its header.
pub fn lay_out_pairs(trained: &[u8]) -> Result<Vec<u8>, EncoderError> {
    let mut file = TrainedFile::open(trained, PAIR_MAGIC)?;
    let numbers = file.numbers::<PAIR_SIZE_COUNT>()?;
    let sizes = PairSizes::from_numbers(numbers)?;
    let mut part = WrittenPart::new(PAIR_MAGIC, [PAIR_VERSION].into_iter().chain(numbers));
    part.vectors(&mut file, sizes.width, 2)?;
    for _ in 0..sizes.layers {
        part.layer(&mut file, sizes.of_layers())?;
    }
    for (outputs, inputs) in [(sizes.hidden, 4 * sizes.width), (sizes.classes, sizes.hidden)] {
        let matrix = file.matrix(outputs, inputs)?;
        part.linear(&matrix, Some(file.vector(outputs)?));
    }
    file.finish()?;
    Ok(part.bytes)
}

/// A trained file, read from its start to its end.
struct TrainedFile<'a> {
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
    /// Opens a file that starts with `magic` and the version.
    fn open(bytes: &'a [u8], magic: [u8; 4]) -> Result<Self, EncoderError> {
        let other = |problem: String| EncoderError::OtherFormat { problem };
        if !bytes.starts_with(&magic) {
            return Err(other(format!("it does not start with {}", String::from_utf8_lossy(&magic))));
        }
        let mut file = Self { bytes, at: magic.len() };
        let [version] = file.numbers()?;
        if version != 1 {
            return Err(other(format!("version {version} of the trained format, this program reads 1")));
        }
        Ok(file)
    }

    /// Reads the next numbers of the header.
    fn numbers<const N: usize>(&mut self) -> Result<[u32; N], EncoderError> {
        let bytes = self.take(4 * N)?;
        read_numbers::<N>(bytes).ok_or(EncoderError::WrongLength { expected: self.at, found: self.bytes.len() })
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
    fn of_model(sizes: Sizes, number: u32, rows: Range<usize>) -> Self {
        let row = |row: usize| u32::try_from(row).unwrap_or(u32::MAX);
        let numbers = [PART_VERSION].into_iter().chain(sizes.to_numbers());
        Self::new(PART_MAGIC, numbers.chain([number, row(rows.start), row(rows.end)]))
    }

    /// Starts a part with a header.
    fn new(magic: [u8; 4], numbers: impl Iterator<Item = u32>) -> Self {
        let mut part = Self { bytes: magic.to_vec() };
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

    fn layer(&mut self, file: &mut TrainedFile<'_>, sizes: LayerSizes) -> Result<(), EncoderError> {
        let LayerSizes { width, inner, .. } = sizes;
        for (outputs, inputs, norms) in [(3 * width, width, 0), (width, width, 2), (inner, width, 0), (width, inner, 2)]
        {
            let matrix = file.matrix(outputs, inputs)?;
            self.linear(&matrix, Some(file.vector(outputs)?));
            self.vectors(file, width, norms)?;
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
