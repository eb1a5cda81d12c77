//! A short text drawn from several: what an analyst is asked for when a memory generalises.
//!
//! A proposal is only that. It says nothing its sources do not say, and someone or something else decides whether it is
//! kept.

use std::borrow::Cow;

/// What a text is wanted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// What several mistakes have in common, so that the next one is seen coming.
    Pattern,
    /// What to do about a pattern, told as an instruction.
    Skill,
    /// What several memories show together that none of them says alone.
    Insight,
}

impl Purpose {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Pattern, Self::Skill, Self::Insight];

    /// The lowercase word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pattern => "pattern",
            Self::Skill => "skill",
            Self::Insight => "insight",
        }
    }
}

/// What an analyst is given to write from.
#[derive(Debug, Clone, Copy)]
pub struct ProposalRequest<'a> {
    /// What the text is for.
    pub purpose: Purpose,
    /// The texts it may draw on, the most telling first: what does not fit is left out from the end.
    pub sources: &'a [&'a str],
}

/// The most sources that are looked at.
pub const MOST_SOURCES: usize = 16;
/// The most of one source that is looked at, in bytes.
pub const LONGEST_SOURCE: usize = 2_000;
/// The longest text that is proposed, in characters.
pub const LONGEST_PROPOSAL: usize = 600;

impl<'a> ProposalRequest<'a> {
    /// The sources as far as they are looked at: those that say anything, with their number, shortened to a bearable
    /// length.
    pub fn bounded(&self) -> Vec<(usize, Cow<'a, str>)> {
        let numbered = self.sources.iter().enumerate().map(|(number, source)| (number, source.trim()));
        let telling = numbered.filter(|(_, source)| !source.is_empty());
        telling.take(MOST_SOURCES).map(|(number, source)| (number, shortened(source))).collect()
    }
}

fn shortened(source: &str) -> Cow<'_, str> {
    if source.len() <= LONGEST_SOURCE {
        return Cow::Borrowed(source);
    }
    let end = source.floor_char_boundary(LONGEST_SOURCE);
    Cow::Owned(format!("{} …", source[..end].trim_end()))
}

/// A text that an analyst proposes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// The text: plain, and at most [`LONGEST_PROPOSAL`] characters.
    pub text: String,
    /// Which source it is word for word; none when the analyst put it into words of its own.
    pub witness: Option<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sources_that_say_nothing_are_passed_over_and_the_others_keep_their_numbers() {
        let request = ProposalRequest { purpose: Purpose::Insight, sources: &[" ", "one", "\n", " two "] };
        assert_eq!(request.bounded(), [(1, Cow::from("one")), (3, Cow::from("two"))]);
    }

    proptest! {
        #[test]
        fn whatever_comes_in_is_bounded(sources in prop::collection::vec("(é|x| ){0,3000}", 0..20)) {
            let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
            let bounded = ProposalRequest { purpose: Purpose::Pattern, sources: &sources }.bounded();
            prop_assert!(bounded.len() <= MOST_SOURCES);
            for (number, text) in bounded {
                prop_assert!(text.len() <= LONGEST_SOURCE + " …".len());
                prop_assert!(sources[number].contains(text.trim_end_matches(" …")));
            }
        }
    }
}
