//! Which settings of a memory go with it.

use crate::connect::BLOCKS_OVER_CAP;
use crate::curate::LAST_CURATE_AT;
use crate::dream::{LAST_CONSOLIDATED_AT, POLICY_THRESHOLD};
use crate::models::LIFETIME_USAGE;

/// Settings that say something about the memory and not about the file, the machine or the models. The clock of use stands in
/// the header of an export, the model in the header and with each block.
const BELONGING: [&str; 7] = [
    "prune_threshold",
    "top_k",
    BLOCKS_OVER_CAP,
    LAST_CURATE_AT,
    LAST_CONSOLIDATED_AT,
    LIFETIME_USAGE,
    POLICY_THRESHOLD,
];

/// Whether a setting goes with the memory.
pub(super) fn belongs(key: &str) -> bool {
    BELONGING.contains(&key)
}
