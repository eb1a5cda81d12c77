//! `learn` and `remember`: store a text in one transaction, without a model.

mod labels;
mod request;

use crate::results::{LearnResult, LearnStatus};
use elfmem_core::{Block, BlockId, BlockStatus, BroughtBy, Category, DecayTier, OperationKind, Tag, Timestamp};
use elfmem_store::{Snapshot, Store, Transaction};
use elfmem_text::secrets::{Redactions, SecretsPolicy};
use elfmem_text::temporal::explicit_time;

use crate::echo::echo_of;
use crate::memory::Memory;
use crate::moment::Moment;
use crate::secrets::Screen;
use crate::trace;
use crate::{Error, Result};

pub(crate) use labels::{DroppedLabels, add_labels, checked_cues, checked_tags, refuse_crowded};
pub use request::{Learn, LearnDocument};
pub(crate) use request::{SecretOptions, secret_option_setters};

/// The source of a text that names none.
const DEFAULT_SOURCE: &str = "api";

/// The longest content of one block.
pub const MAX_CONTENT_BYTES: usize = 64 * 1024;

impl Learn {
    /// Checks the request without storing anything.
    ///
    /// # Errors
    /// The errors of [`Memory::learn`](crate::Memory::learn).
    pub fn check(&self) -> Result<()> {
        self.checked(SecretsPolicy::Allow).map(drop)
    }

    /// Sets where the text comes from, unless that is set.
    pub(crate) fn or_source(mut self, source: &str) -> Self {
        self.source.get_or_insert_with(|| source.to_owned());
        self
    }

    /// Checks the request. The policy decides about secrets, unless the request allows them.
    pub(crate) fn checked(&self, secrets: SecretsPolicy) -> Result<CheckedLearn> {
        let mut screen = Screen::new(if self.secrets.allow_secrets { SecretsPolicy::Allow } else { secrets });
        let content = screen.pass(&self.content);
        let content = content.trim_matches(elfmem_core::id::is_python_space);
        if content.is_empty() {
            return Err(Error::EmptyContent);
        }
        if content.len() > MAX_CONTENT_BYTES {
            return Err(Error::ContentTooLong { bytes: content.len(), limit: MAX_CONTENT_BYTES });
        }
        if content.contains('\0') {
            return Err(Error::NulInContent);
        }
        let category = Category::parse(&screen.pass(&self.labels.category))?;
        let event_at = self.event_at.or_else(|| explicit_time(content).map(|span| span.from));
        let cues = screen.pass_all(&self.cues);
        let tags = screen.pass_all(&self.labels.tags);
        let document = screen.pass_optional(self.document.as_ref());
        Ok(CheckedLearn {
            id: BlockId::for_content(content),
            cue: checked_cues(&cues)?,
            event_at,
            content: content.to_owned(),
            tags: checked_tags(&tags)?,
            category,
            source: screen.pass(self.source.as_deref().unwrap_or(DEFAULT_SOURCE)).into_owned(),
            origin: BroughtBy { document, ..BroughtBy::default() },
            redacted: screen.finish()?,
        })
    }
}

/// Something to store that can be stored.
#[derive(Debug, Clone)]
pub(crate) struct CheckedLearn {
    pub(crate) id: BlockId,
    pub(crate) content: String,
    pub(crate) tags: Vec<Tag>,
    pub(crate) category: Category,
    pub(crate) source: String,
    /// What is known of the way it came; the rest is the way of the operation that stores it.
    pub(crate) origin: BroughtBy,
    /// One a line.
    pub(crate) cue: Option<String>,
    pub(crate) event_at: Option<Timestamp>,
    /// What was taken out of it.
    pub(crate) redacted: Redactions,
}

impl CheckedLearn {
    /// By which way a block of it comes in.
    pub(crate) fn brought_by(&self, moment: &Moment) -> BroughtBy {
        let BroughtBy { surface, client, document, peer } = self.origin.clone();
        let own = &moment.who;
        let client = if surface.is_some() { client } else { client.or_else(|| own.client.clone()) };
        BroughtBy { surface: surface.or_else(|| own.surface.clone()), client, document, peer }
    }

    fn is_trusted(&self, moment: &Moment) -> bool {
        !moment.untrusted.hold(&self.source, &self.brought_by(moment))
    }
}

impl<S: Store> Memory<S> {
    /// Stores a piece of knowledge. See [`Learn`].
    ///
    /// Content that is in the inbox or active already is a duplicate: its tags are merged, and it counts as used. Learning
    /// archived content restores the block.
    ///
    /// # Errors
    /// Empty content, content over 64 KiB (use [`learn_document`](Self::learn_document)), NUL bytes, bad tags.
    pub fn learn(&self, new: impl Into<Learn>) -> Result<LearnResult> {
        let _span = trace::verb("learn");
        self.store_one(OperationKind::Learn, &new.into())
    }

    /// Stores a piece of knowledge and makes sure a session is open, so that the time around it counts.
    pub fn remember(&self, new: impl Into<Learn>) -> Result<LearnResult> {
        let _span = trace::verb("remember");
        self.store_one(OperationKind::Remember, &new.into())
    }

    /// Stores many pieces of knowledge in one transaction: all or nothing. Returns one [`LearnResult`] each, in order.
    ///
    /// # Errors
    /// The first piece that cannot be stored; then none is.
    pub fn learn_all(&self, new: &[Learn]) -> Result<Vec<LearnResult>> {
        let policy = self.options.secrets;
        let checked = new.iter().map(|new| new.checked(policy)).collect::<Result<Vec<_>>>()?;
        let stored = self.change(OperationKind::LearnAll, |transaction, moment| {
            let results: Result<_> = checked.iter().map(|new| store_unless_echo(transaction, moment, new)).collect();
            Ok(Batch(results?))
        })?;
        let mut running = self.running();
        for result in stored.0.iter().filter(|result| result.status == LearnStatus::Created) {
            running.breadcrumbs.record_learned(&result.block_id);
        }
        Ok(stored.0)
    }

    fn store_one(&self, operation: OperationKind, new: &Learn) -> Result<LearnResult> {
        let checked = new.checked(self.options.secrets)?;
        let result = self.change(operation, |transaction, moment| store_unless_echo(transaction, moment, &checked))?;
        if result.status == LearnStatus::Created {
            self.running().breadcrumbs.record_learned(&result.block_id);
        }
        Ok(result)
    }
}

/// What became of a list, in one sentence.
struct Batch(Vec<LearnResult>);

impl std::fmt::Display for Batch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let created = self.0.iter().filter(|result| result.status == LearnStatus::Created).count();
        write!(f, "Stored {} blocks: {created} created, {} duplicates.", self.0.len(), self.0.len() - created)
    }
}

/// Stores a text unless it merely repeats what was recalled in this session. Labels that come with an echo are the agent's own and
/// join those of the block; nothing counts as a use.
fn store_unless_echo(transaction: &mut dyn Transaction, moment: &Moment, new: &CheckedLearn) -> Result<LearnResult> {
    let Some(block_id) = echo_of(&*transaction, moment, new)? else { return store_block(transaction, moment, new) };
    let mut left_out = DroppedLabels::default();
    transaction.update_block(&block_id, &mut |block| left_out = new.add_labels_to(block))?;
    let warnings = left_out.warnings();
    Ok(LearnResult { block_id, status: LearnStatus::Echo, redacted: new.redacted.clone(), warnings })
}

/// Stores one checked text inside a transaction.
pub(crate) fn store_block(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    new: &CheckedLearn,
) -> Result<LearnResult> {
    let mut left_out = DroppedLabels::default();
    let status = match transaction.get_block(&new.id)? {
        None => {
            let block = new_block(new, moment, transaction);
            transaction.insert_block(&block)?;
            LearnStatus::Created
        }
        Some(known) if known.status == BlockStatus::Archived => {
            left_out = bring_back(transaction, moment, new)?;
            LearnStatus::Created
        }
        Some(_) => {
            transaction.update_block(&new.id, &mut |block| left_out = used_again(block, new, moment))?;
            LearnStatus::DuplicateRejected
        }
    };
    let warnings = left_out.warnings();
    Ok(LearnResult { block_id: new.id.clone(), status, redacted: new.redacted.clone(), warnings })
}

pub(crate) fn new_block(new: &CheckedLearn, moment: &Moment, snapshot: &(impl Snapshot + ?Sized)) -> Block {
    Block {
        category: new.category.clone(),
        decay_lambda: DecayTier::of(&new.tags, &new.category).rate(),
        last_reinforced_at: moment.hours,
        last_session_id: Some(moment.session.clone()),
        scope: snapshot.scope().clone(),
        cue: new.cue.clone(),
        event_at: new.event_at,
        brought_by: new.brought_by(moment),
        tags: new.tags.clone(),
        ..Block::new(new.id.clone(), new.content.clone(), new.source.clone(), moment.at)
    }
}

/// What is said again was worth saying: it counts as a use, and new tags come with it. Someone to be believed who says what so far only
/// an untrusted source had said stands in for it from now on; an untrusted source that repeats something is no use of it.
fn used_again(block: &mut Block, new: &CheckedLearn, moment: &Moment) -> DroppedLabels {
    if new.is_trusted(moment) {
        block.reinforcement_count = block.reinforcement_count.saturating_add(1);
        block.last_reinforced_at = block.last_reinforced_at.later_of(moment.hours);
        if moment.untrusted.distrust(block) {
            block.source.clone_from(&new.source);
            block.brought_by = new.brought_by(moment);
        }
    }
    block.event_at = block.event_at.or(new.event_at);
    new.add_labels_to(block)
}

/// Puts an archived block back into the inbox, with what it taught so far.
fn bring_back(transaction: &mut dyn Transaction, moment: &Moment, new: &CheckedLearn) -> Result<DroppedLabels> {
    let mut left_out = DroppedLabels::default();
    transaction.update_block_status(&new.id, BlockStatus::Inbox, None)?;
    transaction.update_block(&new.id, &mut |block| {
        block.tags.clear();
        left_out = new.add_labels_to(block);
        block.category = new.category.clone();
        block.source.clone_from(&new.source);
        block.brought_by = new.brought_by(moment);
        block.event_at = block.event_at.or(new.event_at);
        block.decay_lambda = DecayTier::of(&new.tags, &new.category).rate();
        block.last_reinforced_at = block.last_reinforced_at.later_of(moment.hours);
        block.last_session_id = Some(moment.session.clone());
    })?;
    Ok(left_out)
}
