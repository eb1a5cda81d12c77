//! Calibration of relevance by use: two numbers that correct a probability after what outcomes said of shown blocks.

use serde::{Deserialize, Serialize};

use crate::id::BlockId;

/// Smallest and largest slope. Above zero, so that the order of probabilities never changes.
pub const SLOPES: (f64, f64) = (0.5, 2.0);
/// Largest offset in either direction, in units of the logit: .50 becomes at most .73 and at least .27.
pub const MAX_OFFSET: f64 = 1.0;
/// How much the fit holds on to a slope of one and an offset of zero, in the unit of the examples' weights.
const SLOPE_PRIOR: f64 = 8.0;
const OFFSET_PRIOR: f64 = 4.0;

/// Total weight of blocks that helped, and of blocks that did not, below which nothing is fitted.
pub const MIN_HELPED: f64 = 10.0;
/// See [`MIN_HELPED`].
pub const MIN_NOT_HELPED: f64 = 5.0;
/// Number of different blocks below which nothing is fitted.
pub const MIN_BLOCKS: usize = 20;
/// The share by which the fit must lower the loss on blocks that it was not fitted on.
const MIN_GAIN: f64 = 0.01;
/// Parts of the examples of which each in turn is left out of the fit and predicted.
const FOLDS: u32 = 5;
/// Steps of the fit. Each moves either number to the minimum of an upper bound of the loss.
const STEPS: usize = 200;
/// Probabilities are compared no closer to zero and one than this.
const MIN_PROBABILITY: f64 = 0.001;

/// A correction of probabilities: `logit(p') = slope · logit(p) + offset`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(from = "StoredNumbers")]
pub struct RelevanceCalibration {
    slope: f64,
    offset: f64,
}

/// A calibration as it is stored, where anything may have been written.
#[derive(Deserialize)]
struct StoredNumbers {
    slope: f64,
    offset: f64,
}

impl From<StoredNumbers> for RelevanceCalibration {
    fn from(stored: StoredNumbers) -> Self {
        Self::bounded(stored.slope, stored.offset)
    }
}

impl Default for RelevanceCalibration {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl RelevanceCalibration {
    /// Leaves every probability as it is.
    pub const IDENTITY: Self = Self { slope: 1.0, offset: 0.0 };

    /// Creates a calibration. Numbers outside their bounds are moved to the nearest bound; what is no number corrects nothing.
    pub fn bounded(slope: f64, offset: f64) -> Self {
        if slope.is_nan() || offset.is_nan() {
            return Self::IDENTITY;
        }
        Self { slope: slope.clamp(SLOPES.0, SLOPES.1), offset: offset.clamp(-MAX_OFFSET, MAX_OFFSET) }
    }

    /// Returns the slope.
    pub fn slope(self) -> f64 {
        self.slope
    }

    /// Returns the offset.
    pub fn offset(self) -> f64 {
        self.offset
    }

    /// Corrects a probability. Zero and one stay what they are.
    pub fn apply(self, probability: f64) -> f64 {
        if self == Self::IDENTITY || !(probability > 0.0 && probability < 1.0) {
            return probability;
        }
        sigmoid(self.slope * logit(probability) + self.offset)
    }

    /// Returns the probability that [`apply`](Self::apply) corrects to this one.
    pub fn invert(self, corrected: f64) -> f64 {
        if self == Self::IDENTITY || !(corrected > 0.0 && corrected < 1.0) {
            return corrected;
        }
        sigmoid((logit(corrected) - self.offset) / self.slope)
    }
}

/// A block that was shown, with the probability that was predicted for it and what became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedBlock {
    /// The block. Examples of one block are predicted together when the fit is checked.
    pub block: BlockId,
    /// The probability without any calibration.
    pub relevance: f64,
    /// Whether it helped.
    pub helped: bool,
    /// How much the judgement counts; one for an outcome of 0 or 1 on one block.
    pub weight: f64,
}

/// What the examples amount to.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct JudgedTotals {
    /// Number of examples.
    pub examples: usize,
    /// Number of different blocks.
    pub blocks: usize,
    /// Total weight of blocks that helped.
    pub helped: f64,
    /// Total weight of blocks that did not help.
    pub not_helped: f64,
}

impl JudgedTotals {
    /// Adds up examples.
    pub fn of(judged: &[JudgedBlock]) -> Self {
        let of = |helped: bool| judged.iter().filter(move |one| one.helped == helped);
        // A sum of nothing is minus zero, which nobody wants to read.
        let weight = |helped: bool| of(helped).fold(0.0, |sum, one| sum + one.weight);
        let mut blocks: Vec<&BlockId> = judged.iter().map(|one| &one.block).collect();
        blocks.sort_unstable();
        blocks.dedup();
        Self { examples: judged.len(), blocks: blocks.len(), helped: weight(true), not_helped: weight(false) }
    }

    /// Returns whether there are enough examples for a fit.
    pub fn are_enough(&self) -> bool {
        self.blocks >= MIN_BLOCKS && self.helped >= MIN_HELPED && self.not_helped >= MIN_NOT_HELPED
    }
}

/// A fit, checked on examples that it was not made from.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CalibrationFit {
    /// The calibration of all examples.
    pub calibration: RelevanceCalibration,
    /// Mean loss (negative log likelihood) without a calibration.
    pub loss_before: f64,
    /// Mean loss with calibrations that were each fitted without the examples they predict.
    pub loss_after: f64,
}

impl CalibrationFit {
    /// Returns whether it predicts examples better that it was not made from.
    pub fn is_better(&self) -> bool {
        self.loss_after < self.loss_before * (1.0 - MIN_GAIN)
    }
}

/// Fits a calibration to examples and checks it by cross-validation over blocks. Returns none if there are too few.
pub fn fit(judged: &[JudgedBlock]) -> Option<CalibrationFit> {
    if !JudgedTotals::of(judged).are_enough() {
        return None;
    }
    let (mut before, mut after) = (0.0, 0.0);
    for fold in 0..FOLDS {
        let (left_out, rest): (Vec<_>, Vec<_>) = judged.iter().partition(|one| fold_of(&one.block) == fold);
        let calibration = minimise(&rest);
        before += loss(&left_out, RelevanceCalibration::IDENTITY);
        after += loss(&left_out, calibration);
    }
    let weight: f64 = judged.iter().map(|one| one.weight).sum();
    let all: Vec<&JudgedBlock> = judged.iter().collect();
    Some(CalibrationFit { calibration: minimise(&all), loss_before: before / weight, loss_after: after / weight })
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn logit(probability: f64) -> f64 {
    (probability / (1.0 - probability)).ln()
}

/// Returns the part of the cross-validation that a block belongs to. Ids are hashes: any function of them is fair.
fn fold_of(block: &BlockId) -> u32 {
    block.as_str().bytes().fold(0u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(u32::from(byte))) % FOLDS
}

fn comparable(probability: f64) -> f64 {
    probability.clamp(MIN_PROBABILITY, 1.0 - MIN_PROBABILITY)
}

fn loss(judged: &[&JudgedBlock], calibration: RelevanceCalibration) -> f64 {
    let of = |one: &&JudgedBlock| {
        let predicted = calibration.apply(comparable(one.relevance));
        -one.weight * if one.helped { predicted.ln() } else { (1.0 - predicted).ln() }
    };
    judged.iter().map(of).sum()
}

/// Returns the calibration with the smallest loss within the bounds; what differs from the identity costs more with distance.
///
/// The curvature of a logistic loss is at most a quarter of the weighted squares. A step by that bound never raises the loss.
fn minimise(judged: &[&JudgedBlock]) -> RelevanceCalibration {
    let points: Vec<(f64, f64, f64)> = judged
        .iter()
        .map(|one| (logit(comparable(one.relevance)), f64::from(u8::from(one.helped)), one.weight))
        .collect();
    let slope_bound = SLOPE_PRIOR + points.iter().map(|(x, _, weight)| weight * x * x / 4.0).sum::<f64>();
    let offset_bound = OFFSET_PRIOR + points.iter().map(|(_, _, weight)| weight / 4.0).sum::<f64>();
    let mut found = RelevanceCalibration::IDENTITY;
    for _ in 0..STEPS {
        let error = |x: f64, y: f64| sigmoid(found.slope * x + found.offset) - y;
        let pull: f64 = points.iter().map(|(x, y, weight)| weight * error(*x, *y)).sum();
        let offset = found.offset - (pull + OFFSET_PRIOR * found.offset) / offset_bound;
        found = RelevanceCalibration::bounded(found.slope, offset);
        let error = |x: f64, y: f64| sigmoid(found.slope * x + found.offset) - y;
        let pull: f64 = points.iter().map(|(x, y, weight)| weight * error(*x, *y) * x).sum();
        let slope = found.slope - (pull + SLOPE_PRIOR * (found.slope - 1.0)) / slope_bound;
        found = RelevanceCalibration::bounded(slope, found.offset);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn judged(number: usize, relevance: f64, helped: bool, weight: f64) -> JudgedBlock {
        JudgedBlock { block: BlockId::for_content(&number.to_string()), relevance, helped, weight }
    }

    /// Examples whose true probability is that of another calibration: each stands twice, as helpful with its probability.
    fn examples_of(truth: RelevanceCalibration, count: usize) -> Vec<JudgedBlock> {
        (0..count)
            .flat_map(|number| {
                let relevance = (number as f64 + 0.5) / count as f64;
                let helps = truth.apply(relevance);
                [judged(number, relevance, true, helps), judged(number, relevance, false, 1.0 - helps)]
            })
            .collect()
    }

    fn any_calibration() -> impl Strategy<Value = RelevanceCalibration> {
        (any::<f64>(), any::<f64>()).prop_map(|(slope, offset)| RelevanceCalibration::bounded(slope, offset))
    }

    fn any_judged() -> impl Strategy<Value = Vec<JudgedBlock>> {
        prop::collection::vec((0..60usize, 0.0..=1.0f64, any::<bool>(), 0.01..1.0f64), 0..200).prop_map(|all| {
            all.into_iter()
                .map(|(number, relevance, helped, weight)| judged(number, relevance, helped, weight))
                .collect()
        })
    }

    #[test]
    fn without_enough_examples_nothing_is_fitted() {
        assert_eq!(fit(&[]), None);
        assert_eq!(minimise(&[]), RelevanceCalibration::IDENTITY);
        let one_sided: Vec<JudgedBlock> = (0..100).map(|number| judged(number, 0.4, true, 1.0)).collect();
        assert_eq!(fit(&one_sided), None, "nothing is known of blocks that did not help");
        let one_block: Vec<JudgedBlock> = (0..100).map(|number| judged(1, 0.4, number % 2 == 0, 1.0)).collect();
        assert_eq!(fit(&one_block), None, "one block says nothing of others");
    }

    #[test]
    fn what_was_right_already_stays_as_it_is() {
        let found = fit(&examples_of(RelevanceCalibration::IDENTITY, 200)).unwrap();
        assert!((found.calibration.slope - 1.0).abs() < 0.02 && found.calibration.offset.abs() < 0.02, "{found:?}");
        assert!(!found.is_better(), "{found:?}");
    }

    #[test]
    fn a_known_error_is_found_and_the_more_of_it_the_more_examples_there_are() {
        let truth = RelevanceCalibration::bounded(0.7, -0.8);
        let distance = |count: usize| {
            let found = fit(&examples_of(truth, count)).unwrap();
            assert!(found.is_better(), "{found:?}");
            (found.calibration.slope - 0.7).abs() + (found.calibration.offset + 0.8).abs()
        };
        assert!(distance(1_000) < distance(200) && distance(200) < distance(50));
        assert!(distance(1_000) < 0.05);
    }

    #[test]
    fn contrary_outcomes_do_not_turn_the_order_round() {
        let contrary: Vec<JudgedBlock> = (0..400)
            .map(|number| judged(number, if number % 2 == 0 { 0.9 } else { 0.1 }, number % 2 != 0, 1.0))
            .collect();
        assert_eq!(fit(&contrary).unwrap().calibration.slope, SLOPES.0);
    }

    #[test]
    fn what_is_stored_is_read_back_and_numbers_out_of_bounds_are_not_believed() {
        let stored = RelevanceCalibration::bounded(1.2, -0.3);
        let text = serde_json::to_string(&stored).unwrap();
        let read = |text: &str| serde_json::from_str::<RelevanceCalibration>(text).unwrap();
        assert_eq!(read(&text), stored);
        assert_eq!(read(r#"{"slope": -3, "offset": 50}"#), RelevanceCalibration { slope: 0.5, offset: 1.0 });
        assert_eq!(RelevanceCalibration::bounded(f64::NAN, 0.5), RelevanceCalibration::IDENTITY);
        assert_eq!(RelevanceCalibration::bounded(90.0, -90.0), RelevanceCalibration { slope: 2.0, offset: -1.0 });
    }

    proptest! {
        #[test]
        fn a_calibration_keeps_the_order_and_stays_within_its_bounds(
            calibration in any_calibration(), one in 0.0..=1.0f64, other in 0.0..=1.0f64,
        ) {
            let (low, high) = (one.min(other), one.max(other));
            prop_assert!(calibration.apply(low) <= calibration.apply(high));
            prop_assert!((0.0..=1.0).contains(&calibration.apply(one)));
            prop_assert_eq!([calibration.apply(0.0), calibration.apply(1.0)], [0.0, 1.0]);
            prop_assert_eq!(RelevanceCalibration::IDENTITY.apply(one), one);
            prop_assert!((calibration.invert(calibration.apply(one)) - one).abs() < 1e-6);
        }

        #[test]
        fn a_fit_stays_within_its_bounds_and_is_at_least_as_good_as_none(examples in any_judged()) {
            let all: Vec<&JudgedBlock> = examples.iter().collect();
            let found = minimise(&all);
            prop_assert!((SLOPES.0..=SLOPES.1).contains(&found.slope) && found.offset.abs() <= MAX_OFFSET);
            prop_assert!(loss(&all, found) <= loss(&all, RelevanceCalibration::IDENTITY) + 1e-9);
        }

        #[test]
        fn the_order_of_examples_makes_no_difference(examples in any_judged(), seed in any::<u64>()) {
            let mut shuffled = examples.clone();
            shuffled.sort_by_key(|one| (one.relevance.to_bits() ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let [one, other] = [&examples, &shuffled].map(|all| minimise(&all.iter().collect::<Vec<_>>()));
            prop_assert!((one.slope - other.slope).abs() < 1e-9 && (one.offset - other.offset).abs() < 1e-9);
        }
    }
}
