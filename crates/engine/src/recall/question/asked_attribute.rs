//! The value that holds: of the texts that give the attribute of a question a value, the one about the latest time.
//!
//! A memory holds what was true once beside what is true now, in many wordings. Which texts speak of the attribute that is
//! asked about is read from their statements; the order of time decides the rest. An untrusted text decides nothing as
//! long as a trusted one answers.

use elfmem_core::{Block, Timestamp};
use elfmem_text::statements::{Answer, AnswerTime, AskedAttribute, Statement};
use elfmem_text::temporal::{ConstraintStrength, TimeSpan};

use crate::recall::question::parsed::ParsedQuestion;

/// A text that may answer.
#[derive(Debug, Clone, Copy)]
pub(in crate::recall) struct DatedText<'a> {
    pub(in crate::recall) text: &'a str,
    /// From when on it counts.
    pub(in crate::recall) at: Timestamp,
    pub(in crate::recall) trusted: bool,
}

impl<'a> DatedText<'a> {
    /// Returns what a block says.
    pub(in crate::recall) fn of(block: &'a Block, trusted: bool) -> Self {
        Self::new(&block.content, block.event_at, block.created_at, trusted)
    }

    /// Returns what a text says. What is about a later time than that of its storing counts from then on: the last word
    /// about next month's concert is the one that was said last.
    pub(in crate::recall) fn new(
        text: &'a str,
        event_at: Option<Timestamp>,
        created_at: Timestamp,
        trusted: bool,
    ) -> Self {
        Self { text, at: event_at.map_or(created_at, |at| at.min(created_at)), trusted }
    }
}

/// Returns the time that a question states: "in March".
pub(in crate::recall) fn stated_time(question: &ParsedQuestion) -> Option<TimeSpan> {
    question.time().filter(|time| time.strength == ConstraintStrength::Hard).and_then(|time| time.span)
}

/// What texts say about the attribute of a question.
#[derive(Debug)]
pub(in crate::recall) struct AttributeValues {
    /// The places of the texts that answer, with what they say.
    answers: Vec<(usize, Answer)>,
    /// The place of the text that says what holds.
    pub(in crate::recall) holds: usize,
}

impl AttributeValues {
    /// Reads which of some texts answer and which of them says what holds, before `until` if there is a limit; none if none
    /// does.
    pub(in crate::recall) fn read(question: &str, told: &[DatedText<'_>], until: Option<Timestamp>) -> Option<Self> {
        Self::among(&AskedAttribute::parse(question)?, told, until)
    }

    /// Reads which of some texts answer a question that was taken apart. See [`AttributeValues::read`].
    pub(in crate::recall) fn among(
        asked: &AskedAttribute,
        told: &[DatedText<'_>],
        until: Option<Timestamp>,
    ) -> Option<Self> {
        let statements: Vec<Statement> = told.iter().map(|told| Statement::parse(told.text)).collect();
        let mut answers: Vec<(usize, Answer)> = Vec::new();
        loop {
            let known: Vec<Answer> = answers.iter().map(|(_, answer)| answer.clone()).collect();
            let is_open = |at: &usize| !answers.iter().any(|(place, _)| place == at);
            let found =
                (0..told.len()).filter(is_open).filter_map(|at| Some((at, asked.answer(&statements[at], &known)?)));
            let found: Vec<(usize, Answer)> = found.collect();
            if found.is_empty() {
                break;
            }
            // What was found names values that a change may have ended.
            answers.extend(found);
        }
        let any_trusted = answers.iter().any(|(at, _)| told[*at].trusted);
        let holds = answers
            .iter()
            .filter(|(at, answer)| {
                let is_counted = told[*at].trusted || !any_trusted;
                is_counted && answer.time == AnswerTime::Now && until.is_none_or(|until| told[*at].at < until)
            })
            .max_by_key(|(at, _)| (told[*at].at, *at))
            .map(|(at, _)| *at)?;
        Some(Self { answers, holds })
    }

    /// Returns the places of the texts that answer.
    pub(in crate::recall) fn answers(&self) -> impl Iterator<Item = usize> {
        self.answers.iter().map(|(at, _)| *at)
    }

    /// Returns the places of the texts that say something else than what holds.
    pub(in crate::recall) fn outdated(&self) -> impl Iterator<Item = usize> {
        let holding = self.answers.iter().find(|(at, _)| *at == self.holds).map(|(_, answer)| &answer.value);
        let differs = move |(_, answer): &&(usize, Answer)| {
            answer.time == AnswerTime::Before || holding.is_some_and(|value| *value != answer.value)
        };
        self.answers.iter().filter(differs).map(|(at, _)| *at).filter(|at| *at != self.holds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds<'a>(question: &str, texts: &[(&'a str, i64, bool)], until: Option<i64>) -> Option<&'a str> {
        let at = |second: i64| Timestamp::from_second(second).expect("a time");
        let told: Vec<DatedText<'a>> = texts
            .iter()
            .map(|(text, second, trusted)| DatedText { text, at: at(*second), trusted: *trusted })
            .collect();
        AttributeValues::read(question, &told, until.map(at)).map(|attribute_values| texts[attribute_values.holds].0)
    }

    #[test]
    fn the_latest_time_says_what_holds_whatever_the_wording() {
        let texts = [
            ("Note: Ada lives in Porto", 1, true),
            ("Ada moved from Porto to Braga.", 3, true),
            ("Home for Ada is Faro.", 2, true),
            ("Ada used to live in Ghent.", 9, true),
            ("Ada lives in Tartu.", 10, false),
            ("Ada's brother lives in Lyon.", 11, true),
        ];
        assert_eq!(holds("Where does Ada live?", &texts, None), Some("Ada moved from Porto to Braga."));
        assert_eq!(holds("Where did Ada live in March?", &texts, Some(3)), Some("Home for Ada is Faro."));
        assert_eq!(holds("Where does Ada work?", &texts, None), None);
    }

    #[test]
    fn a_change_counts_if_the_value_before_it_is_known() {
        let texts = [("Ada's editor is vim.", 1, true), ("Ada switched from vim to Helix.", 2, true)];
        assert_eq!(holds("Which editor does Ada use?", &texts, None), Some(texts[1].0));
        assert_eq!(holds("Which editor does Ada use?", &texts[1..], None), None);
    }
}
