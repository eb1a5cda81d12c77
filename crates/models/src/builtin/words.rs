//! Splits text into words like BERT.
//!
//! Removes control and format characters and makes every punctuation mark and Chinese character a word. Uncased models
//! also strip accents and lowercase letter by letter (so a final sigma becomes a plain one). Markers such as `[MASK]` are
//! plain text.

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// How a model wants its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WordRules {
    /// Whether letters are made small.
    pub(crate) lowercase: bool,
    /// Whether accents are removed.
    pub(crate) strip_accents: bool,
    /// Whether each Chinese character is a word.
    pub(crate) split_chinese: bool,
}

impl WordRules {
    /// The rules of uncased models.
    pub(crate) const UNCASED: Self = Self { lowercase: true, strip_accents: true, split_chinese: true };
}

/// Calls `visit` for every word of a text in order.
pub(crate) fn each_word(text: &str, rules: WordRules, mut visit: impl FnMut(&str)) {
    let mut word = String::new();
    let mut take = |c: char| take(c, rules, &mut word, &mut visit);
    let kept = text.chars().filter(|c| !is_dropped(*c));
    match (text.is_ascii(), rules.strip_accents, rules.lowercase) {
        // Fast path for ASCII: nothing to decompose and no category lookup.
        (true, _, true) => kept.for_each(|c| take(c.to_ascii_lowercase())),
        (true, _, false) | (false, false, false) => kept.for_each(take),
        (false, true, true) => kept.nfd().filter(|c| !is_accent(*c)).flat_map(char::to_lowercase).for_each(take),
        (false, true, false) => kept.nfd().filter(|c| !is_accent(*c)).for_each(take),
        (false, false, true) => kept.flat_map(char::to_lowercase).for_each(take),
    }
    finish(&mut word, &mut visit);
}

fn take(c: char, rules: WordRules, word: &mut String, visit: &mut impl FnMut(&str)) {
    if c.is_whitespace() {
        finish(word, visit);
    } else if is_punctuation(c) || rules.split_chinese && is_chinese(c) {
        finish(word, visit);
        visit(c.encode_utf8(&mut [0; 4]));
    } else {
        word.push(c);
    }
}

fn finish(word: &mut String, visit: &mut impl FnMut(&str)) {
    if !word.is_empty() {
        visit(word);
        word.clear();
    }
}

fn is_dropped(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' => false,
        '\u{fffd}' => true,
        _ if c.is_ascii() => c.is_ascii_control(),
        _ => matches!(c.general_category(), GeneralCategory::Control | GeneralCategory::Format),
    }
}

fn is_accent(c: char) -> bool {
    !c.is_ascii() && c.general_category() == GeneralCategory::NonspacingMark
}

fn is_punctuation(c: char) -> bool {
    // ASCII symbols such as `$`, `+` and `~` count too.
    if c.is_ascii() {
        c.is_ascii_punctuation()
    } else {
        c.general_category_group() == GeneralCategoryGroup::Punctuation
    }
}

fn is_chinese(c: char) -> bool {
    matches!(c,
        '\u{4e00}'..='\u{9fff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{20000}'..='\u{2a6df}'
        | '\u{2a700}'..='\u{2ceaf}'
        | '\u{f900}'..='\u{faff}'
        | '\u{2f800}'..='\u{2fa1f}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        each_word(text, WordRules::UNCASED, |word| found.push(word.to_owned()));
        found
    }

    #[test]
    fn punctuation_is_split_and_case_folded() {
        assert_eq!(words("Don't panic: it's $5!"), ["don", "'", "t", "panic", ":", "it", "'", "s", "$", "5", "!"]);
        assert_eq!(words("„Größe“ — [MASK]"), ["„", "große", "“", "—", "[", "mask", "]"]);
    }

    #[test]
    fn accents_and_invisible_characters_are_removed() {
        assert_eq!(
            words("na\u{ef}ve cafe\u{301} so\u{ad}ft\u{200b} \u{1}\u{7f}x\u{fffd}"),
            ["naive", "cafe", "soft", "x"]
        );
        assert_eq!(words("İstanbul ΟΔΟΣ"), ["istanbul", "οδοσ"]);
    }

    #[test]
    fn cased_models_keep_letters_and_accents() {
        let rules = WordRules { lowercase: false, strip_accents: false, split_chinese: false };
        let mut found = Vec::new();
        each_word("Größe É-日本", rules, |word| found.push(word.to_owned()));
        assert_eq!(found, ["Größe", "É", "-", "日本"]);
    }

    #[test]
    fn chinese_characters_are_words() {
        assert_eq!(words("日本go語"), ["日", "本", "go", "語"]);
    }

    proptest! {
        #[test]
        fn ascii_fast_path_equals_the_general_path(text in "[ -~\t\n]{0,40}") {
            let mut slowly = words(&format!("{text} 日"));
            prop_assert_eq!(slowly.pop(), Some("日".to_owned()));
            prop_assert_eq!(words(&text), slowly);
        }

        #[test]
        fn words_are_never_empty_and_hold_no_space(text in any::<String>()) {
            for word in words(&text) {
                prop_assert!(!word.is_empty() && !word.contains(char::is_whitespace));
            }
        }
    }
}
