//! Parses elfmem's own export: a header line, rows, and an end line.

use elfmem_store::Row;
use serde::Deserialize;

use super::check::hours;
use super::{MAX_ENTRIES, RowSet, check_row, message_without_position};
use crate::transfer::{End, FORMAT_VERSION, Header, TransferError};

/// Maximum length of a line in bytes: enough for the longest text with every character escaped, and
/// a long vector.
const MAX_LINE_BYTES: usize = 4 * 1024 * 1024;

/// The part of the header that all format versions share.
#[derive(Deserialize)]
struct VersionHeader {
    version: u64,
}

pub(super) fn parse(text: &str) -> Result<RowSet, TransferError> {
    let mut lines =
        text.lines().enumerate().map(|(at, line)| (at + 1, line)).filter(|(_, line)| !line.trim().is_empty());
    let (number, first) = lines.next().ok_or_else(|| damaged(1, "the file is empty"))?;
    let VersionHeader { version } = read(number, first)?;
    if version > FORMAT_VERSION {
        return Err(TransferError::Newer { found: version, known: FORMAT_VERSION });
    }
    let header: Header = read(number, first)?;
    let clock = Some(hours("active_hours", header.active_hours).map_err(|problem| damaged(number, problem))?);
    let mut set = RowSet { clock, trusted: true, ..RowSet::default() };
    let mut last = number;
    while let Some((number, line)) = lines.next() {
        last = number;
        if line.len() > MAX_LINE_BYTES {
            return Err(damaged(number, format!("it is longer than {MAX_LINE_BYTES} bytes")));
        }
        if is_end(line) {
            let end: End = read(number, line)?;
            let count = set.rows.len() as u64;
            if end.rows != count {
                return Err(damaged(number, format!("expected {} rows, found {count}", end.rows)));
            }
            return match lines.next() {
                Some((after, _)) => Err(damaged(after, "it follows the end line")),
                None => Ok(set),
            };
        }
        if set.rows.len() == MAX_ENTRIES {
            return Err(TransferError::TooMuch { what: "rows", limit: MAX_ENTRIES });
        }
        check_no_nul(number, line)?;
        let mut row: Row = read(number, line)?;
        check_row(&mut row).map_err(|problem| damaged(number, problem))?;
        set.rows.push((place(number), row));
    }
    Err(damaged(last, "the file is truncated: the end line is missing"))
}

fn place(number: usize) -> String {
    format!("line {number}")
}

fn damaged(number: usize, problem: impl Into<String>) -> TransferError {
    TransferError::damaged(place(number), problem)
}

fn read<'a, T: Deserialize<'a>>(number: usize, line: &'a str) -> Result<T, TransferError> {
    serde_json::from_str(line).map_err(|error| damaged(number, message_without_position(&error)))
}

fn is_end(line: &str) -> bool {
    #[derive(Deserialize)]
    struct LineType<'a> {
        #[serde(rename = "type", borrow)]
        kind: Option<std::borrow::Cow<'a, str>>,
    }
    // The end line is short, so long rows need not be parsed twice.
    line.len() < 200 && serde_json::from_str::<LineType<'_>>(line).is_ok_and(|line| line.kind.as_deref() == Some("end"))
}

/// Rejects a line with a NUL byte. JSON can contain one only as an escape, so most lines need no
/// parsing.
fn check_no_nul(number: usize, line: &str) -> Result<(), TransferError> {
    if line.contains("\\u0000") && contains_nul(&read(number, line)?) {
        return Err(damaged(number, "it contains a NUL byte, so it is not text"));
    }
    Ok(())
}

fn contains_nul(value: &serde_json::Value) -> bool {
    match value {
        serde_json::Value::String(text) => text.contains('\0'),
        serde_json::Value::Array(items) => items.iter().any(contains_nul),
        serde_json::Value::Object(fields) => {
            fields.iter().any(|(name, value)| name.contains('\0') || contains_nul(value))
        }
        _ => false,
    }
}
