//! Measures the cosines of a built-in embedder, from which its thresholds are derived.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use elfmem_models::SimilarityProfile;
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::embedder::EmbedderArgs;

/// Cosines of labelled pairs, and how many of each label a threshold lets through.
#[derive(Debug, Args)]
pub(crate) struct ProfileCommand {
    /// Lines of {"a", "b", "label"}
    #[arg(long, value_name = "FILE")]
    data: PathBuf,

    #[command(flatten)]
    embedder: EmbedderArgs,
}

#[derive(Debug, Deserialize)]
struct Pair {
    a: String,
    b: String,
    label: String,
}

/// The distribution of the cosines of one label.
#[derive(Debug, Serialize)]
struct Spread {
    pairs: usize,
    p5: f64,
    p50: f64,
    p95: f64,
    /// The share at or above each threshold of the profile.
    exact: f64,
    near: f64,
    contradiction_prefilter: f64,
    edge: f64,
}

/// The distribution of every label, and the compared thresholds.
#[derive(Debug, Serialize)]
pub(crate) struct ProfileReport {
    embedder: String,
    thresholds: SimilarityProfile,
    labels: BTreeMap<String, Spread>,
}

impl ProfileCommand {
    pub(crate) fn run(&self) -> Result<ProfileReport> {
        let embedder = self.embedder.required_model()?.load()?;
        let thresholds = embedder.profile();
        let mut cosines: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for line in std::fs::read_to_string(&self.data)?.lines().filter(|line| !line.trim().is_empty()) {
            let pair: Pair = serde_json::from_str(line)?;
            let vectors = embedder.embed(&[&pair.a, &pair.b])?;
            if let [Some(a), Some(b)] = vectors.as_slice() {
                let cosine: f32 = a.iter().zip(b).map(|(a, b)| a * b).sum();
                cosines.entry(pair.label).or_default().push(f64::from(cosine));
            }
        }
        let labels = cosines.into_iter().map(|(label, cosines)| (label, spread(cosines, thresholds))).collect();
        Ok(ProfileReport { embedder: embedder.name().to_owned(), thresholds, labels })
    }
}

fn spread(mut cosines: Vec<f64>, thresholds: SimilarityProfile) -> Spread {
    cosines.sort_by(f64::total_cmp);
    let at = |share: f64| cosines[((cosines.len() - 1) as f64 * share).round() as usize];
    let from = |threshold: f64| cosines.iter().filter(|c| **c >= threshold).count() as f64 / cosines.len() as f64;
    Spread {
        pairs: cosines.len(),
        p5: at(0.05),
        p50: at(0.50),
        p95: at(0.95),
        exact: from(thresholds.exact),
        near: from(thresholds.near),
        contradiction_prefilter: from(thresholds.contradiction_prefilter),
        edge: from(thresholds.edge),
    }
}

impl ProfileReport {
    pub(crate) fn print(&self, json: bool) {
        if json {
            println!("{:#}", serde_json::to_value(self).unwrap_or_default());
            return;
        }
        let SimilarityProfile { exact, near, edge, contradiction_prefilter, .. } = self.thresholds;
        println!("{}: cosines of labelled pairs, and the share at or above each threshold", self.embedder);
        let from = |threshold: f64| format!(">= {threshold:.2}");
        println!(
            "{:<14} {:>6} {:>6} {:>6} {:>6}  {:>8} {:>8} {:>8} {:>8}",
            "",
            "pairs",
            "p5",
            "p50",
            "p95",
            from(exact),
            from(near),
            from(contradiction_prefilter),
            from(edge)
        );
        for (label, s) in &self.labels {
            println!(
                "{label:<14} {:>6} {:>6.2} {:>6.2} {:>6.2}  {:>7.0}% {:>7.0}% {:>7.0}% {:>7.0}%",
                s.pairs,
                s.p5,
                s.p50,
                s.p95,
                100.0 * s.exact,
                100.0 * s.near,
                100.0 * s.contradiction_prefilter,
                100.0 * s.edge
            );
        }
    }
}
