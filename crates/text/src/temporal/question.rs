//! Detects questions that ask for a time: `when did …`, `what date …`, `how long ago …`.

use super::lexicon;
use super::parser::TimeParser;
use super::token::Gap;

impl TimeParser {
    /// Returns the token range that asks for a time.
    pub(super) fn asks_when(&self) -> Option<(usize, usize)> {
        (0..self.tokens.len()).find_map(|at| self.asks_when_at(at).map(|end| (at, end)))
    }

    fn asks_when_at(&self, at: usize) -> Option<usize> {
        let next = self.word(at + 1);
        match self.word(at) {
            "when" => self.is_question_when(at).then_some(at + 2).map(|end| end.min(self.tokens.len())),
            "what" | "which" => (asks_date(next) && self.word(at + 2) != "zone").then_some(at + 2),
            "date" if self.word_before(at) == "the" && next == "of" => Some(at + 2),
            "how" => match (next, self.word(at + 2), self.word(at + 3)) {
                ("long", "ago" | "since", _) => Some(at + 3),
                ("long", "has" | "have", "it") => Some(at + 4),
                ("recently", _, _) => Some(at + 2),
                ("many", unit, "ago" | "since" | "before" | "after" | "passed" | "between") => {
                    lexicon::unit(unit).map(|_| at + 4)
                }
                ("many", unit, "have" | "has") => {
                    let passed = matches!(self.word(at + 4), "passed" | "elapsed") || self.word(at + 5) == "passed";
                    lexicon::unit(unit).filter(|_| passed).map(|_| at + 4)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns true for an interrogative `when` (`when did`, `tell me when`), not for the
    /// conjunction (`what did I eat when I was there`).
    fn is_question_when(&self, at: usize) -> bool {
        const AUXILIARIES: [&str; 23] = [
            "did",
            "do",
            "does",
            "was",
            "were",
            "is",
            "are",
            "will",
            "would",
            "has",
            "have",
            "had",
            "should",
            "shall",
            "can",
            "could",
            "didn't",
            "wasn't",
            "exactly",
            "precisely",
            "might",
            "must",
            "am",
        ];
        const ASKING: [&str; 9] = ["know", "me", "remember", "recall", "remind", "since", "until", "exactly", "wonder"];
        let contracted = self.tokens.get(at).is_some_and(|token| token.end - token.start > "when".len());
        contracted
            || self.is_whole_question(at)
            || AUXILIARIES.contains(&self.word(at + 1))
            || ASKING.contains(&self.word_before(at))
    }

    /// Returns true for a single clause that starts with `when` and contains no other question
    /// word: `When Jon has lost his job?`
    fn is_whole_question(&self, at: usize) -> bool {
        const OTHERS: [&str; 9] = ["what", "who", "where", "which", "how", "why", "did", "do", "does"];
        let last = self.tokens.len().saturating_sub(1);
        at == 0 && (0..last).all(|place| self.gap(place) == Gap::Open && !OTHERS.contains(&self.word(place + 1)))
    }
}

fn asks_date(word: &str) -> bool {
    matches!(word, "date" | "day" | "time" | "month" | "year" | "week" | "weekday" | "dates" | "quarter")
}
