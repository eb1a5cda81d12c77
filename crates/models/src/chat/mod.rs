//! An analyst that uses a chat model of any provider.
//!
//! The model answers in JSON with a schema. The provider enforces the schema if it can, and the
//! answer is validated here in any case. An invalid answer is sent back once with the problem; a
//! second one is an error.

mod answer;
mod prompt;

use std::time::Instant;

use serde_json::Value;

use crate::analyst::{Analysis, AnalysisRequest, Analyst, ContradictionScore, ExtractedFact};
use crate::error::ModelError;
use crate::health::HealthReport;
use crate::http::Connection;
use crate::proposal::{ProposalRequest, ProposedText};
use crate::trace;
use crate::usage::Usage;

pub(crate) use answer::json_object;

/// Settings of a chat model.
#[derive(Debug, Clone)]
pub struct ChatSettings {
    /// The server.
    pub connection: Connection,
    /// The name at the provider.
    pub model: String,
    /// Maximum number of output tokens; `None` for the provider's limit.
    pub max_output_tokens: Option<u32>,
    /// Sampling temperature. Not sent if `None`, because some models reject it.
    pub temperature: Option<f64>,
}

impl ChatSettings {
    /// Settings with the provider's limits.
    pub fn new(connection: Connection, model: &str) -> Self {
        Self { connection, model: model.to_owned(), max_output_tokens: None, temperature: None }
    }
}

/// A chat model that answers in JSON.
pub trait Chat: Send + Sync {
    /// Returns the name of the model.
    fn model(&self) -> &str;

    /// Sends one request. With `repair`, includes the earlier answer and its problem.
    fn ask(&self, task: &ChatTask, repair: Option<&RepairRequest<'_>>) -> Result<ChatAnswer, ModelError>;

    /// Returns the usage so far.
    fn usage(&self) -> Usage;

    /// Returns the maximum number of concurrent requests.
    fn concurrency(&self) -> usize;
}

/// A task for a chat model.
#[derive(Debug, Clone)]
pub struct ChatTask {
    /// A short identifier, valid as a tool or schema name.
    pub name: &'static str,
    /// The system prompt.
    pub instructions: &'static str,
    /// The texts to process, fenced as data.
    pub material: String,
    /// The JSON schema of the answer.
    pub schema: Value,
}

/// The answer of a chat model.
#[derive(Debug, Clone)]
pub struct ChatAnswer {
    /// The raw answer, in the form that the provider accepts as an assistant message.
    pub raw: Value,
    /// The extracted JSON, or the problem.
    pub json: Result<Value, String>,
}

/// An invalid answer to be repaired.
#[derive(Debug, Clone, Copy)]
pub struct RepairRequest<'a> {
    /// The raw answer of the model.
    pub raw: &'a Value,
    /// What is wrong.
    pub problem: &'a str,
}

/// An analyst that uses a chat model.
#[derive(Debug)]
pub struct ChatAnalyst<C> {
    chat: C,
}

impl<C: Chat> ChatAnalyst<C> {
    /// Creates an analyst.
    pub fn new(chat: C) -> Self {
        Self { chat }
    }

    fn ask<T>(&self, task: &ChatTask, read: impl Fn(&Value) -> Result<T, String>) -> Result<T, ModelError> {
        let first = self.chat.ask(task, None)?;
        let problem = match first.json.and_then(|value| read(&value)) {
            Ok(answer) => return Ok(answer),
            Err(problem) => problem,
        };
        trace::repaired(task.name);
        let second = self.chat.ask(task, Some(&RepairRequest { raw: &first.raw, problem: &problem }))?;
        second.json.and_then(|value| read(&value)).map_err(|problem| ModelError::Malformed { problem })
    }
}

impl<C: Chat> Analyst for ChatAnalyst<C> {
    fn name(&self) -> &str {
        self.chat.model()
    }

    fn analyse(&self, request: &AnalysisRequest<'_>) -> Result<Analysis, ModelError> {
        self.ask(&prompt::analysis(request), answer::analysis)
    }

    fn judge(&self, newer: &str, older: &str, _cosine: f64) -> Result<Option<ContradictionScore>, ModelError> {
        self.ask(&prompt::contradiction(newer, older), answer::contradiction).map(Some)
    }

    fn propose(&self, request: &ProposalRequest<'_>) -> Result<Option<ProposedText>, ModelError> {
        let sources = request.bounded();
        // Do not pay for a request without sources.
        if sources.is_empty() {
            return Ok(None);
        }
        let task = prompt::proposal(request.purpose, sources.iter().map(|(_, source)| &**source));
        let text = self.ask(&task, answer::proposal)?;
        Ok(text.map(|text| ProposedText { text, source_index: None }))
    }

    fn facts(&self, messages: &[&str]) -> Result<Option<Vec<ExtractedFact>>, ModelError> {
        if messages.is_empty() {
            return Ok(Some(Vec::new()));
        }
        self.ask(&prompt::facts(messages), |value| answer::facts(value, messages.len())).map(Some)
    }

    fn check(&self) -> Result<HealthReport, ModelError> {
        let started = Instant::now();
        let task = prompt::contradiction("The door is open.", "The door is closed.");
        let judged = self.ask(&task, answer::contradiction)?;
        let detail = format!("an open door contradicts a closed one by {:.2}.", judged.score);
        Ok(HealthReport::since(started, self.name(), detail))
    }

    fn usage(&self) -> Usage {
        self.chat.usage()
    }

    fn concurrency(&self) -> usize {
        self.chat.concurrency()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::sync::Mutex;

    /// Returns prepared answers and records the repair requests.
    struct PreparedChat {
        answers: Mutex<Vec<Result<Value, String>>>,
        problems: Mutex<Vec<String>>,
    }

    impl Chat for PreparedChat {
        fn model(&self) -> &str {
            "listed"
        }

        fn ask(&self, _task: &ChatTask, repair: Option<&RepairRequest<'_>>) -> Result<ChatAnswer, ModelError> {
            self.problems.lock().unwrap().extend(repair.map(|repair| repair.problem.to_owned()));
            let json = self.answers.lock().unwrap().remove(0);
            Ok(ChatAnswer { raw: json!("said"), json })
        }

        fn usage(&self) -> Usage {
            Usage::default()
        }

        fn concurrency(&self) -> usize {
            1
        }
    }

    fn analyst(answers: &[Result<Value, String>]) -> ChatAnalyst<PreparedChat> {
        ChatAnalyst::new(PreparedChat { answers: Mutex::new(answers.to_vec()), problems: Mutex::new(Vec::new()) })
    }

    #[test]
    fn one_bad_answer_is_repaired_with_the_reason() {
        let analyst = analyst(&[Ok(json!({"score": 7, "reason": "x"})), Ok(json!({"score": 0.7, "reason": "x"}))]);
        assert_eq!(analyst.judge("a", "b", 0.9).unwrap().unwrap().score, 0.7);
        assert_eq!(*analyst.chat.problems.lock().unwrap(), ["score must be between 0 and 1, got 7"]);
    }

    #[test]
    fn facts_name_their_message_and_are_short() {
        let answer =
            json!({"facts": [{"message": 2, "text": " Maria is allergic to peanuts. "}, {"message": 1, "text": " "}]});
        let facts = analyst(&[Ok(answer)]).facts(&["Ravi: hi", "Maria: peanuts make me ill"]).unwrap().unwrap();
        assert_eq!(facts, [ExtractedFact { message: 1, text: "Maria is allergic to peanuts.".to_owned() }]);
        let wrong = analyst(&[Ok(json!({"facts": [{"message": 3, "text": "x"}]})), Ok(json!({"facts": []}))]);
        assert_eq!(wrong.facts(&["a", "b"]).unwrap(), Some(Vec::new()));
        assert_eq!(*wrong.chat.problems.lock().unwrap(), ["message must be between 1 and 2, got 3"]);
    }

    #[test]
    fn two_invalid_answers_are_an_error() {
        let analyst = analyst(&[Err("no JSON".into()), Err("still no JSON".into())]);
        let error = analyst.judge("a", "b", 0.9).unwrap_err();
        assert_eq!(error, ModelError::Malformed { problem: "still no JSON".into() });
    }
}
