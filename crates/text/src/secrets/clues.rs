//! One scan over a text that tells which detectors can find anything in it.
//!
//! Most texts hold no sign of a secret: no long word, no assignment, no word for a password. The scan costs about a nanosecond
//! a byte, a detector many times that. A clue is a necessary condition, never a sufficient one: leaving out a detector without
//! its clue changes no result, which a property test checks.

use super::names::PASSWORDS;
use super::{entropy, token, vendor};

/// What a text contains that detectors depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Clues {
    /// Length of the longest part without ASCII white space.
    longest_part: usize,
    /// Whether there is a `:`.
    colon: bool,
    /// Whether there is a `=`, a `>` or a `(`.
    equals: bool,
    /// Whether there is a `-` after a space or at the beginning.
    flag: bool,
    /// Whether there is a `-` after another one.
    dashes: bool,
    /// Whether there is a word for a scheme of authentication, followed by a space.
    scheme: bool,
    /// Whether there is a word for a password or a key, or a letter with an accent that such a word can be spelled with.
    secret_word: bool,
}

/// Words of a sentence that may name a secret beside [`PASSWORDS`] (see `sentence`).
/// `ssel` is what ends Schlüssel after the last letter that is not ASCII.
const OTHER_WORDS: [&str; 30] = [
    "pin",
    "pw",
    "pass",
    "clef",
    "llave",
    "chiave",
    "chave",
    "sleutel",
    "key",
    "token",
    "secret",
    "passe",
    "ordine",
    "accesso",
    "code",
    "codes",
    "ssel",
    "phrase",
    "words",
    "mnemonic",
    "login",
    "logins",
    "credentials",
    "creds",
    "zugangsdaten",
    "anmeldedaten",
    "identifiants",
    "credenciales",
    "credenziali",
    "inloggegevens",
];

/// The last two letters of the words that may name a secret.
const ENDINGS: [[bool; 26]; 26] = {
    let mut table = [[false; 26]; 26];
    mark_endings(&mut table, &PASSWORDS);
    mark_endings(&mut table, &OTHER_WORDS);
    table
};

const fn mark_endings(table: &mut [[bool; 26]; 26], words: &[&str]) {
    let mut at = 0;
    while at < words.len() {
        let word = words[at].as_bytes();
        table[(word[word.len() - 2] - b'a') as usize][(word[word.len() - 1] - b'a') as usize] = true;
        at += 1;
    }
}

/// Schemes of authentication (see `header`).
const SCHEMES: [&str; 3] = ["bearer", "basic", "token"];
/// Minimum length of a value after a scheme.
const MIN_SCHEME_VALUE: usize = 12;

/// Minimum length of a sum of a password.
const MIN_ENTRY: usize = 24;

#[derive(Clone, Copy, PartialEq, Eq)]
enum ByteClass {
    Word,
    Space,
    Colon,
    Equals,
    Dash,
    /// The first byte of a letter that `names::folded` turns into an ASCII letter, among others.
    Lead,
    Other,
}

const CLASSES: [ByteClass; 256] = {
    let mut table = [ByteClass::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' => ByteClass::Word,
            b':' => ByteClass::Colon,
            // The end of a tag and a call announce a value too.
            b'=' | b'>' | b'(' => ByteClass::Equals,
            b'-' => ByteClass::Dash,
            0xC3 | 0xE2 => ByteClass::Lead,
            byte if byte.is_ascii_whitespace() => ByteClass::Space,
            _ => ByteClass::Other,
        };
        byte += 1;
    }
    table
};

impl Clues {
    /// Scans a text.
    pub(super) fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut clues = Self {
            longest_part: 0,
            colon: false,
            equals: false,
            flag: false,
            dashes: false,
            scheme: false,
            secret_word: false,
        };
        let (mut part, mut at) = (0, 0);
        while at < bytes.len() {
            match CLASSES[usize::from(bytes[at])] {
                ByteClass::Word => {
                    let start = at;
                    while at < bytes.len() && CLASSES[usize::from(bytes[at])] == ByteClass::Word {
                        at += 1;
                    }
                    clues.add_word(&bytes[start..at], bytes.get(at) == Some(&b' '));
                    continue;
                }
                ByteClass::Space => {
                    clues.longest_part = clues.longest_part.max(at - part);
                    part = at + 1;
                }
                ByteClass::Colon => clues.colon = true,
                ByteClass::Equals => clues.equals = true,
                ByteClass::Dash => match at.checked_sub(1).map(|before| bytes[before]) {
                    Some(b' ') | None => clues.flag = true,
                    Some(b'-') => clues.dashes = true,
                    _ => {}
                },
                ByteClass::Lead => clues.secret_word |= folds_to_ascii(&bytes[at..]),
                ByteClass::Other => {}
            }
            at += 1;
        }
        clues.longest_part = clues.longest_part.max(bytes.len() - part);
        clues
    }

    fn add_word(&mut self, word: &[u8], before_space: bool) {
        if before_space && matches!(word.len(), 5 | 6) {
            self.scheme |= SCHEMES.iter().any(|scheme| word.eq_ignore_ascii_case(scheme.as_bytes()));
        }
        if !self.secret_word {
            let end = word.iter().rposition(|byte| *byte != b'_').map_or(0, |last| last + 1);
            self.secret_word = ends_with_secret_word(&word[..end]);
        }
    }

    /// Returns true if a vendor key can be in the text.
    pub(super) fn vendor(&self) -> bool {
        self.longest_part >= vendor::SHORTEST
    }

    /// Returns true if a token of several parts can be in the text.
    pub(super) fn token(&self) -> bool {
        self.longest_part >= token::SHORTEST
    }

    /// Returns true if a string of high entropy can be in the text.
    pub(super) fn entropy(&self) -> bool {
        self.longest_part >= entropy::LENGTH.0
    }

    /// Returns true if a private key can be in the text.
    pub(super) fn pem(&self) -> bool {
        self.dashes
    }

    /// Returns true if a URL can be in the text.
    pub(super) fn url(&self) -> bool {
        self.colon
    }

    /// Returns true if a line of a list of passwords can be in the text.
    pub(super) fn entry(&self) -> bool {
        self.colon || self.longest_part >= MIN_ENTRY
    }

    /// Returns true if a header can be in the text.
    pub(super) fn header(&self) -> bool {
        self.longest_part >= MIN_SCHEME_VALUE && (self.colon || self.scheme)
    }

    /// Returns true if a command with options can be in the text.
    pub(super) fn command(&self) -> bool {
        self.flag
    }

    /// Returns true if an assignment can be in the text.
    pub(super) fn assignment(&self) -> bool {
        self.colon || self.equals
    }

    /// Returns true if a sentence can tell a password.
    pub(super) fn sentence(&self) -> bool {
        self.secret_word
    }
}

/// Returns true if a text begins with a letter that `names::folded` turns into an ASCII letter: ñ, è, é, their capitals, and the
/// Kelvin sign, whose lower case is k.
fn folds_to_ascii(bytes: &[u8]) -> bool {
    matches!(bytes, [0xC3, 0x91 | 0xB1 | 0x88 | 0x89 | 0xA8 | 0xA9, ..] | [0xE2, 0x84, 0xAA, ..])
}

fn ends_with_secret_word(word: &[u8]) -> bool {
    let [.., before, last] = word else { return false };
    if !before.is_ascii_alphabetic() || !last.is_ascii_alphabetic() {
        return false;
    }
    let index = |byte: &u8| usize::from(byte.to_ascii_lowercase() - b'a');
    ENDINGS[index(before)][index(last)]
        && PASSWORDS.iter().chain(&OTHER_WORDS).any(|secret| {
            let start = word.len().checked_sub(secret.len());
            start.is_some_and(|start| word[start..].eq_ignore_ascii_case(secret.as_bytes()))
        })
}

#[cfg(test)]
impl Clues {
    /// Lets every detector run.
    pub(super) const ALL: Self = Self {
        longest_part: usize::MAX,
        colon: true,
        equals: true,
        flag: true,
        dashes: true,
        scheme: true,
        secret_word: true,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_has_no_clue() {
        let clues = Clues::of("Tomás is allergic to peanuts, and the well-known shop in Malmö opens at 9 — 日本語.");
        let none = [
            clues.vendor(),
            clues.token(),
            clues.entropy(),
            clues.pem(),
            clues.url(),
            clues.entry(),
            clues.header(),
            clues.command(),
            clues.assignment(),
            clues.sentence(),
        ];
        assert_eq!(none, [false; 10]);
    }

    #[test]
    fn each_clue_is_seen() {
        assert!(Clues::of("a = b").assignment() && Clues::of("a: b").assignment() && Clues::of("x:").url());
        assert!(Clues::of("curl -u x").command() && Clues::of("-u x").command() && !Clues::of("a-u x").command());
        assert!(Clues::of("-----BEGIN").pem());
        assert!(Clues::of("BEARER abcdefghijkl").header() && !Clues::of("bearer_abcdefghijkl x").header());
        assert!(Clues::of(&"x".repeat(32)).entropy() && !Clues::of(&"x ".repeat(32)).entropy());
        for text in ["my PASSWORD is", "the pin", "dbPasswort.", "token", "d'ordine", "password_ x", "ñ"] {
            assert!(Clues::of(text).sentence(), "{text}");
        }
        for letter in ["ñ", "Ñ", "è", "È", "é", "É", "\u{212a}"] {
            assert!(Clues::of(letter).sentence() && super::super::names::folded(letter).is_ascii(), "{letter}");
        }
        for text in ["keyed", "pint", "tokens", "", "_", "a"] {
            assert!(!Clues::of(text).sentence(), "{text}");
        }
    }
}
