//! Every environment variable this program reads, in one table.

use std::ffi::OsString;

/// One variable.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Variable {
    pub(crate) name: &'static str,
}

/// The memory to use; `--db` goes first.
pub(crate) const DATABASE: Variable = Variable { name: "ELFMEM_DB" };
/// Where vectors come from; `--embedder` goes first.
pub(crate) const EMBEDDER: Variable = Variable { name: "ELFMEM_EMBEDDER" };
/// Who analyses blocks; `--analyst` goes first.
pub(crate) const ANALYST: Variable = Variable { name: "ELFMEM_ANALYST" };
/// The address of an OpenAI-compatible server other than the usual one.
pub(crate) const BASE_URL: Variable = Variable { name: "ELFMEM_BASE_URL" };
/// The key for OpenAI and compatible servers; local ones need none.
pub(crate) const OPENAI_KEY: Variable = Variable { name: "OPENAI_API_KEY" };
/// The key for Anthropic.
pub(crate) const ANTHROPIC_KEY: Variable = Variable { name: "ANTHROPIC_API_KEY" };

impl Variable {
    /// Its value; an empty one is none.
    pub(crate) fn os_value(self) -> Option<OsString> {
        std::env::var_os(self.name).filter(|value| !value.is_empty())
    }

    /// Its value, if it is text.
    pub(crate) fn value(self) -> Option<String> {
        self.os_value()?.into_string().ok()
    }
}
