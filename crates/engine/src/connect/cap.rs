//! The maximum number of edges of a block: a setting of the memory, ten unless it has another one.

use elfmem_core::eviction::{DEGREE_CAP_SETTING, stored_degree_cap};
use elfmem_store::{Snapshot, Transaction};

use crate::Result;

/// Returns the maximum number of edges of a block.
pub(crate) fn degree_cap(snapshot: &(impl Snapshot + ?Sized)) -> Result<usize> {
    Ok(stored_degree_cap(snapshot.get_config(DEGREE_CAP_SETTING)?.as_deref()))
}

/// Stores the maximum that the settings of a program ask for, if the memory has another one.
pub(crate) fn store_degree_cap(transaction: &mut dyn Transaction, wanted: Option<usize>) -> Result<()> {
    if let Some(wanted) = wanted
        && degree_cap(&*transaction)? != wanted
    {
        transaction.set_config(DEGREE_CAP_SETTING, &wanted.to_string())?;
    }
    Ok(())
}
