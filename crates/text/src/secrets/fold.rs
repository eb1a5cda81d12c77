//! Folds disguised characters before the detectors read a text.
//!
//! `ｇｈｐ_…` and `gh<zero-width space>p_…` are read as `ghp_…` by a person and by most programs, so
//! they are read like that here. Every byte keeps its position in the original text.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

use crate::terms::has_no_width;

/// A text with compatibility forms of ASCII characters replaced and invisible characters removed.
pub(super) struct FoldedText {
    text: String,
    /// For each byte of `text`, the range of the original character.
    origins: Vec<Range<u32>>,
}

impl FoldedText {
    /// Returns the folded text, or `None` if folding changes nothing or the text is larger than
    /// 4 GB.
    pub(super) fn new(original: &str) -> Option<Self> {
        if original.is_ascii() || u32::try_from(original.len()).is_err() || !original.chars().any(is_disguised) {
            return None;
        }
        let mut folded = Self { text: String::with_capacity(original.len()), origins: Vec::new() };
        for (at, c) in original.char_indices() {
            if has_no_width(c) {
                continue;
            }
            match ascii_form(c) {
                Some(form) => folded.text.push_str(&form),
                None => folded.text.push(c),
            }
            // The length was checked above.
            let (start, end) = (at as u32, (at + c.len_utf8()) as u32);
            folded.origins.resize(folded.text.len(), start..end);
        }
        Some(folded)
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the range of the original text that a range of the folded text was read from.
    pub(super) fn original(&self, at: &Range<usize>) -> Range<usize> {
        let start = self.origins.get(at.start).map_or(0, |origin| origin.start as usize);
        let end = at.end.checked_sub(1).and_then(|last| self.origins.get(last));
        start..end.map_or(start, |origin| origin.end as usize)
    }
}

fn is_disguised(c: char) -> bool {
    !c.is_ascii() && (has_no_width(c) || ascii_form(c).is_some())
}

/// Returns the ASCII characters that a compatibility form stands for: full-width, mathematical and
/// circled letters, ligatures.
fn ascii_form(c: char) -> Option<String> {
    if c.is_ascii() {
        return None;
    }
    let form: String = std::iter::once(c).nfkc().collect();
    (form.is_ascii() && !form.is_empty()).then_some(form)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_lead_back_to_the_original_characters() {
        let original = "é ｇｈ\u{200b}ｐ_x";
        let folded = FoldedText::new(original).unwrap();
        assert_eq!(folded.text(), "é ghp_x");
        let at = folded.text().find("ghp").unwrap();
        assert_eq!(&original[folded.original(&(at..at + 3))], "ｇｈ\u{200b}ｐ");
        assert!(FoldedText::new("naïve plain 日本語").is_none());
    }
}
