//! Phrases of a clause: the words behind one preposition, or the object of the verb.

use super::clause::{Clause, is_preposition};
use super::statement::Statement;
use crate::pairs::scan::Break;
use crate::pairs::token::TokenKind;

/// The phrase of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Phrase<'a> {
    /// Its first token.
    pub(super) start: usize,
    /// The preposition in front of it; empty for an object or complement.
    pub(super) preposition: &'a str,
}

/// Returns the phrase of a token of the clause.
pub(super) fn phrase_of<'a>(statement: &'a Statement, clause: &Clause, at: usize) -> Phrase<'a> {
    let tokens = statement.tokens();
    let mut start = at;
    while start > clause.span.start && start != clause.lead.end && start != clause.subject.start {
        let before = &tokens[start - 1];
        if is_preposition(&before.canon) && before.kind == TokenKind::Function && before.canon != "of" {
            return Phrase { start, preposition: &before.canon };
        }
        // "Died of colic": behind a verb, "of" is a preposition like the others.
        if before.canon == "of" && start >= 2 && clause.verb == Some(start - 2) {
            return Phrase { start, preposition: "of" };
        }
        let last = tokens[start].at - 1;
        let broken = statement.words.pieces[last].after != Break::None;
        let verb = clause.verb == Some(start - 1) || clause.predicate == Some(start - 1);
        if broken || verb || matches!(&*before.canon, "and" | "or" | "but") {
            break;
        }
        start -= 1;
    }
    Phrase { start, preposition: "" }
}

/// Returns true if one preposition may stand for the other: places and dates behind a verb of change
/// follow "to".
pub(super) fn is_same_place(older: &str, newer: &str, changed: bool) -> bool {
    let place = |word: &str| matches!(word, "in" | "at" | "on" | "near" | "from");
    older == newer
        || place(older) && place(newer) && changed
        || changed && matches!(newer, "to" | "into" | "onto" | "by" | "with" | "for" | "on" | "at" | "until")
}
