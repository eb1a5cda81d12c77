//! Which part of a text a question asks about, and which part a later text replaces.
//!
//! The parts of a text are its clauses. "Anna works as a nurse and lives in Porto" has two. "Anna moved to Lisbon" speaks of the second, and a question
//! about her job of the first: there the older text still holds.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use elfmem_models::{BuiltinModel, Embedder};
use elfmem_text::language::Language;
use elfmem_text::statements::Statement;

use crate::recall::question::parsed::MAX_QUESTION;
use crate::recall::ranking::freshness::stems;

/// How much nearer one part must be than another.
const MARGIN: f64 = 0.1;
/// Parts of a text at most; a longer one tells of many things.
const MAX_PARTS: usize = 12;

/// Nearness of short texts: the share of common words, and the cosine in the static table, without the names that the
/// question has and every text about the same thing repeats.
pub(in crate::recall) struct PartNearness<'a> {
    names: &'a HashSet<String>,
    embedder: Option<Arc<dyn Embedder>>,
    vectors: HashMap<String, Option<Vec<f32>>>,
}

impl<'a> PartNearness<'a> {
    /// Creates a measure that leaves some stems out. A build without the static table compares words alone.
    pub(in crate::recall) fn without(names: &'a HashSet<String>) -> Self {
        Self { names, embedder: BuiltinModel::Static.load().ok(), vectors: HashMap::new() }
    }

    /// Returns whether a question asks for another part of an older text than the one that a newer text speaks of.
    pub(in crate::recall) fn asks_for_another_part(
        &mut self,
        older: &str,
        newer: &str,
        question: &str,
        language: Language,
    ) -> bool {
        if question.len() > MAX_QUESTION {
            return false;
        }
        let parts = Statement::parse(older).clause_texts();
        if !(2..=MAX_PARTS).contains(&parts.len()) {
            return false;
        }
        let to_question: Vec<f64> = parts.iter().map(|part| self.nearness(part, question, language)).collect();
        let to_newer: Vec<f64> = parts.iter().map(|part| self.nearness(part, newer, language)).collect();
        let (Some(asked), Some(replaced)) = (highest(&to_question), highest(&to_newer)) else { return false };
        let is_clear =
            to_question[asked] - to_question[replaced] >= MARGIN && to_newer[replaced] - to_newer[asked] >= MARGIN;
        is_clear && !self.mentions(newer, &parts, asked, language)
    }

    /// Returns whether a text has a word of one part that not all of them have.
    fn mentions(&self, text: &str, parts: &[String], asked: usize, language: Language) -> bool {
        let parts: Vec<HashSet<String>> =
            parts.iter().map(|part| stems(part, language).into_iter().collect()).collect();
        let is_own = |stem: &String| {
            let everywhere = parts.iter().all(|part| part.contains(stem));
            parts[asked].contains(stem) && !everywhere && !self.names.contains(stem)
        };
        stems(text, language).iter().any(is_own)
    }

    fn nearness(&mut self, one: &str, other: &str, language: Language) -> f64 {
        let own = |text: &str| -> HashSet<String> {
            stems(text, language).into_iter().filter(|stem| !self.names.contains(stem)).collect()
        };
        let (words, others) = (own(one), own(other));
        let fewest = words.len().min(others.len()).max(1);
        let common = words.intersection(&others).count() as f64 / fewest as f64;
        let cosine = match (self.vector(one, language), self.vector(other, language)) {
            (Some(one), Some(other)) => cosine(&one, &other),
            _ => 0.0,
        };
        common + cosine
    }

    /// Returns the vector of a text without names.
    fn vector(&mut self, text: &str, language: Language) -> Option<Vec<f32>> {
        if let Some(known) = self.vectors.get(text) {
            return known.clone();
        }
        let is_kept = |word: &&str| stems(word, language).iter().all(|stem| !self.names.contains(stem));
        let kept: Vec<&str> = text.split_whitespace().filter(is_kept).collect();
        let embedder = self.embedder.as_ref()?;
        let vector = embedder.embed_query(&kept.join(" "), &|_| 1.0).ok().flatten();
        self.vectors.insert(text.to_owned(), vector.clone());
        vector
    }
}

/// Returns the place of the highest number.
fn highest(values: &[f64]) -> Option<usize> {
    (0..values.len()).max_by(|a, b| values[*a].total_cmp(&values[*b]))
}

fn cosine(one: &[f32], other: &[f32]) -> f64 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
    let lengths = (dot(one, one) * dot(other, other)).sqrt();
    if lengths > 0.0 { dot(one, other) / lengths } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asks(older: &str, newer: &str, question: &str, names: &[&str]) -> bool {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        let language = Language::detect(older).unwrap_or(Language::English);
        PartNearness::without(&names).asks_for_another_part(older, newer, question, language)
    }

    #[test]
    fn a_question_about_the_part_that_still_holds_is_told_from_one_about_the_other() {
        let (older, newer) = ("Anna works as a nurse and lives in Porto", "Anna moved to Lisbon");
        assert!(asks(older, newer, "What is Anna's job?", &["anna"]));
        assert!(!asks(older, newer, "Where does Anna live?", &["anna"]));
        let (older, newer) =
            ("The gym costs 30 euros a month and closes at ten", "The gym raised its price to 35 euros");
        assert!(asks(older, newer, "When does the gym close?", &[]));
        assert!(!asks(older, newer, "How much does the gym cost?", &[]));
        let (older, newer) = (
            "The tests run on Cirrus and the job is called nightly",
            "Cirrus is gone, so the tests run at home, the job too",
        );
        assert!(!asks(older, newer, "Where do the tests run?", &[]), "both parts are spoken of");
        assert!(!asks("Ada lives in Porto", "Ada moved to Braga", "Where does Ada work?", &["ada"]), "one part");
    }
}
