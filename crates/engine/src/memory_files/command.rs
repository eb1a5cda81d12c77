//! The commands of the memory tool, with the answers that it documents.

use std::fmt;
use std::ops::Range;

use elfmem_core::OperationKind;
use elfmem_store::{Snapshot, Store, Transaction};
use elfmem_text::fence::safe_text;
use serde::{Deserialize, Serialize};

use super::error::FileError;
use super::path::FilePath;
use super::{lines, listing, store};
use crate::Result;
use crate::memory::Memory;
use crate::secrets::refuse_secret_name;
use crate::trace;

/// A command on memory files, in the form in which a model sends it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
#[non_exhaustive]
pub enum FileCommand {
    /// Shows a folder, or a file with line numbers.
    View {
        /// The file or folder.
        path: String,
        /// The first and the last line; -1 is the end of the file.
        #[serde(default)]
        view_range: Option<[i64; 2]>,
    },
    /// Creates a file.
    Create {
        /// The path of the new file.
        path: String,
        /// Its text.
        file_text: String,
    },
    /// Replaces a text that occurs once in a file.
    StrReplace {
        /// The file.
        path: String,
        /// The text to replace.
        old_str: String,
        /// The text in its place.
        #[serde(default)]
        new_str: String,
    },
    /// Inserts a text after a line.
    Insert {
        /// The file.
        path: String,
        /// The line; 0 for the beginning.
        insert_line: i64,
        /// The text.
        insert_text: String,
    },
    /// Deletes a file, or a folder with all files in it.
    Delete {
        /// The file or folder.
        path: String,
    },
    /// Gives a file or folder another path.
    Rename {
        /// The file or folder.
        old_path: String,
        /// The new path.
        new_path: String,
    },
}

/// What a command that writes a file answers.
enum Answer {
    /// A sentence.
    Sentence(String),
    /// The lines of the stored text around the change.
    Lines(Range<usize>),
}

/// What a command did: the answer for the model, and a sentence for the journal.
struct FileCommandResult {
    answer: String,
    summary: String,
}

impl fmt::Display for FileCommandResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.summary)
    }
}

impl FileCommand {
    /// Returns true if the command changes nothing.
    pub fn only_reads(&self) -> bool {
        matches!(self, Self::View { .. })
    }
}

impl<S: Store> Memory<S> {
    /// Runs a command of the memory tool and returns its answer. Every change is one operation for [`undo`](Self::undo).
    ///
    /// # Errors
    /// [`FileError`]; a NUL byte; secrets, if the memory refuses them.
    pub fn run_file_command(&self, command: &FileCommand) -> Result<String> {
        let _span = trace::verb("memory_file");
        if let FileCommand::Create { path, .. } | FileCommand::Rename { new_path: path, .. } = command {
            refuse_secret_name("path", path, self.options.secrets)?;
        }
        match command {
            FileCommand::View { path, view_range } => self.view(path, *view_range),
            FileCommand::Create { path, file_text } => self.write_file(path, |transaction, file| {
                refuse_taken(transaction, file)?;
                Ok((file_text.clone(), Answer::Sentence(format!("File created successfully at: {path}"))))
            }),
            FileCommand::StrReplace { path, old_str, new_str } => self.write_file(path, |transaction, file| {
                let text = store::read(transaction, file)?;
                let text = text.ok_or_else(|| FileError::NoSuchPath { path: file.as_str().to_owned() })?;
                let (text, around) = lines::replace(file.as_str(), &text, old_str, new_str)?;
                Ok((text, Answer::Lines(around)))
            }),
            FileCommand::Insert { path, insert_line, insert_text } => self.write_file(path, |transaction, file| {
                let text = store::read(transaction, file)?;
                let text = text.ok_or_else(|| FileError::Missing { path: file.as_str().to_owned() })?;
                let text = lines::insert(&text, *insert_line, insert_text)?;
                Ok((text, Answer::Sentence(format!("The file {path} has been edited."))))
            }),
            FileCommand::Delete { path } => self.delete_file(path),
            FileCommand::Rename { old_path, new_path } => self.rename_file(old_path, new_path),
        }
    }

    fn view(&self, path: &str, range: Option<[i64; 2]>) -> Result<String> {
        let file = FilePath::parse(path)?;
        self.read(|snapshot| {
            if let Some(text) = store::read(snapshot, &file)? {
                let text = lines::numbered(file.as_str(), &text, range)?;
                return Ok(format!("Here's the content of {path} with line numbers:\n{}", safe_text(&text)));
            }
            let sizes = store::sizes(snapshot)?;
            if !file.is_root() && !sizes.keys().any(|name| file.relative(name).is_some()) {
                return Err(FileError::NoSuchPath { path: file.as_str().to_owned() }.into());
            }
            Ok(listing::listing(&file, file.as_str(), &sizes))
        })
    }

    fn write_file(
        &self,
        path: &str,
        edit: impl Fn(&dyn Transaction, &FilePath) -> Result<(String, Answer)>,
    ) -> Result<String> {
        let file = FilePath::parse(path)?;
        let secrets = self.options.secrets;
        let done = self.change(OperationKind::WriteFile, |transaction, moment| {
            let (text, answer) = edit(&*transaction, &file)?;
            let stored = store::write(transaction, moment, &file, &text, secrets)?;
            Ok(FileCommandResult {
                answer: match answer {
                    Answer::Sentence(sentence) => sentence,
                    Answer::Lines(around) => {
                        let snippet = lines::snippet(&stored, around);
                        format!("The memory file has been edited.\n{}", safe_text(&snippet))
                    }
                },
                summary: format!("Wrote the memory file {} ({} bytes).", file.as_str(), stored.len()),
            })
        })?;
        Ok(done.answer)
    }

    fn delete_file(&self, path: &str) -> Result<String> {
        let file = FilePath::parse(path)?;
        if file.is_root() {
            return Err(FileError::Root.into());
        }
        let done = self.change(OperationKind::DeleteFile, |transaction, moment| {
            let files = existing(&*transaction, &file)?;
            for name in &files {
                store::remove(transaction, moment, name)?;
            }
            let summary = format!("Deleted {} ({} memory files).", file.as_str(), files.len());
            Ok(FileCommandResult { answer: format!("Successfully deleted {path}"), summary })
        })?;
        Ok(done.answer)
    }

    fn rename_file(&self, old_path: &str, new_path: &str) -> Result<String> {
        let (from, to) = (FilePath::parse(old_path)?, FilePath::parse(new_path)?);
        if from.is_root() {
            return Err(FileError::Root.into());
        }
        let done = self.change(OperationKind::RenameFile, |transaction, _| {
            let files = existing(&*transaction, &from)?;
            if !store::files_below(&*transaction, &to)?.is_empty() || to.is_root() {
                return Err(FileError::DestinationExists { path: to.as_str().to_owned() }.into());
            }
            if from.relative(to.as_str()).is_some() {
                return Err(FileError::IntoItself { path: from.as_str().to_owned() }.into());
            }
            refuse_file_as_folder(&*transaction, &to)?;
            for name in &files {
                let new = from
                    .relative(name)
                    .map_or_else(|| to.as_str().to_owned(), |rest| format!("{}/{rest}", to.as_str()));
                // A name below the new path can be too long where the old one was not.
                store::rename(transaction, name, FilePath::parse(&new)?.as_str())?;
            }
            let summary = format!("Renamed {} to {} ({} memory files).", from.as_str(), to.as_str(), files.len());
            Ok(FileCommandResult { answer: format!("Successfully renamed {old_path} to {new_path}"), summary })
        })?;
        Ok(done.answer)
    }
}

/// Returns the files at or below a path, of which there must be one.
fn existing(snapshot: &(impl Snapshot + ?Sized), path: &FilePath) -> Result<Vec<String>> {
    let files = store::files_below(snapshot, path)?;
    if files.is_empty() {
        return Err(FileError::Missing { path: path.as_str().to_owned() }.into());
    }
    Ok(files)
}

/// Checks that a new file can stand at a path.
fn refuse_taken(transaction: &dyn Transaction, path: &FilePath) -> Result<()> {
    if path.is_root() || !store::files_below(transaction, path)?.is_empty() {
        return Err(FileError::Exists { path: path.as_str().to_owned() }.into());
    }
    refuse_file_as_folder(transaction, path)
}

/// Checks that no file stands where a path has a folder.
fn refuse_file_as_folder(transaction: &dyn Transaction, path: &FilePath) -> Result<()> {
    let sizes = store::sizes(transaction)?;
    match path.parents().find(|parent| sizes.contains_key(*parent)) {
        Some(parent) => Err(FileError::NotAFolder { path: parent.to_owned() }.into()),
        None => Ok(()),
    }
}
