//! The memory that is told of the world, with what each of its blocks asserts.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use elfmem_core::{Block, BlockId, BlockStatus, ScopeView, Timestamp};
use elfmem_engine::{Clock, Curate, Learn, ListContradictions, Memory, Options, Recall};
use elfmem_store::Store;
use elfmem_store_sqlite::SqliteStore;
use serde::Serialize;

use super::story::{TextClass, WrittenText};
use super::truth::{Assertion, Truth};
use crate::Result;
use crate::clock::SetClock;

/// The first of January 2025, eight o'clock.
const START: i64 = 1_735_718_400;
const DAY: i64 = 86_400;
/// Seconds between two texts.
const PAUSE: i64 = 60;
/// Days between two runs of curate.
const CURATE_EVERY: u32 = 7;

/// What is known about a block.
#[derive(Debug, Clone)]
pub(super) struct DiaryBlock {
    pub(super) asserts: Vec<Assertion>,
    pub(super) class: TextClass,
    pub(super) text: String,
    pub(super) language: String,
    pub(super) archived: bool,
}

/// A block that was archived although something in it still holds and its successor does not say it.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Loss {
    pub(super) class: TextClass,
    pub(super) day: u32,
    pub(super) text: String,
    pub(super) successor: String,
    pub(super) reason: String,
}

/// What became of a text that disagrees with another one.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(super) struct Disputes {
    pub(super) told: usize,
    /// Both are active, and the contradiction is recorded.
    pub(super) marked: usize,
    /// Both are active without a mark.
    pub(super) unmarked: usize,
    /// The wrong text was merged away or replaced.
    pub(super) wrong_gone: usize,
    /// No block says what is true any more.
    pub(super) truth_gone: usize,
}

/// A memory of the world.
pub(super) struct Diary {
    pub(super) memory: Memory<SqliteStore>,
    clock: Arc<SetClock>,
    pub(super) blocks: BTreeMap<BlockId, DiaryBlock>,
    pub(super) losses: Vec<Loss>,
    pub(super) faded: usize,
    pub(super) disputes: BTreeMap<TextClass, Disputes>,
    pub(super) proposals: usize,
    pub(super) dream_seconds: f64,
}

impl Diary {
    pub(super) fn new(options: Options) -> Result<Self> {
        let clock = Arc::new(SetClock::at(START));
        let options = Options { clock: Arc::clone(&clock) as Arc<dyn Clock>, ..options };
        Ok(Self {
            memory: Memory::open(SqliteStore::in_memory(Timestamp::UNIX_EPOCH)?, options),
            clock,
            blocks: BTreeMap::new(),
            losses: Vec::new(),
            faded: 0,
            disputes: BTreeMap::new(),
            proposals: 0,
            dream_seconds: 0.0,
        })
    }

    /// Stores the texts of a day, dreams, curates once a week, and compares what was archived with the truth.
    pub(super) fn write_day(&mut self, day: u32, texts: &[WrittenText], truth: &Truth) -> Result<()> {
        self.clock.set(START + i64::from(day) * DAY);
        let mut disputed = Vec::new();
        for text in texts {
            self.clock.pass(PAUSE);
            let learn = Learn::new(text.text.as_str()).source(text.source);
            let about = text.about_day.and_then(|day| Timestamp::from_second(START + i64::from(day) * DAY).ok());
            let learned = self.memory.learn(about.map_or(learn.clone(), |at| learn.event_at(at)))?;
            let trusted = text.source == "user" || text.source == "agent";
            let block = self.blocks.entry(learned.block_id.clone()).or_insert_with(|| DiaryBlock {
                asserts: Vec::new(),
                class: text.class,
                text: text.text.clone(),
                language: super::templates::name(text.language),
                archived: false,
            });
            // What is not trusted does not bring back what was archived.
            block.archived &= !trusted;
            block
                .asserts
                .extend(text.asserts.iter().filter(|new| !block.asserts.contains(new)).cloned().collect::<Vec<_>>());
            if matches!(text.class, TextClass::Rumour | TextClass::Disagreement) {
                disputed.push((learned.block_id, text));
            }
        }
        self.clock.pass(PAUSE);
        let before = std::time::Instant::now();
        let dreamed = self.memory.consolidate()?;
        self.dream_seconds += before.elapsed().as_secs_f64();
        self.proposals += dreamed.proposed;
        let reasons: HashMap<&BlockId, &str> = dreamed
            .decisions
            .iter()
            .flat_map(|decision| [Some(&decision.block_id), decision.other_id.as_ref()].map(|id| (id, decision)))
            .filter_map(|(id, decision)| Some((id?, decision.reason.as_str())))
            .collect();
        self.compare(day, truth, &reasons)?;
        self.settle(&disputed, truth)?;
        if day % CURATE_EVERY == CURATE_EVERY - 1 {
            self.memory.curate(Curate::default())?;
            self.compare(day, truth, &HashMap::new())?;
        }
        Ok(())
    }

    fn stored(&self, ids: &[BlockId]) -> Result<HashMap<BlockId, Block>> {
        let blocks = self.memory.store().read(&ScopeView::default(), |snapshot| snapshot.get_blocks(ids))?;
        Ok(blocks.into_iter().map(|block| (block.id.clone(), block)).collect())
    }

    /// Looks at the blocks that were archived since the last time.
    fn compare(&mut self, day: u32, truth: &Truth, reasons: &HashMap<&BlockId, &str>) -> Result<()> {
        let open: Vec<BlockId> =
            self.blocks.iter().filter(|(_, block)| !block.archived).map(|(id, _)| id.clone()).collect();
        let stored = self.stored(&open)?;
        let gone: Vec<&Block> = stored.values().filter(|block| block.status == BlockStatus::Archived).collect();
        for block in &gone {
            if let Some(own) = self.blocks.get_mut(&block.id) {
                own.archived = true;
            }
        }
        for block in gone {
            let Some(successor) = block.superseded_by.clone() else {
                self.faded += 1;
                continue;
            };
            let own = &self.blocks[&block.id];
            let said = self.said_by_successors(&successor)?;
            if own.asserts.iter().any(|assertion| truth.holds(assertion) && !said.contains(assertion)) {
                self.losses.push(Loss {
                    class: own.class,
                    day,
                    text: own.text.clone(),
                    successor: self.blocks.get(&successor).map_or_else(String::new, |block| block.text.clone()),
                    reason: reasons.get(&block.id).map_or_else(String::new, |reason| (*reason).to_owned()),
                });
            }
        }
        Ok(())
    }

    /// Returns what a block and those that replaced it assert, if the last of them is active.
    fn said_by_successors(&self, first: &BlockId) -> Result<HashSet<Assertion>> {
        let (mut said, mut next, mut seen) = (HashSet::new(), Some(first.clone()), HashSet::new());
        while let Some(id) = next.take() {
            if !seen.insert(id.clone()) {
                break;
            }
            let Some(block) = self.stored(std::slice::from_ref(&id))?.remove(&id) else { break };
            if block.status == BlockStatus::Archived {
                next = block.superseded_by;
            } else {
                said.extend(self.blocks.get(&id).into_iter().flat_map(|block| block.asserts.iter().cloned()));
            }
        }
        Ok(said)
    }

    /// Returns the pairs of contradicting blocks.
    pub(super) fn contradictions(&self) -> Result<HashSet<(BlockId, BlockId)>> {
        let all = self.memory.contradictions(ListContradictions::new())?;
        Ok(all
            .into_iter()
            .flat_map(|pair| {
                let (a, b) = (pair.a.block_id, pair.b.block_id);
                [(a.clone(), b.clone()), (b, a)]
            })
            .collect())
    }

    /// Returns the recorded contradictions, and those between two texts that are both true as a whole.
    pub(super) fn marks(&self, truth: &Truth) -> Result<(usize, Vec<String>)> {
        let all = self.memory.contradictions(ListContradictions::new())?;
        let holds = |block: &DiaryBlock| block.asserts.iter().all(|assertion| truth.holds(assertion));
        let told = all.iter().filter_map(|pair| {
            let (one, other) = (self.blocks.get(&pair.a.block_id)?, self.blocks.get(&pair.b.block_id)?);
            (holds(one) && holds(other))
                .then(|| format!("{} | {} ({})", one.text, other.text, pair.reason.as_deref().unwrap_or_default()))
        });
        Ok((all.len(), told.collect()))
    }

    /// Returns the active blocks that assert something.
    pub(super) fn active<'a>(
        &'a self,
        test: impl Fn(&Assertion) -> bool + 'a,
    ) -> impl Iterator<Item = (&'a BlockId, &'a DiaryBlock)> {
        self.blocks.iter().filter(move |(_, block)| !block.archived && block.asserts.iter().any(&test))
    }

    fn settle(&mut self, disputed: &[(BlockId, &WrittenText)], truth: &Truth) -> Result<()> {
        if disputed.is_empty() {
            return Ok(());
        }
        let contradictions = self.contradictions()?;
        for (id, text) in disputed {
            let Some(Assertion::Value { subject, attribute, .. }) = text.asserts.first() else { continue };
            let right = |assertion: &Assertion| assertion.is_about(*subject, attribute) && truth.holds(assertion);
            let known: Vec<BlockId> = self.active(right).map(|(id, _)| id.clone()).collect();
            let gone = self.blocks.get(id).is_none_or(|block| block.archived);
            let marked = known.iter().any(|known| contradictions.contains(&(id.clone(), known.clone())));
            let count = self.disputes.entry(text.class).or_default();
            count.told += 1;
            *match (known.is_empty(), gone, marked) {
                (true, ..) => &mut count.truth_gone,
                (_, true, _) => &mut count.wrong_gone,
                (_, _, true) => &mut count.marked,
                _ => &mut count.unmarked,
            } += 1;
        }
        Ok(())
    }

    /// Asks a question and returns what the returned blocks assert, in their order.
    pub(super) fn ask(&self, question: &str, count: usize) -> Result<Vec<(String, Vec<Assertion>)>> {
        let answer = self.memory.recall(Recall::new(question).top_k(count).preview())?;
        let asserts = |id: &BlockId| self.blocks.get(id).map(|block| block.asserts.clone()).unwrap_or_default();
        Ok(answer.blocks.iter().map(|block| (block.content.clone(), asserts(&block.id))).collect())
    }
}
