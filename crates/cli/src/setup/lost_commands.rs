//! Registered commands of this program that hosts cannot start any more, because it was moved or removed from the path.

use std::path::Path;

use serde_json::{Value, json};

use super::host_command::PROGRAM;
use super::json_text::{JsonEdit, JsonProblem, edited};
use super::registration::{EVENTS, hook_command, program_of_hook};

/// Returns `.mcp.json` with `program` as the command of our server, if `is_lost` says that the one there cannot be started.
/// Its arguments stay. A server of our name that another program starts stays as it is.
pub(crate) fn server_found_again(
    text: &str,
    program: &str,
    is_lost: impl Fn(&str) -> bool,
) -> Result<String, JsonProblem> {
    let servers: Value = serde_json::from_str(text)?;
    match servers["mcpServers"][PROGRAM]["command"].as_str() {
        Some(command) if is_ours(command) && is_lost(command) => {
            edited(text, &["mcpServers", PROGRAM, "command"], JsonEdit::Set(&json!(program)))
        }
        _ => Ok(text.to_owned()),
    }
}

/// Returns `.claude/settings.json` with `program` in those of our hooks of which `is_lost` says that they cannot be started.
pub(crate) fn hooks_found_again(
    text: &str,
    program: &str,
    is_lost: impl Fn(&str) -> bool,
) -> Result<String, JsonProblem> {
    let settings: Value = serde_json::from_str(text)?;
    let mut text = text.to_owned();
    for (event, _) in EVENTS {
        let mut groups = settings["hooks"][event].clone();
        let hooks = groups.as_array_mut().into_iter().flatten().filter_map(|group| group.get_mut("hooks"));
        let mut is_changed = false;
        for hook in hooks.filter_map(Value::as_array_mut).flatten() {
            let Some(command) = hook["command"].as_str() else { continue };
            if let Some((registered, rest)) = program_of_hook(command)
                && is_ours(&registered)
                && is_lost(&registered)
            {
                hook["command"] = json!(hook_command(program, rest));
                is_changed = true;
            }
        }
        if is_changed {
            text = edited(&text, &["hooks", event], JsonEdit::Set(&groups))?;
        }
    }
    Ok(text)
}

/// Returns true for this program under any path.
pub(crate) fn is_ours(command: &str) -> bool {
    Path::new(command).file_stem().is_some_and(|name| name == PROGRAM)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_lost_command_of_this_program_is_replaced_and_its_arguments_stay() {
        let lost = |command: &str| command.starts_with("/gone/") || command == "docker";
        let server = |command: &str| {
            format!(
                "{{\"mcpServers\": {{\"elfmem\": {{\"command\": \"{command}\", \"args\": [\"serve\", \"--scope\", \"me\"]}}}}}}"
            )
        };
        let found = |command: &str| server_found_again(&server(command), "/opt/elfmem", lost).unwrap();
        assert_eq!(found("/gone/elfmem"), server("/opt/elfmem"));
        for kept in ["elfmem", "/bin/elfmem", "docker", "/gone/wrapper"] {
            assert_eq!(found(kept), server(kept));
        }
        assert_eq!(server_found_again("{}", "/opt/elfmem", lost).unwrap(), "{}");
    }

    #[test]
    fn hooks_that_are_lost_start_the_program_again_with_their_flags() {
        let lost = |command: &str| command == "/gone/my tools/elfmem";
        let settings = |command: &str| {
            format!(
                "{{\"hooks\": {{\"Stop\": [{{\"hooks\": [{{\"command\": \"beep\"}}, {{\"command\": \"{command}\"}}]}}]}}}}"
            )
        };
        let found = |command: &str| -> Value {
            let text = hooks_found_again(&settings(command), "/opt/elfmem", lost).unwrap();
            serde_json::from_str::<Value>(&text).unwrap()["hooks"]["Stop"][0]["hooks"].clone()
        };
        let hooks = found("'/gone/my tools/elfmem' hook stop --scope me");
        assert_eq!(hooks, json!([{"command": "beep"}, {"command": "/opt/elfmem hook stop --scope me"}]));
        assert_eq!(found("elfmem hook stop")[1]["command"], "elfmem hook stop");
    }
}
