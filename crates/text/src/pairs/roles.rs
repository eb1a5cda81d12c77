//! Compares semantic roles: whether subject and object are exchanged.

use super::align::Alignment;
use super::lexicon::Lexicon;
use super::token::{Token, TokenKind};

/// The order of the parties in the newer text, compared with the older.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Roles {
    /// Unchanged.
    Kept,
    /// Exchanged around a one-way relation or its converse.
    Exchanged,
    /// Unchanged, apart from a phrase moved to the front or the end.
    Moved,
    /// Different, with unknown effect on the meaning.
    Unclear,
}

/// Compares the order of the parties.
pub(crate) fn roles(alignment: &Alignment<'_>) -> Roles {
    let lexicon = Lexicon::shared();
    let [older, newer] = &alignment.sides;
    let place = |side: &[&Token], token: &Token| side.iter().position(|other| std::ptr::eq(*other, token));
    for ((one, other), _) in &alignment.opposites {
        let converse =
            lexicon.is_converse(&one.key, &other.key) || (one.canon.ends_with("er") && other.canon.ends_with("er"));
        let places = place(older, one).zip(place(newer, other)).filter(|_| converse);
        if places.is_some_and(|(at, there)| is_inverted(alignment, at, there, false)) {
            return Roles::Exchanged;
        }
    }
    for (at, token) in older.iter().enumerate() {
        let preferred = matches!(&*token.canon, "to" | "over") && older[..at].iter().any(|token| token.key == "prefer");
        if token.contrast || !(preferred || lexicon.is_one_way(&token.key)) {
            continue;
        }
        let Some(there) = newer.iter().position(|other| other.key == token.key) else { continue };
        if is_inverted(alignment, at, there, true) && is_passive(older, at) == is_passive(newer, there) {
            return Roles::Exchanged;
        }
    }
    order(alignment)
}

/// Returns true if tokens have crossed the anchor in both directions. If the relation itself is
/// unchanged, the nearest token on each side must have crossed.
fn is_inverted(alignment: &Alignment<'_>, at: usize, there: usize, nearest: bool) -> bool {
    let [older, newer] = &alignment.sides;
    let party = |token: &Token| {
        token.is_content() && !token.light && !matches!(token.kind, TokenKind::Number(_) | TokenKind::DateTime(_))
    };
    let moved = |here: usize, now: usize, before: bool| {
        let crossed = if before { here < at && now > there } else { here > at && now < there };
        let between = |side: &[&Token], from: usize, to: usize| {
            side[from.min(to) + 1..from.max(to)].iter().filter(|token| party(token) && !token.verb).count()
        };
        crossed
            && party(older[here])
            && (!nearest || (between(older, here, at) == 0 && between(newer, now, there) == 0))
    };
    let any = |before: bool| alignment.shared.iter().any(|(here, now)| moved(*here, *now, before));
    any(true) && any(false)
}

/// Returns true for a passive such as "was beaten by".
fn is_passive(side: &[&Token], at: usize) -> bool {
    side[at..].iter().take(4).any(|token| token.canon == "by")
}

/// Compares the order of the shared words.
fn order(alignment: &Alignment<'_>) -> Roles {
    let mut places: Vec<(usize, usize)> = alignment.shared.clone();
    places.sort_unstable();
    let falls = places.windows(2).filter(|pair| pair[0].1 > pair[1].1).count();
    let turns = places.last().zip(places.first()).is_none_or(|(last, first)| last.1 < first.1);
    // Exchanged names may be exchanged parties, and in a short text any reordering may be an
    // exchange.
    let names = places.iter().filter(|(at, _)| alignment.sides[0][*at].kind == TokenKind::Name);
    let named: Vec<usize> = names.map(|(_, place)| *place).collect();
    match falls {
        0 => Roles::Kept,
        1 if turns && places.len() > 3 && named.is_sorted() => Roles::Moved,
        _ => Roles::Unclear,
    }
}
