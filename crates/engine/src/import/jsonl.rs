//! Our own export: a header, rows, and a last line that says it is complete.

use elfmem_store::Row;
use serde::Deserialize;

use super::check::hours;
use super::{MOST_ENTRIES, RowSet, check_row, problem_of};
use crate::transfer::{End, Header, TransferError, VERSION};

/// The longest line: the longest text with every character escaped, and a long vector.
const LONGEST_LINE: usize = 4 * 1024 * 1024;

/// What every version of the form has in its first line.
#[derive(Deserialize)]
struct AnyHeader {
    version: u64,
}

pub(super) fn parse(text: &str) -> Result<RowSet, TransferError> {
    let mut lines =
        text.lines().enumerate().map(|(at, line)| (at + 1, line)).filter(|(_, line)| !line.trim().is_empty());
    let (number, first) = lines.next().ok_or_else(|| damaged(1, "there is nothing in it"))?;
    let any: AnyHeader = read(number, first)?;
    if any.version > VERSION {
        return Err(TransferError::Newer { found: any.version, known: VERSION });
    }
    let header: Header = read(number, first)?;
    let clock = Some(hours("active_hours", header.active_hours).map_err(|problem| damaged(number, problem))?);
    let mut set = RowSet { clock, trusted: true, ..RowSet::default() };
    let mut last = number;
    while let Some((number, line)) = lines.next() {
        last = number;
        if line.len() > LONGEST_LINE {
            return Err(damaged(number, format!("it is longer than {LONGEST_LINE} bytes")));
        }
        if is_end(line) {
            let end: End = read(number, line)?;
            let count = set.rows.len() as u64;
            if end.rows != count {
                return Err(damaged(number, format!("it speaks of {} rows, and there are {count}", end.rows)));
            }
            return match lines.next() {
                Some((after, _)) => Err(damaged(after, "it comes after the last one")),
                None => Ok(set),
            };
        }
        if set.rows.len() == MOST_ENTRIES {
            return Err(TransferError::TooMuch { what: "rows", limit: MOST_ENTRIES });
        }
        refuse_nul(number, line)?;
        let mut row: Row = read(number, line)?;
        check_row(&mut row).map_err(|problem| damaged(number, problem))?;
        set.rows.push((place(number), row));
    }
    Err(damaged(last, "the file ends here, and its last line is missing: it was cut off"))
}

fn place(number: usize) -> String {
    format!("line {number}")
}

fn damaged(number: usize, problem: impl Into<String>) -> TransferError {
    TransferError::damaged(place(number), problem)
}

fn read<'a, T: Deserialize<'a>>(number: usize, line: &'a str) -> Result<T, TransferError> {
    serde_json::from_str(line).map_err(|error| damaged(number, problem_of(&error)))
}

fn is_end(line: &str) -> bool {
    #[derive(Deserialize)]
    struct Kind<'a> {
        #[serde(rename = "type", borrow)]
        kind: Option<std::borrow::Cow<'a, str>>,
    }
    // Rows are long; the last line is not.
    line.len() < 200 && serde_json::from_str::<Kind<'_>>(line).is_ok_and(|line| line.kind.as_deref() == Some("end"))
}

/// A NUL can only be written as an escape in JSON, so most lines need no closer look.
fn refuse_nul(number: usize, line: &str) -> Result<(), TransferError> {
    if line.contains("\\u0000") && holds_nul(&read(number, line)?) {
        return Err(damaged(number, "it holds a NUL byte, so it is not text"));
    }
    Ok(())
}

fn holds_nul(value: &serde_json::Value) -> bool {
    match value {
        serde_json::Value::String(text) => text.contains('\0'),
        serde_json::Value::Array(items) => items.iter().any(holds_nul),
        serde_json::Value::Object(fields) => fields.iter().any(|(name, value)| name.contains('\0') || holds_nul(value)),
        _ => false,
    }
}
