//! Parses times of other programs.

use elfmem_core::{Timestamp, time};
use elfmem_text::temporal::explicit_time;
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

/// Parses a date that a person wrote into the front matter of a note: a time as above, a date in words, with points or
/// without separators, a month or a year.
pub(super) fn parse_date(value: &Value) -> Option<Timestamp> {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    let of_time = || time::from_iso(&text).filter(|at| is_storable(*at));
    let of_words = || explicit_time(&text).map(|span| span.from).filter(|at| is_storable(*at));
    // As seconds since the epoch, so few digits would be a moment of 1970.
    if text.len() <= 8 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return plain_date(&text);
    }
    plain_date(&text).or_else(of_time).or_else(|| parse_time(value)).or_else(of_words)
}

/// Parses `20240305`, `05.03.2024`, `2024-03` and `2024`. Digits are a date here as long as they can be one.
fn plain_date(text: &str) -> Option<Timestamp> {
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = text.split(['.', '-']).filter(is_number).collect();
    let (year, month, day) = match (parts.as_slice(), text.len()) {
        ([digits], 8) => (&digits[..4], &digits[4..6], &digits[6..]),
        ([year], 4) => (*year, "1", "1"),
        ([year, month], 7) if year.len() == 4 => (*year, *month, "1"),
        ([day, month, year], 8..=10) if year.len() == 4 && text.contains('.') => (*year, *month, *day),
        _ => return None,
    };
    time::from_iso(&format!("{year}-{month:0>2}-{day:0>2}")).filter(|at| is_storable(*at))
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
    fn dates_of_people_are_parsed() {
        let expected = time::from_iso("2024-03-05T00:00:00Z");
        let texts = [
            "2024-03-05",
            "2024/03/05",
            "05.03.2024",
            "5.3.2024",
            "5 March 2024",
            "March 5, 2024",
            "20240305",
            "2024-03-05T00:00",
        ];
        for value in texts.map(|text| json!(text)).into_iter().chain([json!(20_240_305), json!(1_709_596_800)]) {
            assert_eq!(parse_date(&value), expected, "{value}");
        }
        assert_eq!(parse_date(&json!(2024)), time::from_iso("2024-01-01T00:00:00Z"));
        assert_eq!(parse_date(&json!("2024-03")), time::from_iso("2024-03-01T00:00:00Z"));
        for value in [json!("soon"), json!(""), json!(null), json!([1]), json!(20_241_399)] {
            assert_eq!(parse_date(&value), None, "{value}");
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
