//! The rows of a list, and where they come from.

use elfmem_core::{BlockId, BlockStatus, time};
use elfmem_engine::{
    ContradictionDetails, ListBlocks, ListContradictions, ListOperations, ListProposals, ListedBlock, Memory,
    PastOperation, ProposalDetails, Recall, RecallResult, Result, ScoredBlock,
};
use elfmem_store::Store;
use elfmem_text::terms::escape_hidden;

use crate::view::View;

/// The longest list without a question.
const LONGEST_LIST: u32 = 1_000;
/// The most blocks that answer a question.
const MOST_ANSWERS: usize = 20;

/// A row.
#[derive(Debug)]
pub(crate) enum ListItem {
    Block(BlockLine),
    Proposal(Box<ProposalDetails>),
    Contradiction(Box<ContradictionDetails>),
    Operation(PastOperation),
}

/// A block of the list.
#[derive(Debug)]
pub(crate) struct BlockLine {
    pub(crate) id: BlockId,
    pub(crate) content: String,
    pub(crate) status: BlockStatus,
    pub(crate) trusted: bool,
    pub(crate) pinned: bool,
    /// The probability that it answers the question, if one was asked.
    pub(crate) relevance: Option<f64>,
    /// Whether a later block says something else about the same thing.
    pub(crate) older: bool,
}

impl From<ListedBlock> for BlockLine {
    fn from(ListedBlock { block, trusted, .. }: ListedBlock) -> Self {
        let (status, pinned) = (block.status, block.pinned);
        Self { id: block.id, content: block.content, status, trusted, pinned, relevance: None, older: false }
    }
}

impl From<ScoredBlock> for BlockLine {
    fn from(block: ScoredBlock) -> Self {
        Self {
            relevance: Some(block.relevance.unwrap_or_default()),
            older: block.newer.is_some() || block.superseded_by.is_some(),
            id: block.id,
            content: block.content,
            status: block.status,
            trusted: block.trusted,
            pinned: false,
        }
    }
}

impl ListItem {
    /// Returns the row in one line: a short mark, and the text.
    pub(crate) fn line(&self) -> (String, String) {
        match self {
            Self::Block(row) => (row.mark(), one_line(&row.content)),
            Self::Proposal(one) => (one.proposal.number.to_string(), one_line(&one.action)),
            Self::Contradiction(one) => {
                (String::new(), format!("{} ↔ {}", one_line(&one.a.content), one_line(&one.b.content)))
            }
            Self::Operation(one) => {
                (one.seq.to_string(), format!("{}: {}", one.operation.as_str(), one_line(&one.summary)))
            }
        }
    }

    /// Whether it no longer counts: archived, older than another, undone.
    pub(crate) fn is_past(&self) -> bool {
        match self {
            Self::Block(row) => row.status == BlockStatus::Archived || row.older,
            Self::Operation(one) => one.undone_by.is_some(),
            Self::Proposal(_) | Self::Contradiction(_) => false,
        }
    }
}

impl BlockLine {
    fn mark(&self) -> String {
        let mark = match (self.relevance, self.status) {
            (Some(relevance), _) => format!("{relevance:.2}"),
            (None, BlockStatus::Archived) => "gone".to_owned(),
            (None, BlockStatus::Inbox) => "new".to_owned(),
            (None, _) if self.pinned => "pin".to_owned(),
            (None, _) => String::new(),
        };
        if self.trusted { mark } else { format!("{mark}?") }
    }
}

/// Returns a stored text in one line that does nothing to a terminal.
pub(crate) fn one_line(text: &str) -> String {
    escape_hidden(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the day of a time.
pub(crate) fn day(at: elfmem_core::Timestamp) -> String {
    time::to_iso(at).chars().take(10).collect()
}

/// A list, and what is to be said about it.
pub(crate) struct Listing {
    pub(crate) items: Vec<ListItem>,
    pub(crate) note: Option<String>,
}

/// Reads the list of a view. A question is asked as a preview: looking is not using.
pub(crate) fn read<S: Store>(memory: &Memory<S>, view: View, question: &str) -> Result<Listing> {
    let mut note = None;
    let items = match view {
        View::Blocks if question.trim().is_empty() => {
            let blocks = memory.list_with_trust(ListBlocks::new().limit(LONGEST_LIST))?;
            note = (blocks.len() == LONGEST_LIST as usize).then(|| format!("The newest {LONGEST_LIST} blocks."));
            blocks.into_iter().map(|block| ListItem::Block(block.into())).collect()
        }
        View::Blocks => {
            let asked = Recall::new(question).top_k(MOST_ANSWERS).preview();
            let RecallResult { blocks, message, .. } = memory.recall(asked)?;
            note = message;
            blocks.into_iter().map(|block| ListItem::Block(block.into())).collect()
        }
        View::Proposals => {
            memory.proposals(ListProposals::new())?.into_iter().map(|one| ListItem::Proposal(Box::new(one))).collect()
        }
        View::Contradictions => {
            let found = memory.contradictions(ListContradictions::new())?;
            found.into_iter().map(|one| ListItem::Contradiction(Box::new(one))).collect()
        }
        View::History => {
            let past = memory.operations(ListOperations::new().limit(LONGEST_LIST))?;
            past.into_iter().rev().map(ListItem::Operation).collect()
        }
    };
    Ok(Listing { items, note })
}
