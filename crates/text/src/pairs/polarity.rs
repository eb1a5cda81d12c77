//! Whether and how much of a statement holds: negation and quantity on one scale.
//!
//! A plain statement claims all, its negation none, "some" a part. Each negation turns the share round, so two of them
//! cancel, and so does an opposite: "not open" claims as much as "closed".

use super::lexicon::is_copula;
use super::scan::{Break, Piece};
use super::token::{Kind, Share, Token};

/// What a text claims, as a share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Claim {
    /// The share.
    pub(super) share: Share,
    /// How often a word turns it round.
    pub(super) negations: usize,
    /// Whether a quantifier took part.
    pub(super) quantified: bool,
}

/// The claim of these tokens. A negation in a contrast counts where `all` are to be counted.
pub(super) fn claim(tokens: &[&Token], all: bool) -> Claim {
    let mut share = None;
    let mut negations = 0;
    let mut pending = false;
    for token in tokens {
        match token.kind {
            Kind::Negator if all || !token.contrast => {
                negations += 1;
                pending = token.canon == "not";
                continue;
            }
            Kind::Quantifier(found) if share.is_none() || found != Share::ALL => {
                let mut found = found;
                if pending && found == Share::ALL {
                    // "not all": this negation is about how many.
                    found = Share::NOT_ALL;
                    negations -= 1;
                }
                share = Some(found);
            }
            _ => {}
        }
        pending = false;
    }
    let quantified = share.is_some();
    let mut share = share.unwrap_or(Share::ALL);
    if negations % 2 == 1 {
        share = share.flipped();
    }
    Claim { share, negations, quantified }
}

fn word(pieces: &[Piece], at: usize) -> &str {
    pieces.get(at).map_or("", |piece| piece.lower.as_str())
}

/// Whether the piece negates what it stands by.
pub(super) fn is_negator(pieces: &[Piece], at: usize) -> bool {
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

/// "not allowed until 1971" tells when it began, as "only in 1971" does.
fn not_until(pieces: &[Piece], at: usize) -> bool {
    let end = pieces[at..].iter().position(|piece| piece.after >= Break::Comma).map_or(pieces.len(), |n| at + n + 1);
    pieces[at..end].iter().any(|piece| piece.lower == "until")
}

/// The quantifier that starts at a piece, and how many pieces it covers.
pub(super) fn quantifier(pieces: &[Piece], at: usize) -> Option<(Share, usize)> {
    let (this, next, after) = (word(pieces, at), word(pieces, at + 1), word(pieces, at + 2));
    let before = at.checked_sub(1).map_or("", |at| word(pieces, at));
    let only = pieces[at.saturating_sub(4)..at].iter().any(|piece| matches!(&*piece.lower, "only" | "just"));
    let part = |share: Share| if only { Share::ONLY_SOME } else { share };
    Some(match this {
        "all" if !matches!(next, "the" | "in" | "at") || after != "way" => (Share::ALL, 1),
        "every" if matches!(next, "other") => return None,
        "every" | "each"
            if pieces.get(at + 1).is_some_and(|next| next.lower.starts_with(|c: char| c.is_ascii_digit())) =>
        {
            return None;
        }
        "each" if next == "other" => return None,
        "every" | "each" | "always" | "everyone" | "everybody" | "everything" | "everywhere" | "constantly" => {
            (Share::ALL, 1)
        }
        "entire" | "entirely" | "unanimously" | "invariably" | "whole" => (Share::ALL, 1),
        "both" if matches!(next, "of" | "the") || !before.is_empty() => (Share::ALL, 1),
        "most" if before != "the" && before != "at" => (Share::MOST, 1),
        "mostly" | "usually" | "generally" | "normally" | "typically" | "largely" | "mainly" => (Share::MOST, 1),
        "majority" => (Share::MOST, 1),
        "minority" => (Share::FEW, 1),
        "few" if before == "a" => return None,
        "half" if next == "of" || matches!(after, "of" | "team") => (Share::HALF, 1),
        "often" | "frequently" | "regularly" | "many" => (Share::OFTEN, 1),
        "sometimes" | "occasionally" | "partly" | "partially" => (part(Share::SOME), 1),
        "some" | "several" | "multiple" | "various" | "somebody" | "someone" => (part(Share::SOME), 1),
        "one" | "two" | "three" if next == "of" && matches!(after, "the" | "our" | "my" | "her" | "his" | "their") => {
            (part(Share::SOME), 2)
        }
        "a" if next == "few" => (part(Share::SOME), 2),
        "a" if next == "minority" => (Share::FEW, 2),
        "a" if matches!(next, "small" | "tiny")
            && matches!(after, "part" | "share" | "fraction" | "number" | "portion") =>
        {
            (Share::FEW, 3)
        }
        "part" if next == "of" => (part(Share::SOME), 2),
        "few" | "rarely" | "seldom" | "infrequently" => (Share::FEW, 1),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::analysed::Analysed;

    fn share(text: &str) -> Share {
        claim(&Analysed::new(text).tokens.iter().collect::<Vec<_>>(), false).share
    }

    #[test]
    fn negations_cancel() {
        assert_eq!(share("The gate opens"), share("The gate never fails to open"));
        assert_eq!(share("No entry without a ticket"), Share::ALL);
        assert!(share("The gate opens").excludes(share("The gate does not open")));
    }

    #[test]
    fn quantities_exclude_each_other_where_they_leave_no_room() {
        for (one, other) in [
            ("All guests came", "Not all guests came"),
            ("None of the guests came", "Several guests came"),
            ("Most guests came", "Few guests came"),
            ("Guests always come", "Guests never come"),
        ] {
            assert!(share(one).excludes(share(other)), "{one} / {other}");
        }
        assert!(!share("Some guests came").excludes(share("All guests came")));
        assert!(!share("Guests often come").excludes(share("Guests sometimes come")));
    }

    #[test]
    fn a_negation_that_tells_when_or_how_many_is_none() {
        assert_eq!(share("Not only the guests came"), Share::ALL);
        assert_eq!(share("The guests did not come until noon"), Share::ALL);
        assert_eq!(share("No more than 5 guests came"), Share::ALL);
    }
}
