//! Finds tokens with several parts and a separator between them.

use super::SecretMatches;
use super::formats::{Body, alphanumeric, hex};
use super::redactions::SecretKind;
use super::scanning::{distinct, is_mixed, is_placeholder, is_token, is_word, run, word_starts};

/// A token format: the minimum and maximum length of each part.
struct TokenFormat {
    kind: SecretKind,
    /// Prefix of the token.
    begins: &'static str,
    mark: u8,
    lengths: &'static [(usize, usize)],
    /// Characters of the first part and of the others.
    bodies: (Body, Body),
}

const fn form(
    kind: &'static str,
    begins: &'static str,
    mark: u8,
    lengths: &'static [(usize, usize)],
    bodies: (Body, Body),
) -> TokenFormat {
    TokenFormat { kind: SecretKind(kind), begins, mark, lengths, bodies }
}

fn digit(byte: u8) -> bool {
    byte.is_ascii_digit()
}

const TOKEN: (Body, Body) = (is_token, is_token);

const FORMS: &[TokenFormat] = &[
    form("jwt", "eyJ", b'.', &[(16, 4096), (16, 8192), (16, 2048)], TOKEN),
    form("sendgrid_key", "SG.", b'.', &[(2, 2), (16, 24), (39, 50)], TOKEN),
    form("mapbox_token", "sk.eyJ", b'.', &[(2, 2), (40, 200), (20, 30)], TOKEN),
    form("telegram_token", "bot", b':', &[(11, 13), (35, 35)], (alphanumeric, is_token)),
    form("airtable_token", "pat", b'.', &[(17, 17), (64, 64)], (alphanumeric, hex)),
    form("dynatrace_token", "dt0", b'.', &[(6, 6), (24, 24), (64, 64)], TOKEN),
    form("firebase_key", "AAAA", b':', &[(11, 11), (130, 180)], TOKEN),
    form("telegram_token", "", b':', &[(8, 10), (35, 35)], (digit, is_token)),
    form("discord_token", "M", b'.', &[(23, 28), (6, 7), (27, 40)], TOKEN),
    form("discord_token", "N", b'.', &[(23, 28), (6, 7), (27, 40)], TOKEN),
    form("terraform_token", "", b'.', &[(14, 14), (7, 7), (60, 70)], (alphanumeric, is_token)),
    form("mailgun_key", "", b'-', &[(32, 32), (8, 8), (8, 8)], (hex, hex)),
    form("mailchimp_key", "", b'-', &[(32, 32), (3, 4)], (hex, alphanumeric)),
];

/// Words that a middle part must be, by kind.
const FIXED_PARTS: [(&str, &str); 2] = [("terraform_token", ".atlasv1."), ("mailchimp_key", "-us")];

/// Length of the shortest token: Mailchimp.
pub(super) const SHORTEST: usize = 32 + 1 + 3;

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
    new_relic_licenses(text, matches);
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
        let body = if number == 0 { form.bodies.0 } else { form.bodies.1 };
        let length = run(bytes, end, most + 1, body);
        if length < *least || length > *most {
            return None;
        }
        end += length;
    }
    let token = &text[at..end];
    let fixed = FIXED_PARTS.iter().find(|(kind, _)| *kind == form.kind.as_str());
    if fixed.is_some_and(|(_, part)| !token.contains(part)) || bytes.get(end).is_some_and(|next| is_word(*next)) {
        return None;
    }
    let longest = token.split(char::from(form.mark)).max_by_key(|part| part.len()).unwrap_or_default();
    let random = is_mixed(longest) && distinct(longest) >= 10 && !is_placeholder(longest);
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

/// Finds New Relic licence keys: hexadecimal digits that end in `NRAL`.
fn new_relic_licenses(text: &str, matches: &mut SecretMatches) {
    let bytes = text.as_bytes();
    for (mark, word) in text.match_indices("NRAL") {
        let digits = bytes[..mark].iter().rev().take(41).take_while(|byte| byte.is_ascii_hexdigit()).count();
        if (32..=40).contains(&digits) && is_mixed(&text[mark - digits..mark]) {
            matches.add(SecretKind("newrelic_key"), mark - digits..mark + word.len());
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
