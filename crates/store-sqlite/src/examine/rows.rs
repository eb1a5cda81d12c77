//! Whether what recall reads of each block is what the block says.

use elfmem_store::{Check, Finding, StoreError};

use super::lens::{Lens, Mending, RowLocation};
use crate::search::rows_out_of_step;

pub(super) fn rows(lens: &Lens<'_>) -> Result<Vec<Finding>, StoreError> {
    let places = rows_out_of_step(lens.connection)?.into_iter().map(RowLocation::from);
    lens.findings(Check::Rows, Mending::Anew, places, |named| {
        format!("what recall reads of block {named} is not what the block says")
    })
}
