//! What the clients log.

use std::io::Write;
use std::sync::{Arc, Mutex};

use elfmem_models::{Embedder, EmbeddingSettings, OpenAiEmbedder};
use tracing_subscriber::filter::LevelFilter;

use crate::server::{Server, Step};
use crate::{KEY, Waits, connection};

/// A log in memory.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn retries_are_logged_without_the_text_the_key_and_what_the_server_said() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber =
        tracing_subscriber::fmt().with_max_level(LevelFilter::TRACE).with_writer(move || writer.clone()).finish();
    let said = format!("the canary sang to {KEY}");
    let server =
        Server::start(vec![Step::ReplyWith(500, Vec::new(), said), Step::ReplyWith(401, Vec::new(), KEY.into())]);
    let settings = EmbeddingSettings::new(connection(&server.url(), &Waits::default()), "test-embedder", 2);
    let embedder = OpenAiEmbedder::new(settings).unwrap();
    tracing::subscriber::with_default(subscriber, || embedder.embed(&["a canary in the text"])).unwrap_err();
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    let lines: Vec<&str> = log.lines().filter(|line| line.contains("elfmem_models")).collect();
    assert_eq!(lines.len(), 2, "{log}");
    let call = "model_call{endpoint=\"/embeddings\" bytes=";
    assert!(
        lines[0].contains(call) && lines[0].contains("trying again error=\"server_error\" failures=1 wait_ms=0"),
        "{log}"
    );
    assert!(lines[1].contains(call) && lines[1].contains("model call failed error=\"refused\" failures=2"), "{log}");
    assert!(!log.contains("canary") && !log.contains(KEY), "{log}");
}
