//! Wall and processor time, per operation.

use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use serde::Serialize;

/// Statistics of operation times.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Timing {
    /// How many there were.
    pub(crate) operations: usize,
    /// Median wall time.
    pub(crate) p50_ms: f64,
    /// 99th percentile of the wall time.
    pub(crate) p99_ms: f64,
    /// Processor time per operation. `None` if another process did the work.
    pub(crate) cpu_ms: Option<f64>,
}

/// Times each call of `operation`, and the processor time of them all.
pub(crate) fn each(count: usize, mut operation: impl FnMut(usize) -> crate::Result<()>) -> crate::Result<Timing> {
    let mut walls = Vec::with_capacity(count);
    let cpu = ProcessTime::try_now()?;
    for at in 0..count {
        let started = Instant::now();
        operation(at)?;
        walls.push(started.elapsed());
    }
    let cpu = cpu.try_elapsed()?;
    let mut timing = of_walls(walls);
    timing.cpu_ms = Some(milliseconds(cpu) / count.max(1) as f64);
    Ok(timing)
}

/// Times each call of `operation` but not what is prepared for it.
pub(crate) fn each_after(
    count: usize,
    prepare: &mut dyn FnMut() -> crate::Result<()>,
    mut operation: impl FnMut() -> crate::Result<()>,
) -> crate::Result<Timing> {
    let mut walls = Vec::with_capacity(count);
    let mut cpu = Duration::ZERO;
    for _ in 0..count {
        prepare()?;
        let (started, busy) = (Instant::now(), ProcessTime::try_now()?);
        operation()?;
        walls.push(started.elapsed());
        cpu += busy.try_elapsed()?;
    }
    let mut timing = of_walls(walls);
    timing.cpu_ms = Some(milliseconds(cpu) / count.max(1) as f64);
    Ok(timing)
}

/// Computes the statistics of given times.
pub(crate) fn of_walls(mut walls: Vec<Duration>) -> Timing {
    walls.sort_unstable();
    let at = |share: f64| {
        let index = ((walls.len() as f64 * share) as usize).min(walls.len().saturating_sub(1));
        walls.get(index).copied().map_or(0.0, milliseconds)
    };
    Timing { operations: walls.len(), p50_ms: at(0.50), p99_ms: at(0.99), cpu_ms: None }
}

pub(crate) fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}
