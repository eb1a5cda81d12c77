//! Tokens that are known by how they are put together: parts and the marks between them.

use super::Findings;
use super::looks::{beginnings, distinct, is_mixed, is_stand_in, is_token, run};
use super::redactions::SecretKind;

/// What a kind of token is put together from: the least and most characters of each part.
struct Parts {
    kind: SecretKind,
    /// How the first part begins.
    begins: &'static str,
    mark: u8,
    lengths: &'static [(usize, usize)],
    /// Whether the first part consists of digits.
    number_first: bool,
}

const FORMS: &[Parts] = &[
    Parts {
        kind: SecretKind("jwt"),
        begins: "eyJ",
        mark: b'.',
        lengths: &[(16, 4096), (16, 8192), (16, 2048)],
        number_first: false,
    },
    Parts {
        kind: SecretKind("sendgrid_key"),
        begins: "SG.",
        mark: b'.',
        lengths: &[(2, 2), (16, 24), (39, 50)],
        number_first: false,
    },
    Parts {
        kind: SecretKind("telegram_token"),
        begins: "",
        mark: b':',
        lengths: &[(8, 10), (35, 35)],
        number_first: true,
    },
    Parts {
        kind: SecretKind("discord_token"),
        begins: "M",
        mark: b'.',
        lengths: &[(23, 28), (6, 7), (27, 40)],
        number_first: false,
    },
];

/// No token is shorter: those of Telegram, with the mark between their parts.
const SHORTEST: usize = 8 + 1 + 35;

pub(super) fn find(text: &str, findings: &mut Findings) {
    let bytes = text.as_bytes();
    for at in beginnings(bytes, SHORTEST) {
        for form in FORMS {
            if let Some(end) = end_of(text, at, form) {
                findings.add(form.kind, at..end);
                break;
            }
        }
    }
    azure_client_secrets(text, findings);
}

fn end_of(text: &str, at: usize, form: &Parts) -> Option<usize> {
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
    let drawn = is_mixed(last) && distinct(last) >= 10 && !is_stand_in(last);
    drawn.then_some(end)
}

/// Client secrets of Azure: three characters, a digit, `Q~`, and the rest.
fn azure_client_secrets(text: &str, findings: &mut Findings) {
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
            findings.add(SecretKind("azure_secret"), start..mark + 2 + length);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_token_is_shorter_than_the_shortest() {
        for form in FORMS {
            let parts: usize = form.lengths.iter().map(|(least, _)| least).sum();
            assert!(parts + form.lengths.len() > SHORTEST, "{}", form.kind.as_str());
        }
    }
}
