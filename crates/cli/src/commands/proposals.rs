//! `proposals`.

use std::fmt::Write;

use elfmem_engine::{ListProposals, Memory};
use elfmem_store::ProposalState;
use elfmem_store_sqlite::SqliteStore;
use serde_json::json;

use crate::args::VerbInput;
use crate::failure::Failure;
use crate::output::Output;
use crate::style::{DIM, NAME, NOTE, STRONG};

pub(super) fn list(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let found = memory.proposals(input.request::<ListProposals>()?)?;
    let mut text = String::new();
    for details in &found {
        let proposal = &details.proposal;
        let settled = match proposal.state {
            ProposalState::Open => String::new(),
            state => format!(" {NOTE}({}){NOTE:#}", state.as_str()),
        };
        let _ = writeln!(text, "{NAME}{:>4}{NAME:#} {STRONG}{}{STRONG:#}{settled}", proposal.number, details.action);
        for block in &details.blocks {
            let _ = writeln!(text, "     {NAME}{}{NAME:#} {}", block.block_id.short(), block.content);
        }
        let _ = writeln!(text, "     {DIM}{}{DIM:#}", proposal.reason);
    }
    if found.is_empty() {
        text = "No proposals wait. A dream makes them when it finds something it should not do alone.".to_owned();
    }
    Ok(Output::new(text, &json!({"count": found.len(), "proposals": found})))
}
