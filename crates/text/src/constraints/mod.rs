//! Constraints: texts that say what must, may not or can only be done, by whom, up to which amount or until when.
//!
//! ```
//! use elfmem_text::constraints::states_constraint;
//!
//! assert!(states_constraint("Maria is allergic to peanuts"));
//! assert!(states_constraint("Der Anhänger darf höchstens 750 kg laden"));
//! assert!(states_constraint("La matrícula hay que pagarla antes del 15 de junio"));
//! assert!(!states_constraint("Ravi plays the cello"));
//! ```

mod clock;
mod kinds;
mod words;

pub use kinds::{ConstraintKind, constraint_kinds, sought_terms, task_kinds};

use clock::limits_to_an_hour;

use crate::language::Language;
use crate::updates::{PhraseTable, Phrases, fold_words};

/// Returns whether a text states a need of somebody, a rule, a limit or a deadline. A text too short to tell its language is
/// read in all of them.
pub fn states_constraint(text: &str) -> bool {
    let words = fold_words(text);
    let is_stated = |language: Language| phrases(language).occur_in(&words) || limits_to_an_hour(&words, language);
    match Language::detect(text) {
        Some(language) => is_stated(language),
        None => Language::ALL.into_iter().any(is_stated),
    }
}

fn phrases(language: Language) -> &'static Phrases {
    static TABLE: PhraseTable = PhraseTable::new();
    Phrases::of_table(&TABLE, language, words::phrases)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needs_rules_limits_and_deadlines_are_constraints_in_every_language() {
        for text in [
            "Lea cannot have dairy",
            "The customer insists on invoices on paper",
            "Der Kunde verlangt Angebote auf Deutsch",
            "El cliente exige facturas en papel",
            "Il cliente esige le fatture su carta",
            "O cliente exige faturas em papel",
            "De klant eist facturen op papier",
            "Nobody may enter the lab without goggles: goggles are mandatory",
            "The lorry takes up to nine tonnes",
            "The application is due on Monday",
            "Kai hat eine Nussallergie",
            "Auf dem Dach herrscht Helmpflicht",
            "Der Antrag ist spätestens am Montag fällig",
            "Anaïs ne mange pas de porc",
            "L'accès est interdit le dimanche",
            "Rosa no puede comer marisco",
            "El plazo termina el lunes",
            "Giulia è intollerante al lattosio",
            "La domanda scade il 3 maggio",
            "O João é alérgico ao pó",
            "O salão leva no máximo trinta pessoas",
            "Fleur eet geen vis",
            "De sleutel moet elke avond terug in het kastje",
            "Hannah gets seasick on ferries",
            "Mailjet allows 6,000 emails a day",
            "Finn reagiert stark auf Wespenstiche",
            "The owner wants everybody gone by 22:00",
            "The camera is insured only while somebody is with it",
            "We have no licence for the song",
            "Der Saal im ersten Stock hat keinen Aufzug",
            "Das Gerät läuft nur, solange jemand daneben steht",
            "Il ne faut pas percer ce mur",
            "Le devis n'est valable que jusqu'au 30 avril",
            "La sala no tiene ascensor",
            "La sala non ha un ascensore",
            "O salão não tem elevador",
            "De zaal heeft geen lift",
        ] {
            assert!(states_constraint(text), "{text}");
        }
    }

    #[test]
    fn what_is_merely_so_is_no_constraint() {
        for text in [
            "Maria lives in Porto",
            "The coffee machine was descaled last month",
            "Der Steg wurde 2019 erneuert",
            "La patronne aime le jazz",
            "Los abuelos viven en Soria",
            "Sanne heeft een bakfiets",
            "",
        ] {
            assert!(!states_constraint(text), "{text}");
        }
    }

    #[test]
    fn phrases_are_written_as_words_are_compared() {
        for language in Language::ALL {
            for phrase in words::phrases(language) {
                let plain = phrase.replace(['*', '…'], "");
                assert_eq!(fold_words(&plain).join(" "), plain.replace("  ", " "), "{language:?} {phrase}");
            }
        }
    }
}
