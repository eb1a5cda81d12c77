//! Looking at aged blocks again, against what the agent is now. What outcomes and links taught is never touched.

use std::time::{Duration, Instant};

use crate::results::ConsolidateResult;
use elfmem_core::{Block, BlockStatus, OperationKind, Tag, Timestamp, time};
use elfmem_models::{AnalysisRequest, ModelError};
use elfmem_store::{Snapshot, Store};
use elfmem_text::phrase::counted;

use super::analyse::{FAILURES_IN_A_ROW, within_bounds};
use super::embed::{self_blocks, self_text};
use super::{ANALYST_TIME, Dream, unaccounted};
use crate::Result;
use crate::memory::Memory;
use crate::progress::{Progress, ProgressListener, progress_setter};

/// Which blocks to analyse again. `dream` does it with [`Dream::rescore`].
#[derive(Debug, Clone)]
pub struct Rescore {
    max: usize,
    min_age_hours: f64,
    analyst_time: Duration,
    progress: Option<ProgressListener>,
}

impl Default for Rescore {
    fn default() -> Self {
        Self { max: 20, min_age_hours: 24.0, analyst_time: ANALYST_TIME, progress: None }
    }
}

impl Rescore {
    /// Makes a request for at most 20 blocks that were not analysed for a day.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes a request with the limits of a dream.
    pub(super) fn within(dream: &Dream) -> Self {
        Self { analyst_time: dream.time_for_analysts(), progress: dream.progress.clone(), ..Self::new() }
    }

    /// Sets how many blocks at most: those never analysed first, then the oldest.
    #[must_use]
    pub fn max(mut self, count: usize) -> Self {
        self.max = count;
        self
    }

    /// Sets how many hours ago the last analysis must be.
    #[must_use]
    pub fn min_age_hours(mut self, hours: f64) -> Self {
        self.min_age_hours = hours;
        self
    }

    /// Sets the longest that analysts may take in all.
    #[must_use]
    pub fn analyst_time(mut self, time: Duration) -> Self {
        self.analyst_time = time;
        self
    }

    fn tell(&self, progress: Progress) {
        if let Some(listener) = &self.progress {
            listener.report(progress);
        }
    }
}

progress_setter!(Rescore);

impl From<&Rescore> for Rescore {
    fn from(request: &Rescore) -> Self {
        request.clone()
    }
}

/// Kinds whose analysis is not about the agent.
const EXCLUDED_CATEGORIES: [&str; 4] = ["message", "mind", "decision", "prediction"];
/// A tag that says: leave me alone.
const EXCLUDED_TAG: &str = "system/no-rescore";

impl<S: Store> Memory<S> {
    /// Analyses aged active blocks again: alignment, tags and summary, one commit a block. Confidence stays what evidence made
    /// it. See [`Rescore`].
    pub fn rescore(&self, request: impl Into<Rescore>) -> Result<ConsolidateResult> {
        let rescore = request.into();
        let now = self.options.clock.now();
        let (due, own) = self.read(|snapshot| Ok((due(snapshot, now, &rescore)?, self_blocks(snapshot)?)))?;
        let self_text = self_text(&own);
        let mut result = ConsolidateResult { only_rescored: true, ..ConsolidateResult::default() };
        let deadline = Instant::now() + rescore.analyst_time;
        rescore.tell(Progress::Stage("rescore", due.len()));
        let mut failures = 0;
        let run = self.new_run();
        for (at, block) in due.iter().enumerate() {
            if Instant::now() >= deadline {
                result
                    .warnings
                    .push(format!("The time for analysis was up; {} left.", counted((due.len() - at) as u64, "block")));
                break;
            }
            match self.rescore_one(&run, block, &self_text, &own, now)? {
                Ok(written) => {
                    failures = 0;
                    result.rescored += usize::from(written);
                    result.left += usize::from(!written);
                }
                Err(error) => {
                    result.analysis_failed += 1;
                    failures += usize::from(!concerns_the_text(&error));
                    let hopeless = !error.is_retryable() && !concerns_the_text(&error);
                    if hopeless || failures >= FAILURES_IN_A_ROW {
                        result.warnings.push(format!("The analyst failed: {error}. {}", error.recovery()));
                        break;
                    }
                }
            }
            rescore.tell(Progress::Done(at + 1));
        }
        if let Err(error) = self.account_usage() {
            result.warnings.push(unaccounted(&error));
        }
        Ok(result)
    }

    /// One block: asked outside any transaction, written only if nobody changed it meanwhile.
    fn rescore_one(
        &self,
        run: &str,
        block: &Block,
        self_text: &str,
        own: &[Block],
        now: Timestamp,
    ) -> Result<std::result::Result<bool, ModelError>> {
        let request = AnalysisRequest {
            content: &block.content,
            category: &block.category,
            self_text,
            self_similarity: self.self_similarity(block, own)?,
        };
        let analysis = match self.options.models.analyst.analyse(&request) {
            Ok(analysis) => within_bounds(analysis),
            Err(error) => return Ok(Err(error)),
        };
        let mut written = false;
        self.change_in_run(OperationKind::Rescore, Some(run), |transaction, moment| {
            let current = transaction.get_block(&block.id)?;
            written = current
                .is_some_and(|current| current.status == BlockStatus::Active && current.revision == block.revision);
            if written {
                transaction.update_block(&block.id, &mut |block| {
                    block.add_tags(analysis.tags.iter().cloned());
                    block.self_alignment = Some(analysis.alignment);
                    block.summary = analysis.summary.clone().or(block.summary.take());
                    block.last_scored_at = Some(now);
                })?;
                let analyst = self.options.models.analyst.name();
                crate::proposals::propose_tags(transaction, moment, analyst, &block.id, &analysis)?;
            }
            let verb = if written { "Rescored" } else { "Left" };
            Ok(format!("{verb} block {}.", block.id.short()))
        })?;
        Ok(Ok(written))
    }

    fn self_similarity(&self, block: &Block, own: &[Block]) -> Result<Option<f64>> {
        self.read_indexed(|snapshot, index| {
            let compared = own.iter().chain([block]).filter_map(|block| index.slot(&block.id));
            index.full_vectors(snapshot, compared)?;
            let others = own.iter().filter(|other| other.id != block.id);
            Ok(others.filter_map(|other| index.vectors.cosine(&block.id, &other.id)).reduce(f64::max))
        })
    }
}

/// Whether it is the text that the model cannot cope with: the next one may fare better.
fn concerns_the_text(error: &ModelError) -> bool {
    matches!(error, ModelError::Malformed { .. } | ModelError::BadRequest { .. })
}

fn due(snapshot: &dyn Snapshot, now: Timestamp, rescore: &Rescore) -> Result<Vec<Block>> {
    let excluded = Tag::from_stored(EXCLUDED_TAG);
    let mut due: Vec<Block> = snapshot
        .get_active_blocks()?
        .into_iter()
        .filter(|block| !EXCLUDED_CATEGORIES.contains(&block.category.as_str()) && !block.tags.contains(&excluded))
        .filter(|block| {
            block.last_scored_at.is_none_or(|at| time::wall_hours_between(at, now) >= rescore.min_age_hours)
        })
        .collect();
    due.sort_by(|a, b| a.last_scored_at.cmp(&b.last_scored_at).then_with(|| a.id.cmp(&b.id)));
    due.truncate(rescore.max);
    Ok(due)
}
