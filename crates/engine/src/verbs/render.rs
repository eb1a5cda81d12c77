//! Replies that are more than a sentence. Stored text is fenced as data.

use std::fmt::Write;

use crate::care::BlockList;
use crate::operations::OperationList;
use crate::render::{MAX_CONTRADICTIONS, left_out_texts, mark_untrusted, more_contradictions, recalled_blocks};
use elfmem_core::{Frame, time};
use elfmem_store::JournalEntry;
use elfmem_text::fence::{fence_items, fence_text, safe_text};
use elfmem_text::terms::escape_hidden;

use super::reply::sentence_replies;
use super::{IntoReply, Reply};
use crate::results::{counted, one_line};
use crate::{
    BlameResult, BlockDetails, ConnectByQueryResult, ConnectResult, ConnectsResult, ConsolidateResult, ContextGraph,
    ContextListing, ContradictionDetails, CurateResult, DisconnectResult, DocumentDetails, EditResult, EnrolResult,
    ForgetDocumentResult, ForgetResult, FrameRemoved, FrameResult, FrameStored, InfluenceResult, KeepReplacedResult,
    LearnDocumentResult, LearnMessagesResult, LearnResult, LearnedFact, LeftOut, LineageBlock, LinkResult, ListedBlock,
    MigrateResult, OutcomeResult, PastOperation, PendingBlock, PinResult, ProposalDetails, ProposalsResult,
    PurgeResult, QueryAction, RecallResult, ReplacedBlock, ResolveResult, RestoreResult, RetractResult,
    RetractSourceResult, SecretsScan, SessionBegun, SessionEnded, StoreEventResult, StoreEventsResult, SupersedeResult,
    SystemStatus, TagResult, UndoResult, UnlinkResult, Verification, WhyResult,
};

/// Adds what there is to know about an answer, on a line of its own.
fn with_message(text: String, message: Option<&str>) -> String {
    let message = message.map(safe_text);
    let parts = [Some(text.as_str()).filter(|text| !text.is_empty()), message.as_deref()];
    parts.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

/// The texts that were found, fenced as data, each with the id to name it by.
impl IntoReply for RecallResult {
    fn into_reply(self) -> Reply {
        let text = with_notes(recalled_blocks(&self.blocks), &self.left_out, self.message.as_deref());
        Reply::new(text, &self)
    }
}

/// Adds what was left out and why, the texts of what is contradicted, and the message of an answer to its text.
fn with_notes(mut text: String, left_out: &[LeftOut], message: Option<&str>) -> String {
    for left in left_out {
        text = with_message(text, Some(&format!("left out: {}", left.detail)));
    }
    // Fenced already: to make it safe once more would take the fence away.
    let texts = left_out_texts(left_out);
    let text = [text, texts].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n");
    with_message(text, message)
}

impl IntoReply for FrameResult {
    fn into_reply(self) -> Reply {
        let text = with_notes(self.text.clone(), &self.left_out, self.message.as_deref());
        Reply::new(text, &self)
    }
}

impl IntoReply for ConsolidateResult {
    fn into_reply(self) -> Reply {
        let result = &self;
        let mut text = result.to_string();
        let decisions = result.decisions.iter().map(ToString::to_string);
        let contradictions = result.contradictions.iter().take(MAX_CONTRADICTIONS).map(ToString::to_string);
        let lines: Vec<String> = decisions.chain(contradictions).collect();
        if !lines.is_empty() {
            let _ = write!(text, "\n{}", fence_items(&lines));
        }
        text.push_str(&more_contradictions(result.contradictions.len()));
        Reply::new(text, result)
    }
}

impl IntoReply for LearnMessagesResult {
    fn into_reply(self) -> Reply {
        let result = &self;
        let mut text = result.to_string();
        let line =
            |fact: &LearnedFact| format!("[{}] {}", fact.block_id.short(), mark_untrusted(&fact.content, fact.trusted));
        let lines: Vec<String> = result.facts.iter().map(line).collect();
        if !lines.is_empty() {
            let _ = write!(text, "\n{}", fence_items(&lines));
        }
        Reply::new(text, result)
    }
}

impl IntoReply for Vec<PendingBlock> {
    fn into_reply(self) -> Reply {
        let blocks = &self;
        let line =
            |block: &PendingBlock| format!("{} {}", block.block_id, mark_untrusted(&block.content, block.trusted));
        Reply::fenced_list("blocks", blocks, line, "Nothing waits to be consolidated.")
    }
}

impl IntoReply for Vec<Frame> {
    fn into_reply(self) -> Reply {
        let frames = &self;
        let line =
            |frame: &Frame| format!("{} ({} tokens, template {})", frame.name, frame.token_budget, frame.template);
        Reply::list("frames", frames, line, "There are no frames.")
    }
}

impl IntoReply for ConnectsResult {
    fn into_reply(self) -> Reply {
        let result = &self;
        let mut text = result.to_string();
        for error in &result.errors {
            let _ = write!(text, "\n! {error}");
        }
        Reply::unfenced(&text, result)
    }
}

/// What was done, and both texts to check.
impl IntoReply for ConnectByQueryResult {
    fn into_reply(self) -> Reply {
        let result = &self;
        let mut text = match result.action {
            // The sentence of the seed quotes both texts, so it stands in the fence.
            QueryAction::DryRunPreview => fence_text(&result.to_string()),
            _ => result.to_string(),
        };
        let sides = [
            ("source", &result.source_id, &result.source_content, result.source_trusted, result.source_confidence),
            ("target", &result.target_id, &result.target_content, result.target_trusted, result.target_confidence),
        ];
        for (side, id, content, trusted, confidence) in sides {
            let _ = match (id, content) {
                (Some(id), Some(content)) => {
                    let content = mark_untrusted(content, trusted != Some(false)).into_owned();
                    write!(text, "\n{side} {} {confidence:.2} {}", id.short(), fence_items(&[content]))
                }
                _ => write!(text, "\n{side} nothing in the memory is about that"),
            };
        }
        Reply::new(text, result)
    }
}

impl IntoReply for Vec<ContradictionDetails> {
    fn into_reply(self) -> Reply {
        let found = &self;
        let line = |one: &ContradictionDetails| {
            let reason = one.reason.as_deref().unwrap_or("no reason was given");
            let settled = if one.resolved { " (settled)" } else { "" };
            let [a, b] = [&one.a, &one.b].map(|side| {
                format!("{} {}", side.block_id.short(), mark_untrusted(&one_line(&side.content), side.trusted))
            });
            format!("{a}\n{b}\n    {}{settled}", one_line(reason))
        };
        let shown = &found[..found.len().min(MAX_CONTRADICTIONS)];
        let Reply { text, .. } = Reply::fenced_list("contradictions", shown, line, "No contradictions are open.");
        let all = Reply::fenced_list("contradictions", found, line, "");
        Reply { text: text + &more_contradictions(found.len()), ..all }
    }
}

impl IntoReply for BlockList {
    fn into_reply(self) -> Reply {
        let Self { blocks, total } = &self;
        let line = |ListedBlock { block, trusted }: &ListedBlock| {
            format!("{} {} {}", block.id.short(), block.status.as_str(), mark_untrusted(&block.content, *trusted))
        };
        let mut reply = Reply::fenced_list("blocks", blocks, line, "No block fits.");
        reply.json["total"] = serde_json::json!(total);
        reply
    }
}

/// Names of documents are anybody's text.
impl IntoReply for Vec<DocumentDetails> {
    fn into_reply(self) -> Reply {
        let line = |one: &DocumentDetails| {
            let trust = if one.trusted { "" } else { ", not trusted" };
            let peer = one.peer.as_ref().map(|peer| format!(", peer {peer}")).unwrap_or_default();
            let (blocks, at) = (counted(one.chunks as u64, "block"), time::to_iso(one.updated_at));
            format!("{} ({blocks}, source {}{peer}{trust}, last changed {at})", escape_hidden(&one.name), one.source)
        };
        Reply::fenced_list("documents", &self, line, "No document is stored under a name.")
    }
}

impl IntoReply for Vec<ReplacedBlock> {
    fn into_reply(self) -> Reply {
        let line = |one: &ReplacedBlock| {
            let content = one_line(&one.content);
            let content = mark_untrusted(&content, one.trusted);
            let mut text = format!("{} {} {content}", one.block_id.short(), one.kind.as_str());
            if let Some(by) = &one.by {
                let content = one_line(&by.content);
                let content = mark_untrusted(&content, by.trusted);
                let _ = write!(text, "\n    replaced by {} {content}", by.block_id.short());
            }
            let _ = write!(text, "\n    {}", one_line(&one.reason));
            text
        };
        let mut reply =
            Reply::fenced_list("replaced", &self, line, "No dream replaced anything since the last review.");
        if !self.is_empty() {
            reply.text.push_str("\nkeep_replaced() if it is right, restore() the block if it is still true.");
        }
        reply
    }
}

impl IntoReply for BlockDetails {
    fn into_reply(self) -> Reply {
        let details = &self;
        let block = &details.block;
        let tags: Vec<&str> = block.tags.iter().map(elfmem_core::Tag::as_str).collect();
        // An agent that speaks for itself came by the way that it is named after.
        let brought_by = Some(block.brought_by.in_words()).filter(|words| words != block.source.as_str());
        let brought_by = brought_by.map(|words| format!(" ({words})")).unwrap_or_default();
        let mut details_line = format!(
            "id {}, {}, {}; tags: {}; confidence {}; recency {:.2}; used {}; {}; stored {} by {}{}{}",
            block.id,
            block.status.as_str(),
            block.category,
            if tags.is_empty() { "none".to_owned() } else { tags.join(", ") },
            block.confidence,
            details.recency,
            counted(u64::from(block.reinforcement_count), "time"),
            counted(details.edges.len() as u64, "edge"),
            block.created_at.strftime("%Y-%m-%d %H:%M UTC"),
            block.source,
            brought_by,
            if details.trusted { "" } else { " (not trusted)" },
        );
        if let Some(successor) = &details.leads_to {
            let _ = write!(details_line, "; replaced by {}", successor.block_id.short());
        }
        for stronger in &details.contradicted_by {
            let _ = write!(details_line, "; contradicted by {}", stronger.short());
        }
        for other in &details.contradicts {
            let _ = write!(details_line, "; contradicts {}", other.short());
        }
        let content = fence_items(&[mark_untrusted(&escape_hidden(&block.content), details.trusted).into_owned()]);
        Reply::new(format!("{content}\n{}", safe_text(&one_line(&details_line))), details)
    }
}

/// A line for each block that another hangs together with.
fn rests(rests: &[LineageBlock]) -> Vec<String> {
    let line = |rest: &LineageBlock| {
        let trust = if rest.trusted { "" } else { ", not trusted" };
        let through = rest.through.as_ref().map(|id| format!(" through {}", id.short())).unwrap_or_default();
        let (id, how, source) = (rest.block_id.short(), &rest.how, &rest.source);
        format!("{id} {how}{through}, from {source}{trust}: {}", one_line(&rest.content))
    };
    rests.iter().map(line).collect()
}

impl IntoReply for BlameResult {
    fn into_reply(self) -> Reply {
        let result = &self;
        let mut text = result.to_string();
        if let Some(stored) = &result.stored_by {
            let (seq, operation, actor) = (stored.seq, &stored.operation, &stored.actor);
            let _ = write!(text, "\nStored by operation {seq} ({operation}, {actor}) at {}.", time::to_iso(stored.at));
        }
        let content = mark_untrusted(&result.content, result.trusted);
        let mut lines = vec![format!("{} {content}", result.block_id.short())];
        lines.extend(rests(&result.rests_on));
        lines.extend(result.outcomes.iter().map(|outcome| {
            let trust = if outcome.trusted { "" } else { ", not trusted" };
            let (signal, id) = (outcome.signal, &outcome.outcome_id);
            format!(
                "outcome {id}: {signal} from '{}'{trust}, confidence {} after it",
                outcome.source, outcome.confidence_after
            )
        }));
        let _ = write!(text, "\n{}", fence_items(&lines));
        Reply::new(text, result)
    }
}

impl IntoReply for InfluenceResult {
    fn into_reply(self) -> Reply {
        let result = &self;
        let content = mark_untrusted(&result.content, result.trusted);
        let mut lines = vec![format!("{} {content}", result.block_id.short())];
        lines.extend(rests(&result.supports));
        Reply::new(format!("{result}\n{}", fence_items(&lines)), result)
    }
}

impl IntoReply for RetractSourceResult {
    fn into_reply(self) -> Reply {
        let result = &self;
        let mut text = result.to_string();
        let lines: Vec<String> = result
            .retracted
            .iter()
            .map(|block| {
                let why =
                    block.follows_from.as_ref().map(|id| format!(" (follows from {})", id.short())).unwrap_or_default();
                format!("{}{why} {}", block.block_id.short(), mark_untrusted(&block.content, block.trusted))
            })
            .collect();
        if !lines.is_empty() {
            let _ = write!(text, "\n{}", fence_items(&lines));
        }
        Reply::new(text, result)
    }
}

/// Which blocks, and what is in them; never the secrets.
impl IntoReply for SecretsScan {
    fn into_reply(self) -> Reply {
        let scan = &self;
        let mut text = scan.to_string();
        for block in &scan.blocks {
            let _ = write!(text, "\n{} {} {}", block.block_id.short(), block.status, block.found);
            if let Some(replaced) = &block.replaced_by {
                let _ = write!(text, ", now {}", replaced.short());
            }
        }
        Reply::unfenced(&text, scan)
    }
}

impl IntoReply for UndoResult {
    fn into_reply(self) -> Reply {
        let result = &self;
        let mut text = result.to_string();
        if result.dry_run {
            for effect in &result.effects {
                let _ = write!(text, "\n{effect}");
            }
        }
        Reply::unfenced(&text, result)
    }
}

impl IntoReply for Vec<ProposalDetails> {
    fn into_reply(self) -> Reply {
        let found = &self;
        let line = |details: &ProposalDetails| {
            let mut text = format!("{} {}", details.proposal.number, one_line(&details.action));
            for block in &details.blocks {
                let content = one_line(&block.content);
                let content = mark_untrusted(&content, block.trusted);
                let _ = write!(text, "\n    {} {content}", block.block_id.short());
                if !block.trusted {
                    let _ = write!(text, " (from {})", one_line(&block.source));
                }
            }
            let _ = write!(text, "\n    {}", one_line(&details.proposal.reason));
            text
        };
        Reply::fenced_list("proposals", found, line, "No proposals wait.")
    }
}

impl IntoReply for OperationList {
    fn into_reply(self) -> Reply {
        let Self { operations, total, undo_window } = &self;
        let line = |past: &PastOperation| {
            let undone = past.undone_by.map(|by| format!(" (undone by {by})")).unwrap_or_default();
            format!("{} {} {} {past}{undone}", past.seq, time::to_iso(past.at), past.actor)
        };
        let mut reply = Reply::list("operations", operations, line, "Nothing has happened yet.");
        if let Some(window) = undo_window {
            reply.text = format!("{}\n{window}", reply.text);
        }
        reply.json["total"] = serde_json::json!(total);
        reply.json["undo_window"] = serde_json::json!(undo_window);
        reply
    }
}

impl IntoReply for Vec<JournalEntry> {
    fn into_reply(self) -> Reply {
        let entries = &self;
        let line = |entry: &JournalEntry| {
            let header = &entry.header;
            format!(
                "{} {} {} {} {}",
                entry.seq,
                time::to_iso(header.at),
                header.actor,
                header.operation,
                header.summary
            )
        };
        Reply::list("operations", entries, line, "Nothing has changed yet.")
    }
}

/// A sentence, a line for each finding, and the sums.
impl IntoReply for Verification {
    fn into_reply(self) -> Reply {
        let result = &self;
        let mut text = result.to_string();
        for finding in &result.findings {
            let _ = write!(text, "\n{}", finding.problem);
        }
        if let Some(digest) = &result.digest {
            let _ = write!(
                text,
                "\nmemory {}\njournal {}\neverything {}",
                digest.memory, digest.journal, digest.everything
            );
        }
        Reply::unfenced(&text, result)
    }
}

sentence_replies!(
    ConnectResult,
    ContextGraph,
    ContextListing,
    CurateResult,
    DisconnectResult,
    EditResult,
    EnrolResult,
    ForgetDocumentResult,
    ForgetResult,
    FrameRemoved,
    FrameStored,
    KeepReplacedResult,
    LearnDocumentResult,
    LearnResult,
    LinkResult,
    MigrateResult,
    OutcomeResult,
    PinResult,
    ProposalsResult,
    PurgeResult,
    ResolveResult,
    RestoreResult,
    RetractResult,
    SessionBegun,
    SessionEnded,
    StoreEventResult,
    StoreEventsResult,
    SupersedeResult,
    SystemStatus,
    TagResult,
    UnlinkResult,
    WhyResult,
);
