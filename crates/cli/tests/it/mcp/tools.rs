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
        let description = tool["description"].as_str().unwrap();
        assert!([" Use when", " Use to ", " Use block IDs "].iter().any(|says| description.contains(says)), "{tool}");
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
    assert_eq!(recalled["blocks"][0]["block_id"], learned["block_id"]);
    assert!(text.contains("[0df8edae | today, ") && text.contains(" | #people/maria | relevance 0."), "{text}");

    let (text, framed) = client.done("elfmem_frame", json!({"name": "attention", "query": "peanuts", "top_k": 2}));
    assert!(text.contains("Maria is allergic to peanuts"), "{text}");
    assert_eq!(framed["block_count"], 1);

    let (text, outcome) = client.done("elfmem_outcome", json!({"block_ids": [learned["block_id"]], "signal": 0.9}));
    assert_eq!((&outcome["blocks_updated"], &outcome["promoted"][0]["fate"]), (&json!(1), &json!("promoted")));
    assert!(text.ends_with("Block 0df8edae was promoted from the inbox first."), "{text}");

    client.done("elfmem_learn", json!({"content": "The team dinner is on Friday"}));
    let (text, dreamt) = client.done("elfmem_consolidate", json!({}));
    assert_eq!(text, "Consolidated 1: 1 promoted, 0 deduped, 0 edges.");
    assert_eq!(dreamt["promoted"], 1);

    let (text, curated) = client.done("elfmem_curate", json!({}));
    assert!(text.starts_with("Curated: 0 archived, "), "{text}");
    assert_eq!(curated["archived"], 0);

    let (text, status) = client.done("elfmem_status", json!({}));
    assert!(text.contains("2 active"), "{text}");
    assert_eq!((&status["session_active"], &status["active_count"]), (&json!(true), &json!(2)));

    let (text, guide) = client.done("elfmem_guide", json!({"method_name": "recall"}));
    assert!(text.starts_with("recall: "), "{text}");
    assert_eq!(guide["text"], text);
    client.close();
}

#[test]
fn answers_of_the_default_list_are_short_and_those_of_the_full_list_whole() {
    let sandbox = Sandbox::new();
    let mut size = Vec::new();
    for tools in [&["serve"][..], &["serve", "--tools", "all"]] {
        let mut client = Client::connect(&sandbox, tools);
        client.done("elfmem_learn", json!({"content": "The staging database listens on port 5433"}));
        let (text, found) = client.done("elfmem_recall", json!({"query": "which port does staging use?"}));
        let block = &found["blocks"][0];
        assert_eq!(block["content"], "The staging database listens on port 5433");
        assert!(block["block_id"].is_string() && block["relevance"].is_number() && block["trusted"] == true, "{block}");
        let is_whole = tools.len() > 1;
        assert_eq!((block.get("explain").is_some(), found.get("evidence").is_some()), (is_whole, is_whole), "{found}");
        assert_eq!(block.get("superseded_by").is_some(), is_whole, "{block}");
        assert!(text.contains("5433"), "{text}");
        size.push(found.to_string().len());
        client.close();
    }
    assert!(size[0] * 5 < size[1] * 3, "{size:?}");
}

#[test]
fn an_outcome_of_one_block_takes_its_id_alone() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve"]);
    let (_, learned) = client.done("elfmem_learn", json!({"content": "Maria is allergic to peanuts"}));
    let (_, outcome) = client.done("elfmem_outcome", json!({"block_id": learned["block_id"], "signal": 0.9}));
    assert_eq!(outcome["blocks_updated"], 1);
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

/// The signatures of seed 000, in the list that clients get by default.
#[test]
fn the_tools_connect_and_disconnect_have_the_parameters_of_the_seed_and_obey_them() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve"]);
    let tools = client.request("tools/list", json!({}))["result"]["tools"].clone();
    let schema = |name: &str| {
        let tool = tools.as_array().unwrap().iter().find(|tool| tool["name"] == name).unwrap().clone();
        tool["inputSchema"].clone()
    };
    let names = |schema: &Value| {
        let mut names: Vec<String> = schema["properties"].as_object().unwrap().keys().cloned().collect();
        names.sort();
        names
    };
    let connect = schema("elfmem_connect");
    assert_eq!(names(&connect), ["if_exists", "note", "relation", "source", "target"]);
    assert_eq!(connect["required"], json!(["source", "target"]));
    assert_eq!(connect["properties"]["if_exists"]["enum"], json!(["reinforce", "update", "skip", "error"]));
    assert_eq!(connect["properties"]["if_exists"]["default"], "reinforce");
    assert_eq!(connect["properties"]["relation"]["default"], "similar");
    let disconnect = schema("elfmem_disconnect");
    assert_eq!(names(&disconnect), ["guard_relation", "reason", "source", "target"]);
    assert_eq!(disconnect["required"], json!(["source", "target"]));

    let (a, b) = (client.active_block("Deploys go out on Tuesdays"), client.active_block("The cat sleeps in the sun"));
    let connect = |client: &mut Client, if_exists: &str| {
        client
            .done("elfmem_connect", json!({"source": a, "target": b, "relation": "supports", "if_exists": if_exists}))
            .1
    };
    for (if_exists, action) in
        [("reinforce", "created"), ("reinforce", "reinforced"), ("skip", "skipped"), ("update", "updated")]
    {
        assert_eq!(connect(&mut client, if_exists)["action"], action);
    }
    let (_, error) = client.refused("elfmem_connect", json!({"source": a, "target": b, "if_exists": "error"}));
    assert_eq!(error["error"], "ConnectError");
    for (guard, action) in [("similar", "guarded"), ("supports", "removed"), ("supports", "not_found")] {
        let (_, done) = client.done("elfmem_disconnect", json!({"source": a, "target": b, "guard_relation": guard}));
        assert_eq!(done["action"], action);
    }
    client.close();
}

#[test]
fn the_history_reads_as_the_seed_writes_it() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve", "--tools", "all"]);
    client.done("elfmem_learn", json!({"content": "Maria is allergic to peanuts"}));
    let (text, _) = client.done("elfmem_history", json!({}));
    assert!(text.contains("learn() → Stored block 0df8edae. Status: created. (just now)"), "{text}");
    client.close();
    sandbox.ok(&["learn", "The cat sleeps in the sun"]);
    sandbox.ok(&["dream"]);
    let text = sandbox.ok(&["history"]);
    assert_eq!(text.matches(" learn() → Stored block ").count(), 2, "{text}");
    assert!(text.contains(" consolidate() → Consolidated 2: 2 promoted, 0 deduped, 0 edges. (just now)"), "{text}");
}

#[test]
fn a_server_that_stops_consolidates_a_full_inbox_unless_that_is_turned_off() {
    let words = ["amber", "basil", "cedar", "delta", "ember", "fjord", "grove", "haven", "ivory", "jade"];
    for off in [false, true] {
        let sandbox = Sandbox::new();
        if off {
            std::fs::create_dir_all(sandbox.file(".config/elfmem")).unwrap();
            std::fs::write(sandbox.file(".config/elfmem/config.toml"), "[session]\nconsolidate = false\n").unwrap();
        }
        let mut client = Client::connect(&sandbox, &["serve"]);
        for word in words {
            client.done("elfmem_learn", json!({"content": format!("The {word} box stands by the {word} door")}));
        }
        client.close();
        let status = sandbox.run(&["status", "--json"]).json();
        let expected = if off { (10, 0) } else { (0, 10) };
        assert_eq!((status["inbox_count"].as_u64().unwrap(), status["active_count"].as_u64().unwrap()), expected);
    }
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
        ("elfmem_learn", json!({}), "content, or a chat as messages"),
        ("elfmem_learn", json!({"content": 5}), "'content' must be"),
        ("elfmem_learn", json!({"content": "x", "tags": 1}), "'tags' must be"),
        ("elfmem_learn", json!({"content": "  "}), "the content is empty"),
        ("elfmem_recall", json!({"query": "x", "topk": 3}), "did you mean 'top_k'?"),
        ("elfmem_recall", json!({"query": "x", "top_k": -1}), "'top_k' must be"),
        ("elfmem_frame", json!({"name": "tusk"}), "Valid frames: "),
        ("elfmem_connect", json!({"source": "beef", "target": "cafe"}), "beef"),
        ("elfmem_outcome", json!({"block_ids": ["beef"], "signal": 7}), "signal"),
        ("elfmem_guide", json!({"method": "recall"}), "did you mean 'method_name'?"),
        ("elfmem_learn", json!({"messages": []}), "There is nothing to store."),
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
        ("tools/call", json!({"name": "elfmem_purge", "arguments": {}}), -32602, "offer all tools"),
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

#[test]
fn an_agent_corrects_forgets_and_takes_back_what_it_did_itself() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "The owner said this on the command line"]);
    let mut client = Client::connect(&sandbox, &["serve"]);
    let (_, learned) = client.done("elfmem_learn", json!({"content": "The port is 5432", "tags": "db"}));
    let (_, shown) = client.done("elfmem_show", json!({"block_id": learned["block_id"]}));
    assert_eq!((&shown["tags"], &shown["block_id"]), (&json!(["db"]), &learned["block_id"]));
    let (_, edited) = client.done("elfmem_edit", json!({"block": learned["block_id"], "content": "The port is 5433"}));
    let (_, found) = client.done("elfmem_recall", json!({"query": "which port?", "limit": 1}));
    assert_eq!(found["blocks"][0]["block_id"], edited["block_id"]);
    client.done("elfmem_forget", json!({"block_id": edited["block_id"]}));
    for operation in ["forget", "edit", "learn"] {
        let (_, undone) = client.done("elfmem_undo", json!({}));
        assert_eq!(undone["operation"], operation, "{undone}");
    }
    let (refused, _) = client.refused("elfmem_undo", json!({}));
    assert!(refused.contains("nothing to undo"), "{refused}");
    let (refused, _) = client.refused("elfmem_undo", json!({"seq": 1}));
    assert!(refused.contains("was done by '") && refused.contains("not by you"), "{refused}");
    let (_, undone) = client.done("elfmem_undo", json!({"own": false}));
    assert_eq!(undone["operation"], "learn", "what was said on the command line");
    client.close();
}

#[test]
fn a_purge_is_confirmed_with_the_text_of_the_block() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve", "--tools", "all"]);
    let (_, learned) = client.done("elfmem_learn", json!({"content": "The code of the gate is 4711"}));
    let id = &learned["block_id"];
    for confirm in [json!(null), json!("yes"), json!("The code of the gate is 4712")] {
        let (refused, _) = client.refused("elfmem_purge", json!({"block_id": id, "confirm": confirm}));
        assert!(refused.contains("give its whole text as confirm"), "{refused}");
        client.done("elfmem_show", json!({"block_id": id}));
    }
    let (_, purged) = client.done("elfmem_purge", json!({"block_id": id, "confirm": "The code of the gate  is 4711"}));
    assert_eq!(purged["block_id"], *id);
    client.close();
}

#[test]
fn errors_name_the_tools_that_the_caller_has() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve"]);
    let (refused, _) = client.refused("elfmem_show", json!({"block_id": "ffffffff"}));
    assert!(refused.contains("Look for it with elfmem_recall,") && !refused.contains("()"), "{refused}");
    let (refused, _) = client.refused("elfmem_learn", json!({"content": "x".repeat(70_000)}));
    assert!(refused.ends_with("Recovery: Store it in parts."), "{refused}");
    client.close();
}

#[test]
fn what_the_default_tools_recommend_and_accept_is_in_their_schemas() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve"]);
    let tools = client.request("tools/list", json!({}))["result"]["tools"].clone();
    let schema = |name: &str| {
        let tool = tools.as_array().unwrap().iter().find(|tool| tool["name"] == name).unwrap();
        tool["inputSchema"].clone()
    };
    let id = client.active_block("Deploys go out on Tuesdays");
    client.active_block("Ana lives in Paris");
    client.active_block("Ana lives in Berlin");
    let question = "how does the immune system work?";
    let (text, _) = client.done("elfmem_recall", json!({"query": question}));
    assert!(text.contains("elfmem_recall(include_weak=true)"), "{text}");
    assert_eq!(schema("elfmem_recall")["properties"]["include_weak"]["type"], "boolean");
    let (_, all) = client.done("elfmem_recall", json!({"query": question, "include_weak": true}));
    assert!(all["blocks"].as_array().is_some_and(|blocks| !blocks.is_empty()), "{all}");
    assert_eq!(schema("elfmem_edit")["properties"]["remove_tags"]["type"], "array");
    client.done("elfmem_edit", json!({"block_id": id, "add_tags": ["a", "b"]}));
    client.done("elfmem_edit", json!({"block_id": id, "remove_tags": "a"}));
    assert_eq!(client.done("elfmem_show", json!({"block_id": id})).1["tags"], json!(["b"]));
    // Hosts refuse `anyOf` at the top of a schema.
    assert_eq!((&schema("elfmem_learn")["minProperties"], schema("elfmem_learn").get("anyOf")), (&json!(1), None));
    let (text, _) = client.refused("elfmem_learn", json!({}));
    assert!(text.contains("content") && text.contains("messages"), "{text}");
    client.close();
}

#[test]
fn an_outcome_for_no_block_is_an_error_and_one_for_some_is_not() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve"]);
    let id = client.active_block("Deploys go out on Tuesdays");
    let (text, error) = client.refused("elfmem_outcome", json!({"block_ids": ["ffffffff"], "signal": 0.9}));
    assert_eq!(error["error"], "NotFoundError");
    assert!(text.contains("There is no block 'ffffffff'") && text.contains("elfmem_recall"), "{text}");
    let (_, done) = client.done("elfmem_outcome", json!({"block_ids": ["ffffffff", id], "signal": 0.9}));
    assert_eq!((&done["blocks_updated"], &done["skipped"][0]["block_id"]), (&json!(1), &json!("ffffffff")));
    client.close();
}

#[test]
fn status_names_an_open_contradiction_and_a_tool_that_ends_it() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve"]);
    let paris = client.active_block("Ana lives in Paris");
    client.done("elfmem_learn", json!({"content": "Ana lives in Berlin"}));
    let (text, _) = client.done("elfmem_consolidate", json!({}));
    assert!(text.contains("'Paris' and 'Berlin' hold one place"), "{text}");
    let (text, status) = client.done("elfmem_status", json!({}));
    assert_eq!((&status["health"], &status["contradiction_count"]), (&json!("attention"), &json!(1)));
    let suggestion = status["suggestion"].as_str().unwrap();
    assert!(suggestion.contains(&paris[..8]) && suggestion.contains("elfmem_forget"), "{suggestion}");
    assert!(text.contains(suggestion) && !text.contains("healthy"), "{text}");
    client.done("elfmem_forget", json!({"block_id": paris}));
    assert_eq!(client.done("elfmem_status", json!({})).1["health"], "good");
    client.close();
}

#[test]
fn an_echo_says_which_tags_it_added() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve"]);
    let text = "Deploys go out on Tuesdays";
    client.done("elfmem_learn", json!({"content": text, "tags": "team"}));
    client.done("elfmem_recall", json!({"query": "when do deploys go out?"}));
    let (told, echo) = client.done("elfmem_learn", json!({"content": text, "tags": ["ops", "team"]}));
    assert_eq!((&echo["status"], &echo["warnings"]), (&json!("echo"), &json!(["It got the tag ops."])), "{told}");
    assert!(told.ends_with("It got the tag ops."), "{told}");
    assert_eq!(client.done("elfmem_learn", json!({"content": text, "tags": ["ops"]})).1.get("warnings"), None);
    client.close();
}

#[test]
fn errors_and_the_guide_name_only_what_is_offered() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve"]);
    let (text, _) = client.refused("elfmem_recall", json!({"query": "bees", "colour": "red"}));
    assert!(text.contains("elfmem_recall takes query") && !text.contains("as_of_event"), "{text}");
    let messages = json!([{"speaker": "Ana", "content": "I keep bees."}]);
    let (text, _) = client.refused("elfmem_learn", json!({"content": "Ana keeps bees", "messages": messages}));
    assert!(!text.contains("learn_messages"), "{text}");
    let (text, _) = client.done("elfmem_guide", json!({}));
    assert!(
        text.contains("  learn ") && text.contains("--tools all") && !text.contains("migrate_embeddings"),
        "{text}"
    );
    client.close();
}
