//! Times as other programs write them.

use elfmem_core::{Timestamp, time};
use serde_json::Value;

use super::check::is_storable;

/// Seconds of the epoch beyond which a number counts milliseconds.
const FURTHEST_SECOND: f64 = 1e11;

/// A time: ISO 8601 text, or seconds or milliseconds of the epoch. None for anything else.
pub(super) fn time_of(value: &Value) -> Option<Timestamp> {
    match value {
        Value::String(text) => time::from_iso(text).filter(|at| is_storable(*at)),
        Value::Number(number) => {
            let number = number.as_f64().filter(|number| number.is_finite() && *number > 0.0)?;
            let seconds = if number > FURTHEST_SECOND { number / 1000.0 } else { number };
            // What is no time of this era is a mistake of whoever wrote it.
            if seconds > FURTHEST_SECOND { None } else { Timestamp::from_microsecond((seconds * 1e6) as i64).ok() }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn times_are_read_in_every_usual_form() {
        let expected = time::from_iso("2023-11-09T21:20:00Z");
        for value in
            [json!("2023-11-09T21:20:00Z"), json!(1_699_564_800), json!(1_699_564_800.0), json!(1_699_564_800_000u64)]
        {
            assert_eq!(time_of(&value), expected, "{value}");
        }
    }

    #[test]
    fn nonsense_is_no_time() {
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
            assert_eq!(time_of(&value), None, "{value}");
        }
    }
}
