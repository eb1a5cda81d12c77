//! The time a question asks about.

use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use super::classify::Kind;
use super::compose::Phrase;
use super::reader::Reader;
use super::span::Span;

/// Where the events asked about lie, seen from the time that is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// In it.
    During,
    /// Before it begins.
    Before,
    /// After it ends.
    After,
    /// From its beginning on.
    Since,
    /// Up to its end.
    Until,
}

/// How much the words commit to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Strength {
    /// They name this time.
    Hard,
    /// They hint at it: `recently`, `a few weeks ago`, `around May`. Also when no time is named.
    Soft,
}

/// What a question says about time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TimeQuery {
    /// When the events lie; an open end is the end of all time. None when the question names no date.
    pub span: Option<Span>,
    /// How they lie to the time, or the event, that is named.
    pub relation: Relation,
    /// How much the words commit to.
    pub strength: Strength,
    /// The words it was read from.
    pub matched: String,
    /// Whether the question asks *for* a time. It may name one all the same: `when in May did we meet?`
    pub asks_when: bool,
    /// The length of the time that was named, which an open span no longer shows; zero without one.
    pub grain: SignedDuration,
}

/// What a question asked at `now` says about time; none when it says nothing.
///
/// A day or month without a year is the last one that has begun, or the next one when the question looks ahead (`will`).
/// Weeks begin on Monday; `last week` is the calendar's, `the past week` is seven days. `before the release` gives the
/// relation and the words of the event, for a caller who can find out when that was.
///
/// One pass over the question, some microseconds.
pub fn parse_time_query(text: &str, now: Timestamp) -> Option<TimeQuery> {
    let reader = Reader::asked(text, now);
    let asked = reader.asks_when();
    if let Some(phrase) = best_phrase(&reader) {
        let lead = reader.lead(&phrase);
        let strength = if phrase.vague || lead.vague { Strength::Soft } else { Strength::Hard };
        return Some(TimeQuery {
            span: Some(placed(phrase.span, lead.relation)?),
            relation: lead.relation,
            strength,
            matched: reader.words(text, lead.start, lead.end),
            asks_when: asked.is_some(),
            grain: phrase.span.length(),
        });
    }
    let event = reader.beside_event();
    let (relation, start, end) = match (event, asked) {
        (Some((relation, start, end)), _) => (relation, start, end),
        (None, Some((start, end))) => (Relation::During, start, end),
        (None, None) => return None,
    };
    Some(TimeQuery {
        span: None,
        relation,
        strength: Strength::Soft,
        matched: reader.words(text, start, end),
        asks_when: asked.is_some(),
        grain: SignedDuration::ZERO,
    })
}

/// The first phrase that is not vague, else the first.
fn best_phrase(reader: &Reader) -> Option<Phrase> {
    let mut vague = None;
    let mut at = 0;
    while at < reader.tokens.len() {
        match reader.phrase(at) {
            Some(phrase) if !phrase.vague => return Some(reader.dated_behind(&phrase).unwrap_or(phrase)),
            Some(phrase) => {
                at = phrase.end;
                vague = vague.or(Some(phrase));
            }
            None => at += 1,
        }
    }
    vague
}

/// Where events of a relation to `named` lie.
fn placed(named: Span, relation: Relation) -> Option<Span> {
    match relation {
        Relation::During => Some(named),
        Relation::Before => Span::new(Timestamp::MIN, named.from),
        Relation::After => Span::new(named.until, Timestamp::MAX),
        Relation::Since => Span::new(named.from, Timestamp::MAX),
        Relation::Until => Span::new(Timestamp::MIN, named.until),
    }
}

impl Reader {
    /// The date right behind a time: in `last Friday on 23 January 2022` it is the date that counts.
    fn dated_behind(&self, phrase: &Phrase) -> Option<Phrase> {
        let next = self.phrase(self.skip(phrase.end, &["on"]))?;
        let dated = |phrase: &Phrase| {
            (phrase.start..phrase.end)
                .any(|at| matches!(self.kind(at), Kind::Number(_, 4) | Kind::Date(_) | Kind::Stamp(_)))
        };
        (dated(&next) && !dated(phrase)).then_some(next)
    }

    /// The text of some tokens, without the punctuation around them.
    fn words(&self, text: &str, start: usize, end: usize) -> String {
        match (self.tokens.get(start), end.checked_sub(1).and_then(|last| self.tokens.get(last))) {
            (Some(first), Some(last)) if first.start <= last.end => text[first.start..last.end].to_owned(),
            _ => String::new(),
        }
    }
}
