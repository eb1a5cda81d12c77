//! Error cases of `/embeddings`.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use elfmem_models::{Embedder, EmbeddingSettings, ModelError, OpenAiEmbedder, Usage};
use serde_json::{Value, json};

use crate::server::{Server, Step};
use crate::{KEY, Waits, connection};

fn settings(url: &str, waits: &Waits) -> EmbeddingSettings {
    EmbeddingSettings::new(connection(url, waits), "test-embedder", 2)
}

fn embedder(server: &Server, waits: &Waits) -> OpenAiEmbedder {
    OpenAiEmbedder::new(settings(&server.url(), waits)).unwrap()
}

fn vectors(vectors: &[[f32; 2]]) -> Value {
    let data: Vec<Value> =
        vectors.iter().enumerate().map(|(index, vector)| json!({"index": index, "embedding": vector})).collect();
    json!({"data": data, "usage": {"prompt_tokens": 5, "total_tokens": 5}})
}

type Embedded = Result<Vec<Option<Vec<f32>>>, ModelError>;

/// Embeds one text against a scripted server. Returns the result, the number of requests and the
/// waits.
fn outcome(steps: Vec<Step>) -> (Embedded, usize, Waits) {
    let waits = Waits::default();
    let server = Server::start(steps);
    let outcome = embedder(&server, &waits).embed(&["one"]);
    (outcome, server.requests().len(), waits)
}

fn good() -> Step {
    Step::json(&vectors(&[[3.0, 4.0]]))
}

#[test]
fn a_good_answer_is_normalised_and_counted() {
    let server = Server::start(vec![good()]);
    let embedder = embedder(&server, &Waits::default());
    assert_eq!(embedder.embed(&["one"]).unwrap(), [Some(vec![0.6, 0.8])]);
    assert_eq!(embedder.usage(), Usage { embedding_tokens: 5, embedding_calls: 1, ..Usage::default() });
    assert_eq!(embedder.check().unwrap().detail, "2 dimensions.");
    let request = &server.requests()[0];
    assert!(request.head.starts_with("post /v1/embeddings "));
    assert!(request.head.contains(&format!("authorization: bearer {KEY}")));
    assert_eq!(request.body["input"], json!(["one"]));
}

#[test]
fn rate_limits_wait_for_retry_after() {
    let limited = Step::ReplyWith(429, vec![("retry-after", "3".into())], String::new());
    let (outcome, requests, waits) = outcome(vec![limited, good()]);
    assert!(outcome.is_ok());
    assert_eq!((requests, waits.seconds()), (2, vec![3]));
}

#[test]
fn a_rate_limit_may_name_a_date() {
    let headers =
        vec![("date", "Sun, 06 Nov 1994 08:49:37 GMT".into()), ("retry-after", "Sun, 06 Nov 1994 08:49:57 GMT".into())];
    let (outcome, _, waits) = outcome(vec![Step::ReplyWith(429, headers, String::new()), good()]);
    assert!(outcome.is_ok());
    assert_eq!(waits.seconds(), [20]);
}

#[test]
fn long_rate_limits_fail_at_once() {
    let limited = Step::ReplyWith(429, vec![("retry-after", "3600".into())], String::new());
    let (outcome, requests, _) = outcome(vec![limited]);
    assert_eq!(outcome, Err(ModelError::RateLimited { retry_after: Some(Duration::from_secs(3600)) }));
    assert_eq!(requests, 1);
}

#[test]
fn exhausted_quota_is_not_a_rate_limit() {
    let (outcome, requests, _) =
        outcome(vec![Step::Reply(429, json!({"error": {"code": "insufficient_quota", "message": "pay"}}).to_string())]);
    assert_eq!(outcome, Err(ModelError::QuotaExhausted { detail: "pay".into() }));
    assert_eq!(requests, 1);
}

#[test]
fn server_errors_are_retried_up_to_the_limit() {
    let broken = Step::Reply(500, "oops".into());
    assert!(outcome(vec![broken.clone(), good()]).0.is_ok());
    let (outcome, requests, _) = outcome(vec![broken]);
    assert_eq!(outcome, Err(ModelError::ServerError { status: 500, detail: "oops".into() }));
    assert_eq!(requests, 3);
}

#[test]
fn an_unresponsive_server_times_out() {
    let started = Instant::now();
    let (outcome, requests, _) = outcome(vec![Step::Hang]);
    assert!(matches!(outcome, Err(ModelError::Timeout { .. })), "{outcome:?}");
    assert!(started.elapsed() < Duration::from_secs(5));
    assert_eq!(requests, 1);
}

#[test]
fn a_slow_body_times_out() {
    let started = Instant::now();
    let (outcome, _, _) = outcome(vec![Step::Drip("x".repeat(500), Duration::from_millis(50))]);
    assert!(matches!(outcome, Err(ModelError::Timeout { .. })), "{outcome:?}");
    assert!(started.elapsed() < Duration::from_secs(5));
}

#[test]
fn truncated_json_is_an_error() {
    let (outcome, _, _) = outcome(vec![Step::Reply(200, r#"{"data": [{"index": 0, "embed"#.into())]);
    assert!(matches!(outcome, Err(ModelError::Malformed { .. })), "{outcome:?}");
}

#[test]
fn broken_connections_are_retried() {
    let (outcome, requests, _) = outcome(vec![Step::CutOff(r#"{"data""#.into()), good()]);
    assert!(outcome.is_ok(), "{outcome:?}");
    assert_eq!(requests, 2);
}

#[test]
fn wrong_dimensions_are_an_error() {
    let (outcome, _, _) = outcome(vec![Step::json(&json!({"data": [{"index": 0, "embedding": [1, 2, 3]}]}))]);
    assert_eq!(outcome, Err(ModelError::WrongDimensions { expected: 2, got: 3 }));
}

#[test]
fn invalid_vector_lists_are_rejected() {
    for answer in [
        json!({"data": []}),
        json!({"data": [{"index": 1, "embedding": [1, 2]}]}),
        json!({"data": [{"index": 0, "embedding": [0, 0]}]}),
        json!({"data": [{"index": 0, "embedding": "AAAA"}]}),
        json!({"error": "but with status 200"}),
        json!([]),
    ] {
        let (outcome, requests, _) = outcome(vec![Step::json(&answer)]);
        assert!(matches!(outcome, Err(ModelError::Malformed { .. })), "{answer}: {outcome:?}");
        assert_eq!(requests, 1);
    }
}

#[test]
fn vectors_are_matched_by_index() {
    let answer = json!({"data": [{"index": 1, "embedding": [0, 1]}, {"index": 0, "embedding": [1, 0]}]});
    let server = Server::start(vec![Step::json(&answer)]);
    let found = embedder(&server, &Waits::default()).embed(&["one", " ", "two"]).unwrap();
    assert_eq!(found, [Some(vec![1.0, 0.0]), None, Some(vec![0.0, 1.0])]);
    assert_eq!(server.requests()[0].body["input"], json!(["one", "two"]));
}

#[test]
fn a_refused_key_is_not_retried_and_not_shown() {
    for status in [401, 403] {
        let said = json!({"error": {"message": format!("wrong key {KEY}")}}).to_string();
        let (outcome, requests, _) = outcome(vec![Step::Reply(status, said)]);
        let error = outcome.unwrap_err();
        assert_eq!(error, ModelError::Refused { status });
        assert!(!format!("{error} {error:?}").contains(KEY));
        assert_eq!(requests, 1);
    }
}

#[test]
fn errors_never_contain_the_key() {
    for status in [302, 400, 402, 404, 413, 422, 500, 503] {
        let error = outcome(vec![Step::Reply(status, format!("you sent {KEY}, hm"))]).0.unwrap_err();
        assert!(!format!("{error} {error:?}").contains(KEY), "{error}");
    }
}

#[test]
fn keys_in_successful_answers_do_not_reach_errors() {
    for answer in [json!({"data": KEY}), json!({"data": [{"index": KEY, "embedding": []}]})] {
        let error = outcome(vec![Step::json(&answer)]).0.unwrap_err();
        assert!(matches!(error, ModelError::Malformed { .. }), "{error}");
        assert!(!format!("{error} {error:?}").contains(KEY), "{error}");
    }
}

#[test]
fn a_closed_port_is_unreachable_after_retries() {
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let waits = Waits::default();
    let embedder = OpenAiEmbedder::new(settings(&format!("http://{address}/v1"), &waits)).unwrap();
    let error = embedder.embed(&["one"]).unwrap_err();
    assert!(matches!(error, ModelError::Unreachable { .. }), "{error}");
    assert_eq!(waits.seconds().len(), 2);
    assert_eq!(embedder.usage(), Usage::default());
}

#[test]
fn a_redirect_is_not_followed() {
    let elsewhere = Server::start(vec![good()]);
    let moved = Step::ReplyWith(307, vec![("location", format!("{}/embeddings", elsewhere.url()))], String::new());
    let (outcome, _, _) = outcome(vec![moved]);
    assert!(matches!(outcome, Err(ModelError::BadRequest { status: 307, .. })), "{outcome:?}");
    assert!(elsewhere.requests().is_empty());
}

#[test]
fn texts_are_batched_and_long_texts_split() {
    let pair = Step::json(&vectors(&[[1.0, 0.0], [0.0, 1.0]]));
    let server = Server::start(vec![pair.clone(), pair, good()]);
    let settings =
        EmbeddingSettings { batch_texts: 2, max_text_bytes: 9, ..settings(&server.url(), &Waits::default()) };
    let embedder = OpenAiEmbedder::new(settings).unwrap();
    let found = embedder.embed(&["a", "b", "four four four", "e"]).unwrap();
    let sent: Vec<Value> = server.requests().iter().map(|request| request.body["input"].clone()).collect();
    assert_eq!(sent, [json!(["a", "b"]), json!(["four four", "four"]), json!(["e"])]);
    let long = found[2].as_ref().unwrap();
    assert!(long[0] > long[1] && long[1] > 0.0, "the longer part weighs more: {long:?}");
    assert_eq!(embedder.usage().embedding_calls, 3);
}

#[test]
fn query_and_document_prefixes_are_sent() {
    let server = Server::start(vec![good()]);
    let settings = EmbeddingSettings {
        document_prefix: "doc: ".into(),
        query_prefix: "ask: ".into(),
        request_dimensions: true,
        ..settings(&server.url(), &Waits::default())
    };
    let embedder = OpenAiEmbedder::new(settings).unwrap();
    embedder.embed(&["tea"]).unwrap();
    embedder.embed_query("tea?", &|_| 1.0).unwrap();
    let requests = server.requests();
    assert_eq!(
        (&requests[0].body["input"][0], &requests[1].body["input"][0]),
        (&json!("doc: tea"), &json!("ask: tea?"))
    );
    assert_eq!(requests[0].body["dimensions"], 2);
}

#[test]
fn dimensions_can_be_measured() {
    let server = Server::start(vec![Step::json(&json!({"data": [{"index": 0, "embedding": [1, 2, 3]}]}))]);
    let connection = connection(&server.url(), &Waits::default());
    assert_eq!(OpenAiEmbedder::measure_dimensions(connection, "m").unwrap(), 3);
}

#[test]
fn concurrent_calls_are_limited() {
    let body = vectors(&[[3.0, 4.0]]).to_string();
    let server = Server::start(vec![Step::Slow(body, Duration::from_millis(20))]);
    let mut settings = settings(&server.url(), &Waits::default());
    settings.connection.concurrency = 2;
    settings.connection.request_timeout = Duration::from_secs(5);
    let embedder = OpenAiEmbedder::new(settings).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| embedder.embed(&["one"]).unwrap());
        }
    });
    assert_eq!(server.requests().len(), 6);
    assert!(server.most_open() <= 2, "{}", server.most_open());
}

#[test]
fn invalid_settings_are_rejected_before_sending() {
    let waits = Waits::default();
    for broken in [
        EmbeddingSettings { dimensions: 0, ..settings("http://localhost/v1", &waits) },
        EmbeddingSettings { model: " ".into(), ..settings("http://localhost/v1", &waits) },
        settings("not a url", &waits),
    ] {
        assert!(matches!(OpenAiEmbedder::new(broken), Err(ModelError::Configuration { .. })));
    }
}
