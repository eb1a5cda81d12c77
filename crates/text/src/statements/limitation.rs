//! Limits of a later statement, and contrasts of an older one: what keeps a later state from replacing the whole older text.
//!
//! "The shop now opens at 8 on Saturdays" leaves true when it opens otherwise, and "Alerts now go to Teams" says nothing about
//! the e-mail that "Alerts go to Slack, not to email" excludes. Word lists of the seven languages, since a limit is
//! announced by few words.

use super::statement::Statement;
use crate::terms::terms_in;

/// Words that limit a statement to an occasion.
const OCCASIONS: &[&str] = &[
    // English
    "when",
    "whenever",
    "while",
    "during",
    "summer",
    "winter",
    "autumn",
    "weekend",
    "weekends",
    "holidays",
    // German
    "wenn",
    "solange",
    "während",
    "sommer",
    "frühling",
    "herbst",
    "wochenende",
    "wochenenden",
    "ferien",
    // French
    "quand",
    "lorsque",
    "pendant",
    "été",
    "hiver",
    "printemps",
    "automne",
    "vacances",
    // Spanish, Italian, Portuguese
    "cuando",
    "mientras",
    "durante",
    "verano",
    "invierno",
    "primavera",
    "otoño",
    "quando",
    "mentre",
    "inverno",
    "autunno",
    "enquanto",
    "verão",
    "outono",
    "vacaciones",
    "férias",
    // Dutch
    "wanneer",
    "terwijl",
    "tijdens",
    "zomer",
    "lente",
    "herfst",
    "weekeinde",
    "vakantie",
];

/// How the names of weekdays begin, with the endings that they take.
const WEEKDAYS: &[&str] = &[
    // English
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    // German
    "montag",
    "dienstag",
    "mittwoch",
    "donnerstag",
    "freitag",
    "samstag",
    "sonnabend",
    "sonntag",
    // French
    "lundi",
    "mardi",
    "mercredi",
    "jeudi",
    "vendredi",
    "samedi",
    "dimanche",
    // Spanish, Italian, Portuguese
    "lunes",
    "martes",
    "miércoles",
    "jueves",
    "viernes",
    "sábado",
    "domingo",
    "lunedì",
    "martedì",
    "mercoledì",
    "giovedì",
    "venerdì",
    "sabato",
    "domenica",
    "feira",
    // Dutch
    "maandag",
    "dinsdag",
    "woensdag",
    "donderdag",
    "vrijdag",
    "zaterdag",
    "zondag",
];
/// The endings: several Mondays, and what is so on Mondays.
const WEEKDAY_ENDINGS: &[&str] = &["", "s", "e", "en"];

/// Words that begin a contrast behind a comma or "and".
const CONTRASTS: &[&str] =
    &["not", "never", "nicht", "nie", "pas", "jamais", "no", "nunca", "non", "não", "niet", "nooit"];

/// Words of a change that was taken back: "moved to Cork for a test and back".
const RETURNS: &[&str] = &[
    "and back",
    "und zurück",
    "et retour",
    "puis retour",
    "y de vuelta",
    "e de volta",
    "y vuelta",
    "e ritorno",
    "en terug",
];

/// Returns true if a text holds some words in this order, as whole words.
fn contains_words(text: &str, words: &str) -> bool {
    let spaced = |text: &str| {
        let lower = text.to_lowercase();
        let parts = lower.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
        format!(" {} ", parts.collect::<Vec<_>>().join(" "))
    };
    spaced(text).contains(&spaced(words))
}

/// Returns the word by which the newer statement limits itself to an occasion that the older one does not speak of.
pub(super) fn occasion(older: &Statement, newer: &Statement) -> Option<String> {
    if let Some(returned) = RETURNS.iter().find(|words| contains_words(newer.text(), words)) {
        return Some((*returned).to_owned());
    }
    let (before, after) = (words(older.text()), words(newer.text()));
    let limits = |word: &&String| OCCASIONS.contains(&word.as_str()) || is_weekday(word);
    // "Closed on Mondays, now on Tuesdays": there the day is the value.
    if before.iter().any(|word| is_weekday(word)) {
        return after.iter().filter(limits).find(|word| !is_weekday(word) && !before.contains(word)).cloned();
    }
    after.iter().filter(limits).find(|word| !before.contains(word)).cloned()
}

/// Returns what the older statement excludes ("not to email") and the newer one does not speak of.
pub(super) fn contrast(older: &Statement, newer: &Statement) -> Option<String> {
    let language = older.language?;
    let known: Vec<String> = terms_in(newer.text(), language).into_iter().map(|term| term.text).collect();
    let parts = older.text().split([',', ';', '(', '–', '—']).skip(1);
    parts.map(str::trim).find_map(|part| {
        let first = words(part)
            .into_iter()
            .find(|word| !matches!(word.as_str(), "and" | "but" | "und" | "aber" | "et" | "y" | "e" | "en" | "maar"))?;
        let excluded = terms_in(part, language).into_iter().filter(|term| !term.stop && term.text != first);
        let excluded: Vec<String> = excluded.map(|term| term.text).collect();
        let is_lost = CONTRASTS.contains(&first.as_str()) && excluded.iter().any(|term| !known.contains(term));
        is_lost.then(|| part.trim_end_matches('.').to_owned())
    })
}

fn is_weekday(word: &str) -> bool {
    WEEKDAYS.iter().any(|day| word.strip_prefix(day).is_some_and(|ending| WEEKDAY_ENDINGS.contains(&ending)))
}

fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{PairThresholds, Verdict, judge_texts};

    fn is_archived(older: &str, newer: &str) -> bool {
        matches!(judge_texts(older, newer, 0.9, PairThresholds::BUILT_IN), Verdict::Supersedes { .. })
    }

    #[test]
    fn a_state_on_an_occasion_leaves_the_rest_true() {
        for (older, newer) in [
            ("The kids go to school by bus", "The kids now go to school by bike when the sun shines"),
            ("The shop opens at 9", "The shop now opens at 8 on Saturdays"),
            ("The shop opens at 9", "The shop opens at 8 on Saturdays now"),
            ("The service listens on port 80", "The service now listens on port 443 when TLS is on"),
            ("Omar takes the bus", "Omar now takes the train in winter"),
            ("Der Laden öffnet um 9", "Der Laden öffnet samstags jetzt um 8"),
            ("The web shop runs in Paris.", "The web shop was moved to Cork for a test on 16 February and back."),
            ("Der Shop läuft in Paris.", "Der Shop ist am Montag nach Cork und zurück umgezogen."),
            ("The dog sleeps in the kitchen", "The dog now sleeps in the hall while the kitchen is painted"),
            ("Ana works in Rome", "Ana now works in Milan on Mondays"),
            ("Ana works in Rome", "Ana now works in Milan in summer"),
            ("Die Sauna öffnet um 10", "Die Sauna öffnet jetzt im Winter um 12"),
        ] {
            assert!(!is_archived(older, newer), "{older} / {newer}");
        }
        assert!(is_archived("The shop opens at 9", "The shop now opens at 8"));
        assert!(is_archived("The shop closes on Mondays", "The shop now closes on Tuesdays"));
    }

    #[test]
    fn what_was_excluded_stays_unless_it_is_said_again() {
        assert!(!is_archived("Alerts go to Slack, not to email", "Alerts now go to Teams"));
        assert!(!is_archived("Backups go to S3, not on tape", "Backups now go to Glacier"));
        assert!(is_archived("Alerts go to Slack", "Alerts now go to Teams"));
        let contrast = |newer: &str| {
            let statement = |text: &str| crate::statements::Statement::parse(text);
            super::contrast(&statement("Alerts go to Slack, not to email"), &statement(newer))
        };
        assert_eq!(contrast("Alerts now go to Teams").as_deref(), Some("not to email"));
        assert_eq!(contrast("Alerts now go to Teams, never to email"), None);
    }
}
