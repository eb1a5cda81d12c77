//! Estimates token counts without a tokenizer.
//!
//! Models tokenize differently, so any count is an estimate. Short words count as one token, long
//! words as one per 4.5 letters, punctuation as one each, and characters of scripts without spaces
//! as one each. On English prose the estimate is slightly above common tokenizers, which is safe
//! for a budget.

/// Estimates the number of tokens in a text.
pub fn estimate(text: &str) -> u32 {
    let mut tokens = 0u32;
    let mut letters = 0u32;
    for c in text.chars() {
        if c.is_alphanumeric() && (c as u32) < 0x2e80 {
            letters += 1;
            continue;
        }
        tokens += of_word(letters);
        letters = 0;
        if !c.is_whitespace() {
            tokens += 1;
        }
    }
    tokens + of_word(letters)
}

/// Returns the number of tokens of a word with `letters` letters.
fn of_word(letters: u32) -> u32 {
    match letters {
        0 => 0,
        1..=7 => 1,
        long => (long * 2).div_ceil(9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn prose_code_and_unspaced_scripts_are_estimated() {
        assert_eq!(estimate(""), 0);
        assert_eq!(estimate("Deploys go out on Tuesdays."), 7);
        assert_eq!(estimate("日本語"), 3);
        assert!(estimate("internationalisation") > 3);
        assert_eq!(estimate("a.b()"), 5);
    }

    proptest! {
        #[test]
        fn longer_text_never_has_fewer_tokens(a in any::<String>(), b in any::<String>()) {
            let joined = [a.as_str(), b.as_str()].join(" ");
            prop_assert!(estimate(&joined) >= estimate(&a).max(estimate(&b)));
        }
    }
}
