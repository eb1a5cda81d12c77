//! The tools: what is listed, what they answer, how they refuse.

use serde_json::{Value, json};

use super::Client;
use crate::Sandbox;

fn listed(arguments: &[&str]) -> Value {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, arguments);
    let tools = client.request("tools/list", json!({}))["result"]["tools"].clone();
    client.close();
    tools
}

#[test]
fn every_tool_of_the_default_list_is_as_pinned() {
    insta::assert_json_snapshot!("mcp-tools-core", listed(&["serve"]));
}

#[test]
fn every_tool_of_the_full_list_is_as_pinned() {
    insta::assert_json_snapshot!("mcp-tools-all", listed(&["serve", "--tools", "all"]));
}

#[test]
fn the_default_list_costs_a_client_less_than_2500_tokens() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve"]);
    let result = client.request("tools/list", json!({}))["result"].to_string();
    let tokens = elfmem_text::tokens::estimate(&result);
    assert!(tokens < 2_500, "{tokens}");
    client.close();
}

#[test]
fn each_tool_has_a_name_a_description_that_says_when_and_a_schema() {
    for tool in listed(&["serve", "--tools", "all"]).as_array().unwrap() {
        assert!(tool["name"].as_str().unwrap().starts_with("elfmem_"), "{tool}");
        assert!(tool["description"].as_str().unwrap().contains(" Use when: "), "{tool}");
        assert_eq!((&tool["inputSchema"]["type"], &tool["outputSchema"]["type"]), (&json!("object"), &json!("object")));
    }
}

#[test]
fn the_loop_of_an_agent_from_learning_to_outcome() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve"]);
    let (text, learned) = client.done(
        "elfmem_learn",
        json!({"content": "Maria is allergic to peanuts", "tags": ["people/maria"], "category": "observation"}),
    );
    assert_eq!(text, "Stored block 0df8edae. Status: created.");
    assert_eq!(learned, json!({"block_id": "0df8edae6b966de1", "status": "created"}));

    let (text, recalled) = client.done("elfmem_recall", json!({"query": "who can't eat nuts?", "top_k": 3}));
    assert!(text.contains("Maria is allergic to peanuts"), "{text}");
    assert_eq!(recalled["blocks"][0]["id"], learned["block_id"]);

    let (text, framed) = client.done("elfmem_frame", json!({"name": "attention", "query": "peanuts", "top_k": 2}));
    assert!(text.contains("Maria is allergic to peanuts"), "{text}");
    assert_eq!(framed["block_count"], 1);

    let (text, dreamt) = client.done("elfmem_consolidate", json!({}));
    assert_eq!(text, "Consolidated 1: 1 promoted, 0 deduped, 0 edges.");
    assert_eq!(dreamt["promoted"], 1);

    let (_, outcome) = client.done("elfmem_outcome", json!({"block_ids": [learned["block_id"]], "signal": 0.9}));
    assert_eq!(outcome["blocks_updated"], 1);

    let (text, curated) = client.done("elfmem_curate", json!({}));
    assert!(text.starts_with("Curated: 0 archived, "), "{text}");
    assert_eq!(curated["archived"], 0);

    let (text, status) = client.done("elfmem_status", json!({}));
    assert!(text.contains("1 active"), "{text}");
    assert_eq!((&status["session_active"], &status["active_count"]), (&json!(true), &json!(1)));

    let (text, guide) = client.done("elfmem_guide", json!({"method_name": "recall"}));
    assert!(text.starts_with("recall: "), "{text}");
    assert_eq!(guide["text"], text);
    client.close();
}

#[test]
fn test_elfmem_connect_tool_returns_dict() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve"]);
    let (a, b) = (client.active_block("Deploys go out on Tuesdays"), client.active_block("The cat sleeps in the sun"));
    let (text, edge) =
        client.done("elfmem_connect", json!({"source": a, "target": b, "relation": "supports", "note": "why not"}));
    assert!(edge.is_object());
    assert_eq!((&edge["action"], &edge["relation"]), (&json!("created"), &json!("supports")));
    assert_eq!((&edge["source_id"], &edge["target_id"]), (&json!(a), &json!(b)));
    assert!(text.contains("supports"), "{text}");
    client.close();
}

#[test]
fn test_elfmem_disconnect_tool_returns_dict() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve"]);
    let (a, b) = (client.active_block("Deploys go out on Tuesdays"), client.active_block("The cat sleeps in the sun"));
    client.done("elfmem_connect", json!({"source": a, "target": b, "relation": "supports"}));
    let (_, removed) = client.done("elfmem_disconnect", json!({"source": b, "target": a, "reason": "it was a joke"}));
    assert!(removed.is_object());
    assert_eq!((&removed["action"], &removed["removed_relation"]), (&json!("removed"), &json!("supports")));
    client.close();
}

#[test]
fn test_elfmem_connect_tool_propagates_connect_error_as_exception() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve"]);
    let a = client.active_block("Deploys go out on Tuesdays");
    let (text, error) = client.refused("elfmem_connect", json!({"source": a, "target": a}));
    assert_eq!(error["error"], "SelfLoopError");
    let (message, recovery) = (error["message"].as_str().unwrap(), error["recovery"].as_str().unwrap());
    assert_eq!(text, format!("{message} — Recovery: {recovery}"));
    client.close();
}

#[test]
fn other_names_of_a_verb_work_though_they_are_not_listed() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve"]);
    client.done("elfmem_remember", json!({"content": "Deploys go out on Tuesdays"}));
    let (_, dreamt) = client.done("elfmem_dream", json!({}));
    assert_eq!(dreamt["processed"], 1);
    let names = client.request("tools/list", json!({}))["result"].to_string();
    assert!(!names.contains("elfmem_remember") && !names.contains("elfmem_dream"));
    client.close();
}

#[test]
fn what_the_short_list_does_not_show_of_a_tool_is_taken_all_the_same() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve"]);
    client.done("elfmem_learn", json!({"content": "The port changed", "event_at": "2026-05-08"}));
    let (_, recalled) = client.done("elfmem_recall", json!({"query": "port", "preview": true, "tags": null}));
    assert_eq!(recalled["blocks"].as_array().unwrap().len(), 1);
    client.close();
}

#[test]
fn bad_arguments_name_the_nearest_parameter_and_change_nothing() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve"]);
    for (tool, arguments, told) in [
        ("elfmem_learn", json!({"contents": "x"}), "did you mean 'content'?"),
        ("elfmem_learn", json!({}), "'content' is missing"),
        ("elfmem_learn", json!({"content": 5}), "'content' must be"),
        ("elfmem_learn", json!({"content": "x", "tags": "one"}), "'tags' must be"),
        ("elfmem_learn", json!({"content": "  "}), "the content is empty"),
        ("elfmem_recall", json!({"query": "x", "topk": 3}), "did you mean 'top_k'?"),
        ("elfmem_recall", json!({"query": "x", "top_k": -1}), "'top_k' must be"),
        ("elfmem_frame", json!({"name": "tusk"}), "Valid frames: "),
        ("elfmem_connect", json!({"source": "beef", "target": "cafe"}), "beef"),
        ("elfmem_outcome", json!({"block_ids": ["beef"], "signal": 7}), "signal"),
        ("elfmem_guide", json!({"method": "recall"}), "did you mean 'method_name'?"),
    ] {
        let (text, error) = client.refused(tool, arguments.clone());
        assert!(text.contains(told), "{tool} {arguments}: {text}");
        assert!(text.contains(" — Recovery: "), "{tool} {arguments}: {text}");
        assert!(error["recovery"].as_str().is_some_and(|recovery| !recovery.is_empty()), "{error}");
    }
    let (_, status) = client.done("elfmem_status", json!({}));
    assert_eq!(status["inbox_count"], 0);
    client.close();
}

#[test]
fn requests_that_cannot_be_routed_are_protocol_errors_and_the_server_goes_on() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve"]);
    for (method, params, code, told) in [
        ("tools/call", json!({"name": "elfmem_recal", "arguments": {}}), -32602, "'elfmem_recall'"),
        ("tools/call", json!({"name": "elfmem_undo", "arguments": {}}), -32602, "--tools all"),
        ("tools/call", json!({"name": "elfmem_learn", "arguments": "x"}), -32602, "arguments (an object)"),
        ("tools/call", json!({"arguments": {}}), -32602, "name (a string)"),
        ("no/such/method", json!({}), -32601, "no/such/method"),
    ] {
        let answer = client.request(method, params.clone());
        assert_eq!(answer["error"]["code"], code, "{method} {params}: {answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains(told), "{answer}");
    }
    client.done("elfmem_status", json!({}));
    client.close();
}

#[test]
fn every_answer_fits_the_schema_it_was_announced_with() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve", "--tools", "all"]);
    let tools = client.request("tools/list", json!({}))["result"]["tools"].clone();
    let (a, b) = (client.active_block("Deploys go out on Tuesdays"), client.active_block("The cat sleeps in the sun"));
    for (tool, arguments) in [
        ("elfmem_learn", json!({"content": "Something new"})),
        ("elfmem_recall", json!({"query": "deploys"})),
        ("elfmem_frame", json!({"name": "self"})),
        ("elfmem_consolidate", json!({"dry_run": true})),
        ("elfmem_curate", json!({})),
        ("elfmem_connect", json!({"source": a, "target": b})),
        ("elfmem_disconnect", json!({"source": a, "target": b})),
        ("elfmem_outcome", json!({"block_ids": [a], "signal": 0.8})),
        ("elfmem_status", json!({})),
        ("elfmem_guide", json!({})),
        ("elfmem_list", json!({})),
        ("elfmem_show", json!({"block": a})),
        ("elfmem_history", json!({})),
    ] {
        let (_, answer) = client.done(tool, arguments);
        let schema = &tools.as_array().unwrap().iter().find(|listed| listed["name"] == tool).unwrap()["outputSchema"];
        for name in schema["required"].as_array().unwrap() {
            let name = name.as_str().unwrap();
            let value = answer.get(name).unwrap_or_else(|| panic!("{tool} does not answer {name}"));
            let wanted = &schema["properties"][name]["type"];
            let is = |kind: &str| match kind {
                "null" => value.is_null(),
                "string" => value.is_string(),
                "integer" => value.is_i64() || value.is_u64(),
                "number" => value.is_number(),
                "boolean" => value.is_boolean(),
                "array" => value.is_array(),
                _ => value.is_object(),
            };
            let fits = match wanted {
                Value::String(kind) => is(kind),
                Value::Array(kinds) => kinds.iter().any(|kind| is(kind.as_str().unwrap())),
                _ => false,
            };
            assert!(fits, "{tool}.{name}: {value} is not {wanted}");
        }
    }
    client.close();
}

/// The worked example of seed 004, over the protocol.
#[test]
fn a_mistake_becomes_a_skill_with_the_tools_for_events() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve", "--tools", "locus"]);
    let mut told = |event: Value| client.done("elfmem_store_event", event).1;
    let mistake = told(json!({"event_kind": "observation", "source": "agent",
        "payload": {"data": "Used var instead of const in React component."}}));
    let pattern = told(json!({"event_kind": "fact", "source": "agent", "content": "Repeated use of var in React.",
        "links": [{"type": "derived_from", "target": mistake["block_id"]}]}));
    let skill = told(json!({"event_kind": "decision", "source": "agent",
        "content": "Always use const or let in React components.",
        "links": [{"type": "extends", "target": pattern["block_id"]}, {"type": "reinforces", "target": mistake["block_id"]}]}));
    assert_eq!(skill["links"][1]["effects"][0]["after"], 0.65);
    let (_, found) = client.done("elfmem_retrieve_memories", json!({"query": "used var in React"}));
    assert_eq!(found["items"][0]["block_id"], skill["block_id"]);
    let (_, chain) = client.done("elfmem_chain", json!({"block": skill["block_id"]}));
    assert_eq!(chain["nodes"], 4);
    client.close();
}
