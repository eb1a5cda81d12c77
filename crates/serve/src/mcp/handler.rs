//! Handles MCP requests.

#![allow(deprecated, reason = "newer versions of the protocol have no logging, and older clients use it")]

use axum::http::request::Parts;
use elfmem_engine::Reply;
use elfmem_engine::catalog::{ToolProfile, Verb, VerbId};
use elfmem_store::Store;
use elfmem_text::fence::{safe_rendering, safe_text};
use elfmem_text::phrase::one_line;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult, ErrorCode,
    ErrorData, GetPromptRequestParams, GetPromptResponse, Implementation, InitializeRequestParams, InitializeResult,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig, SetLevelRequestParams, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Map, Value};

use super::logging::ClientLog;
use super::{INSTRUCTIONS, compact, memory_tool, offered, official, prompts, resources, tools, wording};
use crate::call_pool::{CallError, CallPool};
use crate::caller::{Caller, Rights};
use crate::http::ACTOR;
use crate::memory::LazyMemory;
use crate::refusal::Refusal;
use crate::tool_list::ToolList;

/// The number of clients of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clients {
    /// The client that started the server; the journal names it.
    One,
    /// Any number of clients, which share the memory and its session.
    Several,
}

/// The MCP handler of one memory.
#[derive(Debug)]
pub(crate) struct Handler<S: Store> {
    calls: CallPool<S>,
    tools: ToolList,
    clients: Clients,
    log: ClientLog,
}

impl<S: Store> Clone for Handler<S> {
    fn clone(&self) -> Self {
        // Each session of a server has a log level of its own.
        Self { calls: self.calls.clone(), tools: self.tools, clients: self.clients, log: ClientLog::default() }
    }
}

/// Maximum length of a client name in the journal.
const MAX_CLIENT_NAME: usize = 64;

impl<S: Store + 'static> Handler<S> {
    pub(crate) fn new(calls: CallPool<S>, tools: ToolList, clients: Clients) -> Self {
        Self { calls, tools, clients, log: ClientLog::default() }
    }

    fn caller(&self, context: &RequestContext<RoleServer>) -> Caller {
        Caller { actor: self.actor(context), task_type: "mcp", rights: rights(context) }
    }

    /// Returns the journal actor.
    fn actor(&self, context: &RequestContext<RoleServer>) -> String {
        if self.clients == Clients::Several {
            return ACTOR.to_owned();
        }
        let client = context.client_info();
        let name: String = client
            .map(|client| client.name.chars().filter(|c| !c.is_control()).take(MAX_CLIENT_NAME).collect())
            .unwrap_or_default();
        let name = one_line(&name);
        if name.is_empty() { "mcp".to_owned() } else { format!("mcp:{name}") }
    }

    /// Returns the tools that a caller may use.
    fn tools_for(&self, rights: Rights) -> Vec<Tool> {
        match self.tools {
            ToolList::Verbs(profile) => tools::list(profile, rights),
            ToolList::Official => official::list_tools(rights),
            ToolList::MemoryTool => vec![memory_tool::tool()],
        }
    }

    /// Returns the list of verbs whose tools advice may name.
    fn profile(&self) -> ToolProfile {
        match self.tools {
            ToolList::Verbs(profile) => profile,
            ToolList::Official | ToolList::MemoryTool => ToolProfile::Core,
        }
    }

    /// Calls a verb by the name of its tool.
    async fn call_verb(
        &self,
        name: &str,
        profile: ToolProfile,
        arguments: Map<String, Value>,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let verb = tools::verb_of(name, profile).map_err(|problem| ErrorData::invalid_params(problem, None))?;
        let asked = arguments.get("method_name").and_then(Value::as_str).unwrap_or_default().to_owned();
        let answer = match tools::prepare(verb, arguments) {
            Ok(arguments) => self.run(context, move |memory, caller| memory.call(caller, verb, &arguments)).await?,
            Err(refusal) => Err(refusal),
        };
        let answer = answer.map_err(|refusal| wording::refusal(offered::arguments(refusal, verb, profile), profile));
        let says = |reply| match verb.id {
            VerbId::Guide => offered::guide(reply, &asked, profile),
            // The history is written as seed 001 does.
            VerbId::ListOperations => reply,
            _ => wording::reply(reply, profile),
        };
        Ok(tool_result(answer.map(|reply| compact::reply(says(reply), profile)), rendering_of(verb)))
    }

    /// Runs a call. A request that is cancelled before it starts does not run; the result of a
    /// running one is dropped.
    async fn run<T: Send + 'static>(
        &self,
        context: &RequestContext<RoleServer>,
        work: impl FnOnce(&LazyMemory<S>, &Caller) -> T + Send + 'static,
    ) -> Result<T, ErrorData> {
        let (caller, cancelled) = (self.caller(context), context.ct.clone());
        let called = self.calls.run(move |memory| (!cancelled.is_cancelled()).then(|| work(memory, &caller)));
        let done = tokio::select! {
            done = called => done,
            () = context.ct.cancelled() => return Err(withdrawn()),
        };
        match done {
            Ok(Some(answer)) => Ok(answer),
            Ok(None) => Err(withdrawn()),
            Err(CallError::Overloaded) => {
                Err(ErrorData::internal_error("Too many calls wait already. Recovery: ask again in a second.", None))
            }
            Err(CallError::Broken) => {
                Err(ErrorData::internal_error("The call broke off; the memory is as it was.", None))
            }
        }
    }
}

/// Returns the permissions of a request. The client that started the program has all permissions.
fn rights(context: &RequestContext<RoleServer>) -> Rights {
    let request = context.extensions.get::<Parts>();
    request.and_then(|parts| parts.extensions.get::<Rights>()).copied().unwrap_or(Rights::Write)
}

fn withdrawn() -> ErrorData {
    ErrorData::internal_error("The request was cancelled.", None)
}

impl<S: Store + 'static> ServerHandler for Handler<S> {
    /// Answers the handshake. Another one in the same session is refused: it would change the version of the protocol and the
    /// name of the client in the middle of it.
    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        match context.peer.peer_info() {
            // The session knows the first request before it is answered.
            Some(known) if *known != request => {
                let message = "This session has begun already. Recovery: go on with it, or begin another one.";
                return Err(ErrorData::invalid_request(message, None));
            }
            Some(_) => {}
            None => context.peer.set_peer_info(request.clone()),
        }
        self.negotiate_initialize(&request)
    }

    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_logging();
        let capabilities = match self.tools {
            ToolList::Verbs(_) => capabilities.enable_resources().enable_prompts().build(),
            ToolList::Official => capabilities.enable_resources().build(),
            ToolList::MemoryTool => capabilities.build(),
        };
        let instructions = match self.tools {
            ToolList::Verbs(_) => INSTRUCTIONS,
            ToolList::Official => official::INSTRUCTIONS,
            ToolList::MemoryTool => memory_tool::INSTRUCTIONS,
        };
        let server = Implementation::new("elfmem", env!("CARGO_PKG_VERSION")).with_title("elfmem: adaptive memory");
        ServerConfig::new(capabilities).with_server_info(server).with_instructions(instructions)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools_for(rights(&context))))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tools_for(Rights::Write).into_iter().find(|tool| tool.name == name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let CallToolRequestParams { name, arguments, .. } = request;
        let result = match self.tools {
            ToolList::Verbs(profile) => self.call_verb(&name, profile, arguments.unwrap_or_default(), &context).await?,
            ToolList::Official => match official::OfficialTool::named(&name) {
                Some(tool) => {
                    self.run(&context, move |memory, caller| official::call(tool, arguments, memory, caller)).await?
                }
                None => official::unknown(&name),
            },
            ToolList::MemoryTool if name == memory_tool::NAME => {
                let arguments = arguments.unwrap_or_default();
                self.run(&context, move |memory, caller| memory_tool::call(arguments, memory, caller)).await?
            }
            ToolList::MemoryTool => memory_tool::unknown(&name),
        };
        if result.is_error == Some(true) {
            self.log.warn(&context, &format!("The call of {name} failed.")).await;
        }
        Ok(result.into())
    }

    async fn set_level(
        &self,
        request: SetLevelRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.log.set_level(&request);
        Ok(())
    }

    async fn list_resources(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(match self.tools {
            ToolList::Verbs(_) => resources::list(),
            ToolList::Official => vec![official::graph_resource()],
            ToolList::MemoryTool => Vec::new(),
        }))
    }

    async fn list_resource_templates(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let templates = if matches!(self.tools, ToolList::Verbs(_)) { resources::templates() } else { Vec::new() };
        Ok(ListResourceTemplatesResult::with_all_items(templates))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        if self.tools == ToolList::Official && request.uri == official::GRAPH_URI {
            return Ok(self.run(&context, official::read_graph_resource).await??.into());
        }
        let wanted = resources::ResourceRequest::parse(&request.uri)?;
        let profile = self.profile();
        let read = self.run(&context, move |memory, caller| wanted.read(&request.uri, memory, &caller.actor, profile));
        let read = read.await??;
        Ok(read.into())
    }

    async fn list_prompts(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(if matches!(self.tools, ToolList::Verbs(_)) {
            prompts::list()
        } else {
            Vec::new()
        }))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let wanted = prompts::PromptRequest::parse(&request.name, &request.arguments.unwrap_or_default())?;
        let profile = self.profile();
        let told = self.run(&context, move |memory, caller| wanted.render(memory, caller, profile)).await??;
        Ok(told.into())
    }

    /// Handles unknown methods, and known methods with invalid parameters.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let wanted = match request.method.as_str() {
            "tools/call" => "name (a string) and arguments (an object)",
            "resources/read" => "uri (a string)",
            "prompts/get" => "name (a string) and arguments (an object)",
            method => return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, safe_text(method), None)),
        };
        Err(ErrorData::invalid_params(format!("{} takes {wanted}.", request.method), None))
    }
}

/// Returns the key of an answer that holds a rendering, with fences of the program.
fn rendering_of(verb: &Verb) -> Option<&'static str> {
    match verb.id {
        VerbId::RenderFrame => Some("text"),
        VerbId::RetrieveMemories => Some("memories"),
        _ => None,
    }
}

/// Builds a tool result from the text and the JSON of a reply. The value of `rendering` keeps its fences.
fn tool_result(answer: Result<Reply, Refusal>, rendering: Option<&str>) -> CallToolResult {
    let (text, json, mut result) = match answer {
        Ok(Reply { text, json }) => (text, json, CallToolResult::success(Vec::new())),
        Err(refusal) => (refusal.to_string(), refusal.to_json(), CallToolResult::error(Vec::new())),
    };
    result.content = vec![ContentBlock::text(text)];
    let rendered = rendering.and_then(|key| Some((key, safe_rendering(json[key].as_str()?))));
    let mut json = with_safe_texts(json);
    if let Some((key, text)) = rendered {
        json[key] = Value::String(text);
    }
    result.structured_content = Some(json);
    result
}

/// Makes every text of a value safe for a model: some hosts show it the structured content instead of the text.
pub(super) fn with_safe_texts(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(safe_text(&text)),
        Value::Array(items) => items.into_iter().map(with_safe_texts).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, with_safe_texts(value))).collect(),
        other => other,
    }
}
