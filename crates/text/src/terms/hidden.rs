//! Handles invisible and control characters.
//!
//! Control characters move a terminal's cursor, bidirectional marks change the displayed order, and
//! zero-width or tag characters carry text that only a machine reads. [`strip_hidden`] removes them
//! from text for a model or a terminal. [`escape_hidden`] makes them visible for someone who
//! inspects a block.
//!
//! The only line break is `\n`. Every other character that some reader takes for one becomes a space, so that a
//! stored name that was put on one line stays on it.

use std::borrow::Cow;

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// Removes hidden characters. Line breaks other than `\n` become spaces.
pub fn strip_hidden(text: &str) -> Cow<'_, str> {
    replaced(text, |_, _| {})
}

/// Replaces each hidden character by its code point: `⟨U+202E⟩`.
pub fn escape_hidden(text: &str) -> Cow<'_, str> {
    use std::fmt::Write;
    replaced(text, |c, out| {
        let _ = write!(out, "⟨U+{:04X}⟩", u32::from(c));
    })
}

/// Writes each hidden character of a JSON text as an escape, `\u202e`. The value stays the same.
pub fn escape_hidden_in_json(json: &str) -> Cow<'_, str> {
    use std::fmt::Write;
    if json.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t')) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len());
    let mut before = None;
    let mut rest = json.chars().peekable();
    while let Some(c) = rest.next() {
        if is_hidden(c, before, rest.peek().copied()) || is_other_line_break(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
        before = Some(c);
    }
    Cow::Owned(out)
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
            // A Windows line ending counts as one line break.
            '\r' if rest.peek() == Some(&'\n') => {}
            _ if is_other_line_break(c) => out.push(' '),
            _ if is_hidden(c, before, rest.peek().copied()) => tell(c, &mut out),
            _ => out.push(c),
        }
        before = Some(c);
    }
    Cow::Owned(out)
}

/// Returns true for characters other than `\n` that end a line for some readers: VT, FF, CR, NEL and the separators of lines and
/// paragraphs.
fn is_other_line_break(c: char) -> bool {
    matches!(c, '\u{b}' | '\u{c}' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Returns true if a character is invisible, given its neighbours.
fn is_hidden(c: char, before: Option<char>, after: Option<char>) -> bool {
    let joins = |neighbour: Option<char>| neighbour.is_some_and(|c| !c.is_ascii() && !has_no_width(c));
    match c {
        '\n' | '\t' => false,
        // Joiners are part of Persian words, Indic syllables and emoji; anywhere else they are
        // hidden.
        '\u{200c}' | '\u{200d}' => !(joins(before) || before == Some('\u{fe0f}')) || !joins(after),
        // One variation selector is part of a symbol; more than one is hidden text.
        '\u{fe00}'..='\u{fe0f}' => {
            let drawn = before.is_some_and(|c| joins(Some(c)) || c.is_ascii_digit() || matches!(c, '#' | '*'));
            !drawn || after.is_some_and(|next| ('\u{fe00}'..='\u{fe0f}').contains(&next))
        }
        c => c.is_control() || has_no_width(c),
    }
}

/// Returns true for characters that are drawn without a width: format characters, noncharacters, and the letters, marks and
/// reserved characters that Unicode lets programs leave out (`Default_Ignorable_Code_Point`).
pub(crate) fn has_no_width(c: char) -> bool {
    match c {
        _ if c.is_ascii() => false,
        '\u{034f}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{2060}'..='\u{206f}'
        | '\u{2800}'
        | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{16fe4}'
        | '\u{1d159}'
        | '\u{e0000}'..='\u{e0fff}' => true,
        // Signs of Arabic, Syriac and Kaithi numbers and verses are format characters that are drawn.
        '\u{600}'..='\u{605}'
        | '\u{6dd}'
        | '\u{70f}'
        | '\u{890}'
        | '\u{891}'
        | '\u{8e2}'
        | '\u{110bd}'
        | '\u{110cd}' => false,
        _ => c.general_category() == GeneralCategory::Format || is_noncharacter(c),
    }
}

/// Returns true for code points that will never be characters.
fn is_noncharacter(c: char) -> bool {
    let code = u32::from(c);
    (0xfdd0..=0xfdef).contains(&code) || code & 0xfffe == 0xfffe
}

/// Returns true if a text contains hidden characters.
pub fn contains_hidden(text: &str) -> bool {
    matches!(strip_hidden(text), Cow::Owned(shown) if shown != text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn hidden_characters_are_stripped_or_escaped() {
        let text = "a\u{202e}b\u{200b}c\u{7}d\u{1b}[31me\u{e0041}f\u{ad}g";
        assert_eq!(strip_hidden(text), "abcd[31mefg");
        assert_eq!(escape_hidden(text), "a⟨U+202E⟩b⟨U+200B⟩c⟨U+0007⟩d⟨U+001B⟩[31me⟨U+E0041⟩f⟨U+00AD⟩g");
        assert!(contains_hidden(text) && !contains_hidden("plain, naïve, 日本語"));
    }

    #[test]
    fn joiners_in_scripts_and_emoji_are_kept() {
        for text in
            ["می\u{200c}خواهم", "👩\u{200d}💻", "❤\u{fe0f}", "❤\u{fe0f}\u{200d}🔥", "1\u{fe0f}\u{20e3}", "line\n\ttab"]
        {
            assert_eq!(strip_hidden(text), text);
        }
        assert_eq!(strip_hidden("a\u{200d}b\u{fe01}\u{fe02}c\u{200c}\u{200d}"), "abc");
    }

    #[test]
    fn hidden_characters_in_json_become_escapes_of_the_same_value() {
        let value = serde_json::json!({"text": "a\u{202e}b\u{e0041}c\u{9b}d\u{2028}é日本"});
        let json = serde_json::to_string_pretty(&value).unwrap();
        let escaped = escape_hidden_in_json(&json);
        assert!(escaped.contains(r"a\u202eb\udb40\udc41c\u009bd\u2028é日本"), "{escaped}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&escaped).unwrap(), value);
    }

    #[test]
    fn only_a_newline_breaks_a_line() {
        assert_eq!(strip_hidden("a\r\nb\u{2028}c\u{2029}d\u{85}e\rf\u{b}g\u{c}h"), "a\nb c d e f g h");
    }

    #[test]
    fn every_format_character_and_noncharacter_is_hidden() {
        let drawn = "\u{600}\u{605}\u{6dd}\u{70f}\u{890}\u{8e2}\u{110bd}\u{110cd}";
        for c in (0..=u32::from(char::MAX)).filter_map(char::from_u32).filter(|c| !drawn.contains(*c)) {
            let is_format = c.general_category() == GeneralCategory::Format && !('\u{600}'..='\u{605}').contains(&c);
            let is_none = matches!(u32::from(c), 0xfdd0..=0xfdef) || u32::from(c) % 0x1_0000 >= 0xfffe;
            if (is_format && c != '\u{891}') || is_none {
                assert_eq!(strip_hidden(&format!("a{c}b")), "ab", "U+{:04X}", u32::from(c));
            }
        }
        assert_eq!(strip_hidden("a\u{13430}\u{13437}\u{fdd0}\u{ffff}\u{10fffe}b"), "ab");
        assert_eq!(strip_hidden(drawn), drawn);
    }

    proptest! {
        #[test]
        fn stripping_is_complete_and_idempotent(
            text in "(\\PC|[\u{200b}-\u{200f}\u{202a}-\u{202e}\u{2060}-\u{206f}\u{fe00}-\u{fe0f}\u{e0000}-\u{e007f}\u{0}-\u{1f}\u{ad}]){0,40}",
        ) {
            for shown in [strip_hidden(&text), escape_hidden(&text)] {
                let left = shown.chars().any(|c| c.is_control() && c != '\n' && c != '\t'
                    || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}' | '\u{e0000}'..='\u{e0fff}'));
                prop_assert!(!left, "{:?}", shown);
            }
        }
    }
}
