//! What an agent is asked at the end of work, in the words it can act on: the tools of the MCP server where that is registered,
//! else commands as the host types them.

use std::path::Path;

use serde_json::Value;

use super::call::Call;
use crate::private_file::in_shell_quotes;
use crate::setup::PROGRAM;

/// How the reminder begins. It is looked for in the transcript too: a memory that is not there yet keeps no session.
pub(super) const REMINDER_MARK: &str = "elfmem: before you stop";

/// The variable in which a host names the folder of the plugin that a hook belongs to. The plugin has a server.
const PLUGIN_FOLDER: &str = "CLAUDE_PLUGIN_ROOT";

/// What an agent is asked at the end of work.
pub(super) fn reminder_text(call: &Call) -> String {
    let (learn, outcome) = match has_server(call) {
        true => ("the tool `elfmem_learn`".to_owned(), "`elfmem_outcome`".to_owned()),
        false => {
            let program = typed_program();
            (format!("`{program} remember`"), format!("`{program} outcome ID --signal 0.9`"))
        }
    };
    format!(
        "{REMINDER_MARK}, keep what this session taught you. Store each decision, preference or finding worth having next time \
         with {learn}, one fact per call, and say how well recalled blocks served with {outcome} (signal 1 perfect, 0 harmful). If \
         there is nothing worth keeping, just stop."
    )
}

/// The program as the host typed it: by its name, or by the path that it was registered with.
fn typed_program() -> String {
    let typed = std::env::args_os().next().unwrap_or_default();
    let typed = Path::new(&typed);
    if typed.is_absolute() && typed.is_file() { in_shell_quotes(typed) } else { PROGRAM.to_owned() }
}

/// Whether the MCP server is registered where the host works.
fn has_server(call: &Call) -> bool {
    let names_it = |folder: &Path| {
        let servers = std::fs::read_to_string(folder.join(".mcp.json")).ok();
        let servers = servers.and_then(|text| serde_json::from_str::<Value>(&text).ok());
        servers.is_some_and(|servers| servers["mcpServers"].get(PROGRAM).is_some())
    };
    std::env::var_os(PLUGIN_FOLDER).is_some() || call.cwd.as_deref().is_some_and(|cwd| cwd.ancestors().any(names_it))
}
