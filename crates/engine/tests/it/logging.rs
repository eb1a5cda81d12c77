//! What the verbs report to `tracing`.

use std::io::Write;
use std::sync::{Arc, Mutex};

use elfmem_engine::{Options, Recall, catalog};
use elfmem_models::scripted::{ScriptedAnalyst, ScriptedEmbedder};
use serde_json::{Value, json};
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::format::FmtSpan;

use crate::fixtures::{memory_with, models, open_memory};
use crate::verb_calls::{add_review_frame, fill, thinking};
use crate::{clock, options};

const MARK: &str = "zebra";

/// A log in memory.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    /// Takes what was logged since the last call.
    fn take(&self) -> String {
        String::from_utf8(std::mem::take(&mut *self.0.lock().unwrap())).unwrap()
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A subscriber that logs everything, and its log.
fn subscriber() -> (impl tracing::Subscriber + Send + Sync, Log) {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(LevelFilter::TRACE)
        .with_span_events(FmtSpan::CLOSE)
        .with_writer(move || writer.clone())
        .finish();
    (subscriber, log)
}

/// A secret, in two parts so that no scanner takes this file for one.
fn secret() -> String {
    format!("gh{}_{}", "p", "a1B2c3D4e5F6g7H8i9J0".repeat(2).split_at(36).0)
}

#[test]
fn every_verb_has_a_span_and_nothing_that_is_stored_or_asked_is_logged() {
    let (subscriber, log) = subscriber();
    // Not for this thread alone: dreams analyse on several.
    tracing::subscriber::set_global_default(subscriber).unwrap();
    let mut whole = String::new();
    for verb in catalog::all() {
        let clock = clock();
        let memory = open_memory(Options { models: thinking(&[MARK]), ..options(&clock) });
        let filled = fill(&memory, MARK);
        add_review_frame(&memory);
        if verb.name == "end_session" {
            memory.begin_session("work").unwrap();
        }
        let call = |arguments: &Value| memory.invoke(verb.name, arguments.as_object().unwrap());
        whole.push_str(&log.take());
        call(&filled.arguments(verb.name)).unwrap_or_else(|error| panic!("{}: {error}", verb.name));
        let logged = log.take();
        let span = format!("verb{{name=\"{}\"}}", verb.name);
        assert!(verb.name == "guide" || logged.contains(&span), "{}: {logged}", verb.name);
        whole.push_str(&logged);
        // What cannot be done is repeated in the error, and nowhere else.
        let wrong = [json!({"block": MARK}), json!({"content": format!("{MARK} {}", secret()), MARK: MARK})];
        wrong.iter().for_each(|arguments| drop(call(arguments)));
    }
    whole.push_str(&log.take());
    assert!(whole.contains("write{operation=") && whole.contains("dream committed"), "{whole}");
    let shown = whole.lines().find(|line| line.contains(MARK) || line.contains(&secret()));
    assert_eq!(shown, None);
}

#[test]
fn a_question_that_falls_back_to_words_and_a_failing_analyst_are_logged_as_warnings() {
    let (subscriber, log) = subscriber();
    let embedder = ScriptedEmbedder::new(8).failing_every(2);
    let memory = memory_with(models(Arc::new(embedder), Arc::new(ScriptedAnalyst::new().failing_every(1))));
    memory.learn("a zebra crosses the road").unwrap();
    tracing::subscriber::with_default(subscriber, || {
        memory.consolidate().unwrap();
        memory.recall(Recall::new("zebra")).unwrap();
    });
    let log = log.take();
    let warnings: Vec<&str> = log.lines().filter(|line| line.contains(" WARN ")).collect();
    assert!(warnings.iter().any(|line| line.contains("the analyst failed error=")), "{log}");
    assert!(warnings.iter().any(|line| line.contains("answering by words and edges error=")), "{log}");
}
