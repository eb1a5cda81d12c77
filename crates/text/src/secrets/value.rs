//! What a value looks like: a secret, a reference to one, or code.

use super::scanning::{PLACEHOLDER_PARTS, PLACEHOLDER_WORDS, distinct, is_mixed};
use super::wordlike::{are_random_letters, case_changes, is_wordlike};

/// Minimum length of a value that is random by itself.
const MIN_RANDOM: usize = 20;
/// Minimum share of case changes in a mix of letters and digits.
const MIN_MIX_CHANGES: f64 = 0.3;
/// Minimum number of distinct characters in it.
const MIN_DISTINCT: usize = 8;

/// Returns true for a long random value: hexadecimal digits, or letters and digits that alternate.
pub(super) fn is_strongly_random(text: &str) -> bool {
    let is_body = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=_-~.%".contains(&byte));
    let trimmed = text.trim_end_matches('=');
    let hex = trimmed.bytes().all(|byte| byte.is_ascii_hexdigit()) && is_mixed(trimmed);
    text.len() >= MIN_RANDOM
        && is_body
        && distinct(text) >= MIN_DISTINCT
        && (hex || are_random_letters(trimmed) || digit_runs(trimmed) >= 3 || is_random_mix(trimmed))
}

/// Returns true for digits among letters that are no words and change their case at random.
fn is_random_mix(text: &str) -> bool {
    digit_runs(text) >= 1 && case_changes(text) >= MIN_MIX_CHANGES && !is_wordlike(text)
}

/// Returns true for a token whose prefix says that everybody may see it: `pk_live_…`, `pk.eyJ…`, `phc_…`.
pub(super) fn is_public_token(text: &str) -> bool {
    ["pk_", "pk.", "pk-", "phc_", "pub_", "sb_publishable_", "G-", "GTM-"].iter().any(|prefix| text.starts_with(prefix))
}

/// Returns the number of runs of digits after another character.
pub(super) fn digit_runs(text: &str) -> usize {
    text.as_bytes().windows(2).filter(|pair| pair[1].is_ascii_digit() && !pair[0].is_ascii_digit()).count()
}

/// Returns true for a reference to a password, a placeholder or code: `$DB_PASSWORD`, `<password>`,
/// `[redacted]`, `{{ password }}`, `get_password()`.
pub(super) fn is_reference(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let named = text.strip_prefix(['$', '@', '&', '%', '!']);
    let variable = named.is_some_and(|name| {
        name.starts_with(['{', '(', '$']) || name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    });
    variable
        || text.starts_with(['<', '…', '*'])
        || text.starts_with("{{")
        || is_enclosed(text)
        || is_call(text)
        || PLACEHOLDER_WORDS.contains(&lower.as_str())
        || PLACEHOLDER_PARTS.iter().any(|part| lower.contains(part))
        || distinct(&lower) < 4
}

/// Returns true for `[…]`, `{…}` and `(…)` around letters only.
fn is_enclosed(text: &str) -> bool {
    let pair = [('[', ']'), ('{', '}'), ('(', ')')];
    let inner = pair.iter().find_map(|(open, close)| text.strip_prefix(*open)?.strip_suffix(*close));
    inner.is_some_and(|inner| !inner.bytes().any(|byte| byte.is_ascii_digit()))
}

/// Returns true for a name followed by a bracket, as in a call, an index or a type: `hash(x)`.
fn is_call(text: &str) -> bool {
    let name = text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':'));
    let length = name.count();
    let starts = text.as_bytes().first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_');
    starts && text[length..].starts_with(['(', '[', '{', '<'])
}

/// Returns true for names joined by dots: `config.password`, `self.token`, `process.env.API_KEY`.
pub(super) fn is_path_in_code(text: &str) -> bool {
    let is_name = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_ascii_alphabetic() || c == '_')
    };
    text.contains('.') && text.split('.').all(is_name)
}

/// Removes closing brackets at the end that were opened before the value.
pub(super) fn trim_closers(mut text: &str) -> &str {
    for _ in 0..4 {
        let Some(last) = text.chars().next_back() else { break };
        let open = match last {
            ')' => '(',
            ']' => '[',
            '}' => '{',
            _ => break,
        };
        if text.matches(open).count() >= text.matches(last).count() {
            break;
        }
        text = &text[..text.len() - 1];
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_values_are_told_from_names_and_numbers() {
        assert!(is_strongly_random("0f9a1c2b3d4e5f60718293a4b5c6d7e8"));
        assert!(is_strongly_random("hQmZxKvTbWjLrGpNdScY"));
        for text in ["created_at_index_by_customer", "20260314150926535897", "v1", "us-east-1-production-db"] {
            assert!(!is_strongly_random(text), "{text}");
        }
    }

    #[test]
    fn references_are_told_from_passwords_with_brackets() {
        for text in ["$DB_PASSWORD", "${X}", "$(cat x)", "<yours>", "[redacted]", "{{ x }}", "get(x)", "z.min(12)"] {
            assert!(is_reference(text), "{text}");
        }
        for text in ["[x9)Kq7(]", "$9a!kq", "(abc123", "a9!{}x"] {
            assert!(!is_reference(text), "{text}");
        }
        assert_eq!(trim_closers("abc123)"), "abc123");
        assert_eq!(trim_closers("[x9)Kq7(]"), "[x9)Kq7(]");
    }
}
