//! `contradictions` and `resolve`: pairs of blocks that cannot both be true, and how they are
//! resolved.

mod request;

use std::fmt;

use elfmem_core::{Block, BlockId, BlockStatus, OperationKind, TrustPolicy};
use elfmem_store::{Contradiction, ContradictionFilter, Snapshot, Store, Transaction};
use elfmem_text::secrets::Redactions;
use serde::Serialize;

use crate::input::LONGEST_NOTE;
use crate::learn::{Learn, store_block};
use crate::memory::{Memory, resolve};
use crate::secrets::checked_remark;
use crate::supersede::{SuccessorKind, supersede};
use crate::trace;
use crate::{Error, Request, Result};

pub use request::{ListContradictions, ResolveContradiction};

/// A recorded contradiction with the text of both blocks.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ContradictionDetails {
    /// The first block.
    pub a: ContradictingBlock,
    /// The second block.
    pub b: ContradictingBlock,
    /// How certain the contradiction is.
    pub score: f64,
    /// Why the blocks contradict each other.
    pub reason: Option<String>,
    /// Whether it was resolved by keeping both.
    pub resolved: bool,
    /// The note of the resolution.
    pub note: Option<String>,
}

/// What a person who sees both sides of a contradiction can decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContradictionChoice {
    /// The first block holds.
    First,
    /// The second block holds.
    Second,
    /// Both hold.
    Both,
}

/// The note of a contradiction of which both sides hold, where nobody wrote one.
const BOTH_HOLD: &str = "Both hold.";

impl ContradictionDetails {
    /// Returns the request that settles it as decided.
    pub fn settled_by(&self, choice: ContradictionChoice) -> ResolveContradiction {
        let (a, b) = (self.a.block_id.as_str(), self.b.block_id.as_str());
        let request = ResolveContradiction::new(a, b);
        match choice {
            ContradictionChoice::First => request.keep(a),
            ContradictionChoice::Second => request.keep(b),
            ContradictionChoice::Both => request.both(BOTH_HOLD),
        }
    }
}

/// One block of a contradiction.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ContradictingBlock {
    /// The block id.
    pub block_id: BlockId,
    /// The text.
    pub content: String,
    /// The confidence.
    pub confidence: f64,
    /// When it was stored.
    pub created_at: elfmem_core::Timestamp,
    /// Whether its source speaks for the owner of the memory.
    pub trusted: bool,
}

impl ContradictingBlock {
    fn new(block: Block, trust: &TrustPolicy) -> Self {
        let (trusted, confidence) = (trust.trusts(&block), block.confidence.get());
        Self { block_id: block.id, content: block.content, confidence, created_at: block.created_at, trusted }
    }
}

/// How to resolve a contradiction.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Resolution {
    /// Keeps this block and archives the other as superseded by it.
    Keep(String),
    /// Keeps both, with a note that says why.
    KeepBoth(String),
    /// Replaces both with this text.
    Replace(String),
}

/// Result of `resolve`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ResolveResult {
    /// The action: `kept`, `kept_both` or `replaced`.
    pub action: &'static str,
    /// The blocks that were kept.
    pub kept: Vec<BlockId>,
    /// The blocks that were archived.
    pub archived: Vec<BlockId>,
    /// Number of secrets redacted from the text. Omitted from the JSON if there were none.
    #[serde(skip_serializing_if = "Redactions::is_empty")]
    pub redacted: Redactions,
}

impl fmt::Display for ResolveResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = |ids: &[BlockId]| ids.iter().map(BlockId::short).collect::<Vec<_>>().join(" and ");
        match self.action {
            "kept_both" => write!(f, "Resolved: {} both hold.", short(&self.kept))?,
            "replaced" => write!(f, "Resolved: {} replaces {}.", short(&self.kept), short(&self.archived))?,
            _ => write!(f, "Resolved: {} holds, {} is archived.", short(&self.kept), short(&self.archived))?,
        }
        self.redacted.write_suffix(f)
    }
}

impl ResolveContradiction {
    /// The resolution that is asked for; exactly one must be.
    fn resolution(&self) -> Result<Resolution> {
        match (&self.keep, &self.both, &self.replace) {
            (Some(kept), None, None) => Ok(Resolution::Keep(kept.clone())),
            (None, Some(note), None) => Ok(Resolution::KeepBoth(note.clone())),
            (None, None, Some(text)) => Ok(Resolution::Replace(text.clone())),
            _ => {
                let problem = "exactly one of 'keep', 'both' and 'replace' says how it is settled".to_owned();
                Err(Error::BadArgument { verb: Self::VERB, problem })
            }
        }
    }
}

/// Returns the pairs of blocks whose contradiction nobody has settled, the newest first.
pub(crate) fn open_pairs(snapshot: &dyn Snapshot) -> Result<Vec<(BlockId, BlockId)>> {
    let mut pairs = Vec::new();
    for found in snapshot.list_contradictions(ContradictionFilter::Open)? {
        if sides(snapshot, &found)?.is_some() {
            pairs.push((found.block_a_id, found.block_b_id));
        }
    }
    Ok(pairs)
}

impl<S: Store> Memory<S> {
    /// Contradictions with both texts and the reason: those between trusted blocks first, then those with one, and the newest
    /// first among equals; settled ones only if asked for.
    /// See [`ListContradictions`].
    pub fn contradictions(&self, request: impl Into<ListContradictions>) -> Result<Vec<ContradictionDetails>> {
        let _span = trace::verb("contradictions");
        let ListContradictions { all } = request.into();
        self.read(|snapshot| {
            let filter = if all { ContradictionFilter::All } else { ContradictionFilter::Open };
            let found = snapshot.list_contradictions(filter)?;
            let mut details: Vec<ContradictionDetails> = found
                .into_iter()
                .map(|contradiction| details(snapshot, &self.options.trust, contradiction))
                .filter_map(Result::transpose)
                .collect::<Result<_>>()?;
            // However many an untrusted text brings, those about what the owner said come first.
            details.sort_by_key(|one| [&one.a, &one.b].into_iter().filter(|side| !side.trusted).count());
            Ok(details)
        })
    }

    /// Settles a contradiction between two blocks. See [`ResolveContradiction`].
    ///
    /// # Errors
    /// [`Error::NoContradiction`] when none is on record between the two; a text that cannot be stored.
    pub fn resolve_contradiction(&self, request: impl Into<ResolveContradiction>) -> Result<ResolveResult> {
        let _span = trace::verb("resolve_contradiction");
        let request = request.into();
        let resolution = request.resolution()?;
        let ResolveContradiction { a, b, .. } = &request;
        let replacement = match &resolution {
            Resolution::Replace(text) => Some(Learn::new(text.as_str()).checked(self.options.secrets)?),
            _ => None,
        };
        let remark = match &resolution {
            Resolution::KeepBoth(note) => checked_remark("note", Some(note), LONGEST_NOTE, self.options.secrets)?,
            _ => None,
        };
        self.change(OperationKind::Resolve, |transaction, moment| {
            let (a, b) = (resolve(&*transaction, a)?, resolve(&*transaction, b)?);
            let mut contradiction = recorded_contradiction(transaction, &a, &b)?;
            match &resolution {
                Resolution::Keep(kept) => {
                    let kept = resolve(&*transaction, kept)?;
                    if kept != a && kept != b {
                        return Err(Error::NoContradiction { a: kept, b });
                    }
                    let gone = if kept == a { b } else { a };
                    let old = active(transaction, &gone)?;
                    transaction.delete_contradiction(&contradiction)?;
                    supersede(transaction, moment, &old, &kept, SuccessorKind::OtherClaim)?;
                    let redacted = Redactions::default();
                    Ok(ResolveResult { action: "kept", kept: vec![kept], archived: vec![gone], redacted })
                }
                Resolution::KeepBoth(_) => {
                    contradiction.resolved = true;
                    contradiction.note.clone_from(&remark);
                    transaction.put_contradiction(&contradiction)?;
                    let redacted = Redactions::default();
                    Ok(ResolveResult { action: "kept_both", kept: vec![a, b], archived: vec![], redacted })
                }
                Resolution::Replace(_) => {
                    let Some(new) = &replacement else { return Err(Error::EmptyContent) };
                    let stored = store_block(transaction, moment, new)?;
                    let (old_a, old_b) = (active(transaction, &a)?, active(transaction, &b)?);
                    transaction.delete_contradiction(&contradiction)?;
                    for old in [&old_a, &old_b] {
                        if old.id != stored.block_id {
                            supersede(transaction, moment, old, &stored.block_id, SuccessorKind::OtherClaim)?;
                        }
                    }
                    let archived = vec![a, b].into_iter().filter(|id| *id != stored.block_id).collect();
                    let redacted = stored.redacted;
                    Ok(ResolveResult { action: "replaced", kept: vec![stored.block_id], archived, redacted })
                }
            }
        })
    }
}

/// Returns both blocks of a contradiction, if both are there.
fn sides(snapshot: &dyn Snapshot, found: &Contradiction) -> Result<Option<[Block; 2]>> {
    let blocks = snapshot.get_blocks(&[found.block_a_id.clone(), found.block_b_id.clone()])?;
    Ok(<[Block; 2]>::try_from(blocks).ok())
}

fn details(snapshot: &dyn Snapshot, trust: &TrustPolicy, found: Contradiction) -> Result<Option<ContradictionDetails>> {
    let Some(sides) = sides(snapshot, &found)? else { return Ok(None) };
    let Contradiction { score, reason, resolved, note, .. } = found;
    let [a, b] = sides.map(|block| ContradictingBlock::new(block, trust));
    // What the owner said comes first.
    let (a, b) = if b.trusted && !a.trusted { (b, a) } else { (a, b) };
    Ok(Some(ContradictionDetails { a, b, score, reason, resolved, note }))
}

fn recorded_contradiction(transaction: &dyn Transaction, a: &BlockId, b: &BlockId) -> Result<Contradiction> {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    let missing = || Error::NoContradiction { a: a.clone(), b: b.clone() };
    transaction.get_contradiction(low, high)?.ok_or_else(missing)
}

fn active(transaction: &dyn Transaction, id: &BlockId) -> Result<Block> {
    let block = transaction.get_block(id)?.filter(|block| block.status == BlockStatus::Active);
    block.ok_or_else(|| Error::UnknownBlock { id: id.to_string() })
}
