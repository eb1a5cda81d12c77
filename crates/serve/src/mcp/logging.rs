//! Log messages for MCP clients that ask for them (`logging/setLevel`). They contain no stored text.

#![allow(deprecated, reason = "newer versions of the protocol have no logging, and older clients use it")]

use std::sync::{Mutex, PoisonError};

use rmcp::RoleServer;
use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam, SetLevelRequestParams};
use rmcp::service::RequestContext;
use serde_json::json;

/// The log of one client. Nothing is sent before the client sets a level.
#[derive(Debug, Default)]
pub(super) struct ClientLog {
    level: Mutex<Option<LoggingLevel>>,
}

impl ClientLog {
    pub(super) fn set_level(&self, request: &SetLevelRequestParams) {
        *self.level.lock().unwrap_or_else(PoisonError::into_inner) = Some(request.level);
    }

    fn sends(&self, level: LoggingLevel) -> bool {
        let least = *self.level.lock().unwrap_or_else(PoisonError::into_inner);
        least.is_some_and(|least| rank(level) >= rank(least))
    }

    /// Sends a warning, if the client wants it.
    pub(super) async fn warn(&self, context: &RequestContext<RoleServer>, message: &str) {
        if self.sends(LoggingLevel::Warning) {
            let data = json!({"message": message});
            let message = LoggingMessageNotificationParam::new(LoggingLevel::Warning, data).with_logger("elfmem");
            // A client that is gone does not read it.
            let _ = context.peer.notify_logging_message(message).await;
        }
    }
}

/// Returns the place of a level, the least severe first.
fn rank(level: LoggingLevel) -> u8 {
    match level {
        LoggingLevel::Debug => 0,
        LoggingLevel::Info => 1,
        LoggingLevel::Notice => 2,
        LoggingLevel::Warning => 3,
        LoggingLevel::Error => 4,
        LoggingLevel::Critical => 5,
        LoggingLevel::Alert => 6,
        LoggingLevel::Emergency => 7,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_gets_what_it_asks_for_and_nothing_before() {
        let log = ClientLog::default();
        assert!(!log.sends(LoggingLevel::Emergency));
        log.set_level(&SetLevelRequestParams::new(LoggingLevel::Error));
        assert!(log.sends(LoggingLevel::Error) && !log.sends(LoggingLevel::Warning));
        log.set_level(&SetLevelRequestParams::new(LoggingLevel::Debug));
        assert!(log.sends(LoggingLevel::Warning));
    }
}
