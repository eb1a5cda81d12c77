//! Recall by words.

use elfmem_core::BlockStatus;
use elfmem_engine::{Learn, Recall, Strength};

use crate::memory;

#[test]
fn a_plain_question_finds_the_block_that_answers_it_best() {
    let memory = memory();
    for fact in [
        "Maria is allergic to peanuts",
        "Maria lives in Lisbon and works from home",
        "Deploys go out on Tuesdays after the stand-up",
        "The Lisbon office closes at six",
        "getUserName returns null for guests",
    ] {
        memory.learn(fact).unwrap();
    }
    for (question, answer) in [
        ("What is Maria allergic to?", "Maria is allergic to peanuts"),
        ("when do we deploy?", "Deploys go out on Tuesdays after the stand-up"),
        ("where does Maria live?", "Maria lives in Lisbon and works from home"),
        ("when does the office in Lisbon close?", "The Lisbon office closes at six"),
        ("get user name", "getUserName returns null for guests"),
        ("getUserName", "getUserName returns null for guests"),
    ] {
        let found = memory.recall(Recall::new(question).top_k(3)).unwrap();
        assert_eq!(found.blocks[0].content, answer, "{question}");
        assert_eq!(found.blocks[0].status, BlockStatus::Inbox);
        assert!(found.message.is_none());
        assert!(found.blocks.windows(2).all(|pair| pair[0].score >= pair[1].score));
    }
}

#[test]
fn an_empty_answer_says_why_and_what_to_do() {
    let memory = memory();
    let message = |query: &str| memory.recall(query).unwrap().to_string();
    assert_eq!(message("tea"), "Nothing is stored yet. Remember something first, then ask again.");
    memory.learn("Maria is allergic to peanuts").unwrap();
    assert_eq!(message("?!"), "The question has no words to search for. Ask with at least one word.");
    let unknown = memory.recall("How does the immune system work?").unwrap();
    assert!(unknown.blocks.is_empty() && unknown.strength == Some(Strength::Weak), "{unknown:?}");
    assert!(unknown.to_string().starts_with("Nothing certain is known about this. Nearest: "), "{unknown}");
    let everything = memory.recall(Recall::new("How does the immune system work?").include_weak()).unwrap();
    assert_eq!(everything.blocks.len(), 1);
    assert!(everything.to_string().contains("take these as a guess at best"), "{everything}");
    let nothing = "No stored block shares a word or a meaning with the question. Ask with other words, or look \
                   through them with list().";
    let wordless = crate::memory();
    wordless.learn("🙂").unwrap();
    assert_eq!(wordless.recall("tea").unwrap().to_string(), nothing);
}

#[test]
fn no_more_blocks_come_back_than_asked_for() {
    let memory = memory();
    for n in 0..20 {
        memory.learn(format!("apple number {n}")).unwrap();
    }
    assert_eq!(memory.recall(Recall::new("apple").top_k(7)).unwrap().blocks.len(), 7);
    assert!(memory.recall(Recall::new("apple").top_k(0)).unwrap().to_string().starts_with("No blocks were asked for"));
}

#[test]
fn tags_are_searched_and_matched_words_are_named() {
    let memory = memory();
    memory.learn(Learn::new("The port is 5433").tag("topic/postgres")).unwrap();
    let hit = memory.recall(Recall::new("postgres port").top_k(1)).unwrap().blocks.remove(0);
    assert_eq!(hit.matched, ["postgr", "port"]);
    assert!((0.0..=1.0).contains(&hit.score));
}

#[test]
fn hostile_queries_are_just_text() {
    let memory = memory();
    memory.learn("plain words about שלום and 日本語").unwrap();
    let long = "plain OR \"NEAR( ".repeat(7_000);
    for query in ["\" OR 1 --", "NOT", "* ^ : - + ( ) { }", "nul\0byte", "🧠🧠", "\u{202e}plain", &long] {
        let result = memory.recall(Recall::new(query).top_k(3)).unwrap();
        assert!(!result.to_string().is_empty());
    }
    assert_eq!(memory.recall(Recall::new("שלום").top_k(1)).unwrap().blocks.len(), 1);
    assert_eq!(memory.recall(Recall::new("日本").top_k(1)).unwrap().blocks.len(), 1);
}
