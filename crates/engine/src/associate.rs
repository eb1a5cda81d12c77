//! What keeps coming up together grows together: pairs that answers of three sessions showed become edges.
//!
//! A recall only counts what it showed; the pairs are counted from the journal when there is time for it: when a session begins
//! or ends, after a dream, before a curate. Ten pairs an answer, spread over a table, would otherwise cost a recall more than
//! everything else it writes.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use elfmem_core::eviction::DEGREE_CAP;
use elfmem_core::{BlockId, BlockStatus, Edge, EdgeKey, EdgeOrigin, OperationKind, Relation, SessionId};
use elfmem_store::{Snapshot, Store, Transaction};

use crate::Result;
use crate::memory::Memory;
use crate::moment::Moment;

/// The best of what an answer showed, whose pairs are counted.
const PAIRED: usize = 8;
/// Sessions in which two blocks must come up together before that makes an edge.
const SESSIONS_FOR_AN_EDGE: u32 = 3;
/// The most answers that are looked at in one go, the newest.
const MOST_ANSWERS: u32 = 5_000;
/// Operations after which it is noted that there was no answer among them.
const MANY_OPERATIONS: i64 = 1_000;
/// Where it is kept, for each scope, up to which operation answers were counted.
const COUNTED_UP_TO: &str = "answers_counted_up_to";

/// Edges that were made of pairs.
struct Associated(usize);

impl fmt::Display for Associated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            1 => f.write_str("Linked 1 pair that keeps coming up together."),
            count => write!(f, "Linked {count} pairs that keep coming up together."),
        }
    }
}

impl<S: Store> Memory<S> {
    /// Counts the pairs of the answers that were given since the last time, and makes edges of those that came up in enough sessions.
    pub(crate) fn associate(&self) -> Result<()> {
        let idle = self.read(|snapshot| {
            let from = counted_up_to(snapshot)?;
            let few = snapshot.get_journal_position()? - from < MANY_OPERATIONS;
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

    /// The same where something else was asked for, which is done whatever becomes of this: the next time makes up for it.
    pub(crate) fn associate_in_passing(&self) {
        if let Err(error) = self.associate() {
            let at = self.options.clock.now();
            let summary = format!("Pairs that came up together were not counted: {}", error.message());
            self.running().history.record(OperationKind::Associate, summary, at);
        }
    }
}

fn mark_of(snapshot: &dyn Snapshot) -> String {
    format!("{COUNTED_UP_TO}:{}", snapshot.scope())
}

fn counted_up_to(snapshot: &dyn Snapshot) -> Result<i64> {
    let stored = snapshot.get_config(&mark_of(snapshot))?;
    Ok(stored.and_then(|text| text.parse().ok()).unwrap_or(0))
}

/// Counts the sessions of every pair without an edge; those that have enough of them.
fn count_answers(transaction: &mut dyn Transaction) -> Result<BTreeSet<EdgeKey>> {
    let pairs = waiting_pairs(&*transaction)?;
    let mut due = BTreeSet::new();
    for (session, pairs) in pairs {
        let pairs: Vec<EdgeKey> = pairs.into_iter().collect();
        let counted = transaction.stage_co_retrieval(&pairs, &session)?;
        let enough = counted.into_iter().filter(|(_, sessions)| *sessions >= SESSIONS_FOR_AN_EDGE);
        due.extend(enough.map(|(key, _)| key));
    }
    let position = transaction.get_journal_position()?;
    let mark = mark_of(&*transaction);
    transaction.set_config(&mark, &position.to_string())?;
    Ok(due)
}

/// The pairs of every session that stand apart, in the order in which they are stored.
fn waiting_pairs(snapshot: &dyn Snapshot) -> Result<BTreeMap<SessionId, BTreeSet<EdgeKey>>> {
    let answers = snapshot.get_answers_after(counted_up_to(snapshot)?, MOST_ANSWERS)?;
    let shown: BTreeSet<&BlockId> = answers.iter().flat_map(|answer| &answer.shown).collect();
    let mut standing = snapshot.get_statuses(&shown.into_iter().cloned().collect::<Vec<_>>())?;
    standing.retain(|_, status| *status != BlockStatus::Archived);
    let mut pairs: BTreeMap<SessionId, BTreeSet<EdgeKey>> = BTreeMap::new();
    let mut linked: HashMap<EdgeKey, bool> = HashMap::new();
    for answer in answers {
        let of_session = pairs.entry(answer.session).or_default();
        let best: Vec<&BlockId> = answer.shown.iter().take(PAIRED).filter(|id| standing.contains_key(id)).collect();
        for (at, a) in best.iter().enumerate() {
            for key in best[at + 1..].iter().filter_map(|b| EdgeKey::canonical(a, b)) {
                let is_linked = match linked.get(&key) {
                    Some(known) => *known,
                    None => *linked.entry(key.clone()).or_insert(snapshot.get_edge(&key)?.is_some()),
                };
                if !is_linked {
                    of_session.insert(key);
                }
            }
        }
    }
    Ok(pairs)
}

fn link(transaction: &mut dyn Transaction, moment: &Moment, pairs: &BTreeSet<EdgeKey>) -> Result<Associated> {
    let mut made = 0;
    for key in pairs {
        let ends = [key.from_id.clone(), key.to_id.clone()];
        // Another process may have archived or removed one in the meantime.
        let standing = transaction.get_node_states(&ends)?;
        let has_room =
            |id| standing.get(id).is_some_and(|end| end.status != BlockStatus::Archived && end.degree < DEGREE_CAP);
        if ends.iter().all(has_room) {
            let mut edge = Edge::new(key.clone(), Relation::CO_OCCURS, EdgeOrigin::CO_RETRIEVAL, moment.at);
            edge.last_active_hours = Some(moment.hours);
            made += usize::from(transaction.insert_edge(&edge)?);
        }
        transaction.unstage_co_retrieval(key)?;
    }
    Ok(Associated(made))
}
