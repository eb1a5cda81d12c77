//! Calibration from use: outcomes say which of the shown blocks helped, and relevance is corrected after them.
//!
//! What counts as an example is decided in [`examples`], the fit is [`elfmem_core::calibration`]. The two numbers are a
//! setting of one scope. It is changed by an operation of its own, so an undo restores what was there before.

mod examples;
mod status;

use std::fmt;

use elfmem_core::calibration::{CalibrationFit, JudgedBlock, JudgedTotals, fit};
use elfmem_core::{BlockId, OperationKind, RelevanceCalibration, Trust};
use elfmem_models::RelevanceCurve;
use elfmem_store::{JournalQuery, ShownRelevance, Snapshot, Store};
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::memory::Memory;
use crate::results::ScoredBlock;
use crate::trace;

use examples::Examples;
pub use status::{CalibrationPoint, CalibrationStatus};

/// The setting of a scope that holds its calibration.
pub(crate) const CALIBRATION: &str = "relevance_calibration";
/// The setting of a scope with the journal position up to which outcomes were looked at. It is not undone, so a calibration
/// that was undone does not return before there are new outcomes.
const LOOKED_UP_TO: &str = "calibration_looked_up_to";
/// Number of new outcomes from which the examples are looked at again.
const MIN_NEW_OUTCOMES: usize = 10;
/// Number of operations that are searched for new outcomes.
const MAX_OPERATIONS: u32 = 5_000;
/// A smaller change of a number is not stored.
const MIN_CHANGE: f64 = 0.05;
/// Digits of a probability in the journal.
const ROUNDING: f64 = 10_000.0;

/// A curve by its name, and the calibration that a scope has for it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CalibratedCurve {
    /// The model and a fingerprint of its curve. With another model or other weights, what was learned does not count.
    name: String,
    pub(crate) calibration: RelevanceCalibration,
}

impl CalibratedCurve {
    /// Reads the calibration of the view's own scope; the identity if it has none for this curve.
    pub(crate) fn read(snapshot: &dyn Snapshot, model: &str, curve: &RelevanceCurve) -> Result<Self> {
        let name = format!("{model} {}", curve.fingerprint());
        let stored = StoredCalibration::read(snapshot)?.filter(|stored| stored.curve == name);
        Ok(Self { name, calibration: stored.map(|stored| stored.fit.calibration).unwrap_or_default() })
    }

    /// Returns how relevant blocks were before the calibration.
    pub(crate) fn shown(&self, blocks: &[&ScoredBlock]) -> ShownRelevance {
        let plain = |relevance: f64| (self.calibration.invert(relevance) * ROUNDING).round() / ROUNDING;
        let of = |block: &&ScoredBlock| -> Option<(BlockId, f64)> { Some((block.id.clone(), plain(block.relevance?))) };
        ShownRelevance { curve: self.name.clone(), relevance: blocks.iter().filter_map(of).collect() }
    }
}

/// A calibration with what it was fitted to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct StoredCalibration {
    curve: String,
    #[serde(flatten)]
    fit: CalibrationFit,
    #[serde(flatten)]
    totals: JudgedTotals,
}

impl StoredCalibration {
    /// Reads the calibration of the view's own scope. What cannot be read is none.
    fn read(snapshot: &dyn Snapshot) -> Result<Option<Self>> {
        let text = snapshot.get_scope_config(CALIBRATION)?;
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// Returns whether the numbers of another one are the same, but for what no answer would show.
    fn is_near(&self, other: &Self) -> bool {
        let (one, other_one) = (self.fit.calibration, other.fit.calibration);
        self.curve == other.curve
            && (one.slope() - other_one.slope()).abs() < MIN_CHANGE
            && (one.offset() - other_one.offset()).abs() < MIN_CHANGE
    }
}

/// A change of the calibration, for the journal.
struct Calibrated(Option<StoredCalibration>);

impl fmt::Display for Calibrated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(stored) => write!(
                f,
                "Calibrated relevance by {} judged blocks: slope {:.2}, offset {:+.2}.",
                stored.totals.examples,
                stored.fit.calibration.slope(),
                stored.fit.calibration.offset()
            ),
            None => f.write_str("Dropped the calibration of relevance: outcomes no longer support it."),
        }
    }
}

impl<S: Store> Memory<S> {
    /// Fits relevance to the outcomes of this scope, if there are enough new ones.
    fn calibrate(&self) -> Result<()> {
        let position = self.read(|snapshot| {
            let looked = snapshot.get_scope_config(LOOKED_UP_TO)?.and_then(|text| text.parse().ok());
            let query = JournalQuery { after: looked, limit: Some(MAX_OPERATIONS), ..JournalQuery::default() };
            let operations = snapshot.get_operations(&query)?;
            let is_outcome =
                |kind: &OperationKind| matches!(kind, OperationKind::Outcome | OperationKind::RetractOutcome);
            let outcomes = operations.iter().filter(|operation| is_outcome(&operation.header.operation)).count();
            Ok((outcomes >= MIN_NEW_OUTCOMES).then_some(snapshot.get_journal_position()?))
        })?;
        let Some(position) = position else { return Ok(()) };
        let (stored, examples) =
            self.read(|snapshot| Ok((StoredCalibration::read(snapshot)?, self.examples(snapshot)?)))?;
        if let Some((curve, judged)) = examples {
            self.store_calibration(stored, &curve, &judged)?;
        }
        self.store().write(&self.options.view, |transaction| -> Result<()> {
            Ok(transaction.set_scope_config(LOOKED_UP_TO, &position.to_string())?)
        })
    }

    /// Stores the fit to some examples, if it differs from what is stored.
    fn store_calibration(&self, stored: Option<StoredCalibration>, curve: &str, judged: &[JudgedBlock]) -> Result<()> {
        // With too few examples a calibration stays as it is: the older examples are forgotten, not wrong.
        let Some(fit) = fit(judged) else { return Ok(()) };
        let totals = JudgedTotals::of(judged);
        let found = fit.is_better().then(|| StoredCalibration { curve: curve.to_owned(), fit, totals });
        let is_same = match (&stored, &found) {
            (Some(stored), Some(found)) => stored.is_near(found),
            (Some(stored), None) => stored.curve != curve,
            (None, found) => found.is_none(),
        };
        if is_same {
            return Ok(());
        }
        let text = found.as_ref().and_then(|found| serde_json::to_string(found).ok());
        self.change(OperationKind::Calibrate, |transaction, _| {
            transaction.record_scope_config(CALIBRATION, text.as_deref())?;
            Ok(Calibrated(found.clone()))
        })?;
        Ok(())
    }

    /// Fits relevance as a side task of another verb. A failure is recorded in the history, not returned: the next run looks
    /// at the same outcomes.
    pub(crate) fn try_calibrate(&self) {
        if self.options.speaker() == Trust::Untrusted {
            return;
        }
        if let Err(error) = self.calibrate() {
            trace::upkeep_failed("calibrate", error.kind().as_str());
            let at = self.options.clock.now();
            let summary = format!("Calibrating relevance failed: {}", error.message());
            self.running().history.record(OperationKind::Calibrate, summary, at);
        }
    }

    /// Returns the examples of the curve that is in use, with its name; none if nothing was shown.
    fn examples(&self, snapshot: &dyn Snapshot) -> Result<Option<(String, Vec<JudgedBlock>)>> {
        let Some(examples) = Examples::read(snapshot)? else { return Ok(None) };
        let judged = examples.judged(snapshot, &self.options)?;
        Ok(Some((examples.curve, judged)))
    }
}
