//! A text taken apart into subject, attribute, value, polarity, time and condition.

use super::clause::{Clause, clauses, is_determiner, is_preposition, is_pronoun};
use super::cues::{ChangeVerb, Cue, Cues, Mark, cues};
use super::form::Form;
use super::languages::perfect;
use crate::language::Language;
use crate::pairs::analysed_text::AnalysedText;
use crate::pairs::lexicon::{Lexicon, is_copula};
use crate::pairs::scan::Break;
use crate::pairs::token::{Token, TokenKind};

/// What kind of thing a statement states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatementKind {
    /// How something is until it changes.
    State,
    /// What happened at some time. It stays true.
    Episode,
    /// What somebody should do.
    Instruction,
    /// What is intended or expected.
    Plan,
    /// What somebody said or thinks.
    Report,
    /// What would be the case under a condition.
    Hypothesis,
    /// None of these could be established.
    Unknown,
}

/// A text taken apart. Parse once, compare often.
///
/// ```
/// use elfmem_text::statements::{StatementKind, Statement, same_topic};
///
/// let older = Statement::parse("Ada lives in Braga.");
/// let newer = Statement::parse("Ada lives in Porto now.");
/// assert_eq!(older.kind(), StatementKind::State);
/// assert!(same_topic(&older, &newer));
/// assert!(!same_topic(&older, &Statement::parse("Ada's brother lives in Porto.")));
/// ```
#[derive(Debug, Clone)]
pub struct Statement {
    pub(super) language: Option<Language>,
    pub(super) form: Form,
    pub(super) kind: StatementKind,
    pub(super) words: AnalysedText,
    pub(super) clauses: Vec<Clause>,
    pub(super) cues: Cues,
    topics: Vec<Topic>,
    text: Box<str>,
}

/// The subject and the attribute of a clause.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Topic {
    subject: Vec<String>,
    attribute: String,
}

impl Statement {
    /// Takes a text apart. Costs a few microseconds per sentence.
    pub fn parse(text: &str) -> Self {
        Self::parse_in(text, super::languages::language_of(text))
    }

    /// Takes a text of a known language apart.
    pub(super) fn parse_in(text: &str, language: Option<Language>) -> Self {
        let text = without_opener(text);
        let form = Form::of(text);
        let words = AnalysedText::in_language(text, language);
        let clauses = clauses(&words.tokens, &words.pieces);
        let mut cues = cues(&words.tokens, &words.pieces);
        cues.keep_subjects_plain(&clauses, &words.tokens);
        let kind = if form == Form::Prose { kind(&words, &clauses, &cues, text) } else { StatementKind::Unknown };
        let mut statement = Self { language, form, kind, words, clauses, cues, topics: Vec::new(), text: text.into() };
        statement.topics = statement.clauses.iter().filter_map(|clause| statement.topic(clause)).collect();
        statement
    }

    /// Returns the statement read in a language, if its own was unknown.
    pub(super) fn read_in(&self, language: Language) -> Option<Self> {
        self.language.is_none().then(|| Self::parse_in(&self.text, Some(language)))
    }

    /// Returns the text.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Returns a range of tokens as it is written in the text; none if the words of the text cannot
    /// be counted, because some of them were split.
    pub(super) fn written(&self, range: std::ops::Range<usize>) -> Option<String> {
        if matches!(
            self.language,
            Some(Language::French | Language::Italian | Language::Spanish | Language::Portuguese)
        ) {
            return None;
        }
        let last = self.words.tokens.get(range.end).map_or(self.words.pieces.len(), |next| next.at);
        let pieces = self.words.pieces.get(self.words.tokens.get(range.start)?.at..last)?;
        let (first, last) = (pieces.first()?.chunk, pieces.last()?.chunk);
        let words: Vec<&str> = self.text.split_whitespace().collect();
        Some(words.get(first..=last)?.join(" "))
    }

    /// Returns which of the words between spaces a token comes from.
    pub(super) fn chunk(&self, at: usize) -> Option<usize> {
        self.words.pieces.get(self.words.tokens.get(at)?.at).map(|piece| piece.chunk)
    }

    /// Returns a clause as it is written, with its subject.
    pub(super) fn clause_text(&self, number: usize) -> Option<String> {
        let clause = self.clauses.get(number)?;
        let text = self.written(clause.span.clone())?;
        Some(if clause.continues { format!("{} {text}", self.written(clause.subject.clone())?) } else { text })
    }

    /// Returns the clauses that have a verb as they are written, each with its subject; none of a text whose words cannot be
    /// counted, because some of them were split: in French, Italian, Spanish and Portuguese.
    ///
    /// ```
    /// use elfmem_text::statements::Statement;
    ///
    /// let statement = Statement::parse("Ada works as a nurse and lives in Porto");
    /// assert_eq!(statement.clause_texts(), ["Ada works as a nurse", "Ada lives in Porto"]);
    /// ```
    pub fn clause_texts(&self) -> Vec<String> {
        let with_verb = (0..self.clauses.len()).filter(|number| self.clauses[*number].predicate.is_some());
        with_verb.filter_map(|number| self.clause_text(number)).collect()
    }

    /// Returns the kind.
    pub fn kind(&self) -> StatementKind {
        self.kind
    }

    /// Returns the outer form.
    pub fn form(&self) -> Form {
        self.form
    }

    /// Returns the language; none if it is not one of the seven or cannot be told.
    pub fn language(&self) -> Option<Language> {
        self.language
    }

    /// Returns true if the text announces a change: now, since, no longer, moved.
    pub fn announces_change(&self) -> bool {
        self.cues.announces()
    }

    pub(super) fn tokens(&self) -> &[Token] {
        &self.words.tokens
    }

    /// Returns the content tokens of a range that belong to what is stated.
    pub(super) fn content(&self, range: std::ops::Range<usize>) -> impl Iterator<Item = (usize, &Token)> {
        range.filter_map(|at| {
            let token = &self.words.tokens[at];
            (token.is_content() && self.cues.mark(at) == Mark::Plain).then_some((at, token))
        })
    }

    fn topic(&self, clause: &Clause) -> Option<Topic> {
        let tokens = self.tokens();
        let mut subject: Vec<String> =
            self.content(clause.subject.clone()).map(|(_, token)| owned_key(token)).collect();
        let persons = clause.subject.clone().map(|at| tokens[at].canon.as_str()).filter(|word| is_pronoun(word));
        if subject.is_empty() {
            subject.extend(persons.map(str::to_owned));
        }
        let value = |test: fn(&TokenKind) -> bool| {
            (clause.subject.end..clause.span.end).any(|at| self.cues.mark(at) != Mark::Time && test(&tokens[at].kind))
        };
        let dated = value(|kind| matches!(kind, TokenKind::DateTime(_)));
        let counted = value(|kind| matches!(kind, TokenKind::Number(_)));
        let verb = clause.verb.map(|at| &tokens[at]);
        let change = self.cues.within(std::slice::from_ref(&clause.span)).change.map(|(class, _)| class);
        let lives = |token: &Token| matches!(&*token.key, "live" | "resid" | "base" | "settl");
        if let Some(holder) = self.holder(clause) {
            subject = holder;
            subject.sort();
            return Some(Topic { subject, attribute: "holder".to_owned() });
        }
        let attribute = match (change, verb) {
            (Some(ChangeVerb::Reschedule), _) => "when".to_owned(),
            (Some(ChangeVerb::Move), _)
                if dated && tokens[clause.subject.clone()].iter().all(|token| token.kind != TokenKind::Name) =>
            {
                "when".to_owned()
            }
            (Some(ChangeVerb::Move), _) => "live".to_owned(),
            (Some(ChangeVerb::Amount), _) => "amount".to_owned(),
            (Some(ChangeVerb::Switch), _) => "use".to_owned(),
            (_, Some(verb)) if lives(verb) => "live".to_owned(),
            (_, Some(verb)) if matches!(&*verb.key, "use" | "run" | "prefer") => "use".to_owned(),
            (_, Some(verb)) if matches!(&*verb.key, "cost" | "price" | "weigh") => "amount".to_owned(),
            (_, Some(verb)) if dated && Lexicon::shared().has_one_date(&verb.key) => "when".to_owned(),
            (_, Some(verb)) => verb.key.clone(),
            (_, None) if dated => "when".to_owned(),
            (_, None) if counted => "amount".to_owned(),
            (_, None) => {
                let mut behind = (clause.subject.end..clause.span.end).map(|at| tokens[at].canon.as_str());
                let place = behind.find(|word| is_preposition(word)).unwrap_or_default();
                format!("be {place}")
            }
        };
        subject.sort();
        (!subject.is_empty()).then_some(Topic { subject, attribute })
    }

    /// Returns the words of a role if the clause says who has it: "Ada is the head of design",
    /// "Head of design: Ada".
    fn holder(&self, clause: &Clause) -> Option<Vec<String>> {
        let role = super::roles::role(self, clause)?;
        Some(role.words.iter().map(|at| self.tokens()[*at].key.clone()).collect())
    }
}

/// Words of a chat or a note before what is said.
const OPENERS: [&str; 14] = [
    "heads up",
    "good news",
    "bad news",
    "btw",
    "fyi",
    "hey",
    "hi",
    "ok",
    "okay",
    "note",
    "reminder",
    "psst",
    "so",
    "nb",
];

/// Returns the text without a word that only calls for attention: "btw", "fyi:", "heads up,".
fn without_opener(text: &str) -> &str {
    let trimmed = text.trim_start();
    let opener = OPENERS.iter().find_map(|opener| {
        let head = trimmed.get(..opener.len()).filter(|head| head.eq_ignore_ascii_case(opener))?;
        let rest = &trimmed[head.len()..];
        let marked = rest.strip_prefix([',', ':']).filter(|rest| rest.starts_with(' '));
        let bare = rest.strip_prefix(' ').filter(|_| matches!(*opener, "btw" | "fyi" | "psst"));
        marked.or(bare)
    });
    opener.map(str::trim_start).filter(|rest| !rest.is_empty()).unwrap_or(text)
}

fn owned_key(token: &Token) -> String {
    if token.possessor { format!("{}'", token.key) } else { token.key.clone() }
}

/// Returns true if two statements are about the same attribute of the same subject. Their values
/// may differ.
///
/// Both must be parsed already; comparing costs well under a microsecond.
pub fn same_topic(a: &Statement, b: &Statement) -> bool {
    let comparable =
        |statement: &Statement| !matches!(statement.kind, StatementKind::Report | StatementKind::Hypothesis);
    comparable(a) && comparable(b) && a.topics.iter().any(|topic| b.topics.contains(topic))
}

fn kind(words: &AnalysedText, clauses: &[Clause], cues: &Cues, text: &str) -> StatementKind {
    let tokens = &words.tokens;
    let word = |at: usize| tokens.get(at).map_or("", |token| token.canon.as_str());
    if tokens.is_empty() {
        return StatementKind::Unknown;
    }
    let any = |test: &dyn Fn(usize) -> bool| (0..tokens.len()).any(test);
    let quoted = text.matches(['"', '\u{201c}', '\u{201e}', '\u{ab}']).count() > 0 && text.contains([':', ',']);
    let reports = |at: usize| {
        let before = at.checked_sub(1).map_or("", word);
        let passive = is_copula(before);
        matches!(&*tokens[at].key, "say" | "think" | "believ" | "opinion" | "motto")
            && tokens[at].kind == TokenKind::Word
            && !passive
            || matches!(word(at), "claims" | "claimed" | "argues" | "argued" | "suggests" | "suggested")
                && tokens[at].verb
                && word(at + 1) != "to"
            || tokens[at].key == "tell" && !passive && (at..at + 5).any(|near| word(near) == "that")
            || matches!(&*tokens[at].key, "mention" | "report" | "announc") && word(at + 1) == "that"
            || matches!((word(at), word(at + 1)), ("according", "to"))
            || word(at) == "view" && at > 0 && tokens[at - 1].possessor
            || matches!(word(at), "favour" | "favor" | "against") && passive
    };
    // "Silvan: merge it as it is"
    let speaks = clauses.first().is_some_and(|clause| {
        let names = clause.subject.clone().all(|at| tokens[at].capital && !tokens[at].possessor);
        let colon =
            words.pieces.get(tokens[clause.subject.end.max(1) - 1].at).is_some_and(|piece| piece.after == Break::Colon);
        names
            && colon
            && clause.subject.len() == 1
            && tokens.get(1).is_some_and(|token| token.verb && !token.canon.ends_with('s'))
    });
    if speaks {
        return StatementKind::Report;
    }
    if quoted && any(&|at| matches!(word(at), "says" | "said" | "told" | "review" | "retro")) || any(&reports) {
        return StatementKind::Report;
    }
    let first = word(0);
    let inverted =
        matches!(first, "had" | "were" | "should") && clauses.first().is_some_and(|clause| clause.predicate == Some(0));
    let hypothetical =
        any(&|at| matches!(word(at), "if" | "would" | "unless" | "suppose" | "wether" | "might" | "maybe" | "perhaps"))
            || inverted
            || any(&|at| matches!((word(at), word(at + 1)), ("in", "case")));
    if hypothetical {
        return StatementKind::Hypothesis;
    }
    let plans = |at: usize| {
        let before = at.checked_sub(1).map_or("", word);
        match word(at) {
            "will" | "shall" => tokens[at].kind == TokenKind::Function && word(at + 1) != "not",
            "planned" | "budgeted" | "estimated" | "promised" | "intended" | "proposed" => {
                !matches!(before, "than" | "as")
            }
            "intends" | "intend" | "hopes" | "aims" | "wishes" => true,
            "plan" | "plans" | "planning" | "wants" | "want" | "going" | "hope" => word(at + 1) == "to",
            _ => false,
        }
    };
    if any(&plans) {
        return StatementKind::Plan;
    }
    let Some(clause) = clauses.first() else { return StatementKind::Unknown };
    let native = words.pieces.iter().find_map(|piece| piece.native);
    if cues.has(Cue::Past) || native.is_some_and(|language| perfect::tells_what_happened(text, language)) {
        return StatementKind::Episode;
    }
    // "Mark replaced Emacs with vim": the name is a verb as well.
    let past = |token: &Token| token.canon.ends_with("ed") || Lexicon::shared().is_irregular(&token.canon);
    let named = tokens[0].opens && words.pieces[tokens[0].at].capital && clause.predicate == Some(0);
    if named && tokens.get(1).is_some_and(|next| next.verb && past(next) && !next.canon.ends_with('s')) {
        return StatementKind::Episode;
    }
    if is_imperative(words, clause) {
        return StatementKind::Instruction;
    }
    let Some(predicate) = clause.predicate else { return StatementKind::State };
    let lexicon = Lexicon::shared();
    let auxiliary = word(predicate);
    match auxiliary {
        "was" | "were" | "did" | "had" => StatementKind::Episode,
        "has" | "have" => match clause.verb {
            Some(at) if word(at) != auxiliary && at != predicate && !word(at).ends_with('s') => {
                let since = cues.has(Cue::Since) && cues.change().is_none();
                if since { StatementKind::State } else { StatementKind::Episode }
            }
            _ if participle_at_end(words, clause) => StatementKind::Episode,
            _ => StatementKind::State,
        },
        "is" | "are" | "am" | "been" if participle_with_be(words, clause) => StatementKind::Episode,
        auxiliary if is_copula(auxiliary) => StatementKind::State,
        _ => {
            let token = &tokens[clause.verb.unwrap_or(predicate)];
            let base =
                matches!(&*token.canon, "cut" | "put" | "set" | "cost" | "hit" | "let" | "shut" | "read" | "quit");
            let past =
                token.canon.ends_with("ed") && token.canon.len() > 3 && token.canon != "need" && token.canon != "feed"
                    || lexicon.is_irregular(&token.canon) && !token.canon.ends_with('s') && !base;
            let modal = matches!(auxiliary, "can" | "must" | "should" | "may" | "do" | "does");
            if past && !modal { StatementKind::Episode } else { StatementKind::State }
        }
    }
}

/// Returns true if a clause of another language tells by a form of "to be" what happened: "ist gefahren", "est parti". With
/// other verbs it tells how things are: "ist gesperrt", "est hébergé".
fn participle_with_be(words: &AnalysedText, clause: &Clause) -> bool {
    let Some(predicate) = clause.predicate else { return false };
    (predicate + 1..clause.span.end).any(|at| {
        let token = &words.tokens[at];
        let native = words.pieces[token.at].native;
        native.is_some_and(|language| perfect::is_participle_with_be(&token.canon, language))
    })
}

/// Returns true if the last word of a clause of another language looks like a participle: "hat den
/// Brief geschrieben", "a peint la porte".
fn participle_at_end(words: &AnalysedText, clause: &Clause) -> bool {
    let Some(predicate) = clause.predicate else { return false };
    (predicate + 1..clause.span.end).any(|at| {
        let token = &words.tokens[at];
        let piece = &words.pieces[token.at];
        let ending = |endings: &[&str]| endings.iter().any(|ending| token.canon.ends_with(ending));
        let with_be = piece.native.is_some_and(|language| perfect::is_participle_with_be(&token.canon, language));
        token.kind == TokenKind::Word
            && token.canon.len() > 3
            && (with_be
                || match piece.native {
                    Some(Language::German | Language::Dutch) => {
                        !piece.capital
                            && (token.canon.starts_with("ge")
                                || token.canon.contains("ge") && ending(&["t", "en"])
                                || ending(&["iert"]))
                    }
                    Some(Language::French) => at == predicate + 1 && ending(&["e", "i", "u", "is", "it", "ert"]),
                    Some(Language::Spanish | Language::Portuguese) => {
                        at == predicate + 1 && ending(&["ado", "ido", "ada", "ida", "sto", "cho"])
                    }
                    Some(Language::Italian) => {
                        at == predicate + 1 && ending(&["ato", "uto", "ito", "ata", "uta", "ita", "sso", "tto", "sto"])
                    }
                    _ => false,
                })
    })
}

/// Returns true for a sentence without a subject that starts with a verb: "Never push to main".
fn is_imperative(words: &AnalysedText, clause: &Clause) -> bool {
    let tokens = &words.tokens;
    let start = clause.lead.end.max(clause.span.start);
    let mut at = start;
    while tokens.get(at).is_some_and(|token| {
        matches!(&*token.canon, "always" | "never" | "please" | "not" | "do" | "only" | "just" | "remember")
            || token.kind == TokenKind::Negator
    }) {
        at += 1;
    }
    let Some(token) = tokens.get(at) else { return false };
    let bare = token.canon != "last"
        && token.verb
        && !token.canon.ends_with('s')
        && !token.canon.ends_with("ed")
        && !token.canon.ends_with("ing");
    let subject = tokens.get(at + 1).is_none_or(|next| !is_copula(&next.canon));
    let past = Lexicon::shared().is_irregular(&token.canon);
    // These languages leave out the pronoun of the subject.
    let drops = words
        .pieces
        .iter()
        .any(|piece| matches!(piece.native, Some(Language::Spanish | Language::Italian | Language::Portuguese)));
    clause.subject.is_empty()
        && !past
        && !drops
        && (bare || at > start && token.kind == TokenKind::Word)
        && subject
        && !is_determiner(&token.canon)
}
