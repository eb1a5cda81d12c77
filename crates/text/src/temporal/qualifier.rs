//! Parses the words before a time that qualify it: `in`, `since`, `before`, `no later than`,
//! `around`.

use super::compose::TimePhrase;
use super::parser::TimeParser;
use super::query::TemporalRelation;
use super::token::Gap;

/// A time phrase with the words before it that qualify it.
#[derive(Debug, Clone, Copy)]
pub(super) struct QualifiedPhrase {
    pub(super) relation: TemporalRelation,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether these words make the time approximate.
    pub(super) vague: bool,
}

/// Words that make the following time approximate.
const APPROXIMATE: [&str; 6] = ["around", "roughly", "approximately", "approx", "circa", "sometime"];

/// Words that make a count approximate. A talk *about last week* is not approximately last week.
const ABOUT: [&str; 3] = ["about", "almost", "nearly"];

/// Prepositions that belong to the time phrase.
const PREPOSITIONS: [&str; 8] = ["in", "on", "during", "at", "within", "over", "throughout", "from"];

/// Words that start a time without a preposition. A preposition before them belongs to the verb
/// (`what did she take part in last week`).
const STANDS_ALONE: [&str; 11] =
    ["last", "this", "next", "yesterday", "today", "tomorrow", "tonight", "recently", "lately", "nowadays", "these"];

/// Words before `up to` that make it an idiom: `what have you been up to this week`.
const OCCUPIED: [&str; 15] =
    ["be", "been", "am", "are", "is", "was", "were", "i", "you", "he", "she", "we", "they", "get", "got"];

/// The longest description of an event, in words.
const LONGEST_EVENT: usize = 8;

impl TimeParser {
    /// Determines how the time of a phrase is qualified.
    pub(super) fn qualify(&self, phrase: &TimePhrase) -> QualifiedPhrase {
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
        if relation == TemporalRelation::During && !adverb && PREPOSITIONS.contains(&self.word_before(start)) {
            start -= 1;
        }
        if self.word(start) == "from" && matches!(self.word(end), "on" | "onward" | "onwards") {
            (relation, end) = (TemporalRelation::Since, end + 1);
        }
        QualifiedPhrase { relation, start, end, vague }
    }

    /// Returns the relation expressed by the words before `at`, and the number of these words.
    fn relation_before(&self, at: usize, ago: bool) -> (TemporalRelation, usize) {
        let word = |back: usize| if back < at { self.word_before(at - back) } else { "" };
        match (word(2), word(1), word(0)) {
            ("on", "or", "before") => (TemporalRelation::Until, 3),
            ("on", "or", "after") => (TemporalRelation::Since, 3),
            ("no" | "not", "later", "than") => (TemporalRelation::Until, 3),
            ("no" | "not", "earlier", "than") => (TemporalRelation::Since, 3),
            (_, "prior", "to") | (_, "earlier", "than") => (TemporalRelation::Before, 2),
            (_, "later", "than") => (TemporalRelation::After, 2),
            (who, "up", "to") if OCCUPIED.contains(&who) => (TemporalRelation::During, 0),
            (_, "up", "to" | "until" | "till") => (TemporalRelation::Until, 2),
            (_, "starting" | "beginning", "in" | "on" | "from") => (TemporalRelation::Since, 2),
            (_, "more", "than") if ago => (TemporalRelation::Before, 2),
            (_, "less", "than") if ago => (TemporalRelation::Since, 2),
            (_, _, "over") if ago => (TemporalRelation::Before, 1),
            (_, _, "before") => (TemporalRelation::Before, 1),
            (_, _, "after" | "following") => (TemporalRelation::After, 1),
            (_, _, "since" | "starting" | "beginning") => (TemporalRelation::Since, 1),
            (_, _, "until" | "till" | "by") => (TemporalRelation::Until, 1),
            _ => (TemporalRelation::During, 0),
        }
    }

    /// Parses a reference to an event in place of a date: `before the release`, `after we moved`.
    /// Returns the relation and its token range.
    pub(super) fn event_reference(&self) -> Option<(TemporalRelation, usize, usize)> {
        (0..self.tokens.len()).find_map(|at| {
            let relation = match self.word(at) {
                "before" => TemporalRelation::Before,
                "after" => TemporalRelation::After,
                "since" => TemporalRelation::Since,
                "until" | "till" => TemporalRelation::Until,
                _ => return None,
            };
            let end = self.event_end(at)?;
            Some((relation, at, end))
        })
    }

    /// Returns the end of the event after a relation word, or `None` if no event is named.
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
