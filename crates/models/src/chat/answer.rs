//! Parses the answers of chat models. Problems are worded for the model, which gets one chance to
//! repair them.

use serde::Deserialize;
use serde_json::Value;

use crate::analyst::{Analysis, ContradictionScore, ExtractedFact, SelfAspect};
use crate::proposal::MAX_PROPOSAL_CHARS;

/// Maximum length of a summary in characters.
const MAX_SUMMARY_CHARS: usize = 1_200;
/// Maximum length of a reason in characters.
const MAX_REASON_CHARS: usize = 300;
/// Maximum length of a message that is searched for JSON, in bytes.
const MAX_MESSAGE_BYTES: usize = 256 * 1024;

/// Returns the last JSON object in a message. Models put code fences, courtesies and reasoning
/// before it.
pub(crate) fn json_object(message: &str) -> Result<Value, String> {
    if message.len() > MAX_MESSAGE_BYTES {
        return Err("the answer is far too long".to_owned());
    }
    let mut last = Err("the answer holds no complete JSON object".to_owned());
    let mut rest = message;
    while let Some(start) = rest.find('{') {
        rest = &rest[start..];
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        match values.next() {
            Some(Ok(value)) => {
                rest = &rest[values.byte_offset()..];
                last = Ok(value);
            }
            _ => rest = &rest[1..],
        }
    }
    last
}

#[derive(Deserialize)]
struct AnalysisAnswer {
    alignment: f64,
    #[serde(default)]
    tags: Vec<String>,
    summary: Option<String>,
}

/// Validates an analysis. Rejects numbers out of range and drops unknown tags.
pub(super) fn analysis(value: &Value) -> Result<Analysis, String> {
    let answer = AnalysisAnswer::deserialize(value).map_err(|error| one_line(&error.to_string(), MAX_REASON_CHARS))?;
    let alignment = unit_interval("alignment", answer.alignment)?;
    let mut aspects: Vec<SelfAspect> = answer.tags.iter().filter_map(|name| SelfAspect::from_name(name)).collect();
    aspects.sort_unstable();
    aspects.dedup();
    let (assignable, proposed): (Vec<_>, Vec<_>) = aspects.into_iter().partition(|aspect| aspect.is_assignable());
    let summary = answer.summary.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    if summary.as_ref().is_some_and(|text| text.chars().count() > MAX_SUMMARY_CHARS) {
        return Err(format!("summary must not be longer than {MAX_SUMMARY_CHARS} characters"));
    }
    Ok(Analysis {
        alignment,
        tags: assignable.into_iter().map(SelfAspect::tag).collect(),
        summary,
        proposed_tags: proposed.into_iter().map(SelfAspect::tag).collect(),
    })
}

#[derive(Deserialize)]
struct ContradictionAnswer {
    score: f64,
    #[serde(default)]
    reason: String,
}

/// Validates a comparison.
pub(super) fn contradiction(value: &Value) -> Result<ContradictionScore, String> {
    let answer =
        ContradictionAnswer::deserialize(value).map_err(|error| one_line(&error.to_string(), MAX_REASON_CHARS))?;
    let score = unit_interval("score", answer.score)?;
    Ok(ContradictionScore { score, reason: one_line(&answer.reason, MAX_REASON_CHARS) })
}

#[derive(Deserialize)]
struct FactsAnswer {
    facts: Vec<FactAnswer>,
}

#[derive(Deserialize)]
struct FactAnswer {
    message: usize,
    text: String,
}

/// Validates facts: each names one of the messages, and none is long.
pub(super) fn facts(value: &Value, messages: usize) -> Result<Vec<ExtractedFact>, String> {
    let answer = FactsAnswer::deserialize(value).map_err(|error| one_line(&error.to_string(), MAX_REASON_CHARS))?;
    let mut facts = Vec::new();
    for FactAnswer { message, text } in answer.facts {
        if !(1..=messages).contains(&message) {
            return Err(format!("message must be between 1 and {messages}, got {message}"));
        }
        if text.chars().count() > MAX_PROPOSAL_CHARS {
            return Err(format!("text must not be longer than {MAX_PROPOSAL_CHARS} characters"));
        }
        let text = one_line(&text, MAX_PROPOSAL_CHARS);
        if !text.is_empty() {
            facts.push(ExtractedFact { message: message - 1, text });
        }
    }
    Ok(facts)
}

#[derive(Deserialize)]
struct ProposalAnswer {
    text: String,
}

/// Validates a proposal. Returns `None` if the model says that the sources give none.
pub(super) fn proposal(value: &Value) -> Result<Option<String>, String> {
    let answer = ProposalAnswer::deserialize(value).map_err(|error| one_line(&error.to_string(), MAX_REASON_CHARS))?;
    let text = answer.text.trim();
    if text.chars().count() > MAX_PROPOSAL_CHARS {
        return Err(format!("text must not be longer than {MAX_PROPOSAL_CHARS} characters"));
    }
    if text.chars().any(|c| c.is_control() && !c.is_whitespace()) {
        return Err("text must be plain: it holds control characters".to_owned());
    }
    Ok((!text.is_empty()).then(|| text.to_owned()))
}

fn unit_interval(name: &str, value: f64) -> Result<f64, String> {
    if (0.0..=1.0).contains(&value) { Ok(value) } else { Err(format!("{name} must be between 0 and 1, got {value}")) }
}

fn one_line(text: &str, max: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(max).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn json_is_found_after_fences_and_reasoning() {
        for message in [
            r#"{"score": 0.5}"#,
            "```json\n{\"score\": 0.5}\n```",
            "Sure! Here it is:\n```\n{\"score\": 0.5}\n```\nAnything else?",
            "<think>maybe {\"score\": 1} or {bad}</think>{\"score\": 0.5}",
        ] {
            assert_eq!(json_object(message), Ok(json!({"score": 0.5})), "{message}");
        }
        for message in ["", "none", "{\"score\": 0.", "[1, 2]", "{{{{"] {
            assert!(json_object(message).is_err(), "{message}");
        }
    }

    #[test]
    fn an_analysis_may_propose_the_constitution_but_not_assign_it() {
        let value = json!({
            "alignment": 0.9, "summary": " It values care. ",
            "tags": ["value", "self/constitutional", "banana", "VALUE"],
        });
        let analysis = analysis(&value).unwrap();
        assert_eq!(analysis.tags, [SelfAspect::Value.tag()]);
        assert_eq!(analysis.proposed_tags, [SelfAspect::Constitutional.tag()]);
        assert_eq!(analysis.summary.as_deref(), Some("It values care."));
    }

    #[test]
    fn invalid_fields_are_named() {
        let problem = |value: Value| analysis(&value).unwrap_err();
        assert_eq!(problem(json!({"alignment": 1.2})), "alignment must be between 0 and 1, got 1.2");
        assert_eq!(problem(json!({"tags": []})), "missing field `alignment`");
        assert!(problem(json!({"alignment": "high"})).contains("expected f64"));
        assert!(problem(json!({"alignment": 0, "summary": "x".repeat(1_201)})).contains("longer than"));
        assert!(contradiction(&json!({"score": -0.1})).unwrap_err().contains("score"));
        assert!(contradiction(&json!({"score": null})).is_err());
    }

    #[test]
    fn a_proposal_is_short_plain_text_or_none() {
        let read = |text: &str| proposal(&json!({"text": text}));
        assert_eq!(read(" Run the migration first.\n"), Ok(Some("Run the migration first.".to_owned())));
        assert_eq!(read("  "), Ok(None));
        assert_eq!(read(&"é".repeat(MAX_PROPOSAL_CHARS)).unwrap().unwrap().chars().count(), MAX_PROPOSAL_CHARS);
        assert!(read(&"é".repeat(MAX_PROPOSAL_CHARS + 1)).unwrap_err().contains("longer than"));
        assert!(read("a\u{0}b").unwrap_err().contains("control"));
        assert_eq!(proposal(&json!({"texts": []})), Err("missing field `text`".to_owned()));
        assert!(proposal(&json!({"text": null})).is_err());
    }

    #[test]
    fn a_reason_fits_on_one_line() {
        let value = json!({"score": 1, "reason": format!("a\n b{}", "c".repeat(900))});
        let judged = contradiction(&value).unwrap();
        assert!(judged.reason.starts_with("a b") && judged.reason.len() == MAX_REASON_CHARS);
    }

    proptest! {
        #[test]
        fn answer_parsing_never_panics(message in "[{}\\[\\]\",:a-z0-9 é\\\\]{0,80}") {
            let _ = json_object(&message);
        }
    }
}
