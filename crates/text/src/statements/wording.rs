//! The deciding words of a verdict as people wrote them. Rules compare stems and normal forms, and quote those.

use super::Statement;
use crate::pairs::markup::unaccented;

/// Returns a reason with every quoted word as one of the two texts spells it.
pub(super) fn in_words_of(reason: String, older: &Statement, newer: &Statement) -> String {
    if !reason.contains('\'') {
        return reason;
    }
    // Every other part is between quotes.
    let parts = reason.split('\'').enumerate().map(|(at, part)| match at % 2 {
        0 => part.to_owned(),
        _ => spelled(part, older, newer),
    });
    parts.collect::<Vec<_>>().join("'")
}

fn spelled(phrase: &str, older: &Statement, newer: &Statement) -> String {
    let find = |word: &str| [older, newer].iter().find_map(|statement| statement.spelling_of(word));
    // A date is one token of several words.
    find(phrase).unwrap_or_else(|| {
        phrase.split(' ').map(|word| find(word).unwrap_or_else(|| word.to_owned())).collect::<Vec<_>>().join(" ")
    })
}

impl Statement {
    /// Returns how the text spells a word, or a token with this normal form or stem. Returns `None` if it has none.
    fn spelling_of(&self, word: &str) -> Option<String> {
        let of = |word: &str| self.text().split_whitespace().map(bare).find(|written| unaccented(written) == word);
        let of_token = || {
            let at = self.tokens().iter().position(|token| token.canon == word || token.key == word)?;
            let canon = of(&self.tokens()[at].canon).map(str::to_owned);
            canon.or_else(|| self.written(at..at + 1).map(|text| bare(&text).to_owned()))
        };
        let written = of(word).map(str::to_owned).or_else(of_token)?;
        (!written.is_empty() && !written.contains('\'')).then_some(written)
    }
}

/// Returns a word without the punctuation around it and a possessive ending.
fn bare(word: &str) -> &str {
    let word =
        word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '€' | '$' | '£' | '%' | '+' | '#' | '-'));
    ["'s", "’s", "'", "’"].iter().find_map(|ending| word.strip_suffix(ending)).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::super::{PairThresholds, judge_texts};

    #[test]
    fn the_deciding_words_are_those_of_the_texts() {
        for (older, newer, words) in [
            ("Ana lives in Paris", "Ana lives in Berlin.", "'Paris' and 'Berlin'"),
            ("The Acme office is in Lisbon", "The Acme office is in Madrid", "'Lisbon' became 'Madrid'"),
            ("The deadline is 5 March", "The deadline is 12 March", "'5 March' became '12 March'"),
            ("The path is steep", "The path is flat", "'steep' and 'flat'"),
            ("Ana wohnt in München", "Ana wohnt in Köln", "'München'"),
            ("Ana vit à Orléans", "Ana vit à Genève", "'Orléans'"),
            ("The appointment is on Friday.", "The appointment is on Friday at 14:30.", "only one says '14:30'"),
        ] {
            let verdict = judge_texts(older, newer, 0.97, PairThresholds::BUILT_IN);
            assert!(verdict.reason().contains(words), "{older} / {newer}: {}", verdict.reason());
        }
    }
}
