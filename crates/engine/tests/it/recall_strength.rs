//! Saying so when nothing that is stored answers.

use elfmem_engine::{Recall, Strength};

use crate::fixtures::learn_facts;
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
fn foreign_questions_are_called_weak_and_answerable_ones_strong() {
    let memory = memory();
    learn_facts(&memory);
    for dreamed in [false, true] {
        if dreamed {
            memory.consolidate().unwrap();
        }
        let asked = |question: &str, frame: &str| memory.recall(Recall::new(question).frame(frame).preview()).unwrap();
        for (question, answer) in ANSWERED {
            let found = asked(question, "search");
            assert_eq!(found.strength, Some(Strength::Strong), "{question} {:?}", found.relevance);
            assert!(found.message.is_none(), "{question}");
            assert!(found.blocks.iter().any(|block| block.content.contains(answer)), "{question}: {found:?}");
        }
        for question in FOREIGN {
            let found = asked(question, "search");
            let nearest = &found.blocks[0].content;
            assert_eq!(found.strength, Some(Strength::Weak), "{question} {:?} {nearest}", found.relevance);
            assert!(found.message.as_ref().unwrap().starts_with("The evidence is weak"), "{question}");
            assert!(!found.blocks.is_empty(), "marked, not hidden");
            let shown = memory.frame(Recall::new(question).preview()).unwrap();
            assert_eq!(shown.strength, Some(Strength::Weak), "{question} in attention");
        }
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
