//! Questions that nobody should ask.

use std::time::{Duration, Instant};

use elfmem_engine::{Learn, ListBlocks, Recall, Why};

use crate::memory;

/// No answer takes longer, not even without optimisation on a busy machine.
const PATIENCE: Duration = Duration::from_secs(8);

fn hostile() -> Vec<String> {
    let mut questions: Vec<String> = [
        "?!…—/\\|@#$%^&*()[]{}<>~`'\"+=-_.,;:",
        "\" OR 1 --",
        "'; DROP TABLE blocks; --",
        "SELECT * FROM blocks WHERE 1=1 UNION SELECT sql FROM sqlite_master",
        "oven AND bread OR NOT van NEAR(bread oven, 5)",
        "content:oven ^bread bread* \"bread",
        "NEAR(",
        "NOT",
        "AND OR NOT NEAR",
        "{content cue}: bread",
        "- bread",
        "bread +",
        "%",
        "_",
        "self/%",
        "* GLOB [a-z]",
        "مرحبا بالعالم שלום",
        "\u{202e}daerb\u{202c}",
        "🧠🧠🧠",
        "👩‍👩‍👧‍👦 🇵🇹",
        "nul\0byte bread",
        "\0",
        "\u{7f}\u{1}\u{1b}[31mred",
        "\\ud800 lone \\udfff",
        "\u{fffd}\u{fffe}\u{10ffff}",
        "e\u{301}\u{301}\u{301}\u{301}",
        "ﷺ",
        "İstanbul ß ǅ",
        "\u{feff}bread",
        "\u{200b}",
        " \t\r\n\u{a0}\u{3000}",
        "",
        "9999999999999999999999999999-99-99",
        "in the year 99999999999",
        "last last last week before after since",
        "before ",
        "since the",
        "in May 0000",
        "-9999-01-01T00:00:00Z",
        "1e309 NaN inf -0",
    ]
    .map(str::to_owned)
    .to_vec();
    questions.push("bread and butter, ".repeat(6_000));
    questions.push("x".repeat(100_000));
    questions.push("\"(".repeat(50_000));
    questions.push((0..20_000).map(|n| format!("w{n} ")).collect());
    questions.push("パン屋".repeat(12_000));
    questions.push("e\u{301}".repeat(35_000));
    questions.push("before the ".repeat(9_000));
    questions
}

#[test]
fn hostile_questions_are_answered_sensibly_and_quickly() {
    let memory = memory();
    for text in
        ["Bread rises in the proofing room", "The oven is in Istanbul", "שלום from the market", "パン屋は七時に開く"]
    {
        memory.learn(Learn::new(text).tag("self/place").cue("asked about bread")).unwrap();
    }
    memory.learn("Wordless: 🧠").unwrap();
    memory.consolidate().unwrap();
    let id = memory.last_learned_block_id().unwrap();
    let count = memory.list(ListBlocks::all()).unwrap().len();
    for question in hostile() {
        let shown: String = question.chars().take(40).collect();
        for frame in ["search", "self"] {
            let request = Recall::new(question.as_str()).frame(frame);
            let begun = Instant::now();
            let found = memory.recall(&request).unwrap();
            assert!(begun.elapsed() < PATIENCE, "{shown:?} took {:?}", begun.elapsed());
            assert!(!found.to_string().is_empty(), "{shown:?}");
            assert!(!found.blocks.is_empty() || found.message.is_some(), "an empty answer says why: {shown:?}");
            assert!(found.blocks.iter().all(|block| (0.0..=1.0).contains(&block.score)), "{shown:?}");
            let rendered = memory.frame(&request).unwrap();
            assert!(rendered.tokens <= rendered.token_budget, "{shown:?}");
            assert!(!memory.why(Why::about(&request, id.as_str())).unwrap().reason.is_empty());
        }
    }
    assert_eq!(memory.list(ListBlocks::all()).unwrap().len(), count);
}

#[test]
fn operators_and_noise_around_a_word_do_not_hide_it() {
    let memory = memory();
    for text in ["Bread rises in the proofing room", "The van is blue", "שלום from the market", "パン屋は七時に開く"]
    {
        memory.learn(text).unwrap();
    }
    for (question, answer) in [
        ("\"bread", "Bread rises"),
        ("bread*", "Bread rises"),
        ("content:bread", "Bread rises"),
        ("NOT bread", "Bread rises"),
        ("bread\0", "Bread rises"),
        ("\u{feff}bread\u{202c}", "Bread rises"),
        ("'; DROP TABLE van; --", "The van"),
        ("שלום", "שלום"),
        ("パン屋", "パン屋"),
    ] {
        let found = memory.recall(Recall::new(question).top_k(1)).unwrap();
        assert!(found.blocks.first().is_some_and(|block| block.content.starts_with(answer)), "{question:?}: {found:?}");
    }
    let long = format!("{} where does bread rise?", "bread ".repeat(16_000));
    assert!(memory.recall(Recall::new(&long).top_k(1)).unwrap().blocks[0].content.starts_with("Bread"));
}
