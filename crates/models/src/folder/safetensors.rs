//! The safetensors format: the length of a header, the header as JSON, and the numbers of all tensors.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use elfmem_encoder::NumberFormat;
use serde::Deserialize;

use super::files::{open, unreadable};
use crate::error::ModelError;
use crate::folder_problem::FolderProblem;

/// Longest header. The format allows 100 MB; a model of this family needs some kilobytes.
const MAX_HEADER: u64 = 16 << 20;

/// Where a tensor is in the file.
#[derive(Debug, Clone, Deserialize)]
struct TensorEntry {
    dtype: String,
    shape: Vec<usize>,
    /// Start and end, from the end of the header on.
    data_offsets: (u64, u64),
}

/// An open file of tensors.
#[derive(Debug)]
pub(super) struct Safetensors {
    path: PathBuf,
    file: File,
    entries: HashMap<String, TensorEntry>,
    data_start: u64,
}

/// A tensor as it lies in the file.
#[derive(Debug)]
pub(super) struct Tensor {
    pub(super) format: NumberFormat,
    pub(super) bytes: Vec<u8>,
}

impl Safetensors {
    /// Opens a file and reads its header.
    pub(super) fn open(path: &Path) -> Result<Self, ModelError> {
        let damaged = |problem: String| FolderProblem::damaged(path, problem);
        let mut file = open(path)?.ok_or_else(|| FolderProblem::missing(path, "the file is missing"))?;
        let total = file.metadata().map_err(|error| unreadable(path, &error))?.len();
        let mut length = [0; 8];
        file.read_exact(&mut length).map_err(|_| damaged("the header is cut off".to_owned()))?;
        let length = u64::from_le_bytes(length);
        if length > MAX_HEADER || length.saturating_add(8) > total {
            let problem = format!("a header of {length} bytes in a file of {total}; this is no safetensors file");
            return Err(damaged(problem));
        }
        let mut header = Vec::new();
        (&mut file).take(length).read_to_end(&mut header).map_err(|error| unreadable(path, &error))?;
        let raw: HashMap<String, serde_json::Value> = serde_json::from_slice(&header)
            .map_err(|error| damaged(format!("the header is not JSON ({error}); this is no safetensors file")))?;
        let data_start = length + 8;
        let mut entries = HashMap::new();
        for (name, value) in raw.into_iter().filter(|(name, _)| name != "__metadata__") {
            let entry: TensorEntry =
                serde_json::from_value(value).map_err(|error| damaged(format!("the entry of {name}: {error}")))?;
            let (start, end) = entry.data_offsets;
            let missing = data_start.saturating_add(end).saturating_sub(total);
            if start > end || missing > 0 {
                return Err(damaged(format!("{name} ends {missing} bytes after the end of the file; it was cut off")));
            }
            entries.insert(name, entry);
        }
        Ok(Self { path: path.to_owned(), file, entries, data_start })
    }

    /// Returns whether there is a tensor.
    pub(super) fn contains(&self, name: &str) -> bool {
        self.entries.contains_key(name)
    }

    /// Returns the shape of a tensor.
    pub(super) fn shape(&self, name: &str) -> Option<&[usize]> {
        self.entries.get(name).map(|entry| entry.shape.as_slice())
    }

    /// Reads a tensor of a certain shape.
    pub(super) fn tensor(&mut self, name: &str, shape: &[usize]) -> Result<Tensor, ModelError> {
        let damaged = |problem: String| FolderProblem::damaged(&self.path, problem);
        let entry = self.entries.get(name).ok_or_else(|| damaged(format!("there is no tensor {name}")))?;
        if entry.shape != shape {
            return Err(damaged(format!("{name} has the shape {:?} where {shape:?} is needed", entry.shape)));
        }
        let format = match entry.dtype.as_str() {
            "F32" => NumberFormat::F32,
            "F16" => NumberFormat::F16,
            "BF16" => NumberFormat::Bf16,
            other => {
                let problem = format!("{name} has numbers of type {other}; only F32, F16 and BF16 can be read");
                return Err(FolderProblem::unsupported(&self.path, problem));
            }
        };
        let (start, end) = entry.data_offsets;
        let count = shape.iter().try_fold(format.size(), |bytes, size| bytes.checked_mul(*size));
        if count.is_none_or(|bytes| bytes as u64 != end - start) {
            return Err(damaged(format!("{name} has {} bytes, which do not fit its shape", end - start)));
        }
        let mut bytes = Vec::with_capacity(usize::try_from(end - start).unwrap_or_default());
        let read = self
            .file
            .seek(SeekFrom::Start(self.data_start + start))
            .and_then(|_| (&mut self.file).take(end - start).read_to_end(&mut bytes));
        match read {
            Ok(read) if read as u64 == end - start => Ok(Tensor { format, bytes }),
            Ok(_) => Err(FolderProblem::damaged(&self.path, format!("{name} is cut off"))),
            Err(error) => Err(unreadable(&self.path, &error)),
        }
    }

    /// Reads the numbers of a tensor of a certain shape.
    pub(super) fn numbers(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>, ModelError> {
        let Tensor { format, bytes } = self.tensor(name, shape)?;
        Ok(format.read(&bytes))
    }
}
