//! Why an undo did nothing.

use elfmem_core::OperationKind;

/// Why an undo did nothing.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}", self.message())]
#[non_exhaustive]
pub enum UndoError {
    /// There is no such operation.
    NoOperation {
        /// The number asked for.
        seq: i64,
    },
    /// Nothing stands that could be undone.
    NothingToUndo,
    /// It was undone before.
    AlreadyUndone {
        /// The number asked for.
        seq: i64,
        /// The undo that took it back.
        by: i64,
    },
    /// It is not of a kind that can be undone.
    NotUndoable {
        /// The number asked for.
        seq: i64,
        /// What it was.
        operation: OperationKind,
        /// Why not.
        reason: &'static str,
    },
    /// Later changes rest on it.
    Depended {
        /// The number asked for.
        seq: i64,
        /// The later operations that stand in the way, the newest first.
        later: Vec<i64>,
        /// What they did that rests on it.
        reason: String,
    },
    /// Later changes that the view does not see rest on it.
    DependedElsewhere {
        /// The number asked for.
        seq: i64,
    },
    /// A row is not what the operation left, and no operation in the journal says why.
    Drifted {
        /// The number asked for.
        seq: i64,
        /// Which row.
        what: String,
    },
}

impl UndoError {
    /// What happened.
    pub fn message(&self) -> String {
        match self {
            Self::NoOperation { seq } => format!("There is no operation {seq}."),
            Self::NothingToUndo => "There is nothing to undo.".to_owned(),
            Self::AlreadyUndone { seq, by } => format!("Operation {seq} is undone already, by operation {by}."),
            Self::NotUndoable { seq, operation, reason } => {
                format!("Operation {seq} ({operation}) cannot be undone: {reason}.")
            }
            Self::Depended { seq, reason, .. } => format!("Operation {seq} cannot be undone: {reason}."),
            Self::DependedElsewhere { seq } => {
                format!("Operation {seq} cannot be undone: a later change in another scope rests on it.")
            }
            Self::Drifted { seq, what } => {
                format!("Operation {seq} cannot be undone: {what} is no longer as it left it.")
            }
        }
    }

    /// What to do next.
    pub fn recovery(&self) -> String {
        match self {
            Self::NoOperation { .. } => "List the operations with history or log, and use one of those numbers.".into(),
            Self::NothingToUndo => "See what happened with history.".into(),
            Self::AlreadyUndone { by, .. } => format!("Bring it back with undo {by}."),
            Self::NotUndoable { .. } => "Nothing was changed. See what can be undone with history.".into(),
            Self::Depended { later, .. } => {
                let numbers: Vec<String> = later.iter().map(i64::to_string).collect();
                match numbers.as_slice() {
                    [one] => format!("Undo operation {one} first, then repeat. Nothing was changed."),
                    many => format!(
                        "Undo operations {} first, in that order, then repeat. Nothing was changed.",
                        many.join(", ")
                    ),
                }
            }
            Self::DependedElsewhere { .. } => {
                "Nothing was changed. Undo the later change in its own scope first, or forget the block instead.".into()
            }
            Self::Drifted { .. } => {
                "Nothing was changed. Look at it with show and log, and put right by hand what should be otherwise."
                    .into()
            }
        }
    }
}
