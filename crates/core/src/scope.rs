//! Scopes: which part of a memory a read may see.

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

/// A named part of a memory: a project, an agent, a user. Every block lives in exactly one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Scope(SmolStr);

impl Scope {
    /// The scope of a memory that was never divided.
    pub const DEFAULT: Self = Self(SmolStr::new_static("default"));

    /// Checks what was typed: a short name without control characters.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(name: &str) -> Result<Self, crate::block::LabelError> {
        crate::block::checked_label("scope", name).map(Self)
    }

    /// Takes a scope as a store holds it.
    pub fn from_stored(name: &str) -> Self {
        Self(SmolStr::new(name))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for Scope {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl std::fmt::Display for Scope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// What one reader sees: its own scope, and those it inherits from. Writes go to its own.
///
/// A store binds every snapshot and transaction to a view, so no code above it filters by hand.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScopeView {
    own: Scope,
    inherited: Vec<Scope>,
}

impl ScopeView {
    /// Sees `own` alone.
    pub fn only(own: Scope) -> Self {
        Self { own, inherited: Vec::new() }
    }

    /// Sees one scope more.
    pub fn inheriting(mut self, scope: Scope) -> Self {
        if scope != self.own && !self.inherited.contains(&scope) {
            self.inherited.push(scope);
        }
        self
    }

    /// Where new blocks go.
    pub fn own(&self) -> &Scope {
        &self.own
    }

    /// Every scope that may be seen, the own one first.
    pub fn visible(&self) -> impl Iterator<Item = &Scope> {
        std::iter::once(&self.own).chain(&self.inherited)
    }

    /// Whether blocks of `scope` may be seen.
    pub fn sees(&self, scope: &Scope) -> bool {
        self.visible().any(|visible| visible == scope)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_sees_its_own_scope_and_what_it_inherits_once() {
        let (agent, project, other) =
            (Scope::from_stored("agent"), Scope::from_stored("project"), Scope::from_stored("other"));
        let view = ScopeView::only(agent.clone()).inheriting(project.clone()).inheriting(project.clone());
        assert_eq!(view.visible().collect::<Vec<_>>(), [&agent, &project]);
        assert!(view.sees(&project) && !view.sees(&other));
        assert_eq!(view.own(), &agent);
    }
}
