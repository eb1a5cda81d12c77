//! Clients for OpenAI-compatible servers: OpenAI, Ollama, llama.cpp, vLLM, LM Studio and others.

mod chat;
mod embeddings;

use crate::chat::{ChatAnalyst, ChatSettings};
use crate::error::ModelError;

pub use chat::OpenAiChat;
pub use embeddings::{EmbeddingSettings, OpenAiEmbedder};

/// Base URL of OpenAI.
pub const OPENAI_URL: &str = "https://api.openai.com/v1";
/// Default base URL of Ollama.
pub const OLLAMA_URL: &str = "http://localhost:11434/v1";

/// Creates an analyst for a chat model. Sends nothing yet.
pub fn analyst(settings: ChatSettings) -> Result<ChatAnalyst<OpenAiChat>, ModelError> {
    Ok(ChatAnalyst::new(OpenAiChat::new(settings)?))
}
