//! From start to stop: streams, signals, garbage, sessions, several clients.

use serde_json::{Value, json};

use super::Client;
use crate::Sandbox;
use crate::many_processes::assert_integrity;

/// Whether the servers' sessions in a file have ended, the oldest first.
fn ended_sessions(sandbox: &Sandbox) -> Vec<bool> {
    let connection = rusqlite::Connection::open(sandbox.file("m.db")).unwrap();
    let query = "SELECT ended_at IS NOT NULL FROM sessions WHERE task_type = 'mcp' ORDER BY started_at";
    let mut rows = connection.prepare(query).unwrap();
    rows.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

#[test]
fn a_closed_input_stops_the_server_after_its_last_answers() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve", "--db", "m.db"]);
    let ids: Vec<u64> = (0..20)
        .map(|n| {
            client.ask("tools/call", json!({"name": "elfmem_learn", "arguments": {"content": format!("fact {n}")}}))
        })
        .collect();
    client.hang_up();
    let (status, answers, stderr) = client.stopped();
    assert!(status.success() && stderr.is_empty(), "{status} {stderr}");
    for id in ids {
        assert!(
            answers.iter().any(|line| serde_json::from_str::<Value>(line).unwrap()["id"] == id),
            "request {id} was not answered"
        );
    }
    assert_eq!(sandbox.run(&["ls", "-n", "0", "--json", "--db", "m.db"]).json()["count"], 20);
    assert_eq!(ended_sessions(&sandbox), [true]);
    assert_integrity(&sandbox, "m.db");
}

#[test]
fn signals_stop_the_server_and_end_its_session() {
    for signal in ["-TERM", "-INT", "-HUP"] {
        let sandbox = Sandbox::new();
        let mut client = Client::connect(&sandbox, &["serve", "--db", "m.db"]);
        client.done("elfmem_learn", json!({"content": "the last words"}));
        assert_eq!(ended_sessions(&sandbox), [false]);
        client.signal(signal);
        let (status, rest, stderr) = client.stopped();
        assert!(status.success() && rest.is_empty() && stderr.is_empty(), "{signal}: {status} {rest:?} {stderr}");
        assert_eq!(ended_sessions(&sandbox), [true], "{signal}");
        assert_integrity(&sandbox, "m.db");
    }
}

#[test]
fn a_host_may_use_sockets_in_place_of_pipes() {
    for signal in [None, Some("-TERM")] {
        let sandbox = Sandbox::new();
        let mut client = Client::on_sockets(&sandbox, &["serve", "--db", "m.db"]);
        client.done("elfmem_learn", json!({"content": "the last words"}));
        match signal {
            Some(signal) => client.signal(signal),
            None => client.hang_up(),
        }
        let (status, rest, stderr) = client.stopped();
        assert!(status.success() && rest.is_empty() && stderr.is_empty(), "{signal:?}: {status} {rest:?} {stderr}");
        assert_eq!(ended_sessions(&sandbox), [true], "{signal:?}");
    }
}

#[test]
fn a_server_that_nobody_talks_to_stops_too_and_makes_no_file() {
    for signal in [None, Some("-TERM")] {
        let sandbox = Sandbox::new();
        let mut client = Client::silent(&sandbox, &["serve", "--db", "m.db"]);
        match signal {
            // A signal before the server listens for it would kill it: an answer shows that it does.
            Some(signal) => {
                client.request("ping", json!({}));
                client.signal(signal);
            }
            None => client.hang_up(),
        }
        let (status, rest, stderr) = client.stopped();
        assert!(status.success() && rest.is_empty() && stderr.is_empty(), "{status} {rest:?} {stderr}");
        assert!(!sandbox.file("m.db").exists());
    }
}

#[test]
fn introductions_lists_and_the_guide_open_no_memory() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve", "--db", "/proc/nowhere/m.db"]);
    client.request("tools/list", json!({}));
    client.request("resources/list", json!({}));
    client.request("prompts/list", json!({}));
    let (text, _) = client.done("elfmem_guide", json!({}));
    assert!(text.contains("recall"), "{text}");
    let (text, error) = client.refused("elfmem_status", json!({}));
    assert!(error["error"] == "StorageError" && text.contains(" — Recovery: "), "{text}");
    client.close();
}

#[test]
fn garbage_is_ignored_or_refused_and_the_conversation_goes_on() {
    let sandbox = Sandbox::new();
    let mut client = Client::silent(&sandbox, &["serve"]);
    let garbage: [&[u8]; 8] = [
        b"",
        b"hello",
        b"{",
        b"\xff\xfe\x00",
        b"[1, 2, 3]",
        b"{\"jsonrpc\": \"2.0\"}",
        b"{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}",
        b"{\"jsonrpc\": \"2.0\", \"id\": 77, \"result\": {}}",
    ];
    for line in garbage {
        client.send_line(line);
    }
    client.initialize();
    for line in garbage {
        client.send_line(line);
    }
    client.send_line(format!("{{\"too long\": \"{}\"}}", "x".repeat(5 * 1024 * 1024)).as_bytes());
    client.done("elfmem_learn", json!({"content": "still here"}));
    client.hang_up();
    let (status, _, stderr) = client.stopped();
    assert!(status.success() && stderr.is_empty(), "{status} {stderr}");
}

#[test]
fn a_request_that_cannot_be_read_is_answered_with_an_error_that_carries_its_id() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve", "--db", "m.db"]);
    let call = |id: u64, content: &[u8]| {
        let head = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"elfmem_learn\",\"arguments\":{{\"content\":"
        );
        [head.as_bytes(), content, b"}}}"].concat()
    };
    let deep = [b"[".repeat(10_000), b"]".repeat(10_000)].concat();
    let long = [b"\"".as_slice(), &b"word ".repeat(1024 * 1024), b"\""].concat();
    let unreadable: [(u64, &[u8], i64); 4] =
        [(101, b"\"\xff\xfe\"", -32_700), (102, br#""\ud800""#, -32_700), (103, &deep, -32_700), (104, &long, -32_600)];
    for (id, content, code) in unreadable {
        client.send_line(&call(id, content));
        let answer = client.answer(id);
        assert_eq!(answer["error"]["code"], code, "{answer}");
    }
    client.done("elfmem_learn", json!({"content": "still here"}));
    client.close();
}

#[test]
fn calls_before_the_introduction_are_refused_and_do_no_harm() {
    let sandbox = Sandbox::new();
    let mut client = Client::silent(&sandbox, &["serve"]);
    let answer = client.request("tools/call", json!({"name": "elfmem_status", "arguments": {}}));
    assert!(answer["error"].is_object(), "{answer}");
    client.initialize();
    client.done("elfmem_status", json!({}));
    client.close();
}

#[test]
fn calls_at_once_are_all_answered() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve"]);
    client.done("elfmem_learn", json!({"content": "Deploys go out on Tuesdays"}));
    let ids: Vec<u64> = (0..60)
        .map(|n| match n % 3 {
            0 => {
                client.ask("tools/call", json!({"name": "elfmem_learn", "arguments": {"content": format!("fact {n}")}}))
            }
            1 => client.ask("tools/call", json!({"name": "elfmem_recall", "arguments": {"query": "deploys"}})),
            _ => client.ask("tools/call", json!({"name": "elfmem_status"})),
        })
        .collect();
    for id in ids {
        let answer = client.answer(id);
        assert_ne!(answer["result"]["isError"], true, "{answer}");
    }
    let (_, status) = client.done("elfmem_status", json!({}));
    assert_eq!(status["inbox_count"], 21);
    client.close();
}

#[test]
fn a_cancelled_call_harms_nothing_and_the_server_goes_on() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve", "--db", "m.db"]);
    for n in 0..200 {
        client.done("elfmem_learn", json!({"content": format!("Fact number {n} tells of {}", n * 7)}));
    }
    let dream = client.ask("tools/call", json!({"name": "elfmem_consolidate", "arguments": {}}));
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": dream, "reason": "enough"}}));
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 9999}}));
    let (_, status) = client.done("elfmem_status", json!({}));
    let counted = status["inbox_count"].as_u64().unwrap()
        + status["active_count"].as_u64().unwrap()
        + status["archived_count"].as_u64().unwrap();
    assert_eq!(counted, 200, "{status}");
    client.done("elfmem_learn", json!({"content": "life goes on"}));
    client.close();
    assert_integrity(&sandbox, "m.db");
}

#[test]
fn several_servers_share_one_file() {
    let sandbox = Sandbox::new();
    let (mut one, mut two) =
        (Client::connect(&sandbox, &["serve", "--db", "m.db"]), Client::connect(&sandbox, &["serve", "--db", "m.db"]));
    for n in 0..10 {
        let (left, right) = (
            one.ask("tools/call", json!({"name": "elfmem_learn", "arguments": {"content": format!("one says {n}")}})),
            two.ask("tools/call", json!({"name": "elfmem_learn", "arguments": {"content": format!("two says {n}")}})),
        );
        for answer in [one.answer(left), two.answer(right)] {
            assert_eq!(answer["result"]["structuredContent"]["status"], "created", "{answer}");
        }
    }
    let (text, _) = two.done("elfmem_recall", json!({"query": "what does one say 7"}));
    assert!(text.contains("one says 7"), "{text}");
    one.done("elfmem_consolidate", json!({}));
    let (_, status) = two.done("elfmem_status", json!({}));
    assert_eq!(status["inbox_count"], 0, "{status}");
    one.close();
    two.done("elfmem_learn", json!({"content": "two is still here"}));
    two.close();
    assert_eq!(ended_sessions(&sandbox), [true, true]);
    assert_integrity(&sandbox, "m.db");
}

#[test]
fn four_servers_that_write_250_each_store_all_1000() {
    let sandbox = Sandbox::new();
    let mut clients: Vec<Client> = (0..4).map(|_| Client::connect(&sandbox, &["serve", "--db", "m.db"])).collect();
    std::thread::scope(|scope| {
        for (writer, client) in clients.iter_mut().enumerate() {
            scope.spawn(move || {
                for n in 0..250 {
                    let content = format!("writer {writer} noted number {n}");
                    let (_, told) = client.done("elfmem_learn", json!({"content": content}));
                    assert_eq!(told["status"], "created");
                }
            });
        }
    });
    clients.into_iter().for_each(Client::close);
    assert_eq!(sandbox.run(&["ls", "-n", "0", "--json", "--db", "m.db"]).json()["count"], 1000);
    assert_integrity(&sandbox, "m.db");
}

#[test]
fn the_journal_names_the_client() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve", "--db", "m.db"]);
    client.done("elfmem_learn", json!({"content": "Deploys go out on Tuesdays"}));
    client.close();
    let history = sandbox.run(&["history", "--json", "--db", "m.db"]).json().to_string();
    assert!(history.contains("mcp:tester"), "{history}");
}

#[test]
fn a_killed_server_loses_nothing_that_was_acknowledged() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve", "--db", "m.db"]);
    client.done("elfmem_learn", json!({"content": "acknowledged"}));
    client.signal("-KILL");
    let (status, _, _) = client.stopped();
    assert!(!status.success());
    let mut next = Client::connect(&sandbox, &["serve", "--db", "m.db"]);
    let (text, _) = next.done("elfmem_recall", json!({"query": "acknowledged"}));
    assert!(text.contains("acknowledged"), "{text}");
    next.close();
    assert_integrity(&sandbox, "m.db");
}

#[test]
fn what_needs_no_model_works_while_the_model_cannot_be_reached() {
    let sandbox = Sandbox::new();
    // A port that was free a moment ago: nobody answers there.
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let settings = format!("[models]\nembedder = \"ollama:any\"\nbase_url = \"http://{nobody}/v1\"\n");
    std::fs::create_dir_all(sandbox.file(".config/elfmem")).unwrap();
    std::fs::write(sandbox.file(".config/elfmem/config.toml"), settings).unwrap();
    let mut client = Client::connect(&sandbox, &["serve"]);
    client.done("elfmem_learn", json!({"content": "Deploys go out on Tuesdays"}));
    let (_, status) = client.done("elfmem_status", json!({}));
    assert_eq!(status["inbox_count"], 1);
    let (text, error) = client.refused("elfmem_consolidate", json!({}));
    assert!(error["error"] == "ModelError" && text.contains(" — Recovery: "), "{text}");
    client.close();
}

#[test]
fn a_second_initialize_is_refused_and_changes_nothing() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve", "--db", "m.db"]);
    let tools = client.request("tools/list", json!({}))["result"].clone();
    for version in ["9999", "2024-11-05", "2025-06-18"] {
        let again = json!({
            "protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "other", "version": "1"},
        });
        assert_eq!(client.request("initialize", again)["error"]["code"], -32_600, "{version}");
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        assert_eq!(client.request("ping", json!({}))["result"], json!({}), "{version}");
        assert_eq!(client.request("tools/list", json!({}))["result"], tools, "{version}");
    }
    client.close();
}

#[test]
fn a_server_goes_on_after_an_initialize_that_failed() {
    let sandbox = Sandbox::new();
    let mut client = Client::silent(&sandbox, &["serve", "--db", "m.db"]);
    for params in [json!({}), json!({"protocolVersion": 7}), json!(null)] {
        assert!(client.request("initialize", params)["error"].is_object());
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}));
    }
    assert_eq!(client.initialize()["serverInfo"]["name"], "elfmem");
    client.done("elfmem_learn", json!({"content": "Deploys go out on Tuesdays"}));
    client.close();
}
