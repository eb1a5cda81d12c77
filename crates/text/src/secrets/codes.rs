//! Finds what brings an account or a wallet back: recovery codes, recovery keys and seed phrases.
//!
//! The words of a seed phrase are ordinary words and recovery codes are short numbers. Only a word for them, followed by a list
//! that is nothing else, tells them from a sentence.

use std::ops::Range;

use super::SecretMatches;
use super::names::folded;
use super::redactions::SecretKind;
use crate::language::is_stop_word;

/// Words that announce codes, and words that announce a seed phrase, without the sign after them.
const CODES: [&str; 9] = [
    "recovery codes",
    "backup codes",
    "recovery code",
    "backup code",
    "recovery key",
    "wiederherstellungscodes",
    "codes de secours",
    "codici di recupero",
    "herstelcodes",
];
const PHRASES: [&str; 8] = [
    "seed phrase",
    "recovery phrase",
    "recovery words",
    "seed words",
    "secret phrase",
    "mnemonic",
    "phrase de recuperation",
    "wiederherstellungsphrase",
];

/// The longest text between the announcement and the list: "of the Dell:", "are, in order:".
const MAX_BETWEEN: usize = 48;
/// Minimum number of words of a seed phrase.
const MIN_WORDS: usize = 12;
/// Lengths of its words.
const WORD: std::ops::RangeInclusive<usize> = 3..=8;
/// Minimum number of digits in a list of codes.
const MIN_DIGITS: usize = 8;

/// What some words announce.
struct Announced {
    names: &'static [&'static str],
    /// Returns the list at the beginning of a text.
    list: fn(&str) -> Option<Range<usize>>,
    kind: SecretKind,
}

const ANNOUNCED: [Announced; 2] = [
    Announced { names: &CODES, list: codes, kind: SecretKind("recovery_code") },
    Announced { names: &PHRASES, list: phrase, kind: SecretKind("seed_phrase") },
];

pub(super) fn find(text: &str, matches: &mut SecretMatches) {
    let mut from = 0;
    for line in text.split('\n') {
        let lower = line.to_ascii_lowercase();
        for Announced { names, list, kind } in &ANNOUNCED {
            let after = names.iter().find_map(|name| lower.find(name).map(|at| at + name.len()));
            let found = after.and_then(|after| {
                let list_at = after + list_start(&line[after..])?;
                list(&line[list_at..]).map(|at| from + list_at + at.start..from + list_at + at.end)
            });
            if let Some(at) = found {
                matches.add(*kind, at);
            }
        }
        from += line.len() + 1;
    }
}

/// Returns where the list begins: after the last sign or verb near the announcement.
fn list_start(rest: &str) -> Option<usize> {
    let near =
        rest.char_indices().take_while(|(at, _)| *at < MAX_BETWEEN).last().map_or(0, |(at, c)| at + c.len_utf8());
    let near = &rest[..near];
    let sign = near.rfind(": ").map(|at| at + 2);
    let verb =
        || [" are ", " is ", " lauten ", " sont "].iter().find_map(|verb| near.find(verb).map(|at| at + verb.len()));
    // Directly after the name: only codes look like none of a sentence's words.
    sign.or_else(verb).or_else(|| rest.starts_with(' ').then_some(1))
}

/// Returns the codes at the beginning of a text: letters and digits in groups, with signs between them.
fn codes(text: &str) -> Option<Range<usize>> {
    let is_code = |word: &str| {
        let bare = word.trim_matches([',', ';', '/', '.', '|']);
        let digits = bare.bytes().filter(u8::is_ascii_digit).count();
        let body = bare.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        bare.is_empty() || body && digits * 3 >= bare.len()
    };
    let end = text.split_inclusive(' ').take_while(|word| is_code(word.trim_end())).map(str::len).sum::<usize>();
    let list = text[..end].trim_end_matches([' ', ',', ';', '/', '.', '|']);
    (list.bytes().filter(u8::is_ascii_digit).count() >= MIN_DIGITS).then_some(0..list.len())
}

/// Returns the seed phrase at the beginning of a text: many short words in a row, none of which joins others to a sentence.
fn phrase(text: &str) -> Option<Range<usize>> {
    let is_part = |word: &str| {
        let bare = word.trim_end_matches([',', '.', ' ']);
        WORD.contains(&bare.len()) && bare.bytes().all(|byte| byte.is_ascii_lowercase()) && !is_stop_word(&folded(bare))
    };
    let words: Vec<&str> = text.split_inclusive(' ').take_while(|word| is_part(word)).collect();
    let list = text[..words.iter().map(|word| word.len()).sum()].trim_end_matches([' ', ',', '.']);
    (words.len() >= MIN_WORDS).then_some(0..list.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let mut matches = SecretMatches::default();
        find(text, &mut matches);
        matches.0.iter().map(|found| &text[found.at.clone()]).collect()
    }

    #[test]
    fn codes_keys_and_phrases_are_found_after_their_name() {
        let words = "gentle jacket candy naive ladder cliff whale elbow pepper artist decade lizard";
        for (text, secret) in [
            ("recovery codes: b6b9d-b16b4, ffbda-07486.", "b6b9d-b16b4, ffbda-07486"),
            ("recovery key 826932-288468-482733-507629", "826932-288468-482733-507629"),
            ("Backup codes for ana: 9114 3988 / 3422 1166", "9114 3988 / 3422 1166"),
            ("The recovery key of the laptop is 210287-357962-663773-565906.", "210287-357962-663773-565906"),
            (&format!("Seed phrase: {words}"), words),
            (&format!("note\nthe recovery words are, in order: {words}."), words),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
    }

    #[test]
    fn sentences_about_them_are_left_alone() {
        for text in [
            "Recovery codes: print them and put them into the safe",
            "backup codes: see page 12",
            "The recovery key is in the safe of the office in Berlin",
            "A seed phrase is a list of twelve or twenty-four words that brings a wallet back",
            "Recovery words: write them down",
            "The mnemonic for the planets is my very educated mother just served us noodles",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
