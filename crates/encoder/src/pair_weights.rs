//! The weights of a classifier of pairs, read in place.
//!
//! A file is little-endian and starts with 64 bytes: `ELFC`, the version and the eight [sizes](PairSizes). Sections follow,
//! each padded with zeros to a multiple of 64 bytes: an offset for the pieces of each text, the layers, the hidden layer and
//! the output.

use crate::error::EncoderError;
use crate::pass::LayerSizes;
use crate::sizes::{SizeLimit, read_numbers};
use crate::weights::{ALIGNMENT, EncoderLayer, Linear, Sections};

/// The first bytes of a file.
pub(crate) const PAIR_MAGIC: [u8; 4] = *b"ELFC";
/// The version of the layout.
pub(crate) const PAIR_VERSION: u32 = 1;
/// How many numbers the sizes are in a header.
pub(crate) const PAIR_SIZE_COUNT: usize = 8;

/// The sizes of a classifier of pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PairSizes {
    /// Layers of the encoder that read each text by itself.
    pub(crate) first_layers: usize,
    /// Numbers of a piece between layers.
    pub(crate) width: usize,
    /// Layers that read both texts together.
    pub(crate) layers: usize,
    pub(crate) heads: usize,
    /// Numbers inside the feed-forward part of a layer.
    pub(crate) inner: usize,
    /// Numbers of the hidden layer.
    pub(crate) hidden: usize,
    pub(crate) classes: usize,
    /// Pieces of each text, without its marks.
    pub(crate) max_pieces: usize,
}

impl PairSizes {
    /// Reads the numbers of a header in their order in the file.
    pub(crate) fn from_numbers(numbers: [u32; PAIR_SIZE_COUNT]) -> Result<Self, EncoderError> {
        let [first_layers, width, layers, heads, inner, hidden, classes, max_pieces] = numbers;
        let sizes = Self {
            first_layers: SizeLimit::LAYERS.check("the number of first layers", first_layers)?,
            width: SizeLimit::WIDTH.check("the width", width)?,
            layers: SizeLimit::LAYERS.check("the number of layers", layers)?,
            heads: SizeLimit::WIDTH.check("the number of heads", heads)?,
            inner: SizeLimit::WIDTH.check("the inner width", inner)?,
            hidden: SizeLimit::WIDTH.check("the hidden width", hidden)?,
            classes: SizeLimit::WIDTH.check("the number of classes", classes)?,
            max_pieces: SizeLimit::WIDTH.check("the number of pieces", max_pieces)?,
        };
        if !sizes.width.is_multiple_of(sizes.heads) || 4 * sizes.width > SizeLimit::WIDTH.most() {
            let problem = format!("a width of {width} cannot be divided among {heads} heads or is too large");
            return Err(EncoderError::BadHeader { problem });
        }
        Ok(sizes)
    }

    pub(crate) fn of_layers(self) -> LayerSizes {
        LayerSizes { width: self.width, heads: self.heads, inner: self.inner }
    }
}

/// All weights of a classifier.
#[derive(Debug)]
pub(crate) struct PairWeights<'a> {
    pub(crate) sizes: PairSizes,
    /// What is added to the states of the pieces of each text, so that the order of the texts is known.
    pub(crate) segments: [Vec<f32>; 2],
    pub(crate) layers: Vec<EncoderLayer<Linear<'a>>>,
    pub(crate) hidden: Linear<'a>,
    pub(crate) output: Linear<'a>,
}

impl<'a> PairWeights<'a> {
    pub(crate) fn read(file: &'a [u8]) -> Result<Self, EncoderError> {
        let other = |problem: String| EncoderError::OtherFormat { problem };
        let rest = file.strip_prefix(&PAIR_MAGIC).ok_or_else(|| other("it does not start with ELFC".to_owned()))?;
        let [version, numbers @ ..] = read_numbers::<{ PAIR_SIZE_COUNT + 1 }>(rest)
            .ok_or(EncoderError::WrongLength { expected: ALIGNMENT, found: file.len() })?;
        if version != PAIR_VERSION {
            return Err(other(format!("its layout has version {version}, this program reads {PAIR_VERSION}")));
        }
        let sizes = PairSizes::from_numbers(numbers)?;
        let mut sections = Sections::after_header(file);
        let segments = [sections.floats(sizes.width)?, sections.floats(sizes.width)?];
        let layers = (0..sizes.layers).map(|_| sections.layer(sizes.of_layers())).collect::<Result<_, _>>()?;
        let hidden = sections.linear(sizes.hidden, 4 * sizes.width)?;
        let output = sections.linear(sizes.classes, sizes.hidden)?;
        sections.finish()?;
        Ok(Self { sizes, segments, layers, hidden, output })
    }
}
