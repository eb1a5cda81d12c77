//! The request of `verify`.

use crate::progress::{ProgressListener, progress_setter};
use crate::request::request;

request! {
    /// Compare everything that is derived with what it comes from, and repair it.
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
        /// Make anew what is derived and does not fit
        repair: bool => flag("--repair"),
        /// Also sum up the memory, to compare it with another
        digest: bool => flag("--digest"),
    }
    beside {
        /// The callback for progress.
        progress: Option<ProgressListener>,
    }
}

progress_setter!(Verify);
