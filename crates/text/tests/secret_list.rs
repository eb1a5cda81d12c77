//! Measures the secret detectors on a list of documented formats and of innocent texts.
//!
//! Both lists were written before the detectors were read. The detectors were then improved on the first one; the second,
//! held out, says what they find of what they were not made for.
//! `cargo test -p elfmem-text --test secret_list -- --nocapture --test-threads 1` prints the rates and every miss.

#![allow(clippy::print_stdout, reason = "the rates are printed for whoever asks for them")]

use std::collections::BTreeSet;

use elfmem_text::secrets::redact;

const POSITIVE: &str = include_str!("data/secrets/positive.txt");
const NEGATIVE: &str = include_str!("data/secrets/negative.txt");
const HELD_OUT_POSITIVE: &str = include_str!("data/secrets/held-out-positive.txt");
const HELD_OUT_NEGATIVE: &str = include_str!("data/secrets/held-out-negative.txt");
const THIRD_POSITIVE: &str = include_str!("data/secrets/third-positive.txt");
const THIRD_NEGATIVE: &str = include_str!("data/secrets/third-negative.txt");
const FOURTH_POSITIVE: &str = include_str!("data/secrets/fourth-positive.txt");
const FOURTH_NEGATIVE: &str = include_str!("data/secrets/fourth-negative.txt");
const SIXTH_POSITIVE: &str = include_str!("data/secrets/sixth-positive.txt");
const SIXTH_NEGATIVE: &str = include_str!("data/secrets/sixth-negative.txt");

/// Lines of JSON, as `elfmem-bench secrets` reads them. The sign ‖ keeps what looks like a key from standing in the file.
const FIFTH: &str = include_str!("../../../bench/data/secrets-5.jsonl");

/// A text of the list, with its secrets.
struct Sample {
    kind: String,
    text: String,
    secrets: Vec<String>,
}

/// Reads a list: `kind: text` lines, with templates filled and secrets marked by « and ».
fn samples(list: &'static str) -> Vec<Sample> {
    let lines = list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .enumerate()
        .map(|(number, line)| {
            let (kind, template) = line.split_once(": ").expect("a line is `kind: text`");
            let marked = unescaped(&filled(template, number as u64));
            let secrets = marked.split('«').skip(1).filter_map(|part| part.split('»').next()).map(str::to_owned);
            Sample { kind: kind.to_owned(), secrets: secrets.collect(), text: marked.replace(['«', '»'], "") }
        })
        .collect()
}

/// Reads lines of JSON; a kind that begins with `no/` is that of an innocent text.
fn json_samples(list: &str) -> (Vec<Sample>, Vec<Sample>) {
    let sample = |line: &str| {
        let fields: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
        let text = |name: &str| fields[name].as_str().map(|text| text.replace('‖', ""));
        Sample {
            kind: text("kind").expect("a sample has a kind"),
            text: text("text").expect("a sample has a text"),
            secrets: text("secret").into_iter().collect(),
        }
    };
    list.lines().map(sample).partition(|sample| !sample.kind.starts_with("no/"))
}

/// Replaces `{class:length}` by pseudo-random characters of the class.
fn filled(template: &str, seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5DEE_CE66;
    let mut out = String::new();
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        out.push_str(&rest[..open]);
        rest = &rest[open..];
        let place = rest.find('}').and_then(|close| {
            let (class, length) = rest[1..close].split_once(':')?;
            Some((close, class_characters(class)?, length.parse::<usize>().ok()?))
        });
        let Some((close, characters, length)) = place else {
            out.push('{');
            rest = &rest[1..];
            continue;
        };
        for _ in 0..length {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let at = (state >> 33) as usize % characters.len();
            out.push(char::from(characters.as_bytes()[at]));
        }
        rest = &rest[close + 1..];
    }
    out.push_str(rest);
    out
}

fn class_characters(class: &str) -> Option<&'static str> {
    const URL: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    Some(match class {
        "url" => URL,
        "b62" => &URL[..62],
        "alpha" => &URL[..52],
        "up" => &URL[..26],
        "low" => &URL[26..52],
        "dig" => &URL[52..62],
        "b36" => &URL[26..62],
        "b64" => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
        "hex" => "0123456789abcdef",
        "HEX" => "0123456789ABCDEF",
        "b32" => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
        "B36" => "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
        _ => return None,
    })
}

/// Replaces `\n`, `\t` and `\u{…}`.
fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.replace("\\n", "\n").replace("\\t", "\t");
    while let Some(at) = rest.find("\\u{") {
        let close = at + rest[at..].find('}').expect("an escape is closed");
        let code = u32::from_str_radix(&rest[at + 3..close], 16).expect("an escape is hexadecimal");
        out.push_str(&rest[..at]);
        out.push(char::from_u32(code).expect("an escape is a character"));
        rest = rest[close + 1..].to_owned();
    }
    out + &rest
}

/// Returns true if neither half of a secret is left in a text.
fn is_gone(secret: &str, text: &str) -> bool {
    let characters: Vec<char> = secret.chars().collect();
    let (first, last) = characters.split_at(characters.len() / 2);
    [first, last].iter().all(|half| !text.contains(&half.iter().collect::<String>()))
}

/// What the detectors did with two lists, as shares.
struct Rates {
    recall: f64,
    precision: f64,
}

/// Redacts every text of two lists, prints the counts and each text that was judged wrongly.
fn rates(positive: Vec<Sample>, innocent: Vec<Sample>) -> Rates {
    let (mut found, mut secrets, mut misses) = (0_usize, 0_usize, Vec::new());
    let mut kinds = BTreeSet::new();
    for sample in &positive {
        let kept = redact(&sample.text).0;
        kinds.insert(sample.kind.as_str());
        for secret in &sample.secrets {
            let gone = is_gone(secret, &kept);
            (found, secrets) = (found + usize::from(gone), secrets + 1);
            if !gone {
                misses.push(format!("missed {}: {}", sample.kind, sample.text));
            }
        }
    }
    let alarms: Vec<String> = innocent
        .iter()
        .filter(|sample| redact(&sample.text).0 != sample.text)
        .map(|sample| format!("alarm {}: {} -> {}", sample.kind, sample.text, redact(&sample.text).0))
        .collect();
    let recall = found as f64 / secrets as f64;
    let precision = found as f64 / (found + alarms.len()) as f64;
    println!("kinds      {}", kinds.len());
    println!("found      {found} of {secrets} ({:.1} %)", recall * 100.0);
    println!("precision  {:.1} % ({} alarms in {} innocent texts)", precision * 100.0, alarms.len(), innocent.len());
    for line in misses.iter().chain(&alarms) {
        println!("{line}");
    }
    assert!(kinds.len() >= 40 && secrets >= 150 && innocent.len() >= 300);
    Rates { recall, precision }
}

#[test]
fn documented_secrets_are_found_and_innocent_texts_kept() {
    let Rates { recall, precision } = rates(samples(POSITIVE), samples(NEGATIVE));
    assert!(precision >= 0.98, "precision {precision}");
    assert!(recall >= 0.98, "recall {recall}");
}

#[test]
fn the_rates_on_the_held_out_list_hold() {
    let Rates { recall, precision } = rates(samples(HELD_OUT_POSITIVE), samples(HELD_OUT_NEGATIVE));
    assert!(precision >= 0.98, "precision {precision}");
    assert!(recall >= 0.80, "recall {recall}");
}

#[test]
fn the_rates_on_the_third_list_hold() {
    let Rates { recall, precision } = rates(samples(THIRD_POSITIVE), samples(THIRD_NEGATIVE));
    assert!(precision >= 0.98, "precision {precision}");
    assert!(recall >= 0.80, "recall {recall}");
}

#[test]
fn the_rates_on_the_fourth_list_hold() {
    let Rates { recall, precision } = rates(samples(FOURTH_POSITIVE), samples(FOURTH_NEGATIVE));
    assert!(precision >= 0.98, "precision {precision}");
    assert!(recall >= 0.80, "recall {recall}");
}

#[test]
fn the_rates_on_the_fifth_list_hold() {
    let (positive, innocent) = json_samples(FIFTH);
    let Rates { recall, precision } = rates(positive, innocent);
    assert!(precision >= 0.98, "precision {precision}");
    assert!(recall >= 0.90, "recall {recall}");
}

#[test]
fn the_rates_on_the_sixth_list_hold() {
    let Rates { recall, precision } = rates(samples(SIXTH_POSITIVE), samples(SIXTH_NEGATIVE));
    assert!(precision >= 0.98, "precision {precision}");
    assert!(recall >= 0.90, "recall {recall}");
}
