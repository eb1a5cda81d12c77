//! Checking a state: that rows refer to blocks that exist, and that what is derived follows from the rows.

use elfmem_core::ScopeView;
use elfmem_store::{Check, CheckProgress, Finding, RowKind};

use crate::open::Open;
use crate::state::State;

/// Lists what is wrong. Rows that the view does not see are counted, not named.
pub(crate) fn examine(state: &State, view: &ScopeView, progress: CheckProgress<'_>) -> Vec<Finding> {
    Check::ALL.into_iter().for_each(progress);
    let open = Open::new(state, view);
    let mut findings = Vec::new();
    let (mut dangling, mut hidden) = (Vec::new(), 0);
    for (key, stored) in state.rows() {
        let outlives_block = matches!(stored.row.kind(), RowKind::Event | RowKind::Link);
        if !outlives_block && stored.row.blocks().any(|block| open.block_scope(block).is_none()) {
            match open.sees(stored) {
                true => dangling.push(format!("{:?}", key.0)),
                false => hidden += 1,
            }
        }
    }
    if !dangling.is_empty() || hidden > 0 {
        let problem = format!("{} rows refer to blocks that do not exist", dangling.len() + hidden);
        findings.push(Finding { check: Check::References, problem, places: dangling, repairable: false });
    }
    if state.clone().rebuild() {
        let problem = "what is derived from the rows does not follow from them".to_owned();
        findings.push(Finding { check: Check::Words, problem, places: Vec::new(), repairable: true });
    }
    findings
}
