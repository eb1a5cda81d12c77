//! What can be typed after `serve`.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use elfmem_engine::catalog::ToolProfile;
use elfmem_serve::ToolList;

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Which tools clients see
    #[arg(long, value_name = "LIST", default_value = "core")]
    pub(crate) tools: ToolsName,

    /// Serve over HTTP here instead of over standard input and output
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = address)]
    pub(crate) http: Option<SocketAddr>,

    /// A file with the tokens that clients must show, one a line, each after `read` or `write`; needed when others can reach the address
    #[arg(long, value_name = "FILE", requires = "http", conflicts_with = "token_env")]
    pub(crate) token_file: Option<PathBuf>,

    /// The environment variable that holds the tokens
    #[arg(long, value_name = "NAME", requires = "http")]
    pub(crate) token_env: Option<String>,

    /// A host name to answer to, besides those of this machine; may be repeated
    #[arg(long = "allow-host", value_name = "HOST", requires = "http")]
    pub(crate) allowed_hosts: Vec<String>,

    /// Write a line for each request to standard error
    #[arg(long, requires = "http")]
    pub(crate) access_log: bool,
}

/// A list of tools, as typed.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ToolsName {
    /// What an agent needs each day
    Core,
    /// The same, and events, contexts and links
    Locus,
    /// Every verb
    All,
    /// The nine tools of the official MCP memory server
    Official,
    /// The memory tool of Anthropic's API: files under /memories
    MemoryTool,
}

impl From<ToolsName> for ToolList {
    fn from(name: ToolsName) -> Self {
        match name {
            ToolsName::Core => ToolProfile::Core.into(),
            ToolsName::Locus => ToolProfile::Locus.into(),
            ToolsName::All => ToolProfile::All.into(),
            ToolsName::Official => Self::Official,
            ToolsName::MemoryTool => Self::MemoryTool,
        }
    }
}

/// Reads an address with a port. `localhost:7777` and a port alone are on loopback.
fn address(text: &str) -> Result<SocketAddr, String> {
    let port = text.strip_prefix("localhost").unwrap_or(text);
    let port = port.strip_prefix(':').unwrap_or(port).parse().ok();
    let on_loopback = |port: u16| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let read = text.parse().ok().or_else(|| port.map(on_loopback));
    read.ok_or_else(|| format!("give an address with a port such as 127.0.0.1:7777, got {text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_as_people_type_it() {
        for (text, read) in [
            ("127.0.0.1:7777", "127.0.0.1:7777"),
            ("[::1]:80", "[::1]:80"),
            ("localhost:7777", "127.0.0.1:7777"),
            (":7777", "127.0.0.1:7777"),
            ("7777", "127.0.0.1:7777"),
        ] {
            assert_eq!(address(text).map(|read| read.to_string()), Ok(read.to_owned()), "{text}");
        }
        for text in ["", "abc", "127.0.0.1", "localhost", "example.org:80", "99999"] {
            let problem = address(text).unwrap_err();
            assert!(problem.contains("such as 127.0.0.1:7777, got "), "{problem}");
        }
    }
}
