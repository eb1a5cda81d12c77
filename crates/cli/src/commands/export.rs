//! `export`: to standard output, a file, or a folder of Markdown. A file or folder appears when it is complete.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use elfmem_engine::{ExportOptions, ExportResult, Memory};
use elfmem_store_sqlite::SqliteStore;
use elfmem_text::terms::escape_hidden_in_json;
use serde::Serialize;

use crate::args::{self, ExportFormat};
use crate::failure::Failure;
use crate::output::Output;
use crate::print::{self, Content};
use crate::private_file;
use crate::progress;

/// The library's result, with where it went.
#[derive(Serialize)]
struct Exported<'a> {
    #[serde(flatten)]
    result: &'a ExportResult,
    format: &'static str,
    path: Option<&'a Path>,
    dry_run: bool,
}

pub(crate) fn export(arguments: &args::Export, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let options = ExportOptions { vectors: arguments.vectors, progress: progress::listener() };
    let place = arguments.place.as_deref().filter(|place| *place != Path::new("-"));
    let result = match (arguments.format, place) {
        (ExportFormat::Markdown, None) => return Err(Failure::no_folder_for_markdown()),
        (ExportFormat::Markdown, Some(folder)) => to_folder(folder, arguments.dry_run, memory, &options)?,
        (ExportFormat::Jsonl, _) if arguments.dry_run => {
            if let Some(file) = place {
                refuse_existing(file, arguments.force)?;
            }
            memory.export(&mut std::io::sink(), &options)?
        }
        (ExportFormat::Jsonl, None) => {
            let stdout = Forgiving(BufWriter::new(std::io::stdout().lock()));
            let result = memory.export(&mut EscapedLines::new(stdout), &options)?;
            // Standard output is the data; the sentence is talk.
            print::talk(&result.to_string(), Content::Text);
            return Ok(Output::exactly(String::new()));
        }
        (ExportFormat::Jsonl, Some(file)) => to_file(file, arguments.force, memory, &options)?,
    };
    let format = match arguments.format {
        ExportFormat::Jsonl => "jsonl",
        ExportFormat::Markdown => "markdown",
    };
    let exported = Exported { result: &result, format, path: place, dry_run: arguments.dry_run };
    let told = result.to_string();
    let told = if arguments.dry_run { told.replacen("Exported", "Would export", 1) } else { told };
    let to = place.map(|place| format!(" To {}.", place.display())).unwrap_or_default();
    Ok(Output::new(format!("{told}{to}"), &exported))
}

/// Standard output whose reader may go away early (`| head`): that is no error.
struct Forgiving<W: Write>(W);

impl<W: Write> Write for Forgiving<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self.0.write(bytes) {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(bytes.len()),
            other => other,
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match self.0.flush() {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }
}

/// JSON lines whose hidden characters are written as escapes. The values stay the same, and a terminal shows them.
struct EscapedLines<W: Write> {
    out: W,
    /// The line that is not complete yet.
    line: Vec<u8>,
}

impl<W: Write> EscapedLines<W> {
    fn new(out: W) -> Self {
        Self { out, line: Vec::new() }
    }
}

impl<W: Write> Write for EscapedLines<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.out.write_all(escape_hidden_in_json(&String::from_utf8_lossy(&self.line)).as_bytes())?;
                self.line.clear();
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.write_all(escape_hidden_in_json(&String::from_utf8_lossy(&self.line)).as_bytes())?;
        self.line.clear();
        self.out.flush()
    }
}

fn refuse_existing(place: &Path, force: bool) -> Result<(), Failure> {
    if place.is_dir() || place.exists() && !force { Err(Failure::exists(place, place.is_dir())) } else { Ok(()) }
}

/// A name beside the place for what is not finished yet.
fn unfinished(place: &Path) -> PathBuf {
    let mut name = place.as_os_str().to_owned();
    name.push(".partial");
    PathBuf::from(name)
}

fn to_file(
    file: &Path,
    force: bool,
    memory: &Memory<SqliteStore>,
    options: &ExportOptions,
) -> Result<ExportResult, Failure> {
    refuse_existing(file, force)?;
    let partial = unfinished(file);
    let failed = |error: std::io::Error| Failure::unwritable_file(file, &error);
    let written = || -> Result<ExportResult, Failure> {
        let mut out = BufWriter::new(private_file::create(&partial).map_err(failed)?);
        let result = memory.export(&mut out, options)?;
        out.into_inner().map_err(|error| failed(error.into_error()))?.sync_all().map_err(failed)?;
        std::fs::rename(&partial, file).map_err(failed)?;
        Ok(result)
    };
    written().inspect_err(|_| {
        // Half an export is worse than none.
        let _ = std::fs::remove_file(&partial);
    })
}

fn to_folder(
    folder: &Path,
    dry_run: bool,
    memory: &Memory<SqliteStore>,
    options: &ExportOptions,
) -> Result<ExportResult, Failure> {
    let failed = |error: std::io::Error| Failure::unwritable_file(folder, &error);
    let is_free = match std::fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => true,
        Err(_) => false,
    };
    if !is_free {
        return Err(Failure::exists(folder, true));
    }
    if dry_run {
        return Ok(memory.export_markdown(&mut |_, _| Ok(()), options)?);
    }
    let partial = unfinished(folder);
    // What an interrupted export left behind.
    let _ = std::fs::remove_dir_all(&partial);
    let written = || -> Result<ExportResult, Failure> {
        private_file::create_folder(&partial).map_err(failed)?;
        let put = &mut |name: &str, text: &str| -> std::io::Result<()> {
            let path = partial.join(name);
            if let Some(parent) = path.parent() {
                private_file::create_folder(parent)?;
            }
            private_file::create(&path)?.write_all(text.as_bytes())
        };
        let result = memory.export_markdown(put, options)?;
        // An empty folder gives its place; a missing one has none to give.
        let _ = std::fs::remove_dir(folder);
        std::fs::rename(&partial, folder).map_err(failed)?;
        Ok(result)
    };
    written().inspect_err(|_| {
        let _ = std::fs::remove_dir_all(&partial);
    })
}
