//! Random histories: the same seed makes the same changes in every store.

use elfmem_core::event::{ContextId, EventSource};
use elfmem_core::{
    ActiveHours, ArchiveReason, Block, BlockId, BlockReplacement, BlockStatus, Category, ClockState, Confidence,
    DecayTier, DocumentPart, Edge, EdgeKey, EdgeOrigin, EdgeWeight, Evidence, LinkKey, LinkType, OutcomeRecord,
    Relation, ReplacementKind, Scope, ScopeView, Session, SessionId, SessionKind, Signal, Timestamp,
};

use super::events::{effect, enrolment, event, link};
use super::{header, tags};
use crate::{
    Context, Contradiction, JournalHeader, JournalLinks, Proposal, ProposalKind, ProposalState, Result, Store,
    StoreError, Tombstone, Transaction,
};

/// The words that random texts are made of.
pub const WORDS: [&str; 12] = [
    "deploys",
    "Tuesday",
    "running",
    "node.js",
    "edge_degree_cap",
    "shop",
    "quokka",
    "shipping",
    "naïve",
    "the",
    "42",
    "メモリ",
];

const CONTEXTS: [&str; 4] = ["skill:rust", "skill:c", "error:e0308", "project:shop"];

/// What a history named, so that it can be asked for.
#[derive(Debug, Clone, Default)]
pub struct RandomHistory {
    /// Every block that was ever added.
    pub ids: Vec<BlockId>,
    /// Every event.
    pub events: Vec<String>,
    /// Every context.
    pub contexts: Vec<ContextId>,
    /// Every link.
    pub links: Vec<LinkKey>,
    /// Every outcome.
    pub outcomes: Vec<String>,
}

/// A time some minutes after the first.
pub fn moment(minutes: i64) -> Timestamp {
    Timestamp::from_second(1_772_000_000 + minutes * 60).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// The views that histories are written and compared in.
pub fn views() -> [ScopeView; 3] {
    let other = ScopeView::only(Scope::from_stored("other"));
    [ScopeView::default(), other.clone(), other.inheriting(Scope::DEFAULT)]
}

/// Writes a history of random changes.
pub fn write(store: &impl Store, seed: u64, steps: usize) -> RandomHistory {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut history = RandomHistory::default();
    for context in CONTEXTS {
        history.contexts.push(ContextId::from_stored(context));
    }
    for step in 0..steps {
        let view = random.pick(&views()).clone();
        // An attempt may run twice, so each begins with the same numbers.
        let (start, known) = (random.clone(), history.clone());
        let written: Result<(Random, RandomHistory)> = store.write(&view, |transaction| {
            let mut writer = HistoryWriter { random: start.clone(), history: known.clone(), step: step as i64 };
            transaction.describe(writer.header());
            let run = (step % 7 == 0).then(|| "run".to_owned());
            let undoes = (step % 11 == 10).then_some(step as i64 / 2);
            transaction.set_journal_links(JournalLinks { run, undoes });
            for _ in 0..1 + writer.random.below(3) {
                writer.change(transaction)?;
            }
            Ok((writer.random, writer.history))
        });
        (random, history) = written.unwrap_or_else(|error| panic!("seed {seed}, step {step}: {error}"));
    }
    history
}

/// A generator of random numbers (xorshift).
#[derive(Debug, Clone)]
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    fn pick<'a, T>(&mut self, among: &'a [T]) -> &'a T {
        &among[self.below(among.len())]
    }

    fn word(&mut self, among: &[&'static str]) -> &'static str {
        among[self.below(among.len())]
    }

    fn unit(&mut self) -> f64 {
        self.below(1001) as f64 / 1000.0
    }

    fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }
}

struct HistoryWriter {
    random: Random,
    history: RandomHistory,
    step: i64,
}

impl HistoryWriter {
    fn header(&mut self) -> JournalHeader {
        let operation = self.random.word(&["test", "recall", "frame", "learn"]);
        let session = Some(SessionId::from_stored(self.random.word(&["s1", "s2"])));
        JournalHeader { session, active_hours: ActiveHours::new(self.step as f64), ..header(operation) }
    }

    /// Makes one random change. Rows that do not exist are left alone.
    fn change(&mut self, transaction: &mut dyn Transaction) -> Result<()> {
        let kind = self.random.below(26);
        match kind {
            0..=5 => return self.add_block(transaction),
            6 => return self.add_event(transaction),
            7 => return self.set_settings(transaction),
            _ => {}
        }
        let Some(block) = self.visible(transaction)? else { return Ok(()) };
        let other = self.visible(transaction)?.unwrap_or_else(|| block.clone());
        match kind {
            8 => self.edit_block(transaction, &block.id),
            9 => {
                let vector: Vec<f32> = (0..4).map(|_| self.random.unit() as f32 - 0.5).collect();
                transaction.set_embedding(&block.id, self.random.word(&["m1", "m1", "m0"]), &vector)
            }
            10 => transaction.reinforce_blocks(&[block.id, other.id], ActiveHours::new(self.step as f64)),
            11..=13 => self.change_edge(transaction, &block, &other),
            14 => self.change_contradiction(transaction, &block, &other),
            15 => self.change_evidence(transaction, &block.id),
            16 => self.change_proposal(transaction, &block, &other),
            17 => self.change_context(transaction, &block.id),
            18 | 19 => self.change_link(transaction, &block.id, &other.id),
            20 => self.change_status(transaction, &block, &other),
            21 => self.stage(transaction, &block, &other),
            22 => {
                let all = [block.id, other.id];
                let keys = EdgeKey::canonical(&all[0], &all[1]).into_iter().collect::<Vec<_>>();
                transaction.reinforce_edges(&keys, ActiveHours::new(self.step as f64))?;
                transaction.archive_blocks(&all[..self.random.below(2)], ArchiveReason::Decayed)
            }
            23 => {
                transaction.update_block(&other.id, &mut |found| found.superseded_by = Some(block.id.clone())).map(drop)
            }
            24 if self.random.chance(3) => transaction.delete_block(&block.id),
            25 if self.random.chance(3) => {
                let (purged_at, actor) = (moment(self.step), "test".to_owned());
                transaction.purge_block(&Tombstone { block_id: block.id, purged_at, actor })
            }
            _ => transaction.prune_weak_edges(EdgeWeight::saturating(0.05)).map(drop),
        }
    }

    /// A random block that the view sees.
    fn visible(&mut self, transaction: &dyn Transaction) -> Result<Option<Block>> {
        if self.history.ids.is_empty() {
            return Ok(None);
        }
        let id = self.random.pick(&self.history.ids).clone();
        transaction.get_block(&id)
    }

    fn text(&mut self) -> String {
        let words: Vec<&str> = (0..2 + self.random.below(4)).map(|_| self.random.word(&WORDS)).collect();
        words.join(" ")
    }

    fn add_block(&mut self, transaction: &mut dyn Transaction) -> Result<()> {
        let content = format!("{} {}", self.text(), self.history.ids.len());
        let content = if self.random.chance(5) { format!("{content}?") } else { content };
        let scope = transaction.scope().clone();
        let id = BlockId::for_content(&format!("{scope} {content}"));
        let mut block = Block::new(id.clone(), &content, self.random.word(&["cli", "mcp"]), moment(self.step / 3));
        block.scope = scope;
        block.status = *self.random.pick(&[BlockStatus::Inbox, BlockStatus::Active, BlockStatus::Active]);
        block.category = Category::from_stored(self.random.word(&["fact", "knowledge"]));
        let tag = self.random.word(&["topic/1", "topic/2", "self/constitutional"]);
        block.tags = if self.random.chance(2) { tags(&[tag]) } else { Vec::new() };
        block.cue = self.random.chance(3).then(|| self.text());
        block.event_at = self.random.chance(3).then(|| moment(self.step * 2));
        block.decay_lambda = self.random.pick(&[DecayTier::Ephemeral, DecayTier::Standard, DecayTier::Durable]).rate();
        block.last_session_id = self.random.chance(2).then(|| SessionId::from_stored("s1"));
        match transaction.insert_block(&block) {
            Ok(()) => self.history.ids.push(id),
            Err(StoreError::Duplicate { .. }) => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn edit_block(&mut self, transaction: &mut dyn Transaction, id: &BlockId) -> Result<()> {
        let (text, number) = (self.text(), self.random.unit());
        let which = self.random.below(8);
        let (document, source) = (self.random.word(&["notes.md", "plan.md"]).to_owned(), "document".to_owned());
        let part =
            DocumentPart { document, source, position: 1, headings: vec![text.clone()], verbatim: None, labels: None };
        let (kind, reason, at) = (ReplacementKind::Update, text.clone(), moment(self.step));
        let replacement = BlockReplacement { kind, reason, at, reviewed: self.random.chance(2) };
        transaction
            .update_block(id, &mut |block| match which {
                0 => block.content = format!("{text} edited"),
                1 => block.cue = Some(text.clone()),
                2 => block.confidence = Confidence::saturating(number),
                3 => block.pinned = !block.pinned,
                4 => block.summary = Some(text.clone()),
                5 => block.parts.push(part.clone()),
                6 => block.replacement = Some(replacement.clone()),
                _ => block.brought_by.peer = Some("bob".to_owned()),
            })
            .map(drop)?;
        match which {
            0 => transaction.add_tags(id, &tags(&["t", "topic/1"])).map(drop),
            1 => transaction.remove_tags(id, &tags(&["topic/1"])).map(drop),
            _ => Ok(()),
        }
    }

    fn change_edge(&mut self, transaction: &mut dyn Transaction, one: &Block, other: &Block) -> Result<()> {
        let Some(key) = EdgeKey::canonical(&one.id, &other.id) else { return Ok(()) };
        let relation = self.random.pick(&[Relation::SIMILAR, Relation::CONTRADICTS, Relation::OUTCOME]).clone();
        let origin = self.random.pick(&[EdgeOrigin::SIMILARITY, EdgeOrigin::AGENT]).clone();
        let mut edge = Edge::new(key, relation, origin, moment(self.step));
        edge.weight = EdgeWeight::saturating(self.random.unit());
        edge.note = self.random.chance(3).then(|| self.text());
        match (self.random.below(6), transaction.get_edge(&edge.key)?) {
            (0, _) => transaction.delete_edge(&edge.key).map(drop),
            (1, Some(known)) => transaction.remove_edge(&known),
            (2, Some(known)) => transaction.update_edge(&known, &edge),
            (3, _) => transaction.insert_edge(&edge).map(drop),
            _ => transaction.put_edge(&edge),
        }
    }

    fn change_contradiction(&mut self, transaction: &mut dyn Transaction, one: &Block, other: &Block) -> Result<()> {
        let at = moment(self.step);
        let Some(mut found) = Contradiction::between(&one.id, &other.id, self.random.unit(), at) else { return Ok(()) };
        found.reason = Some(self.text());
        match (self.random.below(4), transaction.get_contradiction(&found.block_a_id, &found.block_b_id)?) {
            (0, Some(known)) => transaction.delete_contradiction(&known),
            (1, Some(_)) => transaction.resolve_contradiction(&found.block_a_id, &found.block_b_id),
            (2, _) => transaction.insert_contradiction(&found).map(drop),
            _ => transaction.put_contradiction(&found),
        }
    }

    fn change_evidence(&mut self, transaction: &mut dyn Transaction, block: &BlockId) -> Result<()> {
        let outcome_id = format!("o{}", self.random.below(5));
        let sequence = transaction.get_last_evidence_sequence(block)? + 1;
        let record = OutcomeRecord {
            outcome_id: outcome_id.clone(),
            block_id: block.clone(),
            sequence,
            signal: Signal::saturating(self.random.unit()),
            weight: 1.0,
            source: "test".to_owned(),
            confidence_before: Confidence::saturating(0.5),
            confidence_after: Confidence::saturating(self.random.unit()),
            evidence_before: Evidence::new(1.0),
            created_at: moment(self.step),
            ceiling: None,
        };
        self.history.outcomes.push(outcome_id);
        if self.random.chance(4) { transaction.delete_outcome(&record) } else { transaction.put_outcome(&record) }
    }

    fn change_proposal(&mut self, transaction: &mut dyn Transaction, one: &Block, other: &Block) -> Result<()> {
        let proposal = Proposal {
            number: 0,
            kind: *self.random.pick(&[ProposalKind::Connection, ProposalKind::Stale]),
            block_id: one.id.clone(),
            other_id: (one.id != other.id).then(|| other.id.clone()),
            tag: None,
            text: self.random.chance(2).then(|| one.content.clone()),
            score: self.random.unit(),
            reason: self.text(),
            state: ProposalState::Open,
            created_at: moment(self.step),
            settled_at: None,
        };
        match transaction.find_proposal(&proposal.subject())? {
            None => transaction.insert_proposal(&proposal).map(drop),
            Some(known) if self.random.chance(4) => transaction.delete_proposal(known.number).map(drop),
            Some(known) => {
                let settled_at = Some(moment(self.step));
                transaction.update_proposal(&Proposal { state: ProposalState::Accepted, settled_at, ..known })
            }
        }
    }

    fn add_event(&mut self, transaction: &mut dyn Transaction) -> Result<()> {
        let block = self.visible(transaction)?.map(|block| block.id).filter(|_| self.random.chance(2));
        let id = format!("e{}", self.random.below(40));
        let mut told = event(&id, self.random.word(&["fact", "decision", "debug"]), block.as_ref());
        told.source = *self.random.pick(&[EventSource::User, EventSource::Assistant, EventSource::Tool]);
        told.content = self.text();
        told.context_id = self.random.chance(2).then(|| self.random.pick(&self.history.contexts).clone());
        (told.happened_at, told.recorded_at) = (moment(self.step * 2), moment(self.step / 2));
        self.history.events.push(id.clone());
        if self.random.chance(5) { transaction.delete_event(&id) } else { transaction.insert_event(&told) }.map(drop)
    }

    fn change_context(&mut self, transaction: &mut dyn Transaction, block: &BlockId) -> Result<()> {
        let id = self.random.pick(&self.history.contexts).clone();
        let created_at = moment(self.step);
        transaction.insert_context(&Context { id: id.clone(), created_at })?;
        if self.random.chance(6) {
            transaction.delete_context(&id)?;
        }
        if self.random.chance(5) {
            return transaction.delete_enrolment(block, &id).map(drop);
        }
        let mut enrolled = enrolment(block, id.as_str(), self.random.chance(2));
        enrolled.created_at = moment(self.step / 5);
        transaction.put_enrolment(&enrolled)
    }

    fn change_link(&mut self, transaction: &mut dyn Transaction, from: &BlockId, to: &BlockId) -> Result<()> {
        let target = if self.random.chance(2) { to.as_str() } else { self.random.word(&CONTEXTS) };
        let link_type = *self.random.pick(&[LinkType::Extends, LinkType::Contradicts]);
        let mut stated = link(from.as_str(), link_type, target);
        stated.note = self.random.chance(2).then(|| self.text());
        self.history.links.push(stated.key.clone());
        if self.random.chance(5) {
            return transaction.delete_link(&stated.key).map(drop);
        }
        let stated = transaction.put_link(&stated)?;
        let sequence = transaction.get_last_evidence_sequence(to)? + 1;
        let done = effect(&stated, to, sequence);
        if self.random.chance(6) { transaction.delete_effect(&done) } else { transaction.put_effect(&done) }
    }

    fn change_status(&mut self, transaction: &mut dyn Transaction, one: &Block, other: &Block) -> Result<()> {
        match self.random.below(3) {
            0 => transaction.update_block_status(&one.id, BlockStatus::Archived, Some(ArchiveReason::Forgotten)),
            1 => transaction.update_block_status(&one.id, BlockStatus::Active, None),
            _ => transaction.update_block_status(&other.id, BlockStatus::Inbox, None),
        }
        .map(drop)
    }

    fn stage(&mut self, transaction: &mut dyn Transaction, one: &Block, other: &Block) -> Result<()> {
        if let Some(key) = EdgeKey::canonical(&one.id, &other.id) {
            let session = SessionId::from_stored(self.random.word(&["s1", "s2", "s3"]));
            transaction.stage_co_retrieval(&[key.clone()], &session)?;
            if self.random.chance(4) {
                transaction.unstage_co_retrieval(&key)?;
            }
        }
        let vector = if self.random.chance(3) { Vec::new() } else { vec![self.random.unit() as f32, 0.5] };
        transaction.stage_vectors("m2", &[(one.id.clone(), vector)])?;
        if self.random.chance(8) {
            transaction.adopt_staged_vectors("m2")?;
        }
        Ok(())
    }

    fn set_settings(&mut self, transaction: &mut dyn Transaction) -> Result<()> {
        transaction.set_config("key", &self.step.to_string())?;
        let hours = ActiveHours::new(self.random.below(60) as f64);
        transaction.set_clock(ClockState { hours, last_activity: Some(moment(self.step)) })?;
        let id = SessionId::from_stored(self.random.word(&["s1", "s2", "s3"]));
        match transaction.get_session(&id)? {
            None => transaction.start_session(&Session {
                id,
                task_type: "general".to_owned(),
                kind: SessionKind::Held,
                started_at: moment(self.step / 20),
                ended_at: None,
                start_active_hours: hours,
                last_seen_at: moment(self.step),
            }),
            Some(session) if self.random.chance(4) => transaction.end_session(&session.id, moment(self.step)),
            Some(session) => transaction.touch_session(&Session { last_seen_at: moment(self.step), ..session }),
        }?;
        let Some(mut frame) = transaction.get_frame("task")? else { return Ok(()) };
        frame.token_budget = frame.token_budget.wrapping_add(1);
        transaction.upsert_frame(&frame, moment(self.step))
    }
}
