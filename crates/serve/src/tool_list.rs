//! The lists of tools that a server can offer.

use elfmem_engine::catalog::ToolProfile;

/// The tools that clients of a server see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolList {
    /// The verbs of a profile, as `elfmem_…`.
    Verbs(ToolProfile),
    /// The nine tools of the official MCP memory server.
    Official,
    /// The memory tool of Anthropic's API: one tool, `memory`, for files under `/memories`.
    MemoryTool,
}

impl From<ToolProfile> for ToolList {
    fn from(profile: ToolProfile) -> Self {
        Self::Verbs(profile)
    }
}
