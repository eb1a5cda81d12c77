//! Computes the polarity of a statement: negation and quantity on one scale.
//!
//! A plain statement claims all, its negation none, "some" a part. Each negation inverts the
//! proportion, so two negations cancel, and so does an antonym: "not open" claims as much as
//! "closed".

use super::lexicon::is_copula;
use super::scan::{Break, ScannedWord};
use super::token::{Proportion, Token, TokenKind};

/// The polarity of a statement.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Polarity {
    /// The claimed proportion.
    pub(crate) proportion: Proportion,
    /// Number of negations.
    pub(crate) negations: usize,
    /// Whether a quantifier contributed.
    pub(crate) quantified: bool,
}

/// Computes the polarity of a token list. A negation in a contrast counts only if `all` is set.
pub(crate) fn polarity(tokens: &[&Token], all: bool) -> Polarity {
    let mut proportion = None;
    let mut negations = 0;
    let mut pending = false;
    for token in tokens {
        match token.kind {
            TokenKind::Negator if all || !token.contrast => {
                negations += 1;
                pending = token.canon == "not";
                continue;
            }
            TokenKind::Quantifier(found) if proportion.is_none() || found != Proportion::ALL => {
                let mut found = found;
                if pending && found == Proportion::ALL {
                    // "not all": the negation applies to the quantifier.
                    found = Proportion::NOT_ALL;
                    negations -= 1;
                }
                proportion = Some(found);
            }
            _ => {}
        }
        pending = false;
    }
    let quantified = proportion.is_some();
    let mut proportion = proportion.unwrap_or(Proportion::ALL);
    if negations % 2 == 1 {
        proportion = proportion.flipped();
    }
    Polarity { proportion, negations, quantified }
}

fn word(pieces: &[ScannedWord], at: usize) -> &str {
    pieces.get(at).map_or("", |piece| piece.lower.as_str())
}

/// Returns true if the word at `at` is a negation.
pub(crate) fn is_negator(pieces: &[ScannedWord], at: usize) -> bool {
    let (this, next, after) = (word(pieces, at), word(pieces, at + 1), word(pieces, at + 2));
    let before = at.checked_sub(1).map_or("", |at| word(pieces, at));
    let comparison =
        matches!(next, "more" | "less" | "fewer" | "later" | "earlier" | "higher" | "longer") && after == "than";
    match this {
        "not" => {
            !matches!(next, "only" | "just" | "until" | "wait")
                && !comparison
                && !not_until(pieces, at)
                && before != "or"
        }
        "no" => {
            !comparison
                && pieces[at].after == Break::None
                && !matches!(next, "matter" | "doubt" | "problem" | "worries" | "wonder")
        }
        "nothing" => next != "but",
        "none" | "nobody" if matches!(next, "but" | "except") => false,
        "none" => !pieces[at].capital || pieces[at].opens,
        "missing" => is_copula(before),
        "nor" => !pieces[..at].iter().any(|piece| matches!(&*piece.lower, "neither" | "not" | "no" | "never")),
        "never" | "nobody" | "nowhere" | "neither" | "without" | "unless" | "hardly" | "barely" | "scarcely" => true,
        "otherwise" => at > 0,
        "lack" | "lacks" | "lacked" | "lacking" => true,
        "unable" | "impossible" => matches!(next, "to" | ""),
        "fail" | "fails" | "failed" | "refuse" | "refuses" | "refused" | "declined" | "forgot" | "neglected" => {
            next == "to"
        }
        "avoid" | "avoids" | "avoided" | "avoiding" => true,
        "too" => {
            pieces[at].after == Break::None
                && pieces[at + 1..].iter().take(4).skip(1).any(|piece| matches!(&*piece.lower, "for" | "to"))
        }
        "stop" | "stopped" | "quit" | "ceased" => next.ends_with("ing") && next.len() > 4,
        "free" => next == "of" || (at > 0 && pieces[at - 1].joined),
        "zero" => !next.is_empty(),
        _ => this.len() > 6 && this.strip_suffix("less").is_some_and(|head| !matches!(head, "unregard" | "regard")),
    }
}

/// Returns true for "not allowed until 1971", which gives a start date as "only in 1971" does.
fn not_until(pieces: &[ScannedWord], at: usize) -> bool {
    let end = pieces[at..].iter().position(|piece| piece.after >= Break::Comma).map_or(pieces.len(), |n| at + n + 1);
    pieces[at..end].iter().any(|piece| piece.lower == "until")
}

/// Returns the quantifier that starts at `at` and the number of words it covers.
pub(crate) fn quantifier(pieces: &[ScannedWord], at: usize) -> Option<(Proportion, usize)> {
    let (this, next, after) = (word(pieces, at), word(pieces, at + 1), word(pieces, at + 2));
    let before = at.checked_sub(1).map_or("", |at| word(pieces, at));
    let only = pieces[at.saturating_sub(4)..at].iter().any(|piece| matches!(&*piece.lower, "only" | "just"));
    let part = |proportion: Proportion| if only { Proportion::ONLY_SOME } else { proportion };
    Some(match this {
        "all" if !matches!(next, "the" | "in" | "at") || after != "way" => (Proportion::ALL, 1),
        "every" if matches!(next, "other") => return None,
        "every" | "each"
            if pieces.get(at + 1).is_some_and(|next| next.lower.starts_with(|c: char| c.is_ascii_digit())) =>
        {
            return None;
        }
        "each" if next == "other" => return None,
        "every" | "each" | "always" | "everyone" | "everybody" | "everything" | "everywhere" | "constantly" => {
            (Proportion::ALL, 1)
        }
        "entire" | "entirely" | "unanimously" | "invariably" | "whole" => (Proportion::ALL, 1),
        "both" if matches!(next, "of" | "the") || !before.is_empty() => (Proportion::ALL, 1),
        "most" if before != "the" && before != "at" => (Proportion::MOST, 1),
        "mostly" | "usually" | "generally" | "normally" | "typically" | "largely" | "mainly" => (Proportion::MOST, 1),
        "majority" => (Proportion::MOST, 1),
        "minority" => (Proportion::FEW, 1),
        "few" if before == "a" => return None,
        "half" if next == "of" || matches!(after, "of" | "team") => (Proportion::HALF, 1),
        "often" | "frequently" | "regularly" | "many" => (Proportion::OFTEN, 1),
        "sometimes" | "occasionally" | "partly" | "partially" => (part(Proportion::SOME), 1),
        "some" | "several" | "multiple" | "various" | "somebody" | "someone" => (part(Proportion::SOME), 1),
        "one" | "two" | "three" if next == "of" && matches!(after, "the" | "our" | "my" | "her" | "his" | "their") => {
            (part(Proportion::SOME), 2)
        }
        "a" if next == "few" => (part(Proportion::SOME), 2),
        "a" if next == "minority" => (Proportion::FEW, 2),
        "a" if matches!(next, "small" | "tiny")
            && matches!(after, "part" | "share" | "fraction" | "number" | "portion") =>
        {
            (Proportion::FEW, 3)
        }
        "part" if next == "of" => (part(Proportion::SOME), 2),
        "few" | "rarely" | "seldom" | "infrequently" => (Proportion::FEW, 1),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::analysed_text::AnalysedText;

    fn proportion(text: &str) -> Proportion {
        polarity(&AnalysedText::new(text).tokens.iter().collect::<Vec<_>>(), false).proportion
    }

    #[test]
    fn negations_cancel() {
        assert_eq!(proportion("The gate opens"), proportion("The gate never fails to open"));
        assert_eq!(proportion("No entry without a ticket"), Proportion::ALL);
        assert!(proportion("The gate opens").excludes(proportion("The gate does not open")));
    }

    #[test]
    fn quantities_exclude_each_other_if_ranges_are_disjoint() {
        for (one, other) in [
            ("All guests came", "Not all guests came"),
            ("None of the guests came", "Several guests came"),
            ("Most guests came", "Few guests came"),
            ("Guests always come", "Guests never come"),
        ] {
            assert!(proportion(one).excludes(proportion(other)), "{one} / {other}");
        }
        assert!(!proportion("Some guests came").excludes(proportion("All guests came")));
        assert!(!proportion("Guests often come").excludes(proportion("Guests sometimes come")));
    }

    #[test]
    fn negations_of_dates_and_quantifiers_are_not_counted() {
        assert_eq!(proportion("Not only the guests came"), Proportion::ALL);
        assert_eq!(proportion("The guests did not come until noon"), Proportion::ALL);
        assert_eq!(proportion("No more than 5 guests came"), Proportion::ALL);
    }
}
