//! One JSON-RPC message per line, as MCP wants it over streams.
//!
//! A line that is no message is answered with a JSON-RPC error that carries the id of the request as far as it can be
//! read, so that a client never waits for an answer that does not come.

use std::future::Future;
use std::io;
use std::sync::Arc;

use elfmem_text::terms::escape_hidden_in_json;
use rmcp::RoleServer;
use rmcp::model::{ClientRequest, GetMeta, JsonRpcMessage};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Mutex;

/// Maximum length of a message.
pub(super) const MAX_MESSAGE_BYTES: usize = 4 * 1024 * 1024;
/// How much of the end of a message that is too long is kept, to find its id.
const TAIL_BYTES: usize = 1024;

const PARSE_ERROR: i32 = -32_700;
const INVALID_REQUEST: i32 = -32_600;

/// A transport over two streams.
pub(super) struct Lines<R, W> {
    reader: BufReader<R>,
    writer: Arc<Mutex<W>>,
    line: Line,
    /// Whether a request has arrived that begins a session. Notifications and answers before it are dropped: they would end
    /// the session.
    begun: bool,
}

/// The line that is being read. It outlives a call that is cancelled in the middle of it.
#[derive(Debug, Default)]
struct Line {
    /// Up to [`MAX_MESSAGE_BYTES`].
    bytes: Vec<u8>,
    /// The last bytes of a line that is longer.
    tail: Vec<u8>,
    is_too_long: bool,
}

impl Line {
    fn extend(&mut self, bytes: &[u8]) {
        let room = MAX_MESSAGE_BYTES - self.bytes.len();
        self.bytes.extend_from_slice(&bytes[..bytes.len().min(room)]);
        if bytes.len() > room {
            self.is_too_long = true;
            self.tail.extend_from_slice(&bytes[room..]);
            let surplus = self.tail.len().saturating_sub(TAIL_BYTES);
            self.tail.drain(..surplus);
        }
    }
}

/// What a line turned out to be.
enum Parsed {
    Message(Box<RxJsonRpcMessage<RoleServer>>),
    /// Nothing that needs an answer: an empty line, or an unknown notification.
    Nothing,
    /// Answer with this.
    Refused(Value),
}

impl<R: AsyncRead + Unpin, W> Lines<R, W> {
    pub(super) fn new(reader: R, writer: W) -> Self {
        let (reader, writer) = (BufReader::new(reader), Arc::new(Mutex::new(writer)));
        Self { reader, writer, line: Line::default(), begun: false }
    }

    /// Returns whether a message may pass at this point of the session.
    fn admits(&mut self, message: &RxJsonRpcMessage<RoleServer>) -> bool {
        let JsonRpcMessage::Request(request) = message else { return self.begun };
        self.begun |= match &request.request {
            ClientRequest::InitializeRequest(_) => true,
            // Newer versions of the protocol have no `initialize`: every request says its version.
            other => other.get_meta().protocol_version().is_some(),
        };
        true
    }

    /// Reads a whole line, or `None` at the end of the stream.
    async fn next_line(&mut self) -> io::Result<Option<Line>> {
        loop {
            let available = self.reader.fill_buf().await?;
            if available.is_empty() {
                // A last line without a line break counts too.
                let rest = std::mem::take(&mut self.line);
                return Ok((!rest.bytes.is_empty()).then_some(rest));
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(available.len(), |end| end + 1);
            self.line.extend(&available[..end.unwrap_or(available.len())]);
            self.reader.consume(taken);
            if end.is_some() {
                return Ok(Some(std::mem::take(&mut self.line)));
            }
        }
    }
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let writer = Arc::clone(&self.writer);
        async move { write_line(&writer, &serde_json::to_string(&item)?).await }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            // A stream that cannot be read has ended.
            let line = self.next_line().await.ok()??;
            match parse(&line) {
                Parsed::Message(message) => {
                    if self.admits(&message) {
                        return Some(*message);
                    }
                }
                Parsed::Nothing => {}
                Parsed::Refused(answer) => {
                    write_line(&self.writer, &answer.to_string()).await.ok()?;
                }
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.writer.lock().await.shutdown().await
    }
}

/// Writes a message. Hidden characters are escapes in it, so that its bytes do nothing to a terminal or a log.
async fn write_line(writer: &Mutex<impl AsyncWrite + Unpin>, message: &str) -> io::Result<()> {
    let mut bytes = escape_hidden_in_json(message).into_owned().into_bytes();
    bytes.push(b'\n');
    let mut writer = writer.lock().await;
    writer.write_all(&bytes).await?;
    writer.flush().await
}

fn parse(line: &Line) -> Parsed {
    if line.is_too_long {
        let id = recover_id(&line.bytes).or_else(|| recover_last_id(&line.tail));
        let message = format!(
            "The message is longer than {MAX_MESSAGE_BYTES} bytes. Recovery: send less at once, such as a part of the document."
        );
        return Parsed::Refused(error_answer(id, INVALID_REQUEST, &message));
    }
    let bytes = line.bytes.trim_ascii();
    if bytes.is_empty() {
        return Parsed::Nothing;
    }
    let problem = match serde_json::from_slice(bytes) {
        Ok(message) => return Parsed::Message(Box::new(message)),
        Err(problem) => problem,
    };
    match serde_json::from_slice::<Value>(bytes) {
        Ok(value) => match value.get("id") {
            Some(id) => {
                let message = "This is JSON, but no JSON-RPC request. Recovery: send jsonrpc, id, method and params.";
                Parsed::Refused(error_answer(Some(id.clone()), INVALID_REQUEST, message))
            }
            // Notifications are never answered.
            None if value.get("method").is_some() => Parsed::Nothing,
            None => Parsed::Refused(error_answer(None, INVALID_REQUEST, "This is JSON, but no JSON-RPC message.")),
        },
        Err(_) => {
            let message =
                format!("The message is no valid JSON: {problem}. Recovery: send one object per line, in UTF-8.");
            Parsed::Refused(error_answer(recover_id(bytes), PARSE_ERROR, &message))
        }
    }
}

fn error_answer(id: Option<Value>, code: i32, message: &str) -> Value {
    let id = id.filter(|id| id.is_string() || id.is_number()).unwrap_or(Value::Null);
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}

/// Finds the id of a message that cannot be parsed: a string or a whole number under the key `id` of the outermost object.
fn recover_id(bytes: &[u8]) -> Option<Value> {
    let (mut depth, mut at) = (0_usize, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                let end = string_end(bytes, at + 1)?;
                let after = bytes[end + 1..].trim_ascii_start();
                if let Some(value) = after.strip_prefix(b":").filter(|_| depth == 1 && &bytes[at + 1..end] == b"id") {
                    return parse_id(value.trim_ascii_start());
                }
                at = end;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// Finds the id in the end of a message, after the last key `id`.
fn recover_last_id(bytes: &[u8]) -> Option<Value> {
    const KEY: &[u8] = b"\"id\"";
    let at = bytes.windows(KEY.len()).rposition(|window| window == KEY)?;
    parse_id(bytes[at + KEY.len()..].trim_ascii_start().strip_prefix(b":")?.trim_ascii_start())
}

/// Returns where a string ends that starts at `from`: the place of its closing quote.
fn string_end(bytes: &[u8], from: usize) -> Option<usize> {
    let mut is_escaped = false;
    let end = bytes.get(from..)?.iter().position(|byte| match byte {
        _ if is_escaped => {
            is_escaped = false;
            false
        }
        b'\\' => {
            is_escaped = true;
            false
        }
        byte => *byte == b'"',
    })?;
    Some(from + end)
}

fn parse_id(value: &[u8]) -> Option<Value> {
    match value.strip_prefix(b"\"") {
        Some(string) => {
            let quoted = &value[..string_end(string, 0)? + 2];
            serde_json::from_slice::<String>(quoted).ok().map(Value::from)
        }
        None => {
            let end = value.iter().position(|byte| !byte.is_ascii_digit() && *byte != b'-')?;
            std::str::from_utf8(&value[..end]).ok()?.parse::<i64>().ok().map(Value::from)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn line(bytes: impl AsRef<[u8]>) -> Line {
        let mut line = Line::default();
        line.extend(bytes.as_ref());
        line
    }

    fn refusal(bytes: impl AsRef<[u8]>) -> Value {
        match parse(&line(bytes)) {
            Parsed::Refused(answer) => answer,
            Parsed::Message(_) | Parsed::Nothing => panic!("was not refused"),
        }
    }

    #[test]
    fn what_is_no_message_is_refused_with_its_id() {
        let nested = format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{}"#, "[".repeat(50_000));
        for (bytes, id, code) in [
            (br#"{"jsonrpc":"2.0","id":1,"method":"#.to_vec(), json!(1), PARSE_ERROR),
            (b"{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"\xff\"}".to_vec(), json!("a"), PARSE_ERROR),
            (
                br#"{"id": -3, "jsonrpc":"2.0","method":"ping","params":{"x":"\ud800"}}"#.to_vec(),
                json!(-3),
                PARSE_ERROR,
            ),
            (br#"{"id":"a\"\u00e9","x":"\ud800"}"#.to_vec(), json!("a\"é"), PARSE_ERROR),
            (br#"{"id":"\ud800","method":"ping"}"#.to_vec(), Value::Null, PARSE_ERROR),
            (nested.into_bytes(), json!(7), PARSE_ERROR),
            (br#"{"params":{"id":5,"x":"\"id\":6"},"id":8,"x"#.to_vec(), json!(8), PARSE_ERROR),
            (br#"{"id":4,"method":5}"#.to_vec(), json!(4), INVALID_REQUEST),
            (b"[]".to_vec(), Value::Null, INVALID_REQUEST),
            (b"hello".to_vec(), Value::Null, PARSE_ERROR),
        ] {
            let answer = refusal(&bytes);
            let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(80)]).into_owned();
            assert_eq!((&answer["id"], &answer["error"]["code"]), (&id, &json!(code)), "{shown}: {answer}");
        }
        assert!(matches!(parse(&line("  ")), Parsed::Nothing));
        assert!(matches!(parse(&line(r#"{"jsonrpc":"2.0","method":5}"#)), Parsed::Nothing));
    }

    #[test]
    fn a_message_that_is_too_long_is_refused_wherever_its_id_stands() {
        let text = "x".repeat(MAX_MESSAGE_BYTES);
        for message in [format!(r#"{{"id":9,"text":"{text}"}}"#), format!(r#"{{"text":"{text}","id":9}}"#)] {
            let answer = refusal(&message);
            assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(9), &json!(INVALID_REQUEST)), "{answer}");
        }
    }

    proptest! {
        #[test]
        fn no_line_makes_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            parse(&line(&bytes));
            recover_id(&bytes);
            recover_last_id(&bytes);
        }

        #[test]
        fn ids_are_recovered_from_messages_that_break_off(id in any::<i64>(), rest in "[^\"]{0,20}") {
            let message = format!(r#"{{"jsonrpc":"2.0","id":{id},{rest}"#);
            prop_assert_eq!(recover_id(message.as_bytes()), Some(json!(id)));
        }
    }
}
