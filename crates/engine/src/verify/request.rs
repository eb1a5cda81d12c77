//! The request of `verify`.

use crate::progress::{ProgressListener, progress_setter};
use crate::request::request;

request! {
    /// Check indexes and other derived data against the blocks, and repair them.
    pub struct Verify: "verify" {
        command: "verify",
        profile: All,
        effect: Writes,
        when: "You want proof that the memory is whole, or whether two memories hold the same.",
        when_not: "Settings or models may be wrong: elfmem doctor looks at those too.",
        cost: "Slow (batch). Everything is read. No model.",
        returns: "Verification: each finding with what is wrong, where, and whether it can be repaired.",
        next: "verify() with repair; go back to a backup where that cannot help.",
        example: "elfmem verify --digest",
        answers: &[
            field("sound", Flag),
            field("findings", Objects),
            field("repaired", Objects),
            nullable("digest", Object),
            nullable("undo_window", Object),
        ],
    }
    takes {
        /// Rebuild derived data that does not match
        repair: bool => flag("--repair"),
        /// Also print a digest, to compare two memories
        digest: bool => flag("--digest"),
    }
    beside {
        /// The callback for progress.
        progress: Option<ProgressListener>,
    }
}

progress_setter!(Verify);
