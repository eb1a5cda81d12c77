//! Dot products, written so that the compiler vectorizes them.
//!
//! Floating-point sums may not be reordered, so one running total would be added up number by number. Eight totals side
//! by side fill a vector register. Integer sums may be reordered, but the compiler recognises only some forms of the sum
//! as the instruction that exists for it.

pub use elfmem_core::coarse::unit;

/// Running totals for each row.
const LANES: usize = 8;
/// Integers multiplied at a time.
pub(crate) const STEP: usize = 32;

/// Returns the dot product of two vectors. The rest of the longer one is ignored.
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let length = a.len().min(b.len());
    let (a_lanes, a_rest) = a[..length].as_chunks::<LANES>();
    let (b_lanes, b_rest) = b[..length].as_chunks::<LANES>();
    let mut totals = [0.0; LANES];
    for (x, y) in a_lanes.iter().zip(b_lanes) {
        add_products(&mut totals, x, y);
    }
    sum(&totals) + rest(a_rest, b_rest)
}

/// Writes the product of the query with each row. Rows have `query.len()` numbers, a multiple of [`STEP`]. The caller makes
/// sure that the sum of all magnitudes fits an `i32`.
pub(crate) fn coarse_products(query: &[i16], rows: &[i8], products: &mut [i32]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        #[expect(unsafe_code, reason = "the compiler cannot know which processor the program will run on")]
        // SAFETY: the processor supports AVX2, as just detected.
        return unsafe { coarse_products_avx2(query, rows, products) };
    }
    coarse_products_anywhere(query, rows, products);
}

/// [`coarse_products_anywhere`] compiled for registers twice as wide: 7 ns for 256 numbers instead of 15.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn coarse_products_avx2(query: &[i16], rows: &[i8], products: &mut [i32]) {
    coarse_products_anywhere(query, rows, products);
}

#[inline(always)]
fn coarse_products_anywhere(query: &[i16], rows: &[i8], products: &mut [i32]) {
    for (product, row) in products.iter_mut().zip(rows.chunks_exact(query.len().max(1))) {
        *product = dot_coarse(query, row);
    }
}

/// Returns the dot product of integers. With thirty-two running totals the compiler emits multiply-and-add-pairs
/// (`pmaddwd`), which every x86-64 has, and adds across lanes only at the end. One or sixteen totals take twice as long,
/// sixty-four longer still.
#[inline(always)]
fn dot_coarse(query: &[i16], row: &[i8]) -> i32 {
    let (query, _) = query.as_chunks::<STEP>();
    let (row, _) = row.as_chunks::<STEP>();
    let mut totals = [0; STEP];
    for (query, row) in query.iter().zip(row) {
        for at in 0..STEP {
            totals[at] += i32::from(query[at]) * i32::from(row[at]);
        }
    }
    totals.iter().sum()
}

#[inline(always)]
fn add_products(totals: &mut [f32; LANES], a: &[f32; LANES], b: &[f32; LANES]) {
    for lane in 0..LANES {
        totals[lane] += a[lane] * b[lane];
    }
}

fn sum(totals: &[f32; LANES]) -> f32 {
    let [a, b, c, d, e, f, g, h] = totals;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

fn rest(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn products_equal_the_naive_sum(pairs in prop::collection::vec((-1.0..1.0f32, -1.0..1.0f32), 0..70)) {
            let (a, b): (Vec<f32>, Vec<f32>) = pairs.into_iter().unzip();
            let naive: f64 = a.iter().zip(&b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum();
            prop_assert!((f64::from(dot(&a, &b)) - naive).abs() < 1e-4);
        }

        #[test]
        fn coarse_products_are_exact_on_any_processor(
            pairs in prop::collection::vec((any::<i16>(), -127..=127i8), 4 * STEP), steps in 1..=4usize,
        ) {
            let (query, row): (Vec<i16>, Vec<i8>) = pairs.into_iter().take(steps * STEP).unzip();
            let naive: i64 = query.iter().zip(&row).map(|(x, y)| i64::from(*x) * i64::from(*y)).sum();
            prop_assert_eq!(i64::from(dot_coarse(&query, &row)), naive);
            let mut found = [0; 2];
            coarse_products(&query, &[row.clone(), row].concat(), &mut found);
            prop_assert_eq!(found.map(i64::from), [naive; 2]);
        }
    }
}
