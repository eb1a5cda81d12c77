//! Makes elfmem known to the hosts of agents: as an MCP server, and as hooks.

use std::path::Path;

use serde_json::{Value, json};

use super::host_command::PROGRAM;
use super::json_text::{JsonEdit, JsonProblem, edited};
use crate::private_file::in_shell_quotes;

/// The events of Claude Code that a hook answers, and what each is called here.
pub(super) const EVENTS: [(&str, &str); 5] = [
    ("SessionStart", "session-start"),
    ("UserPromptSubmit", "prompt"),
    ("Stop", "stop"),
    ("PreCompact", "pre-compact"),
    ("SessionEnd", "session-end"),
];

/// Seconds after which the host goes on without an answer.
const TIMEOUT: u32 = 10;

/// The text of an empty file, or of one that is not there.
fn or_empty(text: Option<&str>) -> &str {
    text.filter(|text| !text.trim().is_empty()).unwrap_or("{}\n")
}

/// `.mcp.json` with the server in it. One that is registered under our name stays as it is: someone may have given it arguments.
pub(crate) fn mcp_server(text: Option<&str>, program: &str) -> Result<String, JsonProblem> {
    let text = or_empty(text);
    let known: Value = serde_json::from_str(text)?;
    if known["mcpServers"].get(PROGRAM).is_some() {
        return Ok(text.to_owned());
    }
    let server = json!({"command": program, "args": ["serve"]});
    edited(text, &["mcpServers", PROGRAM], JsonEdit::Set(&server))
}

/// `.claude/settings.json` with the hooks in it, those that are missing.
pub(crate) fn hooks(text: Option<&str>, program: &str) -> Result<String, JsonProblem> {
    let mut text = or_empty(text).to_owned();
    for (event, name) in EVENTS {
        let known: Value = serde_json::from_str(&text)?;
        if !calls(&known["hooks"][event], &format!("{PROGRAM} hook {name}")) {
            let command = hook_command(program, name);
            let hook = json!({"hooks": [{"type": "command", "command": command, "timeout": TIMEOUT}]});
            text = edited(&text, &["hooks", event], JsonEdit::Append(&hook))?;
        }
    }
    Ok(text)
}

/// The programs that are registered as the server and as hooks, each once. A hook is typed in a shell; its first word is
/// the program.
pub(crate) fn registered_commands(servers: &Value, settings: &Value) -> Vec<String> {
    let server = servers["mcpServers"][PROGRAM]["command"].as_str().map(str::to_owned);
    let groups = EVENTS.iter().filter_map(|(event, _)| settings["hooks"][event].as_array()).flatten();
    let hooks = groups.filter_map(|group| group["hooks"].as_array()).flatten();
    let typed = hooks.filter_map(|hook| hook["command"].as_str()).filter(|text| text.contains(PROGRAM));
    let programs = typed.filter_map(program_of_hook).map(|(program, _)| program);
    let mut commands: Vec<String> = server.into_iter().chain(programs).collect();
    commands.sort();
    commands.dedup();
    commands
}

/// The command of a hook as a shell takes it.
pub(super) fn hook_command(program: &str, event: &str) -> String {
    format!("{} hook {event}", in_shell_quotes(Path::new(program)))
}

/// The program that the command of a hook starts, and what follows `hook`.
pub(super) fn program_of_hook(command: &str) -> Option<(String, &str)> {
    let (program, rest) = command.split_once(" hook ")?;
    Some((program.trim_matches('\'').to_owned(), rest))
}

/// Whether one of the hooks of an event runs a command, perhaps with a path before it and flags behind it.
fn calls(groups: &Value, command: &str) -> bool {
    let groups = groups.as_array().into_iter().flatten();
    let mut hooks = groups.filter_map(|group| group["hooks"].as_array()).flatten();
    hooks.any(|hook| hook["command"].as_str().is_some_and(|text| text.contains(command)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_is_registered_once_and_other_servers_stay() {
        let first = mcp_server(None, "elfmem").unwrap();
        assert_eq!(
            first,
            "{\n  \"mcpServers\": {\n    \"elfmem\": {\n      \"args\": [\n        \"serve\"\n      ],\n      \"command\": \"elfmem\"\n    }\n  }\n}\n"
        );
        assert_eq!(mcp_server(Some(&first), "elfmem").unwrap(), first);
        let others = "{\"mcpServers\": {\"github\": {\"command\": \"gh\"}}, \"z\": 1, \"a\": 2}";
        let both = mcp_server(Some(others), "elfmem").unwrap();
        assert!(both.starts_with("{\"mcpServers\": {\"github\": {\"command\": \"gh\"}, \"elfmem\": "), "{both}");
        assert!(both.ends_with(", \"z\": 1, \"a\": 2}"), "{both}");
        let own =
            "{\"mcpServers\": {\"elfmem\": {\"command\": \"elfmem\", \"args\": [\"serve\", \"--scope\", \"me\"]}}}";
        assert_eq!(mcp_server(Some(own), "elfmem").unwrap(), own);
        assert_eq!(mcp_server(Some("  \n"), "elfmem").unwrap(), first);
    }

    #[test]
    fn a_damaged_file_is_refused() {
        for text in ["{\"mcpServers\": {", "[]", "\"x\"", "{\"mcpServers\": []}", "{\"mcpServers\": null}"] {
            assert!(mcp_server(Some(text), "elfmem").is_err(), "{text}");
        }
        for text in ["{\"hooks\": []}", "{\"hooks\": {\"Stop\": {}}}", "nothing"] {
            assert!(hooks(Some(text), "elfmem").is_err(), "{text}");
        }
    }

    #[test]
    fn hooks_are_added_beside_those_there_are_and_once() {
        let before = "{\n  \"model\": \"x\",\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"beep\"}]}\n    ]\n  }\n}\n";
        let after = hooks(Some(before), "elfmem").unwrap();
        let json: Value = serde_json::from_str(&after).unwrap();
        assert_eq!(json["hooks"]["Stop"].as_array().unwrap().len(), 2);
        assert_eq!(json["hooks"]["Stop"][0]["hooks"][0]["command"], "beep");
        assert_eq!(json["hooks"]["SessionStart"][0]["hooks"][0]["command"], "elfmem hook session-start");
        assert_eq!(hooks(Some(&after), "elfmem").unwrap(), after);
        let whole = hooks(None, "/opt/my tools/elfmem").unwrap();
        assert!(whole.contains("'/opt/my tools/elfmem' hook prompt"), "{whole}");
        let commands = registered_commands(&Value::Null, &serde_json::from_str(&whole).unwrap());
        assert_eq!(commands, ["/opt/my tools/elfmem"]);
        let by_path = after.replace("\"elfmem hook stop\"", "\"/opt/bin/elfmem hook stop --scope me\"");
        assert_eq!(hooks(Some(&by_path), "elfmem").unwrap(), by_path);
    }
}
