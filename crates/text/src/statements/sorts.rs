//! Sorts of values: what can take the place of what.
//!
//! "In Berlin" and "in Germany", "in the sales team" and "in hospital", "in S3" and "in Parquet" can all be true at once, because the
//! one contains the other or because one preposition says different things. Only values of one sort exclude each other, so
//! a table names the sort of common words, and what it does not name is of an unknown sort.

use std::sync::OnceLock;

use super::clause::is_preposition;
use super::clause_pair::{ClauseOf, ClausePair};
use super::cues::Mark;
use super::phrase::phrase_of;
use crate::language::Language;
use crate::pairs::hashing::WordMap;
use crate::pairs::markup::unaccented;
use crate::pairs::token::{Token, TokenKind};

/// Whether two values are of one sort.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kinship {
    /// They are of one sort: two towns, two rooms, two languages.
    Same,
    /// They are of different sorts, or one lies within the other.
    Other,
    /// Nobody can tell.
    Unknown,
}

/// Returns whether the values that two clauses give one attribute are of one sort.
pub(super) fn kinship(pair: &ClausePair<'_>, value: &[usize], added: &[usize]) -> Kinship {
    let (Some(one), Some(other)) = (Value::of(pair.older, value), Value::of(pair.newer, added)) else {
        return Kinship::Unknown;
    };
    if let (Some(one), Some(other)) = (one.sort, other.sort) {
        let exclusive = one == other && !TOGETHER.contains(&one);
        return if exclusive { Kinship::Same } else { Kinship::Other };
    }
    // "Room Ceres" and "room Mercury", "the north hall" and "the south hall": the noun is the same.
    let heads = one.nouns.iter().any(|at| pair.place_of(*at).is_some_and(|place| other.nouns.contains(&place)));
    if heads {
        return Kinship::Same;
    }
    let unknown = one.sort.is_none() && other.sort.is_none();
    if unknown && one.named && other.named { Kinship::Same } else { Kinship::Unknown }
}

/// A value with the phrase it stands in.
struct Value {
    sort: Option<&'static str>,
    /// The nouns that say what it is: the head of the phrase, and the noun before a name.
    nouns: Vec<usize>,
    named: bool,
}

impl Value {
    fn of(side: ClauseOf<'_>, value: &[usize]) -> Option<Self> {
        let first = *value.first()?;
        let start = phrase_of(side.statement, side.clause(), first).start;
        let ends = |at: &usize| {
            let token = side.token(*at);
            side.mark(*at) != Mark::Plain
                || is_preposition(&token.canon) && token.kind == TokenKind::Function
                || matches!(token.kind, TokenKind::DateTime(_))
                || matches!(&*token.canon, "and" | "or" | "but")
        };
        let end = (first + 1..side.clause().span.end).find(ends).unwrap_or(side.clause().span.end);
        let words: Vec<usize> = (start..end).filter(|at| side.token(*at).is_content()).collect();
        let noun_first = matches!(
            side.statement.language(),
            Some(Language::French | Language::Spanish | Language::Italian | Language::Portuguese)
        );
        let head = if noun_first { *words.first()? } else { *words.last()? };
        let named = |at: usize| is_named(side.token(at));
        // "Room Ceres": the noun before a name says what it is.
        let label = words.iter().copied().find(|at| !named(*at)).filter(|_| named(head));
        let spelled = words.iter().map(|at| spelling(side.token(*at))).collect::<Vec<_>>().join(" ");
        let bare = || {
            let before = start.checked_sub(1).map_or("", |at| side.token(at).canon.as_str());
            let english = side.statement.language() == Some(Language::English);
            let article = (start..head).any(|at| !side.token(at).is_content());
            let verbal = matches!(before, "in" | "on" | "at" | "under") && !article;
            (english && verbal && !named(head) && side.token(head).kind == TokenKind::Word).then_some("condition")
        };
        let sort = sort_of(&spelled)
            .or_else(|| sort_of(&spelling(side.token(head))))
            .or_else(|| label.and_then(|at| sort_of(&spelling(side.token(at)))))
            .or_else(bare);
        let nouns = if named(head) { label.into_iter().collect() } else { vec![head] };
        Some(Self { sort, nouns, named: named(head) })
    }
}

fn is_named(token: &Token) -> bool {
    token.capital || matches!(token.kind, TokenKind::Name | TokenKind::Code)
}

fn spelling(token: &Token) -> String {
    unaccented(&token.canon)
}

/// Returns the sort of a word or of a name of several words.
pub(super) fn sort_of(spelling: &str) -> Option<&'static str> {
    static TABLE: OnceLock<WordMap<String, &'static str>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let mut table = WordMap::default();
        for line in SORTS.lines() {
            let Some((sort, words)) = line.split_once(':') else { continue };
            for word in words.split_whitespace() {
                table.entry(word.replace('_', " ")).or_insert(sort);
            }
        }
        table
    });
    table.get(spelling).copied()
}

/// Sorts of which a thing has one, whatever the verb.
const ONE: [&str; 3] = ["colour", "material", "season"];

/// Returns true if a thing cannot have both words at once: two colours, two materials.
pub(super) fn excludes(one: &Token, other: &Token) -> bool {
    let [one, other] = [one, other].map(|token| sort_of(&spelling(token)));
    one.is_some() && one == other && one.is_some_and(|sort| ONE.contains(&sort))
}

/// Sorts of which one can have several at a time.
const TOGETHER: [&str; 2] = ["condition", "group"];

/// One sort a line, then its words without accents; `_` joins the words of a name. A word is listed once, under the sort that
/// it most often is behind "in", "on", "at" or a verb. Places are listed by size, because a smaller one lies within a
/// larger one.
const SORTS: &str = include_str!("sorts.txt");

#[cfg(test)]
mod tests {
    use super::*;

    use crate::statements::{PairThresholds, judge_texts};

    fn archives(older: &str, newer: &str) -> bool {
        judge_texts(older, newer, 0.85, PairThresholds::BUILT_IN).archives()
    }

    /// Returns some words of a sort as names are written.
    fn words(sort: &str) -> Vec<String> {
        let line = SORTS.lines().find_map(|line| line.strip_prefix(&format!("{sort}: "))).unwrap();
        let capital = |word: &str| {
            let mut letters = word.chars();
            letters.next().map(|first| first.to_uppercase().collect::<String>()).unwrap_or_default() + letters.as_str()
        };
        line.split(' ').filter(|word| !word.contains('_')).step_by(11).take(14).map(capital).collect()
    }

    #[test]
    fn what_contains_a_place_does_not_replace_it() {
        let levels = ["continent", "country", "region", "city", "district"];
        for (at, one) in levels.iter().enumerate() {
            for other in levels.iter().skip(at + 1) {
                for (large, small) in words(one)
                    .into_iter()
                    .flat_map(|one| words(other).into_iter().map(move |other| (one.clone(), other)))
                {
                    for frame in ["Nora lives in {}.", "The server is in {}.", "Nora studies in {}."] {
                        let now = |value: &str| frame.replace(" in {}", &format!(" in {value} now"));
                        let was = |value: &str| frame.replace("{}", value);
                        assert!(!archives(&was(&small), &now(&large)), "{small} / {large}");
                        assert!(!archives(&was(&large), &now(&small)), "{large} / {small}");
                    }
                }
            }
        }
    }

    #[test]
    fn values_of_two_sorts_do_not_replace_each_other() {
        let sorts =
            ["city", "language", "format", "database", "group", "season", "colour", "room", "profession", "ward"];
        for one in sorts {
            for other in sorts.iter().filter(|other| **other != one) {
                for (before, after) in words(one).iter().zip(words(other)).take(6) {
                    for frame in
                        ["It is in {}.", "The report is in {}.", "The data is stored in {}.", "Nora works in {}."]
                    {
                        let now = frame.replace(" in {}", &format!(" now in {after}"));
                        assert!(!archives(&frame.replace("{}", before), &now), "{before} ({one}) / {after} ({other})");
                    }
                }
            }
        }
    }

    #[test]
    fn values_of_one_sort_do() {
        for (older, newer) in [
            ("Ada lives in Porto.", "Ada now lives in Braga."),
            ("The report is in English.", "The report is now in French."),
            ("The kettle is in the kitchen.", "The kettle is now in the cellar."),
            ("The data team sits in room Ceres.", "The data team now sits in room Venus."),
        ] {
            assert!(archives(older, newer), "{older} / {newer}");
        }
    }

    #[test]
    fn one_preposition_says_different_things() {
        for (older, newer) in [
            ("Bob is in the sales team.", "Bob is now in hospital."),
            ("The events are stored in S3.", "The events are now stored in Parquet."),
            ("The car is in the garage.", "The car is now in perfect condition."),
            ("The bridge is under the motorway.", "The bridge is now under repair."),
            ("Rita works in marketing.", "Rita now works in shifts."),
            ("The keys are in the drawer.", "The keys are now in the office."),
            ("Die Daten liegen in S3.", "Die Daten liegen jetzt in Parquet."),
            ("Der Bericht ist auf Englisch.", "Der Bericht ist jetzt auf dem Server."),
            ("Le rapport est en anglais.", "Le rapport est maintenant en ligne."),
            ("Ana está en el equipo de ventas.", "Ana está ahora en el hospital."),
            ("Marta vive en Sevilla.", "Marta vive ahora en Andalucía."),
            ("Rui mora em Braga.", "Rui mora agora em Portugal."),
            ("O relatório está em inglês.", "O relatório está agora na pasta partilhada."),
            ("Paolo abita a Torino.", "Paolo abita ora in Piemonte."),
            ("Sanne woont in Utrecht.", "Sanne woont nu in Nederland."),
            ("Tom is one of the admins.", "Lea is now one of the admins."),
            ("The plan includes breakfast.", "The plan now includes dinner."),
        ] {
            assert!(!archives(older, newer), "{older} / {newer}");
        }
    }

    #[test]
    fn every_word_has_one_sort() {
        let mut seen: Vec<&str> = Vec::new();
        for line in SORTS.lines().filter(|line| !line.is_empty()) {
            let (sort, words) = line.split_once(':').unwrap();
            for word in words.split_whitespace() {
                assert_eq!(word, unaccented(word), "{sort}");
                seen.push(word);
            }
        }
        let count = seen.len();
        seen.sort_unstable();
        let twice: Vec<_> = seen.windows(2).filter(|two| two[0] == two[1]).map(|two| two[0]).collect();
        assert!(twice.is_empty(), "{twice:?} of {count}");
    }
}
