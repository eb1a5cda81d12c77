//! Servers that speak the OpenAI protocol: OpenAI itself, Ollama, llama.cpp, vLLM, LM Studio and many more.

mod chat;
mod embeddings;

use crate::chat::{ChatAnalyst, ChatSettings};
use crate::error::ModelError;

pub use chat::OpenAiChat;
pub use embeddings::{EmbeddingSettings, OpenAiEmbedder};

/// Where OpenAI itself is.
pub const OPENAI_URL: &str = "https://api.openai.com/v1";
/// Where Ollama listens unless told otherwise.
pub const OLLAMA_URL: &str = "http://localhost:11434/v1";

/// An analyst over a chat model; nothing is sent yet.
pub fn analyst(settings: ChatSettings) -> Result<ChatAnalyst<OpenAiChat>, ModelError> {
    Ok(ChatAnalyst::new(OpenAiChat::new(settings)?))
}
