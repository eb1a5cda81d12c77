//! Errors of `undo`.

use elfmem_core::OperationKind;

/// An undo failed. Nothing was changed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}", self.message())]
#[non_exhaustive]
pub enum UndoError {
    /// There is no such operation.
    NoOperation {
        /// The requested operation.
        seq: i64,
    },
    /// There is no operation to undo.
    NothingToUndo,
    /// The operation was undone already.
    AlreadyUndone {
        /// The requested operation.
        seq: i64,
        /// The undo that reverted it.
        by: i64,
    },
    /// Operations of this kind cannot be undone.
    NotUndoable {
        /// The requested operation.
        seq: i64,
        /// The kind of operation.
        operation: OperationKind,
        /// The reason.
        reason: &'static str,
    },
    /// Later operations depend on it.
    Depended {
        /// The requested operation.
        seq: i64,
        /// The later operations, newest first.
        later: Vec<i64>,
        /// Which of their changes depend on it.
        reason: String,
    },
    /// Later changes outside the visible scopes depend on it.
    DependedElsewhere {
        /// The requested operation.
        seq: i64,
    },
    /// A row was changed after the operation without a journal entry.
    Drifted {
        /// The requested operation.
        seq: i64,
        /// A description of the row.
        what: String,
    },
}

impl UndoError {
    /// Returns what happened.
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
                format!("Operation {seq} cannot be undone: a later change in another scope depends on it.")
            }
            Self::Drifted { seq, what } => {
                format!("Operation {seq} cannot be undone: {what} has changed since.")
            }
        }
    }

    /// Returns what to do next.
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
            Self::Drifted { .. } => "Nothing was changed. Look at it with show and log, and fix it manually.".into(),
        }
    }
}
