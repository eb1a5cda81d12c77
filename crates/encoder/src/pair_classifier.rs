//! Classifies pairs of texts.
//!
//! The first layers of an encoder read each text by itself. The layers of the classifier then read both texts together, so
//! that the pieces of one attend to those of the other. A hidden layer over the marks and the means of both texts gives a
//! score for each class.

use std::collections::HashMap;

use crate::batch::{add, each_window, on_threads, rows_of_each};
use crate::encoder::Encoder;
use crate::error::EncoderError;
use crate::pair_weights::PairWeights;
use crate::pass::PassScratch;

/// Texts that are read by themselves before their pairs are read: bounds the memory to some megabytes.
const PAIRS_AT_ONCE: usize = 128;

/// A classifier of pairs of texts that is ready to use.
#[derive(Debug)]
pub struct PairClassifier<'a> {
    weights: PairWeights<'a>,
}

impl<'a> PairClassifier<'a> {
    /// Reads a classifier that was [laid out](crate::lay_out_pairs). The matrices stay where they are.
    ///
    /// # Errors
    /// If the file is not a complete classifier.
    pub fn read(file: &'a [u8]) -> Result<Self, EncoderError> {
        Ok(Self { weights: PairWeights::read(file)? })
    }

    /// Returns how many classes there are.
    pub fn classes(&self) -> usize {
        self.weights.sizes.classes
    }

    /// Returns how many pieces of each text are read.
    pub fn max_pieces(&self) -> usize {
        self.weights.sizes.max_pieces
    }

    /// Returns a probability for each class of each pair, given as ids of pieces. Of each text the first
    /// [`max_pieces`](Self::max_pieces) are read. A pair has no probabilities if one of its texts has no pieces that [stand for
    /// text](crate::Sizes::is_text). At most `threads` threads are used.
    ///
    /// # Errors
    /// If the classifier does not belong to an encoder of this size, or the weights are damaged.
    pub fn classify(
        &self,
        encoder: &Encoder<'_>,
        pairs: &[[&[u32]; 2]],
        threads: usize,
    ) -> Result<Vec<Option<Vec<f32>>>, EncoderError> {
        self.check_encoder(encoder)?;
        let mut all = Vec::with_capacity(pairs.len());
        for pairs in pairs.chunks(PAIRS_AT_ONCE) {
            all.extend(self.classify_some(encoder, pairs, threads)?);
        }
        Ok(all)
    }

    fn check_encoder(&self, encoder: &Encoder<'_>) -> Result<(), EncoderError> {
        let (own, other) = (self.weights.sizes, encoder.sizes());
        let (max_pieces, window) = (own.max_pieces, other.window());
        if own.width == other.width && own.first_layers <= other.layers && max_pieces <= window {
            return Ok(());
        }
        let problem = format!(
            "the classifier reads {} pieces after {} layers of width {}, the encoder has a window of {window}, {} layers and \
             width {}",
            max_pieces, own.first_layers, own.width, other.layers, other.width
        );
        Err(EncoderError::WrongParts { problem })
    }

    fn classify_some(
        &self,
        encoder: &Encoder<'_>,
        pairs: &[[&[u32]; 2]],
        threads: usize,
    ) -> Result<Vec<Option<Vec<f32>>>, EncoderError> {
        let first_pieces = |text: &[u32]| {
            let mut pieces = encoder.text_pieces(text);
            pieces.truncate(self.max_pieces());
            pieces
        };
        let pieces: Vec<[Vec<u32>; 2]> = pairs.iter().map(|pair| pair.map(first_pieces)).collect();
        let is_read = |pair: &[Vec<u32>; 2]| pair.iter().all(|text| !text.is_empty());
        let read: Vec<usize> = (0..pieces.len()).filter(|at| is_read(&pieces[*at])).collect();
        let mut texts: HashMap<&[u32], usize> = HashMap::new();
        let mut windows: Vec<&[u32]> = Vec::new();
        for text in read.iter().flat_map(|at| &pieces[*at]) {
            texts.entry(text).or_insert_with(|| {
                windows.push(text);
                windows.len() - 1
            });
        }
        let states = encoder.first_states(&windows, self.weights.sizes.first_layers, threads);
        let joined: Vec<[&[f32]; 2]> =
            read.iter().map(|at| pieces[*at].each_ref().map(|text| &*states[texts[text.as_slice()]])).collect();
        let mut scores = self.read_together(encoder, &joined, threads).into_iter();
        let mut all = vec![None; pairs.len()];
        for at in read {
            let found = scores.next().filter(|found| found.iter().all(|number| number.is_finite()));
            all[at] = Some(found.ok_or_else(|| EncoderError::DamagedWeights {
                problem: "a result of the classifier is not finite".to_owned(),
            })?);
        }
        Ok(all)
    }

    /// Returns the probabilities of pairs, given as the states of both texts.
    fn read_together(&self, encoder: &Encoder<'_>, pairs: &[[&[f32]; 2]], threads: usize) -> Vec<Vec<f32>> {
        let (weights, kernel) = (&self.weights, encoder.kernel());
        let width = weights.sizes.width;
        let rows: Vec<usize> = pairs.iter().map(|pair| pair.iter().map(|text| text.len() / width).sum()).collect();
        on_threads(&rows, threads, |group, scratch| {
            scratch.states.clear();
            for (text, segment) in pairs[group.clone()].iter().flat_map(|pair| pair.iter().zip(&weights.segments)) {
                for row in text.chunks_exact(width) {
                    scratch.states.extend(row.iter().zip(segment).map(|(number, offset)| number + offset));
                }
            }
            scratch.run_layers(&weights.layers, weights.sizes.of_layers(), kernel, &rows[group.clone()]);
            let mut features = Vec::with_capacity(group.len() * 4 * width);
            for (window, pair) in each_window(&scratch.states, width, &rows[group.clone()]).zip(&pairs[group.clone()]) {
                features.extend(pair_features(window, pair[0].len(), width));
            }
            self.score(scratch, encoder, &features, group.len())
        })
    }

    /// Turns the features of pairs into probabilities.
    fn score(&self, scratch: &mut PassScratch, encoder: &Encoder<'_>, features: &[f32], pairs: usize) -> Vec<Vec<f32>> {
        let (weights, kernel) = (&self.weights, encoder.kernel());
        let (hidden, stride) = (weights.sizes.hidden, weights.hidden.outputs());
        let mut inner = scratch.project(&weights.hidden, kernel, features, 4 * weights.sizes.width).to_vec();
        kernel.gelu(&mut inner);
        let inner: Vec<f32> = inner.chunks_exact(stride).flat_map(|row| &row[..hidden]).copied().collect();
        let scores = scratch.project(&weights.output, kernel, &inner, hidden);
        let found = scores.chunks_exact(weights.output.outputs()).take(pairs);
        found.map(|row| softmax(&row[..weights.sizes.classes])).collect()
    }
}

/// Returns what the scores of a pair rest on: the first mark of each text, the difference of the means of both texts, and
/// the product of these means. `first` is the length of the first text in numbers.
fn pair_features(window: &[f32], first: usize, width: usize) -> Vec<f32> {
    let (one, other) = window.split_at(first);
    let mean = |rows: &[f32]| {
        let mut sum = vec![0.0; width];
        let count = rows.len() / width;
        rows.chunks_exact(width).for_each(|row| add(&mut sum, 1.0 / count as f32, row));
        sum
    };
    let means = [mean(one), mean(other)];
    let both = || means[0].iter().zip(&means[1]);
    let marks = one[..width].iter().chain(&other[..width]).copied();
    marks.chain(both().map(|(a, b)| a - b)).chain(both().map(|(a, b)| a * b)).collect()
}

fn softmax(scores: &[f32]) -> Vec<f32> {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let shares: Vec<f32> = scores.iter().map(|score| (score - most).exp()).collect();
    let sum: f32 = shares.iter().sum();
    shares.into_iter().map(|share| share / sum).collect()
}

impl Encoder<'_> {
    /// Computes the states of the pieces of texts after the first `layers` layers. Each text fits into one window.
    pub(crate) fn first_states(&self, texts: &[&[u32]], layers: usize, threads: usize) -> Vec<Vec<f32>> {
        let (weights, kernel) = (self.weights(), self.kernel());
        let rows = rows_of_each(texts);
        on_threads(&rows, threads, |group, scratch| {
            let states = scratch.run_first(weights, layers, kernel, &texts[group.clone()]);
            each_window(states, weights.sizes.width, &rows[group]).map(<[f32]>::to_vec).collect()
        })
    }
}
