//! What the rules know about English words, looked up by stem.
//!
//! The tables are plain text and are stemmed once, on first use, so that every form of a word is found.

mod forms;
mod opposites;
mod senses;

use std::sync::OnceLock;

use rust_stemmers::{Algorithm, Stemmer};

use super::hashing::{Table, Words};

pub(super) use forms::{canonical_spelling, contraction, is_auxiliary, is_copula, is_function_word, polite_words};

/// How two words exclude each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Opposition {
    /// There may be a middle: neither hot nor cold.
    Contrary,
    /// What is not the one is the other.
    Complementary,
}

/// The tables, keyed by stem.
#[derive(Debug)]
pub(super) struct Lexicon {
    senses: Table<String, String>,
    irregular: Table<&'static str, &'static str>,
    opposites: Table<String, Vec<(String, Opposition)>>,
    converse: Words<(String, String)>,
    families: Table<String, Vec<u8>>,
    verbs: Words<String>,
    light: Words<String>,
    many_objects: Words<String>,
    one_date: Words<String>,
    one_way: Words<String>,
    one_name: Words<String>,
}

impl Lexicon {
    /// The one instance.
    pub(super) fn shared() -> &'static Self {
        static SHARED: OnceLock<Lexicon> = OnceLock::new();
        SHARED.get_or_init(Self::build)
    }

    fn build() -> Self {
        let mut lexicon = Self {
            senses: Table::default(),
            irregular: pairs(senses::IRREGULAR).collect(),
            opposites: Table::default(),
            converse: Words::default(),
            families: Table::default(),
            verbs: Words::default(),
            light: Words::default(),
            many_objects: Words::default(),
            one_date: Words::default(),
            one_way: Words::default(),
            one_name: Words::default(),
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
        let keys = |table: &str| table.split_whitespace().map(|word| lexicon.key(word)).collect::<Words<String>>();
        let (verbs, light) = (keys(senses::VERBS), keys(senses::LIGHT));
        let (many_objects, one_date) = (keys(senses::MANY_OBJECTS), keys(senses::ONE_DATE));
        let (one_way, one_name) = (keys(senses::ONE_WAY), keys(senses::ONE_NAME));
        Self { verbs, light, many_objects, one_date, one_way, one_name, ..lexicon }
    }

    /// The stem of a lowercase word, irregular forms led back to their base.
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

    /// The key under which a lowercase word is compared: its stem, or that of the word it can stand for.
    pub(super) fn key(&self, word: &str) -> String {
        let stem = self.stem(word);
        self.senses.get(&stem).cloned().unwrap_or(stem)
    }

    /// The same for a word in its canonical spelling, which is most of the work.
    pub(super) fn key_of_spelled(&self, word: &str) -> String {
        let stem = self.stem_spelled(word);
        self.senses.get(&stem).cloned().unwrap_or(stem)
    }

    /// Whether two keys exclude each other, and how.
    pub(super) fn opposition(&self, one: &str, other: &str) -> Option<Opposition> {
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

    /// Whether the two name one relation from its two ends.
    pub(super) fn is_converse(&self, one: &str, other: &str) -> bool {
        self.converse.contains(&(one.to_owned(), other.to_owned()))
    }

    /// Whether a key is that of a verb.
    pub(super) fn is_verb(&self, key: &str) -> bool {
        self.verbs.contains(key)
    }

    /// Whether a key says little of its own.
    pub(super) fn is_light(&self, key: &str) -> bool {
        self.light.contains(key)
    }

    /// Whether one subject can have many objects of this verb.
    pub(super) fn has_many_objects(&self, key: &str) -> bool {
        self.many_objects.contains(key)
    }

    /// Whether what this word tells of happens to a thing once.
    pub(super) fn has_one_date(&self, key: &str) -> bool {
        self.one_date.contains(key)
    }

    /// Whether a thing has one name of this kind.
    pub(super) fn has_one_name(&self, key: &str) -> bool {
        self.one_name.contains(key)
    }

    /// Whether the relation holds in one direction only.
    pub(super) fn is_one_way(&self, key: &str) -> bool {
        self.one_way.contains(key)
    }

    /// Whether the lowercase word is an irregular form.
    pub(super) fn is_irregular(&self, word: &str) -> bool {
        self.irregular.contains_key(word)
    }
}

/// Prefixes that turn a word into its opposite, and pairs of prefixes that oppose each other.
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

/// Whether two words are opposites by their form alone: `closed/unclosed`, `upstairs/downstairs`, `harmful/harmless`.
pub(super) fn opposed_by_form(one: &str, other: &str) -> bool {
    // What is opposed by a beginning ends alike, what is opposed by an ending begins alike; most words do neither.
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

/// Reads `one/other` pairs.
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
    fn every_form_of_a_word_finds_its_opposites() {
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
    fn opposites_are_seen_by_their_form() {
        assert!(opposed_by_form("centralized", "decentralized"));
        assert!(opposed_by_form("upstairs", "downstairs"));
        assert!(opposed_by_form("harmful", "harmless"));
        assert!(!opposed_by_form("crease", "crane"));
    }

    #[test]
    fn the_tables_hold_enough() {
        assert!(pairs(opposites::CONTRARY).chain(pairs(opposites::COMPLEMENTARY)).count() > 300);
    }
}
