//! The inner loops: dot products over `f32`, written so that the compiler turns them into vector instructions.
//!
//! Floating-point sums may not be reordered, so one running total would be added up number by number. Eight totals side
//! by side give the compiler whole registers to work with, and four rows at a time hide the latency of the additions.
//! Both loops add in the same order: a pair has the same product whichever of them met it, bit for bit.

/// Totals kept side by side for each row.
const LANES: usize = 8;
/// Rows taken at a time.
pub(crate) const ROWS: usize = 4;

/// The dot product of two vectors of the same length; what one has too many is ignored.
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

/// The dot products of one vector with four rows that lie behind each other.
pub(crate) fn dot_rows(query: &[f32], rows: &[f32]) -> [f32; ROWS] {
    let dimensions = query.len();
    debug_assert_eq!(rows.len(), dimensions * ROWS);
    let (lanes, query_rest) = query.as_chunks::<LANES>();
    let row = |number: usize| {
        let (row_lanes, rest) = rows[number * dimensions..(number + 1) * dimensions].as_chunks::<LANES>();
        (&row_lanes[..lanes.len()], rest)
    };
    let ((a, a_rest), (b, b_rest), (c, c_rest), (d, d_rest)) = (row(0), row(1), row(2), row(3));
    let mut totals = [[0.0; LANES]; ROWS];
    for (at, query) in lanes.iter().enumerate() {
        add_products(&mut totals[0], query, &a[at]);
        add_products(&mut totals[1], query, &b[at]);
        add_products(&mut totals[2], query, &c[at]);
        add_products(&mut totals[3], query, &d[at]);
    }
    [
        sum(&totals[0]) + rest(query_rest, a_rest),
        sum(&totals[1]) + rest(query_rest, b_rest),
        sum(&totals[2]) + rest(query_rest, c_rest),
        sum(&totals[3]) + rest(query_rest, d_rest),
    ]
}

#[inline(always)]
fn add_products(totals: &mut [f32; LANES], a: &[f32; LANES], b: &[f32; LANES]) {
    for lane in 0..LANES {
        totals[lane] += a[lane] * b[lane];
    }
}

/// Kept out of line on purpose: seeing four of these at once, the compiler would vectorise across the rows instead of
/// along them and shuffle every number into place first, which is three times slower.
#[inline(never)]
fn sum(totals: &[f32; LANES]) -> f32 {
    let [a, b, c, d, e, f, g, h] = totals;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

fn rest(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// The vector scaled to length one; none when it has no direction.
pub fn unit(vector: &[f32]) -> Option<Vec<f32>> {
    let length = vector.iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>().sqrt();
    let has_direction = length.is_finite() && length > 1e-12;
    has_direction.then(|| vector.iter().map(|x| (f64::from(*x) / length) as f32).collect())
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
        fn four_rows_at_once_give_the_same_bits_as_one_by_one(
            query in prop::collection::vec(-1.0..1.0f32, 1..40), seed in any::<u64>(),
        ) {
            let mut random = fastrand::Rng::with_seed(seed);
            let rows: Vec<f32> = (0..query.len() * ROWS).map(|_| random.f32() - 0.5).collect();
            let together = dot_rows(&query, &rows);
            for (product, row) in together.iter().zip(rows.chunks(query.len())) {
                prop_assert_eq!(product.to_bits(), dot(&query, row).to_bits());
            }
        }
    }

    #[test]
    fn what_has_no_direction_has_no_unit_vector() {
        assert_eq!(unit(&[0.0, 3.0]), Some(vec![0.0, 1.0]));
        assert_eq!(unit(&[0.0, 0.0]), None);
        assert_eq!(unit(&[f32::INFINITY, 0.0]), None);
    }
}
