//! Times as people read them: in the zone of the machine, to the minute. Programs get UTC, in JSON.

use elfmem_core::Timestamp;
use elfmem_core::time::{day_in, is_day};
use jiff::tz::TimeZone;

/// Returns the time zone of the machine, UTC if it has none.
pub(crate) fn local_zone() -> TimeZone {
    TimeZone::try_system().unwrap_or(TimeZone::UTC)
}

/// Returns a time in the local zone, such as `2026-05-08 13:56`. A day that was named without a time has none.
pub(crate) fn local(at: Timestamp) -> String {
    match TimeZone::try_system() {
        _ if is_day(at) => at.strftime("%Y-%m-%d").to_string(),
        Ok(zone) => at.to_zoned(zone).strftime("%Y-%m-%d %H:%M").to_string(),
        Err(_) => at.strftime("%Y-%m-%d %H:%M UTC").to_string(),
    }
}

/// Returns the day of a time in the local zone, such as `2026-05-08`.
pub(crate) fn local_day(at: Timestamp) -> String {
    day_in(at, &local_zone()).to_string()
}
