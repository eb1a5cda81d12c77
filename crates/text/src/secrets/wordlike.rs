//! Tells random letters from words by their pairs of letters.

/// The most frequent pairs of letters in English, German, French, Spanish, Italian, Portuguese and
/// Dutch. About two thirds of the pairs in a text of these languages are among them, and a sixth of
/// the pairs of random letters.
const FREQUENT: &str = "th he in er an re nd at on nt ha es st en ed to it ou ea hi is or ti as te et ng of al de se le \
    sa si ar ve ra ld ur ch ei ie ge ne un be di ss sc au la qu ai us ns me ue el os ad ci co do ta ri io no da ij ee \
    oo aa li ma em ro ic ec ce om ll ho il ut tr pe ac am ca so mo ni ol wo ke ck ss ow ag ig lo po id op";

/// Minimum share of frequent pairs in a word.
const MIN_SHARE: f64 = 0.34;
/// Minimum number of pairs to judge by.
const MIN_PAIRS: usize = 5;

/// Returns true if the letters of a text could be words. Fewer than six letters always could.
pub(super) fn is_wordlike(text: &str) -> bool {
    let bytes = text.as_bytes();
    let letters = bytes.windows(2).filter(|pair| pair.iter().all(u8::is_ascii_alphabetic));
    let (mut pairs, mut frequent) = (0_usize, 0_usize);
    for pair in letters {
        pairs += 1;
        frequent += usize::from(FREQUENT_PAIRS[index(pair[0])][index(pair[1])]);
    }
    pairs < MIN_PAIRS || frequent as f64 >= MIN_SHARE * pairs as f64
}

/// [`FREQUENT`] as a table.
const FREQUENT_PAIRS: [[bool; 26]; 26] = {
    let mut table = [[false; 26]; 26];
    let bytes = FREQUENT.as_bytes();
    let mut at = 0;
    while at + 1 < bytes.len() {
        if bytes[at].is_ascii_lowercase() && bytes[at + 1].is_ascii_lowercase() {
            table[index(bytes[at])][index(bytes[at + 1])] = true;
        }
        at += 1;
    }
    table
};

const fn index(letter: u8) -> usize {
    (letter.to_ascii_lowercase() - b'a') as usize
}

/// Returns the share of adjacent characters of which one is upper case and the other lower case.
pub(super) fn case_changes(text: &str) -> f64 {
    let bytes = text.as_bytes();
    let changes = bytes.windows(2).filter(|pair| {
        pair[0].is_ascii_uppercase() && pair[1].is_ascii_lowercase()
            || pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase()
    });
    changes.count() as f64 / bytes.len().max(1) as f64
}

/// Minimum share of case changes in random letters. Joined words (`refreshTokenHandler`) have fewer.
const MIN_CASE_CHANGES: f64 = 0.34;

/// Returns true for letters that are no words: upper and lower case change at random, or the pairs
/// of letters are rare.
pub(super) fn are_random_letters(text: &str) -> bool {
    text.len() >= 16
        && text.bytes().all(|byte| byte.is_ascii_alphabetic())
        && (case_changes(text) >= MIN_CASE_CHANGES || !is_wordlike(text))
}

/// Minimum length of a password that letters alone give away.
const MIN_LETTERS: usize = 8;

/// Returns true for a short mix of upper and lower case that is no word.
pub(super) fn is_random_word(text: &str) -> bool {
    text.len() >= MIN_LETTERS
        && text.bytes().all(|byte| byte.is_ascii_alphabetic())
        && case_changes(text) >= MIN_CASE_CHANGES
        && !is_wordlike(text)
}

/// Characters that generators put into passwords, and sentences, paths and shortcuts do not put into words.
const SYMBOLS: [char; 12] = ['!', '#', '$', '%', '^', '&', '*', '=', '~', '@', '?', '|'];

/// Returns true for upper and lower case with a symbol before the last character.
pub(super) fn is_mixed_with_symbol(text: &str) -> bool {
    let inside = text.trim_end_matches(['!', '?']);
    text.len() >= MIN_LETTERS
        && text.bytes().any(|byte| byte.is_ascii_uppercase())
        && text.bytes().any(|byte| byte.is_ascii_lowercase())
        && inside.contains(SYMBOLS)
        && text.bytes().all(|byte| byte.is_ascii_graphic() && !b"/\\()<>[]{}\"'`".contains(&byte))
}

/// Returns true for upper and lower case with a symbol whose letters are no words: `bbdB&IPykx`.
pub(super) fn is_random_with_symbol(text: &str) -> bool {
    is_mixed_with_symbol(text) && !is_wordlike(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_identifiers_are_wordlike() {
        for text in [
            "refreshtokenhandler",
            "Donaudampfschifffahrtsgesellschaft",
            "contraseñasegura",
            "motdepasseoublie",
            "AbstractSingletonProxyFactoryBean",
            "wachtwoordvergeten",
            "thisIsALongName",
        ] {
            assert!(is_wordlike(text) && !are_random_letters(text), "{text}");
        }
    }

    #[test]
    fn random_letters_with_a_symbol_are_told_from_words() {
        for text in ["bbdB&IPykx", "hrCG%Mqbzy", "AjpV!kOyRk"] {
            assert!(is_random_with_symbol(text), "{text}");
        }
        for text in
            ["Research&Development", "Ask&Tell", "C++Builder", "Ctrl+Shift+P", "What?!", "qzkvwpxjf", "Src/Qzk&Vwpxjf"]
        {
            assert!(!is_random_with_symbol(text), "{text}");
        }
    }

    #[test]
    fn random_letters_are_not() {
        for text in ["qzkvwpxjfbgmqhtz", "hQmZxKvTbWjLrGpN", "xkqjzvbwpfgqkxzj"] {
            assert!(are_random_letters(text), "{text}");
        }
    }
}
