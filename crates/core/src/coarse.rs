//! Vectors quantised to 8 bits, with an error bound.
//!
//! A unit vector is stored as integers in `-127..=127` and one scale, a quarter of the size of
//! `f32`. The length of the rounding error is stored too: by the Cauchy–Schwarz inequality, the
//! error of a dot product with a unit vector cannot exceed it. The store and the index use this
//! same encoding.

/// The largest quantised value.
pub const LARGEST: f32 = 127.0;

/// Size of the header: scale and error bound.
const HEAD: usize = 8;

/// Number of parallel sums, so that the compiler vectorises the loop.
const LANES: usize = 8;

/// A quantised vector in its stored form.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoarseVector<'a> {
    /// The value of one quantisation step.
    pub scale: f32,
    /// Upper bound of the error of a dot product with a unit vector.
    pub slack: f32,
    /// The values, each an `i8` in a byte.
    numbers: &'a [u8],
}

impl<'a> CoarseVector<'a> {
    /// Encodes a vector. Returns `None` for a zero or non-finite vector.
    pub fn encode(vector: &[f32]) -> Option<Vec<u8>> {
        let unit = unit(vector)?;
        let mut bytes = vec![0; HEAD + unit.len()];
        let rounded = round(&unit, LARGEST, &mut bytes[HEAD..], |number| number as u8);
        bytes[..4].copy_from_slice(&rounded.scale.to_le_bytes());
        bytes[4..HEAD].copy_from_slice(&rounded.slack(unit.len()).to_le_bytes());
        Some(bytes)
    }

    /// Decodes the result of [`encode`](Self::encode). Returns `None` for invalid bytes.
    pub fn decode(bytes: &'a [u8]) -> Option<Self> {
        let (scale, rest) = bytes.split_first_chunk::<4>()?;
        let (slack, numbers) = rest.split_first_chunk::<4>()?;
        let (scale, slack) = (f32::from_le_bytes(*scale), f32::from_le_bytes(*slack));
        let sound = scale.is_finite() && scale > 0.0 && slack.is_finite() && slack >= 0.0 && !numbers.is_empty();
        sound.then_some(Self { scale, slack, numbers })
    }

    /// Returns the number of dimensions.
    pub fn dimensions(&self) -> usize {
        self.numbers.len()
    }

    /// Iterates over the quantised values.
    pub fn numbers(&self) -> impl ExactSizeIterator<Item = i8> {
        self.numbers.iter().map(|byte| *byte as i8)
    }
}

/// The scale and error of a quantised vector.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quantization {
    /// The value of one quantisation step.
    pub scale: f32,
    /// The length of the rounding error.
    pub error: f32,
}

impl Quantization {
    /// Returns an upper bound of the error of a dot product with a unit vector, including the
    /// rounding of `f32` arithmetic.
    pub fn slack(self, dimensions: usize) -> f32 {
        self.error * 1.001 + dimensions as f32 * f32::EPSILON + 2e-6
    }
}

/// Quantises a vector so that its largest component becomes `largest`, which must fit an `i16`.
/// Leaves elements of `numbers` beyond the vector unchanged.
#[inline]
pub fn round<N>(unit: &[f32], largest: f32, numbers: &mut [N], kept: impl Fn(i16) -> N) -> Quantization {
    let scale = unit.iter().fold(0.0, |most: f32, x| most.max(x.abs())) / largest;
    let inverse = 1.0 / scale;
    let mut error = [0.0f32; LANES];
    for (lane, (place, x)) in numbers.iter_mut().zip(unit).enumerate() {
        let number = round_to_i16(x * inverse);
        *place = kept(number);
        let left = x - f32::from(number) * scale;
        error[lane % LANES] += left * left;
    }
    Quantization { scale, error: error.iter().sum::<f32>().sqrt() }
}

/// Rounds to the nearest integer that fits an `i16`.
#[inline(always)]
fn round_to_i16(x: f32) -> i16 {
    // Adding this constant moves the integer into the low bits. The x86-64 baseline has no rounding
    // instruction, and a function call per value takes five times as long.
    const MAGIC: f32 = 12_582_912.0;
    (x + MAGIC).to_bits() as i16
}

/// Scales a vector to length one. Returns `None` for a zero or non-finite vector.
pub fn unit(vector: &[f32]) -> Option<Vec<f32>> {
    let (lanes, rest) = vector.as_chunks::<LANES>();
    let mut totals = [0.0; LANES];
    for numbers in lanes {
        for lane in 0..LANES {
            totals[lane] += f64::from(numbers[lane]) * f64::from(numbers[lane]);
        }
    }
    let rest: f64 = rest.iter().map(|x| f64::from(*x) * f64::from(*x)).sum();
    let length = (totals.iter().sum::<f64>() + rest).sqrt();
    let has_direction = length.is_finite() && length > 1e-12;
    has_direction.then(|| vector.iter().map(|x| (f64::from(*x) / length) as f32).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn zero_and_non_finite_vectors_cannot_be_encoded() {
        assert_eq!(unit(&[0.0, 3.0]), Some(vec![0.0, 1.0]));
        for nowhere in [&[0.0, 0.0][..], &[f32::INFINITY, 0.0], &[f32::NAN], &[]] {
            assert_eq!((unit(nowhere), CoarseVector::encode(nowhere)), (None, None));
        }
    }

    #[test]
    fn invalid_bytes_are_not_decoded() {
        let sound = CoarseVector::encode(&[0.6, -0.8]).unwrap();
        assert_eq!(sound.len(), HEAD + 2);
        for length in 0..=HEAD {
            assert_eq!(CoarseVector::decode(&sound[..length]), None);
        }
        for scale in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            let mut damaged = sound.clone();
            damaged[..4].copy_from_slice(&f32::to_le_bytes(scale));
            assert_eq!(CoarseVector::decode(&damaged), None);
        }
    }

    proptest! {
        #[test]
        fn decoded_vectors_are_within_the_error_bound(vector in prop::collection::vec(-1.0..1.0f32, 1..300)) {
            let Some(unit) = unit(&vector) else { return Ok(()) };
            let bytes = CoarseVector::encode(&vector).unwrap();
            let coarse = CoarseVector::decode(&bytes).unwrap();
            prop_assert_eq!(coarse.dimensions(), vector.len());
            let off: f32 = coarse.numbers().zip(&unit).map(|(n, x)| (x - f32::from(n) * coarse.scale).powi(2)).sum();
            prop_assert!(off.sqrt() <= coarse.slack);
        }
    }
}
