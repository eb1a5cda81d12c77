//! Measures what the rules keep of conversations: the messages that a question needs, and as little else as possible.

use std::collections::HashSet;
use std::path::PathBuf;

use clap::Args;
use elfmem_text::conversation::{last_question, short_answer, statements_in};
use elfmem_text::document::sentences;
use serde::Serialize;

use crate::Result;
use crate::locomo::{Data, LabelledConversation};

/// The category of questions that have no answer.
const ADVERSARIAL: u32 = 5;

/// What is kept of the messages of labelled conversations
#[derive(Debug, Args)]
pub(crate) struct Messages {
    /// Conversations with questions, in the format of the LoCoMo development file
    #[arg(long)]
    data: PathBuf,
}

/// The figures of one conversation.
#[derive(Debug, Serialize)]
struct KeptShares {
    messages: usize,
    sentences: usize,
    kept_sentences: f64,
    messages_with_fact: f64,
    /// Messages that a question needs as evidence.
    evidence: usize,
    evidence_with_fact: f64,
}

/// The figures, a row for each conversation in the order of the file.
#[derive(Debug, Serialize)]
pub(crate) struct MessageReport(Vec<KeptShares>);

impl Messages {
    pub(crate) fn run(&self) -> Result<MessageReport> {
        let data = Data::read(&self.data)?;
        Ok(MessageReport(data.conversations.iter().map(kept_shares).collect()))
    }
}

fn kept_shares(conversation: &LabelledConversation) -> KeptShares {
    let asked = conversation.questions.iter().filter(|question| question.category != ADVERSARIAL);
    let evidence: HashSet<&str> = asked.flat_map(|question| &question.evidence).map(String::as_str).collect();
    let mut speakers: Vec<&str> = conversation.turns.iter().map(|turn| turn.speaker.as_str()).collect();
    speakers.sort_unstable();
    speakers.dedup();
    let (mut all, mut kept, mut told, mut needed, mut found) = (0, 0, 0, 0, 0);
    let mut before = "";
    for turn in &conversation.turns {
        all += turn.text.lines().map(|line| sentences(line).len()).sum::<usize>();
        let statements = statements_in(&turn.text, &speakers);
        let answer = last_question(before).and_then(|_| short_answer(&turn.text, &speakers));
        let facts = statements.len() + usize::from(answer.is_some_and(|answer| !statements.contains(&answer)));
        kept += facts;
        told += usize::from(facts > 0);
        if evidence.contains(turn.id.as_str()) {
            needed += 1;
            found += usize::from(facts > 0);
        }
        before = &turn.text;
    }
    let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
    KeptShares {
        messages: conversation.turns.len(),
        sentences: all,
        kept_sentences: share(kept, all),
        messages_with_fact: share(told, conversation.turns.len()),
        evidence: needed,
        evidence_with_fact: share(found, needed),
    }
}

impl MessageReport {
    pub(crate) fn print(&self, json: bool) {
        if json {
            println!("{:#}", serde_json::json!(self.0));
            return;
        }
        println!("messages  sentences  kept  with a fact  evidence  with a fact");
        for row in &self.0 {
            println!(
                "{:>8}  {:>9}  {:>4.2}  {:>11.2}  {:>8}  {:>11.3}",
                row.messages,
                row.sentences,
                row.kept_sentences,
                row.messages_with_fact,
                row.evidence,
                row.evidence_with_fact
            );
        }
    }
}
