//! The mark of texts whose source is not trusted, on every way out: tools, prompts, resources, routes and commands.
//!
//! A memory is filled, and then the settings withdraw the trust in everybody who filled it. So every stored text that is shown
//! comes from a source that is not trusted, whatever the verb that shows it.

use std::collections::BTreeSet;

use elfmem_engine::catalog::{self, Effect, Verb};
use serde_json::json;

use crate::Sandbox;
use crate::http::Server;
use crate::mcp::Client;
use crate::scopes::calls::Filled;
use crate::scopes::typed;
use crate::terminal::without_colours;

/// What every stored text ends with.
const ENDING: &str = " (xyzzy)";
/// How stored texts of blocks begin, as opposed to notes and reasons of edges, which the caller wrote.
const TEXTS: [&str; 10] = [
    "the port is 543",
    "a thought that waits",
    "something forgotten",
    "a page that was learned",
    "Ana rides her",
    "by bike is how",
    "the office closes",
    "six is when",
    "used var in a comp",
    "forgot to close",
];
const MARK: &str = "not trusted";

/// A memory whose every block comes from a source that is no longer trusted.
fn distrusted(sandbox: &Sandbox) -> Filled {
    let server = Server::start(sandbox, &[]);
    let filled = Filled::with_ending("crane", ENDING, &mut |verb, arguments| server.done(verb, &arguments));
    server.stop();
    std::fs::create_dir_all(sandbox.file(".config/elfmem")).unwrap();
    let settings = "[memory]\nuntrusted_sources = [\"http\", \"agent\", \"document\"]\n";
    std::fs::write(sandbox.file(".config/elfmem/config.toml"), settings).unwrap();
    let listed = sandbox.run(&["ls", "--limit", "0", "--json", "--db", "m.db"]).json();
    let trusted = listed["blocks"].as_array().unwrap().iter().filter(|block| block["trusted"] != json!(false)).count();
    assert_eq!(trusted, 0, "{listed:#}");
    filled
}

/// Verbs that leave the memory as it is, and then those that change it.
fn verbs() -> Vec<&'static Verb> {
    let (mut first, rest): (Vec<&Verb>, Vec<&Verb>) = catalog::all().partition(|verb| verb.effect == Effect::Reads);
    first.extend(rest);
    first
}

/// Lines that show a stored text without the mark, by place, and the places that show one.
#[derive(Default)]
struct Walk {
    unmarked: BTreeSet<String>,
    places: BTreeSet<String>,
}

impl Walk {
    /// Checks a text that a model or a person reads. A mark stands in the line of a text, or in the line above it if the text
    /// has lines of its own. JSON has fields for it.
    fn check(&mut self, place: &str, text: &str) {
        if serde_json::from_str::<serde_json::Value>(text).is_ok() {
            return;
        }
        let mut above = "";
        for line in text.lines() {
            let shows = TEXTS.iter().any(|text| line.contains(text));
            if shows && serde_json::from_str::<serde_json::Value>(line).is_err() {
                self.places.insert(place.to_owned());
                let is_headed = above.contains(MARK) && !TEXTS.iter().any(|text| above.contains(text));
                if !line.contains(MARK) && !is_headed {
                    self.unmarked.insert(format!("{place}: {line}"));
                }
            }
            above = line;
        }
    }

    fn finish(self, count: usize) {
        let unmarked: Vec<String> = self.unmarked.into_iter().collect();
        assert!(unmarked.is_empty(), "shown without a mark:\n{}", unmarked.join("\n"));
        assert!(self.places.len() >= count, "only {} places show a text: {:?}", self.places.len(), self.places);
    }
}

#[test]
fn every_tool_prompt_and_resource_marks_untrusted_texts() {
    let sandbox = Sandbox::new();
    let filled = distrusted(&sandbox);
    let mut client = Client::connect(&sandbox, &["serve", "--db", "m.db", "--tools", "all"]);
    let mut walk = Walk::default();
    client.call("elfmem_recall", filled.arguments("recall"));
    for (prompt, arguments) in [("recall", json!({"task": "crane: the port"})), ("reflect", json!({}))] {
        let answer = client.request("prompts/get", json!({"name": prompt, "arguments": arguments}));
        walk.check(prompt, answer["result"]["messages"][0]["content"]["text"].as_str().unwrap());
    }
    let resources = client.request("resources/list", json!({}))["result"]["resources"].clone();
    let uris = resources.as_array().unwrap().iter().map(|resource| resource["uri"].as_str().unwrap().to_owned());
    for uri in uris.chain([format!("elfmem://block/{}", filled.ids()[0])]) {
        let answer = client.request("resources/read", json!({"uri": uri}));
        walk.check(&uri, answer["result"]["contents"][0]["text"].as_str().unwrap());
    }
    for verb in verbs() {
        let result = client.call(&format!("elfmem_{}", verb.name), filled.arguments(verb.name));
        for content in result["content"].as_array().into_iter().flatten() {
            walk.check(verb.name, content["text"].as_str().unwrap());
        }
    }
    client.close();
    walk.finish(15);
}

#[test]
fn every_route_marks_untrusted_texts() {
    let sandbox = Sandbox::new();
    let filled = distrusted(&sandbox);
    let server = Server::start(&sandbox, &[]);
    let mut walk = Walk::default();
    for verb in verbs() {
        let headers = [("Content-Type", "application/json"), ("Accept", "text/plain")];
        let response =
            server.send("POST", &format!("/api/v1/{}", verb.name), &headers, &filled.arguments(verb.name).to_string());
        walk.check(verb.name, &response.body);
    }
    server.stop();
    walk.finish(14);
}

#[test]
fn every_command_marks_untrusted_texts() {
    let sandbox = Sandbox::new();
    let filled = distrusted(&sandbox);
    let mut walk = Walk::default();
    let (block, question) = (&filled.ids()[0], "crane: the port");
    let mut run = |words: &[&str]| {
        let place = words.iter().take(2).copied().collect::<Vec<_>>().join(" ");
        let words: Vec<&str> = words.iter().chain(&["--db", "m.db"]).copied().collect();
        let piped = sandbox.run(&words);
        walk.check(&place, &piped.stdout);
        walk.check(&place, &piped.stderr);
        let there = without_colours(&sandbox.on_a_terminal("n\nq\n", &words).stdout);
        walk.check(&format!("{place} on a terminal"), &there);
    };
    for words in [
        &["ls", "--limit", "0"][..],
        &["recall", question, "--explain"],
        &["retrieve", question],
        &["frame", "self"],
        &["undo", "--dry-run"],
        &["dream", "--dry-run"],
        &["dream", "--pending"],
        &["dream", "--review"],
        &["log", block],
        &["history"],
        &["hook", "prompt"],
        &["graduate"],
    ] {
        run(words);
    }
    for verb in verbs() {
        if let Some(words) = typed(verb, &filled.arguments(verb.name)) {
            run(&words.iter().map(String::as_str).collect::<Vec<_>>());
        }
    }
    walk.finish(25);
}

/// What each line of the texts in a second memory has in it.
const FRUIT: &str = "kiwi";

/// Lines with the fruit that neither have the mark nor begin with the bar of untrusted texts.
fn unmarked_lines(text: &str) -> Vec<&str> {
    let is_json = |text: &str| serde_json::from_str::<serde_json::Value>(text).is_ok();
    if is_json(text) {
        return Vec::new();
    }
    let begins = |line: &str| line.trim_start_matches([' ', '│', '>']).trim_start().starts_with('┆');
    let is_marked = |line: &&str| line.contains(MARK) || begins(line) || is_json(line);
    text.lines().filter(|line| line.contains(FRUIT)).filter(|line| !is_marked(line)).collect()
}

#[test]
fn every_line_of_an_untrusted_text_is_recognised() {
    let sandbox = Sandbox::new();
    let text = "A kiwi is green\nand this kiwi stands at the left\u{2028}[deadbeef] so does a kiwi here";
    let stored = |text: &str| {
        let result = sandbox.run(&["remember", text, "--source", "web", "--json"]).json();
        result["block_id"].as_str().unwrap().to_owned()
    };
    let (id, other) = (stored(text), stored("A kiwi is not green\nsays the second kiwi"));
    let mut failures: Vec<String> = Vec::new();
    let mut shown = 0;
    let mut check = |place: &str, text: &str| {
        shown += usize::from(text.contains(FRUIT));
        failures.extend(unmarked_lines(text).into_iter().map(|line| format!("{place}: {line}")));
    };
    let messages = r#"[{"speaker": "user", "content": "My kiwi is ripe.\nIt is a good kiwi."}]"#;
    std::fs::write(sandbox.file("messages.json"), messages).unwrap();
    for words in [
        &["remember", "--messages", "messages.json"][..],
        &["recall", "is a fruit green"],
        &["recall", "is a fruit green", "-k", "1"],
        &["frame", "attention", "is a fruit green"],
        &["frame", "task", "is a fruit green"],
        &["frame", "search", "is a fruit green"],
        &["retrieve", "is a fruit green"],
        &["insights", "is a fruit green"],
        &["show", &id],
        &["blame", &id],
        &["influence", &id],
        &["log", &id],
        &["history"],
        &["ls"],
        &["dream", "--pending"],
        &["dream", "--dry-run"],
        &["dream"],
        &["contradictions"],
        &["chain", &id],
        &["curate", "--dry-run", "--prune-threshold", "1"],
        &["retract", "--source", "web", "--dry-run"],
    ] {
        let piped = sandbox.run(words);
        check(&words.join(" "), &piped.stdout);
        check(&words.join(" "), &piped.stderr);
        let there = without_colours(&sandbox.on_a_terminal("n\n", words).stdout);
        check(&format!("{} on a terminal", words.join(" ")), &there);
    }
    let prompt = json!({"session_id": "s", "prompt": "is a fruit green"}).to_string();
    let hook = sandbox.pipe(prompt.as_bytes(), &["hook", "prompt"]);
    if !hook.stdout.is_empty() {
        check("hook", hook.json()["hookSpecificOutput"]["additionalContext"].as_str().unwrap());
    }
    sandbox.ok(&["export", "out", "--format", "markdown"]);
    for folder in std::fs::read_dir(sandbox.file("out")).unwrap() {
        for file in std::fs::read_dir(folder.unwrap().path()).unwrap() {
            let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
            let body = text.split_once("---\n\n").unwrap().1;
            assert!(text.contains("\ntrusted: false\n") && body.starts_with("> (not trusted) "), "{text}");
            assert!(body.lines().all(|line| line.starts_with('>')), "{text}");
        }
    }
    let mut client = Client::connect(&sandbox, &["serve", "--tools", "all"]);
    for verb in verbs().into_iter().filter(|verb| verb.effect == Effect::Reads) {
        for arguments in [
            json!({}),
            json!({"query": "is a fruit green"}),
            json!({"task": "is a fruit green"}),
            json!({"block_id": id}),
            json!({"block_id": other}),
            json!({"query": "is a fruit green", "block_id": id}),
            json!({"name": "attention", "query": "is a fruit green"}),
        ] {
            let result = client.call(&format!("elfmem_{}", verb.name), arguments);
            for content in result["content"].as_array().into_iter().flatten() {
                check(verb.name, content["text"].as_str().unwrap());
            }
        }
    }
    client.close();
    assert!(failures.is_empty(), "lines that nothing marks:\n{}", failures.join("\n"));
    assert!(shown >= 25, "only {shown} answers show a text");
}

#[test]
fn a_markdown_export_of_an_untrusted_text_has_no_escapes_and_comes_back_as_it_was() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "A kiwi is \u{1b}[31mgreen\u{202e}\n\nand ripe", "--source", "web"]);
    sandbox.ok(&["export", "out", "--format", "markdown"]);
    let file = std::fs::read_dir(sandbox.file("out/inbox")).unwrap().next().unwrap().unwrap().path();
    let text = std::fs::read_to_string(file).unwrap();
    assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text:?}");
    sandbox.ok(&["import", "out", "--db", "other.db"]);
    let listed = sandbox.run(&["ls", "--json", "--db", "other.db"]).json();
    assert_eq!(listed["blocks"][0]["content"], "A kiwi is [31mgreen\n\nand ripe", "{listed:#}");
}

#[test]
fn no_name_beside_the_five_is_trusted_over_mcp_and_http() {
    let sandbox = Sandbox::new();
    let names = ["policy", "derived", "init", "elfmem", "mind_create", "owner", "admin", "root", "cli", "trusted"];
    let mut client = Client::connect(&sandbox, &["serve", "--db", "m.db", "--tools", "all"]);
    for name in names {
        client.call("elfmem_learn", json!({"content": format!("learned by {name} over mcp"), "source": name}));
    }
    let event = json!({"event_kind": "rule", "content": "a rule over mcp", "source": "policy"});
    client.done("elfmem_store_event", event.clone());
    client.close();
    let server = Server::start(&sandbox, &[]);
    let headers = [("Content-Type", "application/json")];
    for name in names {
        let learned = json!({"content": format!("learned by {name} over http"), "source": name});
        server.send("POST", "/api/v1/learn", &headers, &learned.to_string());
    }
    let event = json!({"event_kind": "rule", "content": "a rule over http", "source": "policy"});
    server.send("POST", "/api/v1/store_event", &headers, &event.to_string());
    server.stop();
    let listed = sandbox.run(&["ls", "--limit", "0", "--json", "--db", "m.db"]).json();
    let blocks = listed["blocks"].as_array().unwrap();
    assert_eq!(blocks.len(), names.len() * 2 + 2, "{listed:#}");
    let trusted = |block: &&serde_json::Value| block["trusted"] == json!(true);
    let trusted: Vec<&serde_json::Value> = blocks.iter().filter(trusted).map(|block| &block["content"]).collect();
    assert!(trusted.is_empty(), "{trusted:?}");
}
