//! Which attribute of which subject a question asks about, and which texts give it a value.
//!
//! "Where does Ada live?" is answered by "Ada is based in Porto" and by "Ada moved to Braga", and not by "Ada's brother
//! lives in Faro" or "Ada sits in room Venus". Every word of the question must have its part in a clause, and the subject
//! must be the whole subject. Of the texts that answer, the one about the latest time says what holds.

mod answer;
mod attributes;
#[cfg(test)]
mod tests;

use super::clause::{is_determiner, is_preposition};
use super::cues::Mark;
use super::statement::Statement;
use crate::pairs::lexicon::{is_auxiliary, is_copula};
use crate::pairs::token::{Token, TokenKind};
use attributes::{Attribute, is_sort};

pub use answer::{Answer, AnswerTime};

/// Most words of a question that asks for one attribute.
const MAX_WORDS: usize = 14;

/// What a value must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expected {
    /// A name: who?
    Name,
    /// A number: how many?
    Number,
    /// A number or a date: when?
    Time,
    /// Not a number or a date: where?
    Place,
    /// Anything.
    Any,
}

/// The attribute of a subject that a question asks about.
#[derive(Debug, Clone)]
pub struct AskedAttribute {
    question: Statement,
    /// The tokens of the subject.
    subject: Vec<usize>,
    /// The tokens that name the attribute.
    words: Vec<usize>,
    attribute: Option<Attribute>,
    /// "Is it up or down?": the values to choose from.
    choices: Vec<usize>,
    expected: Expected,
}

impl AskedAttribute {
    /// Reads a question; none if it does not ask for an attribute of something.
    ///
    /// ```
    /// use elfmem_text::statements::{AskedAttribute, Statement};
    ///
    /// let asked = AskedAttribute::parse("Where does Ada live?").expect("an attribute");
    /// assert!(asked.answer(&Statement::parse("Ada is based in Porto."), &[]).is_some());
    /// assert!(asked.answer(&Statement::parse("Ada's brother lives in Faro."), &[]).is_none());
    /// assert!(AskedAttribute::parse("What is new?").is_none());
    /// ```
    pub fn parse(question: &str) -> Option<Self> {
        let question = Statement::parse(question.trim().trim_end_matches('?'));
        let tokens = question.tokens();
        if tokens.len() > MAX_WORDS || tokens.iter().any(|token| token.sentence > 0) {
            return None;
        }
        let subject = subject(tokens);
        let choices = choices(tokens, &subject);
        let is_word = |at: &usize| {
            let token = &tokens[*at];
            let told = token.is_content() && !subject.contains(at) && !choices.contains(at);
            let dated = matches!(token.kind, TokenKind::DateTime(_));
            told && !dated && !is_asking(&token.canon) && question.cues.mark(*at) == Mark::Plain
        };
        let all: Vec<usize> = (0..tokens.len()).filter(is_word).collect();
        let attribute = all.iter().find_map(|at| Attribute::of(&tokens[*at]));
        let words: Vec<usize> = all
            .into_iter()
            .filter(|at| {
                let token = &tokens[*at];
                let names = Attribute::of(token).is_some() || token.key == "work";
                names || !token.light && !is_sort(token) && !is_plain_verb(&token.key)
            })
            .collect();
        let expected = expected(tokens);
        let is_asked = !subject.is_empty() && (!words.is_empty() || !choices.is_empty());
        is_asked.then_some(Self { question, subject, words, attribute, choices, expected })
    }

    /// Returns whether a text can speak of the subject: it holds its first word, if that is a name. Costs less than taking the text apart.
    pub fn may_be_about(&self, text: &str) -> bool {
        let Some(first) = self.subject.first().map(|at| self.token(*at)) else { return false };
        // A noun may have another ending in the text, and an accent is not in the word.
        !first.capital || !text.is_ascii() || text.to_ascii_lowercase().contains(&first.canon)
    }

    fn token(&self, at: usize) -> &Token {
        &self.question.tokens()[at]
    }
}

/// Verbs that name no attribute: "uses", "has", "runs" beside a noun that does.
fn is_plain_verb(key: &str) -> bool {
    matches!(
        key,
        "use" | "have" | "has" | "do" | "get" | "run" | "sit" | "find" | "be" | "go" | "take" | "know" | "tell"
    )
}

/// Returns true for the words that ask.
fn is_asking(word: &str) -> bool {
    matches!(word, "who" | "whom" | "whose" | "where" | "when" | "which" | "what" | "how" | "many" | "much" | "why")
}

fn expected(tokens: &[Token]) -> Expected {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.canon.as_str());
    let asking = (0..tokens.len().min(3)).find(|at| is_asking(word(*at)));
    match asking.map(|at| (word(at), word(at + 1))) {
        Some(("who" | "whom", _)) => Expected::Name,
        Some(("how", "many" | "much")) => Expected::Number,
        Some(("when", _)) => Expected::Time,
        Some(("where", _)) => Expected::Place,
        Some(("which" | "what", "day" | "weekday" | "date" | "time" | "hour" | "month" | "year")) => Expected::Time,
        _ => Expected::Any,
    }
}

/// Returns the tokens of what the question is about: its names with what they own, or else the last noun phrase with an
/// article. In "what is Ada's desk" and "what is the port of the wiki", desk and port are the attribute.
fn subject(tokens: &[Token]) -> Vec<usize> {
    // "Welchen Editor": what follows is what is asked for, however it is written.
    let asked_for = |at: usize| at > 0 && matches!(&*tokens[at - 1].canon, "which" | "what" | "whose");
    let is_name = |at: &usize| {
        let token = &tokens[*at];
        !asked_for(*at) && token.possessor && token.is_content()
            || token.capital && !token.opens && token.kind == TokenKind::Name && !asked_for(*at)
    };
    let names: Vec<usize> = (0..tokens.len()).filter(is_name).collect();
    let articles = |at: &usize| matches!(&*tokens[*at].canon, "the" | "my" | "our" | "your");
    let article = (0..tokens.len()).rev().find(articles);
    let phrase = |from: usize| -> Vec<usize> {
        let ends = |at: &usize| {
            let token = &tokens[*at];
            !token.is_content() || *at > from && is_verb_behind(tokens, *at)
        };
        (from..tokens.len()).take_while(|at| !ends(at)).collect()
    };
    if let Some(last) = names.last().copied() {
        let mut subject = match article.filter(|at| at < &names[0]) {
            // "the bakery on Mill Street"
            Some(article) if !joins(tokens, article, names[0]) => phrase(article + 1),
            _ => Vec::new(),
        };
        subject.extend(names.iter().copied());
        // "Ada's brother" in "where does Ada's brother live": what is owned belongs to the subject if more follows.
        let owned = if tokens[last].possessor { phrase(last + 1) } else { Vec::new() };
        let follows = owned.last().is_some_and(|at| at + 1 < tokens.len());
        subject.extend(owned.into_iter().filter(|_| follows));
        subject.sort_unstable();
        subject.dedup();
        return subject;
    }
    article.map(|at| phrase(at + 1)).unwrap_or_default()
}

/// Returns whether "of" stands between an article and a name: "the port of Heron".
fn joins(tokens: &[Token], article: usize, name: usize) -> bool {
    tokens[article..name].iter().any(|token| matches!(&*token.canon, "of" | "for"))
        || tokens[article..name].iter().any(|token| is_auxiliary(&token.canon) || is_copula(&token.canon))
}

/// Returns whether a token is the verb at the end of a question: "does the job queue run", "is the wiki hosted".
fn is_verb_behind(tokens: &[Token], at: usize) -> bool {
    let token = &tokens[at];
    let last = at + 1 == tokens.len() || is_preposition(&tokens[at + 1].canon) || is_determiner(&tokens[at + 1].canon);
    let asked = tokens[..at].iter().any(|token| {
        matches!(&*token.canon, "do" | "does" | "did") || is_copula(&token.canon) || is_auxiliary(&token.canon)
    });
    last && asked && (token.verb || token.canon.ends_with("ed"))
}

/// Returns the values that a question offers: "up or down".
fn choices(tokens: &[Token], subject: &[usize]) -> Vec<usize> {
    let copula = tokens.first().is_some_and(|token| is_copula(&token.canon));
    let or = tokens.iter().position(|token| token.canon == "or").filter(|_| copula);
    let Some(or) = or.filter(|or| *or > 0 && or + 2 == tokens.len()) else { return Vec::new() };
    [or - 1, or + 1].into_iter().filter(|at| !subject.contains(at)).collect()
}
