//! Times as people read them: in the zone of the machine, to the minute. Programs get UTC, in JSON.

use chrono::{Local, TimeZone};
use elfmem_core::Timestamp;

/// Returns a time in the local zone, such as `2026-05-08 13:56`.
pub(crate) fn local(at: Timestamp) -> String {
    match Local.timestamp_opt(at.as_second(), 0).single() {
        Some(time) => time.format("%Y-%m-%d %H:%M").to_string(),
        None => at.strftime("%Y-%m-%d %H:%M UTC").to_string(),
    }
}

/// Returns the day of a time in the local zone, such as `2026-05-08`.
pub(crate) fn local_day(at: Timestamp) -> String {
    local(at).chars().take("2026-05-08".len()).collect()
}
