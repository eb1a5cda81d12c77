//! Small random models in the trained format.

use elfmem_encoder::lay_out;

/// Sizes in the order of the header, after the version.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) pieces: usize,
    pub(crate) table_width: usize,
    pub(crate) width: usize,
    pub(crate) layers: usize,
    pub(crate) heads: usize,
    pub(crate) inner: usize,
    pub(crate) dimensions: usize,
    pub(crate) positions: usize,
}

pub(crate) const FIRST: u32 = 5;
pub(crate) const START: u32 = 1;
pub(crate) const END: u32 = 2;

/// Nothing is a multiple of the width of a register.
pub(crate) const ODD: Shape =
    Shape { pieces: 40, table_width: 9, width: 9, layers: 2, heads: 3, inner: 23, dimensions: 10, positions: 9 };
/// The table is narrower than the layers, and panels are full.
pub(crate) const FACTORISED: Shape =
    Shape { pieces: 40, table_width: 8, width: 32, layers: 3, heads: 2, inner: 64, dimensions: 16, positions: 20 };

impl Shape {
    /// Writes a trained file with random weights.
    pub(crate) fn trained(self, seed: u64) -> Vec<u8> {
        let mut random = fastrand::Rng::with_seed(seed);
        let sizes = [
            self.pieces,
            self.table_width,
            self.width,
            self.layers,
            self.heads,
            self.inner,
            self.dimensions,
            self.positions,
        ];
        let mut file = b"ELFB".to_vec();
        file.extend(1u32.to_le_bytes());
        file.extend(sizes.into_iter().flat_map(|size| u32::try_from(size).unwrap().to_le_bytes()));
        file.extend([FIRST, START, END].into_iter().flat_map(u32::to_le_bytes));
        fill(&mut file, self.sections(), &mut random);
        file
    }

    /// Lists the sections of a trained file: matrices with rows and columns, vectors with their length.
    pub(crate) fn sections(self) -> Vec<(usize, Option<usize>)> {
        let (d, f) = (self.width, self.inner);
        let mut sections = vec![(self.pieces, Some(self.table_width))];
        if self.table_width != d {
            sections.push((d, Some(self.table_width)));
        }
        sections.extend([(self.positions, Some(d)), (d, None), (d, None)]);
        (0..self.layers).for_each(|_| sections.extend(layer_sections(d, f)));
        sections.extend([(self.dimensions, Some(d)), (self.dimensions, None)]);
        sections
    }

    /// Returns the two parts of a random model.
    pub(crate) fn parts(self, seed: u64) -> Vec<Vec<u8>> {
        lay_out(&self.trained(seed), self.pieces / 2).unwrap()
    }

    /// Returns random texts: none, one piece, a full window, several windows; with marks and unknown pieces among them.
    pub(crate) fn texts(self, seed: u64) -> Vec<Vec<u32>> {
        let mut random = fastrand::Rng::with_seed(seed);
        let window = self.positions - 2;
        let lengths = [0, 1, 2, window - 1, window, window + 1, 3 * window + 2, 5, 3, 4, 6, 7];
        let last = u32::try_from(self.pieces).unwrap();
        lengths.into_iter().map(|length| (0..length).map(|_| random.u32(0..last + 2)).collect()).collect()
    }
}

/// A classifier of pairs on top of an encoder with the same width and heads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PairShape {
    pub(crate) encoder: Shape,
    pub(crate) first_layers: usize,
    pub(crate) layers: usize,
    pub(crate) hidden: usize,
    pub(crate) classes: usize,
    pub(crate) max_pieces: usize,
}

impl PairShape {
    /// Writes a trained file with random weights.
    pub(crate) fn trained(self, seed: u64) -> Vec<u8> {
        let mut random = fastrand::Rng::with_seed(seed);
        let Shape { width, heads, inner, .. } = self.encoder;
        let sizes = [self.first_layers, width, self.layers, heads, inner, self.hidden, self.classes, self.max_pieces];
        let mut file = b"ELFC".to_vec();
        file.extend(1u32.to_le_bytes());
        file.extend(sizes.into_iter().flat_map(|size| u32::try_from(size).unwrap().to_le_bytes()));
        fill(&mut file, self.sections(), &mut random);
        file
    }

    /// Lists the sections of a trained file.
    pub(crate) fn sections(self) -> Vec<(usize, Option<usize>)> {
        let d = self.encoder.width;
        let mut sections = vec![(d, None), (d, None)];
        (0..self.layers).for_each(|_| sections.extend(layer_sections(d, self.encoder.inner)));
        sections.extend([(self.hidden, Some(4 * d)), (self.hidden, None)]);
        sections.extend([(self.classes, Some(self.hidden)), (self.classes, None)]);
        sections
    }
}

fn layer_sections(d: usize, f: usize) -> [(usize, Option<usize>); 12] {
    let linear = |outputs: usize, inputs: usize| [(outputs, Some(inputs)), (outputs, None)];
    let [[a, b], [c, e], [g, h], [i, j]] = [linear(3 * d, d), linear(d, d), linear(f, d), linear(d, f)];
    let norm = (d, None);
    [a, b, c, e, norm, norm, g, h, i, j, norm, norm]
}

/// Writes random matrices and vectors.
fn fill(file: &mut Vec<u8>, sections: Vec<(usize, Option<usize>)>, random: &mut fastrand::Rng) {
    for (rows, columns) in sections {
        match columns {
            None => file.extend((0..rows).flat_map(|_| (random.f32() + 0.1).to_le_bytes())),
            Some(columns) => {
                file.extend((0..rows).flat_map(|_| (0.005 + 0.01 * random.f32()).to_le_bytes()));
                file.extend((0..rows * columns).map(|_| random.u8(..)));
            }
        }
    }
}

/// Returns the parts as slices.
pub(crate) fn slices(parts: &[Vec<u8>]) -> Vec<&[u8]> {
    parts.iter().map(Vec::as_slice).collect()
}
