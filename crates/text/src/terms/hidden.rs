//! Characters that hide, turn or act instead of being read.
//!
//! Control characters move a terminal's cursor, bidirectional marks make a line read otherwise than it is stored, and characters
//! without a width or from the block of tags carry words that only a machine sees. Where a text goes to a model or a terminal
//! they are left out ([`neutral`]); where someone looks at a block to see what is in it they are written out ([`revealed`]).

use std::borrow::Cow;

/// The text without them. Line and paragraph separators become ends of lines.
pub fn neutral(text: &str) -> Cow<'_, str> {
    replaced(text, |_, _| {})
}

/// The text with each of them written as its number: `⟨U+202E⟩`.
pub fn revealed(text: &str) -> Cow<'_, str> {
    use std::fmt::Write;
    replaced(text, |c, out| {
        let _ = write!(out, "⟨U+{:04X}⟩", u32::from(c));
    })
}

fn replaced(text: &str, tell: impl Fn(char, &mut String)) -> Cow<'_, str> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t')) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut before = None;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\u{2028}' | '\u{2029}' => out.push('\n'),
            // The end of a line of Windows is one end of a line.
            '\r' if rest.peek() == Some(&'\n') => {}
            _ if is_hidden(c, before, rest.peek().copied()) => tell(c, &mut out),
            _ => out.push(c),
        }
        before = Some(c);
    }
    Cow::Owned(out)
}

/// Whether a character is not there to be read, given the one before and the one after it.
fn is_hidden(c: char, before: Option<char>, after: Option<char>) -> bool {
    let joins = |neighbour: Option<char>| neighbour.is_some_and(|c| !c.is_ascii() && !has_no_width(c));
    match c {
        '\n' | '\t' => false,
        // Persian words, Indic syllables and emoji are put together with these; between anything else they carry something.
        '\u{200c}' | '\u{200d}' => !(joins(before) || before == Some('\u{fe0f}')) || !joins(after),
        // One after a sign says how it is drawn; more of them spell something.
        '\u{fe00}'..='\u{fe0f}' => {
            let drawn = before.is_some_and(|c| joins(Some(c)) || c.is_ascii_digit() || matches!(c, '#' | '*'));
            !drawn || after.is_some_and(|next| ('\u{fe00}'..='\u{fe0f}').contains(&next))
        }
        c => c.is_control() || has_no_width(c),
    }
}

fn has_no_width(c: char) -> bool {
    matches!(c,
        '\u{00ad}' | '\u{034f}' | '\u{061c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a text holds any of them.
pub fn hides_something(text: &str) -> bool {
    matches!(neutral(text), Cow::Owned(shown) if shown != text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_hides_turns_or_acts_is_left_out_or_written_out() {
        let text = "a\u{202e}b\u{200b}c\u{7}d\u{1b}[31me\u{e0041}f\u{ad}g";
        assert_eq!(neutral(text), "abcd[31mefg");
        assert_eq!(revealed(text), "a⟨U+202E⟩b⟨U+200B⟩c⟨U+0007⟩d⟨U+001B⟩[31me⟨U+E0041⟩f⟨U+00AD⟩g");
        assert!(hides_something(text) && !hides_something("plain, naïve, 日本語"));
    }

    #[test]
    fn scripts_and_emoji_that_need_joiners_stay_whole() {
        for text in
            ["می\u{200c}خواهم", "👩\u{200d}💻", "❤\u{fe0f}", "❤\u{fe0f}\u{200d}🔥", "1\u{fe0f}\u{20e3}", "line\n\ttab"]
        {
            assert_eq!(neutral(text), text);
        }
        assert_eq!(neutral("a\u{200d}b\u{fe01}\u{fe02}c\u{200c}\u{200d}"), "abc");
    }

    #[test]
    fn other_ends_of_lines_become_ordinary_ones() {
        assert_eq!(neutral("a\r\nb\u{2028}c\u{2029}d\u{85}e\rf"), "a\nb\nc\ndef");
    }

    proptest! {
        #[test]
        fn nothing_hidden_is_left_and_doing_it_again_changes_nothing(
            text in "(\\PC|[\u{200b}-\u{200f}\u{202a}-\u{202e}\u{2060}-\u{206f}\u{fe00}-\u{fe0f}\u{e0000}-\u{e007f}\u{0}-\u{1f}\u{ad}]){0,40}",
        ) {
            for shown in [neutral(&text), revealed(&text)] {
                let left = shown.chars().any(|c| c.is_control() && c != '\n' && c != '\t'
                    || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}' | '\u{e0000}'..='\u{e0fff}'));
                prop_assert!(!left, "{:?}", shown);
            }
        }
    }
}
