//! Parses the time a question asks about.

use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use super::classify::TimeTokenKind;
use super::compose::TimePhrase;
use super::parser::TimeParser;
use super::span::TimeSpan;

/// The relation of the events asked about to the named time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TemporalRelation {
    /// Inside the named time.
    During,
    /// Before its start.
    Before,
    /// After its end.
    After,
    /// From its start on.
    Since,
    /// Up to its end.
    Until,
}

/// Whether the named time is a hard or a soft constraint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ConstraintStrength {
    /// The question names this time.
    Hard,
    /// The time is approximate (`recently`, `a few weeks ago`, `around May`), or no time is named.
    Soft,
}

/// The time constraint of a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TimeQuery {
    /// The span in which the events lie, unbounded on one side for `before` and `after`. `None` if
    /// no date is named.
    pub span: Option<TimeSpan>,
    /// The relation to the named time or event.
    pub relation: TemporalRelation,
    /// Whether the constraint is hard or soft.
    pub strength: ConstraintStrength,
    /// The matched words of the question.
    pub matched: String,
    /// Whether the question asks *for* a time. It may also name one: `when in May did we meet?`
    pub asks_when: bool,
    /// The length of the named time, which an unbounded span does not show. Zero if no time is
    /// named.
    pub grain: SignedDuration,
}

/// Parses what a question asked at `now` says about time. Returns `None` if it says nothing.
///
/// A day or month without a year is the last one that has started, or the next one if the question
/// is about the future (`will`). Weeks start on Monday. `last week` is a calendar week, `the past
/// week` is seven days. For `before the release`, returns the relation and the words of the event,
/// so that the caller can look up its time.
///
/// Cost: one pass over the question, a few microseconds.
pub fn parse_time_query(text: &str, now: Timestamp) -> Option<TimeQuery> {
    let parser = TimeParser::with_reference(text, now);
    let asked = parser.asks_when();
    if let Some(phrase) = best_phrase(&parser) {
        let qualified = parser.qualify(&phrase);
        let strength =
            if phrase.vague || qualified.vague { ConstraintStrength::Soft } else { ConstraintStrength::Hard };
        return Some(TimeQuery {
            span: Some(resolve_relation(phrase.span, qualified.relation)?),
            relation: qualified.relation,
            strength,
            matched: parser.source_text(text, qualified.start, qualified.end),
            asks_when: asked.is_some(),
            grain: phrase.span.length(),
        });
    }
    let event = parser.event_reference();
    let (relation, start, end) = match (event, asked) {
        (Some((relation, start, end)), _) => (relation, start, end),
        (None, Some((start, end))) => (TemporalRelation::During, start, end),
        (None, None) => return None,
    };
    Some(TimeQuery {
        span: None,
        relation,
        strength: ConstraintStrength::Soft,
        matched: parser.source_text(text, start, end),
        asks_when: asked.is_some(),
        grain: SignedDuration::ZERO,
    })
}

/// Returns the first phrase that is not vague, or else the first one.
fn best_phrase(parser: &TimeParser) -> Option<TimePhrase> {
    let mut vague = None;
    let mut at = 0;
    while at < parser.tokens.len() {
        match parser.phrase(at) {
            Some(phrase) if !phrase.vague => return Some(parser.following_date(&phrase).unwrap_or(phrase)),
            Some(phrase) => {
                at = phrase.end;
                vague = vague.or(Some(phrase));
            }
            None => at += 1,
        }
    }
    vague
}

/// Returns the span in which events of a relation to `named` lie.
fn resolve_relation(named: TimeSpan, relation: TemporalRelation) -> Option<TimeSpan> {
    match relation {
        TemporalRelation::During => Some(named),
        TemporalRelation::Before => TimeSpan::new(Timestamp::MIN, named.from),
        TemporalRelation::After => TimeSpan::new(named.until, Timestamp::MAX),
        TemporalRelation::Since => TimeSpan::new(named.from, Timestamp::MAX),
        TemporalRelation::Until => TimeSpan::new(Timestamp::MIN, named.until),
    }
}

impl TimeParser {
    /// Returns a date that directly follows a relative time: `last Friday on 23 January 2022` means
    /// the date.
    fn following_date(&self, phrase: &TimePhrase) -> Option<TimePhrase> {
        let next = self.phrase(self.skip(phrase.end, &["on"]))?;
        let dated = |phrase: &TimePhrase| {
            (phrase.start..phrase.end).any(|at| {
                matches!(self.kind(at), TimeTokenKind::Number(_, 4) | TimeTokenKind::Date(_) | TimeTokenKind::Stamp(_))
            })
        };
        (dated(&next) && !dated(phrase)).then_some(next)
    }

    /// Returns the text of a token range, without surrounding punctuation.
    fn source_text(&self, text: &str, start: usize, end: usize) -> String {
        match (self.tokens.get(start), end.checked_sub(1).and_then(|last| self.tokens.get(last))) {
            (Some(first), Some(last)) if first.start <= last.end => text[first.start..last.end].to_owned(),
            _ => String::new(),
        }
    }
}
