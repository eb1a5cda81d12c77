//! The arithmetic of the forward pass, compiled for several kinds of processors.
//!
//! Matrices are multiplied in integers: weights of 8 bits with activations of 16 bits, added up in 32 bits. Integer sums do
//! not depend on their order. Everything else is plain floating-point code that is compiled once for each kind
//! ([`float`]), without fused operations and with the same number of running sums everywhere. So all kernels compute the
//! same vector, bit by bit, and a memory can move between machines.
//!
//! Activations of 8 bits would be faster where the processor has the instructions, but they miss the tolerance to the
//! reference by a factor of ten; two rounds of 8 bits cost as much as one of 16.

// Functions that are compiled for certain instructions may only be called where the processor has them, which the
// compiler cannot know.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod float;
#[cfg(target_arch = "aarch64")]
mod neon;
mod plain;
mod quantised;
mod tiles;

pub(crate) use float::AttentionScratch;
pub(crate) use quantised::Quantised;

use crate::float_weights::FloatLinear;
use crate::weights::{Linear, Norm};

/// The instructions that the forward pass uses. All give the same results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kernel(Instructions);

/// Invariant: a value other than `Plain` exists only where the processor has the instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Instructions {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni,
    #[cfg(target_arch = "aarch64")]
    Neon,
}

impl Kernel {
    /// Works on every processor.
    pub const PLAIN: Self = Self(Instructions::Plain);

    /// Returns the kernels that this processor can run, the fastest first.
    pub fn available() -> Vec<Self> {
        let mut kernels = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected;
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
                if is_x86_feature_detected!("avx512vnni") {
                    kernels.push(Self(Instructions::Avx512Vnni));
                }
                kernels.push(Self(Instructions::Avx512));
            }
            if is_x86_feature_detected!("avx2") {
                kernels.push(Self(Instructions::Avx2));
            }
        }
        #[cfg(target_arch = "aarch64")]
        if std::arch::is_aarch64_feature_detected!("neon") {
            kernels.push(Self(Instructions::Neon));
        }
        kernels.push(Self::PLAIN);
        kernels
    }

    /// Returns the fastest kernel that this processor can run.
    pub fn fastest() -> Self {
        Self::available().first().copied().unwrap_or(Self::PLAIN)
    }

    /// Returns the name of the instructions: `plain`, `avx2`, `avx512`, `avx512-vnni` or `neon`.
    pub fn name(self) -> &'static str {
        match self.0 {
            Instructions::Plain => "plain",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => "avx512",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512Vnni => "avx512-vnni",
            #[cfg(target_arch = "aarch64")]
            Instructions::Neon => "neon",
        }
    }
}

/// Calls a function in the module of the instructions. The `vnni` variant differs in the product alone.
macro_rules! dispatch {
    ($kernel:expr, $function:ident($($argument:expr),*)) => {
        match $kernel.0 {
            Instructions::Plain => plain::$function($($argument),*),
            // SAFETY: the value exists, so the processor has AVX2.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { avx2::$function($($argument),*) },
            // SAFETY: the value exists, so the processor has AVX-512 F and BW.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 | Instructions::Avx512Vnni => unsafe { avx512::$function($($argument),*) },
            // SAFETY: the value exists, so the processor has NEON.
            #[cfg(target_arch = "aarch64")]
            Instructions::Neon => unsafe { neon::$function($($argument),*) },
        }
    };
}

impl Kernel {
    /// Computes `linear` of every row. The rows of `out` have `linear.outputs()` numbers.
    pub(crate) fn product(self, rows: &Quantised, linear: &Linear<'_>, out: &mut Vec<f32>) {
        out.resize(rows.len() * linear.outputs(), 0.0);
        debug_assert_eq!(rows.pairs(), linear.pairs);
        #[cfg(target_arch = "x86_64")]
        if self.0 == Instructions::Avx512Vnni {
            // SAFETY: the value exists, so the processor has AVX-512 F, BW and VNNI.
            return unsafe { avx512::product_vnni(rows, linear, out) };
        }
        dispatch!(self, product(rows, linear, out));
    }

    /// Computes `linear` of every row of `stride` numbers, of which the first ones count.
    pub(crate) fn float_product(self, rows: &[f32], stride: usize, linear: &FloatLinear, out: &mut Vec<f32>) {
        out.resize(rows.len() / stride * linear.outputs(), 0.0);
        dispatch!(self, float_product(rows, stride, linear, out));
    }

    /// Rounds rows of `stride` numbers, of which the first `width` count, to 16 bits.
    pub(crate) fn quantise(self, rows: &[f32], stride: usize, width: usize, out: &mut Quantised) {
        dispatch!(self, quantise(rows, stride, width, out));
    }

    /// Adds rows of `stride` numbers to the rows of `x`, and normalises these.
    pub(crate) fn add_norm(self, x: &mut [f32], rows: &[f32], stride: usize, norm: &Norm) {
        dispatch!(self, add_norm(x, rows, stride, norm));
    }

    /// Applies the activation function to every number.
    pub(crate) fn gelu(self, rows: &mut [f32]) {
        dispatch!(self, gelu(rows));
    }

    /// Lets the pieces of one window attend to each other. The rows of `queries_keys_values` have `stride` numbers: three
    /// times `width`, and padding.
    pub(crate) fn attend(
        self,
        queries_keys_values: &[f32],
        stride: usize,
        (width, heads): (usize, usize),
        scratch: &mut AttentionScratch,
        out: &mut [f32],
    ) {
        dispatch!(self, attend(queries_keys_values, stride, (width, heads), scratch, out));
    }
}

/// The functions of [`float`], compiled for a kind of processor whose tiles have `ROWS` rows.
macro_rules! compile_float {
    ($(#[$attribute:meta])*) => {
        $(#[$attribute])*
        pub(super) fn quantise(rows: &[f32], stride: usize, width: usize, out: &mut $crate::kernel::Quantised) {
            $crate::kernel::quantised::quantise(rows, stride, width, ROWS, out);
        }

        $(#[$attribute])*
        pub(super) fn add_norm(x: &mut [f32], rows: &[f32], stride: usize, norm: &$crate::weights::Norm) {
            $crate::kernel::float::add_norm(x, rows, stride, norm);
        }

        $(#[$attribute])*
        pub(super) fn float_product(
            rows: &[f32],
            stride: usize,
            linear: &$crate::float_weights::FloatLinear,
            out: &mut [f32],
        ) {
            $crate::kernel::float::product(rows, stride, linear, out);
        }

        $(#[$attribute])*
        pub(super) fn gelu(rows: &mut [f32]) {
            $crate::kernel::float::gelu(rows);
        }

        $(#[$attribute])*
        pub(super) fn attend(
            queries_keys_values: &[f32],
            stride: usize,
            shape: (usize, usize),
            scratch: &mut $crate::kernel::AttentionScratch,
            out: &mut [f32],
        ) {
            $crate::kernel::float::attend(queries_keys_values, stride, shape, scratch, out);
        }
    };
}
pub(crate) use compile_float;

#[cfg(test)]
mod tests;
