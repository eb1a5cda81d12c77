//! Co-retrieval: blocks that recall returned together in three sessions are connected by an edge.
//!
//! Recall only journals the blocks it returned. The pairs are counted from the journal in batches:
//! when a session begins or ends, after a dream and before a curate. Counting in recall would cost
//! more than everything else it writes: about ten pairs per answer.
//!
//! A run looks at a bounded number of answers and counts a bounded number of pairs, those that answers of the
//! session named most often and nearest to their top. So it costs no more in a memory that is large or was asked much.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use elfmem_core::{BlockId, BlockStatus, Edge, EdgeKey, EdgeOrigin, OperationKind, Relation, SessionId, Trust};
use elfmem_store::{Snapshot, Store, Transaction};

use crate::Result;
use crate::connect::degree_cap;
use crate::memory::Memory;
use crate::moment::Moment;

/// Number of top blocks per answer whose pairs are counted.
const MAX_PAIRED_BLOCKS: usize = 8;
/// Maximum number of pairs counted per session and run.
const MAX_PAIRS: usize = 256;
/// Maximum number of pairs looked at for them: those that answers name most often tend to have an edge already.
const MAX_LOOKED_AT: usize = 512;
/// Number of sessions with both blocks in one answer before a pair becomes an edge.
const MIN_SESSIONS: u32 = 3;
/// Maximum number of answers counted per run, newest first.
const MAX_ANSWERS: u32 = 5_000;
/// Number of operations without an answer after which the stored position is moved anyway.
const MAX_POSITION_LAG: i64 = 1_000;
/// Prefix of the setting with the journal position up to which answers are counted; the scope
/// follows.
const POSITION_SETTING: &str = "answers_counted_up_to";

/// Number of edges created from pairs.
struct CreatedEdges(usize);

impl fmt::Display for CreatedEdges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            1 => f.write_str("Linked 1 pair that keeps coming up together."),
            count => write!(f, "Linked {count} pairs that keep coming up together."),
        }
    }
}

impl<S: Store> Memory<S> {
    /// Counts the pairs of answers since the last run and creates edges for pairs from enough
    /// sessions.
    pub(crate) fn associate(&self) -> Result<()> {
        let idle = self.read(|snapshot| {
            let from = counted_position(snapshot)?;
            let few = snapshot.get_journal_position()? - from < MAX_POSITION_LAG;
            Ok(few && snapshot.get_answers_after(from, 1)?.is_empty())
        })?;
        if idle {
            return Ok(());
        }
        let due = self.store().write(&self.options.view, count_answers)?;
        if !due.is_empty() {
            self.change(OperationKind::Associate, |transaction, moment| link(transaction, moment, &due))?;
        }
        Ok(())
    }

    /// Calls [`associate`](Self::associate) as a side task of another verb. A failure is recorded
    /// in the history, not returned: the next run counts the same answers.
    pub(crate) fn try_associate(&self) {
        if self.options.speaker() == Trust::Untrusted {
            return;
        }
        if let Err(error) = self.associate() {
            let at = self.options.clock.now();
            let summary = format!("Counting the pairs of recent answers failed: {}", error.message());
            self.running().history.record(OperationKind::Associate, summary, at);
        }
    }
}

fn counted_position(snapshot: &dyn Snapshot) -> Result<i64> {
    let stored = snapshot.get_scope_config(POSITION_SETTING)?;
    Ok(stored.and_then(|text| text.parse().ok()).unwrap_or(0))
}

/// Counts the sessions of every pair without an edge and returns the pairs with enough sessions.
fn count_answers(transaction: &mut dyn Transaction) -> Result<BTreeSet<EdgeKey>> {
    let pairs = unconnected_pairs(&*transaction)?;
    let mut due = BTreeSet::new();
    for (session, pairs) in pairs {
        let pairs: Vec<EdgeKey> = pairs.into_iter().collect();
        let counted = transaction.stage_co_retrieval(&pairs, &session)?;
        let enough = counted.into_iter().filter(|(_, sessions)| *sessions >= MIN_SESSIONS);
        due.extend(enough.map(|(key, _)| key));
    }
    let position = transaction.get_journal_position()?;
    transaction.set_scope_config(POSITION_SETTING, &position.to_string())?;
    Ok(due)
}

/// Returns, per session, the pairs of blocks that its answers named most and that have no edge.
fn unconnected_pairs(snapshot: &dyn Snapshot) -> Result<BTreeMap<SessionId, BTreeSet<EdgeKey>>> {
    let answers = snapshot.get_answers_after(counted_position(snapshot)?, MAX_ANSWERS)?;
    let shown: BTreeSet<&BlockId> = answers.iter().flat_map(|answer| &answer.shown).collect();
    let mut live = snapshot.get_statuses(&shown.into_iter().cloned().collect::<Vec<_>>())?;
    live.retain(|_, status| *status != BlockStatus::Archived);
    let mut named: BTreeMap<&SessionId, HashMap<(&BlockId, &BlockId), u32>> = BTreeMap::new();
    for answer in &answers {
        let of_session = named.entry(&answer.session).or_default();
        let best: Vec<&BlockId> =
            answer.shown.iter().take(MAX_PAIRED_BLOCKS).filter(|id| live.contains_key(id)).collect();
        for (at, a) in best.iter().enumerate() {
            for (below, b) in best.iter().enumerate().skip(at + 1).filter(|(_, b)| *b != a) {
                *of_session.entry((*a.min(b), *a.max(b))).or_default() += weight(at, below);
            }
        }
    }
    let mut linked: HashMap<EdgeKey, bool> = HashMap::new();
    let mut pairs: BTreeMap<SessionId, BTreeSet<EdgeKey>> = BTreeMap::new();
    for (session, named) in named {
        let of_session = pairs.entry(session.clone()).or_default();
        for key in most_named(named).into_iter().filter_map(|(a, b)| EdgeKey::canonical(a, b)) {
            let is_linked = match linked.get(&key) {
                Some(known) => *known,
                None => *linked.entry(key.clone()).or_insert(snapshot.get_edge(&key)?.is_some()),
            };
            if !is_linked {
                of_session.insert(key);
            }
            if of_session.len() == MAX_PAIRS {
                break;
            }
        }
    }
    Ok(pairs)
}

/// Returns how much a pair counts for being at two places of an answer: what stands near the top was asked for.
fn weight(at: usize, below: usize) -> u32 {
    (2 * MAX_PAIRED_BLOCKS).saturating_sub(at + below).try_into().unwrap_or(1)
}

/// Returns the pairs that answers named most often and nearest to their top, at most [`MAX_LOOKED_AT`].
fn most_named<'a>(named: HashMap<(&'a BlockId, &'a BlockId), u32>) -> Vec<(&'a BlockId, &'a BlockId)> {
    let mut pairs: Vec<_> = named.into_iter().collect();
    pairs.sort_unstable_by(|(one, count), (other, other_count)| other_count.cmp(count).then_with(|| one.cmp(other)));
    pairs.truncate(MAX_LOOKED_AT);
    pairs.into_iter().map(|(pair, _)| pair).collect()
}

fn link(transaction: &mut dyn Transaction, moment: &Moment, pairs: &BTreeSet<EdgeKey>) -> Result<CreatedEdges> {
    let mut made = 0;
    let cap = degree_cap(&*transaction)?;
    for key in pairs {
        let ends = [key.from_id.clone(), key.to_id.clone()];
        // Another process may have archived or removed a block in the meantime.
        let states = transaction.get_node_states(&ends)?;
        let has_room = |id| states.get(id).is_some_and(|end| end.status != BlockStatus::Archived && end.degree < cap);
        // Shown together is not said together: an untrusted block gets no edge to a trusted one by itself.
        let blocks = transaction.get_blocks(&ends)?;
        let same_trust = blocks.iter().all(|block| moment.trust.trusts(block))
            || !blocks.iter().any(|block| moment.trust.trusts(block));
        if same_trust && ends.iter().all(has_room) {
            let mut edge = Edge::new(key.clone(), Relation::CO_OCCURS, EdgeOrigin::CO_RETRIEVAL, moment.at);
            edge.last_active_hours = Some(moment.hours);
            made += usize::from(transaction.insert_edge(&edge)?);
        }
        transaction.unstage_co_retrieval(key)?;
    }
    Ok(CreatedEdges(made))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_looks_at_the_pairs_that_most_answers_named_and_at_no_more_than_its_bound() {
        let ids: Vec<BlockId> = (0..60).map(|at| BlockId::for_content(&format!("block {at}"))).collect();
        let mut named = HashMap::new();
        for (at, a) in ids.iter().enumerate() {
            for b in &ids[at + 1..] {
                named.insert((a, b), 1);
            }
        }
        assert!(named.len() > MAX_LOOKED_AT);
        let often = [(&ids[0], &ids[59]), (&ids[30], &ids[31])];
        named.extend(often.iter().map(|pair| (*pair, 2)));
        let kept = most_named(named);
        assert_eq!(kept.len(), MAX_LOOKED_AT);
        assert!(often.iter().all(|pair| kept[..2].contains(pair)));
    }
}
