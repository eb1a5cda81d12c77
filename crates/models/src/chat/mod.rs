//! An analyst that asks a chat model, whichever provider speaks to it.
//!
//! The model answers in JSON of a given shape. Shapes are asked for where the provider can enforce them, and checked
//! here all the same. An answer that does not fit is sent back once with what is wrong; then it is an error.

mod answer;
mod prompt;

use std::time::Instant;

use serde_json::Value;

use crate::analyst::{Analysis, AnalysisRequest, Analyst, ContradictionScore};
use crate::error::ModelError;
use crate::health::HealthReport;
use crate::http::Connection;
use crate::proposal::{Proposal, ProposalRequest};
use crate::usage::Usage;

pub(crate) use answer::json_object;

/// Which chat model to ask and how.
#[derive(Debug, Clone)]
pub struct ChatSettings {
    /// Where it is.
    pub connection: Connection,
    /// Its name at the provider.
    pub model: String,
    /// The most tokens an answer may have; the provider's own limit when none.
    pub max_output_tokens: Option<u32>,
    /// How freely it writes. Not sent when none: some models refuse it.
    pub temperature: Option<f64>,
}

impl ChatSettings {
    /// A model with the provider's own limits.
    pub fn new(connection: Connection, model: &str) -> Self {
        Self { connection, model: model.to_owned(), max_output_tokens: None, temperature: None }
    }
}

/// A chat model that can be asked for JSON of a given shape.
pub trait Chat: Send + Sync {
    /// The name of the model.
    fn model(&self) -> &str;

    /// Asks once. With `repair`, the earlier answer and what is wrong with it are part of the question.
    fn ask(&self, task: &Task, repair: Option<&Repair<'_>>) -> Result<Answer, ModelError>;

    /// What has been spent.
    fn usage(&self) -> Usage;

    /// How many questions may be open at the same time.
    fn concurrency(&self) -> usize;
}

/// What a chat model is to do.
#[derive(Debug, Clone)]
pub struct Task {
    /// A short name, fit for a tool or a schema.
    pub name: &'static str,
    /// The standing instructions.
    pub instructions: &'static str,
    /// The texts to work on, fenced as data.
    pub material: String,
    /// The JSON schema of the answer.
    pub schema: Value,
}

/// What came back.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The answer as the provider would want to see it quoted.
    pub said: Value,
    /// The JSON found in it, or what is wrong.
    pub found: Result<Value, String>,
}

/// An answer that did not fit.
#[derive(Debug, Clone, Copy)]
pub struct Repair<'a> {
    /// What the model said.
    pub said: &'a Value,
    /// What is wrong with it.
    pub problem: &'a str,
}

/// The analyst over a chat model.
#[derive(Debug)]
pub struct ChatAnalyst<C> {
    chat: C,
}

impl<C: Chat> ChatAnalyst<C> {
    /// Puts a chat model to work.
    pub fn new(chat: C) -> Self {
        Self { chat }
    }

    fn ask<T>(&self, task: &Task, read: impl Fn(&Value) -> Result<T, String>) -> Result<T, ModelError> {
        let first = self.chat.ask(task, None)?;
        let problem = match first.found.and_then(|value| read(&value)) {
            Ok(answer) => return Ok(answer),
            Err(problem) => problem,
        };
        let second = self.chat.ask(task, Some(&Repair { said: &first.said, problem: &problem }))?;
        second.found.and_then(|value| read(&value)).map_err(|problem| ModelError::Malformed { problem })
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

    fn propose(&self, request: &ProposalRequest<'_>) -> Result<Option<Proposal>, ModelError> {
        let sources = request.bounded();
        // Nobody need be paid to say that nothing comes of nothing.
        if sources.is_empty() {
            return Ok(None);
        }
        let task = prompt::proposal(request.purpose, sources.iter().map(|(_, source)| &**source));
        let text = self.ask(&task, answer::proposal)?;
        Ok(text.map(|text| Proposal { text, witness: None }))
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

    /// Answers from a list and notes what it was told to repair.
    struct Listed {
        answers: Mutex<Vec<Result<Value, String>>>,
        problems: Mutex<Vec<String>>,
    }

    impl Chat for Listed {
        fn model(&self) -> &str {
            "listed"
        }

        fn ask(&self, _task: &Task, repair: Option<&Repair<'_>>) -> Result<Answer, ModelError> {
            self.problems.lock().unwrap().extend(repair.map(|repair| repair.problem.to_owned()));
            let found = self.answers.lock().unwrap().remove(0);
            Ok(Answer { said: json!("said"), found })
        }

        fn usage(&self) -> Usage {
            Usage::default()
        }

        fn concurrency(&self) -> usize {
            1
        }
    }

    fn analyst(answers: &[Result<Value, String>]) -> ChatAnalyst<Listed> {
        ChatAnalyst::new(Listed { answers: Mutex::new(answers.to_vec()), problems: Mutex::new(Vec::new()) })
    }

    #[test]
    fn one_bad_answer_is_repaired_with_the_reason() {
        let analyst = analyst(&[Ok(json!({"score": 7, "reason": "x"})), Ok(json!({"score": 0.7, "reason": "x"}))]);
        assert_eq!(analyst.judge("a", "b", 0.9).unwrap().unwrap().score, 0.7);
        assert_eq!(*analyst.chat.problems.lock().unwrap(), ["score must be between 0 and 1, got 7"]);
    }

    #[test]
    fn two_bad_answers_are_an_error_and_there_is_no_third_question() {
        let analyst = analyst(&[Err("no JSON".into()), Err("still no JSON".into())]);
        let error = analyst.judge("a", "b", 0.9).unwrap_err();
        assert_eq!(error, ModelError::Malformed { problem: "still no JSON".into() });
    }
}
