//! `blame`, `influence` and `retract`.

use std::fmt::Write;

use elfmem_engine::render::mark_untrusted;
use elfmem_engine::{Blame, Influence, LineageBlock, Memory, RetractSource};
use elfmem_store_sqlite::SqliteStore;
use elfmem_text::fence::quote;
use elfmem_text::phrase::one_line;
use elfmem_text::terms::escape_hidden;

use crate::args::VerbInput;
use crate::failure::Failure;
use crate::local_time::local;
use crate::output::Output;
use crate::spoken::as_typed;
use crate::style::{DIM, NAME};

pub(crate) fn blame(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let result = memory.blame(input.request::<Blame>()?)?;
    let mut text = format!("{}\n\n{result}\n", quote(&mark_untrusted(&escape_hidden(&result.content), result.trusted)));
    if let Some(stored) = &result.stored_by {
        let (seq, operation, actor) = (stored.seq, &stored.operation, &stored.actor);
        let _ = writeln!(text, "{DIM}stored by operation {seq} ({operation}, {actor}) at {}{DIM:#}", local(stored.at));
    }
    for rest in &result.rests_on {
        let _ = writeln!(text, "{}", line(rest));
    }
    for outcome in &result.outcomes {
        let trust = if outcome.trusted { "" } else { ", not trusted" };
        let _ = writeln!(
            text,
            "{DIM}outcome{DIM:#} {} {} by '{}'{trust}, confidence {} after it",
            outcome.outcome_id,
            outcome.signal,
            one_line(&outcome.source),
            outcome.confidence_after
        );
    }
    Ok(Output::stored(text, &result))
}

pub(crate) fn influence(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let result = memory.influence(input.request::<Influence>()?)?;
    let mut text = format!("{}\n\n{result}\n", quote(&mark_untrusted(&escape_hidden(&result.content), result.trusted)));
    for rest in &result.supports {
        let _ = writeln!(text, "{}", line(rest));
    }
    Ok(Output::stored(text, &result))
}

fn line(rest: &LineageBlock) -> String {
    let trust = if rest.trusted { "" } else { ", not trusted" };
    let (depth, how, source) = ("  ".repeat(rest.steps - 1), &rest.how, one_line(&rest.source));
    let content = one_line(&rest.content);
    let id = rest.block_id.short();
    format!("{depth}{DIM}{how}{DIM:#} {NAME}{id}{NAME:#} {content} {DIM}({source}{trust}){DIM:#}")
}

pub(crate) fn retract(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let result = memory.retract_source(input.request::<RetractSource>()?)?;
    let (mut text, mut notes) = (String::new(), String::new());
    for block in &result.retracted {
        let why = block.follows_from.as_ref().map(|id| format!(" {DIM}follows from {}{DIM:#}", id.short()));
        let content = one_line(&block.content);
        let content = mark_untrusted(&content, block.trusted);
        let _ = writeln!(text, "{NAME}{}{NAME:#} {content}{}", block.block_id.short(), why.unwrap_or_default());
    }
    for kept in &result.kept {
        let (id, other) = (kept.block_id.short(), kept.follows_from.short());
        let _ = writeln!(notes, "{DIM}kept {id}: it also follows from {other}{DIM:#}");
    }
    if !result.dry_run {
        let _ = writeln!(notes, "{DIM}Take it back with: elfmem undo{DIM:#}");
    }
    Ok(Output::stored(text, &result).between(as_typed(&result.to_string()), notes))
}
