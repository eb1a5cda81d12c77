//! Times as people read them: in the zone of the machine, to the minute. Programs get UTC, in JSON.

use elfmem_core::Timestamp;
use jiff::tz::TimeZone;

/// Returns a time in the local zone, such as `2026-05-08 13:56`.
pub(crate) fn local(at: Timestamp) -> String {
    match TimeZone::try_system() {
        Ok(zone) => at.to_zoned(zone).strftime("%Y-%m-%d %H:%M").to_string(),
        Err(_) => at.strftime("%Y-%m-%d %H:%M UTC").to_string(),
    }
}

/// Returns the day of a time in the local zone, such as `2026-05-08`.
pub(crate) fn local_day(at: Timestamp) -> String {
    local(at).chars().take("2026-05-08".len()).collect()
}
