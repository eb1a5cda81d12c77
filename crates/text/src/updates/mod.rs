//! Texts that replace older ones: whether a text announces a change, and which time a question asks about.
//!
//! ```
//! use elfmem_text::updates::{QuestionTense, announces_change};
//!
//! assert!(announces_change("Deploys go out on Thursdays now."));
//! assert!(announces_change("Der Anhänger steht jetzt in der Scheune."));
//! assert!(!announces_change("Deploys go out on Tuesdays."));
//! assert_eq!(QuestionTense::of("Who ran the team before?"), QuestionTense::Former);
//! assert_eq!(QuestionTense::of("When did the album come out?"), QuestionTense::Past);
//! assert_eq!(QuestionTense::of("Who runs the team?"), QuestionTense::Present);
//! ```

mod phrases;
mod words;

use crate::language::Language;
pub(crate) use phrases::{PhraseTable, Phrases, fold_words};

/// Returns whether a text says that something changed: a new holder, a new place, an end, a different value.
pub fn announces_change(text: &str) -> bool {
    let language = Language::detect(text).unwrap_or(Language::English);
    Phrases::change(language).occur_in(&fold_words(text))
}

/// The time that a question asks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum QuestionTense {
    /// How things are.
    #[default]
    Present,
    /// What happened, or how things were at some time.
    Past,
    /// How things were before they changed.
    Former,
}

impl QuestionTense {
    /// Returns the time that a question asks about.
    pub fn of(question: &str) -> Self {
        let language = Language::detect(question).unwrap_or(Language::English);
        let words = fold_words(question);
        if Phrases::former(language).occur_in(&words) || asks_for_before(language, &words) {
            Self::Former
        } else if Phrases::past(language).occur_in(&words) {
            Self::Past
        } else {
            Self::Present
        }
    }
}

/// Returns whether a question ends in a word such as "before", or has one that does not begin a clause about something
/// that still happens.
fn asks_for_before(language: Language, question: &[String]) -> bool {
    let is_one_of = |list: &[&str], word: &String| list.contains(&word.as_str());
    question.iter().position(|word| is_one_of(words::before(language), word)).is_some_and(|at| {
        let happens = question[..at].iter().any(|word| is_one_of(words::present(language), word));
        at + 1 == question.len() || !happens
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_announced_in_seven_languages() {
        let changes = [
            "Bert took over as head of support.",
            "Handover done: Jun-seo makes the releases from here on.",
            "Frau Petzold ist zurückgetreten.",
            "Es gibt keine Quittungen mehr.",
            "Nous ne livrons plus le samedi.",
            "La nueva maestra de la almazara es Rocío.",
            "Non usiamo più la vecchia linea.",
            "O escritório mudou para o Porto.",
            "We vergaderen voortaan op dinsdag.",
        ];
        for text in changes {
            assert!(announces_change(text), "{text}");
        }
        let plain = [
            "Ada is head of support.",
            "Die Halle hat zwei Tore.",
            "Le bureau est à Lyon.",
            "La almazara abre a las ocho.",
            "La linea fa 2.200 bottiglie.",
            "",
        ];
        for text in plain {
            assert!(!announces_change(text), "{text}");
        }
    }

    #[test]
    fn a_gap_spans_one_to_four_words() {
        assert!(announces_change("From the new tax year on Petra does the books."));
        assert!(!announces_change("It is on the way from Bonn."));
    }

    #[test]
    fn questions_ask_about_the_present_unless_they_say_otherwise() {
        for (question, tense) in [
            ("Where do I live?", QuestionTense::Present),
            ("How many reviews does a change need before it is merged?", QuestionTense::Present),
            ("¿Qué se debe revisar antes de publicar?", QuestionTense::Present),
            ("Who runs the team before Ada?", QuestionTense::Former),
            ("What is it that we used before?", QuestionTense::Former),
            ("Wer war der Bootswart?", QuestionTense::Past),
            ("Wer war früher Bootswart?", QuestionTense::Former),
            ("¿Quién era antes el maestro?", QuestionTense::Former),
            ("Cosa era successo?", QuestionTense::Past),
        ] {
            assert_eq!(QuestionTense::of(question), tense, "{question}");
        }
    }
}
