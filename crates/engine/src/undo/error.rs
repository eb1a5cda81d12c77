//! Errors of `undo`.

use elfmem_core::{OperationKind, Scope};

/// Why an operation is not undone in a scope that does not see what replaced its block, as the end of a sentence.
const REPLACED_ELSEWHERE: &str = "it brought a block back that another scope had replaced";

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
    /// There is no operation to undo in the undo window.
    NothingInWindow {
        /// The first operation in the window.
        begins: i64,
    },
    /// The operation is older than the undo window.
    BeyondWindow {
        /// The requested operation.
        seq: i64,
        /// The first operation in the window.
        begins: i64,
    },
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
    /// Another program did it, and only own operations were meant.
    Foreign {
        /// The requested operation.
        seq: i64,
        /// Who did it.
        actor: String,
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
    /// Later operations depend on it, and one of them cannot be undone.
    DependedForGood {
        /// The requested operation.
        seq: i64,
        /// Its kind.
        operation: OperationKind,
        /// Which of the later changes depend on it.
        reason: String,
    },
    /// Later changes outside the visible scopes depend on it.
    DependedElsewhere {
        /// The requested operation.
        seq: i64,
    },
    /// It changed events, contexts, enrolments or links, which belong to the scope that it was made in.
    OfAnotherScope {
        /// The requested operation.
        seq: i64,
        /// The scope that it was made in.
        scope: Scope,
    },
    /// It brought a block back that a block of another scope had replaced.
    ReplacedElsewhere {
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
            Self::NothingInWindow { begins } => {
                format!("There is nothing to undo in the undo window, which begins at operation {begins}.")
            }
            Self::BeyondWindow { seq, begins } => {
                format!("Operation {seq} cannot be undone any more: the undo window begins at operation {begins}.")
            }
            Self::AlreadyUndone { seq, by } => format!("Operation {seq} is undone already, by operation {by}."),
            Self::NotUndoable { seq, operation, reason } => {
                format!("Operation {seq} ({operation}) cannot be undone: {reason}.")
            }
            Self::Foreign { seq, actor } => format!("Operation {seq} was done by '{actor}', not by you."),
            Self::Depended { seq, reason, .. } => format!("Operation {seq} cannot be undone: {reason}."),
            Self::DependedForGood { seq, reason, .. } => {
                format!("Operation {seq} cannot be undone any more: {reason}.")
            }
            Self::DependedElsewhere { seq } => {
                format!("Operation {seq} cannot be undone: a later change in another scope depends on it.")
            }
            Self::OfAnotherScope { seq, scope } => {
                format!(
                    "Operation {seq} cannot be undone here: it changed events, contexts or links of scope '{scope}'."
                )
            }
            Self::ReplacedElsewhere { seq } => format!("Operation {seq} cannot be undone here: {REPLACED_ELSEWHERE}."),
            Self::Drifted { seq, what } => {
                format!("Operation {seq} cannot be undone: {what} has changed since.")
            }
        }
    }

    /// Returns the operation whose undo was refused, and why, as the end of a sentence.
    pub(super) fn refused(&self) -> Option<(i64, String)> {
        match self {
            Self::NoOperation { .. }
            | Self::NothingToUndo
            | Self::NothingInWindow { .. }
            | Self::BeyondWindow { .. }
            | Self::AlreadyUndone { .. }
            | Self::Foreign { .. } => None,
            Self::NotUndoable { seq, reason, .. } => Some((*seq, (*reason).to_owned())),
            Self::Depended { seq, reason, .. } | Self::DependedForGood { seq, reason, .. } => {
                Some((*seq, reason.clone()))
            }
            Self::DependedElsewhere { seq } => Some((*seq, "a later change in another scope depends on it".to_owned())),
            Self::OfAnotherScope { seq, scope } => {
                Some((*seq, format!("it changed events, contexts or links of scope '{scope}'")))
            }
            Self::ReplacedElsewhere { seq } => Some((*seq, REPLACED_ELSEWHERE.to_owned())),
            Self::Drifted { seq, what } => Some((*seq, format!("{what} has changed since"))),
        }
    }

    /// Returns true if an undo in another scope would make this one possible.
    pub(super) fn waits_for_another_scope(&self) -> bool {
        matches!(self, Self::DependedElsewhere { .. } | Self::OfAnotherScope { .. } | Self::ReplacedElsewhere { .. })
    }

    /// Returns what to do next.
    pub fn recovery(&self) -> String {
        match self {
            Self::NoOperation { .. } => {
                "Leave the number out to take back the last one, or use a number of history().".into()
            }
            Self::NothingToUndo | Self::NothingInWindow { .. } => {
                "Change what is stored with edit() or forget(), or see what happened with history().".into()
            }
            Self::BeyondWindow { .. } => {
                "Nothing was changed. Change it back manually; memory.undo_window_days sets how long undo reaches back."
                    .into()
            }
            Self::AlreadyUndone { by, .. } => format!("Bring it back with undo(seq={by})."),
            Self::NotUndoable { .. } => "Nothing was changed. See what can be undone with history().".into(),
            Self::Foreign { .. } => "Nothing was changed. If you mean it all the same, give own as false.".into(),
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
            Self::DependedForGood { operation, .. } => {
                format!("Nothing was changed. Instead, {}.", opposite(operation))
            }
            Self::DependedElsewhere { .. } => {
                "Nothing was changed. Undo the later change in its own scope first, or forget the block instead.".into()
            }
            Self::OfAnotherScope { scope, .. } => format!("Nothing was changed. Undo it in scope '{scope}'."),
            Self::ReplacedElsewhere { .. } => {
                "Nothing was changed. Undo it in the scope that replaced the block, or forget() the block instead."
                    .into()
            }
            Self::Drifted { .. } => {
                "Nothing was changed. Look at it with show() and log(), and fix it manually.".into()
            }
        }
    }
}

/// Returns what takes back an operation of a kind without an undo, as the end of a sentence.
fn opposite(operation: &OperationKind) -> &'static str {
    match operation {
        OperationKind::Learn
        | OperationKind::Remember
        | OperationKind::LearnAll
        | OperationKind::StoreEvent
        | OperationKind::StoreEvents
        | OperationKind::StoreEventsAtomically => "archive what it stored with forget()",
        OperationKind::LearnDocument => "archive the document with forget_document()",
        OperationKind::Outcome => "take the outcome back with retract_outcome()",
        OperationKind::Connect | OperationKind::ConnectMany | OperationKind::ConnectByQuery => {
            "remove the edge with disconnect()"
        }
        OperationKind::Disconnect => "connect() the blocks again",
        OperationKind::Link => "take the link back with unlink()",
        OperationKind::Unlink => "state it again with link()",
        OperationKind::AddTags => "remove the tags with remove_tags()",
        OperationKind::RemoveTags => "add the tags with add_tags()",
        OperationKind::Pin => "unpin() the block",
        OperationKind::Unpin => "pin() the block",
        OperationKind::Forget | OperationKind::ForgetDocument | OperationKind::Supersede | OperationKind::Edit => {
            "bring the old block back with restore()"
        }
        OperationKind::Restore => "forget() the block again",
        _ => "look at the blocks with show() and log(), and change them with edit(), forget() or restore()",
    }
}
