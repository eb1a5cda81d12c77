//! Conversations, as documents: what was said, by whom and when, in pieces of readable length.

use elfmem_core::{SessionId, Timestamp};
use elfmem_text::document::{DEFAULT_CHUNK_WORDS, split_document};

use super::{Join, Piece, TextSet};
use crate::learn::{Learn, MAX_CONTENT_BYTES};

/// One message.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Message {
    /// Who said it.
    pub(super) speaker: &'static str,
    pub(super) text: String,
    pub(super) at: Option<Timestamp>,
}

/// One conversation.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Conversation {
    /// Where it stands.
    pub(super) place: String,
    /// What it is called there, for the name of its session.
    pub(super) key: String,
    pub(super) title: String,
    pub(super) at: Option<Timestamp>,
    pub(super) messages: Vec<Message>,
}

/// Room that the title and the speaker take beside a text.
const ROOM: usize = 1024;
/// The longest title that is kept.
const LONGEST_TITLE: usize = 120;

/// Adds a conversation: short messages that follow each other share a piece, a long one is cut.
pub(super) fn add(set: &mut TextSet, source: &'static str, conversation: &Conversation) {
    let title: String = conversation.title.split_whitespace().collect::<Vec<_>>().join(" ");
    let title: String = title.chars().take(LONGEST_TITLE).collect();
    let session =
        SessionId::from_stored(&format!("{source}:{}", conversation.key.chars().take(64).collect::<String>()));
    let first = set.pieces.len();
    let mut open = Open::default();
    for message in &conversation.messages {
        for part in split_document(&message.text, DEFAULT_CHUNK_WORDS, MAX_CONTENT_BYTES - ROOM) {
            let words = part.split_whitespace().count();
            let said = format!("{}: {part}", message.speaker);
            if !open.has_room(words, said.len()) {
                open.close(set, source, conversation, &title, &session);
            }
            open.take(said, words, message.at);
        }
    }
    open.close(set, source, conversation, &title, &session);
    set.joins.extend((first + 1..set.pieces.len()).map(|at| Join::next(at - 1, at)));
    if set.pieces.len() == first {
        set.leave_out("the conversation holds no text", &conversation.place);
    }
}

/// The piece that is being filled.
#[derive(Default)]
struct Open {
    text: String,
    words: usize,
    at: Option<Timestamp>,
}

impl Open {
    fn has_room(&self, words: usize, bytes: usize) -> bool {
        self.text.is_empty()
            || (self.words + words <= DEFAULT_CHUNK_WORDS && self.text.len() + bytes <= MAX_CONTENT_BYTES - ROOM)
    }

    fn take(&mut self, said: String, words: usize, at: Option<Timestamp>) {
        if self.text.is_empty() {
            self.at = at;
        } else {
            self.text.push_str("\n\n");
        }
        self.text.push_str(&said);
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
        let headed = if title.is_empty() { text } else { format!("{title}\n\n{text}") };
        let mut learn = Learn::new(headed).tag("conversation").source(source);
        if let Some(at) = at.or(conversation.at) {
            learn = learn.event_at(at);
        }
        let place = conversation.place.clone();
        set.pieces.push(Piece { place, learn, created_at: None, session: Some(session.clone()) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(speaker: &'static str, text: &str, second: i64) -> Message {
        Message { speaker, text: text.to_owned(), at: Timestamp::from_second(second).ok() }
    }

    fn pieces(messages: Vec<Message>) -> TextSet {
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
    fn short_messages_share_a_piece_with_its_title_and_its_speakers() {
        let set = pieces(vec![said("User", "Where to?", 100), said("Assistant", "Rome.", 200)]);
        assert_eq!(set.pieces.len(), 1);
        assert_eq!(set.pieces[0].learn.content, "A trip\n\nUser: Where to?\n\nAssistant: Rome.");
        assert_eq!(set.pieces[0].learn.event_at, Timestamp::from_second(100).ok());
    }

    #[test]
    fn a_long_message_is_cut_and_every_part_names_its_speaker() {
        let long = "One sentence of several words here. ".repeat(200);
        let set = pieces(vec![said("User", "Tell me", 1), said("Assistant", &long, 2), said("User", "Thanks", 3)]);
        assert!(set.pieces.len() > 3);
        assert!(set.pieces.iter().all(|piece| piece.learn.content.starts_with("A trip\n\n")));
        let parts = set.pieces.iter().filter(|piece| piece.learn.content.contains("Assistant: ")).count();
        assert!(parts >= set.pieces.len() - 1);
        assert_eq!(set.joins.len(), set.pieces.len() - 1);
        assert!(set.pieces.iter().all(|piece| piece.session == set.pieces[0].session && piece.learn.check().is_ok()));
    }

    #[test]
    fn a_conversation_without_text_is_left_out_and_told() {
        let set = pieces(vec![said("User", "  ", 1)]);
        assert_eq!((set.pieces.len(), set.left_out.len()), (0, 1));
    }
}
