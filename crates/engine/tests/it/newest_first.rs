//! What comes first, and what comes beside it: the newest statement, the second step of a question, all of a list.

use elfmem_engine::{Learn, Models, Options, Recall};

use crate::fixtures::{TestMemory, open_memory, options};
use crate::{clock, memory};

/// A memory with notes, each with a tag or none, stored a minute apart, with the default model.
fn with_notes(notes: &[(&str, &str)]) -> TestMemory {
    let clock = clock();
    let memory = open_memory(Options { models: Models::default(), ..options(&clock) });
    for (text, tag) in notes {
        let note = Learn::new(*text);
        memory.learn(if tag.is_empty() { note } else { note.tag(*tag) }).unwrap();
        clock.forward_minutes(1.0);
    }
    memory
}

fn answers(memory: &TestMemory, question: &str) -> Vec<String> {
    let found = memory.recall(Recall::new(question).preview()).unwrap();
    found.blocks.into_iter().map(|block| block.content).collect()
}

const PARCELS: &str = "Parcels are left with the bakery next door.";
const PARCELS_NOW: &str = "The bakery has closed, parcels go to the kiosk at the corner instead.";
const MILK: &str = "The milkman comes on Mondays.";

#[test]
fn a_note_of_a_change_leads_and_marks_the_one_it_replaces() {
    let memory = with_notes(&[(PARCELS, "topic/post"), (MILK, "topic/food"), (PARCELS_NOW, "topic/post")]);
    let found = memory.recall(Recall::new("Where are parcels left?").preview()).unwrap();
    assert_eq!(found.blocks[0].content, PARCELS_NOW, "{found:?}");
    let older = found.blocks.iter().find(|block| block.content == PARCELS).unwrap();
    assert_eq!(older.newer.as_ref(), Some(&found.blocks[0].id));
    assert_eq!(answers(&memory, "Where were parcels left before?")[0], PARCELS);
}

#[test]
fn notes_with_other_tags_must_be_nearer_to_replace_each_other() {
    let same = with_notes(&[(PARCELS, "topic/post"), (PARCELS_NOW, "topic/post")]);
    assert_eq!(answers(&same, "Which shop takes the parcels?")[0], PARCELS_NOW);
    let other = with_notes(&[
        ("The red van is parked behind the barn.", "topic/vehicles"),
        ("The new dog sleeps behind the barn now.", "topic/animals"),
    ]);
    assert_eq!(answers(&other, "What is parked behind the barn?")[0], "The red van is parked behind the barn.");
}

#[test]
fn a_number_of_the_question_must_be_in_the_note_that_replaces_another() {
    let memory = with_notes(&[
        ("Locker 4 holds the ropes.", "topic/lockers"),
        ("Locker 9 holds the paint now, it is new.", "topic/lockers"),
    ]);
    assert_eq!(answers(&memory, "What does locker 4 hold?")[0], "Locker 4 holds the ropes.");
}

#[test]
fn before_a_clause_about_the_present_does_not_ask_for_the_past() {
    let memory = with_notes(&[
        ("Three signatures are needed before a contract is sent.", "topic/contracts"),
        ("One signature is enough now before a contract is sent.", "topic/contracts"),
    ]);
    let found = answers(&memory, "How many signatures does a contract need before it is sent?");
    assert_eq!(found[0], "One signature is enough now before a contract is sent.");
}

#[test]
fn a_name_in_the_best_note_leads_to_the_second() {
    let mut notes = vec![
        ("Oskar has the key to the boathouse.", "topic/keys"),
        ("Oskar cannot work on Wednesdays, ring him in the evening.", "topic/people"),
    ];
    let others = [
        "Ring the plumber in the evening only.",
        "The boat needs a new coat of paint.",
        "Wednesdays are for the choir.",
        "The house is painted every five years.",
        "The key to the shed hangs in the kitchen.",
        "Work on the roof begins in May.",
        "Nobody works in the evening.",
    ];
    notes.extend(others.map(|text| (text, "topic/other")));
    let memory = with_notes(&notes);
    let question = "On which day is the person away who has the key to the boathouse?";
    let found = memory.recall(Recall::new(question).top_k(9).include_weak().preview()).unwrap();
    let second = found.blocks.iter().find(|block| block.content.starts_with("Oskar cannot")).unwrap();
    let via = second.explain.via.as_ref().unwrap();
    assert_eq!((via.block_id.clone(), via.relation.as_str()), (found.blocks[0].id.clone(), "same_name"), "{found:?}");
}

#[test]
fn a_list_brings_more_than_five_and_no_more_than_asked_for_below_that() {
    let memory = memory();
    for name in ["Pavel", "Quentin", "Rosa", "Sven", "Thea", "Ugo", "Vera", "Willem"] {
        memory.learn(format!("{name} is a volunteer of the repair café")).unwrap();
    }
    let count = |recall: Recall| memory.recall(recall.preview()).unwrap().blocks.len();
    assert_eq!(count(Recall::new("Which volunteers does the repair café have?")), 8);
    assert_eq!(count(Recall::new("Which volunteers does the repair café have?").top_k(3)), 3);
    assert!((1..=5).contains(&count(Recall::new("Is Rosa a volunteer of the repair café?"))));
}

/// The texts that answer, before and after a dream.
fn twice(notes: &[(&str, &str)], question: &str) -> [Vec<String>; 2] {
    let memory = with_notes(notes);
    let before = answers(&memory, question);
    memory.consolidate().unwrap();
    [before, answers(&memory, question)]
}

#[test]
fn a_question_about_the_part_that_still_holds_is_answered_by_the_older_note() {
    let nurse = "Anna works as a nurse and lives in Porto";
    let moved = "Anna moved to Lisbon";
    let gym = "The gym costs 30 euros a month and closes at ten";
    let raised = "The gym raised its price to 35 euros";
    let pairs = [
        (nurse, moved, "What is Anna's job?", nurse),
        (nurse, moved, "Where does Anna live?", moved),
        (gym, raised, "When does the gym close?", gym),
        (gym, raised, "How much does the gym cost?", raised),
    ];
    for (older, newer, question, first) in pairs {
        for found in twice(&[(older, "topic/a"), (newer, "topic/a")], question) {
            assert_eq!(found.first().map(String::as_str), Some(first), "{question} {found:?}");
        }
    }
}

#[test]
fn a_frame_renders_the_newest_statement_before_the_one_it_replaces() {
    let memory = with_notes(&[
        ("Dr Miller lives in Bonn and works as a dentist", "topic/a"),
        ("Dr Miller has moved to Kassel", "topic/a"),
    ]);
    let text = memory.frame(Recall::new("Where does Dr Miller live?").preview()).unwrap().text;
    let at = |part: &str| text.find(part).unwrap();
    assert!(at("Kassel") < at("Bonn"), "{text}");
}

#[test]
fn a_question_about_the_past_reaches_what_was_replaced() {
    let memory = with_notes(&[
        ("A standard consultation costs 42 pounds", "topic/prices"),
        ("A standard consultation costs 48 pounds now", "topic/prices"),
    ]);
    memory.consolidate().unwrap();
    assert_eq!(answers(&memory, "What does a consultation cost?"), ["A standard consultation costs 48 pounds now"]);
    for question in [
        "What did a consultation cost before?",
        "What did a consultation use to cost?",
        "What did a consultation cost previously?",
    ] {
        let found = memory.recall(Recall::new(question).preview()).unwrap().blocks;
        assert_eq!(found[0].content, "A standard consultation costs 42 pounds", "{question} {found:?}");
        assert_eq!(found[0].superseded_by.as_ref(), Some(&found[1].id), "{question}");
        let text = memory.frame(Recall::new(question).preview()).unwrap().text;
        assert!(text.find("42 pounds") < text.find("48 pounds"), "{text}");
    }
}

#[test]
fn a_stated_time_reaches_what_held_then() {
    let clock = clock();
    let memory = open_memory(Options { models: Models::default(), ..options(&clock) });
    for (text, day) in [
        ("The rent of the studio is 700 euros", "2024-01-01"),
        ("The rent of the studio is 800 euros now", "2024-06-01"),
    ] {
        memory.learn(Learn::new(text).event_at(format!("{day}T00:00:00Z").parse().unwrap())).unwrap();
        clock.forward_minutes(1.0);
    }
    memory.consolidate().unwrap();
    assert_eq!(answers(&memory, "What is the rent of the studio?"), ["The rent of the studio is 800 euros now"]);
    assert_eq!(
        answers(&memory, "What was the rent of the studio in March 2024?")[0],
        "The rent of the studio is 700 euros"
    );
    assert_eq!(
        answers(&memory, "What was the rent of the studio in August 2024?")[0],
        "The rent of the studio is 800 euros now"
    );
}

#[test]
fn a_note_about_somebody_else_is_hardly_relevant() {
    let memory = with_notes(&[
        ("Emil's birthday is on 3 May", "topic/people"),
        ("Clara likes chess", "topic/people"),
        ("The bakery opens at six", "topic/town"),
    ]);
    memory.consolidate().unwrap();
    let relevance = |question: &str| {
        let found = memory.recall(Recall::new(question).include_weak().preview()).unwrap();
        found
            .blocks
            .iter()
            .find(|block| block.content.starts_with("Emil"))
            .map_or(0.0, |block| block.relevance.unwrap())
    };
    assert!(relevance("When is Emil's birthday?") > 0.9);
    for question in ["When is Clara's birthday?", "When is Paul's birthday?"] {
        assert!(relevance(question) < 0.3, "{question} {}", relevance(question));
    }
}

#[test]
fn who_the_question_names_outweighs_a_verb() {
    let mut notes = vec![("Anna is allergic to peanuts", "topic/people"), ("Anna plays tennis", "topic/people")];
    let others = [
        "The goats must not eat bread",
        "Felix can eat in the canteen for free",
        "We eat at noon on Fridays",
        "Anna has the key to the shed",
        "Anna drives the van on Mondays",
        "The canteen closes in August",
    ];
    notes.extend(others.map(|text| (text, "topic/other")));
    let memory = with_notes(&notes);
    memory.consolidate().unwrap();
    assert_eq!(answers(&memory, "What can't Anna eat?")[0], "Anna is allergic to peanuts");
}

#[test]
fn news_about_the_same_person_does_not_come_before_what_is_asked_about_them() {
    for (fact, news, question) in [
        ("Luca speaks Italian, German and English.", "Luca does marketing now.", "What languages does Luca speak?"),
        ("Luca plays the oboe.", "Luca does marketing now.", "Which instrument does Luca play?"),
        ("Priya is vegetarian.", "Priya moved to Kiel.", "Does Priya eat meat?"),
    ] {
        let memory = with_notes(&[(fact, ""), (news, ""), ("The kettle is in the cellar.", "")]);
        assert_eq!(answers(&memory, question).first().map(String::as_str), Some(fact), "{question}");
    }
}
