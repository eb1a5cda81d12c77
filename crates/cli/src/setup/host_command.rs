//! The command by which a host starts this program: a name on the path where that finds it, else the whole path.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The name of the program.
pub(crate) const PROGRAM: &str = "elfmem";
/// How long a program may take to say its version.
const START_TIME: Duration = Duration::from_secs(5);

/// Whether a command can be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CommandState {
    /// It starts, or it is a file that can be run and is not tried, because it came with the project.
    Usable(PathBuf),
    /// No such program is on the path, or no such file is there.
    NotFound,
    /// It is there and does not start.
    Broken(String),
}

/// Returns the command to register: the name if the path finds a program that starts, else the path of this program.
pub(crate) fn host_command() -> String {
    match (state_of(PROGRAM, Path::new(".")), std::env::current_exe()) {
        (CommandState::Usable(_), _) | (_, Err(_)) => PROGRAM.to_owned(),
        (_, Ok(this)) => this.display().to_string(),
    }
}

/// Looks for a command as a host would that runs in `folder`, and starts it. A file that the project names is not started
/// unless it is this program: a project may come from anyone.
pub(crate) fn state_of(command: &str, folder: &Path) -> CommandState {
    let by_name = !command.contains(['/', '\\']);
    let file = match by_name {
        true => on_path(command),
        false => Some(folder.join(command)).filter(|file| is_executable(file)),
    };
    let Some(file) = file else { return CommandState::NotFound };
    let is_this =
        |file: &Path| match (file.canonicalize(), std::env::current_exe().and_then(|this| this.canonicalize())) {
            (Ok(file), Ok(this)) => file == this,
            _ => false,
        };
    if !by_name && !is_this(&file) {
        return CommandState::Usable(file);
    }
    match start(&file) {
        Ok(()) => CommandState::Usable(file),
        Err(problem) => CommandState::Broken(problem),
    }
}

/// Returns the first program of a name in the folders of the path.
fn on_path(name: &str) -> Option<PathBuf> {
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(&name)).find(|file| is_executable(file))
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(file: &Path) -> bool {
    file.is_file()
}

/// Lets a program say its version.
fn start(file: &Path) -> Result<(), String> {
    let mut command = Command::new(file);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let started = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return Err(format!("it ends with {status}")),
            Ok(None) if started.elapsed() < START_TIME => std::thread::sleep(Duration::from_millis(10)),
            Ok(None) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("it does not answer within {} seconds", START_TIME.as_secs()));
            }
            Err(error) => return Err(error.to_string()),
        }
    }
}
