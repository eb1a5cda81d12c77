//! The caller of a request and its permissions.

use elfmem_engine::catalog::Effect;

use crate::refusal::Refusal;

/// The permissions of a caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rights {
    /// Read only. Nothing is recorded: recalled blocks do not even count as used.
    Read,
    /// Read and write.
    Write,
}

impl Rights {
    /// Returns an error if the permissions do not cover the effect of a verb.
    pub(crate) fn allow(self, verb: &str, effect: Effect) -> Result<(), Refusal> {
        if self.cover(effect) {
            return Ok(());
        }
        Err(Refusal {
            kind: FORBIDDEN,
            message: format!("{verb} changes the memory, and this token may only read."),
            recovery: "Use a token with the right to write.".to_owned(),
        })
    }

    /// Returns the name for logs.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }

    /// Returns true if the permissions cover an effect.
    pub(crate) fn cover(self, effect: Effect) -> bool {
        self == Self::Write || effect == Effect::Reads
    }
}

/// Error class for missing permissions.
pub(crate) const FORBIDDEN: &str = "PermissionError";

/// The caller of a request.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    /// Actor in the journal.
    pub(crate) actor: String,
    /// Task type of a session that starts with this call.
    pub(crate) task_type: &'static str,
    pub(crate) rights: Rights,
}

#[cfg(test)]
mod tests {
    use elfmem_engine::catalog::{all, find};

    use super::*;

    #[test]
    fn readers_may_only_read() {
        assert!(all().all(|verb| Rights::Write.cover(verb.effect)));
        for (name, allowed) in [("recall", true), ("status", true), ("learn", false), ("purge", false), ("undo", false)]
        {
            assert_eq!(Rights::Read.allow(name, find(name).unwrap().effect).is_ok(), allowed, "{name}");
        }
        let refusal = Rights::Read.allow("learn", Effect::Writes).unwrap_err();
        assert_eq!((refusal.kind, refusal.recovery.is_empty()), ("PermissionError", false));
    }
}
