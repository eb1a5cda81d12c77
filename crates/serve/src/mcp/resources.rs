//! MCP resources. Reading one does not count as use.

use elfmem_core::frame::builtin_frames;
use elfmem_engine::catalog::ToolProfile;
use elfmem_store::Store;
use rmcp::model::{ErrorData, ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use serde_json::{Map, Value, json};

use super::handler::with_safe_texts;
use super::wording;
use crate::memory::LazyMemory;
use crate::percent::decoded;
use crate::refusal::Refusal;

const STATUS: &str = "elfmem://status";
const BLOCK: &str = "elfmem://block/";
const FRAME: &str = "elfmem://frame/";

const JSON: &str = "application/json";
const MARKDOWN: &str = "text/markdown";

/// Returns the named resources: the status and the built-in frames.
pub(super) fn list() -> Vec<Resource> {
    let status = Resource::new(STATUS, "status")
        .with_description("How the memory is doing and what to do next.")
        .with_mime_type(JSON);
    let frames = builtin_frames().into_iter().map(|frame| {
        Resource::new(format!("{FRAME}{}", frame.name), format!("frame {}", frame.name))
            .with_description(format!("The context that the frame '{}' renders now.", frame.name))
            .with_mime_type(MARKDOWN)
    });
    std::iter::once(status).chain(frames).collect()
}

/// Returns the resource templates: blocks and frames by id or name.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(format!("{BLOCK}{{id}}"), "block")
            .with_description("Everything about one block: its id or at least four characters of it.")
            .with_mime_type(JSON),
        ResourceTemplate::new(format!("{FRAME}{{name}}"), "frame")
            .with_description("The context that a frame renders now; frames of your own too.")
            .with_mime_type(MARKDOWN),
    ]
}

/// A parsed resource URI.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ResourceRequest {
    Status,
    Block(String),
    Frame(String),
}

impl ResourceRequest {
    pub(super) fn parse(uri: &str) -> Result<Self, ErrorData> {
        let part_after = |start: &str| uri.strip_prefix(start).and_then(decoded).filter(|part| !part.is_empty());
        if uri == STATUS {
            Ok(Self::Status)
        } else if let Some(id) = part_after(BLOCK) {
            Ok(Self::Block(id))
        } else if let Some(name) = part_after(FRAME) {
            Ok(Self::Frame(name))
        } else {
            let message = format!(
                "There is no resource '{uri}'. Recovery: use {STATUS}, {BLOCK}ID or {FRAME}NAME; resources/list names some."
            );
            Err(ErrorData::resource_not_found(message, Some(json!({"uri": uri}))))
        }
    }

    /// Reads the resource.
    pub(super) fn read<S: Store>(
        &self,
        uri: &str,
        memory: &LazyMemory<S>,
        actor: &str,
        profile: ToolProfile,
    ) -> Result<ReadResourceResult, ErrorData> {
        let read = match self {
            Self::Status => memory.look(actor, "status", &Map::new()),
            Self::Block(id) => memory.look(actor, "show", &given(json!({"block_id": id}))),
            Self::Frame(name) => memory.look(actor, "frame", &given(json!({"name": name, "preview": true}))),
        };
        let reply = read.map_err(|refusal| refused(&wording::refusal(refusal, profile)))?;
        let reply = wording::reply(reply, profile);
        let contents = match self {
            Self::Frame(_) => ResourceContents::text(reply.text, uri).with_mime_type(MARKDOWN),
            _ => ResourceContents::text(format!("{:#}", with_safe_texts(reply.json)), uri).with_mime_type(JSON),
        };
        Ok(ReadResourceResult::new(vec![contents]))
    }
}

/// Maps an error: missing resources and invalid input to "not found", others to an internal error.
fn refused(refusal: &Refusal) -> ErrorData {
    let data = Some(refusal.to_json());
    match refusal.kind {
        "NotFoundError" | "FrameError" | "InputError" => ErrorData::resource_not_found(refusal.to_string(), data),
        _ => ErrorData::internal_error(refusal.to_string(), data),
    }
}

fn given(arguments: Value) -> Map<String, Value> {
    match arguments {
        Value::Object(arguments) => arguments,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resource_uris_are_parsed() {
        assert_eq!(ResourceRequest::parse("elfmem://status").unwrap(), ResourceRequest::Status);
        assert_eq!(
            ResourceRequest::parse("elfmem://block/6b0c8d3a").unwrap(),
            ResourceRequest::Block("6b0c8d3a".into())
        );
        assert_eq!(ResourceRequest::parse("elfmem://frame/my%20own").unwrap(), ResourceRequest::Frame("my own".into()));
        for bad in
            ["", "elfmem://", "elfmem://block/", "elfmem://frame/%zz", "elfmem://frame/%ff", "file:///etc/passwd"]
        {
            let error = ResourceRequest::parse(bad).unwrap_err();
            assert!(error.message.contains("Recovery: use elfmem://status"), "{bad}: {error:?}");
        }
    }

    #[test]
    fn built_in_frames_are_listed() {
        let uris: Vec<_> = list().into_iter().map(|resource| resource.uri).collect();
        for name in ["self", "attention", "task", "simulate", "search"] {
            assert!(uris.contains(&format!("elfmem://frame/{name}")), "{name}");
        }
        assert!(uris.contains(&"elfmem://status".to_owned()));
    }
}
