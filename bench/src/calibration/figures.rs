//! How far the predicted probabilities are right.

use std::path::Path;

use elfmem_engine::Strength;
use elfmem_models::{BuiltinModel, RelevanceCurve};
use serde::Serialize;

use super::AskedQuestion;
use crate::Result;

/// Blocks of an answer that are shown.
const SHOWN: usize = 5;
/// Floors that are tried.
const FLOORS: [f64; 10] = [0.05, 0.10, 0.15, 0.20, 0.25, 0.30, 0.35, 0.40, 0.50, 0.60];

/// A question with its predicted probabilities.
#[derive(Debug)]
pub(super) struct Predicted {
    kind: String,
    answerable: bool,
    /// That the memory holds an answer.
    answer: f64,
    /// That each block helps, and whether it does.
    hits: Vec<(f64, bool)>,
}

impl Predicted {
    pub(super) fn of(question: &AskedQuestion, curve: &RelevanceCurve) -> Self {
        let answer = if question.hits.is_empty() { 0.0 } else { curve.answer(&question.evidence) };
        let hits = question.hits.iter().take(SHOWN).map(|(evidence, right)| (curve.hit(answer, evidence), *right));
        Self { kind: question.kind.clone(), answerable: question.answerable, answer, hits: hits.collect() }
    }

    fn has_answer(&self) -> bool {
        self.hits.iter().any(|(_, right)| *right)
    }
}

/// A range of probabilities: what was predicted, and what came true.
#[derive(Debug, Serialize)]
struct Bin {
    from: f64,
    blocks: usize,
    predicted: f64,
    right: f64,
}

/// What a floor for the whole answer costs.
#[derive(Debug, Serialize)]
struct Floor {
    floor: f64,
    /// Share of the questions about nothing in the memory that are answered with nothing.
    far_silent: f64,
    /// Share of the questions about things that are not noted.
    near_silent: f64,
    /// Share of the questions with an answer that lose it.
    answers_lost: f64,
}

/// The figures of a model.
#[derive(Debug, Serialize)]
pub(crate) struct CalibrationFigures {
    model: String,
    curve: RelevanceCurve,
    reliability: Vec<Bin>,
    brier: f64,
    /// Expected calibration error of the blocks that are returned.
    ece: f64,
    auc_far: f64,
    auc_near: f64,
    floors: Vec<Floor>,
}

impl CalibrationFigures {
    pub(super) fn new(model: &str, curve: RelevanceCurve, all: &[Predicted]) -> Self {
        let returned = all.iter().filter(|one| one.answer >= Strength::FLOOR);
        let shown: Vec<(f64, bool)> = returned.flat_map(|one| one.hits.iter().copied()).collect();
        let reliability: Vec<Bin> = (0..10).filter_map(|bin| Bin::of(f64::from(bin) / 10.0, &shown)).collect();
        let number = |right: bool| f64::from(u8::from(right));
        let count = shown.len().max(1) as f64;
        let auc = |kind: &str| {
            let known = all.iter().filter(|one| one.answerable).map(|one| one.answer);
            let unknown = all.iter().filter(|one| one.kind == kind).map(|one| one.answer);
            crate::memories::auc(known, unknown).unwrap_or(f64::NAN)
        };
        Self {
            model: model.to_owned(),
            curve,
            brier: shown.iter().map(|(p, right)| (p - number(*right)).powi(2)).sum::<f64>() / count,
            ece: reliability.iter().map(|bin| bin.blocks as f64 * (bin.predicted - bin.right).abs()).sum::<f64>()
                / count,
            reliability,
            auc_far: auc("unanswerable-far"),
            auc_near: auc("unanswerable-near"),
            floors: FLOORS.iter().map(|floor| Floor::of(*floor, all)).collect(),
        }
    }

    pub(crate) fn print(&self, json: bool) {
        if json {
            println!("{}", serde_json::json!(self));
            return;
        }
        println!("{}: {:?}\n", self.model, self.curve);
        println!("{:>10} {:>8} {:>10} {:>8}", "relevance", "blocks", "predicted", "right");
        for bin in &self.reliability {
            println!("{:>10.1} {:>8} {:>10.3} {:>8.3}", bin.from, bin.blocks, bin.predicted, bin.right);
        }
        println!(
            "Brier {:.3}, ECE {:.3}, AUC far {:.3}, near {:.3}\n",
            self.brier, self.ece, self.auc_far, self.auc_near
        );
        println!("{:>6} {:>11} {:>12} {:>13}", "floor", "far silent", "near silent", "answers lost");
        for Floor { floor, far_silent, near_silent, answers_lost } in &self.floors {
            println!("{floor:>6.2} {far_silent:>11.3} {near_silent:>12.3} {answers_lost:>13.3}");
        }
    }
}

impl Bin {
    fn of(from: f64, shown: &[(f64, bool)]) -> Option<Self> {
        let inside: Vec<&(f64, bool)> =
            shown.iter().filter(|(p, _)| *p >= from && (*p < from + 0.1 || from > 0.85)).collect();
        let blocks = inside.len();
        (blocks > 0).then(|| Self {
            from,
            blocks,
            predicted: inside.iter().map(|(p, _)| p).sum::<f64>() / blocks as f64,
            right: inside.iter().filter(|(_, right)| *right).count() as f64 / blocks as f64,
        })
    }
}

impl Floor {
    fn of(floor: f64, all: &[Predicted]) -> Self {
        let share = |of: &dyn Fn(&Predicted) -> bool, among: &dyn Fn(&Predicted) -> bool| {
            let among: Vec<&Predicted> = all.iter().filter(|one| among(one)).collect();
            among.iter().filter(|one| of(one)).count() as f64 / among.len().max(1) as f64
        };
        let silent = |one: &Predicted| one.answer < floor;
        Self {
            floor,
            far_silent: share(&silent, &|one| one.kind == "unanswerable-far"),
            near_silent: share(&silent, &|one| one.kind == "unanswerable-near"),
            answers_lost: share(&|one| silent(one) && one.has_answer(), &|one| one.answerable),
        }
    }
}

/// Writes the curve of a model into the file with the curves of all built-in models.
pub(super) fn write_curve(path: &Path, model: BuiltinModel, curve: &RelevanceCurve) -> Result<()> {
    let curve_of = |one: BuiltinModel| if one == model { *curve } else { one.relevance_curve() };
    let entry = |name: &str, comment: &str, curve: RelevanceCurve| {
        let RelevanceCurve { answer, hit } = curve;
        format!(
            "\n/// The curve of {comment}.\npub(super) const {name}: RelevanceCurve = RelevanceCurve {{\n    answer: AnswerWeights \
             {{\n        constant: {:.3},\n        best: {:.3},\n        background: {:.3},\n        \
             words: {:.3},\n        size: {:.3},\n        on_topic: {:.3},\n    }},\n    hit: HitWeights {{ constant: {:.3}, meaning: {:.3}, words: \
             {:.3}, behind: {:.3}, first: {:.3}, lead: {:.3} }},\n}};\n",
            answer.constant,
            answer.best,
            answer.background,
            answer.words,
            answer.size,
            answer.on_topic,
            hit.constant,
            hit.meaning,
            hit.words,
            hit.behind,
            hit.first,
            hit.lead
        )
    };
    let text = format!(
        "//! The relevance curves of the built-in models. Written by `elfmem-bench calibration --write`.\n\nuse \
         crate::relevance::{{AnswerWeights, HitWeights, RelevanceCurve}};\n{}{}",
        entry("STATIC", "the static table", curve_of(BuiltinModel::Static)),
        entry("ENCODER", "the encoder", curve_of(BuiltinModel::Encoder))
    );
    Ok(std::fs::write(path, text)?)
}
