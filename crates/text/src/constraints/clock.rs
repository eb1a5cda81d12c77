//! Times of day that limit something: "by 22:00", "bis 14 Uhr", "antes das 9h30".

use crate::language::Language;

/// Most words between the word that limits and the time.
const MAX_WORDS_BETWEEN: usize = 2;

/// Returns whether a text limits something to the time before or after an hour of the day.
pub(super) fn limits_to_an_hour(words: &[String], language: Language) -> bool {
    let limiting = limiting_words(language);
    words.iter().enumerate().filter(|(_, word)| limiting.contains(&word.as_str())).any(|(at, _)| {
        let after = &words[at + 1..];
        (0..=MAX_WORDS_BETWEEN.min(after.len())).any(|skipped| is_time(&after[skipped..]))
    })
}

fn limiting_words(language: Language) -> &'static [&'static str] {
    match language {
        Language::English => &["by", "until", "till", "before", "after", "past"],
        Language::German => &["bis", "vor", "nach", "spatestens"],
        Language::French => &["avant", "apres", "jusqu", "jusque"],
        Language::Spanish => &["antes", "despues", "hasta"],
        Language::Italian => &["entro", "prima", "dopo", "fino"],
        Language::Portuguese => &["antes", "depois", "ate"],
        Language::Dutch => &["voor", "na", "tot"],
    }
}

/// Returns whether words begin with a time of day: two numbers, or a number and the word or letters for an hour.
fn is_time(words: &[String]) -> bool {
    let Some(first) = words.first() else { return false };
    let digits = first.len() - first.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (hour, rest) = first.split_at(digits);
    if !hour.parse::<u8>().is_ok_and(|hour| hour <= 24) {
        return false;
    }
    let next = words.get(1).map_or("", String::as_str);
    let is_minute = next.len() == 2 && next.parse::<u8>().is_ok_and(|minute| minute < 60);
    match rest {
        "" => is_minute || HOURS.contains(&next) || (next == "o" && words.get(2).is_some_and(|word| word == "clock")),
        // 22h30
        _ => HOURS.contains(&rest.trim_end_matches(|c: char| c.is_ascii_digit())),
    }
}

/// What stands behind the number of an hour.
const HOURS: [&str; 11] = ["am", "pm", "a", "p", "h", "hs", "uhr", "heures", "horas", "ore", "uur"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::updates::fold_words;

    #[test]
    fn an_hour_until_or_after_which_something_holds_is_a_limit() {
        for (language, text) in [
            (Language::English, "The owner wants everybody gone by 22:00"),
            (Language::English, "Please call after 5pm"),
            (Language::English, "Nobody is there before 9 o'clock"),
            (Language::German, "Der Saal ist bis 22 Uhr gemietet"),
            (Language::French, "Il dort jusqu'à 14 heures"),
            (Language::Spanish, "No hay nadie antes de las 9 h"),
            (Language::Italian, "Si consegna entro le 18:30"),
            (Language::Portuguese, "Fecha depois das 22h"),
            (Language::Dutch, "De hal is tot 21 uur open"),
        ] {
            assert!(limits_to_an_hour(&fold_words(text), language), "{text}");
        }
        for (language, text) in [
            (Language::English, "The report was written by 22 people"),
            (Language::English, "The office opens at 9:00"),
            (Language::English, "Ana came after 30 minutes"),
            (Language::German, "Nach drei Jahren kam er zurück"),
        ] {
            assert!(!limits_to_an_hour(&fold_words(text), language), "{text}");
        }
    }
}
