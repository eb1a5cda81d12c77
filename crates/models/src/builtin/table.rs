//! The vector file: little-endian, `u32` rows, `u32` dimensions, one `f32` scale per row, then the
//! rows as `i8`.

use crate::error::ModelError;

/// A table of quantised vectors, one row per word piece, read in place.
///
/// Nothing is unpacked: a row is scaled while it is summed, so the table needs no memory beyond the
/// file.
#[derive(Debug, Clone, Copy)]
pub struct VectorTable<'a> {
    dimensions: usize,
    scales: &'a [[u8; 4]],
    rows: &'a [u8],
}

impl<'a> VectorTable<'a> {
    /// Validates the layout. Takes constant time.
    pub fn read(file: &'a [u8]) -> Result<Self, ModelError> {
        let damaged = |problem: &str| ModelError::DamagedModel { problem: problem.to_owned() };
        let (count, rest) = read_number(file).ok_or_else(|| damaged("the header is cut off"))?;
        let (dimensions, rest) = read_number(rest).ok_or_else(|| damaged("the header is cut off"))?;
        if count == 0 || dimensions == 0 {
            return Err(damaged("the table is empty"));
        }
        let scale_bytes = count.checked_mul(4).ok_or_else(|| damaged("the header is nonsense"))?;
        let row_bytes = count.checked_mul(dimensions).ok_or_else(|| damaged("the header is nonsense"))?;
        let (scales, rows) = rest.split_at_checked(scale_bytes).ok_or_else(|| damaged("the scales are cut off"))?;
        if rows.len() != row_bytes {
            return Err(damaged("the rows do not fill the file"));
        }
        Ok(Self { dimensions, scales: scales.as_chunks().0, rows })
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.scales.len()
    }

    /// Returns the number of dimensions.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Adds `weight` times a row to `sum`. A row that does not exist adds nothing.
    pub(super) fn add_row(&self, row: usize, weight: f32, sum: &mut [f32]) {
        let Some(scale) = self.scales.get(row) else { return };
        let factor = f32::from_le_bytes(*scale) * weight;
        let start = row * self.dimensions;
        for (total, byte) in sum.iter_mut().zip(&self.rows[start..start + self.dimensions]) {
            *total += factor * f32::from(byte.cast_signed());
        }
    }

    /// Returns the dot product of a row and a rounded vector; zero for a row that does not exist.
    pub(super) fn dot(&self, row: usize, vector: &RoundedVector) -> f32 {
        let Some(scale) = self.scales.get(row) else { return 0.0 };
        let start = row * self.dimensions;
        let row = &self.rows[start..start + self.dimensions];
        let chunks = row.chunks(RoundedVector::CHUNK).zip(vector.numbers.chunks(RoundedVector::CHUNK));
        let product = |(row, numbers): (&[u8], &[i16])| -> i32 {
            row.iter().zip(numbers).map(|(byte, number)| i32::from(byte.cast_signed()) * i32::from(*number)).sum()
        };
        f32::from_le_bytes(*scale) * vector.step * chunks.map(|chunk| product(chunk) as f32).sum::<f32>()
    }
}

/// A vector rounded to 16 bits, which is multiplied with the rows of a table without unpacking them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RoundedVector {
    numbers: Vec<i16>,
    /// The value of one unit.
    step: f32,
}

impl RoundedVector {
    /// How many products of eight and sixteen bits are added up in 32 bits.
    const CHUNK: usize = 256;

    /// Rounds a vector. One that is not finite becomes zero.
    pub(super) fn new(vector: &[f32]) -> Self {
        let largest = vector.iter().fold(0.0f32, |largest, number| largest.max(number.abs()));
        let step = if largest.is_finite() && largest > 0.0 { largest / f32::from(i16::MAX) } else { 1.0 };
        // The conversion saturates, and takes what is no number for zero.
        let numbers = vector.iter().map(|number| (number / step).round() as i16).collect();
        Self { numbers, step }
    }
}

fn read_number(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (number, rest) = bytes.split_first_chunk()?;
    Some((usize::try_from(u32::from_le_bytes(*number)).ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn small_file() -> Vec<u8> {
        let mut file = Vec::new();
        file.extend(2u32.to_le_bytes());
        file.extend(3u32.to_le_bytes());
        file.extend(0.5f32.to_le_bytes());
        file.extend(2.0f32.to_le_bytes());
        file.extend([1, 2, 0xff, 0x80, 0, 127]);
        file
    }

    #[test]
    fn rows_are_scaled_and_weighted_as_they_are_added() {
        let file = small_file();
        let table = VectorTable::read(&file).unwrap();
        assert_eq!((table.rows(), table.dimensions()), (2, 3));
        let mut sum = vec![0.0; 3];
        table.add_row(0, 1.0, &mut sum);
        assert_eq!(sum, [0.5, 1.0, -0.5]);
        table.add_row(1, 0.5, &mut sum);
        assert_eq!(sum, [-127.5, 1.0, 126.5]);
        table.add_row(2, 1.0, &mut sum);
        assert_eq!(sum, [-127.5, 1.0, 126.5]);
    }

    #[test]
    fn a_file_cut_anywhere_or_too_long_is_damaged() {
        let file = small_file();
        for end in 0..file.len() {
            assert!(VectorTable::read(&file[..end]).is_err(), "cut at {end}");
        }
        let mut longer = file;
        longer.push(0);
        assert!(VectorTable::read(&longer).is_err());
    }

    proptest! {
        #[test]
        fn table_parsing_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            if let Ok(table) = VectorTable::read(&bytes) {
                table.add_row(0, 1.0, &mut vec![0.0; table.dimensions()]);
            }
        }
    }
}
