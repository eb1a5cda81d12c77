//! What a host can look at, and what a person can pick.

use serde_json::{Value, json};

use super::Client;
use crate::Sandbox;

fn read(client: &mut Client, uri: &str) -> Value {
    let answer = client.request("resources/read", json!({"uri": uri}));
    assert!(answer.get("error").is_none(), "{uri}: {answer}");
    assert_eq!(answer["result"]["contents"][0]["uri"], uri);
    answer["result"]["contents"][0].clone()
}

#[test]
fn the_introduction_says_who_we_are_and_teaches_the_loop() {
    let sandbox = Sandbox::new();
    let mut client = Client::silent(&sandbox, &["serve"]);
    let introduction = client.initialize();
    assert_eq!(introduction["serverInfo"]["name"], "elfmem");
    assert_eq!(introduction["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(introduction["protocolVersion"], "2025-06-18");
    for capability in ["tools", "resources", "prompts"] {
        assert!(introduction["capabilities"][capability].is_object(), "{introduction}");
    }
    let instructions = introduction["instructions"].as_str().unwrap();
    assert!(instructions.split_whitespace().count() < 150, "{instructions}");
    client.close();
}

#[test]
fn resources_and_prompts_are_as_pinned() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve"]);
    let listed: Vec<Value> = ["resources/list", "resources/templates/list", "prompts/list"]
        .map(|method| client.request(method, json!({}))["result"].clone())
        .to_vec();
    insta::assert_json_snapshot!("mcp-resources-and-prompts", listed);
    client.close();
}

#[test]
fn every_listed_resource_can_be_read() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve"]);
    client.done("elfmem_learn", json!({"content": "Deploys go out on Tuesdays"}));
    let listed = client.request("resources/list", json!({}))["result"]["resources"].clone();
    for resource in listed.as_array().unwrap() {
        let contents = read(&mut client, resource["uri"].as_str().unwrap());
        assert_eq!(contents["mimeType"], resource["mimeType"]);
        assert!(!contents["text"].as_str().unwrap().trim().is_empty(), "{resource}");
    }
    let status: Value = serde_json::from_str(read(&mut client, "elfmem://status")["text"].as_str().unwrap()).unwrap();
    assert_eq!(status["inbox_count"], 1);
    client.close();
}

#[test]
fn a_block_is_read_by_its_id_or_the_beginning_of_it() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve"]);
    let (_, learned) = client.done("elfmem_learn", json!({"content": "Maria is allergic to peanuts"}));
    let id = learned["block_id"].as_str().unwrap();
    for asked in [id, &id[..6]] {
        let contents = read(&mut client, &format!("elfmem://block/{asked}"));
        let block: Value = serde_json::from_str(contents["text"].as_str().unwrap()).unwrap();
        assert!(block.to_string().contains("Maria is allergic to peanuts"), "{block}");
    }
    client.close();
}

#[test]
fn reading_a_resource_counts_as_no_use_and_begins_no_session() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "Deploys go out on Tuesdays", "--db", "m.db"]);
    let before = sandbox.run(&["history", "--json", "--db", "m.db"]).json()["count"].clone();
    let mut client = Client::connect(&sandbox, &["serve", "--db", "m.db"]);
    for uri in ["elfmem://status", "elfmem://frame/attention", "elfmem://frame/search"] {
        read(&mut client, uri);
    }
    client.close();
    assert_eq!(sandbox.run(&["history", "--json", "--db", "m.db"]).json()["count"], before);
}

#[test]
fn what_cannot_be_read_says_what_can() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve"]);
    for (uri, told) in [
        ("elfmem://nothing", "elfmem://block/ID"),
        ("elfmem://block/beefbeef", "There is no block 'beefbeef'"),
        ("elfmem://block/zz", "is not a block id"),
        ("elfmem://frame/tusk", "Valid frames: "),
        ("file:///etc/passwd", "There is no resource"),
    ] {
        let answer = client.request("resources/read", json!({"uri": uri}));
        assert_eq!(answer["error"]["code"], -32002, "{uri}: {answer}");
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.contains(told) && message.contains("Recovery: "), "{uri}: {message}");
    }
    client.close();
}

#[test]
fn the_prompt_before_a_task_shows_what_the_memory_holds_about_it() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve"]);
    let id = client.active_block("Deploys go out on Tuesdays after the stand-up");
    let answer =
        client.request("prompts/get", json!({"name": "recall", "arguments": {"task": "plan the next deploy"}}));
    let message = &answer["result"]["messages"][0];
    let text = message["content"]["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
    assert_eq!(message["role"], "user");
    for part in ["plan the next deploy", "Deploys go out on Tuesdays", &id, "elfmem_outcome"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    client.close();
}

#[test]
fn the_prompt_at_the_end_lists_what_came_up() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve"]);
    let empty = client.request("prompts/get", json!({"name": "reflect"}))["result"].to_string();
    assert!(empty.contains("elfmem_learn") && empty.contains("No block came up"), "{empty}");
    let id = client.active_block("Deploys go out on Tuesdays");
    client.done("elfmem_recall", json!({"query": "deploys"}));
    let full = client.request("prompts/get", json!({"name": "reflect"}))["result"].to_string();
    assert!(full.contains(&format!("- {id}: Deploys go out on Tuesdays")), "{full}");
    client.close();
}

#[test]
fn a_prompt_that_cannot_be_told_says_what_it_needs() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve"]);
    for (params, told) in [
        (json!({"name": "recall"}), "needs the argument 'task'"),
        (json!({"name": "recall", "arguments": {"task": " "}}), "needs the argument 'task'"),
        (json!({"name": "recal"}), "use 'recall'"),
    ] {
        let answer = client.request("prompts/get", params.clone());
        assert_eq!(answer["error"]["code"], -32602, "{params}: {answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains(told), "{answer}");
    }
    client.close();
}
