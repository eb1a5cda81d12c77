//! Reading the files of a model folder.

use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use crate::error::ModelError;
use crate::folder_problem::FolderProblem;

/// Longest configuration or tokenizer file. The largest vocabularies in use take 40 MB.
const MAX_TEXT_FILE: u64 = 256 << 20;
/// Files up to this length are hashed whole.
const HASHED_WHOLE: u64 = 1 << 20;
/// Samples of a longer file, and their length.
const SAMPLES: u64 = 256;
const SAMPLE_BYTES: u64 = 4096;

/// Reads a text file; none if it is not there.
pub(super) fn read_text(path: &Path) -> Result<Option<String>, ModelError> {
    let Some(file) = open(path)? else { return Ok(None) };
    let mut bytes = Vec::new();
    file.take(MAX_TEXT_FILE + 1).read_to_end(&mut bytes).map_err(|error| unreadable(path, &error))?;
    if bytes.len() as u64 > MAX_TEXT_FILE {
        return Err(FolderProblem::damaged(path, "the file is longer than 256 MB"));
    }
    String::from_utf8(bytes).map(Some).map_err(|_| FolderProblem::damaged(path, "the file is not UTF-8 text"))
}

/// Reads a JSON file; none if it is not there.
pub(super) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, ModelError> {
    let Some(text) = read_text(path)? else { return Ok(None) };
    serde_json::from_str(&text).map(Some).map_err(|error| FolderProblem::damaged(path, error.to_string()))
}

/// Opens a file; none if it is not there.
pub(super) fn open(path: &Path) -> Result<Option<File>, ModelError> {
    match File::open(path) {
        // On some systems a folder can be opened as a file.
        Ok(file) if file.metadata().is_ok_and(|data| data.is_file()) => Ok(Some(file)),
        Ok(_) => Err(FolderProblem::missing(path, "this is not a file")),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(unreadable(path, &error)),
    }
}

/// Returns the error of a file that is there and cannot be read.
pub(super) fn unreadable(path: &Path, error: &std::io::Error) -> ModelError {
    FolderProblem::missing(path, format!("the file cannot be read: {error}"))
}

/// Adds the length and the content of a file to a hash. Of a long file, evenly spread samples stand for the content: another
/// training changes almost every number.
pub(super) fn hash_file(path: &Path, hash: &mut Sha256) -> Result<(), ModelError> {
    let Some(mut file) = open(path)? else {
        hash.update([0]);
        return Ok(());
    };
    let failed = |error: std::io::Error| unreadable(path, &error);
    let length = file.metadata().map_err(failed)?.len();
    hash.update([1]);
    hash.update(length.to_le_bytes());
    let mut bytes = Vec::new();
    if length <= HASHED_WHOLE {
        file.take(HASHED_WHOLE).read_to_end(&mut bytes).map_err(failed)?;
        hash.update(&bytes);
        return Ok(());
    }
    let step = (length - SAMPLE_BYTES) / (SAMPLES - 1);
    for sample in 0..SAMPLES {
        bytes.clear();
        file.seek(SeekFrom::Start(sample * step)).map_err(failed)?;
        (&mut file).take(SAMPLE_BYTES).read_to_end(&mut bytes).map_err(failed)?;
        hash.update(&bytes);
    }
    Ok(())
}
