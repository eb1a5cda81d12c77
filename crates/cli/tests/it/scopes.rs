//! Nothing that a surface says in one scope shows anything of another: every verb of the table over the protocol, over HTTP and
//! on the command line.

use elfmem_engine::catalog::{self, ValueKind, Verb};
use serde_json::{Value, json};

use crate::Sandbox;
use crate::http::Server;
use crate::mcp::Client;
use crate::mcp::http::Protocol;

#[path = "../../../../tests/verbs/calls.rs"]
#[allow(dead_code, reason = "some of it is for tests of the library")]
pub(crate) mod calls;

use calls::Filled;

const MINE: &str = "alpha";
const HIDDEN: &str = "bravo";

fn client(sandbox: &Sandbox, scope: &str) -> Client {
    Client::connect(sandbox, &["serve", "--db", "m.db", "--tools", "all", "--scope", scope])
}

fn filled(sandbox: &Sandbox, scope: &str) -> Filled {
    let mut client = client(sandbox, scope);
    let filled = Filled::new(scope, &mut |verb, arguments| client.done(&format!("elfmem_{verb}"), arguments).1);
    client.close();
    filled
}

/// Two scopes in one file: what is mine, and what I may not see.
fn shared(sandbox: &Sandbox) -> (Filled, Filled) {
    (filled(sandbox, MINE), filled(sandbox, HIDDEN))
}

fn assert_silent(told: &str, hidden: &Filled, which: &str) {
    assert!(!told.to_lowercase().contains(HIDDEN), "{which} tells of the other scope: {told}");
    for id in hidden.ids() {
        assert!(!told.contains(&id) && !told.contains(&id[..8]), "{which} names {id} of the other scope: {told}");
    }
}

#[test]
fn no_tool_tells_anything_of_another_scope() {
    let sandbox = Sandbox::new();
    let (mine, hidden) = shared(&sandbox);
    let mut client = client(&sandbox, MINE);
    for verb in catalog::all() {
        let told = client.call(&format!("elfmem_{}", verb.name), mine.arguments(verb.name));
        assert_silent(&told.to_string(), &hidden, verb.name);
    }
    for listing in ["resources/list", "prompts/list", "tools/list"] {
        assert_silent(&client.request(listing, json!({})).to_string(), &hidden, listing);
    }
    client.close();
}

#[test]
fn no_tool_tells_anything_of_another_scope_over_http() {
    let sandbox = Sandbox::new();
    let (mine, hidden) = shared(&sandbox);
    let server = Server::start(&sandbox, &["--tools", "all", "--scope", MINE]);
    let conversation = server.introduce(&[]);
    for verb in catalog::all() {
        let told = server.call(&conversation, &format!("elfmem_{}", verb.name), mine.arguments(verb.name));
        assert!(!told.is_null(), "{}", verb.name);
        assert_silent(&told.to_string(), &hidden, verb.name);
        assert_silent(&server.verb(verb.name, &mine.arguments(verb.name)).body, &hidden, verb.name);
    }
    server.stop();
}

/// A call of a verb as it is typed; none where it takes what is read from a file.
pub(crate) fn typed(verb: &Verb, arguments: &Value) -> Option<Vec<String>> {
    let mut words: Vec<String> = verb.command.split(' ').map(str::to_owned).collect();
    for parameter in verb.parameters.iter().filter(|parameter| !parameter.typed.is_empty()) {
        let Some(value) = arguments.get(parameter.name) else { continue };
        let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let values = match (parameter.kind, value) {
            (ValueKind::Object | ValueKind::Objects, _) => return None,
            (ValueKind::Flag, _) => vec![None],
            (_, Value::Array(values)) => values.iter().map(|value| Some(plain(value))).collect(),
            (_, value) => vec![Some(plain(value))],
        };
        for value in values {
            words.extend(parameter.typed.starts_with("--").then(|| parameter.typed.to_owned()));
            words.extend(value);
        }
    }
    Some(words)
}

#[test]
fn no_command_tells_anything_of_another_scope() {
    let sandbox = Sandbox::new();
    let (mine, hidden) = shared(&sandbox);
    let own = ["--db", "m.db", "--scope", MINE];
    let mut tried = 0;
    let mut try_out = |words: &[&str]| {
        for more in [&[][..], &["--json"]] {
            let words: Vec<&str> = words.iter().chain(&own).chain(more).copied().collect();
            let answer = sandbox.run(&words);
            assert_silent(&format!("{}{}", answer.stdout, answer.stderr), &hidden, &words.join(" "));
        }
        tried += 1;
    };
    for verb in catalog::all() {
        if let Some(words) = typed(verb, &mine.arguments(verb.name)) {
            try_out(&words.iter().map(String::as_str).collect::<Vec<_>>());
        }
    }
    let theirs = hidden.ids();
    for words in [
        &["export"][..],
        &["doctor"],
        &["verify", "--digest"],
        &["models"],
        &["config", "show"],
        &["ls", "--limit", "0"],
        &["tags"],
        &["ls", "--tag", "%"],
    ] {
        try_out(words);
    }
    assert!(tried > 30, "{tried}");
    for words in [["show", theirs[0].as_str()], ["log", &theirs[0]], ["forget", &theirs[0][..6]], ["pin", &theirs[1]]] {
        let words: Vec<&str> = words.iter().chain(&own).copied().collect();
        let told = sandbox.fails(&words);
        let unknown = words[1].chars().map(|c| if c == 'f' { '0' } else { 'f' }).collect::<String>();
        let other: Vec<&str> =
            words.iter().map(|word| if *word == words[1] { unknown.as_str() } else { *word }).collect();
        assert_eq!(told.replace(words[1], "ID"), sandbox.fails(&other).replace(&unknown, "ID"));
    }
}

#[test]
fn scopes_are_listed_with_the_one_in_use_and_those_seen_beside_it() {
    let sandbox = Sandbox::new();
    assert!(sandbox.ok(&["scope", "ls"]).starts_with("Nothing is stored yet."));
    sandbox.ok(&["remember", "Ana keeps bees"]);
    sandbox.ok(&["remember", "The office closes at six", "--scope", "work"]);
    sandbox.ok(&["remember", "The cat is called Momo", "--scope", "home"]);
    let listed = sandbox.run(&["scope", "ls", "--scope", "work", "--inherit", "default", "--json"]).json();
    let scopes = listed["scopes"].as_array().unwrap().iter();
    let seen: Vec<_> = scopes
        .map(|scope| (scope["scope"].as_str().unwrap(), scope["inbox"].as_u64(), &scope["in_use"], &scope["seen"]))
        .collect();
    let (yes, no) = (&serde_json::Value::Bool(true), &serde_json::Value::Bool(false));
    let expected = [("default", Some(1), no, yes), ("home", Some(1), no, no), ("work", Some(1), yes, yes)];
    assert_eq!(seen, expected);
    let text = sandbox.ok(&["scope", "list", "--scope", "work"]);
    assert!(
        text.contains("work (in use) 0 active, 1 in the inbox, 0 archived") && text.contains("3 scopes."),
        "{text}"
    );
    assert!(!text.contains("Momo"), "names and counts alone: {text}");
}
