//! Keys of settings: some belong to the whole memory, others to one scope.

use elfmem_core::Scope;

/// Stands between the name of a setting and the scope it belongs to.
const OF_SCOPE: char = '@';

/// Returns the key under which a setting of one scope is kept.
///
/// Settings of the scope `default` keep the plain names of the seeds, so a memory that was never divided looks as it
/// always did. Those of other scopes are `name@scope`.
pub fn scope_key(scope: &Scope, name: &str) -> String {
    if *scope == Scope::DEFAULT { name.to_owned() } else { format!("{name}{OF_SCOPE}{scope}") }
}

/// Splits a key into the name of the setting and the scope that it names; none where it names no scope.
///
/// ```
/// use elfmem_core::Scope;
/// use elfmem_store::{scope_key, split_scope_key};
///
/// let key = scope_key(&Scope::from_stored("mail@home"), "last_curate_at");
/// assert_eq!(split_scope_key(&key), ("last_curate_at", Some(Scope::from_stored("mail@home"))));
/// assert_eq!(split_scope_key("top_k"), ("top_k", None));
/// ```
pub fn split_scope_key(key: &str) -> (&str, Option<Scope>) {
    match key.split_once(OF_SCOPE) {
        Some((name, scope)) => (name, Some(Scope::from_stored(scope))),
        None => (key, None),
    }
}
