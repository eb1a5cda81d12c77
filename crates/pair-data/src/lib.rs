//! Weights of the classifier of pairs inside elfmem: the layers that read two texts together.
//!
//! `elfmem-encoder` reads them, on top of the first layers of the encoder in `elfmem-encoder-data-1`.

/// Bytes that start where a register of the processor likes to load from.
#[repr(C, align(64))]
struct Aligned<B: ?Sized>(B);

static ALIGNED: &Aligned<[u8]> = &Aligned(*include_bytes!("../model/elfmem-pairs.bin"));

/// The classifier, in the order in which the kernels read it.
pub static CLASSIFIER: &[u8] = &ALIGNED.0;
