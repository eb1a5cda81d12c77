//! The names in a text, and those that a question asks about.

use super::clause::is_pronoun;
use super::clause_pair::is_title;
use super::statement::Statement;
use crate::language::Language;
use crate::pairs::lexicon::{is_auxiliary, is_copula};
use crate::pairs::token::{Token, TokenKind};

impl Statement {
    /// Returns the people and things with names that a question asks about, in lower case: "Clara" in "When is Clara's
    /// birthday?". A name that says where, and one in capital letters alone, is left out: "at the Hollybank". In German every noun has a capital letter, so none
    /// is returned.
    ///
    /// ```
    /// use elfmem_text::statements::Statement;
    ///
    /// assert_eq!(Statement::parse("When is Clara's birthday?").asked_names(), ["clara"]);
    /// assert!(Statement::parse("Who mends the roof in Porto?").asked_names().is_empty());
    /// ```
    pub fn asked_names(&self) -> Vec<&str> {
        let tokens = self.tokens();
        let is_asked = |at: &usize| {
            let token = &tokens[*at];
            let named = token.kind == TokenKind::Name && !token.opens || token.capital && token.possessor;
            named && !is_place(tokens, *at) && !is_title(&token.canon) && !self.is_acronym(token)
        };
        match self.language() {
            Some(Language::German) => Vec::new(),
            _ => (0..tokens.len()).filter(is_asked).map(|at| tokens[at].canon.as_str()).collect(),
        }
    }

    /// Returns whether a word has capital letters only: such words name sorts of things as often as single ones.
    fn is_acronym(&self, token: &Token) -> bool {
        let chunk = self.words.pieces[token.at].chunk;
        self.text().split_whitespace().nth(chunk).is_some_and(|word| !word.chars().any(char::is_lowercase))
    }

    /// Returns the names in a text, in lower case. A word at the beginning of a sentence is one if it owns something or does
    /// something.
    pub fn names(&self) -> Vec<&str> {
        let tokens = self.tokens();
        let does = |token: &Token| token.verb || is_auxiliary(&token.canon) || is_copula(&token.canon);
        let is_named = |at: &usize| {
            let token = &tokens[*at];
            let opens = token.opens && token.kind == TokenKind::Word && !is_pronoun(&token.canon);
            let acts = opens && self.words.pieces[token.at].capital && tokens.get(at + 1).is_some_and(does);
            token.kind == TokenKind::Name || token.possessor && self.words.pieces[token.at].capital || acts
        };
        (0..tokens.len()).filter(is_named).map(|at| tokens[at].canon.as_str()).collect()
    }
}

/// Returns whether a preposition says that a name is a place.
fn is_place(tokens: &[Token], at: usize) -> bool {
    let before = (0..at).rev().map(|before| &tokens[before]).find(|token| token.kind != TokenKind::Name);
    before.is_some_and(|token| matches!(&*token.canon, "in" | "at" | "on" | "near" | "from" | "to" | "into"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_asks_about_the_names_in_it_that_are_no_places() {
        for (question, names) in [
            ("When is Clara's birthday?", &["clara"][..]),
            ("What can't Anna eat?", &["anna"]),
            ("Where does Dr Miller live?", &["miller"]),
            ("What do we know about Tobias?", &["tobias"]),
            ("Which trains stop in Porto on Monday?", &[]),
            ("who pays for lunch?", &[]),
            ("Which cats have FIV?", &[]),
            ("Wann hat Clara Geburtstag?", &[]),
        ] {
            let parsed = Statement::parse(question);
            assert_eq!(parsed.asked_names(), names, "{question}");
        }
    }

    #[test]
    fn a_word_that_begins_a_sentence_is_a_name_if_it_owns_or_does_something() {
        for (text, names) in [
            ("Emil's birthday is on 3 May", &["emil"][..]),
            ("Emil was born on 3 May", &["emil"]),
            ("The birthday cake is in the fridge", &[]),
            ("Cake for the team", &[]),
        ] {
            assert_eq!(Statement::parse(text).names(), names, "{text}");
        }
    }
}
