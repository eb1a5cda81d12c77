//! The forward pass as its definition states it, in 64-bit floating point and without any cleverness.

use std::collections::VecDeque;

use crate::model::{END, FIRST, START, Shape};

pub(crate) type Matrix = Vec<Vec<f64>>;

/// A trained file, unpacked.
pub(crate) struct Oracle {
    shape: Shape,
    sections: VecDeque<Matrix>,
}

/// The weights of a layer.
pub(crate) struct Layer {
    qkv: (Matrix, Vec<f64>),
    out: (Matrix, Vec<f64>),
    norm1: (Vec<f64>, Vec<f64>),
    f1: (Matrix, Vec<f64>),
    f2: (Matrix, Vec<f64>),
    norm2: (Vec<f64>, Vec<f64>),
}

impl Oracle {
    pub(crate) fn new(shape: Shape, trained: &[u8]) -> Self {
        Self { shape, sections: unpack(&trained[52..], shape.sections()) }
    }

    /// Returns the matrices and vectors in the order of the file.
    pub(crate) fn sections(&self) -> &VecDeque<Matrix> {
        &self.sections
    }

    /// Returns the vector of a text. `weights` belong to the pieces that stand for text.
    pub(crate) fn embed(&self, ids: &[u32], weights: Option<&[f64]>) -> Option<Vec<f64>> {
        let [.., matrix, bias] = self.sections.iter().collect::<Vec<_>>()[..] else { panic!("no output") };
        let vector = product(&[unit(&self.sum(ids, weights)?)], matrix, &bias[0]).remove(0);
        Some(unit(&vector))
    }

    /// Returns the weighted sum of the states of a text, its marks included.
    pub(crate) fn sum(&self, ids: &[u32], weights: Option<&[f64]>) -> Option<Vec<f64>> {
        let kept: Vec<u32> = ids.iter().copied().filter(|id| (FIRST..self.shape.pieces as u32).contains(id)).collect();
        let mut weights = weights.map_or_else(|| vec![1.0; kept.len()], <[f64]>::to_vec).into_iter();
        let mut total = vec![0.0; self.shape.width];
        for window in kept.chunks(self.shape.positions - 2) {
            let x = self.states(window, self.shape.layers);
            let inner: Vec<f64> = weights.by_ref().take(window.len()).collect();
            let mean = inner.iter().sum::<f64>() / window.len() as f64;
            let marked = [mean].into_iter().chain(inner).chain([mean]);
            for (weight, x) in marked.zip(&x) {
                total.iter_mut().zip(x).for_each(|(total, x)| *total += weight * x);
            }
        }
        (!kept.is_empty()).then_some(total)
    }

    /// Returns the states of the pieces of one window, and of its marks, after some layers.
    pub(crate) fn states(&self, window: &[u32], layers: usize) -> Matrix {
        let mut sections = self.sections.clone();
        let mut next = || sections.pop_front().unwrap();
        let table = next();
        let widen = (self.shape.table_width != self.shape.width).then(&mut next);
        let positions = next();
        let norm0 = (next().remove(0), next().remove(0));
        let ids: Vec<u32> = [START].into_iter().chain(window.iter().copied()).chain([END]).collect();
        let mut x: Matrix = ids.iter().map(|id| table[*id as usize].clone()).collect();
        if let Some(widen) = &widen {
            x = product(&x, widen, &vec![0.0; self.shape.width]);
        }
        x.iter_mut().zip(&positions).for_each(|(x, position)| *x = sum(x, position));
        normalise(&mut x, &norm0);
        (0..layers).for_each(|_| Layer::next(&mut sections).apply(self.shape.heads, &mut x));
        x
    }
}

impl Layer {
    /// Takes the sections of a layer.
    pub(crate) fn next(sections: &mut VecDeque<Matrix>) -> Self {
        let mut linear = || (sections.pop_front().unwrap(), sections.pop_front().unwrap().remove(0));
        let (qkv, out) = (linear(), linear());
        let norm1 = flat(linear());
        let (f1, f2) = (linear(), linear());
        Self { qkv, out, norm1, f1, f2, norm2: flat(linear()) }
    }

    /// Applies the layer to the states of one window.
    pub(crate) fn apply(&self, heads: usize, x: &mut Matrix) {
        let layer = self;
        let d = x[0].len();
        let size = d / heads;
        let qkv = product(x, &layer.qkv.0, &layer.qkv.1);
        let mut attended = vec![vec![0.0; d]; x.len()];
        for head in 0..heads {
            let part = |row: &[f64], which: usize| row[which * d + head * size..][..size].to_vec();
            for (i, out) in attended.iter_mut().enumerate() {
                let scores: Vec<f64> =
                    qkv.iter().map(|row| dot(&part(&qkv[i], 0), &part(row, 1)) / (size as f64).sqrt()).collect();
                let largest = scores.iter().copied().fold(f64::MIN, f64::max);
                let weights: Vec<f64> = scores.iter().map(|score| (score - largest).exp()).collect();
                let total: f64 = weights.iter().sum();
                for (weight, row) in weights.iter().zip(&qkv) {
                    let values = part(row, 2);
                    out[head * size..][..size].iter_mut().zip(values).for_each(|(o, v)| *o += weight / total * v);
                }
            }
        }
        add(x, &product(&attended, &layer.out.0, &layer.out.1));
        normalise(x, &layer.norm1);
        let mut inner = product(x, &layer.f1.0, &layer.f1.1);
        gelu(&mut inner);
        add(x, &product(&inner, &layer.f2.0, &layer.f2.1));
        normalise(x, &layer.norm2);
    }
}

pub(crate) fn gelu(rows: &mut Matrix) {
    rows.iter_mut().flatten().for_each(|z| *z = *z / 2.0 * (1.0 + erf(*z / std::f64::consts::SQRT_2)));
}

fn flat((matrix, vector): (Matrix, Vec<f64>)) -> (Vec<f64>, Vec<f64>) {
    (matrix.into_iter().next().unwrap(), vector)
}

/// Reads the sections of a trained file behind its header.
pub(crate) fn unpack(trained: &[u8], shapes: Vec<(usize, Option<usize>)>) -> VecDeque<Matrix> {
    let mut at = 0;
    let float = |at: &mut usize| {
        *at += 4;
        f64::from(f32::from_le_bytes(trained[*at - 4..*at].try_into().unwrap()))
    };
    let mut sections = VecDeque::new();
    for (rows, columns) in shapes {
        let numbers: Vec<f64> = (0..rows).map(|_| float(&mut at)).collect();
        let Some(columns) = columns else {
            sections.push_back(vec![numbers]);
            continue;
        };
        let bytes = &trained[at..at + rows * columns];
        let row = |(row, scale): (&[u8], &f64)| row.iter().map(|b| scale * f64::from(b.cast_signed())).collect();
        sections.push_back(bytes.chunks_exact(columns).zip(&numbers).map(row).collect());
        at += rows * columns;
    }
    assert_eq!(at, trained.len());
    sections
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(crate) fn sum(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

fn add(x: &mut Matrix, rows: &Matrix) {
    x.iter_mut().zip(rows).for_each(|(x, row)| *x = sum(x, row));
}

pub(crate) fn product(rows: &[Vec<f64>], matrix: &Matrix, bias: &[f64]) -> Matrix {
    rows.iter().map(|row| matrix.iter().zip(bias).map(|(weights, bias)| dot(row, weights) + bias).collect()).collect()
}

fn normalise(x: &mut Matrix, (gain, shift): &(Vec<f64>, Vec<f64>)) {
    for row in x {
        let mean = row.iter().sum::<f64>() / row.len() as f64;
        let variance = row.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / row.len() as f64;
        for ((x, gain), shift) in row.iter_mut().zip(gain).zip(shift) {
            *x = (*x - mean) / (variance + 1e-12).sqrt() * gain + shift;
        }
    }
}

fn unit(vector: &[f64]) -> Vec<f64> {
    let length = dot(vector, vector).sqrt();
    vector.iter().map(|x| x / length).collect()
}

/// The error function by its series, and by its continued fraction where the series converges slowly.
fn erf(x: f64) -> f64 {
    if x < 0.0 {
        return -erf(-x);
    }
    if x > 3.0 {
        let fraction = (1..60).rev().fold(0.0, |rest, k| f64::from(k) / 2.0 / (x + rest));
        return 1.0 - (-x * x).exp() / (std::f64::consts::PI.sqrt() * (x + fraction));
    }
    let (mut term, mut sum) = (x, x);
    for k in 1..100 {
        term *= -x * x / f64::from(k);
        sum += term / f64::from(2 * k + 1);
    }
    2.0 / std::f64::consts::PI.sqrt() * sum
}

#[test]
fn the_error_function_has_its_known_values() {
    for (x, expected) in
        [(0.5, 0.520_499_877_8), (1.0, 0.842_700_792_9), (2.9, 0.999_958_902_1), (3.1, 0.999_988_351_3)]
    {
        assert!((erf(x) - expected).abs() < 1e-9 && (erf(-x) + expected).abs() < 1e-9, "{x}");
    }
}
