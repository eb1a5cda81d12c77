//! Recall, hit, reciprocal rank and discounted gain.

use std::collections::BTreeMap;

use elfmem_core::BlockId;
use serde::Serialize;
use serde_json::{Value, json};

/// The adversarial class, whose questions have no answer: kept apart.
const APART: u32 = 5;

/// How one question, or the mean of many, was answered.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(crate) struct Measures {
    #[serde(rename = "recall@5")]
    recall_5: f64,
    #[serde(rename = "recall@10")]
    recall_10: f64,
    #[serde(rename = "recall@20")]
    recall_20: f64,
    #[serde(rename = "hit@20")]
    hit_20: f64,
    mrr: f64,
    #[serde(rename = "ndcg@10")]
    ndcg_10: f64,
}

impl Measures {
    /// Of what was found, best first, against what should have been.
    pub(crate) fn of(found: &[&BlockId], evidence: &[&BlockId]) -> Self {
        let mut wanted = evidence.to_vec();
        wanted.sort();
        wanted.dedup();
        let is_hit = |id: &&BlockId| wanted.contains(id);
        let recall =
            |depth: usize| found.iter().take(depth).filter(|id| is_hit(id)).count() as f64 / wanted.len() as f64;
        let gain = |at: usize| 1.0 / (at as f64 + 2.0).log2();
        let ideal: f64 = (0..wanted.len().min(10)).map(gain).sum();
        let gained: f64 = found.iter().take(10).enumerate().filter(|(_, id)| is_hit(id)).map(|(at, _)| gain(at)).sum();
        Self {
            recall_5: recall(5),
            recall_10: recall(10),
            recall_20: recall(20),
            hit_20: f64::from(u8::from(recall(20) > 0.0)),
            mrr: found.iter().position(is_hit).map_or(0.0, |at| 1.0 / (at as f64 + 1.0)),
            ndcg_10: gained / ideal,
        }
    }

    fn values(&mut self) -> [&mut f64; 6] {
        [
            &mut self.recall_5,
            &mut self.recall_10,
            &mut self.recall_20,
            &mut self.hit_20,
            &mut self.mrr,
            &mut self.ndcg_10,
        ]
    }

    fn mean(all: &[Self]) -> Self {
        let mut mean = Self::default();
        for mut one in all.iter().copied() {
            for (sum, value) in mean.values().into_iter().zip(one.values()) {
                *sum += *value / all.len() as f64;
            }
        }
        mean
    }
}

/// Everything measured, by who answered and by class of question.
#[derive(Debug, Default)]
pub(crate) struct Tally(BTreeMap<&'static str, BTreeMap<u32, Vec<Measures>>>);

impl Tally {
    pub(crate) fn add(&mut self, name: &'static str, category: u32, measures: Measures) {
        self.0.entry(name).or_default().entry(category).or_default().push(measures);
    }

    pub(crate) fn scores(&self, names: &BTreeMap<String, String>) -> Scores {
        let mut scores = Scores::default();
        for (answerer, by_category) in &self.0 {
            let counted: Vec<Measures> = by_category
                .iter()
                .filter(|(category, _)| **category != APART)
                .flat_map(|(_, all)| all.clone())
                .collect();
            let mut classes: Vec<QuestionClass> = Vec::new();
            for (category, all) in by_category {
                let name = names.get(&category.to_string()).cloned().unwrap_or_else(|| category.to_string());
                classes.push((name, all.len(), Measures::mean(all)));
            }
            scores.0.push((answerer, counted.len(), Measures::mean(&counted), classes));
        }
        let order =
            |name: &str| ["search", "attention", "bm25", "vectors", "rrf"].iter().position(|other| *other == name);
        scores.0.sort_by_key(|(name, ..)| order(name));
        scores
    }
}

/// A class of questions, how many there are, and how they were answered in the mean.
type QuestionClass = (String, usize, Measures);

/// The means.
#[derive(Debug, Default)]
pub(crate) struct Scores(Vec<(&'static str, usize, Measures, Vec<QuestionClass>)>);

impl Scores {
    pub(crate) fn print(&self, json: bool) {
        if json {
            let all: serde_json::Map<String, Value> = self
                .0
                .iter()
                .map(|(name, _, overall, classes)| {
                    let classes: BTreeMap<&String, &Measures> =
                        classes.iter().map(|(name, _, one)| (name, one)).collect();
                    ((*name).to_owned(), json!({"overall": overall, "by_category": classes}))
                })
                .collect();
            println!("{}", Value::Object(all));
            return;
        }
        println!(
            "{:<10} {:<14} {:>5}  {:>6} {:>6} {:>6} {:>6} {:>6} {:>7}",
            "", "", "asked", "R@5", "R@10", "R@20", "hit@20", "MRR", "nDCG@10"
        );
        for (name, count, overall, classes) in &self.0 {
            line(name, "overall", *count, *overall);
            for (class, count, measures) in classes {
                line("", class, *count, *measures);
            }
        }
    }
}

fn line(name: &str, class: &str, count: usize, mut measures: Measures) {
    let values: Vec<String> = measures.values().into_iter().map(|value| format!("{value:>6.3}")).collect();
    println!("{name:<10} {class:<14} {count:>5}  {}", values.join(" "));
}
