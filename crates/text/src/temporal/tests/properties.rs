use jiff::SignedDuration;
use jiff::civil::{Date, date};
use proptest::prelude::*;

use super::{NOW, at, span};
use crate::temporal::{TemporalRelation, TimeQuery, explicit_time, parse_time_query, time_fit};
use elfmem_core::time::Timestamp;

/// Every way a day is commonly written.
const DAY_FORMATS: [&str; 14] = [
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%-d %B %Y",
    "%-d %b %Y",
    "%B %-d, %Y",
    "%b %-d, %Y",
    "%b. %-d, %Y",
    "%B %-d %Y",
    "%-d of %B %Y",
    "%-d %B, %Y",
    "%d-%b-%Y",
    "%A, %-d %B %Y",
    "(%a) %d %b %Y",
    "seen on %B %-d, %Y, I think",
];

fn any_day() -> impl Strategy<Value = Date> {
    (1900i16..2100, 1i8..=12, 1i8..=28).prop_map(|(year, month, day)| date(year, month, day))
}

/// Sentences made of the words the grammar knows, in any order.
fn word_salad() -> impl Strategy<Value = String> {
    let words = [
        "in",
        "on",
        "the",
        "last",
        "next",
        "this",
        "past",
        "before",
        "after",
        "between",
        "and",
        "from",
        "to",
        "may",
        "May",
        "march",
        "June,",
        "sat",
        "Monday",
        "7",
        "7th",
        "31",
        "2023",
        "2019",
        "9999",
        "a",
        "few",
        "couple",
        "of",
        "week",
        "days",
        "years",
        "decades",
        "ago",
        "-",
        "–",
        "3-7",
        "q3",
        "summer",
        "winter",
        "early",
        "end",
        "first",
        "second",
        "quarter",
        "2023-05-07",
        "14:00",
        "pm",
        "+02:00",
        "UTC",
        "noon",
        "now",
        "when",
        "did",
        "since",
        "until",
        "by",
        "than",
        "more",
        "recently",
        "the",
        "other",
        "day",
        "february",
        "29",
        "yesterday",
        "night",
        ".",
        "(",
        "1990s",
    ];
    prop::collection::vec(prop::sample::select(words.to_vec()), 0..12).prop_map(|words| words.join(" "))
}

fn any_now() -> impl Strategy<Value = Timestamp> {
    prop_oneof![
        Just(at(NOW)),
        Just(Timestamp::MIN),
        Just(Timestamp::MAX),
        (-60_000_000_000i64..250_000_000_000).prop_map(|second| Timestamp::from_second(second).unwrap()),
    ]
}

fn check(text: &str, now: Timestamp, event: Timestamp) -> Result<(), TestCaseError> {
    if let Some(span) = explicit_time(text) {
        prop_assert!(span.from < span.until);
    }
    let Some(query) = parse_time_query(text, now) else { return Ok(()) };
    prop_assert!(text.contains(&query.matched) && !query.matched.is_empty());
    prop_assert!((0.0..=1.0).contains(&time_fit(&query, event)));
    if let Some(span) = query.span {
        prop_assert!(span.from < span.until);
        prop_assert!(query.grain > SignedDuration::ZERO);
        prop_assert_eq!(time_fit(&query, span.from), 1.0);
        prop_assert!(!span.contains(event) || time_fit(&query, event) == 1.0);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn any_text_parses_without_panic(text in any::<String>(), now in any_now(), event in any_now()) {
        check(&text, now, event)?;
    }

    #[test]
    fn any_order_of_time_words_parses_without_panic(text in word_salad(), now in any_now(), event in any_now()) {
        check(&text, now, event)?;
    }

    #[test]
    fn every_date_format_parses_to_the_same_day(day in any_day(), format in prop::sample::select(DAY_FORMATS.to_vec())) {
        let text = day.strftime(format).to_string();
        // May has no abbreviation, so a dot behind it ends a sentence.
        prop_assume!(!text.starts_with("May."));
        let expected = span(&format!("{day}..{}", day.tomorrow().unwrap()));
        prop_assert_eq!(explicit_time(&text), Some(expected), "{}", text);
        let now = at("2150-01-01");
        prop_assert_eq!(parse_time_query(&text, now).and_then(|query| query.span), Some(expected), "{}", text);
    }

    #[test]
    fn every_time_format_parses_to_the_same_minute(day in any_day(), hour in 0i8..24, minute in 0i8..60, format in 0usize..6) {
        let formats =
            ["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%MZ", "%-I:%M %p on %-d %B, %Y", "on %-d %B %Y at %H:%M", "%B %-d, %Y %I:%M%P", "%Y/%m/%d (%a) %H:%M"];
        let moment = day.at(hour, minute, 0, 0);
        let text = moment.strftime(formats[format]).to_string();
        let from = at(&moment.to_string());
        let found = explicit_time(&text);
        prop_assert_eq!(found.map(|span| span.from), Some(from), "{}", text);
        prop_assert_eq!(found.map(|span| span.length()), Some(SignedDuration::from_mins(1)));
    }

    #[test]
    fn fit_never_rises_with_the_distance(hours in 0i64..10_000, more in 0i64..10_000) {
        let query = parse_time_query("last week", at(NOW)).unwrap();
        let until = query.span.unwrap().until;
        let later = |hours: i64| time_fit(&query, until + SignedDuration::from_hours(hours));
        prop_assert!(later(hours) >= later(hours + more));
    }
}

fn asked(text: &str) -> TimeQuery {
    parse_time_query(text, at(NOW)).unwrap()
}

#[test]
fn fit_is_a_half_one_length_away() {
    let query = asked("on 7 May 2023");
    assert_eq!(time_fit(&query, at("2023-05-07T23:59:59")), 1.0);
    assert_eq!(time_fit(&query, at("2023-05-09")), 0.5);
    assert_eq!(time_fit(&query, at("2023-05-06")), 0.5);
    assert!(time_fit(&query, at("2023-06-07")) < 0.01);
    let minute = asked("at 14:00 on 7 May 2023");
    assert_eq!(time_fit(&minute, at("2023-05-07T13:00:00")), 0.5);
}

#[test]
fn before_and_after_are_unbounded_on_one_side() {
    let before = asked("before May 2023");
    assert_eq!((before.relation, time_fit(&before, at("1950-01-01"))), (TemporalRelation::Before, 1.0));
    assert!((time_fit(&before, at("2023-06-01")) - 0.5).abs() < 0.01);
    let since = asked("since May 2023");
    assert_eq!(time_fit(&since, at("2090-01-01")), 1.0);
    assert!(time_fit(&since, at("2022-05-01")) < 0.01);
}

#[test]
fn every_event_fits_a_question_that_names_no_time() {
    assert_eq!(time_fit(&asked("when did we meet"), at("1950-01-01")), 1.0);
}

#[test]
fn repeated_words_parse_in_one_pass() {
    for word in ["Mon ", "the Monday, ", "a ", "a,", "1a,", "of ", "last ", "from the ", "noon of ", "May the "] {
        let text = word.repeat(40_000);
        // A thread of a server has little room, and a question may be as long as its client likes.
        let read = std::thread::Builder::new().stack_size(512 * 1024).spawn(move || {
            let begun = std::time::Instant::now();
            let _ = (explicit_time(&format!("7 {text}")), parse_time_query(&text, at(NOW)));
            begun.elapsed()
        });
        let took = read.unwrap().join().unwrap();
        assert!(took.as_secs() < 10, "{word:?} took {took:?}");
    }
}
