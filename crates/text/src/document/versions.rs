//! Which chunk of a later version of a document took the place of one that is gone.

use std::collections::HashMap;

/// How far a chunk is looked for from the place where it should be, in chunks.
const WINDOW: usize = 64;
/// The share of common words from which a chunk is a later wording of another.
const MIN_COMMON: f64 = 0.5;

/// A chunk of one version of a document.
#[derive(Debug, Clone, Copy)]
pub struct VersionPart<'a> {
    /// The text.
    pub text: &'a str,
    /// The headings above it.
    pub headings: &'a [String],
}

/// What took the place of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Successor {
    /// A chunk of the later version that shares at least half of its words.
    Reworded(usize),
    /// A chunk of the later version in the same place under the same heading that says something else.
    Rewritten(usize),
}

/// Finds for each chunk of the earlier version that the later one does not contain what took its place.
///
/// Two chunks of one text are the same chunk. Only chunks that the earlier version does not contain take a place. Returns
/// one entry for each earlier chunk; none for chunks that are still there or vanished.
pub fn successors(before: &[VersionPart<'_>], after: &[VersionPart<'_>]) -> Vec<Option<Successor>> {
    let place_before: HashMap<&str, usize> = before.iter().enumerate().map(|(at, part)| (part.text, at)).collect();
    let place_after: HashMap<&str, usize> = after.iter().enumerate().map(|(at, part)| (part.text, at)).collect();
    let is_new: Vec<bool> = after.iter().map(|part| !place_before.contains_key(part.text)).collect();
    let words: Vec<SortedWords> = after.iter().map(|part| SortedWords::of(part.text)).collect();
    let ranks = (ranks(before), ranks(after));
    let mut found = Vec::with_capacity(before.len());
    // Where the next chunk should be: after the last one that is still there.
    let mut expected = 0;
    for (at, part) in before.iter().enumerate() {
        if let Some(place) = place_after.get(part.text) {
            expected = place + 1;
            found.push(None);
            continue;
        }
        let own = SortedWords::of(part.text);
        let near = expected.saturating_sub(WINDOW)..(expected + WINDOW).min(after.len());
        let candidates = near.filter(|place| is_new[*place]);
        let best = candidates.clone().map(|place| (own.common(&words[place]), place));
        let best = best.max_by(|(one, at_one), (other, at_other)| one.total_cmp(other).then(at_other.cmp(at_one)));
        let same_place = |place: &usize| {
            !part.headings.is_empty() && after[*place].headings == part.headings && ranks.0[at] == ranks.1[*place]
        };
        found.push(match best {
            Some((common, place)) if common >= MIN_COMMON => Some(Successor::Reworded(place)),
            _ => candidates.clone().find(same_place).map(Successor::Rewritten),
        });
        expected += 1;
    }
    found
}

/// Counts for each chunk how many before it have the same headings.
fn ranks(parts: &[VersionPart<'_>]) -> Vec<usize> {
    let mut seen: HashMap<&[String], usize> = HashMap::new();
    let mut ranks = Vec::with_capacity(parts.len());
    for part in parts {
        let count = seen.entry(part.headings).or_default();
        *count += 1;
        ranks.push(*count);
    }
    ranks
}

/// The words of a text, sorted.
struct SortedWords(Vec<String>);

impl SortedWords {
    fn of(text: &str) -> Self {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let mut words: Vec<String> = words.map(str::to_lowercase).collect();
        words.sort_unstable();
        Self(words)
    }

    /// Returns the share of words that two texts have in common, in `[0, 1]`.
    fn common(&self, other: &Self) -> f64 {
        let total = self.0.len() + other.0.len();
        if total == 0 {
            return 0.0;
        }
        let (mut one, mut two, mut shared) = (0, 0, 0);
        while let (Some(a), Some(b)) = (self.0.get(one), other.0.get(two)) {
            match a.cmp(b) {
                std::cmp::Ordering::Less => one += 1,
                std::cmp::Ordering::Greater => two += 1,
                std::cmp::Ordering::Equal => (one, two, shared) = (one + 1, two + 1, shared + 1),
            }
        }
        2.0 * f64::from(shared) / total as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(before: &[(&str, &str)], after: &[(&str, &str)]) -> Vec<Option<Successor>> {
        let headings = |parts: &[(&str, &str)]| -> Vec<Vec<String>> {
            let split = |path: &str| path.split('/').filter(|title| !title.is_empty()).map(str::to_owned).collect();
            parts.iter().map(|(path, _)| split(path)).collect()
        };
        let (old, new) = (headings(before), headings(after));
        let before: Vec<VersionPart<'_>> =
            before.iter().zip(&old).map(|((_, text), headings)| VersionPart { text, headings }).collect();
        let after: Vec<VersionPart<'_>> =
            after.iter().zip(&new).map(|((_, text), headings)| VersionPart { text, headings }).collect();
        successors(&before, &after)
    }

    #[test]
    fn a_reworded_chunk_is_found_by_its_words_and_a_vanished_one_is_not() {
        let before = [("", "The port of staging is 5432."), ("", "Ana feeds the cat."), ("", "Stays.")];
        let after = [("", "The port of staging is 5433 now."), ("", "Stays."), ("", "A new paragraph about lunch.")];
        assert_eq!(found(&before, &after), [Some(Successor::Reworded(0)), None, None]);
    }

    #[test]
    fn a_section_that_says_something_else_is_rewritten() {
        let before = [("Office", "# Office Lunch is at noon."), ("Pets", "Dogs welcome.")];
        let after = [("Office", "# Office Ask Bea about every key."), ("Travel", "Trains only.")];
        assert_eq!(found(&before, &after), [Some(Successor::Rewritten(0)), None]);
    }

    #[test]
    fn two_chunks_may_become_one() {
        let before = [("", "one two three four"), ("", "five six seven eight")];
        let after = [("", "one two three four five six seven eight")];
        assert_eq!(found(&before, &after), [Some(Successor::Reworded(0)); 2]);
    }

    #[test]
    fn what_is_still_there_takes_no_place() {
        assert_eq!(found(&[("", "a b c d"), ("", "a b c")], &[("", "a b c")]), [None, None]);
    }
}
