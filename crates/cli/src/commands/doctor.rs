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
use crate::private_file;
use crate::python_memory::{self, PythonMemory};
use crate::setup::{CommandState, PROGRAM, is_ours, mcp_server, registered_commands, root_of, state_of};
use crate::spoken::as_typed;
use crate::style::{BAD, DIM, GOOD, HANG, NOTE};

/// Room that a memory should have, beyond a copy of itself: backups and purges write it anew.
const SPARE_BYTES: u64 = 64 * 1024 * 1024;

/// How a check went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum CheckStatus {
    Ok,
    /// Worth knowing; nothing is wrong.
    Note,
    Fixed,
    Problem,
}

/// One thing that was looked at.
#[derive(Debug, Serialize)]
struct DoctorCheck {
    name: &'static str,
    verdict: CheckStatus,
    detail: String,
    recovery: Option<String>,
}

impl DoctorCheck {
    fn ok(name: &'static str, detail: impl Into<String>) -> Self {
        Self { name, verdict: CheckStatus::Ok, detail: detail.into(), recovery: None }
    }

    fn note(name: &'static str, detail: impl Into<String>, recovery: impl Into<String>) -> Self {
        Self { verdict: CheckStatus::Note, recovery: Some(recovery.into()), ..Self::ok(name, detail) }
    }

    fn problem(name: &'static str, detail: impl Into<String>, recovery: impl Into<String>) -> Self {
        Self { verdict: CheckStatus::Problem, recovery: Some(recovery.into()), ..Self::ok(name, detail) }
    }

    fn failed(name: &'static str, failure: &Failure) -> Self {
        let (message, recovery) = failure.message_and_recovery();
        Self::problem(name, message, recovery)
    }
}

pub(crate) fn doctor(asked: &args::Doctor, arguments: &Arguments) -> Result<Output, Failure> {
    let around = Surroundings::here()?;
    let mut checks = settings(&around, arguments);
    if checks.iter().all(|check| check.verdict != CheckStatus::Problem) {
        match Database::discover_around(&around, arguments) {
            Ok(database) => {
                checks.extend(memory(asked, &database, arguments));
                checks.extend(python_memories(&around, &database, arguments));
            }
            Err(failure) => checks.push(DoctorCheck::failed("memory", &failure)),
        }
    }
    checks.extend(registration(&around)?);
    let problems = checks.iter().filter(|check| check.verdict == CheckStatus::Problem).count();
    let output = Output::new(text(&checks, problems), &json!({"sound": problems == 0, "checks": checks}));
    Ok(if problems == 0 { output } else { output.failing() })
}

fn settings(around: &Surroundings, arguments: &Arguments) -> Vec<DoctorCheck> {
    let loaded = around.settings(arguments);
    let problems =
        loaded.problems.iter().map(|wrong| DoctorCheck::problem("settings", wrong.to_string(), wrong.recovery()));
    let warnings = loaded
        .warnings
        .iter()
        .map(|warning| DoctorCheck::note("settings", warning.to_string(), "See elfmem config show."));
    let mut checks: Vec<DoctorCheck> = problems.chain(warnings).collect();
    if checks.is_empty() {
        checks.push(DoctorCheck::ok("settings", "every key is known and every value possible"));
    }
    checks
}

/// Everything about the memory itself, and the models it is used with.
fn memory(asked: &args::Doctor, database: &Database, arguments: &Arguments) -> Vec<DoctorCheck> {
    let mut checks = vec![space(&database.path)];
    let chosen = models::chosen(&database.settings);
    if let Err(failure) = &chosen {
        checks.push(DoctorCheck::failed("models", failure));
    }
    let name = database.path.display();
    if !database.exists {
        checks.push(DoctorCheck::note("memory", format!("{name} is not there yet"), "elfmem remember makes it."));
    } else {
        let opened = if asked.fix { database.open(arguments) } else { database.open_to_look(arguments) };
        match opened {
            Ok(memory) => {
                let found = database.found_in_words();
                checks.push(match database.is_read_only() {
                    true => DoctorCheck::note(
                        "memory",
                        format!("{name} can only be read ({found})"),
                        "Commands that change it refuse. Make the file and its folder writable for you to use them.",
                    ),
                    false => DoctorCheck::ok("memory", format!("{name} opens ({found})")),
                });
                checks.extend(readers(&database.path));
                checks.extend(examined(asked.fix, &memory));
            }
            Err(failure) => checks.push(DoctorCheck::failed("memory", &failure)),
        }
    }
    match (&chosen, asked.online) {
        (Ok(chosen), true) => checks.extend(online(chosen)),
        (Ok(chosen), false) => checks.push(match chosen.models.embedder.problem() {
            Some(problem) => DoctorCheck::problem("embedder", problem.to_string(), problem.recovery()),
            None => {
                let (embedder, analyst) = (chosen.models.embedder.name(), chosen.models.analyst.name());
                DoctorCheck::ok("models", format!("{embedder} embeds, {analyst} analyses"))
            }
        }),
        (Err(_), _) => {}
    }
    checks
}

/// Memories of the Python elfmem that were not brought in. Nothing is said where the memory itself cannot be opened.
fn python_memories(around: &Surroundings, database: &Database, arguments: &Arguments) -> Vec<DoctorCheck> {
    let home = around.places.home.as_deref();
    let found = database
        .open_to_look(arguments)
        .and_then(|memory| python_memory::find(home, &database.path, &memory))
        .unwrap_or_default();
    let note = |found: &PythonMemory| {
        DoctorCheck::note("python elfmem", found.to_string(), format!("Bring it in with: {}", found.command))
    };
    found.iter().map(note).collect()
}

fn examined(fix: bool, memory: &Memory<SqliteStore>) -> Vec<DoctorCheck> {
    let (before, examined) = match (memory.examine(Verify::new()), fix) {
        (Ok(before), true) if before.findings.iter().any(|finding| finding.repairable) => {
            match memory.examine(Verify::new().repair()) {
                Ok(after) => (Some(before), after),
                Err(error) => return vec![DoctorCheck::failed("database", &error.into())],
            }
        }
        (Ok(examined), _) => (None, examined),
        (Err(error), _) => return vec![DoctorCheck::failed("database", &error.into())],
    };
    let mut checks = store_checks(before.as_ref(), &examined);
    checks.push(match (&examined.other_model, &examined.migration) {
        (Some(_), Some(progress)) => DoctorCheck::note(
            "vectors",
            progress.to_string(),
            "The old vectors answer meanwhile. elfmem dream goes on; elfmem migrate-embeddings does the rest at once.",
        ),
        // A memory that was just taken over has the vectors of its models: nothing went wrong.
        (Some(other), None) if is_adopted(memory) => DoctorCheck::note(
            "model lock",
            format!("the vectors come from '{other}', which the Python elfmem used"),
            "Run elfmem migrate-embeddings, or choose that model. Until then recall compares words only, and dream waits.",
        ),
        (Some(other), None) => DoctorCheck::problem(
            "model lock",
            format!("the vectors come from '{other}', and another model is in use"),
            "Run elfmem migrate-embeddings, or go back to that model.",
        ),
        (None, _) if examined.without_vector > 0 => DoctorCheck::note(
            "vectors",
            format!("{} active blocks have none yet", examined.without_vector),
            "The next recall makes them; elfmem migrate-embeddings makes them all at once.",
        ),
        (None, _) => DoctorCheck::ok("vectors", "all of one model, which is in use"),
    });
    match memory.status() {
        Ok(status) if status.health == Health::Degraded && examined.is_sound() => {
            checks.push(DoctorCheck::problem(
                "consolidation",
                status.suggestion.clone(),
                "Mend that, then run elfmem dream.",
            ));
        }
        Ok(_) => {}
        Err(error) => checks.push(DoctorCheck::failed("status", &error.into())),
    }
    checks
}

/// Whether the memory was one of the Python elfmem, and has been embedded by nobody else since.
fn is_adopted(memory: &Memory<SqliteStore>) -> bool {
    memory.store().past_adoption().is_ok_and(|adoption| adoption.is_some())
}

fn store_checks(before: Option<&Examination>, examined: &Examination) -> Vec<DoctorCheck> {
    let mut checks = Vec::new();
    for finding in before.into_iter().flat_map(|before| &before.findings).filter(|finding| finding.repairable) {
        let detail = format!("{}; it was made anew", finding.problem);
        checks.push(DoctorCheck { verdict: CheckStatus::Fixed, ..DoctorCheck::ok("database", detail) });
    }
    for finding in &examined.findings {
        let way_out = match finding.repairable {
            true => "elfmem doctor --fix makes it anew from the blocks.",
            false => "Keep a copy of the file, and go back to a backup.",
        };
        checks.push(DoctorCheck::problem("database", finding.problem.clone(), way_out));
    }
    if checks.is_empty() {
        checks.push(DoctorCheck::ok("database", "pages, references and the full-text index are sound"));
    }
    checks
}

fn online(chosen: &models::Chosen) -> Vec<DoctorCheck> {
    let model_check = |name: &'static str, report: Result<HealthReport, elfmem_engine::Error>| match report {
        Ok(report) => DoctorCheck::ok(name, format!("answers: {report}")),
        Err(error) => DoctorCheck::problem(name, error.message(), error.recovery()),
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

/// A size in the unit that fits it.
fn bytes_in_words(bytes: u64) -> String {
    if bytes >> 30 > 9 { format!("{} GB", bytes >> 30) } else { format!("{} MB", bytes >> 20) }
}

fn space(database: &Path) -> DoctorCheck {
    let size = std::fs::metadata(database).map_or(0, |found| found.len());
    match fs4::available_space(standing(database)) {
        Ok(free) if free < size + SPARE_BYTES => DoctorCheck::problem(
            "disk",
            format!("{} free beside a memory of {}", bytes_in_words(free), bytes_in_words(size)),
            "Make room: a backup or a purge writes the memory anew.",
        ),
        Ok(free) => DoctorCheck::ok("disk", format!("{} free", bytes_in_words(free))),
        Err(error) => {
            DoctorCheck::note("disk", format!("the free space cannot be told: {error}"), "Look for yourself.")
        }
    }
}

/// A note if others can read the memory. Older versions created it so.
fn readers(database: &Path) -> Option<DoctorCheck> {
    let found = std::fs::metadata(database).ok().filter(private_file::is_readable_by_others)?;
    let name = database.display();
    let recovery = format!("chmod 600 {}", private_file::in_shell_quotes(database));
    (found.len() > 0).then(|| DoctorCheck::note("permissions", format!("others can read {name}"), recovery))
}

/// Whether the hosts of this project know the server, and can start it.
fn registration(around: &Surroundings) -> Result<Vec<DoctorCheck>, Failure> {
    let here = std::env::current_dir().map_err(|error| Failure::no_folder(&error))?;
    let Some(root) = root_of(&here, around.places.home.as_deref()) else {
        return Ok(vec![DoctorCheck::ok("mcp", "not in a project")]);
    };
    let file = root.join(".mcp.json");
    let name = file.display();
    let servers = std::fs::read_to_string(&file).ok();
    let mut checks = vec![match servers.as_deref().map(|text| (text, mcp_server(Some(text), PROGRAM))) {
        None => DoctorCheck::note(
            "mcp",
            format!("{name} is not there"),
            "elfmem init registers the server for this project.",
        ),
        Some((text, Ok(registered))) if registered == text => DoctorCheck::ok("mcp", format!("registered in {name}")),
        Some((_, Ok(_))) => DoctorCheck::note("mcp", format!("{name} does not name elfmem"), "elfmem init adds it."),
        Some((_, Err(problem))) => DoctorCheck::problem(
            "mcp",
            format!("{name} cannot be read: {problem}"),
            "Correct the file, or move it away.",
        ),
    }];
    let parsed = |text: Option<String>| text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let settings = std::fs::read_to_string(root.join(".claude").join("settings.json")).ok();
    let commands = registered_commands(&parsed(servers), &parsed(settings));
    checks.extend(commands.iter().map(|command| started(command, &root)));
    Ok(checks)
}

/// Whether a registered command can be started from the project.
fn started(command: &str, root: &Path) -> DoctorCheck {
    let way_out = match is_ours(command) {
        true => "elfmem init registers it anew.",
        false => "Correct its entry in .mcp.json or .claude/settings.json: another program than elfmem is named there.",
    };
    match state_of(command, root) {
        CommandState::Usable(file) => DoctorCheck::ok("command", format!("{command} is {}", file.display())),
        CommandState::NotFound => DoctorCheck::problem("command", format!("hosts cannot find '{command}'"), way_out),
        CommandState::Broken(problem) => {
            DoctorCheck::problem("command", format!("hosts cannot start '{command}': {problem}"), way_out)
        }
    }
}

fn text(checks: &[DoctorCheck], problems: usize) -> String {
    let mut text = String::new();
    for check in checks {
        let (style, mark) = match check.verdict {
            CheckStatus::Ok => (GOOD, "ok"),
            CheckStatus::Note => (NOTE, "note"),
            CheckStatus::Fixed => (GOOD, "fixed"),
            CheckStatus::Problem => (BAD, "wrong"),
        };
        let _ = writeln!(text, "{style}{mark:<6}{style:#}{:<14}{HANG}{}", check.name, as_typed(&check.detail));
        if let Some(recovery) = &check.recovery {
            let _ = writeln!(text, "{:<20}{HANG}{DIM}{}{DIM:#}", "", as_typed(recovery));
        }
    }
    let _ = match problems {
        0 => writeln!(text, "\nNothing is wrong."),
        1 => writeln!(text, "\n1 thing is wrong."),
        count => writeln!(text, "\n{count} things are wrong."),
    };
    text
}
