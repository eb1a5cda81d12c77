//! Who asks: through which door, and what they may do.

use elfmem_engine::catalog::Effect;

use crate::refusal::Refusal;

/// What a caller may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rights {
    /// Look and ask. Nothing they do leaves a trace: what they are shown does not even count as used.
    Read,
    /// Everything.
    Write,
}

impl Rights {
    /// Refuses what goes beyond them.
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

    /// Their name in logs.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }

    /// Whether what has this effect is within them.
    pub(crate) fn cover(self, effect: Effect) -> bool {
        self == Self::Write || effect == Effect::Reads
    }
}

/// The class of the error that somebody may not do what they asked for.
pub(crate) const FORBIDDEN: &str = "PermissionError";

/// One who asks.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    /// For the journal.
    pub(crate) actor: String,
    /// What a session that begins with this call is for.
    pub(crate) task_type: &'static str,
    pub(crate) rights: Rights,
}

#[cfg(test)]
mod tests {
    use elfmem_engine::catalog::{all, find};

    use super::*;

    #[test]
    fn readers_get_what_reads_and_writers_get_all() {
        assert!(all().all(|verb| Rights::Write.cover(verb.effect)));
        for (name, allowed) in [("recall", true), ("status", true), ("learn", false), ("purge", false), ("undo", false)]
        {
            assert_eq!(Rights::Read.allow(name, find(name).unwrap().effect).is_ok(), allowed, "{name}");
        }
        let refusal = Rights::Read.allow("learn", Effect::Writes).unwrap_err();
        assert_eq!((refusal.kind, refusal.recovery.is_empty()), ("PermissionError", false));
    }
}
