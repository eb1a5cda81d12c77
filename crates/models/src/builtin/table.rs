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

    /// Returns the dot product of a row and a vector; zero for a row that does not exist.
    pub(super) fn dot(&self, row: usize, vector: &[f32]) -> f32 {
        let Some(scale) = self.scales.get(row) else { return 0.0 };
        let start = row * self.dimensions;
        let numbers = self.rows[start..start + self.dimensions].iter().zip(vector);
        // Eight sums that do not wait for each other.
        let mut sums = [0.0f32; 8];
        let (rows, rest) = self.rows[start..start + self.dimensions].as_chunks::<8>();
        let (vectors, _) = vector.as_chunks::<8>();
        for (bytes, numbers) in rows.iter().zip(vectors) {
            for lane in 0..8 {
                sums[lane] += f32::from(bytes[lane].cast_signed()) * numbers[lane];
            }
        }
        let tail = numbers.skip(self.dimensions - rest.len()).map(|(byte, x)| f32::from(byte.cast_signed()) * x);
        f32::from_le_bytes(*scale) * (sums.iter().sum::<f32>() + tail.sum::<f32>())
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
