//! Examples per verdict and kind of contradiction, and properties for any text.

use proptest::prelude::*;

use super::*;

fn at(cosine: f64, older: &str, newer: &str) -> Verdict {
    judge(older, newer, cosine, PairThresholds::BUILT_IN)
}

fn is_merged(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Duplicate { .. } | Verdict::NearDuplicate { .. })
}

#[track_caller]
fn assert_duplicates(pairs: &[(&str, &str)]) {
    for (older, newer) in pairs {
        let verdict = at(0.8, older, newer);
        assert!(matches!(verdict, Verdict::Duplicate { .. }), "{older} / {newer}: {verdict:?}");
    }
}

#[track_caller]
fn assert_contradictions(wanted: ContradictionKind, pairs: &[(&str, &str)]) {
    for (older, newer) in pairs {
        match at(0.9, older, newer) {
            Verdict::Contradiction { kind, score, .. } => {
                assert_eq!(kind, wanted, "{older} / {newer}");
                assert!((0.8..=1.0).contains(&score), "{older} / {newer}: {score}");
            }
            verdict => panic!("{older} / {newer}: {verdict:?}"),
        }
    }
}

#[track_caller]
fn assert_updates(pairs: &[(&str, &str)]) {
    for (older, newer) in pairs {
        let verdict = at(0.8, older, newer);
        assert!(matches!(verdict, Verdict::Update { .. }), "{older} / {newer}: {verdict:?}");
    }
}

#[track_caller]
fn assert_distinct(pairs: &[(&str, &str)]) {
    for (older, newer) in pairs {
        let verdict = at(0.9, older, newer);
        assert!(matches!(verdict, Verdict::Distinct { .. }), "{older} / {newer}: {verdict:?}");
    }
}

#[test]
fn formatting_differences_make_duplicates() {
    assert_duplicates(&[
        ("The hull is painted gray", "- The **hull** is painted grey."),
        ("We don't ship on Fridays!", "We do not ship on Fridays"),
        ("Pump pressure: 4 bar", "The pump pressure is four bar."),
        ("The ferry leaves at 5 pm.", "The ferry leaves at 17:00"),
        ("The audit starts on 2031-02-09", "The audit starts on 9 February 2031."),
        ("Budget: $3.5k", "The budget is $3,500."),
        ("Take 20 mg twice a day", "Take 20 milligrams twice per day."),
        ("The tram runs at 40 km/h", "The tram runs at 40 kilometres per hour."),
        ("Her e-mail signature is in the wiki", "Her email signature is in the wiki."),
        ("The UN resolution passed", "the UN resolution passed!!"),
        ("FYI: the cellar floods in spring", "The cellar floods in spring, thanks for asking."),
    ]);
}

#[test]
fn close_paraphrases_are_near_duplicates() {
    for (older, newer) in [
        ("The gate is closed.", "The gate is not open."),
        ("We definitly buy local milk", "We definitely buy local milk"),
        ("Guests begin arriving at noon", "Guests start arriving at noon"),
        ("The club hired a coach in Bergen last autumn", "Last autumn the club hired a coach in Bergen"),
    ] {
        let verdict = at(0.97, older, newer);
        assert!(matches!(verdict, Verdict::NearDuplicate { .. }), "{older} / {newer}: {verdict:?}");
    }
}

#[test]
fn a_moved_phrase_needs_a_near_cosine() {
    let (older, newer) = ("The club hired a coach in Bergen", "In Bergen the club hired a coach");
    assert!(is_merged(&at(0.97, older, newer)));
    assert!(!is_merged(&at(0.90, older, newer)));
}

#[test]
fn numbers_contradict() {
    assert_contradictions(
        ContradictionKind::Number,
        &[
            ("The proxy listens on port 7000.", "The proxy listens on port 7100."),
            ("My uncle keeps nine goats.", "My uncle keeps six goats."),
            ("The vault is on the second floor", "The vault is on the fifth floor"),
            ("The jetty is 40 m long.", "The jetty has a length of 55 m."),
            ("We pin the parser to 2.4.1", "We pin the parser to 2.5.0"),
        ],
    );
}

#[test]
fn dates_and_times_contradict() {
    assert_contradictions(
        ContradictionKind::Date,
        &[
            ("The hearing is on 3 April.", "The hearing is on 13 April."),
            ("The mill burned down in 1811.", "The mill burned down in 1818."),
            ("Choir practice is on Tuesdays", "Choir practice is on Thursdays"),
            ("The gallery opens at 9 am", "The gallery opens at 10:00"),
        ],
    );
}

#[test]
fn names_and_roles_contradict() {
    assert_contradictions(
        ContradictionKind::Name,
        &[
            ("The editor of the gazette is Ruth Amsel.", "The editor of the gazette is Igor Brandt."),
            ("Ruth is the editor of the gazette", "Igor is the editor of the gazette"),
            ("The opera was composed by Lindgren", "The opera was composed by Sato"),
            ("Otters beat Herons in the cup", "Herons beat Otters in the cup"),
            ("I prefer plums to pears", "I prefer pears to plums"),
        ],
    );
}

#[test]
fn negations_contradict() {
    assert_contradictions(
        ContradictionKind::Negation,
        &[
            ("The valve leaks.", "The valve doesn't leak."),
            ("The soup contains celery", "There is no celery in the soup"),
            ("The climbers reached the hut", "The climbers failed to reach the hut"),
            ("Rita can swim", "Rita never could swim"),
        ],
    );
}

#[test]
fn opposites_contradict() {
    assert_contradictions(
        ContradictionKind::Antonym,
        &[
            ("Telemetry is enabled by default.", "Telemetry is disabled by default."),
            ("The council accepted the plan", "The council rejected the plan"),
            ("The path is steep", "The path is flat"),
            ("Add the yeast before the salt", "Add the yeast after the salt"),
            ("The records are mutable", "The records are immutable"),
            ("The pump is on", "The pump is off"),
            ("The boat is red", "The boat is green"),
        ],
    );
}

#[test]
fn quantities_contradict() {
    assert_contradictions(
        ContradictionKind::Quantity,
        &[
            ("All the lamps work.", "Some of the lamps don't work."),
            ("None of the lamps work", "Several of the lamps work"),
            ("He always walks to work", "He never walks to work"),
            ("The rope is at least 20 m long", "The rope is at most 15 m long"),
            ("An order has exactly one owner", "An order has several owners"),
            ("Most members voted by letter", "Few members voted by letter"),
        ],
    );
}

#[test]
fn different_subjects_are_distinct() {
    assert_distinct(&[
        ("Ann's desk is by the door", "Ben's desk is by the window"),
        ("The staging cache holds 4 GB", "The production cache holds 16 GB"),
        ("On Monday we fixed the gutter", "On Tuesday we fixed the fence"),
        ("Lane 3 is closed", "Lane 4 is not closed"),
        ("Otto hates cricket", "Otto's sister loves cricket"),
        ("Kay is allergic to wool", "Kay is not allergic to silk"),
        ("The upper lock is shut", "The lower lock is open"),
        ("The yield was 3 % in the first run", "The yield was 5 % in the second run"),
        ("I like tea", "She doesn't like tea"),
        ("Is the sauna open?", "The sauna is not open."),
    ]);
}

#[test]
fn compatible_statements_are_distinct() {
    assert_distinct(&[
        ("Zoe plays the harp", "Zoe plays the flute"),
        ("We met Carl on Monday", "We met Carl on Friday"),
        ("I have an older sister", "I have a younger sister"),
        ("Take one drop in the morning", "Take two drops in the evening"),
        ("Some guests came by boat", "All guests came by boat"),
    ]);
}

#[test]
fn paraphrases_are_never_contradictions() {
    for (older, newer) in [
        ("Uma is older than Finn", "Finn is younger than Uma"),
        ("Wash the rice before cooking it", "Cook the rice after washing it"),
        ("Kim sold the sloop to Lee", "Lee bought the sloop from Kim"),
        ("You need a permit to fish here", "Fishing here is not possible without a permit"),
        ("None of the pupils failed", "All the pupils passed"),
        ("The cat was chased by the dog", "The dog chased the cat"),
        ("Nobody but staff may enter", "Only staff may enter"),
    ] {
        let verdict = at(0.9, older, newer);
        assert!(
            !matches!(verdict, Verdict::Contradiction { .. } | Verdict::Update { .. }),
            "{older} / {newer}: {verdict:?}"
        );
    }
}

#[test]
fn announced_changes_are_updates() {
    assert_updates(&[
        ("The quota is 40 GB.", "The quota is now 60 GB."),
        ("We bake with rye flour", "We no longer bake with rye flour"),
        ("We chat on Hugin", "We switched from Hugin to Munin"),
        ("The review is on Monday", "The review was moved to Friday"),
        ("The pier is closed", "The pier has reopened"),
        ("The port fee is 12 euros", "The port fee was raised to 15 euros"),
        ("Imports run daily", "As of June, imports run hourly"),
        ("The export is a CSV file", "Since May the export is a JSON file instead of a CSV file"),
    ]);
}

#[test]
fn a_change_of_another_subject_is_not_an_update() {
    assert_distinct(&[
        ("The bakery is on Mill Road", "The butcher has moved to Mill Road"),
        ("Ida works at the harbour", "Ida's brother no longer works at the harbour"),
        ("The cellar is damp", "We painted the kitchen last week"),
    ]);
}

#[test]
fn reasons_name_the_deciding_words() {
    assert_eq!(at(0.9, "The port is 5432", "The port is 5433").reason(), "'5432' became '5433'");
    assert_eq!(at(0.9, "The valve leaks", "The valve does not leak").reason(), "negated: 'not'");
    assert!(at(0.9, "The path is steep", "The path is flat").reason().contains("'steep' and 'flat'"));
}

#[test]
fn a_low_cosine_makes_pairs_distinct() {
    let (older, newer) =
        ("The curator of the old print museum is friendly", "The old museum of prints is not friendly");
    assert!(!matches!(at(0.2, older, newer), Verdict::Contradiction { .. }));
    assert!(matches!(at(0.2, "The valve leaks", "The valve does not leak"), Verdict::Distinct { .. }));
    // Equal words are duplicates at any cosine.
    assert!(matches!(at(0.0, "The valve leaks", "the valve leaks!"), Verdict::Duplicate { .. }));
    assert!(matches!(at(f64::NAN, "The valve leaks", "The valve does not leak"), Verdict::Distinct { .. }));
}

#[test]
fn the_contradiction_threshold_is_respected() {
    let strict = PairThresholds { contradiction: 1.0, ..PairThresholds::BUILT_IN };
    assert!(matches!(judge("The valve leaks", "The valve doesn't leak", 0.9, strict), Verdict::Distinct { .. }));
}

#[test]
fn texts_without_words_are_distinct() {
    assert!(matches!(at(1.0, "", ""), Verdict::Distinct { .. }));
    assert!(matches!(at(1.0, "!!!", "???"), Verdict::Distinct { .. }));
}

#[test]
fn only_the_sentence_that_differs_is_compared() {
    let older = "The kiln was fired on Sunday. Eva kept watch. The glaze cracked.";
    let newer = "The kiln was fired on Sunday. Eva kept watch. The glaze didn't crack.";
    assert!(matches!(at(0.98, older, newer), Verdict::Contradiction { kind: ContradictionKind::Negation, .. }));
    let turned = "Eva kept watch. The kiln was fired on Sunday. The glaze cracked.";
    assert!(matches!(at(0.98, older, turned), Verdict::NearDuplicate { .. }));
}

/// Random sentences of words that the rules react to.
fn sentence() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "the",
        "a",
        "Ann",
        "Ben's",
        "not",
        "no",
        "never",
        "all",
        "some",
        "few",
        "half",
        "past",
        "than",
        "at",
        "least",
        "most",
        "from",
        "to",
        "now",
        "no longer",
        "moved",
        "instead",
        "of",
        "5",
        "$",
        "€5/month",
        "10 000",
        "3rd",
        "May",
        "Monday",
        "2024",
        "'24",
        "5-7",
        "1/2",
        "Q3",
        "II",
        "is",
        "was",
        "on",
        "off",
        "open",
        "closed",
        "port",
        "cat",
        "cats",
        "per",
        "hour",
        "by",
        "beat",
        "before",
        "after",
        ".",
        ",",
        ":",
        "?",
        "-",
        "~3",
        "w/o",
        "'-'",
        "<b>",
        "&",
        "v1.2",
        "x=3",
        "猫",
    ]);
    prop::collection::vec(words, 0..14).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn any_two_texts_are_judged_without_panic(older in any::<String>(), newer in any::<String>(), cosine in any::<f64>()) {
        at(cosine, &older, &newer);
    }

    #[test]
    fn a_text_is_its_own_duplicate(text in any::<String>(), cosine in -1.0..1.0) {
        let words = AnalysedText::new(&text).has_words();
        prop_assert_eq!(matches!(at(cosine, &text, &text), Verdict::Duplicate { .. }), words);
    }

    #[test]
    fn duplicates_are_duplicates_both_ways(one in sentence(), other in sentence(), cosine in 0.0..1.0) {
        let both = [at(cosine, &one, &other), at(cosine, &other, &one)].map(|v| matches!(v, Verdict::Duplicate { .. }));
        prop_assert_eq!(both[0], both[1]);
        let itself = matches!(at(cosine, &one, &one), Verdict::Duplicate { .. });
        prop_assert_eq!(itself, AnalysedText::new(&one).has_words());
    }

    #[test]
    fn scores_are_in_range_and_reasons_are_given(one in sentence(), other in sentence(), cosine in 0.0..1.0) {
        let verdict = at(cosine, &one, &other);
        prop_assert!(!verdict.reason().is_empty());
        if let Verdict::Contradiction { score, .. } = verdict {
            prop_assert!((PairThresholds::BUILT_IN.contradiction..=1.0).contains(&score));
        }
    }

    #[test]
    fn a_negated_statement_is_never_merged_with_it(noun in "[a-z]{3,9}", verb in "(leaks|works|sleeps|opens)") {
        let base = verb.trim_end_matches('s');
        let verdict = at(0.99, &format!("The {noun} {verb}."), &format!("The {noun} does not {base}."));
        prop_assert!(!is_merged(&verdict));
    }
}
