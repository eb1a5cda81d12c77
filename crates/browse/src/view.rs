//! The four lists that can be looked at.

/// A list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum View {
    /// Blocks, the newest first, or those that answer a question.
    Blocks,
    /// What the memory would like to do but should not do alone.
    Proposals,
    /// Pairs of blocks that cannot both be true.
    Contradictions,
    /// Operations, the newest first.
    History,
}

impl View {
    /// All of them, in the order of the screen.
    pub(crate) const ALL: [Self; 4] = [Self::Blocks, Self::Proposals, Self::Contradictions, Self::History];

    /// Returns its title.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Blocks => "Blocks",
            Self::Proposals => "Proposals",
            Self::Contradictions => "Contradictions",
            Self::History => "History",
        }
    }

    /// Returns what stands in place of an empty list.
    pub(crate) fn when_empty(self) -> &'static str {
        match self {
            Self::Blocks => "Nothing is remembered yet.",
            Self::Proposals => "No proposals wait.",
            Self::Contradictions => "No contradictions wait.",
            Self::History => "Nothing has happened yet.",
        }
    }

    /// Returns the list that is `steps` further on, around the corner if need be.
    pub(crate) fn after(self, steps: usize) -> Self {
        Self::ALL[(self as usize + steps) % Self::ALL.len()]
    }
}
