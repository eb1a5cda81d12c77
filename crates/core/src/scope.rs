//! Scopes: partitions of a memory.

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

/// A named partition of a memory: a project, an agent or a user. Every block belongs to exactly
/// one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Scope(SmolStr);

impl Scope {
    /// The default scope.
    pub const DEFAULT: Self = Self(SmolStr::new_static("default"));

    /// Validates a name: short and without control characters.
    ///
    /// # Errors
    /// Returns what is wrong with the name.
    pub fn parse(name: &str) -> Result<Self, crate::block::LabelError> {
        crate::block::checked_label("scope", name).map(Self)
    }

    /// Creates a scope from its stored form.
    pub fn from_stored(name: &str) -> Self {
        Self(SmolStr::new(name))
    }

    /// Returns the name.
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

/// The scopes visible to a reader: its own scope, to which it writes, and inherited ones.
///
/// A store binds every snapshot and transaction to a view, so no code above the store filters by
/// scope.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScopeView {
    own: Scope,
    inherited: Vec<Scope>,
}

impl ScopeView {
    /// Creates a view of a single scope.
    pub fn only(own: Scope) -> Self {
        Self { own, inherited: Vec::new() }
    }

    /// Adds an inherited scope.
    pub fn inheriting(mut self, scope: Scope) -> Self {
        if scope != self.own && !self.inherited.contains(&scope) {
            self.inherited.push(scope);
        }
        self
    }

    /// Returns the scope of new blocks.
    pub fn own(&self) -> &Scope {
        &self.own
    }

    /// Iterates over the visible scopes, own scope first.
    pub fn visible(&self) -> impl Iterator<Item = &Scope> {
        std::iter::once(&self.own).chain(&self.inherited)
    }

    /// Returns true if blocks of `scope` are visible.
    pub fn sees(&self, scope: &Scope) -> bool {
        self.visible().any(|visible| visible == scope)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_contains_each_scope_once() {
        let (agent, project, other) =
            (Scope::from_stored("agent"), Scope::from_stored("project"), Scope::from_stored("other"));
        let view = ScopeView::only(agent.clone()).inheriting(project.clone()).inheriting(project.clone());
        assert_eq!(view.visible().collect::<Vec<_>>(), [&agent, &project]);
        assert!(view.sees(&project) && !view.sees(&other));
        assert_eq!(view.own(), &agent);
    }
}
