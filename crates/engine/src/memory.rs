//! The memory: one value that every verb is a method of.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::results::OperationRecord;
use elfmem_core::clock::IDLE_MINUTES;
use elfmem_core::consolidation::INBOX_THRESHOLD;
use elfmem_core::consolidation::ThresholdOverrides;
use elfmem_core::edge::EDGE_REINFORCE_DELTA;
use elfmem_core::time::TimeZone;
use elfmem_core::{Block, BlockId, EdgeScoring, OperationKind, ScopeView, Session, SessionId, Trust, TrustPolicy};
use elfmem_models::{SimilarityProfile, Usage};
use elfmem_store::{BlockState, JournalHeader, JournalLinks, Snapshot, Store, Tombstone, Transaction};
use elfmem_text::secrets::{SecretsPolicy, redact, redact_with};

use crate::attend::Attended;
use crate::breadcrumbs::Breadcrumbs;
use crate::care::CareError;
use crate::clock::{Clock, SystemClock};
use crate::curate::AutoCurate;
use crate::echo::ShownWords;
use crate::events::EventOptions;
use crate::history::History;
use crate::memory_index::PublishedIndex;
use crate::models::Models;
use crate::moment::Moment;
use crate::recall::{FrameCache, PairOpinions, PreparedQuestions, ScratchPool};
use crate::secrets::refuse_secret_name;
use crate::sessions::{EndOfSession, SessionStyle};
use crate::trace;
use crate::trust::{refuse_foreign_changes, refuse_reserved};
use crate::undo_window::UNDO_WINDOW_DAYS;
use crate::waiting::RECALL_TIME;
use crate::{Error, Result};

/// How a memory behaves. The defaults are those of the design.
///
/// All fields are public; build one with struct update syntax: `Options { …, ..Options::default() }`.
#[derive(Clone)]
pub struct Options {
    /// Who asks: surface and client, for the journal.
    pub actor: String,
    /// Which part of the memory is seen and written.
    pub view: ScopeView,
    /// The longest pause, in minutes, that still counts as work.
    pub idle_minutes: f64,
    /// Inbox blocks at which it is time to consolidate.
    pub inbox_threshold: u64,
    /// Whether the threshold follows how new the blocks were.
    pub adaptive_threshold: bool,
    /// When to curate without being asked; none for never.
    pub auto_curate: Option<AutoCurate>,
    /// Days of use whose operations can be undone. Curate folds what is older.
    pub undo_window_days: u32,
    /// How events become memories.
    pub events: EventOptions,
    /// Which models to think with.
    pub models: Models,
    /// The longest time that one recall spends on embedding blocks that have no vector yet; words find the rest.
    pub embedding_time: Duration,
    /// Thresholds to use instead of the embedder's own.
    pub profile: Option<SimilarityProfile>,
    /// Thresholds that replace those of the profile.
    pub thresholds: ThresholdOverrides,
    /// The most edges of a block. It is kept in the memory and holds for all programs; `None` leaves what the memory has.
    pub edge_degree_cap: Option<usize>,
    /// How much the weight of an edge grows when it is confirmed; an outcome adds its signal's share of it.
    pub edge_reinforce_delta: f64,
    /// Whether [`learn`](Memory::learn) replaces a block that says the same in almost the same words; otherwise
    /// [`dream`](Memory::dream) does.
    pub supersede_at_learn: bool,
    /// How dream scores `similar` edges.
    pub edge_scoring: EdgeScoring,
    /// What becomes of texts with keys, tokens or passwords in them.
    pub secrets: SecretsPolicy,
    /// Who speaks for the owner of the memory.
    pub trust: TrustPolicy,
    /// Whether sessions live with this value or beyond it.
    pub session_style: SessionStyle,
    /// What happens to a full inbox when a session ends.
    pub end_of_session: EndOfSession,
    /// Where the time comes from.
    pub clock: Arc<dyn Clock>,
    /// The time zone of whoever reads ages and dates.
    pub time_zone: TimeZone,
    /// Where random numbers come from (session ids).
    pub random: Arc<dyn Fn() -> u64 + Send + Sync>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            actor: "library".to_owned(),
            view: ScopeView::default(),
            idle_minutes: IDLE_MINUTES,
            inbox_threshold: INBOX_THRESHOLD,
            adaptive_threshold: false,
            auto_curate: Some(AutoCurate::default()),
            undo_window_days: UNDO_WINDOW_DAYS,
            events: EventOptions::default(),
            models: Models::default(),
            embedding_time: RECALL_TIME,
            profile: None,
            thresholds: ThresholdOverrides::default(),
            edge_degree_cap: None,
            edge_reinforce_delta: EDGE_REINFORCE_DELTA,
            supersede_at_learn: true,
            edge_scoring: EdgeScoring::default(),
            secrets: SecretsPolicy::default(),
            trust: TrustPolicy::default(),
            session_style: SessionStyle::default(),
            end_of_session: EndOfSession::default(),
            clock: Arc::new(SystemClock),
            time_zone: TimeZone::UTC,
            random: Arc::new(|| fastrand::u64(..)),
        }
    }
}

impl std::fmt::Debug for Options {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options")
            .field("actor", &self.actor)
            .field("view", &self.view)
            .field("idle_minutes", &self.idle_minutes)
            .field("inbox_threshold", &self.inbox_threshold)
            .field("models", &self.models)
            .field("session_style", &self.session_style)
            .finish_non_exhaustive()
    }
}

/// What lives in this process and not in the store.
#[derive(Debug, Default)]
pub(crate) struct RunState {
    /// The session this value holds, if it began one.
    pub(crate) held: Option<Session>,
    /// The session that is being ended because nobody uses it any more.
    pub(crate) idle: Option<SessionId>,
    /// The session of the last operation, to notice when a new one begins.
    pub(crate) current: Option<SessionId>,
    /// What model calls had cost when the memory's account was last brought up to date.
    pub(crate) accounted: Usage,
    pub(crate) breadcrumbs: Breadcrumbs,
    pub(crate) history: History,
}

/// A memory over a store. All verbs take `&self`; share it freely between threads.
#[derive(Debug)]
pub struct Memory<S: Store> {
    store: S,
    pub(crate) options: Options,
    running: Mutex<RunState>,
    pub(crate) attended: Mutex<Option<Attended>>,
    /// The search index, shared by all readers.
    pub(crate) index: PublishedIndex,
    pub(crate) scratch: ScratchPool,
    pub(crate) prepared_questions: PreparedQuestions,
    pub(crate) pair_opinions: PairOpinions,
    pub(crate) frames: FrameCache,
    pub(crate) shown_words: ShownWords,
}

impl<S: Store> Memory<S> {
    /// A memory over an open store.
    pub fn open(store: S, mut options: Options) -> Self {
        // A client names itself, and its name is stored with everything it does.
        options.actor = redact_with(&options.actor, options.secrets).0.into_owned();
        Self {
            store,
            options,
            running: Mutex::default(),
            attended: Mutex::default(),
            index: PublishedIndex::default(),
            scratch: ScratchPool::default(),
            prepared_questions: PreparedQuestions::default(),
            pair_opinions: PairOpinions::default(),
            frames: FrameCache::default(),
            shown_words: ShownWords::default(),
        }
    }

    /// The store underneath.
    pub fn store(&self) -> &S {
        &self.store
    }

    /// Block id of the most recent learn or remember; none before the first in this session.
    pub fn last_learned_block_id(&self) -> Option<BlockId> {
        self.running().breadcrumbs.last_learned.clone()
    }

    /// Block ids of the most recent recall; empty before the first in this session.
    pub fn last_recall_block_ids(&self) -> Vec<BlockId> {
        self.running().breadcrumbs.last_recall.clone()
    }

    /// Every block id learned or recalled in this session, in the order they came up.
    pub fn session_block_ids(&self) -> Vec<BlockId> {
        self.running().breadcrumbs.session.clone()
    }

    /// The last `last_n` operations of this process, the most recent last.
    ///
    /// USE WHEN: results surprise you and you want to know what ran. DON'T USE WHEN: you ask about other processes or
    /// earlier days; [`operations`](Self::operations) tells. COST: instant, in memory only, at most 100 are kept.
    /// RETURNS: [`OperationRecord`]s. NEXT: [`log`](Self::log) reads the journal, which survives restarts.
    pub fn history(&self, last_n: usize) -> Vec<OperationRecord> {
        let now = self.options.clock.now();
        self.running().history.last(last_n, now)
    }

    pub(crate) fn running(&self) -> MutexGuard<'_, RunState> {
        // What is guarded is advisory; a panic elsewhere does not make it wrong.
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn read<T>(&self, work: impl FnOnce(&dyn Snapshot) -> Result<T>) -> Result<T> {
        let _span = trace::read();
        self.store.read(&self.options.view, work)
    }

    /// Runs one operation that may change the memory: counts it on the clock, does the work, describes it in the
    /// journal with the sentence it answers, and notes it in the history.
    pub(crate) fn change<T: std::fmt::Display>(
        &self,
        operation: OperationKind,
        work: impl FnMut(&mut dyn Transaction, &Moment) -> Result<T>,
    ) -> Result<T> {
        self.change_in_run(operation, None, work)
    }

    /// A name for the run of several transactions that one request makes: they are undone as one.
    pub(crate) fn new_run(&self) -> String {
        format!("{:016x}", (self.options.random)())
    }

    /// Writes one transaction and its journal entry, marked as a part of `run` if there is one.
    pub(crate) fn change_in_run<T: std::fmt::Display>(
        &self,
        operation: OperationKind,
        run: Option<&str>,
        work: impl FnMut(&mut dyn Transaction, &Moment) -> Result<T>,
    ) -> Result<T> {
        self.change_as(operation, run, Trust::Owner, work)
    }

    /// Runs one operation for a speaker. If the speaker is not trusted, it changes no row of a trusted source.
    pub(crate) fn change_as<T: std::fmt::Display>(
        &self,
        operation: OperationKind,
        run: Option<&str>,
        speaker: Trust,
        mut work: impl FnMut(&mut dyn Transaction, &Moment) -> Result<T>,
    ) -> Result<T> {
        refuse_secret_name("scope", self.options.view.own().as_str(), self.options.secrets)?;
        let at = self.options.clock.now();
        let (held, idle) = {
            let running = self.running();
            (running.held.clone(), running.idle.clone())
        };
        let _span = trace::write(operation.as_str());
        let done = self.store.write(&self.options.view, |transaction| -> Result<_> {
            let mut moment = match &idle {
                Some(session) => Moment::after(transaction, at, session, &self.options)?,
                None => Moment::count(transaction, at, held.as_ref(), &self.options)?,
            };
            moment.speaker = moment.speaker.min(speaker);
            transaction.set_journal_links(JournalLinks { run: run.map(str::to_owned), undoes: None });
            let value = work(transaction, &moment)?;
            refuse_reserved(transaction, &moment, &operation)?;
            refuse_foreign_changes(transaction, &moment)?;
            let summary = redact(&value.to_string()).0.into_owned();
            transaction.describe(JournalHeader {
                at,
                active_hours: moment.hours,
                session: Some(moment.session.clone()),
                actor: self.options.actor.clone(),
                operation: operation.clone(),
                summary: summary.clone(),
            });
            Ok((value, moment.session, summary))
        });
        let (value, session, summary) =
            done.inspect_err(|error| trace::failed(operation.as_str(), error.kind().as_str()))?;
        let mut running = self.running();
        // What belongs to the end of an idle session leaves one that somebody began meanwhile alone.
        if idle.is_none() {
            if running.held.as_ref().is_some_and(|held| held.id != session) {
                // It was forgotten, and the operation began a new one.
                running.held = None;
            }
            if running.current.as_ref() != Some(&session) {
                running.current = Some(session);
                running.breadcrumbs = Breadcrumbs::default();
            }
        }
        running.history.record(operation, summary, at);
        Ok(value)
    }

    /// Does what [`change`](Self::change) would do, tells what came of it, and keeps nothing.
    pub(crate) fn rehearse<T>(&self, mut work: impl FnMut(&mut dyn Transaction, &Moment) -> Result<T>) -> Result<T> {
        /// A rehearsal ends like a failure, so that nothing of it stays.
        enum Ended<T> {
            Rehearsed(T),
            Failed(Box<Error>),
        }
        impl<T> From<elfmem_store::StoreError> for Ended<T> {
            fn from(error: elfmem_store::StoreError) -> Self {
                Self::Failed(Box::new(error.into()))
            }
        }
        let at = self.options.clock.now();
        let held = self.running().held.clone();
        let ended: std::result::Result<std::convert::Infallible, Ended<T>> =
            self.store.write(&self.options.view, |transaction| {
                let failed = |error: Error| Ended::Failed(Box::new(error));
                let moment = Moment::count(transaction, at, held.as_ref(), &self.options).map_err(failed)?;
                Err(Ended::Rehearsed(work(transaction, &moment).map_err(failed)?))
            });
        match ended {
            Err(Ended::Rehearsed(value)) => Ok(value),
            Err(Ended::Failed(error)) => Err(*error),
            Ok(never) => match never {},
        }
    }

    /// The block that a whole id or an unambiguous prefix of at least four characters leads to. The id of a block whose place
    /// another took leads to that one.
    pub fn resolve(&self, id: &str) -> Result<BlockId> {
        self.read(|snapshot| resolve(snapshot, id))
    }
}

/// How many candidates an ambiguous id shows.
const SHOWN_CANDIDATES: u32 = 5;

/// Returns the block that an id or prefix names, or the one that took its place.
pub(crate) fn resolve(snapshot: &dyn Snapshot, text: &str) -> Result<BlockId> {
    let named = resolve_exactly(snapshot, text)?;
    head_of(snapshot, named)
}

/// Resolves an id or prefix and reads the whole block.
pub(crate) fn resolve_block(snapshot: &dyn Snapshot, text: &str) -> Result<Option<Block>> {
    let read = |id: &BlockId| Ok(snapshot.get_block(id)?);
    Ok(resolve_and_read(snapshot, text, read, |block| block.superseded_by.is_none())?.map(|(_, block)| block))
}

/// Resolves an id or prefix and reads the part of the block that use changes.
pub(crate) fn resolve_learned(snapshot: &dyn Snapshot, text: &str) -> Result<Option<(BlockId, BlockState)>> {
    let read = |id: &BlockId| Ok(snapshot.get_block_state(id)?);
    resolve_and_read(snapshot, text, read, |block| block.superseded_by.is_none())
}

/// Most are named by their whole id and have no successor: those are read once.
fn resolve_and_read<T>(
    snapshot: &dyn Snapshot,
    text: &str,
    read: impl Fn(&BlockId) -> Result<Option<T>>,
    is_head: impl Fn(&T) -> bool,
) -> Result<Option<(BlockId, T)>> {
    if let Ok(id) = BlockId::parse(text)
        && let Some(block) = read(&id)?
        && is_head(&block)
    {
        return Ok(Some((id, block)));
    }
    let id = resolve(snapshot, text)?;
    Ok(read(&id)?.map(|block| (id, block)))
}

/// The very block that an id or a prefix names, whatever became of it.
pub(crate) fn resolve_exactly(snapshot: &dyn Snapshot, text: &str) -> Result<BlockId> {
    let id = BlockId::parse(text).map_err(|error| Error::BadId { id: error.text })?;
    if snapshot.block_exists(&id)? {
        return Ok(id);
    }
    if id.as_str().len() < elfmem_core::id::SHORTEST_PREFIX {
        return Err(Error::BadId { id: id.to_string() });
    }
    let mut candidates = snapshot.find_block_ids(id.as_str(), SHOWN_CANDIDATES)?;
    match candidates.len() {
        0 => match snapshot.find_tombstone(id.as_str())? {
            Some(Tombstone { block_id, purged_at, .. }) => {
                Err(CareError::Purged { id: block_id, at: purged_at }.into())
            }
            None => Err(Error::UnknownBlock { id: id.to_string() }),
        },
        1 => Ok(candidates.remove(0)),
        _ => Err(Error::AmbiguousId { id: id.to_string(), candidates }),
    }
}

/// Fails if the id of an untrusted block led to a trusted one. Verbs that change a block do not follow it there: whoever names a
/// page that a dream archived means the page, and not the owner's word that it repeated.
///
/// # Errors
/// [`CareError::LeadsToTrusted`].
pub(crate) fn refuse_untrusted_redirect(
    snapshot: &dyn Snapshot,
    trust: &TrustPolicy,
    named: &str,
    head: &BlockId,
) -> Result<()> {
    let id = resolve_exactly(snapshot, named)?;
    if id == *head {
        return Ok(());
    }
    let trusts =
        |id: &BlockId| -> Result<bool> { Ok(snapshot.get_block(id)?.is_some_and(|block| trust.trusts(&block))) };
    if trusts(head)? && !trusts(&id)? {
        return Err(CareError::LeadsToTrusted { id, to: head.clone() }.into());
    }
    Ok(())
}

/// The block that holds the place of `id` now: the end of its successors, itself when it has none. A successor that was purged
/// leads nowhere.
pub(crate) fn head_of(snapshot: &dyn Snapshot, id: BlockId) -> Result<BlockId> {
    let mut head = id;
    let mut seen = std::collections::HashSet::new();
    while seen.insert(head.clone()) {
        let next = snapshot.get_block(&head)?.and_then(|block| block.superseded_by);
        match next {
            Some(next) if snapshot.block_exists(&next)? => head = next,
            _ => break,
        }
    }
    Ok(head)
}
