//! `status --calibration`: what outcomes taught about relevance.

use std::fmt;

use elfmem_core::RelevanceCalibration;
use elfmem_core::calibration::{CalibrationFit, JudgedTotals, MIN_BLOCKS, MIN_HELPED, MIN_NOT_HELPED};
use elfmem_store::Store;
use serde::{Deserialize, Serialize};

use super::StoredCalibration;
use crate::Result;
use crate::memory::Memory;

/// Probabilities whose correction is shown.
const SHOWN: [f64; 5] = [0.1, 0.3, 0.5, 0.7, 0.9];

/// What outcomes taught about the relevance of one scope.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CalibrationStatus {
    /// The model and the curve that the examples come from. `None` before anything was shown for a question.
    pub curve: Option<String>,
    /// The judged blocks at hand.
    pub judged: JudgedTotals,
    /// Whether they are enough for a fit.
    pub enough: bool,
    /// The fit that corrects relevance. `None` while nothing is corrected.
    pub fit: Option<CalibrationFit>,
    /// The correction at some probabilities. Empty while nothing is corrected.
    pub corrections: Vec<CalibrationPoint>,
}

/// A probability and its correction.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CalibrationPoint {
    /// The probability of the built-in curve.
    pub relevance: f64,
    /// The corrected probability, which answers show.
    pub corrected: f64,
}

impl CalibrationPoint {
    fn all(calibration: RelevanceCalibration) -> Vec<Self> {
        SHOWN.map(|relevance| Self { relevance, corrected: calibration.apply(relevance) }).to_vec()
    }
}

impl<S: Store> Memory<S> {
    /// Returns what outcomes taught about relevance in this scope. Nothing is changed.
    ///
    /// COST: reads the last thousand answers and the outcomes of their blocks.
    pub fn calibration_status(&self) -> Result<CalibrationStatus> {
        let (stored, examples) =
            self.read(|snapshot| Ok((StoredCalibration::read(snapshot)?, self.examples(snapshot)?)))?;
        let (curve, judged) = examples.map_or((None, Vec::new()), |(curve, judged)| (Some(curve), judged));
        let judged = JudgedTotals::of(&judged);
        // Without an answer of its own curve, what is stored may be for any.
        let in_use = stored.filter(|stored| curve.as_ref().is_none_or(|curve| *curve == stored.curve));
        let fit = in_use.map(|stored| stored.fit);
        let corrections = fit.map(|fit| CalibrationPoint::all(fit.calibration)).unwrap_or_default();
        Ok(CalibrationStatus { curve, enough: judged.are_enough(), judged, fit, corrections })
    }
}

impl fmt::Display for CalibrationStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let JudgedTotals { examples, blocks, helped, not_helped } = self.judged;
        match &self.fit {
            Some(fit) => write!(
                f,
                "Relevance is corrected by outcomes: slope {:.2}, offset {:+.2}; loss {:.3} without and {:.3} with it.",
                fit.calibration.slope(),
                fit.calibration.offset(),
                fit.loss_before,
                fit.loss_after
            )?,
            None => f.write_str("Relevance is the built-in curve's; outcomes do not correct it.")?,
        }
        for point in &self.corrections {
            write!(f, " {:.2} becomes {:.2}.", point.relevance, point.corrected)?;
        }
        write!(
            f,
            " {examples} judged examples of {blocks} blocks: {helped:.1} helped, {not_helped:.1} did not (weights)."
        )?;
        match (self.enough, self.fit.is_some()) {
            (false, _) => write!(
                f,
                " A fit needs {MIN_BLOCKS} blocks, {MIN_HELPED} helped and {MIN_NOT_HELPED} not: tell outcomes of recalled \
                 blocks."
            ),
            (true, false) => {
                f.write_str(" The next dream or curate fits them, and keeps the fit if it predicts better.")
            }
            (true, true) => Ok(()),
        }
    }
}
