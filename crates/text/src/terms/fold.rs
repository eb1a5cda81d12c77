//! Folds letters to one form.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Normalises a word: lower case, compatibility forms unified, ligatures split, accents of Latin,
/// Greek and Cyrillic letters removed.
pub(crate) fn folded(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    let mut out = String::with_capacity(word.len());
    let mut base = ' ';
    for c in word.nfkd().flat_map(char::to_lowercase) {
        if is_combining_mark(c) {
            // Combining marks are accents below U+0530; in Indic, Thai, Arabic and Hebrew script
            // they carry meaning.
            if base < '\u{530}' {
                continue;
            }
        } else {
            base = c;
        }
        match c {
            'ß' => out.push_str("ss"),
            'œ' => out.push_str("oe"),
            'æ' => out.push_str("ae"),
            'ø' => out.push('o'),
            'ł' => out.push('l'),
            c if c.is_alphanumeric() || is_combining_mark(c) => out.push(c),
            _ => {}
        }
    }
    out
}

/// Returns a text with composed letters, so that two spellings of the same letters are equal: some file systems decompose the
/// letters of names.
pub fn composed(text: &str) -> String {
    text.nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_ligatures_and_case_are_folded() {
        assert_eq!(folded("Straße Œuvre"), "strasseoeuvre");
        assert_eq!(folded("Müller"), "muller");
        assert_eq!(folded("हिन्दी"), "हिन्दी");
    }

    #[test]
    fn decomposed_letters_are_composed() {
        assert_eq!(composed("Cafe\u{301}"), "Café");
    }
}
