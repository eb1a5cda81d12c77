//! Fits the judgement whether two statements give one thing two values, where no rule can tell.
//!
//! Each set of pairs is by one author. The development halves are used; each author is left out in turn, so that the table says
//! how it does on pairs of somebody whom it has not seen.

use std::path::PathBuf;

use clap::Args;
use elfmem_text::statements::{PairThresholds, RIVAL_FEATURES, RIVALS, Statement, Verdict, judge, rival_features};
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::calibration::logistic::{Example, fit_with_signs, sigmoid};
use crate::embedder::EmbedderArgs;
use crate::pairs::{Half, Label, LabelledPair};

/// The weight of a pair of the first set, which comes from templates for the most part.
const TEMPLATED: f64 = 0.3;
/// Probabilities at which the table counts.
const BOUNDS: [f64; 3] = [0.7, 0.75, 0.8];

/// Fits which pairs give one thing two values, with each author left out in turn
#[derive(Debug, Args)]
pub(crate) struct Rivals {
    /// Labelled pairs, one file for each author, the one with templates first
    #[arg(long, value_name = "FILE", num_args = 1.., default_values = [
        "bench/data/pairs.jsonl", "bench/data/pairs-dev-2.jsonl", "bench/data/pairs-fresh.jsonl", "bench/data/pairs-third.jsonl",
    ])]
    data: Vec<PathBuf>,

    #[command(flatten)]
    embedder: EmbedderArgs,
}

/// A pair about which the rules know nothing.
struct Open {
    label: Label,
    half: Half,
    example: Example,
}

/// What is marked at a bound.
#[derive(Debug, Serialize, Deserialize)]
struct Marked {
    bound: f64,
    updates: [usize; 2],
    contradictions: [usize; 2],
    paraphrases: [usize; 2],
    others: [usize; 2],
}

/// The tables and the weights.
#[derive(Debug, Serialize)]
pub(crate) struct RivalsReport {
    left_out: Vec<(String, Vec<Marked>)>,
    check_halves: Vec<(String, Vec<Marked>)>,
    weights: Vec<f64>,
}

impl Rivals {
    pub(crate) fn run(&self) -> Result<RivalsReport> {
        let embedder = self.embedder.required_model()?.load()?;
        let profile = embedder.profile();
        let thresholds = PairThresholds {
            exact: profile.exact,
            near: profile.near,
            contradiction_prefilter: profile.contradiction_prefilter,
            contradiction: profile.contradiction,
        };
        let mut sets: Vec<Vec<Open>> = Vec::new();
        for (number, path) in self.data.iter().enumerate() {
            let mut open = Vec::new();
            for line in std::fs::read_to_string(path)?.lines().filter(|line| !line.trim().is_empty()) {
                let pair: LabelledPair = serde_json::from_str(line)?;
                let vectors = embedder.embed(&[&pair.a, &pair.b])?;
                let [Some(a), Some(b)] = vectors.as_slice() else { continue };
                let cosine = f64::from(a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>());
                let (older, newer) = (Statement::parse(&pair.a), Statement::parse(&pair.b));
                let verdict = judge(&older, &newer, cosine, thresholds);
                let unknown = matches!(verdict, Verdict::Related { certain: false, .. }) || verdict.reason() == RIVALS;
                if !unknown || pair.label == Label::Duplicate {
                    continue;
                }
                let features = rival_features(&older, &newer, cosine, thresholds).to_vec();
                let positive = matches!(pair.label, Label::Update | Label::Contradiction);
                let weight = if number == 0 { TEMPLATED } else { 1.0 };
                open.push(Open {
                    label: pair.label,
                    half: Half::of(&pair),
                    example: Example { features, positive, weight },
                });
            }
            sets.push(open);
        }
        let names: Vec<String> = self.data.iter().map(|path| path.display().to_string()).collect();
        let fit_to = |used: &dyn Fn(usize, &Open) -> bool| {
            let chosen = sets.iter().enumerate().flat_map(|(at, set)| set.iter().filter(move |open| used(at, open)));
            fit_with_signs(&chosen.map(|open| open.example.clone()).collect::<Vec<_>>())
        };
        let mut left_out = Vec::new();
        for (at, set) in sets.iter().enumerate() {
            let weights = fit_to(&|other, open| other != at && open.half == Half::Development);
            left_out.push((names[at].clone(), marked(set.iter(), &weights)));
        }
        let weights = fit_to(&|_, open| open.half == Half::Development);
        let check = |set: &Vec<Open>| marked(set.iter().filter(|open| open.half == Half::Check), &weights);
        let check_halves = names.iter().cloned().zip(sets.iter().map(check)).collect();
        Ok(RivalsReport { left_out, check_halves, weights })
    }
}

fn marked<'a>(set: impl Iterator<Item = &'a Open>, weights: &[f64]) -> Vec<Marked> {
    let scored: Vec<(Label, f64)> = set
        .map(|open| {
            let sum: f64 = open.example.features.iter().zip(&weights[1..]).map(|(x, weight)| x * weight).sum();
            (open.label, sigmoid(weights[0] + sum))
        })
        .collect();
    let count = |bound: f64, labels: &[Label]| {
        let of = scored.iter().filter(|(label, _)| labels.contains(label));
        let found = of.clone().filter(|(_, score)| *score >= bound).count();
        [found, of.count()]
    };
    BOUNDS
        .map(|bound| Marked {
            bound,
            updates: count(bound, &[Label::Update]),
            contradictions: count(bound, &[Label::Contradiction]),
            paraphrases: count(bound, &[Label::Paraphrase]),
            others: count(bound, &[Label::Related, Label::Unrelated]),
        })
        .into()
}

impl RivalsReport {
    pub(crate) fn print(&self, json: bool) {
        if json {
            println!("{:#}", serde_json::to_value(self).unwrap_or_default());
            return;
        }
        for (title, tables) in [("left out", &self.left_out), ("check half, with all", &self.check_halves)] {
            println!(
                "{title:<44} {:>6} {:>12} {:>14} {:>12} {:>10}",
                "from", "updates", "contradictions", "paraphrases", "others"
            );
            for (name, rows) in tables {
                for Marked { bound, updates, contradictions, paraphrases, others } in rows {
                    let cell = |[found, of]: &[usize; 2]| format!("{found}/{of}");
                    println!(
                        "  {name:<42} {bound:>6} {:>12} {:>14} {:>12} {:>10}",
                        cell(updates),
                        cell(contradictions),
                        cell(paraphrases),
                        cell(others)
                    );
                }
            }
        }
        println!("\n{:>8.3}  constant", self.weights[0]);
        for (weight, name) in self.weights[1..].iter().zip(RIVAL_FEATURES) {
            println!("{weight:>8.3}  {name}");
        }
    }
}
