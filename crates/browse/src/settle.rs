//! What the keys change. Every change is one operation that undo takes back.

use elfmem_core::BlockStatus;
use elfmem_engine::{
    AcceptProposals, ContradictionChoice, Error, Forget, Memory, Pin, RejectProposals, Restore, ShowBlock, Undo, Unpin,
};
use elfmem_store::Store;

use crate::item::ListItem;
use crate::keys::KeyCommand;

/// Applies a command to a row. Returns what was done, or none if the command does not apply to the row.
pub(crate) fn apply<S: Store>(
    memory: &Memory<S>,
    item: &ListItem,
    command: KeyCommand,
) -> Option<elfmem_engine::Result<String>> {
    let done = match (item, command) {
        (ListItem::Proposal(one), KeyCommand::Accept) => {
            sentence(memory.accept_proposals(AcceptProposals::new([one.proposal.number])))
        }
        (ListItem::Proposal(one), KeyCommand::Reject) => {
            sentence(memory.reject_proposals(RejectProposals::new([one.proposal.number])))
        }
        (ListItem::Contradiction(one), KeyCommand::KeepFirst | KeyCommand::KeepSecond | KeyCommand::KeepBoth) => {
            sentence(memory.resolve_contradiction(one.settled_by(match command {
                KeyCommand::KeepFirst => ContradictionChoice::First,
                KeyCommand::KeepSecond => ContradictionChoice::Second,
                _ => ContradictionChoice::Both,
            })))
        }
        (ListItem::Block(row), KeyCommand::Forget) => match row.status {
            BlockStatus::Archived => sentence(memory.restore(Restore::new(row.id.as_str()))),
            _ => sentence(memory.forget(Forget::new(row.id.as_str()))),
        },
        (ListItem::Block(row), KeyCommand::Pin) => {
            // A list may be older than the block.
            let pinned = memory.show(ShowBlock::new(row.id.as_str())).map(|found| found.block.pinned);
            match pinned {
                Ok(true) => sentence(memory.unpin(Unpin::new(row.id.as_str()))),
                Ok(false) => sentence(memory.pin(Pin::new(row.id.as_str()))),
                Err(error) => Err(error),
            }
        }
        _ => return None,
    };
    Some(done)
}

/// Returns which operation an undo would take back here: that of the row, or the last one.
pub(crate) fn undo_request(item: Option<&ListItem>) -> Undo {
    match item {
        Some(ListItem::Operation(one)) => Undo::operation(one.undone_by.unwrap_or(one.seq)),
        _ => Undo::last(),
    }
}

fn sentence<T: std::fmt::Display>(done: Result<T, Error>) -> elfmem_engine::Result<String> {
    done.map(|result| result.to_string())
}
