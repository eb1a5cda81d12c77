//! The tools of the official memory server, and the memory tool of Anthropic's API. Log messages.

use serde_json::{Value, json};

use super::{Client, text_of};
use crate::Sandbox;
use crate::http::Server;

fn names(client: &mut Client) -> Vec<String> {
    let listed = client.request("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap().clone();
    tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_official_tools_work_on_the_memory_and_are_undone() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve", "--tools", "official"]);
    assert_eq!(names(&mut client).len(), 9);
    let maria = json!({"name": "Maria", "entityType": "person", "observations": ["is allergic to peanuts"]});
    let (text, created) = client.done("create_entities", json!({"entities": [maria]}));
    assert_eq!(created, json!({"entities": [maria]}));
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), json!([maria]));
    let unknown = json!({"observations": [{"entityName": "Ravi", "contents": ["x"]}]});
    let refused = client.call("add_observations", unknown);
    assert_eq!(
        (text_of(&refused).as_str(), refused["isError"].as_bool()),
        ("Entity with name Ravi not found", Some(true))
    );
    assert!(refused.get("structuredContent").is_none(), "{refused}");
    assert_eq!(
        text_of(&client.call("elfmem_recall", json!({"query": "x"}))),
        "MCP error -32602: Tool elfmem_recall not found"
    );
    let read = client.request("resources/read", json!({"uri": "memory://knowledge-graph"}));
    assert!(read["result"]["contents"][0]["text"].as_str().unwrap().contains("peanuts"), "{read}");
    client.close();
    assert!(sandbox.ok(&["recall", "who can't eat nuts?"]).contains("Maria: is allergic to peanuts"));
    sandbox.ok(&["undo"]);
    let mut client = Client::connect(&sandbox, &["serve", "--tools", "official"]);
    let (_, graph) = client.done("read_graph", json!({}));
    assert_eq!(graph, json!({"entities": [], "relations": []}));
    client.close();
}

#[test]
fn the_memory_tool_keeps_files_that_recall_finds() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve", "--tools", "memory-tool"]);
    assert_eq!(names(&mut client), ["memory"]);
    let create =
        json!({"command": "create", "path": "/memories/people.md", "file_text": "Maria is allergic to peanuts.\n"});
    let answer = client.call("memory", create.clone());
    assert_eq!(text_of(&answer), "File created successfully at: /memories/people.md");
    let again = client.call("memory", create);
    assert_eq!(
        (text_of(&again).as_str(), &again["isError"]),
        ("Error: File /memories/people.md already exists", &json!(true))
    );
    let escape = client.call("memory", json!({"command": "view", "path": "/memories/../../etc/passwd"}));
    assert_eq!(escape["isError"], true);
    assert!(text_of(&escape).contains("would escape the /memories directory"), "{escape}");
    for wrong in [
        json!({}),
        json!({"command": "rm"}),
        json!({"command": "view"}),
        json!({"command": "insert", "path": "/memories/people.md"}),
    ] {
        let answer = client.call("memory", wrong);
        assert_eq!(answer["isError"], true, "{answer}");
    }
    client.close();
    assert!(sandbox.ok(&["recall", "who can't eat nuts?"]).contains("peanuts"));
}

#[test]
fn the_memory_tool_answers_over_http_and_a_reader_only_views() {
    let sandbox = Sandbox::new();
    sandbox.write_private("tokens", "write 0123456789abcdef0123\nread abcdef0123456789abcd\n");
    let server = Server::start(&sandbox, &["--token-file", sandbox.file("tokens").to_str().unwrap()]);
    let send = |token: &str, command: &Value| {
        let token = format!("Bearer {token}");
        let headers = [("Authorization", token.as_str()), ("Content-Type", "application/json")];
        server.send("POST", "/api/v1/memory-tool", &headers, &command.to_string())
    };
    let (writer, reader) = ("0123456789abcdef0123", "abcdef0123456789abcd");
    let create = json!({"command": "create", "path": "/memories/a.md", "file_text": "one\ntwo"});
    send(reader, &create).problem(403);
    let done = send(writer, &create);
    assert_eq!(
        (done.status, done.message()),
        (200, json!({"content": "File created successfully at: /memories/a.md", "is_error": false}))
    );
    let view = send(reader, &json!({"command": "view", "path": "/memories/a.md"})).message();
    assert_eq!(view["content"], "Here's the content of /memories/a.md with line numbers:\n     1\tone\n     2\ttwo");
    let gone = send(writer, &json!({"command": "delete", "path": "/memories/b.md"})).message();
    assert_eq!(gone, json!({"content": "Error: The path /memories/b.md does not exist", "is_error": true}));
    send(writer, &json!([1])).problem(400);
    let token = format!("Bearer {writer}");
    server.send("POST", "/api/v1/memory-tool", &[("Authorization", token.as_str())], "").problem(400);
    server.stop();
}

#[test]
fn a_client_that_asks_for_log_messages_gets_warnings_without_stored_text() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve"]);
    client.refused("elfmem_show", json!({"block_id": "ffffffff"}));
    assert!(client.request("logging/setLevel", json!({"level": "warning"}))["error"].is_null());
    client.refused("elfmem_show", json!({"block_id": "ffffffff"}));
    client.request("ping", json!({}));
    let logged: Vec<&Value> =
        client.early.iter().filter(|message| message["method"] == "notifications/message").collect();
    assert_eq!(logged.len(), 1, "{:?}", client.early);
    let params = &logged[0]["params"];
    assert_eq!((params["level"].as_str(), params["logger"].as_str()), (Some("warning"), Some("elfmem")));
    assert_eq!(params["data"]["message"], "The call of elfmem_show failed.");
    client.early.clear();
    client.close();
}

#[test]
fn the_official_tools_say_beside_the_graph_what_of_it_is_not_trusted() {
    let sandbox = Sandbox::new();
    let entities =
        |name: &str| json!({"entities": [{"name": name, "entityType": "person", "observations": ["likes tea"]}]});
    let mut client = Client::connect(&sandbox, &["serve", "--tools", "official"]);
    client.done("create_entities", entities("Maria"));
    assert_eq!(client.call("read_graph", json!({}))["content"].as_array().unwrap().len(), 1);
    client.close();
    std::fs::create_dir_all(sandbox.file(".config/elfmem")).unwrap();
    std::fs::write(sandbox.file(".config/elfmem/config.toml"), "[memory]\nuntrusted_sources = [\"mcp:tester\"]\n")
        .unwrap();

    let mut client = Client::connect(&sandbox, &["serve", "--tools", "official"]);
    let read = client.call("read_graph", json!({}));
    let note = read["content"][1]["text"].as_str().unwrap();
    assert!(note.starts_with("(not trusted) ") && note.contains("\"Maria\""), "{read}");
    let opened = client.call("open_nodes", json!({"names": ["nobody"]}));
    assert_eq!(opened["content"].as_array().unwrap().len(), 1, "{opened}");
    let read = client.request("resources/read", json!({"uri": "memory://knowledge-graph"}));
    assert!(read["result"]["contents"][1]["text"].as_str().unwrap().starts_with("(not trusted) "), "{read}");
    client.close();
}
