//! Rows of another memory come in with everything that was known about them.

use std::collections::{HashMap, HashSet};

use elfmem_core::id::{is_python_space, normalised};
use elfmem_core::provenance::{IMPORT, is_reserved};
use elfmem_core::{
    ActiveHours, Block, BlockId, BlockStatus, Category, ClockState, Confidence, DecayTier, Evidence, Session,
    SessionKind, Timestamp,
};
use elfmem_store::{BlockRow, Provenance, Row, StoreError, Transaction};
use elfmem_text::secrets::SecretsPolicy;

use super::import::{ImportOptions, REPORTED, UsableVectors};
use super::result::ImportResult;
use crate::Result;
use crate::import::{Format, Labels, RowSet};
use crate::learn::{LeftOut, MAX_CONTENT_BYTES, add_labels, checked_cues};
use crate::moment::Moment;
use crate::progress::Progress;
use crate::secrets::Screen;

pub(super) fn write(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    format: Format,
    set: &RowSet,
    usable: UsableVectors<'_>,
    secrets: SecretsPolicy,
    options: &ImportOptions,
) -> Result<ImportResult> {
    let mut result = ImportResult::new(format);
    for (reason, place) in &set.left_out {
        result.skip(reason, || place.clone());
    }
    let cleaned = cleaned(set, secrets, &mut result)?;
    let blank = transaction.is_empty()?;
    let shift = take_clock(transaction, moment, set.clock, blank)?;
    let trusted = set.trusted && options.peer.is_none();
    let mut writer = Writer {
        transaction,
        moment,
        result,
        trusted,
        blank,
        shift,
        usable,
        peer: options.peer.clone(),
        names: HashMap::new(),
        made: HashSet::new(),
    };
    let fates = writer.plan(set, &cleaned)?;
    for (at, (place, row)) in set.rows.iter().enumerate() {
        if let Row::Block(row) = row {
            if at.is_multiple_of(REPORTED) {
                options.tell(Progress::Done(at));
            }
            writer.block(place, cleaned.get(&at).unwrap_or(row), fates.get(&at))?;
        }
    }
    for (at, (place, row)) in set.rows.iter().enumerate().filter(|(_, (_, row))| row.block_id().is_none()) {
        if at.is_multiple_of(REPORTED) {
            options.tell(Progress::Done(at));
        }
        writer.other(place, row)?;
    }
    writer.note_crowded()?;
    Ok(writer.result)
}

/// The blocks of the file that held secrets, without them, by their place. They keep the name that the rest of the file calls them by.
fn cleaned(set: &RowSet, secrets: SecretsPolicy, result: &mut ImportResult) -> Result<HashMap<usize, BlockRow>> {
    let mut cleaned = HashMap::new();
    for (at, (_, row)) in set.rows.iter().enumerate() {
        let Row::Block(row) = row else { continue };
        let mut screen = Screen::new(secrets);
        let content = screen.pass(&row.block.content).into_owned();
        let cue = row.block.cue.as_deref().map(|cue| screen.pass(cue).into_owned());
        let summary = row.block.summary.as_deref().map(|summary| screen.pass(summary).into_owned());
        let found = screen.finish()?;
        if !found.is_empty() {
            result.redacted.merge(&found);
            // Its vector told of the text with them.
            let block = Block { content, cue, summary, ..row.block.clone() };
            cleaned.insert(at, BlockRow { block, vector: None, ..(**row).clone() });
        }
    }
    Ok(cleaned)
}

/// Hours of the file in hours of this memory. A memory without a block takes the file's clock over; any other goes on counting, and
/// what comes in stays as old as it was, though never older than the memory itself.
fn take_clock(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    there: Option<ActiveHours>,
    blank: bool,
) -> Result<Shift> {
    let Some(there) = there else { return Ok(Shift::Now(moment.hours)) };
    if !blank || there <= moment.hours {
        return Ok(Shift::By(moment.hours.get() - there.get()));
    }
    transaction.set_clock(ClockState { hours: there, last_activity: Some(moment.at) })?;
    // The session in which this happens did not last all that time.
    if let Some(session) =
        transaction.get_session(&moment.session)?.filter(|found| found.kind == SessionKind::Automatic)
    {
        transaction.touch_session(&Session { ended_at: Some(moment.at), ..session })?;
    }
    Ok(Shift::By(0.0))
}

/// How stamps of the file are read here.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shift {
    /// By the difference of the two clocks.
    By(f64),
    /// The file has no clock: everything is of now.
    Now(ActiveHours),
}

impl Shift {
    pub(super) fn hours(self, stamp: ActiveHours) -> ActiveHours {
        match self {
            Self::By(difference) => ActiveHours::new(stamp.get() + difference),
            Self::Now(now) => now,
        }
    }
}

/// What is to become of a block.
#[derive(Debug, Clone, PartialEq)]
enum Fate {
    /// It is new, under this name.
    Make(BlockId),
    /// It is here, under this name.
    Merge(BlockId),
    /// It is left out.
    Skip(String),
}

/// One import on its way.
pub(super) struct Writer<'a> {
    pub(super) transaction: &'a mut dyn Transaction,
    pub(super) moment: &'a Moment,
    pub(super) result: ImportResult,
    pub(super) trusted: bool,
    /// Whether the memory held no block before.
    pub(super) blank: bool,
    pub(super) shift: Shift,
    usable: UsableVectors<'a>,
    peer: Option<String>,
    /// What blocks of the file are called here.
    names: HashMap<BlockId, BlockId>,
    pub(super) made: HashSet<BlockId>,
}

impl Writer<'_> {
    /// Decides about every block before any is written, because they point at each other.
    fn plan(&mut self, set: &RowSet, cleaned: &HashMap<usize, BlockRow>) -> Result<HashMap<usize, Fate>> {
        let mut fates = HashMap::new();
        let mut claimed: HashMap<BlockId, String> = HashMap::new();
        for (at, (_, row)) in set.rows.iter().enumerate() {
            let Row::Block(row) = row else { continue };
            let (row, is_cleaned) = cleaned.get(&at).map_or((&**row, false), |cleaned| (cleaned, true));
            let fate = self.fate(&row.block, is_cleaned, &claimed)?;
            if let Fate::Make(id) | Fate::Merge(id) = &fate {
                claimed.entry(id.clone()).or_insert_with(|| normalised(&row.block.content));
                self.names.entry(row.block.id.clone()).or_insert_with(|| id.clone());
            }
            fates.insert(at, fate);
        }
        Ok(fates)
    }

    fn fate(&self, block: &Block, is_cleaned: bool, claimed: &HashMap<BlockId, String>) -> Result<Fate> {
        let content = block.content.trim_matches(is_python_space);
        if content.is_empty() {
            return Ok(Fate::Skip("there is no text".to_owned()));
        }
        if content.len() > MAX_CONTENT_BYTES {
            return Ok(Fate::Skip(format!("a block has at most {MAX_CONTENT_BYTES} bytes")));
        }
        if content.contains('\0') {
            return Ok(Fate::Skip("it holds a NUL byte, so it is not text".to_owned()));
        }
        let by_content = BlockId::for_content(content);
        let same = normalised(content);
        for id in [&block.id, &by_content] {
            if self.transaction.find_tombstone(id.as_str())?.is_some_and(|stone| stone.block_id == *id) {
                return Ok(Fate::Skip("it was purged here".to_owned()));
            }
        }
        // Ids of older databases do not follow from the text, so both names are looked at. A name that follows from a text with
        // a secret in it would tell of it.
        let mut free = None;
        for id in [&block.id, &by_content].into_iter().skip(usize::from(is_cleaned)) {
            let held = match claimed.get(id) {
                Some(text) => Some(*text == same),
                None => self.transaction.get_block(id)?.map(|known| normalised(&known.content) == same),
            };
            match held {
                Some(true) => return Ok(Fate::Merge(id.clone())),
                Some(false) => {}
                None => free = free.or(Some(id)),
            }
        }
        Ok(match free {
            Some(id) => Fate::Make(id.clone()),
            None => Fate::Skip("its id belongs to another text here".to_owned()),
        })
    }

    fn block(&mut self, place: &str, row: &BlockRow, fate: Option<&Fate>) -> Result<()> {
        match fate {
            Some(Fate::Make(id)) => self.make(place, row, id),
            Some(Fate::Merge(id)) => self.merge(place, row, id),
            Some(Fate::Skip(reason)) => {
                self.result.skip(reason, || place.to_owned());
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// The labels of a block as far as they can be used here.
    fn labelled(&mut self, place: &str, row: &BlockRow) -> Block {
        let mut block = row.block.clone();
        block.brought_by.peer = block.brought_by.peer.or_else(|| row.provenance.source_peer.clone());
        if !self.trusted {
            block.brought_by.surface = Some(IMPORT.to_owned());
            block.brought_by.peer = self.peer.clone().or(block.brought_by.peer);
        }
        // A memory of one's own comes back as it was, older blocks of peers included; recall looks at whose they are.
        let labels = Labels::of(block.tags.iter().map(|tag| tag.as_str()), self.trusted);
        for reason in &labels.dropped {
            self.result.skip(reason, || place.to_owned());
        }
        let category = block.category.as_str();
        let usable = Category::parse(category).ok().filter(|_| self.trusted || !is_reserved(category));
        if usable.is_none() {
            self.result.skip(format!("the category '{category}' cannot be used"), || place.to_owned());
        }
        let cue = checked_cues(&block.cue.iter().cloned().collect::<Vec<_>>()).unwrap_or_else(|error| {
            self.result.skip(error.message().trim_end_matches('.'), || place.to_owned());
            None
        });
        Block { tags: labels.tags, category: usable.unwrap_or_default(), cue, ..block }
    }

    fn make(&mut self, place: &str, row: &BlockRow, id: &BlockId) -> Result<()> {
        let mut block = self.labelled(place, row);
        block.id = id.clone();
        block.scope = self.transaction.scope().clone();
        block.last_reinforced_at = self.shift.hours(block.last_reinforced_at);
        block.superseded_by = block.superseded_by.map(|heir| self.names.get(&heir).cloned().unwrap_or(heir));
        // It gets one with its vector.
        block.embedding_model = None;
        if block.status != BlockStatus::Archived {
            block.archive_reason = None;
        }
        if !self.trusted {
            block.decay_lambda = DecayTier::of(&block.tags, &block.category).rate();
            // How much somebody else believes it, and that they pinned it, is theirs.
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
                self.names.remove(&row.block.id);
                self.result.skip("another scope of this memory holds it", || place.to_owned());
                return Ok(());
            }
            other => other?,
        }
        if row.provenance != Provenance::default() {
            let source_peer = block.brought_by.peer.clone();
            self.transaction.set_provenance(id, &Provenance { source_peer, ..row.provenance.clone() })?;
        }
        self.made.insert(id.clone());
        self.result.created += 1;
        let taken = match self.usable {
            Some(usable) => usable.take(&mut *self.transaction, id, row)?,
            None => false,
        };
        self.result.embedded += u64::from(taken);
        // What is active and has no vector would never get one.
        if !taken && (row.block.embedding_model.is_some() || block.status == BlockStatus::Active) {
            self.result.without_vector.push(id.clone());
        }
        Ok(())
    }

    /// What is here keeps its belief, its outcomes and its place; what the file knows beyond that is added.
    fn merge(&mut self, place: &str, row: &BlockRow, id: &BlockId) -> Result<()> {
        let known = self.transaction.get_block(id)?;
        if known.as_ref().is_some_and(|known| known.status == BlockStatus::Archived) {
            // Archived in the file as well, there is nothing to tell.
            if row.block.status == BlockStatus::Archived {
                self.result.merged += 1;
            } else {
                self.result.skip("it is archived here; restore brings it back", || place.to_owned());
            }
            return Ok(());
        }
        let new = self.labelled(place, row);
        let (trusted, used) = (self.trusted, self.shift.hours(new.last_reinforced_at));
        let mut left_out = LeftOut::default();
        let stored = self.transaction.update_block(id, &mut |block| {
            left_out = add_labels(block, &new.tags, new.cue.as_deref());
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

    /// What a block of the file is called here.
    pub(super) fn name(&self, id: &BlockId) -> BlockId {
        self.names.get(id).unwrap_or(id).clone()
    }
}
