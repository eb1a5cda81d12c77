//! What the model of pairs says where the rules leave a pair open, by author.
//!
//! Each set of pairs is by one author. The table says what every bound would archive and mark, so that bounds are chosen on some
//! authors and reported on others.

use std::path::PathBuf;

use clap::Args;
use elfmem_models::BuiltinModel;
use elfmem_text::statements::{
    PairProbabilities, PairThresholds, Statement, Verdict, judge, may_archive, with_opinion,
};
use serde::Serialize;

use crate::Result;
use crate::embedder::EmbedderArgs;
use crate::pairs::{Half, Label, LabelledPair};

/// Bounds at which the table counts.
const BOUNDS: [f64; 7] = [0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995];

/// Shows what the model of pairs says where the rules know nothing
#[derive(Debug, Args)]
pub(crate) struct Opinions {
    /// Labelled pairs, one file for each author
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    data: Vec<PathBuf>,

    /// Only this half of the pairs
    #[arg(long, value_enum)]
    half: Option<Half>,

    #[command(flatten)]
    embedder: EmbedderArgs,
}

/// A pair and what is said about it.
#[derive(Debug, Serialize)]
pub(crate) struct JudgedPair {
    author: String,
    half: Half,
    label: Label,
    older: String,
    newer: String,
    cosine: f64,
    rules: String,
    open: bool,
    may_archive: bool,
    /// The verdict of rules and model.
    together: String,
    /// Probabilities that both are true, of an update, of a contradiction, that both say the same.
    probabilities: Option<[f64; 4]>,
}

/// The judged pairs.
#[derive(Debug)]
pub(crate) struct OpinionsReport {
    pairs: Vec<JudgedPair>,
}

impl Opinions {
    pub(crate) fn run(&self) -> Result<OpinionsReport> {
        let embedder = self.embedder.required_model()?.load()?;
        let pair_judge = BuiltinModel::pair_judge()?.ok_or("this build has no model of pairs")?;
        let profile = embedder.profile();
        let thresholds = PairThresholds {
            exact: profile.exact,
            near: profile.near,
            contradiction_prefilter: profile.contradiction_prefilter,
            contradiction: profile.contradiction,
        };
        let mut judged = Vec::new();
        for path in &self.data {
            let text = std::fs::read_to_string(path)?;
            for line in text.lines().filter(|line| !line.trim().is_empty()) {
                let pair: LabelledPair = serde_json::from_str(line)?;
                let half = Half::of(&pair);
                if self.half.is_some_and(|wanted| wanted != half) {
                    continue;
                }
                let vectors = embedder.embed(&[&pair.a, &pair.b])?;
                let [Some(a), Some(b)] = vectors.as_slice() else { continue };
                let cosine = f64::from(a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>());
                let (older, newer) = (Statement::parse(&pair.a), Statement::parse(&pair.b));
                let verdict = judge(&older, &newer, cosine, thresholds);
                let found = pair_judge.judge(&[[&pair.a, &pair.b]])?.pop().flatten();
                let named = |found: PairProbabilities| [found.both_true, found.update, found.contradiction, found.same];
                judged.push(JudgedPair {
                    author: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
                    half,
                    label: pair.label,
                    cosine,
                    rules: format!("{verdict:?}"),
                    open: matches!(verdict, Verdict::Related { certain: false, .. }),
                    may_archive: may_archive(&older, &newer),
                    together: format!(
                        "{:?}",
                        found.map_or(verdict.clone(), |found| with_opinion(
                            &older,
                            &newer,
                            verdict.clone(),
                            found,
                            thresholds
                        ))
                    ),
                    probabilities: found.map(named),
                    older: pair.a,
                    newer: pair.b,
                });
            }
        }
        Ok(OpinionsReport { pairs: judged })
    }
}

impl OpinionsReport {
    pub(crate) fn print(&self, json: bool) {
        if json {
            for pair in &self.pairs {
                println!("{}", serde_json::to_value(pair).unwrap_or_default());
            }
            return;
        }
        let mut authors: Vec<&str> = self.pairs.iter().map(|pair| pair.author.as_str()).collect();
        authors.dedup();
        for author in authors {
            let open = || self.pairs.iter().filter(|pair| pair.author == author && pair.open);
            println!("\n{author}: {} pairs left open by the rules", open().count());
            println!("{:<24}{:>8}{:>10}{:>10}{:>10}{:>10}", "", "bound", "update", "contra", "same", "both true");
            let row = |name: &str, bound: f64, hit: &dyn Fn(&JudgedPair, [f64; 4]) -> bool| {
                let count = |labels: &[Label]| {
                    let of = open().filter(|pair| labels.contains(&pair.label));
                    let found = of.clone().filter(|pair| pair.probabilities.is_some_and(|p| hit(pair, p)));
                    format!("{}/{}", found.count(), of.count())
                };
                let [update, contradiction, same, both] = [
                    count(&[Label::Update]),
                    count(&[Label::Contradiction]),
                    count(&[Label::Paraphrase, Label::Duplicate]),
                    count(&[Label::Related, Label::Unrelated]),
                ];
                println!("{name:<24}{bound:>8}{update:>10}{contradiction:>10}{same:>10}{both:>10}");
            };
            for bound in BOUNDS {
                row("archived as update", bound, &|pair, p| pair.may_archive && p[1] >= bound);
            }
            for bound in BOUNDS {
                row("update or contradiction", bound, &|_, p| p[1] + p[2] >= bound);
            }
            for bound in BOUNDS {
                row("the same", bound, &|_, p| p[3] >= bound);
            }
        }
    }
}
