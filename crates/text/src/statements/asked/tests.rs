use super::*;

fn answers(question: &str, text: &str) -> Option<AnswerTime> {
    AskedAttribute::parse(question)?.answer(&Statement::parse(text), &[]).map(|answer| answer.time)
}

/// Checks what texts say to questions, all of them before it fails.
fn check(pairs: &[(&str, &str)], expected: Option<AnswerTime>) {
    let wrong: Vec<_> = pairs.iter().filter(|(question, text)| answers(question, text) != expected).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_wording_of_the_attribute_answers() {
    let pairs = [
        ("Where does Tomas live?", "Note: Tomas lives in Bilbao"),
        ("Where does Tomas live?", "Home for Tomas is Faro."),
        ("Where does Tomas live?", "Tomas moved from Porto to Braga."),
        ("Where does Tomas live?", "Tomas no longer lives in Porto but in Faro."),
        ("In which city is Elif's cousin at home?", "Elif's cousin resides in Malmo."),
        ("Where does Olga work?", "Olga has a job at Kantor."),
        ("Who employs Olga?", "Olga works for Kantor."),
        ("Who is Rosa's manager?", "Rosa reports to Salma."),
        ("Who does Rosa report to?", "Salma is Rosa's manager."),
        ("Who is head of the docs team?", "Petra leads the docs team."),
        ("Who leads the docs team?", "Petra is now head of the docs team."),
        ("At which desk does Chiara sit?", "You find Chiara at desk A12."),
        ("What is Chiara's desk?", "Desk of Chiara: A12"),
        ("What is Chiara's desk?", "Chiara moved from desk A12 to desk B07."),
        ("Which editor does Olga use?", "Olga's editor is now Nano."),
        ("What is the port of the wiki?", "The wiki listens on port 8080."),
        ("Which version does the job queue run?", "The job queue is on version 4.0."),
        ("Where is the wiki hosted?", "The wiki is now hosted in Paris."),
        ("What does the wiki cost per month?", "We pay 120 euros a month for the wiki."),
        ("How many members does the docs team have?", "There are 7 people in the docs team."),
        ("Is the wiki up or down?", "Status: the wiki is down."),
        ("When does the gym open?", "Opening time of the gym: 9:00"),
        ("What does the docs team use for chat?", "The chat of the docs team is on Zulip."),
        ("What is the default branch of Wren?", "The default branch of Wren is now main."),
        ("Wo wohnt Yara?", "Yara wohnt jetzt in Lyon."),
        ("Where does Greta work?", "Greta, who lives in Braga, works at Hooli."),
    ];
    check(&pairs, Some(AnswerTime::Now));
}

#[test]
fn what_was_before_is_told_from_what_is() {
    let pairs = [
        ("Where does Chiara live?", "Chiara used to live in Bilbao."),
        ("Where does Chiara live?", "Chiara lived in Bilbao back in January."),
        ("Who does Martina report to?", "Martina used to report to Vera."),
        ("Where does Chiara work?", "Chiara worked at Umbra in March."),
    ];
    check(&pairs, Some(AnswerTime::Before));
}

#[test]
fn other_subjects_and_attributes_do_not_answer() {
    let pairs = [
        ("Where does Chiara live?", "Chiara's neighbour lives in Faro."),
        ("Where does Chiara live?", "A cousin of Chiara lives in Faro."),
        ("Where does Chiara live?", "Chiara sits in room Venus."),
        ("Where does Chiara live?", "Chiara moved to desk B07."),
        ("Where does Chiara live?", "On 3 May Chiara moved the boxes to Cork."),
        ("Where does Chiara work?", "Chiara comes to work by car."),
        ("Where does Chiara work?", "Chiara has taken up climbing."),
        ("Where does Chiara work?", "Chiara moved to Porto."),
        ("What is Bert's desk?", "You find Bert's sister at desk B07."),
        ("What does the data team use for chat?", "The data science team uses Teams for chat."),
        ("What does the data science team use for chat?", "The data team uses Teams for chat."),
        ("Is the web shop up or down?", "The test web shop is down."),
        ("Which version does the billing worker run?", "The billing service runs version 2.1."),
        ("Who is head of the docs team?", "There are 7 people in the docs team."),
        ("Where is the wiki hosted?", "The wiki is down."),
        ("Who employs Dmitri?", "Dmitri's landlord's employer is Velora."),
        ("Which editor does Olga use?", "Olga switched from vim to Nano."),
        ("When does the gym open?", "The gym does not open on Sundays."),
    ];
    check(&pairs, None);
}

#[test]
fn a_change_belongs_to_the_attribute_that_has_its_former_value() {
    let asked = AskedAttribute::parse("Which editor does Olga use?").expect("an attribute");
    let known = asked.answer(&Statement::parse("Olga's editor is vim."), &[]).expect("an answer");
    let change = Statement::parse("Olga switched from vim to Nano.");
    assert_eq!(asked.answer(&change, &[known]).map(|answer| answer.value), Some(vec!["nano".to_owned()]));
}

#[test]
fn questions_without_a_subject_or_an_attribute_ask_for_none() {
    for question in ["What is new?", "Who is Ada?", "What do we know about the wiki?", "How are things?", ""] {
        assert!(AskedAttribute::parse(question).is_none(), "{question}");
    }
}
