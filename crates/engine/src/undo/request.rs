//! The request of `undo`.

use crate::request::request;

request! {
    /// Take back the last operation, or one by its number, a whole consolidate or curate included.
    pub struct Undo: "undo" {
        command: "undo",
        profile: Core,
        effect: Writes,
        when: "Something was done by mistake.",
        when_not: "Later changes build on it: undo() says which; take those back first.",
        cost: "Fast. One transaction.",
        returns: "UndoResult: what it takes back; it can be undone itself.",
        next: "history() shows what stands.",
        example: "elfmem undo --dry-run",
        tool: "Take back your last operation, or one by number. Use when it was a mistake.",
        answers: &[
            field("seq", Count),
            field("operation", Text),
            field("summary", Text),
            field("operations", Counts),
            field("redo", Flag),
            nullable("undo_seq", Count),
            field("counts", Object),
            nullable("consolidated", Object),
            field("effects", Objects),
            field("purged", Texts),
            field("skipped", Objects),
            field("dry_run", Flag),
            field("warnings", Texts),
        ],
    }
    takes {
        /// Which operation; history() lists them; without one, the last
        seq: i64 => place("NUMBER"),
        /// Only say what would happen
        dry_run: bool => flag("--dry-run").advanced(),
        /// Only your own
        own: bool => flag("--own"),
    }
}

impl Undo {
    /// Takes back the last operation that changed something.
    pub fn last() -> Self {
        Self::new()
    }

    /// Takes back the operation with this number.
    pub fn operation(seq: i64) -> Self {
        Self::new().seq(seq)
    }
}
