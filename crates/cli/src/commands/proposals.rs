//! `proposals`: listed with how to settle each, and settled one by one on a terminal.

use std::fmt::Write;

use elfmem_engine::render::mark_untrusted;
use elfmem_engine::{ListProposals, Memory, ProposalDetails};
use elfmem_store::ProposalState;
use elfmem_store_sqlite::SqliteStore;
use elfmem_text::phrase::one_line;
use serde_json::json;

use super::settle::{PendingDecision, settle};
use crate::args::VerbInput;
use crate::failure::Failure;
use crate::output::Output;
use crate::spoken::as_typed;
use crate::style::{DIM, NAME, NOTE, STRONG};

pub(super) fn list(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let found = memory.proposals(input.request::<ListProposals>()?)?;
    let texts: Vec<String> = found.iter().map(described).collect();
    let json = json!({"count": found.len(), "proposals": found});
    if found.is_empty() {
        let none = "No proposals wait. A dream makes them when it finds something it should not do alone.";
        return Ok(Output::new(none, &json));
    }
    let open = found.iter().zip(&texts).filter(|(details, _)| details.proposal.state == ProposalState::Open);
    let questions: Vec<PendingDecision<'_>> = open
        .map(|(details, text)| {
            let number = details.proposal.number;
            PendingDecision {
                text,
                choices: vec![('a', "accept"), ('r', "reject")],
                decide: Box::new(move |letter: char| -> Result<String, Failure> {
                    Ok(as_typed(&match letter {
                        'a' => memory.accept_proposals([number])?.to_string(),
                        _ => memory.reject_proposals([number])?.to_string(),
                    }))
                }),
            }
        })
        .collect();
    settle(input, questions, Output::stored(texts.join("\n"), &json))
}

fn described(details: &ProposalDetails) -> String {
    let mut text = String::new();
    let proposal = &details.proposal;
    let settled = match proposal.state {
        ProposalState::Open => String::new(),
        state => format!(" {NOTE}({}){NOTE:#}", state.as_str()),
    };
    let _ =
        writeln!(text, "{NAME}{:>4}{NAME:#} {STRONG}{}{STRONG:#}{settled}", proposal.number, one_line(&details.action));
    for block in &details.blocks {
        let content = one_line(&block.content);
        let content = mark_untrusted(&content, block.trusted);
        let _ = writeln!(text, "     {NAME}{}{NAME:#} {content}", block.block_id.short());
    }
    let _ = writeln!(text, "     {DIM}{}{DIM:#}", one_line(&proposal.reason));
    if proposal.state == ProposalState::Open {
        let number = proposal.number;
        let _ =
            writeln!(text, "     {DIM}elfmem proposals accept {number}   or   elfmem proposals reject {number}{DIM:#}");
    }
    text
}
