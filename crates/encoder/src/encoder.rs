//! From the pieces of texts to vectors.

use crate::batch::{add, sum_windows};
use crate::error::EncoderError;
use crate::kernel::Kernel;
use crate::pass::PassScratch;
use crate::sizes::Sizes;
use crate::weights::Weights;

/// A model that is ready to use.
#[derive(Debug)]
pub struct Encoder<'a> {
    weights: Weights<'a>,
    kernel: Kernel,
}

/// The state of each piece of one text, in its context.
///
/// Computing the states is the work; weighing and adding them up is little. So a question can be computed before it is known
/// how its words are weighted.
#[derive(Debug, Clone, PartialEq)]
pub struct PieceStates {
    /// Pieces in each window, without the marks.
    windows: Vec<usize>,
    rows: Vec<f32>,
}

impl PieceStates {
    /// Returns the number of pieces, without marks.
    pub fn len(&self) -> usize {
        self.windows.iter().sum()
    }

    /// Returns whether there is no piece.
    pub fn is_empty(&self) -> bool {
        self.windows.is_empty()
    }

    /// Returns the memory that the states use, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.rows.as_slice())
    }
}

impl<'a> Encoder<'a> {
    /// Reads the parts of a model that was [laid out](crate::lay_out). The matrices stay where they are, so this takes
    /// microseconds.
    ///
    /// # Errors
    /// If the parts are not those of one complete model.
    pub fn read(parts: &[&'a [u8]]) -> Result<Self, EncoderError> {
        Ok(Self { weights: Weights::read(parts)?, kernel: Kernel::fastest() })
    }

    /// Uses another kernel. The results do not change.
    pub fn with_kernel(self, kernel: Kernel) -> Self {
        Self { kernel, ..self }
    }

    /// Returns the kernel that is used.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// Returns the sizes of the model.
    pub fn sizes(&self) -> Sizes {
        self.weights.sizes
    }

    /// Returns the vectors of texts, given as ids of pieces. Pieces that do not [stand for text](Sizes::is_text) are left
    /// out; a text of which nothing is left has no vector. At most `threads` threads are used.
    ///
    /// # Errors
    /// If the weights are damaged.
    pub fn embed(&self, texts: &[&[u32]], threads: usize) -> Result<Vec<Option<Vec<f32>>>, EncoderError> {
        let texts: Vec<Vec<u32>> = texts.iter().map(|text| self.text_pieces(text)).collect();
        let cut = |pieces: &'_ [u32]| pieces.len().div_ceil(self.weights.sizes.window());
        let windows: Vec<&[u32]> = texts.iter().flat_map(|pieces| pieces.chunks(self.weights.sizes.window())).collect();
        let mut sums = sum_windows(&self.weights, self.kernel, &windows, threads).into_iter();
        let text_sums = texts.iter().map(|pieces| {
            sums.by_ref().take(cut(pieces)).reduce(|mut sum, window| {
                add(&mut sum, 1.0, &window);
                sum
            })
        });
        self.project(&text_sums.collect::<Vec<_>>())
    }

    /// Computes the states of the pieces of one text; none if no piece stands for text.
    pub fn states(&self, pieces: &[u32]) -> Option<PieceStates> {
        let pieces = self.text_pieces(pieces);
        let mut states = PieceStates { windows: Vec::new(), rows: Vec::new() };
        let mut scratch = PassScratch::default();
        for window in pieces.chunks(self.weights.sizes.window()) {
            states.windows.push(window.len());
            states.rows.extend(scratch.run(&self.weights, self.kernel, &[window]));
        }
        (!states.is_empty()).then_some(states)
    }

    /// Returns the vector of a text whose pieces have certain weights. Missing weights, negative ones and those that are not
    /// finite count as zero; if all are zero, all count as one. The marks of a window weigh as much as its pieces on
    /// average.
    ///
    /// # Errors
    /// If the weights of the model are damaged.
    pub fn pool(&self, states: &PieceStates, weights: &[f32]) -> Result<Vec<f32>, EncoderError> {
        let usable = |weight: &f32| if weight.is_finite() { weight.max(0.0) } else { 0.0 };
        let mut weights: Vec<f32> = weights.iter().map(usable).collect();
        weights.resize(states.len(), 0.0);
        if weights.iter().all(|weight| *weight == 0.0) {
            weights.fill(1.0);
        }
        let width = self.weights.sizes.width;
        let (mut sum, mut rows, mut rest) = (vec![0.0; width], states.rows.chunks_exact(width), weights.as_slice());
        for length in &states.windows {
            let (window, after) = rest.split_at(*length);
            let mean = window.iter().sum::<f32>() / *length as f32;
            let marked = std::iter::once(&mean).chain(window).chain(std::iter::once(&mean));
            // As for stored texts: the sum of the sums of the windows, so that equal weights change no bit.
            let mut window_sum = vec![0.0; width];
            marked.zip(&mut rows).for_each(|(weight, row)| add(&mut window_sum, *weight, row));
            add(&mut sum, 1.0, &window_sum);
            rest = after;
        }
        let vectors = self.project(&[Some(sum)])?;
        vectors.into_iter().next().flatten().ok_or_else(not_finite)
    }

    pub(crate) fn weights(&self) -> &Weights<'a> {
        &self.weights
    }

    pub(crate) fn text_pieces(&self, pieces: &[u32]) -> Vec<u32> {
        pieces.iter().copied().filter(|id| self.weights.sizes.is_text(*id)).collect()
    }

    /// Turns the sum of the states of each text into its vector.
    fn project(&self, sums: &[Option<Vec<f32>>]) -> Result<Vec<Option<Vec<f32>>>, EncoderError> {
        let (width, dimensions) = (self.weights.sizes.width, self.weights.sizes.dimensions);
        let mut rows = Vec::new();
        for sum in sums.iter().flatten() {
            rows.extend(unit(sum).ok_or_else(not_finite)?);
        }
        let (output, mut scratch) = (&self.weights.output, PassScratch::default());
        let mut projected = scratch.project(output, self.kernel, &rows, width).chunks_exact(output.outputs());
        let mut vectors = vec![None; sums.len()];
        for (vector, _) in vectors.iter_mut().zip(sums).filter(|(_, sum)| sum.is_some()) {
            let numbers = projected.next().and_then(|row| unit(&row[..dimensions]));
            *vector = Some(numbers.ok_or_else(not_finite)?);
        }
        Ok(vectors)
    }
}

/// Scales a vector to length one; none if it has no direction.
fn unit(vector: &[f32]) -> Option<Vec<f32>> {
    let length = vector.iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>().sqrt();
    (length.is_finite() && length > 0.0).then(|| vector.iter().map(|x| (f64::from(*x) / length) as f32).collect())
}

fn not_finite() -> EncoderError {
    EncoderError::DamagedWeights { problem: "a result is not finite".to_owned() }
}
