//! Neighbours of a misspelt or shortened word among the words of a memory.
//!
//! A neighbour differs by few letters, begins with the shortened word, or shares most of its letter
//! groups. Only the closest kind of neighbour counts: a word one letter away is meant rather than one
//! two letters away.

/// Shortest word that may be misspelt, and the length from which two letters may differ.
const MIN_LENGTH: usize = 4;
const LONG: usize = 7;
/// Shortest beginning of a word that stands for it, and shortest word that a longer one begins with.
const MIN_PREFIX: usize = 4;
const MIN_STEM: usize = 5;
/// Minimum share of common letter groups.
const MIN_GROUPS: f64 = 0.6;

/// How a word of the memory is close to a word of a question, the closest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Closeness {
    /// One letter differs: missing, added, changed, or swapped with the next.
    OneLetter,
    /// It begins with the word of the question.
    Beginning,
    /// Two letters differ.
    TwoLetters,
    /// The word of the question begins with it.
    Stem,
    /// Most groups of three letters are the same.
    Groups,
}

impl Closeness {
    /// Returns how certainly the question means the word, in `[0, 1]`.
    pub fn certainty(self) -> f64 {
        match self {
            Self::OneLetter => 0.85,
            Self::Beginning => 0.75,
            Self::TwoLetters => 0.7,
            Self::Stem => 0.6,
            Self::Groups => 0.5,
        }
    }
}

/// Returns how close a word of the memory is to a word of a question; none if it is not, or if it is
/// the same word. Words with digits are names of things and have no neighbours.
pub fn closeness(word: &[char], known: &[char]) -> Option<Closeness> {
    let digits = word.iter().chain(known).any(|c| c.is_numeric());
    if digits || word == known || word.len() < MIN_LENGTH || known.len() < MIN_LENGTH {
        return None;
    }
    let most = if word.len() >= LONG { 2 } else { 1 };
    let distance = if word.len().abs_diff(known.len()) <= most { distance(word, known) } else { usize::MAX };
    if distance == 1 {
        Some(Closeness::OneLetter)
    } else if word.len() >= MIN_PREFIX && known.starts_with(word) {
        Some(Closeness::Beginning)
    } else if distance <= most {
        Some(Closeness::TwoLetters)
    } else if known.len() >= MIN_STEM && word.starts_with(known) {
        Some(Closeness::Stem)
    } else {
        (word.len() >= LONG && common_groups(word, known) >= MIN_GROUPS).then_some(Closeness::Groups)
    }
}

/// Returns how many letters must be added, removed, changed or swapped with the next.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (row, one) in a.iter().enumerate() {
        let mut current = vec![row + 1; b.len() + 1];
        for (column, other) in b.iter().enumerate() {
            let changed = last[column] + usize::from(one != other);
            current[column + 1] = changed.min(last[column + 1] + 1).min(current[column] + 1);
            let swapped = row > 0 && column > 0 && *one == b[column - 1] && a[row - 1] == *other;
            if swapped {
                current[column + 1] = current[column + 1].min(before[column - 1] + 1);
            }
        }
        before = std::mem::replace(&mut last, current);
    }
    last[b.len()]
}

/// Returns the share of groups of three letters that two words have in common.
fn common_groups(a: &[char], b: &[char]) -> f64 {
    let (a, b): (Vec<&[char]>, Vec<&[char]>) = (a.windows(3).collect(), b.windows(3).collect());
    let common = a.iter().filter(|group| b.contains(group)).count();
    2.0 * common as f64 / (a.len() + b.len()).max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(word: &str, known: &str) -> Option<Closeness> {
        closeness(&word.chars().collect::<Vec<_>>(), &known.chars().collect::<Vec<_>>())
    }

    #[test]
    fn misspelt_and_shortened_words_are_close() {
        for (word, known, expected) in [
            ("tuesdya", "tuesday", Closeness::OneLetter),
            ("alergi", "allergi", Closeness::OneLetter),
            ("recieve", "receive", Closeness::OneLetter),
            ("conf", "configur", Closeness::Beginning),
            ("acomodatio", "accommodatio", Closeness::TwoLetters),
            ("bootshausschlussel", "bootshaus", Closeness::Stem),
        ] {
            assert_eq!(close(word, known), Some(expected), "{word} {known}");
        }
    }

    #[test]
    fn other_words_are_not() {
        for (word, known) in [("cat", "car"), ("v231", "v232"), ("peanut", "walnut"), ("deploy", "deploy")] {
            assert_eq!(close(word, known), None, "{word} {known}");
        }
    }

    proptest! {
        #[test]
        fn the_distance_is_symmetric_and_bounded(a in "[abc]{0,8}", b in "[abc]{0,8}") {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            prop_assert_eq!(distance(&a, &b), distance(&b, &a));
            prop_assert!(distance(&a, &b) <= a.len().max(b.len()));
            prop_assert_eq!(distance(&a, &b) == 0, a == b);
        }
    }
}
