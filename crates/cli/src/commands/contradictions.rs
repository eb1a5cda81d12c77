//! `contradictions`: listed with how to settle each, and settled one by one on a terminal.

use std::fmt::Write;

use elfmem_engine::render::mark_untrusted;
use elfmem_engine::{ContradictionChoice, ContradictionDetails, ListContradictions, Memory};
use elfmem_store_sqlite::SqliteStore;
use elfmem_text::phrase::one_line;
use serde_json::json;

use super::settle::{PendingDecision, settle};
use crate::args::VerbInput;
use crate::failure::Failure;
use crate::local_time::local_day;
use crate::output::Output;
use crate::spoken::as_typed;
use crate::style::{DIM, GOOD, NAME};

pub(super) fn list(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let found = memory.contradictions(input.request::<ListContradictions>()?)?;
    let texts: Vec<String> = found.iter().map(described).collect();
    let json = json!({"count": found.len(), "contradictions": found});
    if found.is_empty() {
        return Ok(Output::new("No contradictions are open.", &json));
    }
    let open = found.iter().zip(&texts).filter(|(contradiction, _)| !contradiction.resolved);
    let questions: Vec<PendingDecision<'_>> =
        open.map(|(contradiction, text)| question(contradiction, text, memory)).collect();
    settle(input, questions, Output::stored(texts.join("\n"), &json))
}

fn described(contradiction: &ContradictionDetails) -> String {
    let mut text = String::new();
    for side in [&contradiction.a, &contradiction.b] {
        let _ = writeln!(
            text,
            "{NAME}{}{NAME:#} {} {DIM}(confidence {:.2}, stored {}){DIM:#}",
            side.block_id.short(),
            mark_untrusted(&one_line(&side.content), side.trusted),
            side.confidence,
            local_day(side.created_at)
        );
    }
    let reason = contradiction.reason.as_deref().unwrap_or("no reason was given");
    let _ = writeln!(text, "    {} {DIM}({:.2}){DIM:#}", one_line(reason), contradiction.score);
    if contradiction.resolved {
        let note = contradiction.note.as_deref().unwrap_or("both hold");
        let _ = writeln!(text, "    {GOOD}settled{GOOD:#}: {}", one_line(note));
    } else {
        let (a, b) = (contradiction.a.block_id.short(), contradiction.b.block_id.short());
        let _ = writeln!(
            text,
            "    {DIM}elfmem contradictions resolve {a} {b} --keep {a}   or --keep {b}, --both \"WHY\", --replace \
             \"TEXT\"{DIM:#}"
        );
    }
    text
}

fn question<'a>(
    contradiction: &'a ContradictionDetails,
    text: &'a str,
    memory: &'a Memory<SqliteStore>,
) -> PendingDecision<'a> {
    let decide = move |letter: char| -> Result<String, Failure> {
        let choice = match letter {
            '1' => ContradictionChoice::First,
            '2' => ContradictionChoice::Second,
            _ => ContradictionChoice::Both,
        };
        Ok(as_typed(&memory.resolve_contradiction(contradiction.settled_by(choice))?.to_string()))
    };
    let choices = vec![('1', "keep the first"), ('2', "keep the second"), ('b', "both hold")];
    PendingDecision { text, choices, decide: Box::new(decide) }
}
