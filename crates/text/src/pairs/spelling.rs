//! The canonical spelling of a text: what is equal in it differs at most in looks.

use super::lexicon::polite_words;
use super::scan::{Break, Piece};
use super::token::{Kind, Token};

/// Whether thanks and labels belong to what is said: they do where there is little else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Courtesy {
    Dropped,
    Kept,
}

/// The sentences with everything cosmetic taken out, and how many content words each of them has.
pub(super) fn spellings(tokens: &[Token], pieces: &[Piece], courtesy: Courtesy) -> Vec<(String, usize)> {
    let sentences = tokens.chunk_by(|one, other| one.sentence == other.sentence);
    sentences.map(|sentence| spelling(sentence, pieces, courtesy)).collect()
}

fn spelling(tokens: &[Token], pieces: &[Piece], courtesy: Courtesy) -> (String, usize) {
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
        let after_unit = index > 0 && matches!(tokens[index - 1].kind, Kind::Number(_));
        let cosmetic = match token.canon.as_str() {
            "a" | "an" => !before_few && token.kind == Kind::Function,
            "the" | "is" | "are" | "am" => true,
            "of" => after_unit,
            "version" => tokens.get(index + 1).is_some_and(|next| matches!(next.kind, Kind::Number(_) | Kind::Code)),
            _ => false,
        };
        if token.at >= courtesy_until && (!cosmetic || courtesy == Courtesy::Kept) {
            content += usize::from(token.is_content());
            // Words may be written together or apart; numbers, names of things and negations may not.
            let apart = !matches!(token.kind, Kind::Word | Kind::Name | Kind::Function);
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
