use super::{NOW, at, shown, span};
use crate::temporal::{ConstraintStrength, TemporalRelation, parse_time_query};
use ConstraintStrength::{Hard, Soft};
use TemporalRelation::{After, Before, During, Since, Until};

#[test]
fn relative_times_are_resolved_from_now() {
    let cases = [
        // By the calendar.
        ("What did we do in May 2023?", During, Hard, "2023-05-01..2023-06-01", "in May 2023"),
        ("Who came on 7 May 2023?", During, Hard, "2023-05-07..2023-05-08", "on 7 May 2023"),
        ("Where did she live in 2022?", During, Hard, "2022-01-01..2023-01-01", "in 2022"),
        (
            "What happened between March and June 2023?",
            During,
            Hard,
            "2023-03-01..2023-07-01",
            "between March and June 2023",
        ),
        ("trips between 2019 and 2021", During, Hard, "2019-01-01..2022-01-01", "between 2019 and 2021"),
        ("between March and June", During, Hard, "2023-03-01..2023-07-01", "between March and June"),
        ("from November to February", During, Hard, "2022-11-01..2023-03-01", "from November to February"),
        ("What changed since 2021?", Since, Hard, "2021-01-01..end", "since 2021"),
        ("anything before 3 March 2024?", Before, Hard, "start..2024-03-03", "before 3 March 2024"),
        ("what came after the 5th of May", After, Hard, "2023-05-06..end", "after the 5th of May"),
        ("all until June", Until, Hard, "start..2023-07-01", "until June"),
        ("done by May?", Until, Hard, "start..2023-06-01", "by May"),
        ("prior to 2020", Before, Hard, "start..2020-01-01", "prior to 2020"),
        ("no later than 3 March 2023", Until, Hard, "start..2023-03-04", "no later than 3 March 2023"),
        ("on or after 3 March 2023", Since, Hard, "2023-03-03..end", "on or after 3 March 2023"),
        ("from 2019 on", Since, Hard, "2019-01-01..end", "from 2019 on"),
        ("from May 2022 onwards", Since, Hard, "2022-05-01..end", "from May 2022 onwards"),
        ("what happened in may", During, Hard, "2023-05-01..2023-06-01", "in may"),
        ("What did I plan in August?", During, Hard, "2022-08-01..2022-09-01", "in August"),
        ("What will we do in August?", During, Hard, "2023-08-01..2023-09-01", "in August"),
        ("the October release", During, Hard, "2022-10-01..2022-11-01", "the October"),
        ("on 3 May", During, Hard, "2023-05-03..2023-05-04", "on 3 May"),
        ("on the 20th?", During, Hard, "2023-05-20..2023-05-21", "on the 20th"),
        ("around May 2023", During, Soft, "2023-05-01..2023-06-01", "around May 2023"),
        ("goals for Q1", During, Hard, "nothing", ""),
        ("goals in Q1", During, Hard, "2023-01-01..2023-04-01", "in Q1"),
        ("in May last year", During, Hard, "2022-05-01..2022-06-01", "in May last year"),
        ("at 3 pm on 7 May 2023", During, Hard, "2023-05-07T15:00:00..2023-05-07T16:00:00", "at 3 pm on 7 May 2023"),
        ("late 2022", During, Hard, "2022-09-02..2023-01-01", "late 2022"),
        // Days.
        ("What did I eat today?", During, Hard, "2023-06-15..2023-06-16", "today"),
        ("What did I say yesterday?", During, Hard, "2023-06-14..2023-06-15", "yesterday"),
        ("yesterday's meeting", During, Hard, "2023-06-14..2023-06-15", "yesterday's"),
        ("yesterday morning", During, Hard, "2023-06-14T05:00:00..2023-06-14T12:00:00", "yesterday morning"),
        ("yesterday at 3pm", During, Hard, "2023-06-14T15:00:00..2023-06-14T16:00:00", "yesterday at 3pm"),
        ("the day before yesterday", During, Hard, "2023-06-13..2023-06-14", "the day before yesterday"),
        ("what is on tomorrow", During, Hard, "2023-06-16..2023-06-17", "tomorrow"),
        ("this morning", During, Hard, "2023-06-15T05:00:00..2023-06-15T12:00:00", "this morning"),
        ("last night", During, Hard, "2023-06-14T18:00:00..2023-06-15T06:00:00", "last night"),
        ("tonight", During, Hard, "2023-06-15T18:00:00..2023-06-16T06:00:00", "tonight"),
        ("last Friday", During, Hard, "2023-06-09..2023-06-10", "last Friday"),
        ("last Thursday", During, Hard, "2023-06-08..2023-06-09", "last Thursday"),
        ("this Friday", During, Hard, "2023-06-16..2023-06-17", "this Friday"),
        ("next Friday", During, Hard, "2023-06-16..2023-06-17", "next Friday"),
        ("What did we do on Monday?", During, Hard, "2023-06-12..2023-06-13", "on Monday"),
        ("What will we do on Monday?", During, Hard, "2023-06-19..2023-06-20", "on Monday"),
        ("on sat?", During, Hard, "2023-06-10..2023-06-11", "on sat"),
        ("since Monday", Since, Hard, "2023-06-12..end", "since Monday"),
        ("before last Friday", Before, Hard, "start..2023-06-09", "before last Friday"),
        ("Tuesday evening calls", During, Hard, "2023-06-13T17:00:00..2023-06-14", "Tuesday evening"),
        // Weeks, months and years.
        ("What did I do last week?", During, Hard, "2023-06-05..2023-06-12", "last week"),
        ("this week", During, Hard, "2023-06-12..2023-06-19", "this week"),
        ("next week", During, Hard, "2023-06-19..2023-06-26", "next week"),
        ("last weekend", During, Hard, "2023-06-10..2023-06-12", "last weekend"),
        ("last month", During, Hard, "2023-05-01..2023-06-01", "last month"),
        ("last month's report", During, Hard, "2023-05-01..2023-06-01", "last month's"),
        ("last year", During, Hard, "2022-01-01..2023-01-01", "last year"),
        ("since last year", Since, Hard, "2022-01-01..end", "since last year"),
        ("this year", During, Hard, "2023-01-01..2024-01-01", "this year"),
        ("last quarter", During, Hard, "2023-01-01..2023-04-01", "last quarter"),
        ("the week before last", During, Hard, "2023-05-29..2023-06-05", "the week before last"),
        ("last May", During, Hard, "2023-05-01..2023-06-01", "last May"),
        ("last June", During, Hard, "2022-06-01..2022-07-01", "last June"),
        ("last summer", During, Hard, "2022-06-01..2022-09-01", "last summer"),
        ("last winter", During, Hard, "2022-12-01..2023-03-01", "last winter"),
        ("this summer", During, Hard, "2023-06-01..2023-09-01", "this summer"),
        ("summer 2023", During, Hard, "2023-06-01..2023-09-01", "summer 2023"),
        ("over the winter", During, Hard, "2022-12-01..2023-03-01", "over the winter"),
        ("the end of last year", During, Hard, "2022-09-02..2023-01-01", "the end of last year"),
        ("the weekend before last", During, Hard, "2023-06-03..2023-06-05", "the weekend before last"),
        (
            "What did Joanna finish last Friday on 23 January, 2022?",
            During,
            Hard,
            "2022-01-23..2022-01-24",
            "on 23 January, 2022",
        ),
        (
            "last weekend before April 10, 2023",
            During,
            Hard,
            "2023-04-08..2023-04-10",
            "last weekend before April 10, 2023",
        ),
        ("first half of September 2022", During, Hard, "2022-09-01..2022-09-16", "first half of September 2022"),
        ("What have you been up to this week?", During, Hard, "2023-06-12..2023-06-19", "this week"),
        ("What did she take part in last week?", During, Hard, "2023-06-05..2023-06-12", "last week"),
        ("everything up to last week", Until, Hard, "start..2023-06-12", "up to last week"),
        ("the weekend before 25 May 2023", During, Hard, "2023-05-20..2023-05-22", "the weekend before 25 May 2023"),
        ("the last two weeks of May 2023", During, Hard, "2023-05-18..2023-06-01", "the last two weeks of May 2023"),
        ("by the end of the year", Until, Hard, "start..2024-01-01", "by the end of the year"),
        ("from Monday to Friday", During, Hard, "2023-06-05..2023-06-10", "from Monday to Friday"),
        ("will I swim from Monday to Friday", During, Hard, "2023-06-19..2023-06-24", "from Monday to Friday"),
        ("what happened on may 5", During, Hard, "2023-05-05..2023-05-06", "on may 5"),
        ("What did I say about the May 5 meeting?", During, Hard, "2023-05-05..2023-05-06", "the May 5"),
        ("1st quarter 2024", During, Hard, "2024-01-01..2024-04-01", "1st quarter 2024"),
        // Counted.
        ("two weeks ago", During, Hard, "2023-05-29..2023-06-05", "two weeks ago"),
        ("a year ago", During, Hard, "2022-01-01..2023-01-01", "a year ago"),
        ("3 days ago", During, Hard, "2023-06-12..2023-06-13", "3 days ago"),
        ("a few days ago", During, Soft, "2023-06-12..2023-06-13", "a few days ago"),
        ("a couple of months ago", During, Soft, "2023-04-01..2023-05-01", "a couple of months ago"),
        ("an hour ago", During, Hard, "2023-06-15T10:30:00..2023-06-15T11:30:00", "an hour ago"),
        ("about two months ago", During, Soft, "2023-04-01..2023-05-01", "about two months ago"),
        ("what will happen in two days?", During, Hard, "2023-06-17..2023-06-18", "in two days"),
        ("in the last month", During, Hard, "2023-05-15T12:00:00..2023-06-15T12:00:01", "in the last month"),
        ("more than two months ago", Before, Hard, "start..2023-04-01", "more than two months ago"),
        ("in the last 3 days", During, Hard, "2023-06-12T12:00:00..2023-06-15T12:00:01", "in the last 3 days"),
        ("the last twelve months", During, Hard, "2022-06-15T12:00:00..2023-06-15T12:00:01", "the last twelve months"),
        ("in the past month", During, Hard, "2023-05-15T12:00:00..2023-06-15T12:00:01", "in the past month"),
        ("over the last day", During, Hard, "2023-06-14T12:00:00..2023-06-15T12:00:01", "over the last day"),
        ("next 2 weeks", During, Hard, "2023-06-15T12:00:00..2023-06-29T12:00:00", "next 2 weeks"),
        ("What have I read recently?", During, Soft, "2023-06-01T12:00:00..2023-06-15T12:00:01", "recently"),
        ("the other day", During, Soft, "2023-06-08T12:00:00..2023-06-15T12:00:01", "the other day"),
        ("recently, I mean last week", During, Hard, "2023-06-05..2023-06-12", "last week"),
    ];
    for (text, relation, strength, expected, matched) in cases {
        let query = parse_time_query(text, at(NOW));
        if expected == "nothing" {
            assert_eq!(query, None, "{text}");
            continue;
        }
        let query = query.unwrap_or_else(|| panic!("nothing in {text}"));
        assert_eq!(shown(query.span), shown(Some(span(expected))), "{text}");
        assert_eq!((query.relation, query.strength), (relation, strength), "{text}");
        assert_eq!(query.matched, matched, "{text}");
        assert!(!query.asks_when, "{text}");
    }
}

#[test]
fn questions_that_ask_when_are_recognised() {
    let cases = [
        ("When did Caroline go to the talk?", "When did"),
        ("when was the release", "when was"),
        ("When's the party?", "When's the"),
        ("What date did we sign?", "What date"),
        ("On which day did she leave?", "which day"),
        ("How long ago did I move?", "How long ago"),
        ("how many weeks ago did I buy it", "how many weeks ago"),
        ("Do you remember when I joined?", "when I"),
        ("when?", "when"),
        ("When Jon has lost his job as a banker?", "When Jon"),
    ];
    for (text, matched) in cases {
        let query = parse_time_query(text, at(NOW)).unwrap_or_else(|| panic!("nothing in {text}"));
        assert!(query.asks_when, "{text}");
        assert_eq!((query.span, query.relation, query.strength), (None, During, Soft), "{text}");
        assert_eq!(query.matched, matched, "{text}");
    }
    let both = parse_time_query("When in May 2023 did we meet?", at(NOW)).unwrap();
    assert_eq!(shown(both.span), shown(Some(span("2023-05-01..2023-06-01"))));
    let both = parse_time_query("In which month of 2022 did we travel?", at(NOW)).unwrap();
    assert_eq!((both.asks_when, both.span), (true, Some(span("2022-01-01..2023-01-01"))));
    let both = parse_time_query("When did we meet last week?", at(NOW)).unwrap();
    assert!(both.asks_when && both.span.is_some());
}

#[test]
fn event_references_return_the_relation_and_words() {
    let cases = [
        ("What did we test before the release?", Before, "before the release"),
        ("After the move, what changed?", After, "After the move"),
        ("What broke after we moved to Berlin?", After, "after we moved to Berlin"),
        ("What has changed since the migration", Since, "since the migration"),
        ("before the wedding what did she say", Before, "before the wedding"),
    ];
    for (text, relation, matched) in cases {
        let query = parse_time_query(text, at(NOW)).unwrap_or_else(|| panic!("nothing in {text}"));
        assert_eq!((query.span, query.relation, query.matched.as_str()), (None, relation, matched), "{text}");
        assert!(!query.asks_when, "{text}");
    }
}

#[test]
fn lookalike_words_are_not_times() {
    let cases = [
        "",
        "What is her last name?",
        "it may rain",
        "may I ask something",
        "which 5 may enter",
        "the second option",
        "a second opinion",
        "on the 5th floor?",
        "they march on",
        "in the march",
        "we sat in the sun",
        "who sat down",
        "effect on sun exposure",
        "the last one",
        "in the past",
        "next steps",
        "this thing",
        "the fall of Rome",
        "every Monday we meet",
        "on Mondays",
        "on a Monday",
        "last week of the month",
        "What did June say to April?",
        "version 2023.1",
        "port 2019",
        "does 5 pm work",
        "have I seen this before?",
        "who looks after the dog",
        "before and after",
        "after all",
        "the most recent one",
        "how many weeks of leave do I have",
        "what did I eat when I was hungry",
        "which time zone am I in",
        "more than 2000",
        "the first day of school",
        "late for dinner",
        "at the end of the day",
        "a few days",
        "take it twice a week",
        "a quarter of it",
    ];
    for text in cases {
        let query = parse_time_query(text, at(NOW));
        assert!(query.is_none(), "{text}: {query:?}");
    }
}
