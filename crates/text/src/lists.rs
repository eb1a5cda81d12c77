//! Questions that ask for everything of a sort.
//!
//! ```
//! use elfmem_text::lists::asks_for_list;
//!
//! assert!(asks_for_list("Which suppliers do we have?"));
//! assert!(asks_for_list("Quali fornitori abbiamo per la linea?"));
//! assert!(asks_for_list("Who packages it for which distribution?"));
//! assert!(!asks_for_list("Who is the treasurer?"));
//! ```

use crate::language::Language;
use crate::terms::folded;

/// Returns whether a question asks for all members of something: an interrogative before a plural ("which rules"), one
/// beside another ("who does what"), or a word for everything.
pub fn asks_for_list(question: &str) -> bool {
    let words: Vec<String> =
        question.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(folded).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let language = Language::detect(question).unwrap_or(Language::English);
    let forms = ListForms::of(language);
    let holds = |phrase: &&str| {
        let phrase: Vec<&str> = phrase.split(' ').collect();
        words.windows(phrase.len()).any(|window| window == phrase)
    };
    forms.everything.iter().any(holds)
        || (0..words.len()).any(|at| forms.asks_for_several(&words[at..]))
        || words.iter().any(|word| forms.persons.contains(word)) && words.iter().any(|word| forms.things.contains(word))
}

/// The forms by which a language asks for several things.
struct ListForms {
    /// Phrases for all of something.
    everything: &'static [&'static str],
    /// Interrogatives that are plural themselves.
    plural: &'static [&'static str],
    /// Interrogatives that ask for several things if a plural follows.
    things: &'static [&'static str],
    /// Interrogatives for people: "who does what".
    persons: &'static [&'static str],
    /// Words between an interrogative and its noun at most.
    between: usize,
    is_plural: fn(&str) -> bool,
}

impl ListForms {
    fn of(language: Language) -> Self {
        let (everything, plural, things, persons): (
            &'static [&'static str],
            &'static [&'static str],
            &'static [&'static str],
            &'static [&'static str],
        ) = match language {
            Language::English => (
                &["everything", "all the", "all of", "all our", "all my", "know about", "known about", "noted about"],
                &["what are", "who are"],
                &["which", "what"],
                &["who", "whom"],
            ),
            Language::German => (
                &["alles", "alle", "wissen wir uber", "bekannt uber", "was sind", "wer sind"],
                &[],
                &["welche", "welchen", "welches", "welcher"],
                &["wer", "wem", "wen"],
            ),
            Language::French => (
                &["tout ce", "tout sur", "tous les", "toutes les", "savons nous"],
                &["quels", "quelles", "lesquels", "lesquelles"],
                &["quel", "quelle"],
                &["qui"],
            ),
            Language::Spanish => (
                &["todo lo", "todos los", "todas las", "sabemos de", "sabemos sobre"],
                &["cuales", "quienes"],
                &["que"],
                &["quien"],
            ),
            Language::Italian => {
                (&["tutto", "tutti i", "tutte le", "sappiamo di", "sappiamo su"], &["quali"], &["quale"], &["chi"])
            }
            Language::Portuguese => {
                (&["tudo", "todos os", "todas as", "sabemos sobre"], &["quais"], &["que", "qual"], &["quem"])
            }
            Language::Dutch => (&["alles", "alle", "weten we over"], &[], &["welke"], &["wie"]),
        };
        let is_plural: fn(&str) -> bool = match language {
            Language::German => |word| word.ends_with('n') || word.ends_with("er"),
            Language::Dutch => |word| word.ends_with("en") || word.ends_with('s'),
            Language::Italian => |_| false,
            _ => |word| word.ends_with('s') && !["ss", "us", "is"].iter().any(|end| word.ends_with(end)),
        };
        let between = if language == Language::English { 2 } else { 0 };
        Self { everything, plural, things, persons, between, is_plural }
    }

    /// Returns whether some words begin with an interrogative that asks for several things.
    fn asks_for_several(&self, words: &[&str]) -> bool {
        let starts = |phrase: &&str| {
            phrase.split(' ').enumerate().all(|(at, part)| words.get(at).is_some_and(|word| *word == part))
        };
        if self.plural.iter().any(starts) {
            return true;
        }
        let Some((first, rest)) = words.split_first().filter(|(first, _)| self.things.contains(first)) else {
            return false;
        };
        // "What does", "which is": a verb follows, and no noun.
        let is_noun = |word: &&&str| word.len() > MIN_NOUN && !VERBS.contains(*word);
        let nouns = rest.iter().take(1 + self.between).take_while(is_noun);
        first.len() > 1 && nouns.into_iter().any(|word| (self.is_plural)(word))
    }
}

/// Letters of a noun at least.
const MIN_NOUN: usize = 3;
/// Verbs and adverbs that stand behind an interrogative and end like a plural.
const VERBS: [&str; 8] = ["does", "always", "goes", "needs", "happens", "costs", "comes", "means"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_behind_an_interrogative_ask_for_a_list_in_seven_languages() {
        for question in [
            "Which visa rules matter for my trips?",
            "What are the rules for quotes?",
            "What do we know about Tobias?",
            "Who is in the band and plays what?",
            "Welche Regeln gelten auf dem Wasser?",
            "Wer hat welches Amt im Verein?",
            "What regular monthly fees do you know?",
            "Quels animaux sont suivis ici ?",
            "Tout sur la grange de M. Ferrandier",
            "¿Qué reglas hay que cumplir en la almazara?",
            "Quali fornitori abbiamo per la linea?",
            "Quais são os nossos fornecedores?",
            "Welke regels gelden er voor de zaal?",
        ] {
            assert!(asks_for_list(question), "{question}");
        }
    }

    #[test]
    fn a_question_for_one_thing_asks_for_no_list() {
        for question in [
            "What does Saffron need before every visit?",
            "Which bus is it?",
            "What happens at noon?",
            "Where do I live?",
            "Wer ist der Bootswart?",
            "¿Quién lleva la almazara?",
            "Quanto costa la latta?",
            "",
        ] {
            assert!(!asks_for_list(question), "{question}");
        }
    }
}
