//! The forward pass in floating point, on random models.

use elfmem_encoder::{
    FloatEncoder, FloatLayer, FloatLinear, FloatWeights, Kernel, LayerNorm, NumberFormat, PieceTable, Pooling,
};

use crate::model::{END, FIRST, ODD, START, Shape};
use crate::oracle::{Matrix, Oracle};

/// Full panels in all matrices.
const FULL: Shape =
    Shape { pieces: 40, table_width: 32, width: 32, layers: 3, heads: 2, inner: 64, dimensions: 16, positions: 20 };

/// Largest difference of a number of a pooled vector.
const TOLERANCE: f64 = 1e-4;

fn flat(matrix: &Matrix) -> Vec<f32> {
    matrix.iter().flatten().map(|x| *x as f32).collect()
}

fn linear<'a>(sections: &mut impl Iterator<Item = &'a Matrix>) -> FloatLinear {
    let (matrix, bias) = (sections.next().unwrap(), sections.next().unwrap());
    FloatLinear::new((matrix.len(), matrix[0].len()), &flat(matrix), &flat(bias)).unwrap()
}

fn norm<'a>(sections: &mut impl Iterator<Item = &'a Matrix>) -> LayerNorm {
    LayerNorm::new(flat(sections.next().unwrap()), flat(sections.next().unwrap()), 1e-12).unwrap()
}

fn weights(oracle: &Oracle, shape: Shape) -> FloatWeights {
    let sections = &mut oracle.sections().iter();
    let table = flat(sections.next().unwrap()).into_iter().flat_map(f32::to_le_bytes).collect();
    FloatWeights {
        table: PieceTable::new(shape.width, NumberFormat::F32, table).unwrap(),
        positions: flat(sections.next().unwrap()),
        norm: norm(sections),
        layers: (0..shape.layers)
            .map(|_| FloatLayer {
                attention_in: linear(sections),
                attention_out: linear(sections),
                attention_norm: norm(sections),
                inner: linear(sections),
                outer: linear(sections),
                norm: norm(sections),
            })
            .collect(),
        heads: shape.heads,
        start_mark: START,
        end_mark: END,
    }
}

fn texts(shape: Shape, seed: u64) -> Vec<Vec<u32>> {
    let kept = |id: &u32| (FIRST..shape.pieces as u32).contains(id);
    shape.texts(seed).into_iter().map(|text| text.into_iter().filter(kept).collect()).collect()
}

#[test]
fn the_mean_of_the_states_is_the_defined_one_on_all_kernels_and_threads() {
    for (shape, seed) in (0..4).flat_map(|seed| [(ODD, seed), (FULL, seed)]) {
        let oracle = Oracle::new(shape, &shape.trained(seed));
        let texts = texts(shape, seed + 50);
        let slices: Vec<&[u32]> = texts.iter().map(Vec::as_slice).collect();
        let mut expected = None;
        for (kernel, threads) in Kernel::available().into_iter().flat_map(|kernel| [(kernel, 1), (kernel, 3)]) {
            let encoder = FloatEncoder::new(weights(&oracle, shape)).unwrap().with_kernel(kernel);
            let got = encoder.embed(&slices, usize::MAX, Pooling::Mean, threads).unwrap();
            for (text, got) in texts.iter().zip(&got) {
                let sum = oracle.sum(text, None);
                assert_eq!(got.is_some(), sum.is_some());
                let windows = text.len().div_ceil(shape.positions - 2);
                let rows = (text.len() + 2 * windows) as f64;
                for (got, sum) in got.iter().flatten().zip(sum.iter().flatten()) {
                    assert!((f64::from(*got) - sum / rows).abs() < TOLERANCE, "{} {got} {}", kernel.name(), sum / rows);
                }
            }
            assert_eq!(expected.get_or_insert_with(|| got.clone()), &got, "{} on {threads} threads", kernel.name());
        }
    }
}

#[test]
fn the_first_mark_and_the_maximum_can_be_taken_instead() {
    let oracle = Oracle::new(ODD, &ODD.trained(3));
    let encoder = FloatEncoder::new(weights(&oracle, ODD)).unwrap();
    let text: &[u32] = &[9, 10, 11];
    let embed = |pooling, window| encoder.embed(&[text], window, pooling, 1).unwrap().remove(0).unwrap();
    let (mean, first, max) = (embed(Pooling::Mean, 7), embed(Pooling::First, 7), embed(Pooling::Max, 7));
    assert!(first != mean && max.iter().zip(&mean).all(|(max, mean)| max >= mean));
    assert!(max.iter().zip(&first).all(|(max, first)| max >= first));
    assert_ne!(embed(Pooling::Mean, 2), mean, "windows are read by themselves");
}

#[test]
fn weights_that_do_not_fit_together_are_refused() {
    let oracle = Oracle::new(ODD, &ODD.trained(1));
    let refused = |change: &dyn Fn(&mut FloatWeights)| {
        let mut weights = weights(&oracle, ODD);
        change(&mut weights);
        FloatEncoder::new(weights).unwrap_err().to_string()
    };
    assert!(refused(&|weights| weights.heads = 2).contains("2 heads"));
    assert!(refused(&|weights| weights.start_mark = 40).contains("the mark 40"));
    assert!(refused(&|weights| weights.positions.truncate(10)).contains("positions"));
    assert!(refused(&|weights| weights.positions[0] = f32::NAN).contains("not finite"));
    let wrong = || FloatLinear::new((9, 8), &[0.5; 72], &[0.0; 9]).unwrap();
    assert!(refused(&|weights| weights.layers[1].attention_out = wrong()).contains("9 × 8 where 9 × 9"));
    assert!(FloatLinear::new((2, 2), &[1.0; 3], &[0.0; 2]).is_err());
    assert!(FloatLinear::new((1, 1), &[f32::INFINITY], &[0.0]).is_err());
    assert!(PieceTable::new(4, NumberFormat::F16, vec![0; 9]).is_err());
    assert!(LayerNorm::new(vec![1.0], vec![0.0, 0.0], 1e-5).is_err());
}
