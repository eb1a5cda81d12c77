//! `learn_messages`: the facts of a conversation, each with who said it and when.
//!
//! The analyst takes the facts out of the messages, or the rules of [`elfmem_text::conversation`] do. A speaker is a name
//! in a message and nothing more: what it says is stored as data of the source `speaker:NAME`, which never speaks for the
//! owner, whatever the name is.

use elfmem_core::{BroughtBy, Speaker, Timestamp, time};
use elfmem_models::RulesAnalyst;
use elfmem_store::Store;
use elfmem_text::conversation::{last_question, short_answer, statements_in};
use elfmem_text::phrase::{excerpt, one_line};
use elfmem_text::terms::terms;
use serde::Deserialize;
use serde_json::Value;

use super::{Learn, LearnMessages, visible_name};
use crate::catalog::ValueKind;
use crate::memory::Memory;
use crate::request::{Argument, VerbArguments};
use crate::results::{LearnMessagesResult, LearnStatus, LearnedFact};
use crate::{Error, Result, trace};

/// The class of all speakers, before the name of one.
const SPEAKER: &str = "speaker";
/// Roles of chat formats for what programs answered a model.
const NOBODY: [&str; 2] = ["tool", "function"];
/// The forms of the time of a message.
const TIMES: &str = "Give in 'at' a date (2026-05-08), a date and time (2026-05-08T13:56:00Z), English words ('yesterday', 'last week') or \
                     seconds since 1970, or leave it out.";
/// Most messages of one call.
const MAX_MESSAGES: usize = 2_000;
/// Longest message in bytes.
const MAX_MESSAGE_BYTES: usize = 64 * 1024;
/// Most characters of a speaker's name.
const MAX_NAME_CHARACTERS: usize = 64;
/// Messages that an analyst reads at a time.
const BATCH: usize = 24;
/// Share of the words of a fact that its message, or the one before it, must hold.
const MIN_GROUNDED: f64 = 0.5;

/// One message of a conversation, in the form of any chat: who, what and when.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct ConversationMessage {
    /// Who said it.
    #[serde(alias = "role", alias = "name", alias = "author", alias = "from")]
    pub speaker: String,
    /// What was said: a text, or a list of parts with texts.
    #[serde(alias = "text", alias = "message")]
    content: Value,
    /// When it was said: a date, a date and time, or seconds since 1970.
    #[serde(default, alias = "timestamp", alias = "time", alias = "date", alias = "created_at")]
    at: Value,
}

impl Argument for Vec<ConversationMessage> {
    const KIND: ValueKind = ValueKind::Objects;

    fn read(name: &str, value: &Value, arguments: &VerbArguments<'_>) -> Result<Self> {
        let numbered = value.as_array().into_iter().flatten().zip(1..);
        let message = |(message, number): (&Value, usize)| {
            ConversationMessage::deserialize(message)
                .map_err(|error| arguments.error(format!("message {number} of '{name}' cannot be used: {error}")))
        };
        numbered.map(message).collect()
    }
}

impl ConversationMessage {
    /// Makes a message.
    pub fn new(speaker: impl Into<String>, content: impl Into<String>) -> Self {
        Self { speaker: speaker.into(), content: Value::String(content.into()), at: Value::Null }
    }

    /// Sets when it was said.
    #[must_use]
    pub fn at(mut self, at: Timestamp) -> Self {
        self.at = Value::String(time::to_iso(at));
        self
    }

    fn checked(&self, number: usize, now: Timestamp) -> Result<CheckedMessage> {
        let bad = |problem: String, recovery| Error::BadMessage { number, problem, recovery };
        let speaker = excerpt(&visible_name(&self.speaker), MAX_NAME_CHARACTERS);
        if speaker.is_empty() {
            return Err(bad("has no speaker".to_owned(), "Say in 'speaker' who said it."));
        }
        let text = text_of(&self.content);
        if text.len() > MAX_MESSAGE_BYTES {
            let problem = format!("has {} bytes; the maximum is {MAX_MESSAGE_BYTES}", text.len());
            return Err(bad(problem, "Store a long text with learn_document()."));
        }
        let at = match &self.at {
            Value::Null => None,
            Value::Number(seconds) => seconds.as_f64().and_then(|seconds| Timestamp::from_second(seconds as i64).ok()),
            Value::String(text) => elfmem_text::temporal::parse_instant(text, now),
            _ => None,
        };
        if at.is_none() && !self.at.is_null() {
            return Err(bad(format!("was said at a time that cannot be read: {:.60}", self.at), TIMES));
        }
        let text = if NOBODY.iter().any(|role| speaker.eq_ignore_ascii_case(role)) { String::new() } else { text };
        Ok(CheckedMessage { speaker, text, at })
    }
}

/// The text of a message: itself, or the texts of its parts.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let text = |part: &Value| part.as_str().or_else(|| part["text"].as_str()).map(str::to_owned);
            parts.iter().filter_map(text).collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

/// A validated message.
struct CheckedMessage {
    speaker: String,
    text: String,
    at: Option<Timestamp>,
}

impl CheckedMessage {
    fn line(&self) -> String {
        format!("{}: {}", self.speaker, self.text.trim())
    }
}

/// A fact and the index of its message.
type MessageFact = (usize, String);

impl<S: Store> Memory<S> {
    /// Stores what is worth remembering of a conversation, one block a fact, all or nothing. See [`LearnMessages`].
    ///
    /// An analyst that fails is replaced by the rules, and a warning says so.
    ///
    /// # Errors
    /// A message without a speaker, of more than 64 KiB, or with a time that cannot be read; more than 2,000 messages.
    pub fn learn_messages(&self, request: impl Into<LearnMessages>) -> Result<LearnMessagesResult> {
        let _span = trace::verb("learn_messages");
        let request = request.into();
        if request.messages.len() > MAX_MESSAGES {
            let problem = format!("has {} messages; the maximum is {MAX_MESSAGES}", request.messages.len());
            return Err(Error::BadText { what: "conversation", problem });
        }
        let now = self.options.clock.now();
        let numbered = request.messages.iter().zip(1..);
        let messages = numbered.map(|(message, number)| message.checked(number, now)).collect::<Result<Vec<_>>>()?;
        let mut warnings = Vec::new();
        let facts = self.facts_of(&messages, &mut warnings);
        let learn = |(at, fact): &MessageFact| {
            let CheckedMessage { speaker, at, .. } = &messages[*at];
            let mut learn = Learn::new(fact.as_str()).source(format!("{SPEAKER}:{speaker}"));
            learn.event_at = *at;
            learn.labels = request.labels.clone();
            learn.secrets = request.secrets.clone();
            learn
        };
        let learned: Vec<Learn> = facts.iter().map(learn).collect();
        let stored = if learned.is_empty() { Vec::new() } else { self.learn_all(&learned)? };
        let told: std::collections::HashSet<usize> = facts.iter().map(|(at, _)| *at).collect();
        let mut result = LearnMessagesResult {
            messages: messages.len(),
            without_fact: messages.len() - told.len(),
            warnings,
            ..LearnMessagesResult::default()
        };
        let who = BroughtBy::actor(&self.options.actor);
        for ((result_of_one, (at, _)), learn) in stored.into_iter().zip(facts).zip(&learned) {
            // What is told is what was stored, without secrets.
            let stored = learn.checked(self.options.secrets)?;
            let trusted = self.options.trust.trusts(Speaker { source: &stored.source, brought_by: &who });
            let speaker = stored.source.strip_prefix(SPEAKER).and_then(|rest| rest.strip_prefix(':'));
            match result_of_one.status {
                LearnStatus::Created => result.created += 1,
                _ => result.duplicates += 1,
            }
            result.redacted.merge(&result_of_one.redacted);
            result.facts.push(LearnedFact {
                block_id: result_of_one.block_id,
                status: result_of_one.status,
                speaker: speaker.unwrap_or(&stored.source).to_owned(),
                content: stored.content,
                trusted,
                event_at: messages[at].at,
            });
        }
        Ok(result)
    }

    /// Takes the facts out of messages: by the analyst if it is a model and answers, else by the rules.
    fn facts_of(&self, messages: &[CheckedMessage], warnings: &mut Vec<String>) -> Vec<MessageFact> {
        let analyst = &self.options.models.analyst;
        if analyst.name() == RulesAnalyst::NAME {
            return facts_by_rules(messages, 0..messages.len());
        }
        let mut facts = Vec::new();
        for start in (0..messages.len()).step_by(BATCH) {
            let range = start..messages.len().min(start + BATCH);
            let lines: Vec<String> = messages[range.clone()].iter().map(CheckedMessage::line).collect();
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            match analyst.facts(&lines) {
                Ok(Some(found)) => {
                    let found = found.into_iter().map(|fact| (start + fact.message, fact.text));
                    facts.extend(found.filter(|fact| is_grounded(fact, messages)));
                }
                Ok(None) => facts.extend(facts_by_rules(messages, range)),
                Err(error) => {
                    warnings.push(format!("The analyst failed, and the rules took its place: {error}."));
                    facts.extend(facts_by_rules(messages, start..messages.len()));
                    break;
                }
            }
        }
        if let Err(error) = self.account_usage() {
            trace::upkeep_failed("usage", error.kind().as_str());
        }
        facts
    }
}

/// Returns true if a message, with the one before it, holds most words of a fact. A model may reword; it may not invent.
fn is_grounded((at, fact): &MessageFact, messages: &[CheckedMessage]) -> bool {
    let Some(message) = messages.get(*at) else { return false };
    let before = at.checked_sub(1).and_then(|before| messages.get(before)).map(CheckedMessage::line);
    let said = format!("{} {}", before.unwrap_or_default(), message.line());
    let said: std::collections::HashSet<String> = terms(&said).into_iter().map(|term| term.text).collect();
    let words = terms(fact);
    let held = words.iter().filter(|term| said.contains(&term.text)).count();
    !words.is_empty() && held as f64 >= words.len() as f64 * MIN_GROUNDED
}

/// Takes the statements out of some messages, and short answers with the question before them.
fn facts_by_rules(messages: &[CheckedMessage], range: std::ops::Range<usize>) -> Vec<MessageFact> {
    let mut speakers: Vec<&str> = messages.iter().map(|message| message.speaker.as_str()).collect();
    speakers.sort_unstable();
    speakers.dedup();
    let mut facts = Vec::new();
    for at in range {
        let message = &messages[at];
        let before = at.checked_sub(1).map(|before| &messages[before]).filter(|other| other.speaker != message.speaker);
        let question = before.and_then(|other| Some((&other.speaker, last_question(&other.text)?)));
        let answer =
            question.and_then(|(asker, question)| Some((asker, question, short_answer(&message.text, &speakers)?)));
        let answered = answer.as_ref().map(|(_, _, answer)| answer.clone());
        if let Some((asker, question, answer)) = answer {
            facts.push((at, format!("{asker}: {} {}: {}", one_line(&question), message.speaker, one_line(&answer))));
        }
        for statement in statements_in(&message.text, &speakers) {
            if Some(&statement) != answered.as_ref() {
                facts.push((at, format!("{}: {}", message.speaker, one_line(&statement))));
            }
        }
    }
    facts
}
