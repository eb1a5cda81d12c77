//! The sizes of a model, as its header states them.

use crate::error::EncoderError;
use crate::pass::LayerSizes;

/// The smallest and the largest value of a size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SizeLimit(usize, usize);

impl SizeLimit {
    /// A width, or a number of rows of a matrix other than the table. Bounds the sums of an integer product.
    pub(crate) const WIDTH: Self = Self(1, 1 << 16);
    /// A number of layers.
    pub(crate) const LAYERS: Self = Self(0, 1 << 10);
    /// A number of rows of the table.
    const PIECES: Self = Self(1, 1 << 24);
    /// A number of positions: a window has two marks.
    const POSITIONS: Self = Self(3, Self::WIDTH.1);

    pub(crate) fn most(self) -> usize {
        self.1
    }

    /// Returns a size of a header if it is within the limit.
    pub(crate) fn check(self, name: &str, value: u32) -> Result<usize, EncoderError> {
        match usize::try_from(value) {
            Ok(size) if (self.0..=self.1).contains(&size) => Ok(size),
            _ => Err(EncoderError::BadHeader { problem: format!("{name} is {value}") }),
        }
    }
}

/// How many numbers the sizes are in a header.
pub(crate) const SIZE_COUNT: usize = 11;

/// The sizes of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// Word pieces: rows of the table.
    pub pieces: usize,
    /// Numbers in a row of the table.
    pub table_width: usize,
    /// Numbers of a piece between layers.
    pub width: usize,
    /// Transformer layers.
    pub layers: usize,
    /// Attention heads. Each has `width / heads` numbers.
    pub heads: usize,
    /// Numbers inside the feed-forward part of a layer.
    pub inner: usize,
    /// Dimensions of a vector.
    pub dimensions: usize,
    /// Pieces that a window holds, with the marks at its start and end.
    pub positions: usize,
    /// The first id that stands for text. Ids below it are left out.
    pub first: u32,
    /// The mark at the start of a window.
    pub start_mark: u32,
    /// The mark at the end of a window.
    pub end_mark: u32,
}

impl Sizes {
    /// Reads the numbers of a header in their order in the file.
    pub(crate) fn from_numbers(numbers: [u32; SIZE_COUNT]) -> Result<Self, EncoderError> {
        let [pieces, table_width, width, layers, heads, inner, dimensions, positions, first, start_mark, end_mark] =
            numbers;
        let sizes = Self {
            pieces: SizeLimit::PIECES.check("the number of pieces", pieces)?,
            table_width: SizeLimit::WIDTH.check("the width of the table", table_width)?,
            width: SizeLimit::WIDTH.check("the width", width)?,
            layers: SizeLimit::LAYERS.check("the number of layers", layers)?,
            heads: SizeLimit::WIDTH.check("the number of heads", heads)?,
            inner: SizeLimit::WIDTH.check("the inner width", inner)?,
            dimensions: SizeLimit::WIDTH.check("the number of dimensions", dimensions)?,
            positions: SizeLimit::POSITIONS.check("the number of positions", positions)?,
            first,
            start_mark,
            end_mark,
        };
        if !sizes.width.is_multiple_of(sizes.heads) {
            let problem = format!("a width of {width} cannot be divided among {heads} heads");
            return Err(EncoderError::BadHeader { problem });
        }
        for (name, mark) in [("start", start_mark), ("end", end_mark)] {
            if mark >= pieces {
                let problem = format!("the mark at the {name} of a window is {mark}, but there are {pieces} pieces");
                return Err(EncoderError::BadHeader { problem });
            }
        }
        Ok(sizes)
    }

    /// Returns the numbers of a header in their order in the file.
    pub(crate) fn to_numbers(self) -> [u32; SIZE_COUNT] {
        // Every size was read from a `u32`.
        let number = |size: usize| u32::try_from(size).unwrap_or(u32::MAX);
        [
            number(self.pieces),
            number(self.table_width),
            number(self.width),
            number(self.layers),
            number(self.heads),
            number(self.inner),
            number(self.dimensions),
            number(self.positions),
            self.first,
            self.start_mark,
            self.end_mark,
        ]
    }

    /// Returns the sizes that all layers have.
    pub(crate) fn of_layers(self) -> LayerSizes {
        LayerSizes { width: self.width, heads: self.heads, inner: self.inner }
    }

    /// Returns how many pieces of text a window holds.
    pub(crate) fn window(self) -> usize {
        self.positions - 2
    }

    /// Returns whether a piece stands for text: no mark, and inside the table.
    pub fn is_text(self, id: u32) -> bool {
        id >= self.first && (id as usize) < self.pieces
    }
}

/// Reads the little-endian numbers at the start of a file.
pub(crate) fn read_numbers<const N: usize>(bytes: &[u8]) -> Option<[u32; N]> {
    let (chunks, _) = bytes.as_chunks::<4>();
    let mut numbers = [0; N];
    for (number, chunk) in numbers.iter_mut().zip(chunks.get(..N)?) {
        *number = u32::from_le_bytes(*chunk);
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SHIPPED: [u32; SIZE_COUNT] = [30522, 384, 384, 4, 12, 1536, 256, 256, 999, 101, 102];

    #[test]
    fn sizes_survive_a_round_trip() {
        assert_eq!(Sizes::from_numbers(SHIPPED).unwrap().to_numbers(), SHIPPED);
    }

    #[test]
    fn impossible_sizes_are_named() {
        let with = |at: usize, value: u32| {
            let mut numbers = SHIPPED;
            numbers[at] = value;
            Sizes::from_numbers(numbers).unwrap_err().to_string()
        };
        assert_eq!(with(2, 0), "the header of the model is invalid: the width is 0");
        assert!(with(4, 7).contains("384 cannot be divided among 7 heads"));
        assert!(with(7, 2).contains("positions is 2"));
        assert!(with(9, 30522).contains("start of a window is 30522"));
        assert!(with(0, u32::MAX).contains("pieces"));
    }

    proptest! {
        #[test]
        fn any_numbers_are_read_or_refused(numbers in any::<[u32; SIZE_COUNT]>()) {
            if let Ok(sizes) = Sizes::from_numbers(numbers) {
                prop_assert_eq!(sizes.to_numbers(), numbers);
            }
        }
    }
}
