//! The verbs as requests: all of them, what they answer, how they refuse, what is counted.

use elfmem_engine::catalog::{Effect, all};
use serde_json::{Value, json};

use super::Server;
use crate::Sandbox;

#[test]
fn every_verb_can_be_reached_and_none_breaks() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &[]);
    let listed = server.send("GET", "/api/v1", &[], "").message();
    assert_eq!(listed["count"], all().count());
    for (verb, listed) in all().zip(listed["verbs"].as_array().unwrap()) {
        assert_eq!(listed["name"], verb.name);
        let path = listed["path"].as_str().unwrap();
        let posted = server.send("POST", path, &[("Content-Type", "application/json")], "{}");
        assert!(matches!(posted.status, 200 | 400 | 404 | 409), "{path}: {posted:?}");
        let needs = verb.parameters.iter().any(|parameter| parameter.required);
        assert!(!needs || posted.status == 400, "{path} was done without what it needs: {posted:?}");
        if posted.status != 200 {
            posted.problem(posted.status);
        }
        let got = server.send("GET", path, &[], "");
        if verb.effect == Effect::Reads {
            assert!(matches!(got.status, 200 | 400 | 404 | 409), "{path}: {got:?}");
        } else {
            got.problem(405);
            assert_eq!(got.header("allow"), Some("POST"), "{path}");
        }
    }
    server.stop();
}

#[test]
fn the_loop_of_an_agent_over_plain_requests() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &[]);
    let learned = server.done("learn", &json!({"content": "Maria is allergic to peanuts", "tags": ["people/maria"]}));
    assert_eq!(learned, json!({"block_id": "0df8edae6b966de1", "status": "created"}));
    let asked = server.send("GET", "/api/v1/recall?query=who+can%27t+eat+nuts%3F&top_k=3&tags=people/maria", &[], "");
    assert_eq!(asked.message()["blocks"][0]["id"], learned["block_id"], "{asked:?}");
    let text = server.verb_with("recall", &[("Accept", "text/plain")], &json!({"query": "nuts"}));
    assert_eq!(text.header("content-type"), Some("text/plain; charset=utf-8"));
    assert!(text.body.contains("Maria is allergic to peanuts") && !text.body.starts_with('{'), "{text:?}");
    assert_eq!(server.done("dream", &json!({}))["processed"], 1, "other names of a verb work too");
    assert_eq!(server.done("outcome", &json!({"block_ids": ["0df8edae"], "signal": 0.9}))["blocks_updated"], 1);
    assert_eq!(server.send("HEAD", "/api/v1/status", &[], "").status, 200);
    server.stop();
    let history = sandbox.run(&["history", "--json", "--db", "m.db"]).json();
    assert!(
        history["operations"].as_array().unwrap().iter().any(|operation| operation["actor"] == "http"),
        "{history}"
    );
}

#[test]
fn refusals_are_problems_that_say_what_to_do_and_change_nothing() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &[]);
    let json_type = [("Content-Type", "application/json")];
    let deep = format!("{{\"content\": {}1{}}}", "[".repeat(5_000), "]".repeat(5_000));
    for (method, path, body, status, told) in [
        ("POST", "/api/v1/learn", "{", 400, "no JSON object"),
        ("POST", "/api/v1/learn", deep.as_str(), 400, "no JSON object"),
        ("POST", "/api/v1/learn", "[]", 400, "no JSON object"),
        ("POST", "/api/v1/learn", "{}", 400, "'content' is missing"),
        ("POST", "/api/v1/learn", "{\"contents\": \"x\"}", 400, "did you mean 'content'?"),
        ("POST", "/api/v1/learn", "{\"content\": \" \"}", 400, "the content is empty"),
        ("GET", "/api/v1/recall?query=x&top_k=many", "", 400, "'top_k' must be"),
        ("GET", "/api/v1/recall?query=%ff", "", 400, "cannot be read"),
        ("POST", "/api/v1/frame", "{\"name\": \"tusk\"}", 400, "Unknown frame 'tusk'"),
        ("POST", "/api/v1/show", "{\"block\": \"beef\"}", 404, "no block 'beef'"),
        ("POST", "/api/v1/recal", "{}", 404, "no verb 'recal'"),
        ("GET", "/api/v1/learn", "", 405, "not asked that way"),
        ("DELETE", "/api/v1/status", "", 405, "not asked that way"),
        ("POST", "/healthz", "", 405, "not asked that way"),
        ("PUT", "/metrics", "", 405, "not asked that way"),
        ("GET", "/", "", 404, "Nothing is served"),
        ("GET", "/api/v2/learn", "", 404, "Nothing is served"),
        ("POST", "/mcp", "hello", 406, "Accept"),
    ] {
        let problem = server.send(method, path, &json_type, body).problem(status);
        assert!(problem["detail"].as_str().unwrap().contains(told), "{method} {path}: {problem}");
    }
    let foreign = server.send("POST", "/api/v1/learn", &[("Content-Type", "text/plain")], "{\"content\": \"x\"}");
    foreign.problem(415);
    server.done("end_session", &json!({}));
    assert_eq!(server.verb("end_session", &json!({})).problem(409)["code"], "SessionError");
    let near = server.send("POST", "/api/v1/recal", &json_type, "{}").problem(404);
    assert!(near["recovery"].as_str().unwrap().contains("/api/v1/recall"), "{near}");
    assert_eq!(server.done("status", &json!({}))["inbox_count"], 0);
    server.stop();
}

#[test]
fn a_purge_is_confirmed_with_the_text_of_the_block() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &[]);
    let block = server.done("learn", &json!({"content": "Ana keeps bees"}))["block_id"].clone();
    let bare = server.verb("purge", &json!({"block_id": block})).problem(400);
    assert!(bare["recovery"].as_str().unwrap().contains("/api/v1/show"), "{bare}");
    server.verb("purge", &json!({"block_id": block, "confirm": "Ana keeps goats"})).problem(400);
    assert_eq!(server.done("show", &json!({"block_id": block}))["content"], "Ana keeps bees");
    assert_eq!(server.done("purge", &json!({"block_id": block, "confirm": "Ana keeps bees"}))["erased"], true);
    server.stop();
}

#[test]
fn a_learn_takes_a_content_or_messages_and_names_what_is_wrong_with_them() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &[]);
    let messages = json!([{"role": "user", "content": "I am allergic to nuts."}]);
    let both = server.verb("learn", &json!({"content": "x", "messages": messages})).problem(400);
    assert!(both["detail"].as_str().unwrap().contains("'content' and 'messages' are both given"), "{both}");
    assert_eq!(server.done("learn", &json!({"content": null, "messages": messages}))["created"], 1);
    assert_eq!(server.done("learn", &json!({"content": "x", "messages": null}))["status"], "created");
    server.stop();
}

#[test]
fn the_document_that_is_served_is_the_one_in_the_reference() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &[]);
    let served = server.send("GET", "/openapi.json", &[], "").message();
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/openapi.json");
    let written: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert!(served == written, "docs/reference/openapi.json is not what is served");
    server.stop();
}

#[test]
fn health_and_metrics_say_how_it_goes() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &[]);
    let health = server.send("GET", "/healthz", &[], "").message();
    assert_eq!(health, json!({"status": "ok", "version": env!("CARGO_PKG_VERSION"), "store": "answers"}));
    server.done("learn", &json!({"content": "one"}));
    server.done("learn", &json!({"content": "two"}));
    server.done("consolidate", &json!({}));
    server.done("learn", &json!({"content": "three"}));
    server.verb("learn", &json!({})).problem(400);
    server.send("GET", "/nowhere", &[], "").problem(404);
    let page = server.send("GET", "/metrics", &[], "");
    assert_eq!(page.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    for line in [
        "elfmem_http_requests_total{route=\"/api/v1/{verb}\",method=\"POST\",status=\"200\"} 4",
        "elfmem_http_requests_total{route=\"/api/v1/{verb}\",method=\"POST\",status=\"400\"} 1",
        "elfmem_http_requests_total{route=\"none\",method=\"GET\",status=\"404\"} 1",
        "elfmem_http_request_duration_seconds_count{route=\"/api/v1/{verb}\"} 5",
        "elfmem_verb_calls_total{verb=\"learn\",outcome=\"done\"} 3",
        "elfmem_verb_calls_total{verb=\"learn\",outcome=\"refused\"} 1",
        "elfmem_blocks{status=\"inbox\"} 1",
        "elfmem_blocks{status=\"active\"} 2",
        "elfmem_store_up 1",
    ] {
        assert!(page.body.lines().any(|written| written == line), "{line}\n{}", page.body);
    }
    let number = |name: &str| -> f64 {
        let line = page.body.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("no {name}\n{}", page.body)).parse().unwrap()
    };
    let consolidated = number("elfmem_last_consolidated_timestamp_seconds");
    let now = std::time::UNIX_EPOCH.elapsed().unwrap().as_secs_f64();
    assert!((now - 600.0..=now + 1.0).contains(&consolidated), "{consolidated}");
    let file = std::fs::metadata(sandbox.file("m.db")).unwrap().len() as f64;
    assert!(number("elfmem_database_bytes") >= file, "{}", page.body);
    server.stop();
}

#[test]
fn a_memory_that_cannot_be_opened_is_said_everywhere() {
    let sandbox = Sandbox::new();
    std::fs::write(sandbox.file("m.db"), "this is no database, and long enough to be looked at".repeat(100)).unwrap();
    let server = Server::start(&sandbox, &[]);
    let health = server.send("GET", "/healthz", &[], "").problem(503);
    assert!(!health.to_string().contains("m.db"), "where the file is is not everybody's business: {health}");
    let refused = server.verb("status", &json!({}));
    assert_eq!(refused.problem(503)["code"], "StorageError");
    assert_eq!(refused.header("retry-after"), Some("1"));
    assert!(server.send("GET", "/metrics", &[], "").body.contains("\nelfmem_store_up 0\n"));
    assert_eq!(server.done("guide", &json!({}))["text"].as_str().map(|text| text.contains("recall")), Some(true));
    server.stop();
}

#[test]
fn each_request_has_an_id_and_a_line_in_the_log_without_what_was_asked() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--access-log"]);
    let named = server.send("GET", "/api/v1/recall?query=topsecret", &[("X-Request-Id", "mine-1")], "");
    assert_eq!(named.header("x-request-id"), Some("mine-1"));
    let unnamed = server.send("GET", "/healthz", &[("X-Request-Id", "not \"sane\"")], "");
    let made = unnamed.header("x-request-id").unwrap().to_owned();
    assert!(!made.contains('"') && !made.is_empty());
    let log = server.stop();
    let line =
        |id: &str| log.lines().find(|line| line.ends_with(id)).unwrap_or_else(|| panic!("{id}: {log}")).to_owned();
    assert!(line("mine-1").contains(" GET /api/v1/recall 200 "), "{log}");
    assert!(line(&made).contains(" GET /healthz 200 "), "{log}");
    assert!(!log.contains("topsecret"), "{log}");
}
