//! What people read on the command line: its own words, not those of the library.

use elfmem_engine::catalog;

use crate::Sandbox;
use crate::http::Server;
use crate::mcp::Client;
use crate::scopes::calls::Filled;
use crate::scopes::typed;
use crate::tending::id;
use crate::terminal::without_colours;

/// Words of the library and of its design notes.
const FOREIGN: [&str; 5] = ["if_exists=", "block(s)", "(s) ", "seed 0", "top_k="];

fn assert_own_words(place: &str, text: &str) {
    assert!(
        !catalog::all().any(|verb| text.contains(&format!("elfmem_{}", verb.name))),
        "{place} names a tool: {text}"
    );
    for word in FOREIGN {
        assert!(!text.contains(word), "{place} says {word:?}: {text}");
    }
    let calls = text.split("system.").skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()));
    assert!(!calls, "{place} speaks of the system: {text}");
    assert_no_calls(place, text);
}

/// No verb is named as the library calls it, with arguments or without.
fn assert_no_calls(place: &str, text: &str) {
    for verb in catalog::all() {
        let call = format!("{}(", verb.name);
        let found = text.match_indices(&call).find(|(at, _)| {
            let is_name = text[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            // `elfmem-curate(1)` is a page of the manual.
            let is_page = text[at + call.len()..].starts_with(|c: char| c.is_ascii_digit());
            !is_name && !is_page
        });
        assert_eq!(found, None, "{place} calls {}: {text}", verb.name);
    }
}

/// Every question is answered with no, until there is nothing more to read.
const DECLINED: &str = "n\nn\nn\nn\n\u{4}\u{4}";

#[test]
fn no_command_speaks_of_calls_of_the_library() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &[]);
    let filled = Filled::new("crane", &mut |verb, arguments| server.done(verb, &arguments));
    server.stop();
    let mut walked = 0;
    // The guide is for those who call the library, and the lines of the history are those of seed 001.
    for verb in catalog::all().filter(|verb| !["guide", "history"].contains(&verb.name)) {
        let Some(words) = typed(verb, &filled.arguments(verb.name)) else { continue };
        let words: Vec<&str> = words.iter().map(String::as_str).chain(["--db", "m.db"]).collect();
        let said = sandbox.run(&words);
        assert_own_words(&words.join(" "), &format!("{}{}", said.stdout, said.stderr));
        let there = without_colours(&sandbox.on_a_terminal(DECLINED, &words).stdout);
        assert_own_words(&words.join(" "), &there);
        walked += 1;
    }
    assert!(walked > 40, "{walked}");
    for words in [
        &["status", "--db", "none.db"][..],
        &["ls", "--db", "none.db"],
        &["recall", "x", "--db", "none.db"],
        &["show", "ffff"],
        &["connect", "ffff", "eeee"],
        &["outcome", "ffff", "--signal", "0.5"],
        &["undo", "--db", "none.db"],
        &["log"],
        &["contradictions"],
        &["proposals"],
        &["frame", "nothing"],
    ] {
        let said = sandbox.run(words);
        assert_own_words(&words.join(" "), &format!("{}{}", said.stdout, said.stderr));
    }
}

/// Stored text says what it says; all else is in the words of the surface.
fn outside_of_fences(text: &str) -> String {
    let (opening, closing) = (elfmem_text::fence::OPENING, elfmem_text::fence::CLOSING);
    let mut parts = text.split(opening);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |whole, part| whole + part.split_once(closing).map_or("", |(_, after)| after))
}

/// An option of the command line, or one of its commands.
fn assert_no_command_line(place: &str, text: &str) {
    let option = text
        .split(|c: char| c.is_whitespace() || "(`'\"".contains(c))
        .find(|word| word.strip_prefix("--").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase())));
    assert_eq!(option, None, "{place}: {text}");
    for verb in catalog::all() {
        assert!(!text.contains(&format!("elfmem {}", verb.command)), "{place} says elfmem {}: {text}", verb.command);
    }
    assert!(!text.contains("command line") && !text.contains("elfmem serve"), "{place}: {text}");
}

/// The texts of an answer that speak to whoever asked, at any depth.
fn texts_to_the_caller(answer: &serde_json::Value) -> Vec<&str> {
    const NAMES: [&str; 7] = ["message", "detail", "recovery", "suggestion", "remedy", "summary", "warnings"];
    match answer {
        serde_json::Value::Object(fields) => {
            let named = fields.iter().filter(|(name, _)| NAMES.contains(&name.as_str()));
            let lists =
                named.flat_map(|(_, value)| std::iter::once(value).chain(value.as_array().into_iter().flatten()));
            let texts = lists.filter_map(serde_json::Value::as_str);
            texts.chain(fields.values().flat_map(texts_to_the_caller)).collect()
        }
        serde_json::Value::Array(items) => items.iter().flat_map(texts_to_the_caller).collect(),
        _ => Vec::new(),
    }
}

/// Calls that are refused, each for another reason.
fn wrong_calls(filled: &Filled) -> Vec<(&'static str, serde_json::Value)> {
    use serde_json::json;
    let block = filled.ids()[0].clone();
    vec![
        ("show", json!({"block_id": "ffffffff"})),
        ("show", json!({})),
        ("show", json!({"colour": "red"})),
        ("edit", json!({"block_id": "ffffffff", "content": "x"})),
        ("forget", json!({"block_id": "ffffffff"})),
        ("purge", json!({"block_id": block})),
        ("learn", json!({"messages": "hello"})),
        ("learn", json!({"content": "x", "messages": [{"speaker": "Ana", "content": "x"}]})),
        ("recall", json!({"query": " "})),
        ("recall", json!({"query": "x", "top_k": "many"})),
        ("recall", json!({"query": "how tall is the Eiffel tower in Paris?"})),
        ("frame", json!({"name": "nothing"})),
        ("connect", json!({"source": "ffffffff", "target": "eeeeeeee"})),
        ("connect", json!({"source": block, "target": block})),
        ("disconnect", json!({"source": "ffffffff", "target": "eeeeeeee"})),
        ("outcome", json!({"block_ids": ["ffffffff"], "signal": 0.5})),
        ("outcome", json!({"block_ids": [block], "signal": 7})),
        ("learn", json!({"content": ""})),
        ("learn", json!({"content": "x".repeat(70_000)})),
        ("learn", json!({"content": "x", "tags": ["a,b"]})),
        ("undo", json!({"seq": 99_999})),
        ("undo", json!({"seq": 1, "own": false})),
        ("guide", json!({"method": 5})),
    ]
}

#[test]
fn no_tool_speaks_of_the_command_line_and_none_of_tools_that_are_not_offered() {
    for tools in ["default", "all"] {
        let sandbox = Sandbox::new();
        let arguments = ["serve", "--db", "m.db", "--tools", "all"];
        let of_list = if tools == "all" { &arguments[..] } else { &arguments[..3] };
        let mut client = Client::connect(&sandbox, of_list);
        let empty = ["elfmem_status", "elfmem_undo"].map(|tool| client.call(tool, serde_json::json!({})));
        client.close();
        let mut client = Client::connect(&sandbox, &arguments);
        let filled = Filled::new("crane", &mut |verb, arguments| client.done(&format!("elfmem_{verb}"), arguments).1);
        client.close();
        let mut client = Client::connect(&sandbox, of_list);
        let listed = client.request("tools/list", serde_json::json!({}))["result"]["tools"].clone();
        let names: Vec<&str> = listed.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        let mut answers: Vec<(String, serde_json::Value)> = vec![("list".to_owned(), listed.clone())];
        answers.extend(empty.into_iter().map(|answer| ("an empty memory".to_owned(), answer)));
        let offered = |verb: &str| names.contains(&format!("elfmem_{verb}").as_str());
        let right = catalog::all()
            .filter(|verb| !["guide", "history"].contains(&verb.name))
            .map(|verb| (verb.name, filled.arguments(verb.name)));
        let calls: Vec<_> = right.collect();
        for (verb, arguments) in wrong_calls(&filled).into_iter().chain(calls).filter(|(verb, _)| offered(verb)) {
            let place = format!("{verb} {arguments:.80}");
            let answer = client
                .request("tools/call", serde_json::json!({"name": format!("elfmem_{verb}"), "arguments": arguments}));
            answers.push((place, answer["result"].clone()));
        }
        let hidden = client.request("tools/call", serde_json::json!({"name": "elfmem_purge", "arguments": {}}));
        answers.push(("a tool that is not offered".to_owned(), hidden));
        assert!(answers.len() > 30, "{}", answers.len());
        for (place, answer) in &answers {
            let texts = match answer["content"][0]["text"].as_str() {
                Some(text) => outside_of_fences(text),
                None => answer.to_string(),
            };
            let fields = texts_to_the_caller(&answer["structuredContent"]);
            for text in std::iter::once(texts.as_str()).chain(fields) {
                assert_no_command_line(&format!("{tools}: {place}"), text);
                if place != "a tool that is not offered" {
                    for word in text
                        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                        .filter(|word| word.starts_with("elfmem_"))
                    {
                        assert!(names.contains(&word), "{tools}: {place} names {word}: {text}");
                    }
                }
                if place != "list" {
                    assert_no_calls(&format!("{tools}: {place}"), text);
                }
            }
        }
        client.close();
    }
}

#[test]
fn no_answer_over_http_speaks_of_the_command_line_or_of_tools() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &[]);
    let filled = Filled::new("crane", &mut |verb, arguments| server.done(verb, &arguments));
    let free = catalog::all().filter(|verb| !["guide", "history"].contains(&verb.name));
    let right = free.map(|verb| (verb.name, filled.arguments(verb.name)));
    let calls: Vec<_> = wrong_calls(&filled).into_iter().chain(right).collect();
    for (verb, arguments) in calls {
        let answer = server.verb(verb, &arguments).message();
        for text in texts_to_the_caller(&answer) {
            assert_no_command_line(&format!("{verb} {arguments:.80}"), text);
            assert!(!text.contains("elfmem_"), "{verb}: {text}");
            assert_no_calls(verb, text);
        }
    }
    server.stop();
}

#[test]
fn no_help_speaks_of_calls_of_the_library() {
    let sandbox = Sandbox::new();
    let pages = sandbox.run(&["man", "--dir", "pages", "--json"]).json()["pages"].clone();
    for page in pages.as_array().unwrap() {
        let page = page.as_str().unwrap();
        assert_own_words(page, &std::fs::read_to_string(sandbox.file("pages").join(page)).unwrap());
    }
}

#[test]
fn values_that_cannot_be_used_are_named_in_words() {
    let sandbox = Sandbox::new();
    for (words, said) in [
        (&["recall", "x", "--top-k", "many"][..], "give a whole number from 0 on, got many"),
        (&["outcome", "ffff", "--signal", "abc"], "the signal must be between 0 and 1, got abc"),
        (&["outcome", "ffff", "--signal", "3"], "between 0 and 1"),
    ] {
        let told = sandbox.run(words);
        assert!(told.code != 0 && told.stderr.contains(said), "{words:?}: {told:?}");
    }
    for text in ["Ana keeps bees", "The office closes at six"] {
        sandbox.ok(&["remember", text]);
    }
    let ends = ["Ana keeps bees", "The office closes at six"].map(|text| id(text)[..8].to_owned());
    let clamped = sandbox.ok(&["connect", &ends[0], &ends[1], "-w", "7"]);
    assert!(clamped.contains("A weight is between 0 and 1, so 7 was taken as 1."), "{clamped}");
}

#[test]
fn what_waits_is_named_and_settled_on_a_terminal() {
    let sandbox = Sandbox::new();
    for text in ["The port is 5432", "The port is 5433"] {
        sandbox.ok(&["remember", text, "--db", "m.db"]);
    }
    let [old, new] = ["The port is 5432", "The port is 5433"].map(id);
    let contradiction = serde_json::json!([{"other_id": old, "score": 0.9, "reason": "two ports"}]);
    let server = Server::start(&sandbox, &[]);
    let analysis = serde_json::json!({"alignment": 0.5, "tags": [], "contradictions": contradiction});
    server.done("consolidate", &serde_json::json!({"analyses": {new.as_str(): analysis}}));
    server.stop();
    let open = || sandbox.run(&["contradictions", "--json", "--db", "m.db"]).json()["count"].as_u64().unwrap();
    assert_eq!(open(), 1);
    let status = sandbox.ok(&["status", "--db", "m.db"]);
    assert!(status.contains("1 contradiction to settle: `elfmem contradictions`."), "{status}");
    assert!(!status.contains("No action required"), "{status}");
    let listed = sandbox.ok(&["contradictions", "--db", "m.db"]);
    assert!(listed.contains(&format!("--keep {}", &old[..8])), "{listed}");
    let shown = |block: &str| sandbox.ok(&["show", &block[..8], "--db", "m.db"]);
    assert!(shown(&old).contains(&format!("contradicted by {new}")), "{}", shown(&old));
    assert!(shown(&new).contains(&format!("contradicts  {old}")), "{}", shown(&new));
    let left = sandbox.on_a_terminal("x\nq\n", &["contradictions", "--db", "m.db"]);
    assert!(left.code == 0 && left.stdout.contains("0 of 1 settled") && open() == 1, "{left:?}");
    let kept = sandbox.on_a_terminal("2\n", &["contradictions", "--db", "m.db"]);
    assert!(kept.stdout.contains("1 of 1 settled") && open() == 0, "{kept:?}");
    assert!(sandbox.ok(&["status", "--db", "m.db"]).contains("No action required"));
}

#[test]
fn taking_back_a_dream_says_how_much_and_how_to_bring_it_back() {
    let sandbox = Sandbox::new();
    for text in ["Ana keeps bees", "The office closes at six"] {
        sandbox.ok(&["remember", text]);
    }
    sandbox.ok(&["dream"]);
    let refused = sandbox.on_a_terminal("n\n", &["undo"]);
    assert!(refused.code == 1 && refused.stdout.contains("Go on? [Y/n]"), "{refused:?}");
    assert!(refused.stdout.contains("2 blocks") && refused.stdout.contains("Nothing was undone."), "{refused:?}");
    let undone = sandbox.ok(&["undo"]);
    assert!(undone.contains("2 blocks") && undone.contains("Bring it back with `elfmem undo "), "{undone}");
    let again = undone.split("elfmem undo ").nth(1).unwrap().split('`').next().unwrap().to_owned();
    sandbox.ok(&["undo", &again]);
    assert_eq!(sandbox.run(&["status", "--json"]).json()["active_count"], 2);
}
