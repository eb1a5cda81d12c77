//! What an untrusted source may do, in one place.
//!
//! The rule: what an untrusted source says is data. It is stored, found and shown, and it changes nothing
//! that a trusted source said. Verbs ask the functions here and leave out what is not allowed, with a
//! reason. At the end of every operation two checks look at the rows that were really changed, so that a
//! verb that forgets to ask fails as a whole:
//!
//! * no untrusted block has a reserved tag or category ([`refuse_reserved`]);
//! * an operation of an untrusted speaker changed no row of a trusted one ([`refuse_foreign_changes`]).

use std::collections::HashMap;

use elfmem_core::trust::{TrustPolicy, is_reserved, skeleton};
use elfmem_core::{Block, BlockId, BlockStatus, BroughtBy, Category, OperationKind, Speaker, Trust};
use elfmem_store::{ChangedLabels, ChangedRow, Entity, ProvenanceBefore, RowChange, Snapshot, Transaction};

use crate::memory::Options;
use crate::moment::Moment;
use crate::{Error, Result};

/// What a repeated text does to the stored block with the same text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repeat {
    /// It counts as a use, and its labels are added.
    Use,
    /// An untrusted source repeats an untrusted text: labels are added, and nothing counts as a use.
    Label,
    /// The owner says what so far only an untrusted source had said: the text becomes the owner's own, and
    /// nothing of the untrusted row is kept.
    TakeOver,
    /// An untrusted source repeats the owner: nothing changes.
    Ignore,
}

impl Repeat {
    pub(crate) fn of(moment: &Moment, speaker: Trust, known: &Block) -> Self {
        match (speaker, moment.trust.trust_of(known)) {
            (Trust::Owner, Trust::Owner) => Self::Use,
            (Trust::Owner, Trust::Untrusted) => Self::TakeOver,
            (Trust::Untrusted, Trust::Owner) => Self::Ignore,
            (Trust::Untrusted, Trust::Untrusted) => Self::Label,
        }
    }
}

/// Refuses a name for somebody from outside that is blank, or cannot be told from a name of the owner: whoever takes that
/// source back later would take back the owner's own blocks.
///
/// # Errors
/// [`Error::BadText`].
pub(crate) fn refuse_owner_name(what: &'static str, name: &str) -> Result<()> {
    let problem = match skeleton(name).as_str() {
        "" => "has no visible letter, so nobody could name it",
        folded if TrustPolicy::default().trusts_source(folded) => "is a name of the owner of this memory",
        _ => return Ok(()),
    };
    Err(Error::BadText { what, problem: problem.to_owned() })
}

/// Why something that an untrusted source said does not count for a block of a trusted one.
pub(crate) const NOT_HEARD: &str = "its source is trusted, and who says this is not";

/// Returns true if what somebody says about belief, labels or links counts for a block.
pub(crate) fn counts_for(moment: &Moment, speaker: Trust, target: &Block) -> bool {
    speaker == Trust::Owner || !moment.trust.trusts(target)
}

/// Returns true if somebody may join blocks by an edge: an edge to a trusted block is made by the owner alone.
pub(crate) fn may_join(moment: &Moment, speaker: Trust, blocks: &[Block]) -> bool {
    speaker == Trust::Owner || !blocks.iter().any(|block| moment.trust.trusts(block))
}

/// How a block takes the place of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Succession {
    /// The successor inherits.
    Inherit,
    /// The successor inherits nothing, because an untrusted source said the other.
    Clean,
    /// A trusted block is not replaced by an untrusted one.
    Refused,
}

impl Succession {
    pub(crate) fn of(moment: &Moment, old: &Block, new: &Block) -> Self {
        match (moment.trust.trust_of(old), moment.trust.trust_of(new)) {
            (Trust::Owner, Trust::Untrusted) => Self::Refused,
            (Trust::Untrusted, Trust::Owner) => Self::Clean,
            _ => Self::Inherit,
        }
    }
}

/// Fails if the operation gave an untrusted block a label that says who the agent is.
pub(crate) fn refuse_reserved(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    operation: &OperationKind,
) -> Result<()> {
    // An undo puts back what was trusted then. An import leaves such labels off by itself unless the memory is one's own.
    if operation.brings_back() {
        return Ok(());
    }
    for ChangedLabels { block_id, tags, category } in transaction.changed_labels()? {
        let labels = tags.iter().map(|tag| tag.as_str()).chain(category.as_ref().map(Category::as_str));
        let Some(label) = labels.into_iter().find(|label| is_reserved(label)) else { continue };
        // A later change in the same operation may have removed the label, so the current state
        // decides.
        let Some(block) = block_id.map(|id| transaction.get_block(&id)).transpose()?.flatten() else { continue };
        let still = block.tags.iter().any(|tag| is_reserved(tag.as_str())) || is_reserved(block.category.as_str());
        if still && !moment.trust.trusts(&block) {
            let (label, brought_by) = (label.to_owned(), block.brought_by.in_words());
            return Err(Error::Untrusted { id: block.id, label, source_name: block.source, brought_by });
        }
    }
    Ok(())
}

impl Options {
    /// Returns whether the program that opened the memory speaks for the owner. If it does not, the memory does none of its own
    /// upkeep for it, which changes rows of the owner: the next program that does will.
    pub(crate) fn speaker(&self) -> Trust {
        self.trust.trust_of(Speaker { source: "", brought_by: &BroughtBy::actor(&self.actor) })
    }
}

/// Fails if an operation of an untrusted speaker changed a row that is not its own.
pub(crate) fn refuse_foreign_changes(transaction: &mut dyn Transaction, moment: &Moment) -> Result<()> {
    if moment.speaker == Trust::Owner {
        return Ok(());
    }
    let rows = transaction.changed_rows()?;
    let mut ownership = Ownership { snapshot: &*transaction, moment, known: HashMap::new() };
    for row in rows {
        if !ownership.is_own(&row)? {
            return Err(Error::ForeignChange { what: row.entity.as_str(), id: row.id });
        }
    }
    Ok(())
}

/// Decides which changed rows belong to untrusted blocks alone.
struct Ownership<'a, T: Snapshot + ?Sized> {
    snapshot: &'a T,
    moment: &'a Moment,
    /// What is known of blocks by id: none if there is no such block, else whether it is trusted.
    known: HashMap<String, Option<bool>>,
}

impl<T: Snapshot + ?Sized> Ownership<'_, T> {
    fn trusted(&mut self, id: &str) -> Result<Option<bool>> {
        if let Some(known) = self.known.get(id) {
            return Ok(*known);
        }
        let block = self.snapshot.get_block(&BlockId::from_stored(id))?;
        let trusted = block.map(|block| self.moment.trust.trusts(&block));
        self.known.insert(id.to_owned(), trusted);
        Ok(trusted)
    }

    /// Returns true if an end of a row is no trusted block.
    fn is_untrusted(&mut self, id: Option<&str>) -> Result<bool> {
        Ok(match id {
            Some(id) => self.trusted(id)? != Some(true),
            None => true,
        })
    }

    /// Returns true if one of the ends is an archived block that is not trusted.
    fn has_archived_end(&mut self, first: &str, second: Option<&str>) -> Result<bool> {
        for id in std::iter::once(first).chain(second) {
            let block = self.snapshot.get_block(&BlockId::from_stored(id))?;
            let is_archived = |block: &Block| block.status == BlockStatus::Archived;
            if block.is_some_and(|block| is_archived(&block) && !self.moment.trust.trusts(&block)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns true if a changed row belongs to untrusted blocks alone, or is a harmless addition.
    fn is_own(&mut self, row: &ChangedRow) -> Result<bool> {
        let (first, second) = row.ends();
        Ok(match row.entity {
            Entity::Block => is_own_block(self.snapshot, self.moment, row)?,
            // The edges of a block go with it when it is archived, whatever is at the other end.
            Entity::Edge if matches!(row.change, RowChange::Removed(_)) && self.has_archived_end(first, second)? => {
                true
            }
            Entity::Edge => self.is_untrusted(Some(first))? && self.is_untrusted(second)?,
            // Recall never lets it suppress the trusted one of the two.
            Entity::Contradiction => self.is_untrusted(Some(first))? || self.is_untrusted(second)?,
            Entity::Outcome | Entity::Effect | Entity::Enrolment => self.is_untrusted(Some(first))?,
            Entity::Link => self.trusted(first)? == Some(false),
            Entity::Event => self.is_untrusted(second)?,
            Entity::Session | Entity::Answer => true,
            Entity::Context | Entity::Proposal => row.change == RowChange::Added,
            Entity::Frame | Entity::Setting => false,
        })
    }
}

/// Returns true if a block was untrusted before the change and is untrusted after it.
fn is_own_block(snapshot: &(impl Snapshot + ?Sized), moment: &Moment, row: &ChangedRow) -> Result<bool> {
    let now = snapshot.get_block(&BlockId::from_stored(&row.id))?;
    let before = match &row.change {
        RowChange::Added => None,
        RowChange::Updated(before) | RowChange::Removed(before) => Some(before),
    };
    if let Some(ProvenanceBefore { source, brought_by }) = before {
        let source = source.as_deref().or(now.as_ref().map(|now| now.source.as_str()));
        let unknown = BroughtBy::default();
        let brought_by = brought_by.as_ref().or(now.as_ref().map(|now| &now.brought_by)).unwrap_or(&unknown);
        // A block that is gone without a trace of its source counts as trusted.
        if source.is_none_or(|source| moment.trust.trusts(Speaker { source, brought_by })) {
            return Ok(false);
        }
    }
    Ok(now.is_none_or(|now| !moment.trust.trusts(&now)))
}
