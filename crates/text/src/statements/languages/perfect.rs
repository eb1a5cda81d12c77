//! What happened, in the languages that say it in another way than English: verbs whose perfect tense is formed with
//! "to be" ("est partie", "è passato", "ist gezogen"), and simple past tenses that their ending shows.

use crate::language::Language;
use crate::pairs::scan::{Break, ScannedWord};

/// Participles of verbs that form the perfect tense with "to be", without accents.
const FRENCH: &str = "passe passee passes passees parti partie partis parties venu venue venus venues alle allee alles \
    allees arrive arrivee arrives arrivees devenu devenue devenus devenues monte montee montes descendu descendue \
    descendus entre entree entres sorti sortie sortis rentre rentree rentres retourne retournee retournes tombe \
    tombee tombes revenu revenue revenus reparti repartie intervenu intervenue parvenu parvenue remonte remontee";
const ITALIAN: &str = "passato passata passati passate partito partita partiti partite andato andata andati andate \
    venuto venuta venuti venute arrivato arrivata arrivati arrivate diventato diventata diventati diventate divenuto \
    divenuta salito salita saliti salite sceso scesa scesi scese entrato entrata entrati uscito uscita usciti tornato \
    tornata tornati rientrato rientrata subentrato subentrata cresciuto cresciuta caduto caduta successo successa \
    accaduto accaduta cambiato cambiata migrato migrata emigrato emigrata ritornato ritornata aumentato aumentata";
const GERMAN: &str = "gezogen umgezogen weggezogen ausgezogen eingezogen gewechselt umgestiegen eingestiegen \
    ausgestiegen aufgestiegen abgestiegen gegangen gekommen geworden gestiegen angestiegen gefallen gesunken \
    gereist abgereist verreist gefahren geflogen angekommen zuruckgekehrt zuruckgekommen ubergesiedelt umgesiedelt \
    ausgeschieden ausgetreten beigetreten eingetreten zuruckgetreten geschehen passiert gewachsen gestorben \
    verstorben gewandert ausgewandert abgewandert migriert ubergegangen gestartet gescheitert abgesturzt";
const DUTCH: &str = "verhuisd overgestapt gewisseld overgeschakeld gegaan gekomen geworden gestegen gedaald gevallen \
    gereisd vertrokken aangekomen teruggekeerd teruggekomen begonnen gestopt gestorven overleden gebeurd gegroeid \
    uitgevallen afgetreden opgestapt overgegaan geemigreerd gemigreerd veranderd gezakt verdwenen verschenen";

/// Words between the verb and its participle in the languages that put it there.
const NEAR: usize = 3;

fn participles(language: Language) -> &'static str {
    match language {
        Language::French => FRENCH,
        Language::Italian => ITALIAN,
        Language::German => GERMAN,
        Language::Dutch => DUTCH,
        Language::English | Language::Spanish | Language::Portuguese => "",
    }
}

/// Returns true for the participle of a verb that forms the perfect tense with "to be".
pub(crate) fn is_participle_with_be(word: &str, language: Language) -> bool {
    participles(language).split_whitespace().any(|known| known == word)
}

/// Reads "est partie" and "s'est installée" as "has left" and "has moved in": what is written with "to be" is
/// something that happened. The words are still those of the language.
pub(super) fn read_perfect(pieces: &mut Vec<ScannedWord>, language: Language) {
    let (singular, plural, has, have): (&[&str], &[&str], _, _) = match language {
        Language::French => (&["est"], &["sont", "sommes"], "a", "ont"),
        Language::Italian => (&["is"], &["sono", "siamo"], "ha", "hanno"),
        Language::German => (&["ist"], &["sind"], "hat", "haben"),
        Language::Dutch => (&["is"], &["zijn"], "heeft", "hebben"),
        Language::English | Language::Spanish | Language::Portuguese => return,
    };
    let mut at = 0;
    while at < pieces.len() {
        let word = pieces[at].lower.as_str();
        let (one, many) = (singular.contains(&word), plural.contains(&word));
        if (one || many) && !pieces[at].capital {
            let reflexive = at > 0 && is_reflexive(&pieces[at - 1].lower, language);
            if reflexive || leads_to_participle(&pieces[at + 1..], language) {
                pieces[at].lower = if one { has } else { have }.to_owned();
                if reflexive {
                    pieces.remove(at - 1);
                    at -= 1;
                }
            }
        }
        at += 1;
    }
}

fn is_reflexive(word: &str, language: Language) -> bool {
    match language {
        Language::French => matches!(word, "s" | "se"),
        Language::Italian => word == "si",
        _ => false,
    }
}

fn leads_to_participle(pieces: &[ScannedWord], language: Language) -> bool {
    let last = pieces.iter().position(|piece| piece.after >= Break::Comma).map_or(pieces.len(), |at| at + 1);
    let reach = if matches!(language, Language::German | Language::Dutch) { last } else { last.min(NEAR) };
    pieces[..reach].iter().any(|piece| !piece.capital && is_participle_with_be(&piece.lower, language))
}

/// Returns true if a word of the text shows by its ending that it tells what happened: "pasó", "mudaram-se".
pub(crate) fn tells_what_happened(text: &str, language: Language) -> bool {
    let ending: fn(&str) -> bool = match language {
        Language::Spanish => |word| ["ó", "aron", "ieron"].iter().any(|ending| word.ends_with(ending)),
        Language::Portuguese => {
            |word| ["ou", "aram", "eram", "iram", "eu", "iu"].iter().any(|ending| word.ends_with(ending))
        }
        Language::Italian => |word| ["ò", "arono", "irono", "erono"].iter().any(|ending| word.ends_with(ending)),
        Language::French => |word| word.ends_with("èrent") || word.ends_with("irent"),
        Language::English | Language::German | Language::Dutch => return false,
    };
    let present = |word: &str| matches!(word, "estou" | "però" | "perciò" | "europeu" | "museu" | "eram" | "pneu");
    let words = text.split(|c: char| !c.is_alphabetic()).filter(|word| word.chars().count() > 3);
    words.filter(|word| word.starts_with(char::is_lowercase)).any(|word| ending(word) && !present(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statements::{Statement, StatementKind};

    #[test]
    fn what_happened_is_an_episode_in_all_seven_languages() {
        for text in [
            "Ada has moved to Porto",
            "Nadia est partie à Lyon.",
            "Nadia est récemment passée à Kotlin.",
            "Nadia s'est installée à Lyon.",
            "Il team è passato a Kotlin.",
            "Elena si è trasferita a Lucca.",
            "Lena ist nach Ulm gezogen.",
            "Lena ist zu Zeiss gewechselt.",
            "Joris is naar Breda verhuisd.",
            "Joris is overgestapt op Vim.",
            "La familia se ha mudado a Soria.",
            "Inés pasó de Java a Go.",
            "Rui mudou-se para Faro.",
        ] {
            assert_eq!(Statement::parse(text).kind(), StatementKind::Episode, "{text}");
        }
    }

    #[test]
    fn what_is_so_stays_a_state() {
        for text in [
            "Nadia est à Lyon.",
            "Le serveur est installé à Lyon.",
            "Il negozio è aperto.",
            "Lena ist in Ulm.",
            "De winkel is open.",
            "Inés vive en Soria.",
            "O museu está aberto.",
        ] {
            assert_eq!(Statement::parse(text).kind(), StatementKind::State, "{text}");
        }
        assert!(!tells_what_happened("Però vive a Pisa", Language::Italian));
    }
}
