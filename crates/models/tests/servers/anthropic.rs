//! Error cases of `/messages`.

use elfmem_models::anthropic::{self, AnthropicChat};
use elfmem_models::chat::ChatAnalyst;
use elfmem_models::{Analyst, ChatSettings, ModelError, ProposalRequest, Purpose, Usage};
use serde_json::{Value, json};

use crate::server::{Server, Step};
use crate::{KEY, Waits, connection};

fn analyst(server: &Server) -> ChatAnalyst<AnthropicChat> {
    anthropic::analyst(ChatSettings::new(connection(&server.url(), &Waits::default()), "test-model")).unwrap()
}

fn message(content: Value) -> Step {
    let content = Value::from(vec![content]);
    Step::json(
        &json!({"content": content, "stop_reason": "tool_use", "usage": {"input_tokens": 50, "output_tokens": 9}}),
    )
}

fn calling(input: Value) -> Step {
    let mut call = json!({"type": "tool_use", "id": "call_1", "name": "compare_memories"});
    call["input"] = input;
    message(call)
}

fn good() -> Step {
    calling(json!({"score": 0.75, "reason": "another port"}))
}

#[test]
fn the_tool_is_forced_and_its_arguments_are_the_answer() {
    let server = Server::start(vec![good()]);
    let analyst = analyst(&server);
    let judged = analyst.judge("port 1", "port 2", 0.9).unwrap().unwrap();
    assert_eq!((judged.score, judged.reason.as_str()), (0.75, "another port"));
    assert_eq!(analyst.usage(), Usage { llm_input_tokens: 50, llm_output_tokens: 9, llm_calls: 1, ..Usage::default() });
    let request = &server.requests()[0];
    assert!(request.head.starts_with("post /v1/messages "));
    assert!(request.head.contains(&format!("x-api-key: {KEY}")) && request.head.contains("anthropic-version: "));
    assert!(!request.head.contains("authorization"));
    assert_eq!(request.body["tool_choice"], json!({"type": "tool", "name": "compare_memories"}));
    assert!(request.body["max_tokens"].as_u64().is_some());
}

#[test]
fn a_text_is_proposed_through_a_tool_of_its_own() {
    let call = |input: Value| {
        let mut call = json!({"type": "tool_use", "id": "call_1", "name": "propose_text"});
        call["input"] = input;
        message(call)
    };
    let server = Server::start(vec![call(json!({"text": 5})), call(json!({"text": "Run the migration first."}))]);
    let request = ProposalRequest { purpose: Purpose::Skill, sources: &["Deploys fail without their migration."] };
    let proposed = analyst(&server).propose(&request).unwrap().unwrap();
    assert_eq!((proposed.text.as_str(), proposed.source_index), ("Run the migration first.", None));
    assert_eq!(server.requests()[0].body["tool_choice"]["name"], "propose_text");
    // A comparison is not the requested answer.
    let server = Server::start(vec![good()]);
    assert!(matches!(analyst(&server).propose(&request), Err(ModelError::Malformed { .. })));
}

#[test]
fn a_bad_call_is_answered_with_its_error_and_repaired() {
    let server = Server::start(vec![calling(json!({"score": 9})), good()]);
    assert_eq!(analyst(&server).judge("a", "b", 0.9).unwrap().unwrap().score, 0.75);
    let messages = server.requests()[1].body["messages"].as_array().unwrap().clone();
    assert_eq!(messages[1]["content"][0]["id"], "call_1");
    let result = &messages[2]["content"][0];
    assert_eq!((&result["type"], &result["tool_use_id"]), (&json!("tool_result"), &json!("call_1")));
    assert!(result["content"].as_str().unwrap().contains("score must be between 0 and 1, got 9"));
}

#[test]
fn a_missing_tool_call_is_an_error_after_one_retry() {
    let server = Server::start(vec![message(json!({"type": "text", "text": "Let me think."}))]);
    let error = analyst(&server).judge("a", "b", 0.9).unwrap_err();
    assert_eq!(error, ModelError::Malformed { problem: "the tool compare_memories was not called".into() });
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn overload_is_retried() {
    let server = Server::start(vec![Step::Reply(529, String::new()), good()]);
    assert!(analyst(&server).judge("a", "b", 0.9).is_ok());
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn a_refused_key_is_not_retried_and_not_shown() {
    let server = Server::start(vec![Step::Reply(401, format!("invalid x-api-key {KEY}"))]);
    let error = analyst(&server).check().unwrap_err();
    assert_eq!(error, ModelError::Refused { status: 401 });
    assert!(!format!("{error:?}").contains(KEY));
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn exhausted_quota_is_reported() {
    let said = json!({"error": {"message": "Your credit balance is too low"}}).to_string();
    let server = Server::start(vec![Step::Reply(400, said)]);
    assert!(matches!(analyst(&server).judge("a", "b", 0.9), Err(ModelError::QuotaExhausted { .. })));
}
