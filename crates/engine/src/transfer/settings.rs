//! The settings of a memory that an export holds and an import stores.

use elfmem_core::Scope;
use elfmem_store::{Setting, Transaction, split_scope_key};

use crate::Result;
use crate::connect::BLOCKS_OVER_CAP;
use crate::curate::LAST_CURATE_AT;
use crate::dream::{LAST_CONSOLIDATED_AT, POLICY_THRESHOLD};
use crate::models::LIFETIME_USAGE;

/// Settings of the whole memory that say nothing about the file, the machine or the models. The clock of use is in the header
/// of an export, the model in the header and with each block.
const OF_MEMORY: [&str; 3] = ["prune_threshold", "top_k", LIFETIME_USAGE];

/// Settings of one scope. An export names them without it, and an import stores them for the scope that it writes to.
const OF_SCOPE: [&str; 4] = [BLOCKS_OVER_CAP, LAST_CURATE_AT, LAST_CONSOLIDATED_AT, POLICY_THRESHOLD];

/// Returns a setting as an export of `scope` holds it; none if it does not belong to that.
pub(super) fn exported(setting: Setting, scope: &Scope) -> Option<Setting> {
    let (name, of) = split_scope_key(&setting.key);
    if OF_SCOPE.contains(&name) {
        let own = of.unwrap_or(Scope::DEFAULT) == *scope;
        return own.then(|| Setting { key: name.to_owned(), value: setting.value.clone() });
    }
    OF_MEMORY.contains(&setting.key.as_str()).then_some(setting)
}

/// Stores a setting of an export; whether it is one that an import stores.
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
