//! `serve`.

use std::io::{IsTerminal, Read};
use std::path::Path;

use elfmem_config::ServeConfig;
use elfmem_serve::{AccessTokens, HttpOptions, Limits, Opener, Refusal, ServeError};
use elfmem_store_sqlite::SqliteStore;

use crate::args::Serve;
use crate::database::Database;
use crate::environment;
use crate::failure::Failure;
use crate::output::Output;
use crate::print::{self, Content};
use crate::private_file;

/// How to make a token nobody guesses.
const A_GOOD_TOKEN: &str = "Make one with `openssl rand -hex 32`, keep it in a file, and name that with --token-file.";

pub(crate) fn serve(asked: &Serve, database: Database) -> Result<Output, Failure> {
    let settings = database.settings.config.serve.clone();
    let open: Opener<SqliteStore> = Box::new(move |actor| database.open_to_serve(actor).map_err(Refusal::from));
    let tools = asked.tools.into();
    match asked.http {
        None => {
            print_terminal_hint();
            elfmem_serve::serve_stdio(open, tools)?;
        }
        Some(address) => {
            let http = HttpOptions {
                address,
                tokens: tokens(asked, &settings)?,
                allowed_hosts: asked.allowed_hosts.clone(),
                limits: Limits {
                    body_bytes: usize::try_from(settings.max_body_bytes).unwrap_or(usize::MAX),
                    requests_per_minute: settings.requests_per_minute,
                    ..Limits::default()
                },
                access_log: asked.access_log || settings.access_log,
            };
            elfmem_serve::serve_http(open, tools, http)?;
        }
    }
    Ok(Output::exactly(String::new()))
}

/// Prints a hint when standard input is a terminal: an MCP host uses pipes, so a person would wait in vain.
fn print_terminal_hint() {
    if std::io::stdin().is_terminal() {
        let hint = "Waiting for an MCP client on standard input. Hosts start this themselves; Ctrl-C stops it.";
        print::talk(hint, Content::Text);
    }
}

/// The tokens, from where they were said to be.
fn tokens(asked: &Serve, settings: &ServeConfig) -> Result<Option<AccessTokens>, Failure> {
    let text = if let Some(name) = &asked.token_env {
        environment::text_of(name)
            .ok_or_else(|| Failure::config(format!("The environment variable {name} holds no token."), A_GOOD_TOKEN))?
    } else if let Some(path) = asked.token_file.as_ref().or(settings.token_file.as_ref()) {
        read_token_file(path)?
    } else {
        return Ok(None);
    };
    let tokens = AccessTokens::parse(&text);
    tokens.map(Some).map_err(|error| Failure::config(format!("The tokens cannot be used: {error}."), A_GOOD_TOKEN))
}

/// Reads a token file, which must be for its owner alone.
fn read_token_file(path: &Path) -> Result<String, Failure> {
    let unreadable = |error: std::io::Error| Failure::unreadable(&path.display().to_string(), &error);
    // One file is opened and looked at: another one of that name would not be read.
    let mut file = std::fs::File::open(path).map_err(unreadable)?;
    if private_file::is_readable_by_others(&file.metadata().map_err(unreadable)?) {
        return Err(Failure::config(
            format!("Others can read the tokens in {}.", path.display()),
            format!("Run: chmod 600 {}", private_file::in_shell_quotes(path)),
        ));
    }
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(unreadable)?;
    Ok(text)
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        let Failure { kind, message, recovery } = failure;
        Self { kind, message, recovery }
    }
}

impl From<ServeError> for Failure {
    fn from(error: ServeError) -> Self {
        let recovery = match &error {
            ServeError::NoToken(_) => format!("Serve at 127.0.0.1, or give a token. {A_GOOD_TOKEN}"),
            ServeError::Address { .. } => {
                "Choose another port, or port 0 for any that is free; the address must be one of this machine's."
                    .to_owned()
            }
            _ => "Start it again; `elfmem doctor` looks for what is wrong.".to_owned(),
        };
        let text = error.to_string();
        let mut letters = text.chars();
        let message = letters.next().map(|first| format!("{}{}.", first.to_uppercase(), letters.as_str()));
        Self::config(message.unwrap_or_default(), recovery)
    }
}
