//! The routes of the system of seed 004, in its envelope.

use serde_json::{Value, json};

use super::{Response, Server};
use crate::Sandbox;

impl Server {
    fn v1(&self, method: &str, path: &str, body: &Value) -> Response {
        let body = if method == "GET" { String::new() } else { body.to_string() };
        self.send(method, &format!("/v1{path}"), &[("Content-Type", "application/json")], &body)
    }

    /// The data of an answer.
    fn data(&self, method: &str, path: &str, body: &Value) -> Value {
        let response = self.v1(method, path, body);
        assert_eq!(response.status, 200, "{method} {path} {body}: {response:?}");
        let message = response.message();
        assert_eq!(message["success"], true);
        message["data"].clone()
    }

    fn event(&self, event: &Value) -> Value {
        self.data("POST", "/events", event)
    }

    /// The error of a refusal, with everything that belongs to one.
    fn refused(&self, method: &str, path: &str, body: &Value, status: u16, code: &str) -> Value {
        let response = self.v1(method, path, body);
        assert_eq!(response.status, status, "{method} {path} {body}: {response:?}");
        let message = response.message();
        assert_eq!((&message["success"], &message["error"]["code"]), (&json!(false), &json!(code)), "{message}");
        for key in ["message", "recovery", "request_id"] {
            assert!(message["error"][key].as_str().is_some_and(|text| !text.is_empty()), "{key}: {message}");
        }
        message["error"].clone()
    }
}

fn none() -> Value {
    json!({})
}

#[test]
fn a_mistake_becomes_a_skill_over_these_routes() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &[]);
    let mistake = server.event(&json!({
        "graph_id": "default", "event_kind": "observation", "source": "agent", "context_id": "error:Var in React",
        "payload": {"topic": "var_usage", "value": "Used var instead of const in React component."},
    }));
    assert_eq!((&mistake["status"], &mistake["confidence"]), (&json!("created"), &json!(0.6)), "{mistake}");
    assert_eq!(mistake["context_id"], "error:var_in_react");
    let mistake_id = mistake["locus_id"].as_str().unwrap().to_owned();
    assert!(mistake_id.starts_with('L') && mistake_id.len() == 17, "{mistake_id}");

    let pattern = server.event(&json!({
        "event_kind": "fact", "source": "agent", "context_id": "pattern:var_in_react",
        "payload": {"data": "Repeated use of var in React."},
        "links": [{"type": "derived_from", "target": mistake_id}],
    }));
    let skill = server.event(&json!({
        "event_kind": "decision", "source": "agent", "context_id": "skill:const_in_react",
        "payload": {"data": "Always use const or let in React components."},
        "links": [
            {"type": "extends", "target": pattern["locus_id"]},
            {"type": "reinforces", "target": format!("locus_{}", &mistake_id[1..])},
        ],
    }));
    let shown = server.data("GET", &format!("/locus/default/{mistake_id}"), &none());
    assert!((shown["metadata"]["confidence"].as_f64().unwrap() - 0.65).abs() < 1e-9, "+0.05: {shown}");
    assert_eq!(shown["links"]["incoming"].as_array().unwrap().len(), 2, "{shown}");
    assert_eq!(shown["contexts"][0]["context_id"], "error:var_in_react");

    let found =
        server.data("POST", "/memories", &json!({"query": "var or const in a React component", "format": "json"}));
    assert_eq!(found["items"][0]["locus_id"], skill["locus_id"], "the skill comes first: {found}");
    assert!(found.get("memories").is_none() && found["items_found"].as_u64().unwrap() >= 3, "{found}");
    let insight =
        server.data("POST", "/memories/insights", &json!({"task": "declare a variable in a React component"}));
    assert!(insight["insight"].as_str().is_some_and(|text| text.contains("const or let")), "{insight}");
    let text = server.data("POST", "/memories", &json!({"query": "var in React", "limit": 2}));
    assert!(
        text["memories"].as_str().unwrap().starts_with("## Relevant Memories") && text.get("items").is_none(),
        "{text}"
    );
    server.stop();
}

#[test]
fn events_come_one_by_one_in_batches_and_all_or_none() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &[]);
    let batch = server.data(
        "POST",
        "/events/batch",
        &json!({"graph_id": "default", "events": [
            {"event_kind": "fact", "payload": {"data": "Water boils at 100 degrees."}},
            {"event_kind": "nonsense", "payload": {"data": "What?"}},
            {"event_type": "heartbeat", "content": "still here"},
        ]}),
    );
    assert_eq!((&batch["stored"], &batch["filtered"], &batch["failed"]), (&json!(1), &json!(1), &json!(1)), "{batch}");
    let statuses: Vec<&Value> = batch["results"].as_array().unwrap().iter().map(|row| &row["status"]).collect();
    assert_eq!(statuses, [&json!("created"), &json!("error"), &json!("filtered")]);
    assert_eq!(batch["results"][2]["locus_id"], Value::Null);

    let good = json!({"op": "store", "event_kind": "fact", "payload": {"data": "Ice melts at 0 degrees."}});
    let bad = json!({"event_kind": "fact"});
    let refused =
        server.refused("POST", "/graphs/default/transaction", &json!({"operations": [good, bad]}), 400, "BAD_REQUEST");
    assert!(refused["message"].as_str().unwrap().contains("event 1 "), "{refused}");
    let unlink = json!({"operations": [{"op": "unlink"}]});
    server.refused("POST", "/graphs/default/transaction", &unlink, 400, "BAD_REQUEST");
    let done = server.data("POST", "/graphs/default/transaction", &json!({"operations": [good]}));
    assert_eq!((&done["committed"], &done["applied"], &done["stored"]), (&json!(true), &json!(1), &json!(1)));

    let events = server.data("GET", "/events/default?page_size=10", &none());
    assert_eq!((&events["total"], &events["events"][0]["sent_kind"]), (&json!(3), &json!("fact")), "{events}");
    assert_eq!(server.data("GET", "/events/default?kind=routine", &none())["total"], 1);
    assert_eq!(server.data("GET", "/events/default/rejected", &none())["count"], 1);
    assert_eq!(server.data("GET", "/event-kinds", &none())["kinds"].as_array().unwrap().len(), 23);
    assert_eq!(server.data("GET", "/locuses/default", &none())["total"], 2);
    server.stop();
}

#[test]
fn contexts_are_listed_linked_drawn_and_waited_for() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &[]);
    let tell = |context: &str, text: &str| {
        server.event(&json!({"event_kind": "fact", "context_id": context, "payload": {"data": text}}))
    };
    let react = tell("skill:react", "React renders components.");
    tell("project:shop", "The shop is written with React.");
    tell("skill:css", "CSS styles pages.");
    let listed = server.data("GET", "/contexts/default", &none());
    assert_eq!(listed["total"], 3, "{listed}");
    assert_eq!(server.data("GET", "/contexts/default/skill", &none())["contexts"].as_array().unwrap().len(), 2);
    assert_eq!(server.data("GET", "/contexts/default?q=rea", &none())["contexts"][0]["context_id"], "skill:react");

    let ends = json!({"from_context_id": "project:shop", "to_context_id": "skill:react", "link_type": "related_to"});
    assert_eq!(server.data("POST", "/contexts/default/link", &ends), ends);
    let unknown =
        json!({"from_context_id": "project:shop", "to_context_id": "skill:nothing", "link_type": "related_to"});
    server.refused("POST", "/contexts/default/link", &unknown, 404, "NOT_FOUND");
    let around = server.data("GET", "/contexts/default/skill/react/relationships?direction=incoming", &none());
    assert_eq!(around["relationships"][0]["context"]["context_id"], "project:shop", "{around}");
    assert_eq!(server.data("GET", "/contexts/default/skill/react", &none())["stats"]["incoming_links"], 1);
    let graph = server.data("GET", "/contexts/default/project/shop/graph?depth=2", &none());
    assert_eq!((graph["nodes"].as_array().unwrap().len(), graph["edges"].as_array().unwrap().len()), (2, 1), "{graph}");
    assert_eq!(server.data("GET", "/contexts/default/graph", &none())["nodes"].as_array().unwrap().len(), 3);
    let taken = server.data("DELETE", "/contexts/default/link", &ends);
    assert_eq!((&taken["removed"], &taken["links_removed"]), (&json!(true), &json!(1)));
    assert_eq!(server.data("DELETE", "/contexts/default/link", &ends)["removed"], false);

    let looked_up = server.data("GET", "/context/default?context_id=skill:react", &none());
    assert_eq!(
        (&looked_up["locus_id"], &looked_up["payload"]["data"]),
        (&react["locus_id"], &json!("React renders components."))
    );
    let many = server.data("POST", "/context/default/batch", &json!({"context_ids": ["skill:css", "skill:none", "?"]}));
    assert_eq!((many["contexts"].as_array().unwrap().len(), &many["not_found"]), (1, &json!(["skill:none", "?"])));

    server
        .event(&json!({"event_kind": "fact", "payload": {"data": "Hooks are coming."}, "related_to": ["skill:hooks"]}));
    let waiting = server.data("GET", "/resolve/default/unresolved", &none());
    assert_eq!(
        (&waiting["total_unresolved_links"], &waiting["context_ids"][0]["context_id"]),
        (&json!(1), &json!("skill:hooks"))
    );
    assert_eq!(server.data("GET", "/resolve/default/unresolved/skill:hooks", &none())["links_count"], 1);
    let resolution = json!({"context_id": "skill:hooks", "locus_id": react["locus_id"]});
    let resolved = server.data("POST", "/resolve/default", &resolution);
    assert_eq!((&resolved["links_resolved"], &resolved["source"]), (&json!(1), &json!("manual")), "{resolved}");
    let again =
        server.data("POST", "/resolve/default/batch", &json!({"resolutions": [resolution, {"locus_id": "Lbeef"}]}));
    assert_eq!((&again["total_resolved"], again["results"].as_array().unwrap().len()), (&json!(0), 2), "{again}");
    assert_eq!(server.data("GET", "/locuses/context/default/skill/hooks", &none())["total"], 1);
    server.stop();
}

#[test]
fn refusals_come_in_the_envelope() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &[]);
    let unknown = json!({"event_kind": "fact", "payload": {"data": "x"}, "colour": 1, "shape": 2});
    let error = server.refused("POST", "/events", &unknown, 400, "BAD_REQUEST");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("'colour'") && message.contains("'shape'"), "all of them at once: {message}");
    for (method, path, body, status, code) in [
        ("POST", "/events", json!({"payload": {"data": "x"}}), 400, "BAD_REQUEST"),
        ("POST", "/events", json!({"graph_id": "other", "event_kind": "fact", "payload": "x"}), 404, "NOT_FOUND"),
        ("POST", "/memories", json!({"query": 5}), 400, "BAD_REQUEST"),
        ("POST", "/memories", json!({"query": "x", "context_types": {"skill": 1}}), 400, "BAD_REQUEST"),
        ("GET", "/locus/default/Lbeef", none(), 404, "NOT_FOUND"),
        ("GET", "/locus/other/Lbeef", none(), 404, "NOT_FOUND"),
        ("GET", "/contexts/default/skill/none", none(), 404, "NOT_FOUND"),
        ("GET", "/contexts/default?page=x", none(), 400, "BAD_REQUEST"),
        ("GET", "/context/default", none(), 400, "BAD_REQUEST"),
        ("GET", "/events", none(), 405, "METHOD_NOT_ALLOWED"),
        ("GET", "/nowhere", none(), 404, "NOT_FOUND"),
        ("POST", "/resolve/default/batch", json!({"resolutions": []}), 400, "BAD_REQUEST"),
    ] {
        server.refused(method, path, &body, status, code);
    }
    assert_eq!(server.v1("GET", "/events", &none()).header("allow"), Some("POST"));
    assert_eq!(server.done("status", &none())["active_count"], 0);
    server.stop();
}

#[test]
fn a_token_to_read_cannot_write_here_either() {
    let sandbox = Sandbox::new();
    sandbox.write_private("tokens", "read rrrrrrrrrrrrrrrrrrrrrrrr\n");
    let server = Server::start(&sandbox, &["--token-file", "tokens"]);
    let headers = [("Content-Type", "application/json"), ("Authorization", "Bearer rrrrrrrrrrrrrrrrrrrrrrrr")];
    let event = json!({"event_kind": "fact", "payload": {"data": "x"}}).to_string();
    let refused = server.send("POST", "/v1/events", &headers, &event);
    assert_eq!((refused.status, &refused.message()["error"]["code"]), (403, &json!("FORBIDDEN")));
    assert_eq!(server.send("POST", "/v1/memories", &headers, "{\"query\": \"x\"}").status, 200);
    assert_eq!(server.send("POST", "/v1/events", &headers[..1], &event).message()["error"]["code"], "UNAUTHORIZED");
    server.stop();
}
