//! Recall on several threads: nobody waits for a slow model, a model that is down fails nothing, and readers beside writers
//! leave the index as a fresh process would build it.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use elfmem_core::BlockId;
use elfmem_engine::{
    Clock, Connect, ConnectByQuery, Dream, Edit, EmbedderChoice, LateEmbedder, Learn, Memory, Models, Options, Outcome,
    Recall, RetrieveMemories, SessionStyle, Why,
};
use elfmem_models::scripted::ScriptedEmbedder;
use elfmem_models::{Embedder, HealthReport, ModelError, RulesAnalyst, SimilarityProfile, Usage};
use elfmem_store::Store;
use elfmem_store_sqlite::SqliteStore;

use crate::fixtures::{FileMemory, TestStore, answer_lines, file_store, open_file};
use crate::{clock, memory_on, options};

/// The longest that a test waits for something that must happen.
const PATIENCE: Duration = Duration::from_secs(60);
/// The question that [`Sleepy`] does not answer until it is woken.
const SLOW: &str = "what takes so long?";

/// An embedder that sleeps over one question until it is woken.
struct Sleepy {
    inner: ScriptedEmbedder,
    asleep: Mutex<Sender<()>>,
    wake: Mutex<Receiver<()>>,
}

impl Embedder for Sleepy {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn dimensions(&self) -> usize {
        self.inner.dimensions()
    }

    fn profile(&self) -> SimilarityProfile {
        self.inner.profile()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, ModelError> {
        if texts == [SLOW] {
            self.asleep.lock().unwrap().send(()).unwrap();
            self.wake.lock().unwrap().recv_timeout(PATIENCE).unwrap();
        }
        self.inner.embed(texts)
    }

    fn check(&self) -> Result<HealthReport, ModelError> {
        self.inner.check()
    }

    fn usage(&self) -> Usage {
        self.inner.usage()
    }
}

/// Asks a question that its embedder sleeps over, and others meanwhile.
fn ask_meanwhile(store: impl Store, clock: &Arc<crate::ManualClock>) {
    let (asleep, fell_asleep) = channel();
    let (wake, woken) = channel();
    let embedder = Sleepy { inner: ScriptedEmbedder::new(16), asleep: Mutex::new(asleep), wake: Mutex::new(woken) };
    let models = Models {
        embedder: EmbedderChoice::Custom(Arc::new(embedder)),
        analyst: Arc::new(RulesAnalyst),
        ..Models::default()
    };
    let memory = Memory::open(store, Options { models, ..options(clock) });
    let tea = memory.learn("Tea takes three minutes").unwrap().block_id;
    memory.learn("What takes so long is the kettle").unwrap();
    memory.consolidate().unwrap();
    std::thread::scope(|scope| {
        let slow = scope.spawn(|| memory.recall(SLOW).unwrap());
        fell_asleep.recv_timeout(PATIENCE).unwrap();
        // Everything below would wait for ever if the slow question held a lock or the connection.
        for request in [Recall::new("tea").preview(), Recall::new("tea")] {
            assert_eq!(memory.recall(&request).unwrap().blocks[0].id, tea);
            memory.frame(request.frame("attention")).unwrap();
        }
        memory.retrieve_memories(RetrieveMemories::new("tea")).unwrap();
        let milk = memory.learn("Milk goes in last").unwrap().block_id;
        memory.consolidate().unwrap();
        assert_eq!(memory.recall("milk").unwrap().blocks[0].id, milk);
        assert!(!slow.is_finished());
        wake.send(()).unwrap();
        assert_eq!(slow.join().unwrap().blocks[0].content, "What takes so long is the kettle");
    });
}

#[test]
fn other_questions_are_answered_while_an_embedder_sleeps_over_one() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), clock());
    ask_meanwhile(TestStore::new(clock.now()).unwrap(), &clock);
    ask_meanwhile(SqliteStore::in_memory(clock.now()).unwrap(), &clock);
    ask_meanwhile(file_store(&folder.path().join("memory.db"), clock.now()), &clock);
}

#[test]
fn a_question_that_is_asked_again_is_not_embedded_again() {
    let embedder = Arc::new(ScriptedEmbedder::new(16));
    let models =
        Models { embedder: EmbedderChoice::Custom(Arc::clone(&embedder) as Arc<dyn Embedder>), ..Models::default() };
    let memory = crate::fixtures::memory_with(models);
    memory.learn("Tea takes three minutes").unwrap();
    memory.consolidate().unwrap();
    let before = embedder.usage().embedding_calls;
    for _ in 0..3 {
        memory.recall("tea").unwrap();
        memory.frame(Recall::new("tea").frame("attention")).unwrap();
        memory.retrieve_memories(RetrieveMemories::new("tea")).unwrap();
    }
    assert_eq!(embedder.usage().embedding_calls, before + 1);
}

/// A memory whose embedder is reached through a server that can be switched off.
fn hosted(path: &Path, clock: &Arc<crate::ManualClock>, up: &Arc<AtomicBool>) -> FileMemory {
    let reachable = Arc::clone(up);
    let late = LateEmbedder::new("hosted", move || -> Result<Arc<dyn Embedder>, ModelError> {
        if !reachable.load(Ordering::Relaxed) {
            return Err(ModelError::Configuration { problem: "nobody answers".to_owned() });
        }
        Ok(Arc::new(ScriptedEmbedder::new(16).named("hosted")))
    });
    let models =
        Models { embedder: EmbedderChoice::Late(Arc::new(late)), analyst: Arc::new(RulesAnalyst), ..Models::default() };
    open_file(path, Options { models, session_style: SessionStyle::Detached, ..options(clock) })
}

#[test]
fn with_an_embedder_that_was_never_reached_words_and_edges_answer_and_the_answer_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let up = Arc::new(AtomicBool::new(true));
    let filled = hosted(&path, &clock, &up);
    let van = filled.learn("The delivery van is blue").unwrap().block_id;
    let ravi = filled.learn("Ravi has the keys").unwrap().block_id;
    filled.learn("Umbrellas are sold out").unwrap();
    filled.dream(Dream::new()).unwrap();
    filled.connect(Connect::new(van.as_str(), ravi.as_str()).weight(1.0)).unwrap();
    drop(filled);

    up.store(false, Ordering::Relaxed);
    let fresh = hosted(&path, &clock, &up);
    const SAYS: &str = "Found by words alone: ";
    let found = fresh.recall("the delivery van").unwrap();
    let shown: Vec<&BlockId> = found.blocks.iter().map(|block| &block.id).collect();
    assert_eq!(shown, [&van, &ravi], "by words, and by the edge");
    assert!(found.blocks[1].explain.via.is_some());
    let message = found.message.unwrap();
    assert!(message.contains(SAYS) && message.contains("nobody answers"), "{message}");
    let framed = fresh.frame(Recall::new("the delivery van").frame("attention")).unwrap();
    assert!(framed.text.contains("blue") && framed.message.unwrap().contains(SAYS));
    let retrieved = fresh.retrieve_memories(RetrieveMemories::new("the delivery van")).unwrap();
    assert_eq!(retrieved.items[0].block_id, van);
    assert!(retrieved.message.unwrap().contains(SAYS));
    let why = fresh.why(Why::about("the delivery van", van.as_str())).unwrap();
    assert!(why.reason.contains(SAYS), "{}", why.reason);
    let described = ConnectByQuery::new("The delivery van is blue", "Ravi has the keys");
    let connected = fresh.connect_by_query(described).unwrap();
    assert_eq!((connected.source_id, connected.target_id), (Some(van.clone()), Some(ravi)));
    assert!(connected.message.unwrap().contains(SAYS));
    let nothing = fresh.recall("xylophone").unwrap();
    assert!(nothing.blocks.is_empty() && nothing.message.unwrap().contains(SAYS));
    // Without a question nothing is missing.
    assert_eq!(fresh.frame(Recall::all().frame("attention")).unwrap().message, None);

    // As soon as it can be reached, vectors take part again, in the process that started without it too.
    up.store(true, Ordering::Relaxed);
    let found = fresh.recall("the delivery van").unwrap();
    assert_eq!(found.message, None);
    assert!(found.blocks[0].explain.meaning.is_some());
    assert!(
        !fresh.frame(Recall::new("the delivery van").frame("attention")).unwrap().cached,
        "not the one without vectors"
    );
}

#[test]
fn an_embedder_that_was_never_reached_does_not_matter_to_a_memory_without_vectors() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let memory = hosted(&path, &clock, &Arc::new(AtomicBool::new(false)));
    assert!(memory.recall("tea").unwrap().blocks.is_empty());
    let tea = memory.learn("Tea takes three minutes").unwrap().block_id;
    assert_eq!(memory.recall("tea").unwrap().blocks[0].id, tea);
    assert_eq!(memory.frame(Recall::all().frame("attention")).unwrap().blocks[0].id, tea);
}

/// Words that texts and questions are made of.
const WORDS: [&str; 12] =
    ["tea", "kettle", "harbour", "violin", "invoice", "Maria", "Ravi", "garden", "blue", "broken", "Tuesday", "Lisbon"];

fn text(random: &mut fastrand::Rng, number: usize) -> String {
    let words: Vec<&str> = (0..4).map(|_| WORDS[random.usize(..WORDS.len())]).collect();
    format!("{} (note {number})", words.join(" "))
}

/// One of the things that writers do.
fn change(memory: &FileMemory, random: &mut fastrand::Rng, number: usize, known: &Mutex<Vec<BlockId>>) {
    let pick = |random: &mut fastrand::Rng| {
        let known = known.lock().unwrap();
        known[random.usize(..known.len())].to_string()
    };
    match random.u32(0..10) {
        0..5 => {
            let mut learn = Learn::new(text(random, number));
            if random.bool() {
                learn = learn.tag("topic/x").cue(WORDS[random.usize(..WORDS.len())]);
            }
            known.lock().unwrap().push(memory.learn(learn).unwrap().block_id);
        }
        // What another thread has removed meanwhile is refused.
        5 => drop(memory.forget(pick(random))),
        6 => drop(memory.connect(Connect::new(pick(random), pick(random)))),
        7 => drop(memory.outcome(Outcome::new([pick(random).as_str()], 0.9))),
        8 => drop(memory.edit(Edit::new(pick(random)).cue(WORDS[random.usize(..WORDS.len())]))),
        _ => drop(memory.consolidate().unwrap()),
    }
}

#[test]
fn readers_beside_writers_leave_the_index_as_a_fresh_process_builds_it() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let memory = memory_on(&path, &clock, SessionStyle::Detached);
    let known = Mutex::new(vec![memory.learn("tea (note 0)").unwrap().block_id]);
    let number = AtomicUsize::new(1);
    let (writers_left, answered) = (AtomicUsize::new(2), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for seed in 0..2 {
            let (memory, known, number, writers_left) = (&memory, &known, &number, &writers_left);
            scope.spawn(move || {
                let mut random = fastrand::Rng::with_seed(seed);
                for _ in 0..60 {
                    change(memory, &mut random, number.fetch_add(1, Ordering::Relaxed), known);
                }
                writers_left.fetch_sub(1, Ordering::Relaxed);
            });
        }
        for seed in 2..5 {
            let (memory, writers_left, answered) = (&memory, &writers_left, &answered);
            scope.spawn(move || {
                let mut random = fastrand::Rng::with_seed(seed);
                while writers_left.load(Ordering::Relaxed) > 0 {
                    let frame = ["search", "attention", "self"][random.usize(..3)];
                    let request = match random.u32(0..6) {
                        0 => Recall::all(),
                        1 => Recall::new("when was the harbour broken?"),
                        _ => Recall::new(text(&mut random, 0)),
                    };
                    let request = request.frame(frame);
                    let request = if random.u32(0..3) > 0 { request.preview() } else { request };
                    if random.bool() {
                        memory.recall(&request).unwrap();
                    } else {
                        memory.frame(&request).unwrap();
                    }
                    answered.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    assert!(answered.load(Ordering::Relaxed) > 20);
    let cold = memory_on(&path, &clock, SessionStyle::Detached);
    for word in WORDS {
        for frame in ["search", "attention", "self"] {
            for request in [Recall::new(format!("{word} {}", WORDS[0])), Recall::new(word), Recall::all()] {
                let request = request.frame(frame).top_k(8);
                assert_eq!(answer_lines(&memory, &request), answer_lines(&cold, &request), "{request:?}");
            }
        }
    }
}
