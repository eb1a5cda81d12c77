//! Several processes on one memory: what one does, the next recall of another sees; and however a process came to know
//! what it knows, it answers the same.

use std::path::Path;
use std::sync::Arc;

use elfmem_core::BlockId;
use elfmem_core::coarse::CoarseVector;
use elfmem_engine::{
    AddTags, Connect, Disconnect, Edit, EmbedderChoice, Learn, Models, Outcome, Recall, RemoveTags, SessionStyle, Undo,
};
use elfmem_models::BuiltinModel;
use proptest::prelude::*;

use crate::fixtures::{FileMemory, answer_lines, memory_thinking};
use crate::{ManualClock, clock, memory_on};

fn open(path: &Path, clock: &Arc<ManualClock>) -> FileMemory {
    memory_on(path, clock, SessionStyle::Detached)
}

#[test]
fn what_another_process_does_is_seen_by_the_next_recall_of_a_warm_one() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let (warm, other) = (open(&path, &clock), open(&path, &clock));
    let bread = other.learn("Bread rises in the proofing room").unwrap().block_id;
    let ids = |question: &str, frame: &str| -> Vec<BlockId> {
        let request = Recall::new(question).frame(frame).top_k(9).preview();
        warm.recall(&request).unwrap().blocks.into_iter().map(|block| block.id).collect()
    };
    let first = |question: &str| warm.recall(Recall::new(question).preview()).unwrap().blocks[0].clone();
    assert_eq!(ids("bread", "search"), std::slice::from_ref(&bread), "warm from here on");

    let van = other.learn("The delivery van is blue").unwrap().block_id;
    assert_eq!(first("what colour is the van?").id, van, "learned");

    assert!(!ids("bread", "self").contains(&bread));
    other.add_tags(AddTags::new(bread.as_str(), ["self/craft".to_owned()])).unwrap();
    assert!(ids("bread", "self").contains(&bread), "tagged");
    assert_eq!(first("craft").matched, ["craft"], "and found by the tag's word");
    other.remove_tags(RemoveTags::new(bread.as_str(), ["self/craft".to_owned()])).unwrap();
    assert!(!ids("bread", "self").contains(&bread), "untagged");

    assert!(!ids("planning the school excursion", "search").contains(&van), "nothing in common yet");
    other.edit(Edit::new(van.as_str()).cue("planning the school excursion")).unwrap();
    let cued = first("planning the school excursion");
    assert_eq!(cued.id, van, "cued");
    assert!(cued.explain.cue.unwrap() > 0.95 && cued.matched.contains(&"excurs".to_owned()), "{cued:?}");
    other.edit(Edit::new(van.as_str()).cue("")).unwrap();
    let uncued = warm.recall(Recall::new("planning the school excursion").preview()).unwrap();
    assert!(uncued.blocks.iter().all(|block| block.explain.cue.is_none() && block.matched.is_empty()), "{uncued:?}");

    assert_eq!(first("bread").status.as_str(), "inbox");
    let doors = ["The back door is open", "The back door is closed"].map(|door| other.learn(door).unwrap().block_id);
    assert!(doors.iter().all(|door| ids("the back door", "search").contains(door)), "both doors");
    other.consolidate().unwrap();
    let found = warm.recall(Recall::new("the back door").preview()).unwrap();
    let contradicted = found.blocks.iter().filter(|block| !block.contradicted_by.is_empty()).count();
    assert_eq!(contradicted, 1, "the dream found a contradiction: {found:?}");
    assert_eq!(first("bread").status.as_str(), "active", "dreamed");

    let found = warm.recall(Recall::new("proofing room").preview()).unwrap();
    assert!(found.blocks.iter().all(|block| block.explain.via.is_none()));
    other.connect(Connect::new(bread.as_str(), van.as_str()).weight(1.0)).unwrap();
    let found = warm.recall(Recall::new("proofing room").preview()).unwrap();
    let linked = found.blocks.iter().find(|block| block.id == van).unwrap();
    assert_eq!(linked.explain.via.as_ref().unwrap().block_id, bread, "connected");
    other.disconnect(Disconnect::new(bread.as_str(), van.as_str())).unwrap();
    let found = warm.recall(Recall::new("proofing room").preview()).unwrap();
    assert!(found.blocks.iter().all(|block| block.explain.via.is_none()), "disconnected");

    let before = first("bread").explain.components.confidence;
    other.outcome(Outcome::new([bread.as_str()], 1.0)).unwrap();
    assert!(first("bread").explain.components.confidence > before, "an outcome");

    other.forget(bread.as_str()).unwrap();
    assert!(!ids("bread", "search").contains(&bread), "forgotten");
    other.restore(bread.as_str()).unwrap();
    assert!(ids("bread", "search").contains(&bread), "restored");
    let text = other.edit(Edit::new(bread.as_str()).content("Bread rises on the roof")).unwrap();
    assert!(!ids("bread", "search").contains(&bread), "another text is another block");
    assert_eq!(first("bread").content, "Bread rises on the roof", "{text:?}");
}

/// What recall reads instead of the blocks must say the same as they do.
fn assert_derived_rows_are_those_of_the_blocks(path: &Path) {
    let file = rusqlite::Connection::open(path).unwrap();
    let missing: i64 = file
        .query_row(
            "SELECT count(*) FROM blocks WHERE (status IN ('inbox', 'active')) <> (id IN (SELECT block_id FROM search_documents))",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(missing, 0, "a block that is searched without a row, or the other way round");
    let mut statement = file
        .prepare(
            "SELECT blocks.scope = search_documents.scope AND blocks.position = place \
                AND unixepoch(coalesce(event_at, created_at)) = happened_at \
                AND asking = (rtrim(content) LIKE '%?') AND blocks.source = search_documents.source \
                AND last_session_id IS session AND blocks.cue IS search_documents.cue \
                AND (embedding IS NULL OR embedding_model IS model), embedding, coarse, block_id \
             FROM search_documents JOIN blocks ON blocks.id = block_id",
        )
        .unwrap();
    let mut rows = statement.query([]).unwrap();
    while let Some(row) = rows.next().unwrap() {
        let id: String = row.get(3).unwrap();
        assert!(row.get::<_, bool>(0).unwrap(), "the row of {id}");
        let (vector, coarse): (Option<Vec<u8>>, Option<Vec<u8>>) = (row.get(1).unwrap(), row.get(2).unwrap());
        let numbers =
            |bytes: Vec<u8>| -> Vec<f32> { bytes.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect() };
        let expected = vector.and_then(|bytes| CoarseVector::encode(&numbers(bytes)));
        assert_eq!(coarse, expected, "the vector of {id}");
    }
}

#[derive(Debug, Clone)]
enum Step {
    Learn { text: usize, tag: Option<usize>, cue: bool },
    Dream,
    Tag { text: usize, tag: usize },
    Untag { text: usize, tag: usize },
    Cue { text: usize, cue: usize },
    Forget { text: usize },
    Restore { text: usize },
    Connect { a: usize, b: usize, relation: usize },
    Disconnect { a: usize, b: usize },
    Outcome { text: usize, signal: u8 },
    Recall { question: usize },
    Undo,
    Wait { minutes: u16 },
}

const TEXTS: [&str; 16] = [
    "Bread rises in the proofing room",
    "Bread rises slower in winter",
    "Maria is allergic to peanuts",
    "Maria sells bread at the market in Braga",
    "The delivery van is locked, the back door is open",
    "The delivery van is locked, the back door is closed",
    "Ravi repaired the oven in May 2023",
    "The oven reaches 260 degrees",
    "Is the oven clean?",
    "Deploys go out on Tuesdays",
    "The market opens at seven",
    "Caroline plays the violin on Sundays",
    "Rye flour comes from the mill in Braga",
    "I keep my promises",
    "🙂",
    "日本語のメモ about the oven",
];
const TAGS: [&str; 4] = ["self/constitutional", "self/goal", "mind/ravi", "topic/baking"];
const RELATIONS: [&str; 4] = ["supports", "similar", "contradicts", "elaborates"];
const CUES: [&str; 3] = ["planning a birthday for the team", "someone asks about gluten", ""];
const QUESTIONS: [&str; 7] = [
    "who can't eat nuts?",
    "when does the bread rise?",
    "what happened in May 2023?",
    "oven Braga market van",
    "birthday of the team",
    "who are you",
    "オーブン 日本語",
];

fn step() -> impl Strategy<Value = Step> {
    let text = || 0..TEXTS.len();
    prop_oneof![
        6 => (text(), prop::option::of(0..TAGS.len()), any::<bool>()).prop_map(|(text, tag, cue)| Step::Learn { text, tag, cue }),
        2 => Just(Step::Dream),
        1 => (text(), 0..TAGS.len()).prop_map(|(text, tag)| Step::Tag { text, tag }),
        1 => (text(), 0..TAGS.len()).prop_map(|(text, tag)| Step::Untag { text, tag }),
        1 => (text(), 0..CUES.len()).prop_map(|(text, cue)| Step::Cue { text, cue }),
        2 => text().prop_map(|text| Step::Forget { text }),
        1 => text().prop_map(|text| Step::Restore { text }),
        3 => (text(), text(), 0..RELATIONS.len()).prop_map(|(a, b, relation)| Step::Connect { a, b, relation }),
        1 => (text(), text()).prop_map(|(a, b)| Step::Disconnect { a, b }),
        1 => (text(), 0..=10u8).prop_map(|(text, signal)| Step::Outcome { text, signal }),
        3 => (0..QUESTIONS.len()).prop_map(|question| Step::Recall { question }),
        1 => Just(Step::Undo),
        1 => (1..600u16).prop_map(|minutes| Step::Wait { minutes }),
    ]
}

/// Does it, whether or not it can be done: what is refused changes nothing.
fn run(memory: &FileMemory, clock: &ManualClock, step: &Step) {
    let id = |text: usize| BlockId::for_content(TEXTS[text]).to_string();
    match step {
        Step::Learn { text, tag, cue } => {
            let mut new = Learn::new(TEXTS[*text]).tags(tag.map(|tag| TAGS[tag]));
            if *cue {
                new = new.cue(CUES[0]);
            }
            memory.learn(new).unwrap();
        }
        Step::Dream => drop(memory.consolidate().unwrap()),
        Step::Tag { text, tag } => drop(memory.add_tags(AddTags::new(id(*text), [TAGS[*tag].to_owned()]))),
        Step::Untag { text, tag } => drop(memory.remove_tags(RemoveTags::new(id(*text), [TAGS[*tag].to_owned()]))),
        Step::Cue { text, cue } => drop(memory.edit(Edit::new(id(*text)).cue(CUES[*cue]))),
        Step::Forget { text } => drop(memory.forget(id(*text))),
        Step::Restore { text } => drop(memory.restore(id(*text))),
        Step::Connect { a, b, relation } => {
            drop(memory.connect(Connect::new(id(*a), id(*b)).relation(RELATIONS[*relation])));
        }
        Step::Disconnect { a, b } => drop(memory.disconnect(Disconnect::new(id(*a), id(*b)))),
        Step::Outcome { text, signal } => {
            drop(memory.outcome(Outcome::new([id(*text)], f64::from(*signal) / 10.0)));
        }
        Step::Recall { question } => drop(memory.recall(Recall::new(QUESTIONS[*question]).top_k(4)).unwrap()),
        Step::Undo => drop(memory.undo(Undo::last())),
        Step::Wait { minutes } => clock.forward_minutes(f64::from(*minutes)),
    }
}

fn requests() -> Vec<Recall> {
    let mut requests = Vec::new();
    for frame in ["search", "attention", "self", "simulate"] {
        requests.extend(QUESTIONS.map(|question| Recall::new(question).frame(frame).top_k(6)));
        requests.push(Recall::all().frame(frame).top_k(6));
    }
    requests.push(Recall::new("oven").tag("topic/%"));
    requests.push(Recall::new("bread oven van").no_contiguity());
    requests
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn cold_and_warm_processes_answer_alike_bit_by_bit_after_any_history(
        steps in prop::collection::vec((step(), any::<bool>(), any::<bool>()), 1..40),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let (path, clock) = (folder.path().join("memory.db"), clock());
        let (one, two) = (open(&path, &clock), open(&path, &clock));
        for (step, by_one, look) in &steps {
            run(if *by_one { &one } else { &two }, &clock, step);
            // A process that looks after some steps only must catch up with several at once.
            if *look {
                answer_lines(&one, &Recall::new(QUESTIONS[0]));
            }
        }
        assert_derived_rows_are_those_of_the_blocks(&path);
        let cold = open(&path, &clock);
        for request in requests() {
            let expected = answer_lines(&cold, &request);
            prop_assert_eq!(&answer_lines(&one, &request), &expected, "one: {:?}", request);
            prop_assert_eq!(&answer_lines(&two, &request), &expected, "two: {:?}", request);
        }
    }
}

#[test]
fn where_very_many_are_equally_good_cold_and_warm_processes_choose_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    // With the static table all blocks have vectors at once; the encoder embeds a few with each question.
    let embedder = EmbedderChoice::BuiltIn(BuiltinModel::Static);
    let open = || memory_thinking(&path, &clock, Models { embedder: embedder.clone(), ..Models::default() });
    let warm = open();
    let learn = |range: std::ops::Range<u32>| {
        let loaves: Vec<Learn> = range.map(|n| Learn::new(format!("loaf {n}"))).collect();
        warm.learn_all(&loaves).unwrap()
    };
    let first = learn(0..260);
    answer_lines(&warm, &Recall::new("loaf"));
    for stored in first.iter().step_by(9) {
        warm.forget(stored.block_id.as_str()).unwrap();
    }
    answer_lines(&warm, &Recall::new("loaf"));
    learn(300..340);
    let cold = open();
    for request in [Recall::new("loaf"), Recall::all().frame("attention"), Recall::new("loaf").frame("attention")] {
        let request = request.top_k(5).no_contiguity();
        assert_eq!(answer_lines(&warm, &request), answer_lines(&cold, &request), "{request:?}");
    }
}
