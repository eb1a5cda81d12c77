//! Client for Anthropic's Messages API. The model is forced to call one tool, whose arguments are
//! the answer.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::chat::{Chat, ChatAnalyst, ChatAnswer, ChatSettings, ChatTask, RepairRequest};
use crate::error::ModelError;
use crate::http::{HttpClient, KeyHeader};
use crate::usage::{Usage, UsageMeter};

/// Base URL of Anthropic.
pub const ANTHROPIC_URL: &str = "https://api.anthropic.com/v1";

/// The protocol version.
const PROTOCOL: &str = "2023-06-01";
/// Output limit, which the API requires. An answer has a few hundred tokens.
const DEFAULT_OUTPUT_TOKENS: u32 = 1_024;

/// Creates an analyst for an Anthropic model. Sends nothing yet.
pub fn analyst(settings: ChatSettings) -> Result<ChatAnalyst<AnthropicChat>, ModelError> {
    Ok(ChatAnalyst::new(AnthropicChat::new(settings)?))
}

/// A chat model behind Anthropic's protocol.
#[derive(Debug)]
pub struct AnthropicChat {
    client: HttpClient,
    settings: ChatSettings,
    meter: UsageMeter,
}

impl AnthropicChat {
    /// Validates the settings. Sends nothing yet.
    pub fn new(settings: ChatSettings) -> Result<Self, ModelError> {
        if settings.model.trim().is_empty() {
            return Err(ModelError::Configuration { problem: "no chat model is named".to_owned() });
        }
        let client = HttpClient::new(settings.connection.clone(), KeyHeader::XApiKey)?
            .with_header("anthropic-version", PROTOCOL);
        Ok(Self { client, settings, meter: UsageMeter::default() })
    }

    fn body(&self, task: &ChatTask, repair: Option<&RepairRequest<'_>>) -> Value {
        let mut messages = vec![json!({"role": "user", "content": task.material})];
        if let Some(repair) = repair {
            messages.push(json!({"role": "assistant", "content": repair.raw}));
            messages.push(json!({"role": "user", "content": repair_message(repair)}));
        }
        let mut body = json!({
            "model": self.settings.model,
            "max_tokens": self.settings.max_output_tokens.unwrap_or(DEFAULT_OUTPUT_TOKENS),
            "system": task.instructions,
            "messages": messages,
            "tools": [{
                "name": task.name,
                "description": "Takes the JSON object that was asked for.",
                "input_schema": task.schema,
            }],
            "tool_choice": {"type": "tool", "name": task.name},
        });
        if let Some(temperature) = self.settings.temperature {
            body["temperature"] = Value::from(temperature);
        }
        body
    }
}

/// Renders the problem as the result of each tool call, because the API requires a result for every
/// call.
fn repair_message(repair: &RepairRequest<'_>) -> Value {
    let text = format!("That cannot be used: {}. Call the tool again with a corrected object.", repair.problem);
    let calls = repair.raw.as_array().into_iter().flatten().filter_map(|part| part["id"].as_str());
    let results: Vec<Value> =
        calls.map(|id| json!({"type": "tool_result", "tool_use_id": id, "is_error": true, "content": text})).collect();
    if results.is_empty() { Value::from(text) } else { Value::from(results) }
}

#[derive(Deserialize)]
struct MessageBody {
    content: Vec<Value>,
    #[serde(default)]
    stop_reason: Option<String>,
}

impl Chat for AnthropicChat {
    fn model(&self) -> &str {
        &self.settings.model
    }

    fn ask(&self, task: &ChatTask, repair: Option<&RepairRequest<'_>>) -> Result<ChatAnswer, ModelError> {
        let answer = self.client.post("/messages", &self.body(task, repair))?;
        let tokens = |name: &str| answer["usage"][name].as_u64().unwrap_or(0);
        self.meter.add(Usage {
            llm_input_tokens: tokens("input_tokens")
                + tokens("cache_creation_input_tokens")
                + tokens("cache_read_input_tokens"),
            llm_output_tokens: tokens("output_tokens"),
            llm_calls: 1,
            ..Usage::default()
        });
        let message = MessageBody::deserialize(&answer)
            .map_err(|error| ModelError::Malformed { problem: format!("not a message: {error}") })?;
        let is_call = |part: &&Value| part["type"] == "tool_use" && part["name"] == task.name;
        let json = match message.content.iter().find(is_call) {
            _ if message.stop_reason.as_deref() == Some("max_tokens") => {
                Err("the answer was cut off; be shorter".to_owned())
            }
            _ if message.stop_reason.as_deref() == Some("refusal") => Err("the model declined".to_owned()),
            Some(call) => Ok(call["input"].clone()),
            None => Err(format!("the tool {} was not called", task.name)),
        };
        Ok(ChatAnswer { raw: assistant_content(message.content), json })
    }

    fn usage(&self) -> Usage {
        self.meter.total()
    }

    fn concurrency(&self) -> usize {
        self.client.concurrency()
    }
}

/// Converts the answer to content that the API accepts as an assistant message. It must not be
/// empty.
fn assistant_content(content: Vec<Value>) -> Value {
    let parts: Vec<Value> =
        content.into_iter().filter(|part| part["type"] == "tool_use" || part["type"] == "text").collect();
    if parts.is_empty() { Value::from("(no answer)") } else { Value::from(parts) }
}
