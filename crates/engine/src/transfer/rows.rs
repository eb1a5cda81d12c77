//! Imports the rows of another memory with all their metadata.

use std::collections::{HashMap, HashSet};

use elfmem_core::id::{is_python_space, normalised};
use elfmem_core::provenance::IMPORT;
use elfmem_core::trust::is_reserved;
use elfmem_core::{
    ActiveHours, Block, BlockId, BlockStatus, Category, ClockState, Confidence, DecayTier, Evidence, Session,
    SessionKind, Timestamp, Trust,
};
use elfmem_store::{BlockRow, ProposalKind, Provenance, Row, StoreError, Transaction};
use elfmem_text::phrase::one_line;
use elfmem_text::secrets::SecretsPolicy;

use super::import::{ImportOptions, PROGRESS_INTERVAL};
use super::peer_rows::NOT_OF_PEER;
use super::result::ImportResult;
use super::vectors::ImportableVectors;
use crate::import::{ImportFormat, ImportedTags, RowSet};
use crate::learn::{DroppedLabels, MAX_CONTENT_BYTES, add_labels, checked_cues, visible_name};
use crate::moment::Moment;
use crate::progress::Progress;
use crate::secrets::{ScreenedRow, screen_row};
use crate::trust::Repeat;
use crate::{Error, Result};

pub(super) fn import(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    format: ImportFormat,
    set: &RowSet,
    vectors: Option<&ImportableVectors>,
    secrets: SecretsPolicy,
    options: &ImportOptions,
) -> Result<ImportResult> {
    let mut result = ImportResult::new(format, &set.left_out);
    let replacements = screen_rows(set, secrets, &mut result)?;
    let was_empty = transaction.is_empty()?;
    let trusted = moment.speaker == Trust::Owner;
    let clock_offset = match trusted {
        true => import_clock(transaction, moment, set.clock, was_empty)?,
        false => ClockOffset::Now(moment.hours),
    };
    let mut importer = RowImporter {
        transaction,
        moment,
        result,
        trusted,
        was_empty,
        clock_offset,
        vectors,
        peer: options.peer.clone(),
        new_ids: HashMap::new(),
        created: HashSet::new(),
        proposed: 0,
    };
    let actions = importer.plan(set, &replacements)?;
    // A block may be merged into one that comes later in the file, so all are created first.
    for creates in [true, false] {
        for (at, (place, row)) in set.rows.iter().enumerate() {
            let Some(Row::Block(row)) = screened(at, row, &replacements) else { continue };
            let Some(action) = actions.get(&at).filter(|action| action.creates() == creates) else { continue };
            if at.is_multiple_of(PROGRESS_INTERVAL) {
                options.report(Progress::Done(at));
            }
            importer.import_block(place, row, action)?;
        }
    }
    for (at, (place, row)) in set.rows.iter().enumerate().filter(|(_, (_, row))| row.block_id().is_none()) {
        if at.is_multiple_of(PROGRESS_INTERVAL) {
            options.report(Progress::Done(at));
        }
        if let Some(row) = screened(at, row, &replacements) {
            importer.import_other(place, row)?;
        }
    }
    importer.record_blocks_over_cap()?;
    Ok(importer.result)
}

/// Returns the row to import in the place of a row of the file; none if it is skipped.
fn screened<'a>(at: usize, row: &'a Row, replacements: &'a HashMap<usize, ImportSubstitute>) -> Option<&'a Row> {
    match replacements.get(&at) {
        None => Some(row),
        Some(ImportSubstitute::Redacted(row)) => Some(row),
        Some(ImportSubstitute::Skipped) => None,
    }
}

/// A row of the file that is not imported as it is.
enum ImportSubstitute {
    /// It is imported with its secrets redacted.
    Redacted(Box<Row>),
    /// It is skipped, because a name in it contains a secret.
    Skipped,
}

/// Screens all rows for secrets and returns those that change by their index in the file. Redacted blocks keep the ids
/// that the other rows refer to.
fn screen_rows(
    set: &RowSet,
    secrets: SecretsPolicy,
    result: &mut ImportResult,
) -> Result<HashMap<usize, ImportSubstitute>> {
    let mut replacements = HashMap::new();
    for (at, (place, row)) in set.rows.iter().enumerate() {
        let (screened, found) = screen_row(row, secrets);
        let replacement = match screened {
            ScreenedRow::Unchanged => continue,
            _ if secrets == SecretsPolicy::Refuse => return Err(Error::SecretInText { found }),
            ScreenedRow::Redacted(row) => {
                result.redacted.merge(&found);
                ImportSubstitute::Redacted(row)
            }
            ScreenedRow::SecretName => {
                result.skip("a name in it contains a secret", || place.clone());
                ImportSubstitute::Skipped
            }
        };
        replacements.insert(at, replacement);
    }
    Ok(replacements)
}

/// Returns the offset from the file's activity clock to this memory's. An empty memory adopts the
/// clock of the file. Otherwise imported blocks keep their age, limited to the age of the memory.
fn import_clock(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    file_clock: Option<ActiveHours>,
    was_empty: bool,
) -> Result<ClockOffset> {
    let Some(file_clock) = file_clock else { return Ok(ClockOffset::Now(moment.hours)) };
    if !was_empty || file_clock <= moment.hours {
        return Ok(ClockOffset::By(moment.hours.get() - file_clock.get()));
    }
    transaction.set_clock(ClockState { hours: file_clock, last_activity: Some(moment.at) })?;
    // The current automatic session must not include the imported hours.
    if let Some(session) =
        transaction.get_session(&moment.session)?.filter(|found| found.kind == SessionKind::Automatic)
    {
        transaction.touch_session(&Session { ended_at: Some(moment.at), ..session })?;
    }
    Ok(ClockOffset::By(0.0))
}

/// Conversion from active hours of the file to active hours of this memory.
#[derive(Debug, Clone, Copy)]
pub(super) enum ClockOffset {
    /// Adds the difference of the two clocks.
    By(f64),
    /// Uses the current active hours, because the file has no clock.
    Now(ActiveHours),
}

impl ClockOffset {
    pub(super) fn apply(self, stamp: ActiveHours) -> ActiveHours {
        match self {
            Self::By(difference) => ActiveHours::new(stamp.get() + difference),
            Self::Now(now) => now,
        }
    }
}

/// An id that a block of the file has got, and the block's text.
struct ClaimedId {
    text: String,
    is_live: bool,
}

/// Why an archived block is skipped whose text the file also has as a live block.
const ARCHIVED_TWIN: &str = "it is archived, and the file has the same text as a live block, which is imported";

/// How to import a block.
#[derive(Debug, Clone, PartialEq)]
enum BlockAction {
    /// Create it with this id.
    Create(BlockId),
    /// Merge it into the existing block with this id.
    Merge(BlockId),
    /// Leave the existing block with this id as it is: it is not the peer's own.
    Leave(BlockId),
    /// Skip it for this reason.
    Skip(String),
}

impl BlockAction {
    fn creates(&self) -> bool {
        matches!(self, Self::Create(_))
    }
}

/// The order in which blocks of a file claim ids: of two blocks with the same text the live one is imported.
fn claim_order(status: BlockStatus) -> u8 {
    match status {
        BlockStatus::Active => 0,
        BlockStatus::Inbox => 1,
        BlockStatus::Archived => 2,
    }
}

/// The state of one import.
pub(super) struct RowImporter<'a> {
    pub(super) transaction: &'a mut dyn Transaction,
    pub(super) moment: &'a Moment,
    pub(super) result: ImportResult,
    pub(super) trusted: bool,
    /// Whether the memory had no block before.
    pub(super) was_empty: bool,
    pub(super) clock_offset: ClockOffset,
    vectors: Option<&'a ImportableVectors>,
    pub(super) peer: Option<String>,
    /// The ids of the file's blocks in this memory.
    new_ids: HashMap<BlockId, BlockId>,
    pub(super) created: HashSet<BlockId>,
    /// Number of proposals that were made instead of changes.
    pub(super) proposed: usize,
}

impl RowImporter<'_> {
    /// Decides how to import each block before writing any, because blocks refer to each other.
    fn plan(
        &mut self,
        set: &RowSet,
        replacements: &HashMap<usize, ImportSubstitute>,
    ) -> Result<HashMap<usize, BlockAction>> {
        let mut actions = HashMap::new();
        let mut claimed: HashMap<BlockId, ClaimedId> = HashMap::new();
        let mut blocks: Vec<(usize, &BlockRow, &BlockRow)> = Vec::new();
        for (at, (_, row)) in set.rows.iter().enumerate() {
            if let (Row::Block(original), Some(Row::Block(row))) = (row, screened(at, row, replacements)) {
                blocks.push((at, original, row));
            }
        }
        blocks.sort_by_key(|(_, _, row)| claim_order(row.block.status));
        for (at, original, row) in blocks {
            let is_redacted = row.block.content != original.block.content;
            let mut action = self.decide(&row.block, is_redacted, &claimed)?;
            let is_live = row.block.status != BlockStatus::Archived;
            if let BlockAction::Create(id) | BlockAction::Merge(id) | BlockAction::Leave(id) = &action {
                if !is_live && claimed.get(id).is_some_and(|claimed| claimed.is_live) {
                    self.new_ids.entry(row.block.id.clone()).or_insert_with(|| id.clone());
                    action = BlockAction::Skip(ARCHIVED_TWIN.to_owned());
                    actions.insert(at, action);
                    continue;
                }
                let text = || ClaimedId { text: normalised(&row.block.content), is_live };
                claimed.entry(id.clone()).or_insert_with(text);
                self.new_ids.entry(row.block.id.clone()).or_insert_with(|| id.clone());
            }
            actions.insert(at, action);
        }
        Ok(actions)
    }

    fn decide(&self, block: &Block, is_redacted: bool, claimed: &HashMap<BlockId, ClaimedId>) -> Result<BlockAction> {
        let content = block.content.trim_matches(is_python_space);
        if content.is_empty() {
            return Ok(BlockAction::Skip("there is no text".to_owned()));
        }
        if content.len() > MAX_CONTENT_BYTES {
            return Ok(BlockAction::Skip(format!("a block has at most {MAX_CONTENT_BYTES} bytes")));
        }
        if content.contains('\0') {
            return Ok(BlockAction::Skip("it contains a NUL byte, so it is not text".to_owned()));
        }
        if block.status == BlockStatus::Archived && !self.trusted {
            return Ok(BlockAction::Skip("it is archived in the source".to_owned()));
        }
        let by_content = self.transaction.id_of_text(content)?;
        let same = normalised(content);
        // An id that is derived from a text and not from this one would stand in the way of that text.
        let own = [BlockId::for_content(content), BlockId::for_content_in(&block.scope, content)];
        let is_foreign = block.id.is_derived() && !own.contains(&block.id) && !is_redacted;
        if is_foreign && !self.trusted {
            return Ok(BlockAction::Skip("its id does not follow from its text".to_owned()));
        }
        for id in [&block.id, &by_content] {
            if self.transaction.find_tombstone(id.as_str())?.is_some_and(|stone| stone.block_id == *id) {
                return Ok(BlockAction::Skip("it was purged here".to_owned()));
            }
        }
        // Ids of older databases are not derived from a text, so both ids are tried. The original id of
        // a redacted block is not used: it is derived from the secret. Nor is one that a peer chose.
        let content_only = is_redacted || is_foreign || !self.trusted;
        let mut free = None;
        for id in [&block.id, &by_content].into_iter().skip(usize::from(content_only)) {
            let same_text = match claimed.get(id) {
                Some(claimed) => Some(claimed.text == same),
                None => self.transaction.get_block(id)?.map(|known| normalised(&known.content) == same),
            };
            match same_text {
                Some(true) if !self.transaction.block_exists(id)? || self.may_change(id)? => {
                    return Ok(BlockAction::Merge(id.clone()));
                }
                Some(true) => return Ok(BlockAction::Leave(id.clone())),
                Some(false) => {}
                None if self.transaction.is_taken_elsewhere(id)? => {}
                None => free = free.or(Some(id)),
            }
        }
        Ok(match free {
            Some(id) => BlockAction::Create(id.clone()),
            None => BlockAction::Skip("another block has its id".to_owned()),
        })
    }

    fn import_block(&mut self, place: &str, row: &BlockRow, action: &BlockAction) -> Result<()> {
        match action {
            BlockAction::Create(id) => self.create(place, row, id),
            BlockAction::Merge(id) => self.merge(place, row, id),
            BlockAction::Leave(id) => self.leave(place, row, id),
            BlockAction::Skip(reason) => {
                self.result.skip(reason, || place.to_owned());
                Ok(())
            }
        }
    }

    /// Returns a block with its valid labels. Records a skip for each invalid or reserved one.
    fn with_valid_labels(&mut self, place: &str, row: &BlockRow) -> Block {
        let mut block = row.block.clone();
        // The verbs store names so.
        block.source = visible_name(&block.source);
        block.brought_by.peer = block.brought_by.peer.or_else(|| row.provenance.source_peer.clone());
        if self.peer.is_some() {
            block.brought_by.peer.clone_from(&self.peer);
        }
        if !self.trusted {
            block.brought_by.surface = Some(IMPORT.to_owned());
            block.brought_by.client = None;
            // A peer cannot speak in the name of the owner.
            if self.moment.trust.trusts_source(&block.source) {
                block.source = format!("{IMPORT}:{}", block.source);
            }
        }
        // A trusted memory keeps all labels, including those of blocks from peers: recall checks
        // the provenance.
        let labels = ImportedTags::parse(block.tags.iter().map(|tag| tag.as_str()), self.trusted);
        for reason in &labels.dropped {
            self.result.skip(reason, || place.to_owned());
        }
        let category = block.category.as_str();
        let usable = Category::parse(category).ok().filter(|_| self.trusted || !is_reserved(category));
        if usable.is_none() {
            self.result
                .skip(format!("the category '{}' is invalid or reserved", one_line(category)), || place.to_owned());
        }
        let cue = checked_cues(&block.cue.iter().cloned().collect::<Vec<_>>()).unwrap_or_else(|error| {
            self.result.skip(error.message().trim_end_matches('.'), || place.to_owned());
            None
        });
        Block { tags: labels.tags, category: usable.unwrap_or_default(), cue, ..block }
    }

    fn create(&mut self, place: &str, row: &BlockRow, id: &BlockId) -> Result<()> {
        let mut block = self.with_valid_labels(place, row);
        block.id = id.clone();
        block.scope = self.transaction.scope().clone();
        block.last_reinforced_at = self.clock_offset.apply(block.last_reinforced_at);
        block.superseded_by = block.superseded_by.map(|successor| self.map_id(&successor)).filter(|_| self.trusted);
        if block.status != BlockStatus::Archived {
            block.decay_lambda = DecayTier::of(&block.tags, &block.category).rate_of(block.decay_lambda);
        }
        // Other programs fill the stamp in only when they consolidate a block.
        if block.status == BlockStatus::Inbox && row.block.last_reinforced_at == ActiveHours::default() {
            block.last_reinforced_at = self.moment.hours;
        }
        // Set when the vector is stored.
        block.embedding_model = None;
        if block.status != BlockStatus::Archived {
            block.archive_reason = None;
        }
        if !self.trusted {
            // The next dream compares it with what is here.
            block.status = BlockStatus::Inbox;
            (block.summary, block.self_alignment, block.last_scored_at, block.cue) = (None, None, None, None);
            block.decay_lambda = DecayTier::of(&block.tags, &block.category).rate();
            // Confidence, evidence, use and pins of an untrusted source do not count.
            block.confidence = Confidence::saturating(block.confidence.get().min(Confidence::default().get()));
            block.outcome_evidence = Evidence::NONE;
            block.reinforcement_count = 0;
            block.pinned = false;
            let known = block.created_at > Timestamp::UNIX_EPOCH && block.created_at <= self.moment.at;
            block.created_at = if known { block.created_at } else { self.moment.at };
            block.last_session_id = Some(self.moment.session.clone());
        }
        match self.transaction.insert_block(&block) {
            Err(StoreError::Duplicate { .. }) => {
                self.new_ids.remove(&row.block.id);
                self.result.skip("another scope of this memory contains it", || place.to_owned());
                return Ok(());
            }
            other => other?,
        }
        if row.provenance != Provenance::default() {
            let source_peer = block.brought_by.peer.clone();
            let provenance = if self.trusted { row.provenance.clone() } else { Provenance::default() };
            self.transaction.set_provenance(id, &Provenance { source_peer, ..provenance })?;
        }
        self.created.insert(id.clone());
        self.result.created += 1;
        let has_vector = match self.vectors {
            Some(vectors) => vectors.store(&mut *self.transaction, id, row)?,
            None => false,
        };
        self.result.embedded += u64::from(has_vector);
        // No other operation embeds active blocks.
        if !has_vector && (row.block.embedding_model.is_some() || block.status == BlockStatus::Active) {
            self.result.without_vector.push(id.clone());
        }
        Ok(())
    }

    /// Merges a block into an existing one, which keeps its confidence, outcomes and status.
    fn merge(&mut self, place: &str, row: &BlockRow, id: &BlockId) -> Result<()> {
        let Some(known) = self.transaction.get_block(id)? else {
            self.result.skip("another scope of this memory contains it", || place.to_owned());
            return Ok(());
        };
        if known.status == BlockStatus::Archived {
            // If it is archived in the file too, there is nothing to report.
            if row.block.status == BlockStatus::Archived {
                self.result.merged += 1;
            } else {
                self.result.skip("it is archived here; restore brings it back", || place.to_owned());
            }
            return Ok(());
        }
        let new = self.with_valid_labels(place, row);
        let (trusted, used) = (self.trusted, self.clock_offset.apply(new.last_reinforced_at));
        let speaker = self.moment.trust.trust_of(&new);
        let repeat = Repeat::of(self.moment, speaker, &known);
        let mut left_out = DroppedLabels::default();
        let stored = self.transaction.update_block(id, &mut |block| {
            match repeat {
                Repeat::Ignore => return,
                // The memory that is imported said it, and an untrusted source repeated it here.
                Repeat::TakeOver => {
                    block.content.clone_from(&new.content);
                    block.source.clone_from(&new.source);
                    block.brought_by = new.brought_by.clone();
                    (block.tags, block.cue) = (Vec::new(), None);
                }
                _ => {}
            }
            let cue = new.cue.as_deref().filter(|_| trusted);
            left_out = add_labels(block, &new.tags, cue);
            block.event_at = block.event_at.or(new.event_at);
            if trusted {
                block.pinned |= new.pinned;
                block.summary = block.summary.take().or_else(|| new.summary.clone());
                block.reinforcement_count = block.reinforcement_count.max(new.reinforcement_count);
                block.last_reinforced_at = block.last_reinforced_at.later_of(used);
            }
        })?;
        for warning in left_out.warnings() {
            self.result.skip(warning.trim_end_matches('.'), || place.to_owned());
        }
        if stored.status == BlockStatus::Active && stored.embedding_model.is_none() {
            self.result.without_vector.push(id.clone());
        }
        self.result.merged += 1;
        Ok(())
    }

    /// Leaves a block as it is that is not the peer's own. The tags of the file wait as proposals.
    fn leave(&mut self, place: &str, row: &BlockRow, id: &BlockId) -> Result<()> {
        self.result.merged += 1;
        let known = self.transaction.get_block(id)?;
        let labels = ImportedTags::parse(row.block.tags.iter().map(|tag| tag.as_str()), false);
        for tag in labels.tags {
            if known.as_ref().is_some_and(|known| !known.tags.contains(&tag)) {
                self.propose(place, ProposalKind::Tag, id, None, Some(tag.as_str()))?;
            }
        }
        if row.block.cue.is_some() || row.block.event_at.is_some() {
            self.result.skip(NOT_OF_PEER, || place.to_owned());
        }
        Ok(())
    }

    /// Returns true if the import may change a block: with trust every block, else those that the same peer sent.
    pub(super) fn may_change(&self, id: &BlockId) -> Result<bool> {
        if self.trusted || self.created.contains(id) {
            return Ok(true);
        }
        let block = self.transaction.get_block(id)?;
        Ok(block.is_some_and(|block| {
            self.peer.is_some()
                && block.brought_by.peer == self.peer
                && block.brought_by.surface.as_deref() == Some(IMPORT)
                && !self.moment.trust.trusts(&block)
        }))
    }

    /// Returns the id in this memory of a block of the file.
    pub(super) fn map_id(&self, id: &BlockId) -> BlockId {
        self.new_ids.get(id).unwrap_or(id).clone()
    }
}
