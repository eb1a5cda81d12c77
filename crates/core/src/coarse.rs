//! Vectors in one byte a number: a quarter of what a search has to read, with a known error.
//!
//! A vector of length one is kept as whole numbers in `-127..=127` and one scale. What rounding took away is a vector too,
//! and its length is kept: the product with a query of length one cannot be off by more than that (Cauchy and Schwarz). A
//! store keeps this form beside the vector itself, and an index searches it; both make it here, so that it is the same.

/// The largest number of a row.
pub const LARGEST: f32 = 127.0;

/// Bytes before the numbers: the scale and the slack.
const HEAD: usize = 8;

/// Sums that are made side by side, so that the compiler turns them into vector instructions.
const LANES: usize = 8;

/// A vector in the coarse form, as it is stored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoarseVector<'a> {
    /// What a whole number stands for.
    pub scale: f32,
    /// How far a product with a vector of length one may be off.
    pub slack: f32,
    /// Each number is the byte of an `i8`.
    numbers: &'a [u8],
}

impl<'a> CoarseVector<'a> {
    /// The bytes of a vector's coarse form; none when it has no direction.
    pub fn encode(vector: &[f32]) -> Option<Vec<u8>> {
        let unit = unit(vector)?;
        let mut bytes = vec![0; HEAD + unit.len()];
        let rounded = round(&unit, LARGEST, &mut bytes[HEAD..], |number| number as u8);
        bytes[..4].copy_from_slice(&rounded.scale.to_le_bytes());
        bytes[4..HEAD].copy_from_slice(&rounded.slack(unit.len()).to_le_bytes());
        Some(bytes)
    }

    /// Reads what [`encode`](Self::encode) made; none when it cannot have been made so.
    pub fn decode(bytes: &'a [u8]) -> Option<Self> {
        let (scale, rest) = bytes.split_first_chunk::<4>()?;
        let (slack, numbers) = rest.split_first_chunk::<4>()?;
        let (scale, slack) = (f32::from_le_bytes(*scale), f32::from_le_bytes(*slack));
        let sound = scale.is_finite() && scale > 0.0 && slack.is_finite() && slack >= 0.0 && !numbers.is_empty();
        sound.then_some(Self { scale, slack, numbers })
    }

    /// How many numbers it has.
    pub fn dimensions(&self) -> usize {
        self.numbers.len()
    }

    /// Its numbers.
    pub fn numbers(&self) -> impl ExactSizeIterator<Item = i8> {
        self.numbers.iter().map(|byte| *byte as i8)
    }
}

/// What rounding made of a vector.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rounded {
    /// What a whole number stands for.
    pub scale: f32,
    /// The length of what was taken away.
    pub lost: f32,
}

impl Rounded {
    /// How far a product of so many numbers with a vector of length one may be off. Products of `f32` are themselves
    /// rounded: a few units in the last place for every number.
    pub fn slack(self, dimensions: usize) -> f32 {
        self.lost * 1.001 + dimensions as f32 * f32::EPSILON + 2e-6
    }
}

/// Writes a vector as whole numbers, scaled so that its largest becomes `largest`, which fits an `i16`. Places of `numbers`
/// beyond the vector stay as they are.
#[inline]
pub fn round<N>(unit: &[f32], largest: f32, numbers: &mut [N], kept: impl Fn(i16) -> N) -> Rounded {
    let scale = unit.iter().fold(0.0, |most: f32, x| most.max(x.abs())) / largest;
    let inverse = 1.0 / scale;
    let mut lost = [0.0f32; LANES];
    for (lane, (place, x)) in numbers.iter_mut().zip(unit).enumerate() {
        let number = whole(x * inverse);
        *place = kept(number);
        let left = x - f32::from(number) * scale;
        lost[lane % LANES] += left * left;
    }
    Rounded { scale, lost: lost.iter().sum::<f32>().sqrt() }
}

/// The nearest whole number that fits an `i16`.
#[inline(always)]
fn whole(x: f32) -> i16 {
    // Adding this leaves no bits for fractions, and the whole number in the low bits. The baseline x86-64 has no
    // instruction for rounding, and a call for every number takes five times as long.
    const WHOLE: f32 = 12_582_912.0;
    (x + WHOLE).to_bits() as i16
}

/// The vector scaled to length one; none when it has no direction.
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
    fn what_has_no_direction_has_no_unit_vector_and_no_coarse_form() {
        assert_eq!(unit(&[0.0, 3.0]), Some(vec![0.0, 1.0]));
        for nowhere in [&[0.0, 0.0][..], &[f32::INFINITY, 0.0], &[f32::NAN], &[]] {
            assert_eq!((unit(nowhere), CoarseVector::encode(nowhere)), (None, None));
        }
    }

    #[test]
    fn bytes_that_nobody_made_are_not_read() {
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
        fn a_vector_read_back_is_nowhere_further_off_than_its_slack(vector in prop::collection::vec(-1.0..1.0f32, 1..300)) {
            let Some(unit) = unit(&vector) else { return Ok(()) };
            let bytes = CoarseVector::encode(&vector).unwrap();
            let coarse = CoarseVector::decode(&bytes).unwrap();
            prop_assert_eq!(coarse.dimensions(), vector.len());
            let off: f32 = coarse.numbers().zip(&unit).map(|(n, x)| (x - f32::from(n) * coarse.scale).powi(2)).sum();
            prop_assert!(off.sqrt() <= coarse.slack);
        }
    }
}
