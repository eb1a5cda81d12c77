//! Errors of `connect` (seed 000).

use elfmem_core::{BlockId, BlockStatus, EdgeKey};

use crate::ErrorKind;

/// An edge could not be created. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConnectError {
    /// Source and target are the same block.
    SelfLoop {
        /// The block id.
        id: BlockId,
    },
    /// A block is not active.
    BlockNotActive {
        /// The block id.
        id: BlockId,
        /// The status. `None` if there is no such block.
        status: Option<BlockStatus>,
    },
    /// A block is at the degree cap and all its edges are protected.
    DegreeLimit {
        /// The block id.
        id: BlockId,
        /// The maximum number of edges.
        cap: usize,
    },
    /// An edge exists already, and the caller requested an error in that case.
    EdgeExists {
        /// The edge.
        key: EdgeKey,
    },
}

impl ConnectError {
    /// Returns the kind of the error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::SelfLoop { .. } => ErrorKind::SelfLoop,
            Self::BlockNotActive { .. } => ErrorKind::BlockNotActive,
            Self::DegreeLimit { .. } => ErrorKind::DegreeLimit,
            Self::EdgeExists { .. } => ErrorKind::Connect,
        }
    }

    /// Returns what happened.
    pub fn message(&self) -> String {
        match self {
            Self::SelfLoop { id } => format!("Cannot connect block '{}' to itself.", id.short()),
            Self::BlockNotActive { id, .. } => format!("Block '{}…' not found in active memory.", id.short()),
            Self::DegreeLimit { id, cap } => {
                format!("Block '{}…' has {cap} protected edges; no auto-edges to displace.", id.short())
            }
            Self::EdgeExists { key } => {
                format!("Edge already exists between {}… and {}…", key.from_id.short(), key.to_id.short())
            }
        }
    }

    /// Returns what to do next.
    pub fn recovery(&self) -> String {
        match self {
            Self::SelfLoop { .. } => "source and target must be different block IDs.",
            // Recall returns inbox blocks too, so the seed's advice would not help here.
            Self::BlockNotActive { status: Some(BlockStatus::Inbox), .. } => {
                "The block waits in the inbox and could not be promoted: run system.dream(), which says why, then connect it."
            }
            Self::BlockNotActive { .. } => {
                "Use system.recall() to find active block IDs. If the block was archived, re-learn its content to \
                 reactivate."
            }
            Self::DegreeLimit { .. } => {
                "Run system.curate() to prune stale edges, or increase edge_degree_cap in config, or call \
                 system.disconnect() to manually remove an edge."
            }
            Self::EdgeExists { .. } => "Use if_exists='reinforce' or 'update' to modify existing edges.",
        }
        .to_owned()
    }
}

impl std::fmt::Display for ConnectError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for ConnectError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;

    fn id() -> BlockId {
        BlockId::from_stored("8f1b61460000aaaa")
    }

    #[test]
    fn errors_read_as_the_seed_writes_them() {
        let text = |error: ConnectError| Error::from(error).to_string();
        assert_eq!(
            text(ConnectError::SelfLoop { id: id() }),
            "Cannot connect block '8f1b6146' to itself. — Recovery: source and target must be different block IDs."
        );
        assert_eq!(
            text(ConnectError::BlockNotActive { id: id(), status: None }),
            "Block '8f1b6146…' not found in active memory. — Recovery: Use system.recall() to find active block IDs. If \
             the block was archived, re-learn its content to reactivate."
        );
        assert_eq!(
            text(ConnectError::DegreeLimit { id: id(), cap: 10 }),
            "Block '8f1b6146…' has 10 protected edges; no auto-edges to displace. — Recovery: Run system.curate() to \
             prune stale edges, or increase edge_degree_cap in config, or call system.disconnect() to manually remove an \
             edge."
        );
        let key = EdgeKey::canonical(&id(), &BlockId::from_stored("db4eb9950000bbbb")).unwrap();
        assert_eq!(
            text(ConnectError::EdgeExists { key }),
            "Edge already exists between 8f1b6146… and db4eb995… — Recovery: Use if_exists='reinforce' or 'update' to \
             modify existing edges."
        );
    }

    #[test]
    fn every_connect_error_is_one_by_its_kind() {
        let key = EdgeKey::canonical(&id(), &BlockId::from_stored("b")).unwrap();
        let names: Vec<&str> = [
            ConnectError::SelfLoop { id: id() },
            ConnectError::BlockNotActive { id: id(), status: None },
            ConnectError::DegreeLimit { id: id(), cap: 10 },
            ConnectError::EdgeExists { key },
        ]
        .into_iter()
        .map(|error| {
            let kind = Error::from(error).kind();
            assert!(kind.is_connect_error());
            kind.as_str()
        })
        .collect();
        assert_eq!(names, ["SelfLoopError", "BlockNotActiveError", "DegreeLimitError", "ConnectError"]);
        assert!(!ErrorKind::Input.is_connect_error());
    }
}
