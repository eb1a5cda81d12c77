//! How many tokens a text is, estimated without a tokenizer.
//!
//! Models differ in how they cut text, so any count is an estimate for all but one of them. This one counts short words
//! as one token, long ones as one per four letters and a half, punctuation as one each, and every character of a script without spaces as one. On
//! English prose it is a little above what common tokenizers give, which is the safe side for a budget.

/// The estimated number of tokens.
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

/// Tokens of a word of so many letters.
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
    fn prose_code_and_scripts_without_spaces_are_counted() {
        assert_eq!(estimate(""), 0);
        assert_eq!(estimate("Deploys go out on Tuesdays."), 7);
        assert_eq!(estimate("日本語"), 3);
        assert!(estimate("internationalisation") > 3);
        assert_eq!(estimate("a.b()"), 5);
    }

    proptest! {
        #[test]
        fn more_text_is_never_fewer_tokens(a in any::<String>(), b in any::<String>()) {
            let joined = [a.as_str(), b.as_str()].join(" ");
            prop_assert!(estimate(&joined) >= estimate(&a).max(estimate(&b)));
        }
    }
}
