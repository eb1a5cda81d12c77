//! The forward pass of the text encoder inside elfmem.
//!
//! [`Encoder::read`] takes the parts of a model as they lie in a binary; [`Encoder::embed`] turns the word pieces of texts
//! into unit vectors. The model is a transformer of the BERT family with weights of 8 bits. Matrices are multiplied in
//! integers, with the fastest [`Kernel`] that the processor has; all kernels give the same vector, bit by bit. Long texts
//! are read in windows, nothing is cut off.
//!
//! For a question, [`Encoder::states`] does the work without knowing how its words are weighted, and [`Encoder::pool`]
//! applies the weights.
//!
//! [`FloatEncoder`] is the same forward pass for other models of the family, with weights of 32 bits that a caller has read
//! from files. Attention, norms and activation are shared; only the matrix product differs.
//!
//! [`PairClassifier`] reads two texts together, on top of the first layers of an encoder, and says how probable each class
//! is.
//!
//! [`lay_out`] and [`lay_out_pairs`] convert a trained file to the order in which the kernels read it. It runs when a model is added to the
//! program.
//!
//! This crate does not split text into pieces (see `elfmem-models`), holds no weights (see `elfmem-encoder-data-1`) and does
//! no I/O.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod batch;
mod encoder;
mod error;
mod float_encoder;
mod float_weights;
mod kernel;
mod layout;
mod numbers;
mod pair_classifier;
mod pair_weights;
mod pass;
mod sizes;
mod weights;

pub use encoder::{Encoder, PieceStates};
pub use error::EncoderError;
pub use float_encoder::{FloatEncoder, Pooling};
pub use float_weights::{FloatLayer, FloatLinear, FloatWeights, LayerNorm, PieceTable};
pub use kernel::Kernel;
pub use layout::{lay_out, lay_out_pairs};
pub use numbers::NumberFormat;
pub use pair_classifier::PairClassifier;
pub use sizes::Sizes;
