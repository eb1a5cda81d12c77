//! Parses times of other programs.

use elfmem_core::{Timestamp, time};
use serde_json::Value;

use super::check::is_storable;

/// Numbers above this are milliseconds since the epoch, not seconds.
const MAX_SECONDS: f64 = 1e11;

/// Parses a time: ISO 8601 text, or seconds or milliseconds since the epoch.
pub(super) fn parse_time(value: &Value) -> Option<Timestamp> {
    match value {
        Value::String(text) => time::from_iso(text).filter(|at| is_storable(*at)),
        Value::Number(number) => {
            let number = number.as_f64().filter(|number| number.is_finite() && *number > 0.0)?;
            let seconds = if number > MAX_SECONDS { number / 1000.0 } else { number };
            if seconds > MAX_SECONDS { None } else { Timestamp::from_microsecond((seconds * 1e6) as i64).ok() }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn iso_seconds_and_milliseconds_are_parsed() {
        let expected = time::from_iso("2023-11-09T21:20:00Z");
        for value in
            [json!("2023-11-09T21:20:00Z"), json!(1_699_564_800), json!(1_699_564_800.0), json!(1_699_564_800_000u64)]
        {
            assert_eq!(parse_time(&value), expected, "{value}");
        }
    }

    #[test]
    fn invalid_times_are_rejected() {
        for value in [
            json!(null),
            json!(-5),
            json!(0),
            json!(1e300),
            json!("yesterday"),
            json!("-005000-01-01T00:00:00Z"),
            json!([1]),
            json!(true),
        ] {
            assert_eq!(parse_time(&value), None, "{value}");
        }
    }
}
