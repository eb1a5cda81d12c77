//! Chat completions: `POST /chat/completions` with JSON answers.

use std::sync::atomic::{AtomicU8, Ordering};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::chat::{Chat, ChatAnswer, ChatSettings, ChatTask, RepairRequest, json_object};
use crate::error::ModelError;
use crate::http::{HttpClient, KeyHeader};
use crate::usage::{Usage, UsageMeter};

/// JSON modes of the protocol, strictest first. Not every server supports all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ResponseFormat {
    /// The server enforces the schema.
    Schema,
    /// The server enforces some JSON object.
    Object,
    /// Only the prompt asks for JSON.
    Plain,
}

impl ResponseFormat {
    const ALL: [Self; 3] = [Self::Schema, Self::Object, Self::Plain];

    fn response_format(self, task: &ChatTask) -> Option<Value> {
        match self {
            Self::Schema => Some(json!({
                "type": "json_schema",
                "json_schema": {"name": task.name, "strict": true, "schema": task.schema},
            })),
            Self::Object => Some(json!({"type": "json_object"})),
            Self::Plain => None,
        }
    }
}

/// A chat model behind the OpenAI protocol.
#[derive(Debug)]
pub struct OpenAiChat {
    client: HttpClient,
    settings: ChatSettings,
    /// Index into [`ResponseFormat::ALL`] of the format that the server accepts. Only increases.
    format: AtomicU8,
    meter: UsageMeter,
}

impl OpenAiChat {
    /// Validates the settings. Sends nothing yet.
    pub fn new(settings: ChatSettings) -> Result<Self, ModelError> {
        if settings.model.trim().is_empty() {
            return Err(ModelError::Configuration { problem: "no chat model is named".to_owned() });
        }
        let client = HttpClient::new(settings.connection.clone(), KeyHeader::Bearer)?;
        Ok(Self { client, settings, format: AtomicU8::new(0), meter: UsageMeter::default() })
    }

    fn body(&self, task: &ChatTask, repair: Option<&RepairRequest<'_>>, format: ResponseFormat) -> Value {
        let mut messages = vec![
            json!({"role": "system", "content": task.instructions}),
            json!({"role": "user", "content": task.material}),
        ];
        if let Some(repair) = repair {
            let request = format!("That cannot be used: {}. Answer again, with the JSON object only.", repair.problem);
            messages.push(json!({"role": "assistant", "content": repair.raw}));
            messages.push(json!({"role": "user", "content": request}));
        }
        let mut body = json!({"model": self.settings.model, "messages": messages, "stream": false});
        let options = [
            ("response_format", format.response_format(task)),
            ("max_tokens", self.settings.max_output_tokens.map(Value::from)),
            ("temperature", self.settings.temperature.map(Value::from)),
        ];
        for (name, value) in options {
            if let Some(value) = value {
                body[name] = value;
            }
        }
        body
    }

    /// Sends the request. Falls back to a less strict format if the server rejects the format.
    /// Returns any other error.
    fn send(&self, task: &ChatTask, repair: Option<&RepairRequest<'_>>) -> Result<Value, ModelError> {
        let known = usize::from(self.format.load(Ordering::Relaxed));
        let mut outcome = Err(ModelError::Configuration { problem: "no answer format is left to try".to_owned() });
        for (number, format) in (0..).zip(ResponseFormat::ALL).skip(known) {
            outcome = self.client.post("/chat/completions", &self.body(task, repair, format));
            match &outcome {
                Err(ModelError::BadRequest { status: 400, detail }) if is_format_error(detail) => {}
                _ => {
                    self.format.fetch_max(number, Ordering::Relaxed);
                    return outcome;
                }
            }
        }
        outcome
    }
}

fn is_format_error(detail: &str) -> bool {
    ["response_format", "json_schema", "json_object"].iter().any(|name| detail.contains(name))
}

#[derive(Deserialize)]
struct Completion {
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    message: CompletionMessage,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct CompletionMessage {
    content: Option<String>,
    #[serde(default)]
    refusal: Option<String>,
}

impl Chat for OpenAiChat {
    fn model(&self) -> &str {
        &self.settings.model
    }

    fn ask(&self, task: &ChatTask, repair: Option<&RepairRequest<'_>>) -> Result<ChatAnswer, ModelError> {
        let answer = self.send(task, repair)?;
        // Count every answered call, whatever the answer contains.
        let tokens = |name: &str| answer["usage"][name].as_u64().unwrap_or(0);
        self.meter.add(Usage {
            llm_input_tokens: tokens("prompt_tokens"),
            llm_output_tokens: tokens("completion_tokens"),
            llm_calls: 1,
            ..Usage::default()
        });
        let malformed = |problem: String| ModelError::Malformed { problem };
        let completion = Completion::deserialize(&answer);
        let completion = completion.map_err(|error| malformed(format!("not a chat completion: {error}")))?;
        let choice = completion.choices.into_iter().next().ok_or_else(|| malformed("no choices were given".into()))?;
        let content = choice.message.content.unwrap_or_default();
        let json = if let Some(refusal) = choice.message.refusal {
            let refusal: String = refusal.chars().take(200).collect();
            Err(format!("the model declined: {refusal}"))
        } else if choice.finish_reason.as_deref() == Some("length") {
            Err("the answer was cut off; be shorter".to_owned())
        } else {
            json_object(&content)
        };
        Ok(ChatAnswer { raw: Value::from(content), json })
    }

    fn usage(&self) -> Usage {
        self.meter.total()
    }

    fn concurrency(&self) -> usize {
        self.client.concurrency()
    }
}
