//! Splits conversations into texts of readable length, with speakers and times.

use elfmem_core::{SessionId, Timestamp};
use elfmem_text::document::{DEFAULT_CHUNK_WORDS, split_document};

use super::{ImportedText, TextEdge, TextSet};
use crate::learn::{Learn, MAX_CONTENT_BYTES};

/// One message.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Message {
    /// The author.
    pub(super) speaker: &'static str,
    pub(super) text: String,
    pub(super) at: Option<Timestamp>,
}

/// One conversation.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Conversation {
    /// The location in the file.
    pub(super) place: String,
    /// The id in the file, for the name of the session.
    pub(super) key: String,
    pub(super) title: String,
    pub(super) at: Option<Timestamp>,
    pub(super) messages: Vec<Message>,
}

/// Number of bytes reserved for title and speakers.
const RESERVED_BYTES: usize = 1024;
/// Maximum number of characters of a title.
const MAX_TITLE_LENGTH: usize = 120;

/// Adds a conversation. Consecutive short messages share a text, and a long message is split.
pub(super) fn add(set: &mut TextSet, source: &'static str, conversation: &Conversation) {
    let title: String = conversation.title.split_whitespace().collect::<Vec<_>>().join(" ");
    let title: String = title.chars().take(MAX_TITLE_LENGTH).collect();
    let session =
        SessionId::from_stored(&format!("{source}:{}", conversation.key.chars().take(64).collect::<String>()));
    let first = set.texts.len();
    let mut open = OpenText::default();
    for message in &conversation.messages {
        for part in split_document(&message.text, DEFAULT_CHUNK_WORDS, MAX_CONTENT_BYTES - RESERVED_BYTES) {
            let words = part.split_whitespace().count();
            let line = format!("{}: {part}", message.speaker);
            if !open.has_room(words, line.len()) {
                open.close(set, source, conversation, &title, &session);
            }
            open.append(&line, words, message.at);
        }
    }
    open.close(set, source, conversation, &title, &session);
    set.edges.extend((first + 1..set.texts.len()).map(|at| TextEdge::consecutive(at - 1, at)));
    if set.texts.len() == first {
        set.leave_out("the conversation has no text", &conversation.place);
    }
}

/// The text under construction.
#[derive(Default)]
struct OpenText {
    text: String,
    words: usize,
    at: Option<Timestamp>,
}

impl OpenText {
    fn has_room(&self, words: usize, bytes: usize) -> bool {
        self.text.is_empty()
            || (self.words + words <= DEFAULT_CHUNK_WORDS
                && self.text.len() + bytes <= MAX_CONTENT_BYTES - RESERVED_BYTES)
    }

    fn append(&mut self, line: &str, words: usize, at: Option<Timestamp>) {
        if self.text.is_empty() {
            self.at = at;
        } else {
            self.text.push_str("\n\n");
        }
        self.text.push_str(line);
        self.words += words;
        self.at = self.at.or(at);
    }

    fn close(
        &mut self,
        set: &mut TextSet,
        source: &'static str,
        conversation: &Conversation,
        title: &str,
        session: &SessionId,
    ) {
        let Self { text, at, .. } = std::mem::take(self);
        if text.is_empty() {
            return;
        }
        let titled = if title.is_empty() { text } else { format!("{title}\n\n{text}") };
        let mut learn = Learn::new(titled).tag("conversation").source(source);
        if let Some(at) = at.or(conversation.at) {
            learn = learn.event_at(at);
        }
        let place = conversation.place.clone();
        set.texts.push(ImportedText {
            place,
            learn,
            created_at: None,
            session: Some(session.clone()),
            item: None,
            part: None,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(speaker: &'static str, text: &str, second: i64) -> Message {
        Message { speaker, text: text.to_owned(), at: Timestamp::from_second(second).ok() }
    }

    fn texts(messages: Vec<Message>) -> TextSet {
        let mut set = TextSet::default();
        let conversation = Conversation {
            place: "conversation 1".into(),
            key: "k".into(),
            title: " A  trip ".into(),
            at: None,
            messages,
        };
        add(&mut set, "chatgpt", &conversation);
        set
    }

    #[test]
    fn short_messages_share_a_text_with_title_and_speakers() {
        let set = texts(vec![message("User", "Where to?", 100), message("Assistant", "Rome.", 200)]);
        assert_eq!(set.texts.len(), 1);
        assert_eq!(set.texts[0].learn.content, "A trip\n\nUser: Where to?\n\nAssistant: Rome.");
        assert_eq!(set.texts[0].learn.event_at, Timestamp::from_second(100).ok());
    }

    #[test]
    fn a_long_message_is_split_and_every_part_names_its_speaker() {
        let long = "One sentence of several words here. ".repeat(200);
        let set =
            texts(vec![message("User", "Tell me", 1), message("Assistant", &long, 2), message("User", "Thanks", 3)]);
        assert!(set.texts.len() > 3);
        assert!(set.texts.iter().all(|text| text.learn.content.starts_with("A trip\n\n")));
        let parts = set.texts.iter().filter(|text| text.learn.content.contains("Assistant: ")).count();
        assert!(parts >= set.texts.len() - 1);
        assert_eq!(set.edges.len(), set.texts.len() - 1);
        assert!(set.texts.iter().all(|text| text.session == set.texts[0].session && text.learn.check().is_ok()));
    }

    #[test]
    fn a_conversation_without_text_is_reported_as_left_out() {
        let set = texts(vec![message("User", "  ", 1)]);
        assert_eq!((set.texts.len(), set.left_out.len()), (0, 1));
    }
}
