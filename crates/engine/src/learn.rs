//! `learn` and `remember`: store a text in one transaction, without a model.

mod labels;
mod messages;
mod near_duplicate;
mod request;

use crate::results::{LearnResult, LearnStatus, counted, one_line};
use elfmem_core::id::normalised;
use elfmem_core::{
    ArchiveReason, Block, BlockId, BlockStatus, BroughtBy, Category, DecayTier, DocumentPart, OperationKind,
    ReplacementKind, Speaker, Tag, Timestamp, Trust,
};
use elfmem_store::{Snapshot, Store, Transaction};
use elfmem_text::secrets::{Redactions, SecretsPolicy};
use elfmem_text::statements::{PairThresholds, Statement, Verdict, judge};
use elfmem_text::temporal::explicit_time;
use elfmem_text::terms::escape_hidden;

use crate::belief_updates::replay_belief_without;
use crate::documents::keep_tags;
use crate::echo::{ShownWords, echo_of};
use crate::links::{reapply_incoming_links, remove_outgoing_links};
use crate::memory::Memory;
use crate::moment::Moment;
use crate::review::note_replacement;
use crate::secrets::Screen;
use crate::supersede::{SuccessorKind, supersede};
use crate::trace;
use crate::trust::Repeat;
use crate::{Error, Result};

use near_duplicate::near_duplicate_of;

pub(crate) use labels::{DroppedLabels, add_labels, checked_cues, checked_tags, refuse_crowded};
pub use messages::ConversationMessage;
pub use request::{Learn, LearnDocument, LearnMessages};
pub(crate) use request::{SecretOptions, secret_option_setters};

/// The source of a text that names none.
pub(crate) const DEFAULT_SOURCE: &str = "api";

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
        let within_limit = |text: &str| match text.trim_matches(elfmem_core::id::is_python_space).len() {
            bytes @ ..=MAX_CONTENT_BYTES => Ok(bytes),
            bytes => Err(Error::ContentTooLong { bytes, limit: MAX_CONTENT_BYTES }),
        };
        // Before the search for secrets, which takes its time with megabytes.
        within_limit(&self.content)?;
        let content = screen.pass(&self.content);
        let content = content.trim_matches(elfmem_core::id::is_python_space);
        if content.is_empty() {
            return Err(Error::EmptyContent);
        }
        within_limit(content)?;
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
            source: visible_name(&screen.pass(self.source.as_deref().unwrap_or(DEFAULT_SOURCE))),
            origin: BroughtBy { document, ..BroughtBy::default() },
            part: None,
            redacted: screen.finish()?,
        })
    }
}

/// Returns a name in which nothing is hidden: hidden characters are written out, and white space is one space.
pub(crate) fn visible_name(name: &str) -> String {
    escape_hidden(&name.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned()
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
    /// Its place in a named document.
    pub(crate) part: Option<DocumentPart>,
    /// One a line.
    pub(crate) cue: Option<String>,
    pub(crate) event_at: Option<Timestamp>,
    /// What was taken out of it.
    pub(crate) redacted: Redactions,
}

impl CheckedLearn {
    /// By which way a block of it comes in.
    pub(crate) fn brought_by(&self, moment: &Moment) -> BroughtBy {
        self.brought_by_of(&moment.who)
    }

    fn brought_by_of(&self, own: &BroughtBy) -> BroughtBy {
        let BroughtBy { surface, client, document, peer } = self.origin.clone();
        let client = if surface.is_some() { client } else { client.or_else(|| own.client.clone()) };
        BroughtBy { surface: surface.or_else(|| own.surface.clone()), client, document, peer }
    }

    /// Returns it with the id that its text has in the scope of a snapshot.
    pub(crate) fn in_scope(&self, snapshot: &(impl Snapshot + ?Sized)) -> Result<Self> {
        Ok(Self { id: snapshot.id_of_text(&self.content)?, ..self.clone() })
    }

    /// Whether it is said by somebody who speaks for the owner.
    pub(crate) fn trust(&self, moment: &Moment) -> Trust {
        moment.trust_of(&self.source, &self.brought_by(moment))
    }
}

impl<S: Store> Memory<S> {
    /// Stores a piece of knowledge. See [`Learn`].
    ///
    /// Content that is in the inbox or active already is a duplicate: its tags are merged, and it counts as used. Learning
    /// archived content restores the block. A text that says what a stored block says in almost the same words takes its place
    /// ([`LearnStatus::NearDuplicateSuperseded`]), also if it is an earlier wording that the stored block replaced; unless
    /// [`Options::supersede_at_learn`](crate::Options) is off.
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
        let speaker = checked.iter().map(|new| self.trust_of(new)).max().unwrap_or(Trust::Owner);
        let stored = self.change_as(OperationKind::LearnAll, None, speaker, |transaction, moment| {
            let mut results = Vec::with_capacity(checked.len());
            for new in &checked {
                let new = new.in_scope(&*transaction)?;
                results.push(store_unless_echo(transaction, moment, &self.shown_words, &new, |_| Ok(None))?);
            }
            Ok(Batch(results))
        })?;
        let mut running = self.running();
        for result in stored.0.iter().filter(|result| result.status == LearnStatus::Created) {
            running.breadcrumbs.record_learned(&result.block_id);
        }
        Ok(stored.0)
    }

    /// Whether a text is said by somebody who speaks for the owner.
    pub(crate) fn trust_of(&self, new: &CheckedLearn) -> Trust {
        let brought_by = new.brought_by_of(&BroughtBy::actor(&self.options.actor));
        self.options.trust.trust_of(Speaker { source: &new.source, brought_by: &brought_by })
    }

    fn store_one(&self, operation: OperationKind, new: &Learn) -> Result<LearnResult> {
        let checked = new.checked(self.options.secrets)?;
        let supersedes = self.options.supersede_at_learn;
        let result = self.change_as(operation, None, self.trust_of(&checked), |transaction, moment| {
            let checked = checked.in_scope(&*transaction)?;
            let known = stored_block(&*transaction, &checked)?;
            let is_new = known.is_none_or(|known| known.status == BlockStatus::Archived);
            let near_duplicate = |transaction: &dyn Transaction| match supersedes && is_new {
                true => near_duplicate_of(transaction, moment, &checked),
                false => Ok(None),
            };
            store_unless_echo(transaction, moment, &self.shown_words, &checked, near_duplicate)
        })?;
        if matches!(result.status, LearnStatus::Created | LearnStatus::NearDuplicateSuperseded) {
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
        let (blocks, known) =
            (counted(self.0.len() as u64, "block"), counted((self.0.len() - created) as u64, "duplicate"));
        write!(f, "Stored {blocks}: {created} created, {known}.")
    }
}

/// Why a text that was learned took the place of a block at once.
const SAME_WORDS: &str = "almost the same words, when it was learned";

/// Stores a text unless it merely repeats what was recalled in this session. Labels that come with an echo join those of the block
/// if both come from trusted or both from untrusted sources; nothing counts as a use.
///
/// A block that `near_duplicate` returns gives way to a text that is stored. `new` has the id of its text in the scope.
fn store_unless_echo(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    shown_words: &ShownWords,
    new: &CheckedLearn,
    near_duplicate: impl FnOnce(&dyn Transaction) -> Result<Option<Block>>,
) -> Result<LearnResult> {
    let Some(block_id) = echo_of(&*transaction, moment, shown_words, new)? else {
        let old = near_duplicate(&*transaction)?;
        let stored = store_in_scope(transaction, moment, new)?;
        let Some(old) = old.filter(|_| stored.status == LearnStatus::Created) else { return Ok(stored) };
        // A wording that comes back takes the uses of its successor over, which hold its own.
        transaction.update_block(&new.id, &mut |block| block.reinforcement_count = 0)?;
        supersede(transaction, moment, &old, &new.id, SuccessorKind::SameKnowledge)?;
        note_replacement(transaction, moment, &old.id, ReplacementKind::Paraphrase, SAME_WORDS)?;
        return Ok(LearnResult { status: LearnStatus::NearDuplicateSuperseded, superseded: Some(old.id), ..stored });
    };
    stored_block(&*transaction, new)?;
    let known = transaction.get_block(&block_id)?;
    let warnings = match known.map(|known| Repeat::of(moment, new.trust(moment), &known)) {
        Some(Repeat::Use | Repeat::Label) => {
            let (mut left_out, mut added) = (DroppedLabels::default(), Vec::new());
            transaction.update_block(&block_id, &mut |block| {
                let before = block.tags.clone();
                left_out = new.add_labels_to(block, moment);
                added = block.tags.iter().filter(|tag| !before.contains(tag)).map(Tag::to_string).collect();
            })?;
            let tags = if added.len() == 1 { "tag" } else { "tags" };
            let said = (!added.is_empty()).then(|| format!("It got the {tags} {}.", added.join(", ")));
            said.into_iter().chain(left_out.warnings()).collect()
        }
        _ => new.labels_not_added(),
    };
    Ok(LearnResult { redacted: new.redacted.clone(), warnings, ..LearnResult::new(block_id, LearnStatus::Echo) })
}

/// Stores one checked text inside a transaction.
pub(crate) fn store_block(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    new: &CheckedLearn,
) -> Result<LearnResult> {
    let new = new.in_scope(&*transaction)?;
    store_in_scope(transaction, moment, &new)
}

/// Stores one checked text that has the id of its text in the scope.
fn store_in_scope(transaction: &mut dyn Transaction, moment: &Moment, new: &CheckedLearn) -> Result<LearnResult> {
    let (status, warnings) = match stored_block(&*transaction, new)? {
        None => {
            let block = new_block(new, moment, transaction);
            transaction.insert_block(&block)?;
            (LearnStatus::Created, new.cues_not_kept(moment))
        }
        Some(known) => match Repeat::of(moment, new.trust(moment), &known) {
            Repeat::Ignore => (LearnStatus::DuplicateRejected, new.ignored(&known)),
            Repeat::TakeOver => {
                let warnings = take_over(transaction, moment, new, &known)?;
                (LearnStatus::Created, warnings)
            }
            Repeat::Use | Repeat::Label if known.status == BlockStatus::Archived => {
                (LearnStatus::Created, bring_back(transaction, moment, new, &known)?.warnings())
            }
            repeat => {
                let mut left_out = DroppedLabels::default();
                let again = repeat == Repeat::Use && is_true_again(&*transaction, &known)?;
                transaction.update_block(&new.id, &mut |block| {
                    left_out = used_again(block, new, moment, repeat);
                    block.event_at = block.event_at.or(again.then_some(moment.at));
                })?;
                (LearnStatus::DuplicateRejected, left_out.warnings())
            }
        },
    };
    Ok(LearnResult { redacted: new.redacted.clone(), warnings, ..LearnResult::new(new.id.clone(), status) })
}

/// Returns the stored block with the same text.
///
/// # Errors
/// [`Error::IdCollision`] if the block with its id holds another text.
pub(crate) fn stored_block(snapshot: &(impl Snapshot + ?Sized), new: &CheckedLearn) -> Result<Option<Block>> {
    match snapshot.get_block(&new.id)? {
        Some(known) if normalised(&known.content) != normalised(&new.content) => {
            Err(Error::IdCollision { id: known.id })
        }
        known => Ok(known),
    }
}

pub(crate) fn new_block(new: &CheckedLearn, moment: &Moment, snapshot: &(impl Snapshot + ?Sized)) -> Block {
    Block {
        category: new.category.clone(),
        decay_lambda: DecayTier::of(&new.tags, &new.category).rate(),
        last_reinforced_at: moment.hours,
        last_session_id: Some(moment.session.clone()),
        scope: snapshot.scope().clone(),
        cue: new.cue_if_trusted(moment),
        event_at: new.event_at,
        brought_by: new.brought_by(moment),
        parts: new.part.iter().cloned().collect(),
        tags: new.tags.clone(),
        ..Block::new(new.id.clone(), new.content.clone(), new.source.clone(), moment.at)
    }
}

/// Waiting blocks that are read when a text is said again.
const READ_AGAIN: usize = 256;

/// Returns true if a block that waits for a dream would replace the known one, which is said again after it: what had changed
/// became true again.
fn is_true_again(snapshot: &(impl Snapshot + ?Sized), known: &Block) -> Result<bool> {
    let waiting: Vec<BlockId> =
        snapshot.get_inbox_ids()?.into_iter().filter(|id| *id != known.id).take(READ_AGAIN).collect();
    let later = snapshot.get_blocks(&waiting)?.into_iter().filter(|block| block.created_at >= known.created_at);
    let older = Statement::parse(&known.content);
    let replaces = |block: &Block| {
        let verdict = judge(&older, &Statement::parse(&block.content), 1.0, PairThresholds::BUILT_IN);
        matches!(verdict, Verdict::Supersedes { .. })
    };
    Ok(later.into_iter().any(|block| replaces(&block)))
}

/// What is said again was worth saying: it counts as a use, and new tags come with it. An untrusted source that repeats something is no
/// use of it.
fn used_again(block: &mut Block, new: &CheckedLearn, moment: &Moment, repeat: Repeat) -> DroppedLabels {
    if repeat == Repeat::Use {
        block.reinforcement_count = block.reinforcement_count.saturating_add(1);
        block.last_reinforced_at = block.last_reinforced_at.later_of(moment.hours);
    }
    block.event_at = block.event_at.or(new.event_at);
    match &new.part {
        Some(part) => put_part(block, part),
        // Said outside of documents, it stands by itself: it stays when the document goes.
        None if new.origin.document.is_none() && block.brought_by.document.is_some() => {
            block.source.clone_from(&new.source);
            block.brought_by = new.brought_by(moment);
        }
        None => {}
    }
    if new.part.is_none() {
        keep_tags(block, &new.tags);
    }
    new.add_labels_to(block, moment)
}

/// Gives a block its place in a document, instead of the one that it had there.
pub(crate) fn put_part(block: &mut Block, part: &DocumentPart) {
    match block.parts.iter_mut().find(|known| known.belongs_to(&part.document, &part.source)) {
        // A command that stores a file without reading its labels does not withdraw them.
        Some(known) => {
            *known = DocumentPart { labels: part.labels.clone().or_else(|| known.labels.take()), ..part.clone() }
        }
        None => block.parts.push(part.clone()),
    }
}

/// Makes a text of an untrusted source the owner's own, because the owner says it. The block begins anew in the wording of the owner:
/// labels, belief, edges, links and contradictions of the untrusted row do not become the owner's.
pub(crate) fn take_over(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    new: &CheckedLearn,
    known: &Block,
) -> Result<Vec<String>> {
    remove_outgoing_links(transaction, moment, &new.id)?;
    replay_belief_without(transaction, &new.id, |_| true)?;
    if known.status != BlockStatus::Archived {
        // Archiving drops edges and contradictions.
        transaction.update_block_status(&new.id, BlockStatus::Archived, Some(ArchiveReason::Superseded))?;
    }
    for settled in transaction.get_settled_contradictions(&new.id)? {
        transaction.delete_contradiction(&settled)?;
    }
    transaction.update_block_status(&new.id, BlockStatus::Inbox, None)?;
    let fresh = new_block(new, moment, &*transaction);
    transaction.update_block(&new.id, &mut |block| block.clone_from(&fresh))?;
    reapply_incoming_links(transaction, moment, &new.id)?;
    let from = known.brought_by.in_words();
    Ok(vec![format!("'{}' ({from}) had said it before; it is your own word now.", one_line(&known.source))])
}

/// Puts an archived block back into the inbox, with what it taught so far.
pub(crate) fn bring_back(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    new: &CheckedLearn,
    known: &Block,
) -> Result<DroppedLabels> {
    // What was replaced and is said again holds from now on.
    let again = (known.archive_reason == Some(ArchiveReason::Superseded)).then_some(moment.at);
    let mut left_out = DroppedLabels::default();
    transaction.update_block_status(&new.id, BlockStatus::Inbox, None)?;
    transaction.update_block(&new.id, &mut |block| {
        block.tags.clear();
        left_out = new.add_labels_to(block, moment);
        block.category = new.category.clone();
        block.source.clone_from(&new.source);
        block.brought_by = new.brought_by(moment);
        if let Some(part) = &new.part {
            put_part(block, part);
        }
        block.event_at = block.event_at.or(new.event_at).or(again);
        block.created_at = again.unwrap_or(block.created_at);
        block.decay_lambda = DecayTier::of(&new.tags, &new.category).rate();
        block.last_reinforced_at = block.last_reinforced_at.later_of(moment.hours);
        block.last_session_id = Some(moment.session.clone());
    })?;
    Ok(left_out)
}
