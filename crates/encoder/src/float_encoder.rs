//! The forward pass of models that a caller has read from files, in floating point.

use crate::batch::{add, each_window, on_threads, rows_of_each};
use crate::error::EncoderError;
use crate::float_weights::{FloatLinear, FloatWeights, PieceTable};
use crate::kernel::Kernel;
use crate::pass::{LayerSizes, PassScratch, marked_pieces};
use crate::weights::{EncoderLayer, Norm};

/// How the states of the pieces of a text become one vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pooling {
    /// The mean of all pieces and marks.
    Mean,
    /// The mark at the start. Of several windows, the mean of theirs.
    First,
    /// The largest number of all pieces and marks, dimension by dimension.
    Max,
}

/// A model of the BERT family that is ready to use.
///
/// All kernels give the same vector, bit by bit, as for the built-in encoder.
#[derive(Debug)]
pub struct FloatEncoder {
    table: PieceTable,
    positions: Vec<f32>,
    norm: Norm,
    layers: Vec<EncoderLayer<FloatLinear>>,
    sizes: LayerSizes,
    marks: (u32, u32),
    kernel: Kernel,
}

impl FloatEncoder {
    /// Makes a model ready.
    ///
    /// # Errors
    /// If the sizes of the weights do not fit together, or a number is not finite.
    pub fn new(weights: FloatWeights) -> Result<Self, EncoderError> {
        weights.check()?;
        let sizes = LayerSizes { width: weights.width(), heads: weights.heads, inner: weights.inner() };
        let FloatWeights { table, positions, norm, layers, start_mark, end_mark, .. } = weights;
        let layers = layers.into_iter().map(EncoderLayer::from).collect();
        let (norm, kernel) = (norm.0, Kernel::fastest());
        Ok(Self { table, positions, norm, layers, sizes, marks: (start_mark, end_mark), kernel })
    }

    /// Uses another kernel. The results do not change.
    pub fn with_kernel(self, kernel: Kernel) -> Self {
        Self { kernel, ..self }
    }

    /// Returns the kernel that is used.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// Returns the numbers of a vector.
    pub fn width(&self) -> usize {
        self.sizes.width
    }

    /// Returns how many pieces a window can hold at most, without its marks.
    pub fn max_window(&self) -> usize {
        self.positions.len() / self.sizes.width - 2
    }

    /// Returns the pooled states of texts, given as ids of pieces; they are not scaled to length one. Long texts are read in
    /// windows of at most `window` pieces. A text without pieces has no vector. At most `threads` threads are used.
    ///
    /// # Errors
    /// If a result is not finite: the weights are damaged.
    pub fn embed(
        &self,
        texts: &[&[u32]],
        window: usize,
        pooling: Pooling,
        threads: usize,
    ) -> Result<Vec<Option<Vec<f32>>>, EncoderError> {
        let window = window.clamp(1, self.max_window());
        let windows: Vec<&[u32]> = texts.iter().flat_map(|pieces| pieces.chunks(window)).collect();
        let rows = rows_of_each(&windows);
        let mut pooled = on_threads(&rows, threads, |group, scratch| {
            self.run(&windows[group.clone()], scratch);
            each_window(&scratch.states, self.sizes.width, &rows[group]).map(|rows| self.pool(rows, pooling)).collect()
        })
        .into_iter();
        let text = |pieces: &&[u32]| {
            let count = pieces.len().div_ceil(window);
            let all = pooled.by_ref().take(count).reduce(|all, window| all.join(window, pooling))?;
            Some(all.vector(pooling))
        };
        let vectors: Vec<Option<Vec<f32>>> = texts.iter().map(text).collect();
        if vectors.iter().flatten().flatten().all(|number| number.is_finite()) {
            return Ok(vectors);
        }
        Err(EncoderError::DamagedWeights { problem: "a result is not finite".to_owned() })
    }

    /// Computes the states of the pieces of some windows.
    fn run(&self, windows: &[&[u32]], scratch: &mut PassScratch) {
        let (width, (start, end)) = (self.sizes.width, self.marks);
        let (mut pieces, mut states) = (Vec::new(), std::mem::take(&mut scratch.states));
        states.clear();
        for (position, id) in marked_pieces(windows, start, end) {
            states.extend(&self.positions[position * width..(position + 1) * width]);
            let before = pieces.len();
            pieces.extend(self.table.row(id));
            pieces.resize(before + width, 0.0);
        }
        self.kernel.add_norm(&mut states, &pieces, width, &self.norm);
        scratch.states = states;
        scratch.run_layers(&self.layers, self.sizes, self.kernel, &rows_of_each(windows));
    }

    fn pool(&self, rows: &[f32], pooling: Pooling) -> Pooled {
        let width = self.sizes.width;
        let mut rows = rows.chunks_exact(width);
        let first = Pooled { numbers: rows.next().unwrap_or_default().to_vec(), count: 1 };
        match pooling {
            Pooling::First => first,
            Pooling::Mean | Pooling::Max => {
                rows.fold(first, |all, row| all.join(Pooled { numbers: row.to_vec(), count: 1 }, pooling))
            }
        }
    }
}

/// The sum or the maximum of some rows.
#[derive(Debug, Clone, Default)]
struct Pooled {
    numbers: Vec<f32>,
    count: usize,
}

impl Pooled {
    fn join(mut self, other: Self, pooling: Pooling) -> Self {
        match pooling {
            Pooling::Mean | Pooling::First => add(&mut self.numbers, 1.0, &other.numbers),
            Pooling::Max => self.numbers.iter_mut().zip(other.numbers).for_each(|(most, x)| *most = most.max(x)),
        }
        Self { count: self.count + other.count, ..self }
    }

    fn vector(mut self, pooling: Pooling) -> Vec<f32> {
        if pooling != Pooling::Max {
            self.numbers.iter_mut().for_each(|number| *number /= self.count as f32);
        }
        self.numbers
    }
}
