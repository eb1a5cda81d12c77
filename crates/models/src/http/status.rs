//! Maps HTTP error statuses to errors.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;
use ureq::http::HeaderMap;

use crate::error::ModelError;
use crate::secret::Secret;

/// Maximum number of characters of a server message in an error.
const MAX_DETAIL_CHARS: usize = 300;

/// Returns the error for an unsuccessful response.
pub(super) fn error_for(status: u16, headers: &HeaderMap, body: &[u8], key: Option<&Secret>) -> ModelError {
    let said = String::from_utf8_lossy(body);
    let detail = detail(&said, key);
    match status {
        // The message about a refused key often contains the key.
        401 | 403 => ModelError::Refused { status },
        404 => ModelError::NotFound { detail },
        402 => ModelError::QuotaExhausted { detail },
        // A retry does not refill an account, although some servers report it as a rate limit.
        400 | 429 if is_quota_error(&said) => ModelError::QuotaExhausted { detail },
        429 => ModelError::RateLimited { retry_after: retry_after(headers) },
        503 if headers.contains_key("retry-after") => ModelError::RateLimited { retry_after: retry_after(headers) },
        500.. => ModelError::ServerError { status, detail },
        _ => ModelError::BadRequest { status, detail },
    }
}

fn is_quota_error(said: &str) -> bool {
    ["insufficient_quota", "credit balance is too low", "billing_hard_limit"].iter().any(|name| said.contains(name))
}

/// Returns the server message on one line, redacted and truncated.
fn detail(said: &str, key: Option<&Secret>) -> String {
    let message = serde_json::from_str::<Value>(said).ok().map(|json| {
        let error = json.get("error").unwrap_or(&json);
        error.get("message").unwrap_or(error).as_str().map_or_else(|| json.to_string(), str::to_owned)
    });
    let message = Secret::redact(key, message.as_deref().unwrap_or(said));
    let line: String = message.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_DETAIL_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None if line.is_empty() => "no reason given".to_owned(),
        None => line,
    }
}

/// Parses `Retry-After`, in seconds or as a date.
///
/// A date is compared with the `Date` header of the server, because clocks may differ.
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
    fn retry_after_parses_seconds_and_dates() {
        let now = ("date", "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(retry_after(&headers(&[("retry-after", "7")])), Some(Duration::from_secs(7)));
        assert_eq!(retry_after(&headers(&[("retry-after", "0.5")])), Some(Duration::from_millis(500)));
        let date = ("retry-after", "Sun, 06 Nov 1994 08:50:07 GMT");
        assert_eq!(retry_after(&headers(&[date, now])), Some(Duration::from_secs(30)));
        let past = ("retry-after", "Sun, 06 Nov 1994 08:00:00 GMT");
        assert_eq!(retry_after(&headers(&[past, now])), Some(Duration::ZERO));
    }

    #[test]
    fn invalid_retry_after_is_ignored() {
        assert_eq!(retry_after(&headers(&[("retry-after", "Sun, 06 Nov 1994 08:50:07 GMT")])), None);
        for nonsense in ["soon", "NaN", "1e300", ""] {
            assert!(retry_after(&headers(&[("retry-after", nonsense)])).is_none_or(|wait| wait.is_zero()));
        }
    }

    #[test]
    fn server_messages_are_truncated_and_redacted() {
        let key = Secret::new("hunter2");
        assert_eq!(detail(r#"{"error":{"message":"bad\nkey hunter2"}}"#, Some(&key)), "bad key ***");
        assert_eq!(detail(r#"{"error":"model 'x' not found"}"#, None), "model 'x' not found");
        assert_eq!(detail("<html>oops</html>", None), "<html>oops</html>");
        assert_eq!(detail("", None), "no reason given");
        assert_eq!(detail(&"é".repeat(400), None).chars().count(), MAX_DETAIL_CHARS + 1);
    }

    #[test]
    fn statuses_map_to_errors() {
        let error = |status, body: &str| error_for(status, &HeaderMap::new(), body.as_bytes(), None);
        assert_eq!(error(401, "key sk-12345678901"), ModelError::Refused { status: 401 });
        assert_eq!(error(429, ""), ModelError::RateLimited { retry_after: None });
        assert!(matches!(error(429, r#"{"error":{"code":"insufficient_quota"}}"#), ModelError::QuotaExhausted { .. }));
        assert!(matches!(error(404, ""), ModelError::NotFound { .. }));
        assert!(matches!(error(307, ""), ModelError::BadRequest { status: 307, .. }));
        assert!(matches!(error(529, ""), ModelError::ServerError { status: 529, .. }));
    }
}
