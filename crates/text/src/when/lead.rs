//! The words before a time that say how it is meant: `in`, `since`, `before`, `no later than`, `around`.

use super::compose::Phrase;
use super::query::Relation;
use super::reader::Reader;
use super::token::Gap;

/// A time phrase with the words that lead to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lead {
    pub(super) relation: Relation,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether the words take the exactness back.
    pub(super) vague: bool,
}

/// Words before a time that change nothing but how exactly it is meant.
const APPROXIMATE: [&str; 6] = ["around", "roughly", "approximately", "approx", "circa", "sometime"];

/// Words that do so before a count only: a talk *about last week* is not nearly last week.
const ABOUT: [&str; 3] = ["about", "almost", "nearly"];

/// Words that stand before a time and belong to its phrase.
const PREPOSITIONS: [&str; 8] = ["in", "on", "during", "at", "within", "over", "throughout", "from"];

/// Words that begin a time without a preposition; one before them belongs to the verb (`what did she take part in last
/// week`).
const STANDS_ALONE: [&str; 11] =
    ["last", "this", "next", "yesterday", "today", "tomorrow", "tonight", "recently", "lately", "nowadays", "these"];

/// Before `up to`, these make it an occupation: `what have you been up to this week`.
const OCCUPIED: [&str; 15] =
    ["be", "been", "am", "are", "is", "was", "were", "i", "you", "he", "she", "we", "they", "get", "got"];

/// No event is described in more words than this.
const LONGEST_EVENT: usize = 8;

impl Reader {
    /// How the time of a phrase is meant.
    pub(super) fn lead(&self, phrase: &Phrase) -> Lead {
        let mut start = phrase.start;
        let mut vague = false;
        let ago = phrase.end > 0 && self.word(phrase.end - 1) == "ago";
        loop {
            let before = self.word_before(start);
            let approximate = APPROXIMATE.contains(&before) || (ago && ABOUT.contains(&before));
            if !approximate && before != "the" {
                break;
            }
            vague |= approximate;
            start -= 1;
        }
        let (relation, words) = self.relation_before(start, ago);
        let (mut relation, mut start, mut end) = (relation, start - words, phrase.end);
        let adverb = ago || (start == phrase.start && STANDS_ALONE.contains(&self.word(start)));
        if relation == Relation::During && !adverb && PREPOSITIONS.contains(&self.word_before(start)) {
            start -= 1;
        }
        if self.word(start) == "from" && matches!(self.word(end), "on" | "onward" | "onwards") {
            (relation, end) = (Relation::Since, end + 1);
        }
        Lead { relation, start, end, vague }
    }

    /// The relation that the words before a place express, and how many they are.
    fn relation_before(&self, at: usize, ago: bool) -> (Relation, usize) {
        let word = |back: usize| if back < at { self.word_before(at - back) } else { "" };
        match (word(2), word(1), word(0)) {
            ("on", "or", "before") => (Relation::Until, 3),
            ("on", "or", "after") => (Relation::Since, 3),
            ("no" | "not", "later", "than") => (Relation::Until, 3),
            ("no" | "not", "earlier", "than") => (Relation::Since, 3),
            (_, "prior", "to") | (_, "earlier", "than") => (Relation::Before, 2),
            (_, "later", "than") => (Relation::After, 2),
            (who, "up", "to") if OCCUPIED.contains(&who) => (Relation::During, 0),
            (_, "up", "to" | "until" | "till") => (Relation::Until, 2),
            (_, "starting" | "beginning", "in" | "on" | "from") => (Relation::Since, 2),
            (_, "more", "than") if ago => (Relation::Before, 2),
            (_, "less", "than") if ago => (Relation::Since, 2),
            (_, _, "over") if ago => (Relation::Before, 1),
            (_, _, "before") => (Relation::Before, 1),
            (_, _, "after" | "following") => (Relation::After, 1),
            (_, _, "since" | "starting" | "beginning") => (Relation::Since, 1),
            (_, _, "until" | "till" | "by") => (Relation::Until, 1),
            _ => (Relation::During, 0),
        }
    }

    /// `before the release`, `after we moved`: the relation and the tokens, when an event is named instead of a date.
    pub(super) fn beside_event(&self) -> Option<(Relation, usize, usize)> {
        (0..self.tokens.len()).find_map(|at| {
            let relation = match self.word(at) {
                "before" => Relation::Before,
                "after" => Relation::After,
                "since" => Relation::Since,
                "until" | "till" => Relation::Until,
                _ => return None,
            };
            let end = self.event_end(at)?;
            Some((relation, at, end))
        })
    }

    /// Where the event that begins behind a relation ends; none where no event is named.
    fn event_end(&self, at: usize) -> Option<usize> {
        const NO_EVENT: [&str; 16] = [
            "that", "this", "it", "then", "all", "and", "or", "long", "now", "when", "what", "which", "them", "you",
            "him", "me",
        ];
        const CARING: [&str; 14] = [
            "look", "looks", "looking", "looked", "named", "taking", "takes", "took", "take", "ask", "asked", "run",
            "runs", "running",
        ];
        const NEXT_CLAUSE: [&str; 10] = ["what", "who", "where", "which", "how", "why", "when", "did", "does", "do"];
        let pronoun_clause = matches!(self.word(at + 1), "you" | "it") && self.gap(at + 1) == Gap::Open;
        let no_event = NO_EVENT.contains(&self.word(at + 1)) && !pronoun_clause;
        if self.gap(at) != Gap::Open || no_event || CARING.contains(&self.word_before(at)) {
            return None;
        }
        let mut end = at + 1;
        while end < self.tokens.len() && end - at <= LONGEST_EVENT && !NEXT_CLAUSE.contains(&self.word(end)) {
            end += 1;
            if self.gap(end - 1) != Gap::Open {
                break;
            }
        }
        (end > at + 1).then_some(end)
    }
}
