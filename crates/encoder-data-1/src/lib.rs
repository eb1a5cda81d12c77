//! Weights of the text encoder inside elfmem, part 1 of 2: the layers, the projection and the first rows of the table of word pieces.
//!
//! `elfmem-encoder` reads both parts. There are two because a package registry limits the size of a package.

/// Bytes that start where a register of the processor likes to load from.
#[repr(C, align(64))]
struct Aligned<B: ?Sized>(B);

static ALIGNED: &Aligned<[u8]> = &Aligned(*include_bytes!("../model/elfmem-encoder-256.part-1"));

/// Part 1 of the model, in the order in which the kernels read it.
pub static PART: &[u8] = &ALIGNED.0;
