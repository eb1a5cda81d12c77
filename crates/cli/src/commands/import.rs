//! `import`: finds out what a file or folder is and hands it to the library.

use std::fmt::Write;
use std::io::Read;
use std::path::{Path, PathBuf};

use elfmem_config::LoadedConfig;
use elfmem_core::ScopeView;
use elfmem_engine::{
    Clock, ImportFormat, ImportOptions, ImportResult, Memory, ParsedImport, SystemClock, TextFile, TransferError,
};
use elfmem_store_sqlite::{BadRows, Maker, SqliteStore, looks_encrypted};

use crate::args;
use crate::failure::Failure;
use crate::key;
use crate::output::Output;
use crate::progress;
use crate::python_memory;
use crate::spoken::as_typed;
use crate::style::DIM;

/// Files are read up to here.
const MOST_BYTES: u64 = 1024 * 1024 * 1024;
/// Folders in folders are looked into up to here.
const DEEPEST: usize = 32;
/// What the first bytes of a SQLite database say.
const DATABASE: &[u8] = b"SQLite format 3\0";
/// What the first bytes of a ZIP archive say.
const ARCHIVE: &[u8] = b"PK\x03\x04";
/// The file that conversations are exported to.
const CONVERSATIONS: &str = "conversations.json";

/// What there is to import.
enum Source {
    /// What a text holds.
    Read(ParsedImport),
    /// A memory, as a copy.
    Memory(Box<SqliteStore>, Maker),
}

/// The memory is opened only once there is something to import.
pub(crate) fn import(
    arguments: &args::Import,
    view: &ScopeView,
    settings: &LoadedConfig,
    open: impl FnOnce() -> Result<Memory<SqliteStore>, Failure>,
) -> Result<Output, Failure> {
    let asked = arguments.from.as_deref().and_then(ImportFormat::from_name);
    let bad_rows = if arguments.leave_out { BadRows::LeaveOut } else { BadRows::Refuse };
    let source = source_of(&arguments.path, asked, settings, bad_rows)?;
    let options = ImportOptions {
        dry_run: arguments.dry_run,
        allow_secrets: arguments.allow_secrets,
        peer: arguments.peer.clone(),
        progress: progress::listener(),
    };
    let memory = open()?;
    let is_python = matches!(source, Source::Memory(_, Maker::Python));
    let result = match source {
        Source::Read(parsed) => memory.import(&with_earlier_folder(parsed, &memory)?, &options)?,
        Source::Memory(store, Maker::Python) => {
            memory.import_store(&*store, &ScopeView::default(), ImportFormat::Python, &options)?
        }
        Source::Memory(store, Maker::Elfmem) => memory.import_store(&*store, view, ImportFormat::Database, &options)?,
    };
    if !result.dry_run && is_python {
        python_memory::note_import(&arguments.path, &memory)?;
    }
    Ok(Output::new(text(&result), &result))
}

fn text(result: &ImportResult) -> String {
    let mut text = format!("{}\n", as_typed(&result.to_string()));
    for skipped in &result.skipped {
        let more = if skipped.count > skipped.places.len() as u64 { ", …" } else { "" };
        let places = skipped.places.join(", ");
        let _ = writeln!(text, "{DIM}skipped {}: {} ({places}{more}){DIM:#}", skipped.count, skipped.reason);
    }
    if !result.dry_run && result.created + result.updated + result.changed + result.removed > 0 {
        let _ = writeln!(text, "{DIM}Take it back with: elfmem undo{DIM:#}");
    }
    text
}

fn source_of(
    path: &Path,
    asked: Option<ImportFormat>,
    settings: &LoadedConfig,
    bad_rows: BadRows,
) -> Result<Source, Failure> {
    if path.is_dir() {
        let conversations = path.join(CONVERSATIONS);
        match asked {
            None if conversations.is_file() => return source_of(&conversations, asked, settings, bad_rows),
            Some(ImportFormat::Chatgpt | ImportFormat::Claude) => {
                return source_of(&conversations, asked, settings, bad_rows);
            }
            None | Some(ImportFormat::Markdown) => {}
            Some(format) => {
                let problem = "it is a folder; name the file in it".to_owned();
                return Err(elfmem_engine::Error::from(TransferError::OtherFormat { format, problem }).into());
            }
        }
        let parsed = ParsedImport::read_folder(&markdown_files(path)?).map_err(elfmem_engine::Error::from)?;
        return Ok(Source::Read(parsed.from_path(&whole_path(path))));
    }
    let name = path.display().to_string();
    let bytes = if path == Path::new("-") {
        bounded(std::io::stdin().lock(), "standard input")?
    } else {
        let mut file = std::fs::File::open(path).map_err(|error| Failure::unreadable(&name, &error))?;
        let mut head = Vec::new();
        file.by_ref()
            .take(DATABASE.len() as u64)
            .read_to_end(&mut head)
            .map_err(|error| Failure::unreadable(&name, &error))?;
        let may_be_one = matches!(asked, None | Some(ImportFormat::Database | ImportFormat::Python));
        if head == DATABASE || may_be_one && !head.starts_with(ARCHIVE) && looks_encrypted(path) {
            return database(path, asked, settings, bad_rows);
        }
        head.extend(bounded(file, &name)?);
        head
    };
    if bytes.starts_with(ARCHIVE) {
        return Err(Failure::archive(&name));
    }
    let text = String::from_utf8(bytes).map_err(|_| Failure::not_text(&name))?;
    let parsed = ParsedImport::read(&name, &text, asked).map_err(elfmem_engine::Error::from)?;
    let is_file = path != Path::new("-");
    Ok(Source::Read(if is_file { parsed.from_path(&whole_path(path)) } else { parsed }))
}

/// Names the folder from which a folder of notes was moved: an earlier one that is gone.
fn with_earlier_folder(parsed: ParsedImport, memory: &Memory<SqliteStore>) -> Result<ParsedImport, Failure> {
    let earlier = memory.earlier_folders(&parsed)?;
    Ok(match earlier.iter().find(|folder| folder.is_absolute() && matches!(folder.try_exists(), Ok(false))) {
        Some(folder) => parsed.moved_from(folder),
        None => parsed,
    })
}

/// Files are known by their whole path, as with `learn-document`.
fn whole_path(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn database(
    path: &Path,
    asked: Option<ImportFormat>,
    settings: &LoadedConfig,
    bad_rows: BadRows,
) -> Result<Source, Failure> {
    if let Some(asked) = asked.filter(|asked| !matches!(asked, ImportFormat::Database | ImportFormat::Python)) {
        let problem = "it is a SQLite database".to_owned();
        return Err(elfmem_engine::Error::from(TransferError::OtherFormat { format: asked, problem }).into());
    }
    let mut told = progress::counter("copy");
    let key = key::of(settings)?;
    let copied = SqliteStore::copy_of(path, key.as_ref(), bad_rows, SystemClock.now(), &mut told);
    let (store, maker) = copied.map_err(elfmem_engine::Error::from)?;
    Ok(Source::Memory(Box::new(store), maker))
}

fn bounded(source: impl Read, name: &str) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    source.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|error| Failure::unreadable(name, &error))?;
    if bytes.len() as u64 > MOST_BYTES { Err(Failure::too_large(name, MOST_BYTES)) } else { Ok(bytes) }
}

/// The Markdown files below a folder, by name. Hidden ones belong to other programs, and links may lead anywhere.
fn markdown_files(folder: &Path) -> Result<Vec<TextFile>, Failure> {
    let mut paths: Vec<PathBuf> = Vec::new();
    collect(folder, 0, &mut paths).map_err(|error| Failure::unreadable(&folder.display().to_string(), &error))?;
    paths.sort();
    let mut files = Vec::with_capacity(paths.len());
    let mut left = MOST_BYTES;
    for path in paths {
        let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
        let opened = std::fs::File::open(&path).map_err(|error| Failure::unreadable(&name, &error))?;
        let bytes = bounded(opened, &name)?;
        left = left
            .checked_sub(bytes.len() as u64)
            .ok_or_else(|| Failure::too_large(&folder.display().to_string(), MOST_BYTES))?;
        let text = String::from_utf8(bytes).map_err(|_| Failure::not_text(&name))?;
        files.push(TextFile::new(name, text));
    }
    if files.is_empty() { Err(Failure::nothing_to_import(folder)) } else { Ok(files) }
}

fn collect(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let (kind, path) = (entry.file_type()?, entry.path());
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        let is_markdown = path.extension().is_some_and(|ending| ending == "md" || ending == "markdown");
        if kind.is_dir() && depth < DEEPEST {
            collect(&path, depth + 1, found)?;
        } else if kind.is_file() && is_markdown {
            found.push(path);
        }
    }
    Ok(())
}
