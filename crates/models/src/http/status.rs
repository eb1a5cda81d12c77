//! What a status other than success means.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;
use ureq::http::HeaderMap;

use crate::error::ModelError;
use crate::secret::Secret;

/// The most characters of a server's own words that go into an error.
const LONGEST_DETAIL: usize = 300;

/// The error for an answer that is not a success.
pub(super) fn error_for(status: u16, headers: &HeaderMap, body: &[u8], key: Option<&Secret>) -> ModelError {
    let said = String::from_utf8_lossy(body);
    let detail = detail(&said, key);
    match status {
        // What a server says about a key it refuses is often the key.
        401 | 403 => ModelError::Refused { status },
        404 => ModelError::NotFound { detail },
        402 => ModelError::QuotaExhausted { detail },
        // Waiting does not fill an empty account, although some servers call it a rate limit.
        400 | 429 if names_empty_account(&said) => ModelError::QuotaExhausted { detail },
        429 => ModelError::RateLimited { retry_after: retry_after(headers) },
        503 if headers.contains_key("retry-after") => ModelError::RateLimited { retry_after: retry_after(headers) },
        500.. => ModelError::ServerError { status, detail },
        _ => ModelError::BadRequest { status, detail },
    }
}

fn names_empty_account(said: &str) -> bool {
    ["insufficient_quota", "credit balance is too low", "billing_hard_limit"].iter().any(|name| said.contains(name))
}

/// The server's message on one line, without keys, and not too much of it.
fn detail(said: &str, key: Option<&Secret>) -> String {
    let message = serde_json::from_str::<Value>(said).ok().map(|json| {
        let error = json.get("error").unwrap_or(&json);
        error.get("message").unwrap_or(error).as_str().map_or_else(|| json.to_string(), str::to_owned)
    });
    let message = Secret::redact(key, message.as_deref().unwrap_or(said));
    let line: String = message.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST_DETAIL) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None if line.is_empty() => "no reason given".to_owned(),
        None => line,
    }
}

/// How long the server asks to be left alone, in seconds or as a date.
///
/// A date is compared with the server's own `Date`, not with our clock: the two may disagree.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| Some(headers.get(name)?.to_str().ok()?.trim());
    let asked = text("retry-after")?;
    if let Ok(seconds) = asked.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds.max(0.0)).ok();
    }
    let date = |text| jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(text).ok();
    let (until, now): (Timestamp, Timestamp) = (date(asked)?, date(text("date")?)?);
    Some(until.duration_since(now).try_into().unwrap_or(Duration::ZERO))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ureq::http::HeaderValue;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn a_wait_is_read_as_seconds_and_as_a_date() {
        let now = ("date", "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(retry_after(&headers(&[("retry-after", "7")])), Some(Duration::from_secs(7)));
        assert_eq!(retry_after(&headers(&[("retry-after", "0.5")])), Some(Duration::from_millis(500)));
        let date = ("retry-after", "Sun, 06 Nov 1994 08:50:07 GMT");
        assert_eq!(retry_after(&headers(&[date, now])), Some(Duration::from_secs(30)));
        let past = ("retry-after", "Sun, 06 Nov 1994 08:00:00 GMT");
        assert_eq!(retry_after(&headers(&[past, now])), Some(Duration::ZERO));
    }

    #[test]
    fn a_wait_that_makes_no_sense_is_no_wait() {
        assert_eq!(retry_after(&headers(&[("retry-after", "Sun, 06 Nov 1994 08:50:07 GMT")])), None);
        for nonsense in ["soon", "NaN", "1e300", ""] {
            assert!(retry_after(&headers(&[("retry-after", nonsense)])).is_none_or(|wait| wait.is_zero()));
        }
    }

    #[test]
    fn the_servers_message_is_kept_short_and_clean() {
        let key = Secret::new("hunter2");
        assert_eq!(detail(r#"{"error":{"message":"bad\nkey hunter2"}}"#, Some(&key)), "bad key ***");
        assert_eq!(detail(r#"{"error":"model 'x' not found"}"#, None), "model 'x' not found");
        assert_eq!(detail("<html>oops</html>", None), "<html>oops</html>");
        assert_eq!(detail("", None), "no reason given");
        assert_eq!(detail(&"é".repeat(400), None).chars().count(), LONGEST_DETAIL + 1);
    }

    #[test]
    fn statuses_are_told_apart() {
        let error = |status, body: &str| error_for(status, &HeaderMap::new(), body.as_bytes(), None);
        assert_eq!(error(401, "key sk-12345678901"), ModelError::Refused { status: 401 });
        assert_eq!(error(429, ""), ModelError::RateLimited { retry_after: None });
        assert!(matches!(error(429, r#"{"error":{"code":"insufficient_quota"}}"#), ModelError::QuotaExhausted { .. }));
        assert!(matches!(error(404, ""), ModelError::NotFound { .. }));
        assert!(matches!(error(307, ""), ModelError::BadRequest { status: 307, .. }));
        assert!(matches!(error(529, ""), ModelError::ServerError { status: 529, .. }));
    }
}
