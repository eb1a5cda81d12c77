//! The settings that are exported and imported.

use elfmem_core::Scope;
use elfmem_store::{Setting, Transaction, split_scope_key};

use crate::Result;
use crate::connect::BLOCKS_OVER_CAP;
use crate::curate::LAST_CURATE_AT;
use crate::dream::{LAST_CONSOLIDATED_AT, POLICY_THRESHOLD};
use crate::models::LIFETIME_USAGE;

/// Settings of the whole memory that do not depend on the file, the machine or the models. The
/// active hours are in the header of an export, the model is in the header and in each block.
const OF_MEMORY: [&str; 3] = ["prune_threshold", "top_k", LIFETIME_USAGE];

/// Settings of one scope. An export contains them without the scope. An import stores them for its
/// own scope.
const OF_SCOPE: [&str; 4] = [BLOCKS_OVER_CAP, LAST_CURATE_AT, LAST_CONSOLIDATED_AT, POLICY_THRESHOLD];

/// Converts a setting to its form in an export of `scope`. Returns `None` if it is not exported.
pub(super) fn exported(setting: Setting, scope: &Scope) -> Option<Setting> {
    let (name, of) = split_scope_key(&setting.key);
    if OF_SCOPE.contains(&name) {
        let own = of.unwrap_or(Scope::DEFAULT) == *scope;
        return own.then(|| Setting { key: name.to_owned(), value: setting.value.clone() });
    }
    OF_MEMORY.contains(&setting.key.as_str()).then_some(setting)
}

/// Settings that an import takes from elsewhere: the clock, and the schema and locks that describe the file.
const OF_FILE: [&str; 5] =
    ["schema_version", "adoption", "embedding_model_lock", "embedding_dimensions_lock", "total_active_hours"];

/// Says why a setting that an adopted database keeps for later stays behind; none for any other setting.
pub(super) fn kept_for_later(setting: &Setting) -> Option<&'static str> {
    let is_of_peers = setting.key.starts_with("peer_");
    is_of_peers.then_some("settings of peers: no verb uses them yet; they stay in the database that they are in")
}

/// Says why a setting of a Python database is not imported; none for one that is, or that describes the file alone.
pub(super) fn not_imported(setting: &Setting) -> Option<&'static str> {
    let key = setting.key.as_str();
    if OF_SCOPE.contains(&key) || OF_MEMORY.contains(&key) || OF_FILE.contains(&key) {
        return None;
    }
    kept_for_later(setting).or(Some("a setting of that program alone"))
}

/// Stores a setting from an export. Returns false if the setting is not imported.
pub(super) fn import(transaction: &mut dyn Transaction, setting: &Setting) -> Result<bool> {
    let key = setting.key.as_str();
    if OF_SCOPE.contains(&key) {
        transaction.set_scope_config(key, &setting.value)?;
    } else if OF_MEMORY.contains(&key) {
        transaction.set_config(key, &setting.value)?;
    } else {
        return Ok(false);
    }
    Ok(true)
}
