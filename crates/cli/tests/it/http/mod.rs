//! `elfmem serve --http`: the real program over real sockets.

mod access;
mod locus;
mod server;
mod verbs;

pub(crate) use server::{Response, Server};

use serde_json::Value;

impl Server {
    /// Posts a JSON object to a verb.
    pub(crate) fn verb(&self, name: &str, arguments: &Value) -> Response {
        self.verb_with(name, &[], arguments)
    }

    /// Posts a JSON object to a verb, with headers.
    pub(crate) fn verb_with(&self, name: &str, headers: &[(&str, &str)], arguments: &Value) -> Response {
        let mut all = vec![("Content-Type", "application/json")];
        all.extend(headers);
        self.send("POST", &format!("/api/v1/{name}"), &all, &arguments.to_string())
    }

    /// What a verb answers when all is well.
    pub(crate) fn done(&self, name: &str, arguments: &Value) -> Value {
        let response = self.verb(name, arguments);
        assert_eq!(response.status, 200, "{name} {arguments}: {response:?}");
        response.message()
    }
}

impl Response {
    /// The problem that a refusal is, with everything that belongs to one.
    pub(crate) fn problem(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{self:?}");
        assert_eq!(self.header("content-type"), Some("application/problem+json"), "{self:?}");
        let problem = self.message();
        assert_eq!(problem["status"], status);
        for key in ["type", "title", "detail", "code", "recovery", "request_id"] {
            assert!(problem[key].as_str().is_some_and(|text| !text.is_empty()), "{key}: {problem}");
        }
        assert_eq!(self.header("x-request-id"), problem["request_id"].as_str());
        problem
    }
}
