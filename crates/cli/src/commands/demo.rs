//! `demo`: a guided tour. Every step is a real command in a memory that exists only while the tour lasts, so nothing can be left behind.

use std::io::{BufRead, ErrorKind, IsTerminal};

use clap::Parser;
use elfmem_config::ElfmemConfig;
use elfmem_core::BlockId;
use elfmem_engine::{Clock, Memory, Options, SystemClock};
use elfmem_store_sqlite::SqliteStore;
use serde_json::{Value, json};

use super::verbs::{answer, set_defaults};
use crate::args::{self, Arguments, Command};
use crate::database::options;
use crate::failure::Failure;
use crate::layout;
use crate::output::{Format, Output};
use crate::print::{self, Content};
use crate::style::{DIM, NAME, STRONG};

const ALLERGY: &str = "Maria is allergic to peanuts";
const KITCHEN: &str = "The office kitchen orders snacks for everyone on Mondays";
const OLD_PORT: &str = "The staging database listens on port 5432";
const NEW_PORT: &str = "The staging database listens on port 5433 now";

/// One step: why, and what is typed.
struct TourStep {
    says: &'static str,
    typed: Vec<String>,
}

fn step(says: &'static str, typed: &[&str]) -> TourStep {
    TourStep { says, typed: typed.iter().map(|&word| word.to_owned()).collect() }
}

fn tour() -> Vec<TourStep> {
    let [allergy, kitchen] = [ALLERGY, KITCHEN].map(|text| BlockId::for_content(text).short().to_owned());
    vec![
        step(
            "REMEMBER. A fact goes in with one durable write. No model is asked, no server is needed.",
            &["remember", ALLERGY, "--tag", "people/maria"],
        ),
        step("A few more, so that there is something to choose from.", &["remember", KITCHEN]),
        step("", &["remember", OLD_PORT]),
        step(
            "RECALL. It is found at once, by words and by meaning: the question shares no word with the answer.",
            &["recall", "who can't eat nuts?", "--top-k", "2"],
        ),
        step("What the memory does not know it does not make up.", &["recall", "how tall is the Eiffel tower?"]),
        step("Things change.", &["remember", NEW_PORT]),
        step(
            "DREAM. Consolidation compares what is new with the rest: repetitions, updates, contradictions, links. It says what it decided.",
            &["dream"],
        ),
        step(
            "The later port took the place of the earlier one.",
            &["recall", "which port does staging use?", "--top-k", "1"],
        ),
        step(
            "CONNECT. Whoever thinks of the snacks should think of the allergy.",
            &["connect", &allergy, &kitchen, "--relation", "supports", "--note", "mind the allergy when ordering"],
        ),
        step(
            "OUTCOME. Say how well a block served, and it is believed more, or less.",
            &["outcome", &allergy, "--signal", "0.9"],
        ),
        step(
            "UNDO. Every operation can be taken back, a whole dream included. First look, then do.",
            &["undo", "--dry-run"],
        ),
        step("", &["undo"]),
    ]
}

const CLOSING: &str =
    "That memory is gone now. Yours begins with `elfmem init` in a project, or with `elfmem remember \"…\"` anywhere.
`elfmem --help` lists everything; every command takes --help and --json.";

pub(crate) fn demo(asked: &args::Demo, format: Format) -> Result<Output, Failure> {
    let store = SqliteStore::in_memory(SystemClock.now()).map_err(elfmem_engine::Error::from)?;
    let memory = Memory::open(store, Options { actor: "demo".to_owned(), ..options(&ElfmemConfig::default()) });
    let waits =
        !asked.fast && format == Format::Text && std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let mut shown: Vec<Value> = Vec::new();
    let steps = tour();
    let last = steps.len() - 1;
    for (number, TourStep { says, typed }) in steps.iter().enumerate() {
        let answer = run(typed, &memory)?;
        match format {
            Format::Json => shown.push(json!({"says": says, "typed": typed, "answer": answer.json()})),
            Format::Text => match print_step(says, typed, &answer.text()) {
                Ok(()) => {}
                // Whoever has seen enough (`| head`) has seen enough.
                Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(Output::exactly(String::new())),
                Err(error) => return Err(Failure::unwritable(&error)),
            },
        }
        if waits && number != last && !goes_on() {
            break;
        }
    }
    Ok(Output::new(CLOSING, &json!({"steps": shown})))
}

/// Runs what was typed as the program itself would.
fn run(typed: &[String], memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let words = std::iter::once("elfmem").chain(typed.iter().map(String::as_str));
    let arguments = Arguments::try_parse_from(words).map_err(|error| Failure::broken_tour(&error.to_string()))?;
    let Command::Verb(typed) = &arguments.command else {
        return Err(Failure::broken_tour("it has a step it cannot take"));
    };
    let mut input = typed.read()?;
    set_defaults(&mut input, &ElfmemConfig::default().recall);
    answer(&input, memory)
}

fn print_step(says: &str, typed: &[String], answer: &str) -> std::io::Result<()> {
    let heading = if says.is_empty() { String::new() } else { format!("{STRONG}{says}{STRONG:#}\n") };
    let quoted: Vec<String> = typed
        .iter()
        .map(|word| if word.contains([' ', '?', '\'']) { format!("\"{word}\"") } else { word.clone() })
        .collect();
    let step = format!("{heading}{NAME}$ elfmem {}{NAME:#}\n{}\n", quoted.join(" "), answer.trim_end());
    let wrapped = layout::terminal().map(|(width, _)| layout::wrap(&step, width));
    print::answer(wrapped.as_deref().unwrap_or(&step), Content::Fenced)
}

/// Waits for Enter; whether the tour goes on.
fn goes_on() -> bool {
    let asked = print::question(&format!("{DIM}Enter goes on, q ends the tour.{DIM:#}"));
    let mut answer = String::new();
    let read = std::io::stdin().lock().read_line(&mut answer);
    asked.is_ok() && read.is_ok_and(|bytes| bytes > 0) && !answer.trim().eq_ignore_ascii_case("q")
}
