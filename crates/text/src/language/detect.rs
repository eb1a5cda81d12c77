//! Detects the language of a text from its stop words, letters and frequent letter groups.
//!
//! A memory holds notes of one line, so the evidence is thin. Each stop word counts for its languages,
//! less when several share it; letters and groups that are typical of one language count a little.
//! A text is of a language if that language has enough evidence and clearly more than the next one.

use std::sync::LazyLock;

use super::Language;
use super::stop_words::languages_of;
use crate::terms::folded;

/// Words that are read. More would not change the result.
const MAX_WORDS: usize = 200;
/// Minimum evidence for English, and for the other languages: an English note may hold one foreign
/// word.
const MIN_SCORE: f64 = 1.0;
const MIN_FOREIGN_SCORE: f64 = 1.2;
/// Minimum ratio of the evidence to that of the next language.
const MIN_RATIO: f64 = 1.3;
/// Evidence of a typical letter, beside one for a stop word of one language.
const LETTER: f64 = 0.8;
/// Evidence of a typical group of letters, at most one per word and language.
const GROUP: f64 = 0.35;

/// Letters that are typical of a language, in lower case.
const LETTERS: [(Language, &str); 6] = [
    (Language::German, "äöüß"),
    (Language::French, "èêëâîôûùœ"),
    (Language::Spanish, "ñ¿¡"),
    (Language::Italian, "ìò"),
    (Language::Portuguese, "ãõ"),
    (Language::Dutch, "ĳ"),
];

/// Groups of letters that are frequent in one language and rare in the others: at the end of a word
/// with `$`, at its beginning with `^`, anywhere otherwise.
const GROUPS: [(Language, &str); 7] = [
    (Language::English, "th ght wh ing$ ould$ ck$ ly$ ed$ ee$ oo ^sh ^kn ness$ ful$ ow$ ay$"),
    (Language::German, "sch ung$ heit$ keit$ lich$ ^ge cht tz pf ein$ ^ver ^be ^auf ^aus zeug$ eur ieren$ iert$ ^zw"),
    (
        Language::French,
        "eau aux$ ment$ eux$ ois$ ^qu oui ette$ euse$ eur$ eurs$ aire$ age$ ille$ ez$ our$ tion$ ées$ ée$",
    ),
    (Language::Spanish, "ción$ ciones$ dad$ ado$ ados$ ada$ ^ll ue os$ as$ ción ar$ ándo miento$ illo$ illa$ ez$"),
    (
        Language::Italian,
        "zione$ zioni$ tt zz gli cch ggi ^sc tà$ mento$ are$ ere$ ato$ ata$ ati$ cc gn ino$ ina$ ello$ ella$",
    ),
    (Language::Portuguese, "ção$ ções$ nh lh ões$ ão$ dade$ mento$ ei ou$ agem$ oso$ eira$ eiro$"),
    (Language::Dutch, "ij aa ee oo heid$ lijk$ ^sch ^ver ^ge ^uit ui gen$ den$ ken$ uu cht oe eu tje$ sch"),
];

/// The groups of one language by their place in a word: detection runs for every text that is stored or asked.
struct LetterGroups {
    language: Language,
    starts: Vec<&'static [u8]>,
    ends: Vec<&'static [u8]>,
    inside: Vec<&'static [u8]>,
}

static LETTER_GROUPS: LazyLock<Vec<LetterGroups>> =
    LazyLock::new(|| GROUPS.iter().map(|(language, groups)| LetterGroups::parse(*language, groups)).collect());

impl LetterGroups {
    fn parse(language: Language, groups: &'static str) -> Self {
        let mut parsed = Self { language, starts: Vec::new(), ends: Vec::new(), inside: Vec::new() };
        for group in groups.split(' ') {
            match (group.strip_prefix('^'), group.strip_suffix('$')) {
                (Some(start), _) => parsed.starts.push(start.as_bytes()),
                (_, Some(end)) => parsed.ends.push(end.as_bytes()),
                _ => parsed.inside.push(group.as_bytes()),
            }
        }
        parsed
    }

    fn occur_in(&self, word: &str) -> bool {
        // One letter rules most groups out, without a call that compares the rest.
        let word = word.as_bytes();
        let (Some(first), Some(last)) = (word.first(), word.last()) else { return false };
        let ends = |end: &&[u8]| end.last() == Some(last) && word.len() > end.len() + 1 && word.ends_with(end);
        let starts =
            |start: &&[u8]| start.first() == Some(first) && word.len() > start.len() + 2 && word.starts_with(start);
        let is_inside =
            |group: &&[u8]| word.windows(group.len()).any(|window| window.first() == group.first() && window == *group);
        self.ends.iter().any(ends) || self.starts.iter().any(starts) || self.inside.iter().any(is_inside)
    }
}

impl Language {
    /// Returns the language of a text; none if the evidence is thin or divided.
    pub fn detect(text: &str) -> Option<Self> {
        let [best, next, ..] = ranked(text);
        let least = if best.0 == Self::English { MIN_SCORE } else { MIN_FOREIGN_SCORE };
        (best.1 >= least && best.1 >= MIN_RATIO * next.1).then_some(best.0)
    }
}

/// Returns all languages with their evidence, the best first.
fn ranked(text: &str) -> [(Language, f64); 7] {
    let mut scores = Language::ALL.map(|language| (language, 0.0));
    let mut add = |language: Language, evidence: f64| scores[language as usize].1 += evidence;
    let words = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    for word in words.take(MAX_WORDS) {
        let lower = word.to_lowercase();
        if !lower.is_ascii() {
            for (language, letters) in LETTERS {
                if lower.contains(|c: char| letters.contains(c)) {
                    add(language, LETTER);
                }
            }
        }
        let languages = if word.is_ascii() { languages_of(&lower) } else { languages_of(&folded(word)) };
        let sharing = languages.clone().count();
        if sharing > 0 {
            languages.for_each(|language| add(language, 1.0 / sharing as f64));
        } else if !word.starts_with(char::is_uppercase) || word.len() > 3 {
            for groups in LETTER_GROUPS.iter().filter(|groups| groups.occur_in(&lower)) {
                add(groups.language, GROUP);
            }
        }
    }
    if text.contains(['¿', '¡']) {
        add(Language::Spanish, 1.0);
    }
    scores.sort_by(|a, b| b.1.total_cmp(&a.1));
    scores
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_notes_and_questions_are_told_apart() {
        for (language, texts) in [
            (
                Language::English,
                [
                    "What does Maria not eat?",
                    "The release goes out on Tuesday",
                    "Who pays the rent for the studio?",
                    "When was the boiler repaired?",
                    "Ana prefers a window seat on the train",
                ],
            ),
            (
                Language::German,
                [
                    "Wer repariert das Boot?",
                    "Die Mitgliederversammlung ist am 3. März",
                    "Wann wurde die Heizung gewartet?",
                    "Frau Keller hat den Schlüssel zum Bootshaus",
                    "Wie hoch ist der Beitrag für Jugendliche?",
                ],
            ),
            (
                Language::French,
                [
                    "Qui garde les clés de l'atelier ?",
                    "Le concert de Lyon est reporté au printemps",
                    "Combien coûte la salle ?",
                    "Nous payons la location chaque mois",
                    "Où est rangé l'ampli ?",
                ],
            ),
            (
                Language::Spanish,
                [
                    "¿Quién lleva las cuentas?",
                    "La cosecha empieza en los últimos días de octubre",
                    "Los envases llegan el lunes por la mañana",
                    "Cuánto cuesta el transporte a Madrid",
                    "Marta y su hermano no pueden comer nueces",
                ],
            ),
            (
                Language::Italian,
                [
                    "Quanto costano le bottiglie di olio nuovo?",
                    "La bottiglieria chiude alle sei",
                    "Chi ha le chiavi del magazzino?",
                    "Il raccolto comincia a ottobre",
                    "Dove sono le etichette per la Germania?",
                ],
            ),
            (
                Language::Portuguese,
                [
                    "Quem tem as chaves do armazém?",
                    "A reunião foi adiada para segunda-feira",
                    "Quanto custa o transporte para o Porto? Não é caro",
                    "O João não come amendoim",
                    "Onde estão os contratos?",
                ],
            ),
            (
                Language::Dutch,
                [
                    "Wie heeft de sleutel van het magazijn?",
                    "De vergadering is op dinsdag",
                    "Hoeveel kost het vervoer?",
                    "Wanneer wordt de boot gerepareerd?",
                    "Jan eet geen pinda's",
                ],
            ),
        ] {
            for text in texts {
                assert_eq!(Language::detect(text), Some(language), "{text}: {:?}", &ranked(text)[..3]);
            }
        }
    }

    #[test]
    fn texts_without_evidence_have_no_language() {
        for text in [
            "",
            "OK",
            "42",
            "Maria",
            "GPU 4090 24GB",
            "日本語",
            "https://example.org",
            "Berlin Hamburg Köln 3",
            "See ya!",
        ] {
            assert_eq!(Language::detect(text), None, "{text}: {:?}", &ranked(text)[..3]);
        }
    }
}
