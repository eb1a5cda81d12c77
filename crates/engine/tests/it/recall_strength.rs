//! Saying so when nothing that is stored answers.

use elfmem_engine::{Models, Recall, Strength};

use crate::fixtures::{TestMemory, learn_facts, memory_with};
use crate::memory;

/// Questions that the memory of two hundred facts answers, and a word of the answer.
const ANSWERED: [(&str, &str); 13] = [
    ("What is Maria allergic to?", "peanuts"),
    ("Which port does the database listen on?", "543"),
    ("Where is customer data stored?", "Frankfurt"),
    ("How long does the test suite take?", "eleven"),
    ("When does the nightly backup start?", "02:30"),
    ("What is the cat called?", "Miso"),
    ("Which instrument does Lukas play?", "violin"),
    ("How many hearts does an octopus have?", "hearts"),
    ("Where does basil grow best?", "sun"),
    ("When does the bakery sell rye bread?", "rye"),
    ("What language is the parser written in?", "Rust"),
    ("Who owns the payments service?", "payments"),
    ("When was Sofia born?", "1991"),
];

/// Questions about things it never heard of.
const FOREIGN: [&str; 14] = [
    "Who won the football world cup in Qatar?",
    "How do I renew my driving licence?",
    "What did Napoleon eat for breakfast?",
    "Which vitamins does a pregnant woman need?",
    "How tall is the Eiffel tower?",
    "What is the airspeed of an unladen swallow?",
    "Recommend a good science fiction film",
    "Why did the Roman empire fall?",
    "How do vaccines train the immune system?",
    "What is quantum entanglement?",
    "Who painted the Mona Lisa?",
    "How much does a kidney transplant cost?",
    "Translate good night into Swahili",
    "Which planets did Voyager 2 fly past?",
];

#[test]
fn foreign_questions_are_answered_with_nothing_and_answerable_ones_are_strong() {
    let memory = memory();
    learn_facts(&memory);
    for dreamed in [false, true] {
        if dreamed {
            memory.consolidate().unwrap();
        }
        let asked = |question: &str, frame: &str| memory.recall(Recall::new(question).frame(frame).preview()).unwrap();
        for (question, answer) in ANSWERED {
            let found = asked(question, "search");
            // Before the dream not all blocks have a vector yet.
            let least = if dreamed { Strength::Strong } else { Strength::Doubtful };
            assert!(found.strength >= Some(least), "{question} {:?} {:?}", found.relevance, found.evidence);
            assert!(!dreamed || found.message.is_none(), "{question}: {:?}", found.message);
            assert!(found.blocks.iter().any(|block| block.content.contains(answer)), "{question}: {found:?}");
        }
        let silent = FOREIGN.iter().filter(|question| {
            let found = asked(question, "search");
            let shown = memory.frame(Recall::new(**question).preview()).unwrap();
            assert_eq!(found.strength, shown.strength, "{question} in attention");
            let is_weak = found.strength == Some(Strength::Weak);
            assert_eq!(found.blocks.is_empty(), is_weak, "{question}: {found:?}");
            assert_eq!(is_weak, found.to_string().starts_with("Nothing certain is known"), "{question}: {found}");
            let everything = memory.recall(Recall::new(**question).include_weak().preview()).unwrap();
            assert!(!everything.blocks.is_empty(), "{question}");
            is_weak
        });
        // A memory about birds has something to say about swallows: no threshold is right for all questions.
        let silent = silent.count();
        assert!(silent >= FOREIGN.len() - 3, "{silent} of {}", FOREIGN.len());
    }
}

#[test]
fn without_a_question_nothing_is_called_strong_or_weak() {
    let memory = memory();
    learn_facts(&memory);
    let found = memory.recall(Recall::all().preview()).unwrap();
    assert_eq!((found.strength, found.relevance, found.message), (None, None, None));
    assert!(found.blocks.iter().all(|block| block.relevance.is_none()));
}

/// The notes of a veterinary clinic.
fn clinic_notes() -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/data/memories/clinic.json");
    let file: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    file["facts"].as_array().unwrap().iter().map(|fact| fact["text"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_example_of_the_readme_is_found_among_a_hundred_notes_and_what_nobody_noted_is_not() {
    let memory = memory_with(Models::default());
    let notes = clinic_notes();
    assert!(notes.len() > 100);
    notes.iter().for_each(|note| drop(memory.learn(note.as_str()).unwrap()));
    memory.learn("Maria is allergic to peanuts").unwrap();
    memory.consolidate().unwrap();
    let asked = |question: &str| memory.recall(Recall::new(question).top_k(5).preview()).unwrap();
    let found = asked("who can't eat nuts?");
    assert!(found.blocks.iter().any(|block| block.content == "Maria is allergic to peanuts"), "{found:#?}");
    assert_eq!(asked("what is Maria allergic to?").blocks[0].content, "Maria is allergic to peanuts");
    for question in ["Which visa do I need for Japan?", "Wie backe ich einen Apfelkuchen?"] {
        let unknown = asked(question);
        assert!(unknown.blocks.is_empty(), "{unknown:#?}");
        assert!(unknown.to_string().starts_with("Nothing certain is known about this."), "{unknown}");
    }
}

/// The notes of an assistant about Runa, of which `named` name her.
fn notes_about_runa(named: usize) -> TestMemory {
    let memory = memory_with(Models::default());
    let rooms = ["kitchen", "hall", "attic", "cellar", "garage", "study", "bathroom", "garden", "porch", "landing"];
    for (number, room) in rooms.iter().enumerate() {
        let who = if number < named { "Runa" } else { "She" };
        memory.learn(format!("{who} wants the {room} painted in autumn.")).unwrap();
    }
    memory.learn("Cello lesson on Saturdays at ten with Ilse Marchetti at the Music House.").unwrap();
    memory.consolidate().unwrap();
    memory
}

#[test]
fn a_note_need_not_name_the_person_whom_the_memory_is_about() {
    let relevance = |named: usize| {
        let asked = Recall::new("On what day does Runa have her cello lesson?").include_weak().preview();
        let found = notes_about_runa(named).recall(asked).unwrap();
        found.blocks.iter().find(|block| block.content.starts_with("Cello")).and_then(|block| block.relevance).unwrap()
    };
    let (main, other) = (relevance(10), relevance(2));
    assert!(main > 2.0 * other, "{main} {other}");
}
