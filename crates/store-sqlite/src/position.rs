//! The position file: the newest operation that was acknowledged, kept beside the memory.
//!
//! SQLite ends the write-ahead log at the first frame whose check sum is wrong, so damage to the log drops everything that
//! was committed after it, without an error. The position file tells: what it names must be in the [chain](crate::chain).
//!
//! It is written after a commit, by a single write of one short record, and never synchronised. A record that is torn or
//! unreadable counts as none. A record that is not in the chain stays until the loss is accepted, by deleting the file.

use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use elfmem_core::ScopeView;
use elfmem_store::{ReadJournal, StoreError};
use rusqlite::Connection;
use sha2::{Digest, Sha256};

use crate::chain::{self, ChainValue, Position};
use crate::private_file::with_ending;
use crate::trace;
use crate::transaction::SqliteTransaction;

type Result<T> = std::result::Result<T, StoreError>;

/// How many writes there are between two records of one process. The first is recorded at once.
const RECORD_EVERY: u32 = 32;

/// What a record begins with.
const MARK: &str = "elfmem-position 1";

/// How many digits of the check sum a record has.
const SUM_DIGITS: usize = 16;

/// Keeps the position file of one memory. A memory without a file has none.
#[derive(Debug, Default)]
pub(crate) struct PositionFile {
    path: Option<PathBuf>,
    /// How many writes this process has made.
    written: AtomicU32,
    /// How many of them there were when the position was last recorded.
    recorded: AtomicU32,
}

/// Operations that were acknowledged and are not in the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LostOperations {
    /// The position file.
    path: PathBuf,
    /// The newest operation that is known to have been acknowledged.
    acknowledged: i64,
    /// The newest operation of the journal.
    newest: i64,
}

impl fmt::Display for LostOperations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, acknowledged, newest } = self;
        match acknowledged - newest {
            ..=0 => write!(
                f,
                "operation {acknowledged}, and perhaps some before it, was acknowledged and is missing; others were written since"
            )?,
            1 => write!(f, "operation {acknowledged} was acknowledged and is missing")?,
            _ => write!(f, "operations {} to {acknowledged} were acknowledged and are missing", newest + 1)?,
        }
        write!(
            f,
            ": the file or its log was damaged, or an older copy took its place. Restore a backup that was made after \
             operation {acknowledged} (elfmem restore-backup FILE), or accept the loss by deleting {}",
            path.display()
        )
    }
}

impl PositionFile {
    /// The position file of a memory.
    pub(crate) fn beside(memory: &Path) -> Self {
        Self { path: Some(path_beside(memory)), ..Self::default() }
    }

    /// Counts a write that was acknowledged; returns whether the position should be recorded now.
    pub(crate) fn count_write(&self) -> bool {
        let written = self.written.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        let recorded = self.recorded.load(Ordering::Relaxed);
        self.path.is_some() && (recorded == 0 || written.wrapping_sub(recorded) >= RECORD_EVERY)
    }

    /// Returns whether there were writes since the last record.
    pub(crate) fn is_behind(&self) -> bool {
        self.path.is_some() && self.written.load(Ordering::Relaxed) != self.recorded.load(Ordering::Relaxed)
    }

    /// Records the newest operation, unless the one on record is not in the chain. An error is not the caller's: the write
    /// stands, and the next one records again.
    pub(crate) fn record(&self, connection: &Connection) {
        self.recorded.store(self.written.load(Ordering::Relaxed), Ordering::Relaxed);
        let (Some(path), Ok(None)) = (&self.path, self.find_loss(connection)) else { return };
        if let Ok(Some(newest)) = chain::newest(connection)
            && write_record(path, &newest).is_err()
        {
            trace::position_not_recorded();
        }
    }

    /// Compares the position on record with the journal.
    ///
    /// The connection must not be inside a transaction, which could show a state from before the record.
    pub(crate) fn find_loss(&self, connection: &Connection) -> Result<Option<LostOperations>> {
        let Some((path, known)) = self.path.as_ref().and_then(|path| Some((path, read_record(path)?))) else {
            return Ok(None);
        };
        let is_there = match chain::value_at(connection, known.seq)? {
            Some(value) => value == known.value,
            // Folding removes operations that only counted uses.
            None => {
                let open = SqliteTransaction::new(connection, &ScopeView::default());
                known.seq <= open.get_folded_journal()?.through
            }
        };
        if is_there {
            return Ok(None);
        }
        let newest = crate::journal::position(connection)?;
        Ok(Some(LostOperations { path: path.clone(), acknowledged: known.seq, newest }))
    }
}

/// Returns the path of a memory's position file.
fn path_beside(memory: &Path) -> PathBuf {
    with_ending(memory, "-position")
}

/// Removes the position file of a memory that was replaced on purpose.
pub(crate) fn forget(memory: &Path) {
    let _ = std::fs::remove_file(path_beside(memory));
}

fn write_record(path: &Path, position: &Position) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    // All records have one length, so the old one need not be cut off.
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(record_of(position).as_bytes())
}

fn read_record(path: &Path) -> Option<Position> {
    position_in(&std::fs::read_to_string(path).ok()?)
}

fn record_of(position: &Position) -> String {
    let text = format!("{MARK} {:020} {}", position.seq, hexadecimal(&position.value.0));
    let sum = check_sum(&text);
    format!("{text} {sum}\n")
}

fn position_in(record: &str) -> Option<Position> {
    let (text, sum) = record.strip_suffix('\n')?.rsplit_once(' ')?;
    if check_sum(text) != sum {
        return None;
    }
    let (seq, value) = text.strip_prefix(MARK)?.strip_prefix(' ')?.split_once(' ')?;
    let digits: Vec<u8> = value.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect::<Option<_>>()?;
    let bytes: Vec<u8> = digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect();
    Some(Position { seq: seq.parse().ok()?, value: ChainValue(bytes.try_into().ok()?) })
}

fn check_sum(text: &str) -> String {
    let mut sum = hexadecimal(&Sha256::digest(text.as_bytes()));
    sum.truncate(SUM_DIGITS);
    sum
}

fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    #[test]
    fn a_record_is_read_as_it_was_written_and_a_damaged_one_not_at_all() {
        let position = Position { seq: 131, value: ChainValue(std::array::from_fn(|at| at as u8 * 7)) };
        let record = record_of(&position);
        assert_eq!(position_in(&record), Some(position));
        assert_eq!(record.len(), record_of(&Position { seq: i64::MAX, ..position }).len());
        for length in 0..record.len() {
            assert_eq!(position_in(&record[..length]), None);
            let mut damaged = record.clone().into_bytes();
            damaged[length] ^= 1;
            assert_eq!(position_in(&String::from_utf8(damaged).unwrap()), None, "{length}");
        }
    }

    #[test]
    fn the_first_write_is_recorded_and_then_every_thirty_second() {
        let file = PositionFile::beside(Path::new("m.db"));
        let connection = Connection::open_in_memory().unwrap();
        let is_recorded = || {
            let due = file.count_write();
            if due {
                file.record(&connection);
            }
            due
        };
        let recorded: Vec<usize> = (1..=70).filter(|_| is_recorded()).collect();
        assert_eq!(recorded, [1, 33, 65]);
        assert!(file.is_behind());
        file.record(&connection);
        assert!(!file.is_behind());
        assert!(!PositionFile::default().count_write());
    }
}
