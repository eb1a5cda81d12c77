//! Tables of English words, looked up by stem.
//!
//! The tables are plain text and are stemmed on first use, so that every form of a word is found.

mod forms;
mod opposites;
mod senses;

use std::sync::OnceLock;

use rust_stemmers::{Algorithm, Stemmer};

use super::hashing::{WordMap, WordSet};

pub(crate) use forms::{canonical_spelling, contraction, is_auxiliary, is_copula, is_function_word, polite_words};

/// How two words exclude each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Opposition {
    /// Both may be false: neither hot nor cold.
    Contrary,
    /// Exactly one is true.
    Complementary,
}

/// The word tables, keyed by stem.
#[derive(Debug)]
pub(crate) struct Lexicon {
    senses: WordMap<String, String>,
    irregular: WordMap<&'static str, &'static str>,
    opposites: WordMap<String, Vec<(String, Opposition)>>,
    converse: WordSet<(String, String)>,
    families: WordMap<String, Vec<u8>>,
    verbs: WordSet<String>,
    light: WordSet<String>,
    many_objects: WordSet<String>,
    one_date: WordSet<String>,
    one_way: WordSet<String>,
    one_name: WordSet<String>,
}

impl Lexicon {
    /// Returns the shared instance.
    pub(crate) fn shared() -> &'static Self {
        static SHARED: OnceLock<Lexicon> = OnceLock::new();
        SHARED.get_or_init(Self::build)
    }

    fn build() -> Self {
        let mut lexicon = Self {
            senses: WordMap::default(),
            irregular: pairs(senses::IRREGULAR).collect(),
            opposites: WordMap::default(),
            converse: WordSet::default(),
            families: WordMap::default(),
            verbs: WordSet::default(),
            light: WordSet::default(),
            many_objects: WordSet::default(),
            one_date: WordSet::default(),
            one_way: WordSet::default(),
            one_name: WordSet::default(),
        };
        for line in senses::SENSES.lines() {
            let mut words = line.split_whitespace();
            let Some(first) = words.next().map(|word| lexicon.stem(word)) else { continue };
            for word in words {
                let stem = lexicon.stem(word);
                lexicon.senses.entry(stem).or_insert_with(|| first.clone());
            }
        }
        for (table, opposition) in
            [(opposites::CONTRARY, Opposition::Contrary), (opposites::COMPLEMENTARY, Opposition::Complementary)]
        {
            for (one, other) in pairs(table) {
                let (one, other) = (lexicon.key(one), lexicon.key(other));
                lexicon.opposites.entry(one.clone()).or_default().push((other.clone(), opposition));
                lexicon.opposites.entry(other).or_default().push((one, opposition));
            }
        }
        for (one, other) in pairs(opposites::CONVERSE) {
            let (one, other) = (lexicon.key(one), lexicon.key(other));
            lexicon.converse.insert((one.clone(), other.clone()));
            lexicon.converse.insert((other, one));
        }
        for (number, family) in (0u8..).zip(opposites::FAMILIES) {
            for word in family.split_whitespace() {
                let key = lexicon.key(word);
                lexicon.families.entry(key).or_default().push(number);
            }
        }
        let keys = |table: &str| table.split_whitespace().map(|word| lexicon.key(word)).collect::<WordSet<String>>();
        let (verbs, light) = (keys(senses::VERBS), keys(senses::LIGHT));
        let (many_objects, one_date) = (keys(senses::MANY_OBJECTS), keys(senses::ONE_DATE));
        let (one_way, one_name) = (keys(senses::ONE_WAY), keys(senses::ONE_NAME));
        Self { verbs, light, many_objects, one_date, one_way, one_name, ..lexicon }
    }

    /// Returns the stem of a word in lower case. Irregular forms map to their base.
    fn stem(&self, word: &str) -> String {
        let word = self.irregular.get(word).copied().unwrap_or(word);
        let spelled = canonical_spelling(word);
        self.stem_spelled(spelled.as_deref().unwrap_or(word))
    }

    fn stem_spelled(&self, word: &str) -> String {
        let word = self.irregular.get(word).copied().unwrap_or(word);
        if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return Stemmer::create(Algorithm::English).stem(word).into_owned();
        }
        word.to_owned()
    }

    /// Returns the comparison key of a word in lower case: its stem, or the stem of its synonym.
    pub(crate) fn key(&self, word: &str) -> String {
        let stem = self.stem(word);
        self.senses.get(&stem).cloned().unwrap_or(stem)
    }

    /// Returns the comparison key of a word that is already in canonical spelling, which saves most
    /// of the work.
    pub(crate) fn key_of_spelled(&self, word: &str) -> String {
        let stem = self.stem_spelled(word);
        self.senses.get(&stem).cloned().unwrap_or(stem)
    }

    /// Returns whether and how two keys exclude each other.
    pub(crate) fn opposition(&self, one: &str, other: &str) -> Option<Opposition> {
        if one == other {
            return None;
        }
        let listed = self.opposites.get(one).into_iter().flatten().filter(|(key, _)| key == other);
        if let Some(found) = listed.map(|(_, opposition)| *opposition).max() {
            return Some(found);
        }
        let (one, other) = (self.families.get(one)?, self.families.get(other)?);
        one.iter().any(|family| other.contains(family)).then_some(Opposition::Contrary)
    }

    /// Returns true if the two words name one relation in opposite directions.
    pub(crate) fn is_converse(&self, one: &str, other: &str) -> bool {
        self.converse.contains(&(one.to_owned(), other.to_owned()))
    }

    /// Returns true for verbs.
    pub(crate) fn is_verb(&self, key: &str) -> bool {
        self.verbs.contains(key)
    }

    /// Returns true for words that add little meaning.
    pub(crate) fn is_light(&self, key: &str) -> bool {
        self.light.contains(key)
    }

    /// Returns true for verbs that take many objects per subject.
    pub(crate) fn has_many_objects(&self, key: &str) -> bool {
        self.many_objects.contains(key)
    }

    /// Returns true for words that describe a one-time event of a thing.
    pub(crate) fn has_one_date(&self, key: &str) -> bool {
        self.one_date.contains(key)
    }

    /// Returns true for nouns of which a thing has one.
    pub(crate) fn has_one_name(&self, key: &str) -> bool {
        self.one_name.contains(key)
    }

    /// Returns true for relations that hold in one direction only.
    pub(crate) fn is_one_way(&self, key: &str) -> bool {
        self.one_way.contains(key)
    }

    /// Returns true for irregular forms.
    pub(crate) fn is_irregular(&self, word: &str) -> bool {
        self.irregular.contains_key(word)
    }
}

/// Prefixes that negate a word, and pairs of opposite prefixes.
const NEGATING: [&str; 9] = ["un", "in", "im", "ir", "il", "non", "dis", "de", "a"];
const OPPOSED: [(&str, &str); 8] = [
    ("up", "down"),
    ("in", "out"),
    ("over", "under"),
    ("pre", "post"),
    ("en", "dis"),
    ("in", "ex"),
    ("inter", "extra"),
    ("in", "de"),
];

/// Returns true for antonyms by form: `closed/unclosed`, `upstairs/downstairs`, `harmful/harmless`.
pub(crate) fn opposed_by_form(one: &str, other: &str) -> bool {
    // Antonyms by prefix share the ending, antonyms by suffix share the beginning; most words share
    // neither.
    let (first, last) = (one.bytes().next() == other.bytes().next(), one.bytes().last() == other.bytes().last());
    if !first && !last {
        return false;
    }
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let negated = NEGATING.iter().any(|prefix| {
        let shortest = if *prefix == "a" || *prefix == "in" { 6 } else { 4 };
        short.len() >= shortest && long.strip_prefix(prefix).is_some_and(|rest| rest == short)
    });
    let opposed = OPPOSED.iter().any(|(left, right)| {
        let meet = |a: &str, b: &str| {
            a.strip_prefix(left).zip(b.strip_prefix(right)).is_some_and(|(a, b)| a == b && a.len() >= 4)
        };
        meet(one, other) || meet(other, one)
    });
    let ending = one
        .strip_suffix("less")
        .zip(other.strip_suffix("ful"))
        .or_else(|| other.strip_suffix("less").zip(one.strip_suffix("ful")))
        .is_some_and(|(a, b)| a == b);
    negated || opposed || ending
}

/// Parses `one/other` pairs.
fn pairs(table: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    table.split_whitespace().filter_map(|pair| pair.split_once('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opposed(one: &str, other: &str) -> bool {
        let lexicon = Lexicon::shared();
        lexicon.opposition(&lexicon.key(one), &lexicon.key(other)).is_some()
    }

    #[test]
    fn every_form_of_a_word_finds_its_antonyms() {
        assert!(opposed("accepted", "rejects"));
        assert!(opposed("bought", "sells"));
        assert!(opposed("begins", "ended"));
        assert!(!opposed("accepted", "bought"));
    }

    #[test]
    fn values_of_one_family_exclude_each_other() {
        assert!(opposed("green", "blue"));
        assert!(!opposed("green", "north"));
        assert!(!opposed("green", "green"));
    }

    #[test]
    fn antonyms_are_recognised_by_form() {
        assert!(opposed_by_form("centralized", "decentralized"));
        assert!(opposed_by_form("upstairs", "downstairs"));
        assert!(opposed_by_form("harmful", "harmless"));
        assert!(!opposed_by_form("crease", "crane"));
    }

    #[test]
    fn table_entries_are_plain_lowercase_words() {
        let opposites = [opposites::COMPLEMENTARY, opposites::CONTRARY, opposites::CONVERSE];
        let senses = [senses::SENSES, senses::IRREGULAR, senses::VERBS, senses::LIGHT, senses::MANY_OBJECTS];
        let single = [senses::ONE_NAME, senses::ONE_DATE, senses::ONE_WAY];
        let tables = opposites.iter().chain(&senses).chain(&single).chain(opposites::FAMILIES);
        for entry in tables.flat_map(|table| table.split_whitespace()).flat_map(|entry| entry.split('/')) {
            assert!(
                !entry.is_empty() && entry.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'),
                "{entry}"
            );
        }
    }

    #[test]
    fn the_tables_hold_enough() {
        assert!(pairs(opposites::CONTRARY).chain(pairs(opposites::COMPLEMENTARY)).count() > 300);
    }
}
