//! `doctor`: looks at everything that can go wrong and says what to do about each.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use elfmem_engine::results::Health;
use elfmem_engine::{Examination, Memory, Verify};
use elfmem_models::HealthReport;
use elfmem_store_sqlite::SqliteStore;
use serde::Serialize;
use serde_json::json;

use crate::args::{self, Arguments};
use crate::configuration::Surroundings;
use crate::database::Database;
use crate::failure::Failure;
use crate::models;
use crate::output::Output;
use crate::setup::{mcp_server, root_of};
use crate::spoken::as_typed;
use crate::style::{BAD, DIM, GOOD, NOTE};

/// Room that a memory should have, beyond a copy of itself: backups and purges write it anew.
const SPARE_BYTES: u64 = 64 * 1024 * 1024;

/// How a check went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Ok,
    /// Worth knowing; nothing is wrong.
    Note,
    Fixed,
    Problem,
}

/// One thing that was looked at.
#[derive(Debug, Serialize)]
struct Check {
    name: &'static str,
    verdict: Verdict,
    detail: String,
    recovery: Option<String>,
}

impl Check {
    fn ok(name: &'static str, detail: impl Into<String>) -> Self {
        Self { name, verdict: Verdict::Ok, detail: detail.into(), recovery: None }
    }

    fn note(name: &'static str, detail: impl Into<String>, recovery: impl Into<String>) -> Self {
        Self { verdict: Verdict::Note, recovery: Some(recovery.into()), ..Self::ok(name, detail) }
    }

    fn problem(name: &'static str, detail: impl Into<String>, recovery: impl Into<String>) -> Self {
        Self { verdict: Verdict::Problem, recovery: Some(recovery.into()), ..Self::ok(name, detail) }
    }

    fn failed(name: &'static str, failure: &Failure) -> Self {
        let (message, recovery) = failure.message_and_recovery();
        Self::problem(name, message, recovery)
    }
}

pub(crate) fn doctor(asked: &args::Doctor, arguments: &Arguments) -> Result<Output, Failure> {
    let around = Surroundings::here()?;
    let mut checks = settings(&around, arguments);
    if checks.iter().all(|check| check.verdict != Verdict::Problem) {
        match Database::discover_around(&around, arguments) {
            Ok(database) => checks.extend(memory(asked, &database, arguments)),
            Err(failure) => checks.push(Check::failed("memory", &failure)),
        }
    }
    checks.push(registration(&around)?);
    let problems = checks.iter().filter(|check| check.verdict == Verdict::Problem).count();
    let output = Output::new(text(&checks, problems), &json!({"sound": problems == 0, "checks": checks}));
    Ok(if problems == 0 { output } else { output.failing() })
}

fn settings(around: &Surroundings, arguments: &Arguments) -> Vec<Check> {
    let loaded = around.settings(arguments);
    let problems = loaded.problems.iter().map(|wrong| Check::problem("settings", wrong.to_string(), wrong.recovery()));
    let warnings =
        loaded.warnings.iter().map(|warning| Check::note("settings", warning.to_string(), "See elfmem config show."));
    let mut checks: Vec<Check> = problems.chain(warnings).collect();
    if checks.is_empty() {
        checks.push(Check::ok("settings", "every key is known and every value possible"));
    }
    checks
}

/// Everything about the memory itself, and the models it is used with.
fn memory(asked: &args::Doctor, database: &Database, arguments: &Arguments) -> Vec<Check> {
    let mut checks = vec![space(&database.path)];
    let chosen = models::chosen(&database.settings);
    if let Err(failure) = &chosen {
        checks.push(Check::failed("models", failure));
    }
    let name = database.path.display();
    if !database.exists {
        checks.push(Check::note("memory", format!("{name} is not there yet"), "elfmem remember makes it."));
    } else {
        match database.open(arguments) {
            Ok(memory) => {
                checks.push(Check::ok("memory", format!("{name} opens ({})", database.found_in_words())));
                checks.extend(examined(asked.fix, &memory));
            }
            Err(failure) => checks.push(Check::failed("memory", &failure)),
        }
    }
    match (&chosen, asked.online) {
        (Ok(chosen), true) => checks.extend(online(chosen)),
        (Ok(chosen), false) => checks.push(Check::ok(
            "models",
            format!("{} embeds, {} analyses", chosen.models.embedder.name(), chosen.models.analyst.name()),
        )),
        (Err(_), _) => {}
    }
    checks
}

fn examined(fix: bool, memory: &Memory<SqliteStore>) -> Vec<Check> {
    let (before, examined) = match (memory.examine(Verify::new()), fix) {
        (Ok(before), true) if before.findings.iter().any(|finding| finding.repairable) => {
            match memory.examine(Verify::new().repair()) {
                Ok(after) => (Some(before), after),
                Err(error) => return vec![Check::failed("database", &error.into())],
            }
        }
        (Ok(examined), _) => (None, examined),
        (Err(error), _) => return vec![Check::failed("database", &error.into())],
    };
    let mut checks = store_checks(before.as_ref(), &examined);
    match &examined.other_model {
        Some(other) => checks.push(Check::problem(
            "model lock",
            format!("the vectors come from '{other}', and another model is in use"),
            "Run elfmem migrate-embeddings, or go back to that model.",
        )),
        None if examined.without_vector > 0 => checks.push(Check::note(
            "vectors",
            format!("{} active blocks have none yet", examined.without_vector),
            "The next recall makes them; elfmem migrate-embeddings makes them all at once.",
        )),
        None => checks.push(Check::ok("vectors", "all of one model, which is in use")),
    }
    match memory.status() {
        Ok(status) if status.health == Health::Degraded && examined.is_sound() => {
            checks.push(Check::problem(
                "consolidation",
                status.suggestion.clone(),
                "Mend that, then run elfmem dream.",
            ));
        }
        Ok(_) => {}
        Err(error) => checks.push(Check::failed("status", &error.into())),
    }
    checks
}

fn store_checks(before: Option<&Examination>, examined: &Examination) -> Vec<Check> {
    let mut checks = Vec::new();
    for finding in before.into_iter().flat_map(|before| &before.findings).filter(|finding| finding.repairable) {
        let detail = format!("{}; it was made anew", finding.problem);
        checks.push(Check { verdict: Verdict::Fixed, ..Check::ok("database", detail) });
    }
    for finding in &examined.findings {
        let way_out = match finding.repairable {
            true => "elfmem doctor --fix makes it anew from the blocks.",
            false => "Keep a copy of the file, and go back to a backup.",
        };
        checks.push(Check::problem("database", finding.problem.clone(), way_out));
    }
    if checks.is_empty() {
        checks.push(Check::ok("database", "pages, references and the full-text index are sound"));
    }
    checks
}

fn online(chosen: &models::Chosen) -> Vec<Check> {
    let model_check = |name: &'static str, report: Result<HealthReport, elfmem_engine::Error>| match report {
        Ok(report) => Check::ok(name, format!("answers: {report}")),
        Err(error) => Check::problem(name, error.message(), error.recovery()),
    };
    let embedder = chosen.models.embedder.load().and_then(|embedder| Ok(embedder.check()?));
    let analyst = chosen.models.analyst.check().map_err(elfmem_engine::Error::from);
    vec![model_check("embedder", embedder), model_check("analyst", analyst)]
}

/// The nearest folder that is there: a memory that is yet to be made has none of its own.
fn standing(path: &Path) -> PathBuf {
    let found = path.ancestors().find(|folder| folder.is_dir()).filter(|folder| !folder.as_os_str().is_empty());
    found.map_or_else(|| PathBuf::from("."), Path::to_owned)
}

fn space(database: &Path) -> Check {
    let size = std::fs::metadata(database).map_or(0, |found| found.len());
    match fs4::available_space(standing(database)) {
        Ok(free) if free < size + SPARE_BYTES => Check::problem(
            "disk",
            format!("{} MB are free beside a memory of {} MB", free >> 20, size >> 20),
            "Make room: a backup or a purge writes the memory anew.",
        ),
        Ok(free) => Check::ok("disk", format!("{} MB are free", free >> 20)),
        Err(error) => Check::note("disk", format!("the free space cannot be told: {error}"), "Look for yourself."),
    }
}

/// Whether the hosts of this project know the server.
fn registration(around: &Surroundings) -> Result<Check, Failure> {
    let here = std::env::current_dir().map_err(|error| Failure::no_folder(&error))?;
    let Some(root) = root_of(&here, around.places.home.as_deref()) else {
        return Ok(Check::ok("mcp", "not in a project"));
    };
    let file = root.join(".mcp.json");
    let name = file.display();
    let Ok(text) = std::fs::read_to_string(&file) else {
        return Ok(Check::note(
            "mcp",
            format!("{name} is not there"),
            "elfmem init registers the server for this project.",
        ));
    };
    Ok(match mcp_server(Some(&text)) {
        Ok(registered) if registered == text => Check::ok("mcp", format!("registered in {name}")),
        Ok(_) => Check::note("mcp", format!("{name} does not name elfmem"), "elfmem init adds it."),
        Err(problem) => {
            Check::problem("mcp", format!("{name} cannot be read: {problem}"), "Correct the file, or move it away.")
        }
    })
}

fn text(checks: &[Check], problems: usize) -> String {
    let mut text = String::new();
    for check in checks {
        let (style, mark) = match check.verdict {
            Verdict::Ok => (GOOD, "ok"),
            Verdict::Note => (NOTE, "note"),
            Verdict::Fixed => (GOOD, "fixed"),
            Verdict::Problem => (BAD, "wrong"),
        };
        let _ = writeln!(text, "{style}{mark:<6}{style:#}{:<14}{}", check.name, as_typed(&check.detail));
        if let Some(recovery) = &check.recovery {
            let _ = writeln!(text, "{DIM}{:<20}{}{DIM:#}", "", as_typed(recovery));
        }
    }
    let _ = match problems {
        0 => writeln!(text, "\nNothing is wrong."),
        1 => writeln!(text, "\n1 thing is wrong."),
        count => writeln!(text, "\n{count} things are wrong."),
    };
    text
}
