//! The normalised spelling of a text. Texts with equal spellings differ only cosmetically.

use super::lexicon::polite_words;
use super::scan::{Break, ScannedWord};
use super::token::{Token, TokenKind};

/// Whether courtesies and labels belong to the text. They do if there is little else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Courtesy {
    Dropped,
    Kept,
}

/// Returns each sentence without cosmetic differences, and its number of content words.
pub(crate) fn spellings(tokens: &[Token], pieces: &[ScannedWord], courtesy: Courtesy) -> Vec<(String, usize)> {
    let sentences = tokens.chunk_by(|one, other| one.sentence == other.sentence);
    sentences.map(|sentence| spelling(sentence, pieces, courtesy)).collect()
}

fn spelling(tokens: &[Token], pieces: &[ScannedWord], courtesy: Courtesy) -> (String, usize) {
    let mut spelling = String::new();
    let mut content = 0;
    let mut courtesy_until = 0;
    for (index, token) in tokens.iter().enumerate() {
        if courtesy == Courtesy::Dropped
            && token.at >= courtesy_until
            && (pieces[token.at].opens
                || token.at > 0 && pieces[token.at - 1].after != Break::None
                || matches!(&*token.canon, "please" | "pls" | "plz"))
        {
            let words =
                pieces[token.at..].iter().take(7).map(|piece| (piece.lower.as_str(), piece.after != Break::None));
            courtesy_until = token.at + polite_words(&words.collect::<Vec<_>>());
        }
        let before_few =
            tokens.get(index + 1).is_some_and(|next| matches!(&*next.canon, "few" | "little" | "bit" | "lot"));
        let after_unit = index > 0 && matches!(tokens[index - 1].kind, TokenKind::Number(_));
        let cosmetic = match token.canon.as_str() {
            "a" | "an" => !before_few && token.kind == TokenKind::Function,
            "the" | "is" | "are" | "am" => true,
            "of" => after_unit,
            "version" => {
                tokens.get(index + 1).is_some_and(|next| matches!(next.kind, TokenKind::Number(_) | TokenKind::Code))
            }
            _ => false,
        };
        if token.at >= courtesy_until && (!cosmetic || courtesy == Courtesy::Kept) {
            content += usize::from(token.is_content());
            // Compound words may be written together or apart; numbers, identifiers and negations
            // may not.
            let apart = !matches!(token.kind, TokenKind::Word | TokenKind::Name | TokenKind::Function);
            if apart {
                spelling.push('|');
            }
            spelling.push_str(&token.canon);
            if apart {
                spelling.push('|');
            }
        }
    }
    (spelling, content)
}
