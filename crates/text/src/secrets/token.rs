//! Finds tokens with several parts and a separator between them.

use super::SecretMatches;
use super::redactions::SecretKind;
use super::scanning::{distinct, is_mixed, is_placeholder, is_token, run, word_starts};

/// A token format: the minimum and maximum length of each part.
struct TokenFormat {
    kind: SecretKind,
    /// Prefix of the first part.
    begins: &'static str,
    mark: u8,
    lengths: &'static [(usize, usize)],
    /// Whether the first part consists of digits.
    number_first: bool,
}

const FORMS: &[TokenFormat] = &[
    TokenFormat {
        kind: SecretKind("jwt"),
        begins: "eyJ",
        mark: b'.',
        lengths: &[(16, 4096), (16, 8192), (16, 2048)],
        number_first: false,
    },
    TokenFormat {
        kind: SecretKind("sendgrid_key"),
        begins: "SG.",
        mark: b'.',
        lengths: &[(2, 2), (16, 24), (39, 50)],
        number_first: false,
    },
    TokenFormat {
        kind: SecretKind("telegram_token"),
        begins: "",
        mark: b':',
        lengths: &[(8, 10), (35, 35)],
        number_first: true,
    },
    TokenFormat {
        kind: SecretKind("discord_token"),
        begins: "M",
        mark: b'.',
        lengths: &[(23, 28), (6, 7), (27, 40)],
        number_first: false,
    },
];

/// Length of the shortest token: Telegram, including the separator.
const SHORTEST: usize = 8 + 1 + 35;

pub(super) fn find(text: &str, matches: &mut SecretMatches) {
    let bytes = text.as_bytes();
    for at in word_starts(bytes, SHORTEST) {
        for form in FORMS {
            if let Some(end) = end_of(text, at, form) {
                matches.add(form.kind, at..end);
                break;
            }
        }
    }
    azure_client_secrets(text, matches);
}

fn end_of(text: &str, at: usize, form: &TokenFormat) -> Option<usize> {
    let bytes = text.as_bytes();
    if !bytes[at..].starts_with(form.begins.as_bytes()) {
        return None;
    }
    let mut end = at;
    for (number, (least, most)) in form.lengths.iter().enumerate() {
        if number > 0 {
            if bytes.get(end) != Some(&form.mark) {
                return None;
            }
            end += 1;
        }
        let digits = form.number_first && number == 0;
        let length = run(bytes, end, most + 1, |byte| if digits { byte.is_ascii_digit() } else { is_token(byte) });
        if length < *least || length > *most {
            return None;
        }
        end += length;
    }
    let last = text[at..end].rsplit(char::from(form.mark)).next().unwrap_or_default();
    let random = is_mixed(last) && distinct(last) >= 10 && !is_placeholder(last);
    random.then_some(end)
}

/// Finds Azure client secrets: three characters, a digit, `Q~`, and the rest.
fn azure_client_secrets(text: &str, matches: &mut SecretMatches) {
    let bytes = text.as_bytes();
    let is_part = |byte: u8| is_token(byte) || matches!(byte, b'~' | b'.');
    for (mark, _) in text.match_indices("Q~") {
        if mark < 4 || !bytes[mark - 1].is_ascii_digit() || !bytes[mark - 4..mark].iter().all(|byte| is_part(*byte)) {
            continue;
        }
        let start = mark - 4;
        let length = run(bytes, mark + 2, 64, is_part);
        let free = start == 0 || !is_part(bytes[start - 1]);
        if free && (31..=34).contains(&length) && is_mixed(&text[mark + 2..mark + 2 + length]) {
            matches.add(SecretKind("azure_secret"), start..mark + 2 + length);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_token_length_is_a_lower_bound() {
        for form in FORMS {
            let parts: usize = form.lengths.iter().map(|(least, _)| least).sum();
            assert!(parts + form.lengths.len() > SHORTEST, "{}", form.kind.as_str());
        }
    }
}
