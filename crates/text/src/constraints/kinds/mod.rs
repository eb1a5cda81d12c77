//! Kinds of constraints and of tasks: what may not be eaten matters to whoever cooks, and what may be spent to whoever buys.
//!
//! ```
//! use elfmem_text::constraints::{ConstraintKind, constraint_kinds, task_kinds};
//!
//! assert_eq!(task_kinds("cook dinner"), [ConstraintKind::Food]);
//! assert_eq!(constraint_kinds("Maria is allergic to peanuts"), [ConstraintKind::Food]);
//! assert!(constraint_kinds("Finn is allergic to wasp stings").is_empty());
//! assert!(task_kinds("den Bus mieten").contains(&ConstraintKind::Money));
//! ```

mod dutch;
mod english;
mod french;
mod german;
mod italian;
mod portuguese;
mod spanish;

use std::sync::OnceLock;

use crate::language::Language;
use crate::updates::{Phrases, fold_words};

/// What a constraint is about, and which tasks it may concern for that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConstraintKind {
    /// What somebody may not eat or drink.
    Food,
    /// What may be spent.
    Money,
    /// Where data may go and who may see it.
    Data,
    /// Deadlines, opening hours, times at which something may not be done.
    Time,
    /// Who may enter or use something, and with what training or protection.
    Access,
    /// What a machine or a service can take.
    Machine,
    /// When it has to be quiet.
    Noise,
}

impl ConstraintKind {
    /// All kinds.
    pub const ALL: [Self; 7] =
        [Self::Food, Self::Money, Self::Data, Self::Time, Self::Access, Self::Machine, Self::Noise];

    /// Returns whether a constraint of this kind may concern every task of the kind, whatever else the two are about. A budget
    /// is one for something; an allergy is one at every meal.
    pub fn concerns_every_task(self) -> bool {
        matches!(self, Self::Food | Self::Data | Self::Noise)
    }
}

/// The words of a language. Lists by kind are in the order of [`ConstraintKind::ALL`].
struct KindWords {
    /// What tasks of a kind say.
    tasks: [&'static [&'static str]; 7],
    /// What constraints of a kind say.
    rules: [&'static [&'static str]; 7],
    /// Beginnings of the terms of constraints about food, data and noise.
    sought: [&'static [&'static str]; 3],
    /// What an allergy or a need is about that is not eaten.
    not_food: &'static [&'static str],
}

fn words(language: Language) -> &'static KindWords {
    match language {
        Language::English => &english::WORDS,
        Language::German => &german::WORDS,
        Language::French => &french::WORDS,
        Language::Spanish => &spanish::WORDS,
        Language::Italian => &italian::WORDS,
        Language::Portuguese => &portuguese::WORDS,
        Language::Dutch => &dutch::WORDS,
    }
}

/// The words of a language, compiled.
struct KindPhrases {
    tasks: [Phrases; 7],
    rules: [Phrases; 7],
    not_food: Phrases,
}

impl KindPhrases {
    fn of(language: Language) -> &'static Self {
        static TABLE: OnceLock<Vec<KindPhrases>> = OnceLock::new();
        let compile = |language: &Language| {
            let words = words(*language);
            Self {
                tasks: words.tasks.map(Phrases::compile),
                rules: words.rules.map(Phrases::compile),
                not_food: Phrases::compile(words.not_food),
            }
        };
        &TABLE.get_or_init(|| Language::ALL.iter().map(compile).collect())[language as usize]
    }
}

/// Returns the kinds of constraints that may concern a task.
pub fn task_kinds(task: &str) -> Vec<ConstraintKind> {
    kinds(task, |phrases, kind, words| phrases.tasks[kind as usize].occur_in(words))
}

/// Returns what a constraint is about; nothing if its words do not tell.
pub fn constraint_kinds(text: &str) -> Vec<ConstraintKind> {
    kinds(text, |phrases, kind, words| {
        let is_other = kind == ConstraintKind::Food && phrases.not_food.occur_in(words);
        phrases.rules[kind as usize].occur_in(words) && !is_other
    })
}

/// Returns the beginnings of terms, as the index holds them, by which the constraints are found that may concern every task of
/// a kind. None for the other kinds.
pub fn sought_terms(kind: ConstraintKind, language: Language) -> impl Iterator<Item = String> {
    let sought = words(language).sought;
    let beginnings = match kind {
        ConstraintKind::Food => sought[0],
        ConstraintKind::Data => sought[1],
        ConstraintKind::Noise => sought[2],
        _ => &[],
    };
    let mark = language.mark().map(String::from).unwrap_or_default();
    beginnings.iter().map(move |beginning| format!("{mark}{beginning}"))
}

fn kinds(text: &str, is_of: impl Fn(&KindPhrases, ConstraintKind, &[String]) -> bool) -> Vec<ConstraintKind> {
    let words = fold_words(text);
    let detected = Language::detect(text);
    let languages: Vec<Language> =
        Language::ALL.into_iter().filter(|one| detected.is_none_or(|own| own == *one)).collect();
    let is_kind = |kind: &ConstraintKind| languages.iter().any(|one| is_of(KindPhrases::of(*one), *kind, &words));
    ConstraintKind::ALL.into_iter().filter(is_kind).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_and_constraints_of_a_kind_meet_in_every_language() {
        use ConstraintKind::{Access, Data, Food, Machine, Money, Noise, Time};
        for (kind, task, constraint) in [
            (Food, "order lunch for everyone", "Ravi cannot eat shellfish"),
            (Food, "für die Gäste kochen", "Kai hat eine Nussallergie"),
            (Food, "préparer le dîner de vendredi", "Anaïs ne mange pas de porc"),
            (Food, "hacer una paella el domingo", "La abuela es celíaca"),
            (Food, "preparare la cena di domani", "Giulia è intollerante al lattosio"),
            (Food, "cozinhar para a equipa", "O João não come carne"),
            (Food, "koken voor het team", "Fleur eet geen vis"),
            (Money, "book a hotel for the fair", "Travel expenses are capped at 800 euros"),
            (Money, "neue Stühle kaufen", "Das Budget beträgt 400 Euro"),
            (Data, "migrate the warehouse to us-east-1", "Customer data must not leave the EU"),
            (Data, "envoyer la liste à un partenaire", "Les données ne doivent pas sortir de l'Union"),
            (Time, "submit the application", "The application is due on Monday"),
            (Noise, "einen DJ für die Feier suchen", "Nach 23 Uhr darf keine Musik gespielt werden"),
            (Access, "repair the pump in the cellar", "Only Ingrid may enter the cellar without a permit"),
            (Machine, "write a script that syncs the contacts", "The API allows at most 100 requests per minute"),
        ] {
            assert!(task_kinds(task).contains(&kind), "{task}: {:?}", task_kinds(task));
            assert!(constraint_kinds(constraint).contains(&kind), "{constraint}: {:?}", constraint_kinds(constraint));
        }
    }

    #[test]
    fn what_is_not_eaten_is_no_constraint_of_a_meal() {
        for text in ["Finn is allergic to bees", "Mia hat eine Katzenallergie gegen Hunde", "Ana es alérgica al polen"]
        {
            assert!(!constraint_kinds(text).contains(&ConstraintKind::Food), "{text}");
        }
        for task in ["write a report for the team", "die Fahrräder putzen", "repasar el informe", ""] {
            assert!(!task_kinds(task).contains(&ConstraintKind::Food), "{task}");
        }
    }

    #[test]
    fn words_are_written_as_they_are_compared() {
        for language in Language::ALL {
            let KindWords { tasks, rules, not_food, .. } = words(language);
            for phrase in tasks.iter().chain(rules).chain([not_food]).copied().flatten() {
                let plain = phrase.replace(['*', '…'], "");
                assert_eq!(fold_words(&plain).join(" "), plain.replace("  ", " "), "{language:?} {phrase}");
            }
        }
    }
}
