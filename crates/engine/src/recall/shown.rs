//! What was shown was of use: it counts for the blocks, for the edges between them, and for edges that may come to be.

use std::collections::HashSet;

use elfmem_core::displacement::DEGREE_CAP;
use elfmem_core::{BlockId, BlockStatus, Edge, EdgeKey, Origin, Relation};
use elfmem_store::{Store, Transaction};

use crate::Result;
use crate::memory::Memory;
use crate::moment::Moment;

/// The best of what was shown, whose pairs are noted.
const PAIRED: usize = 8;
/// Sessions in which two blocks must come up together before that makes an edge.
const SESSIONS_FOR_AN_EDGE: u32 = 3;

/// What is to be counted.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shown {
    /// What was shown, best first.
    pub(crate) ids: Vec<BlockId>,
    /// Edges among them.
    pub(crate) edges: Vec<EdgeKey>,
}

impl<S: Store> Memory<S> {
    /// Counts the use of what was shown. A memory that can only be read still answers: then the history says that the use
    /// was not counted.
    pub(super) fn count_shown(&self, operation: &str, summary: &str, shown: Shown) {
        let unlinked = self.unlinked_pairs(&shown);
        let counted = self.change(operation, |transaction, moment| {
            count(transaction, moment, &shown, &unlinked)?;
            Ok(summary.to_owned())
        });
        let mut running = self.running();
        match counted {
            Ok(_) => running.breadcrumbs.paired.extend(unlinked),
            Err(error) => {
                let at = self.options.clock.now();
                running.history.record(operation, format!("{summary} (not counted: {})", error.message()), at);
            }
        }
        running.breadcrumbs.recalled(shown.ids);
    }

    /// Pairs without an edge that were not noted in this session yet.
    fn unlinked_pairs(&self, shown: &Shown) -> Vec<EdgeKey> {
        let linked: HashSet<&EdgeKey> = shown.edges.iter().collect();
        let running = self.running();
        let best = &shown.ids[..shown.ids.len().min(PAIRED)];
        let pairs = best.iter().enumerate().flat_map(|(at, a)| best[at + 1..].iter().map(move |b| (a, b)));
        pairs
            .filter_map(|(a, b)| EdgeKey::canonical(a, b))
            .filter(|key| !linked.contains(key) && !running.breadcrumbs.paired.contains(key))
            .collect()
    }
}

fn count(transaction: &mut dyn Transaction, moment: &Moment, shown: &Shown, unlinked: &[EdgeKey]) -> Result<()> {
    // Another process may have archived or removed something in the meantime: what is gone is not counted.
    let mut standing = transaction.get_statuses(&shown.ids)?;
    standing.retain(|_, status| *status != BlockStatus::Archived);
    let here: Vec<BlockId> = shown.ids.iter().filter(|id| standing.contains_key(*id)).cloned().collect();
    transaction.reinforce_blocks(&here, moment.hours)?;
    transaction.reinforce_edges(&shown.edges, moment.hours)?;
    let pairs: Vec<EdgeKey> = unlinked
        .iter()
        .filter(|key| standing.contains_key(&key.from_id) && standing.contains_key(&key.to_id))
        .cloned()
        .collect();
    link_what_keeps_coming_up_together(transaction, moment, &pairs)
}

fn link_what_keeps_coming_up_together(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    pairs: &[EdgeKey],
) -> Result<()> {
    for (key, sessions) in transaction.stage_co_retrieval(pairs, &moment.session)? {
        if sessions < SESSIONS_FOR_AN_EDGE {
            continue;
        }
        let degrees = transaction.get_degrees(&[key.from_id.clone(), key.to_id.clone()])?;
        if degrees.values().all(|degree| *degree < DEGREE_CAP) {
            let mut edge = Edge::new(key.clone(), Relation::CO_OCCURS, Origin::CO_RETRIEVAL, moment.at);
            edge.last_active_hours = Some(moment.hours);
            transaction.insert_edge(&edge)?;
        }
        transaction.unstage_co_retrieval(&key)?;
    }
    Ok(())
}
