//! Requests for a short text that generalises several sources.
//!
//! A proposed text says nothing that its sources do not say. The caller decides whether it is
//! stored.

use std::borrow::Cow;

/// The purpose of a proposed text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Purpose {
    /// What several mistakes have in common, to recognise the next one.
    Pattern,
    /// What to do about a pattern, as an instruction.
    Skill,
    /// What several memories show together but not alone.
    Insight,
}

impl Purpose {
    /// All purposes.
    pub const ALL: [Self; 3] = [Self::Pattern, Self::Skill, Self::Insight];

    /// Returns the lowercase name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pattern => "pattern",
            Self::Skill => "skill",
            Self::Insight => "insight",
        }
    }
}

/// The input of a proposal.
#[derive(Debug, Clone, Copy)]
pub struct ProposalRequest<'a> {
    /// The purpose of the text.
    pub purpose: Purpose,
    /// The source texts, most relevant first. Sources over the limit are dropped from the end.
    pub sources: &'a [&'a str],
}

/// Maximum number of sources.
pub const MAX_SOURCES: usize = 16;
/// Maximum length of one source in bytes.
pub const MAX_SOURCE_BYTES: usize = 2_000;
/// Maximum length of a proposed text in characters.
pub const MAX_PROPOSAL_CHARS: usize = 600;

impl<'a> ProposalRequest<'a> {
    /// Returns the non-empty sources with their index, limited in number and length.
    pub fn bounded(&self) -> Vec<(usize, Cow<'a, str>)> {
        let numbered = self.sources.iter().enumerate().map(|(number, source)| (number, source.trim()));
        let telling = numbered.filter(|(_, source)| !source.is_empty());
        telling.take(MAX_SOURCES).map(|(number, source)| (number, shortened(source))).collect()
    }
}

fn shortened(source: &str) -> Cow<'_, str> {
    if source.len() <= MAX_SOURCE_BYTES {
        return Cow::Borrowed(source);
    }
    let end = source.floor_char_boundary(MAX_SOURCE_BYTES);
    Cow::Owned(format!("{} …", source[..end].trim_end()))
}

/// A text proposed by an analyst.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposedText {
    /// The text, plain and at most [`MAX_PROPOSAL_CHARS`] characters.
    pub text: String,
    /// Index of the source that the text copies verbatim. `None` if the analyst wrote it.
    pub source_index: Option<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn empty_sources_are_skipped_and_indices_kept() {
        let request = ProposalRequest { purpose: Purpose::Insight, sources: &[" ", "one", "\n", " two "] };
        assert_eq!(request.bounded(), [(1, Cow::from("one")), (3, Cow::from("two"))]);
    }

    proptest! {
        #[test]
        fn sources_are_limited_in_number_and_length(sources in prop::collection::vec("(é|x| ){0,3000}", 0..20)) {
            let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
            let bounded = ProposalRequest { purpose: Purpose::Pattern, sources: &sources }.bounded();
            prop_assert!(bounded.len() <= MAX_SOURCES);
            for (number, text) in bounded {
                prop_assert!(text.len() <= MAX_SOURCE_BYTES + " …".len());
                prop_assert!(sources[number].contains(text.trim_end_matches(" …")));
            }
        }
    }
}
