//! Events of this crate.

use std::time::Duration;

elfmem_core::trace_points! {
    /// A migration changed the schema. A new file begins at version 0.
    event INFO migrated(from: number, to: number) "schema migrated";
    /// Another process writes: the attempt is repeated.
    event DEBUG busy(waited_ms: number) "database busy; trying again";
    /// Another process wrote for longer than the bound.
    event WARN gave_up(waited_ms: number) "database busy for too long";
    /// The write-ahead log was too long and was emptied.
    event DEBUG log_emptied(bytes: number, waited_ms: number) "write-ahead log emptied";
    /// The write-ahead log is too long and could not be emptied, because another process reads for long.
    event WARN log_kept(bytes: number, waited_ms: number) "write-ahead log too long";
    /// The position file could not be written. The write that it should have named is committed.
    event WARN position_not_recorded() "position file not written";
}

/// Converts a wait for a field.
pub(crate) fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
