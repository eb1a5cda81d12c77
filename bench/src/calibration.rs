//! Fits and checks the relevance curve of a built-in model.
//!
//! The questions of all memory files are asked with everything shown. The curve is fitted on all files but one, and the
//! figures are those of the file left out, for each in turn; so no figure comes from data that its curve was fitted on.
//! `--write` fits on all files and writes the curve into the program.

mod figures;
pub(crate) mod logistic;

use std::path::PathBuf;

use clap::Args;
use elfmem_engine::Recall;
use elfmem_models::{AnswerEvidence, AnswerWeights, HitEvidence, HitWeights, RelevanceCurve};

use crate::Result;
use crate::embedder::EmbedderArgs;
use crate::memories::{MemoryFile, StoredMemory};
pub(crate) use figures::CalibrationFigures;
use figures::Predicted;
use logistic::Example;

/// Blocks of an answer that examples are taken from.
const EXAMPLES: usize = 10;
/// What a memory that is e times larger takes from the logit of an answer: the best of ten times as many unrelated texts is
/// nearer by .06 in cosine (measured on collections of 30 to 10,000 texts). Memories of one size cannot tell.
const SIZE: f64 = 0.5;

/// The reliability of relevance, and what any threshold costs
#[derive(Debug, Args)]
pub(crate) struct Calibration {
    /// Memory files, in the format of bench/data/memories
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    data: Vec<PathBuf>,

    #[command(flatten)]
    embedder: EmbedderArgs,

    /// Write the curve that is fitted on all files: crates/models/src/builtin/curves.rs
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

/// One question, what it was answered with, and what would have been right.
#[derive(Debug)]
struct AskedQuestion {
    /// The number of its file.
    file: usize,
    kind: String,
    answerable: bool,
    evidence: AnswerEvidence,
    hits: Vec<(HitEvidence, bool)>,
}

impl Calibration {
    pub(crate) fn run(&self) -> Result<CalibrationFigures> {
        let mut asked = Vec::new();
        for (number, path) in self.data.iter().enumerate() {
            asked.extend(self.ask(number, &MemoryFile::read(path)?)?);
        }
        // Set by hand above the cosines that questions about nothing in the memory reach.
        let on_topic = self.embedder.required_model()?.relevance_curve().answer.on_topic;
        let mut predicted = Vec::new();
        for left_out in 0..self.data.len() {
            let curve = fitted(asked.iter().filter(|question| question.file != left_out), on_topic);
            predicted.extend(
                asked
                    .iter()
                    .filter(|question| question.file == left_out)
                    .map(|question| Predicted::of(question, &curve)),
            );
        }
        let curve = fitted(asked.iter(), on_topic);
        if let Some(path) = &self.write {
            figures::write_curve(path, self.embedder.required_model()?, &curve)?;
        }
        Ok(CalibrationFigures::new(self.embedder.required_model()?.name(), curve, &predicted))
    }

    fn ask(&self, number: usize, file: &MemoryFile) -> Result<Vec<AskedQuestion>> {
        let stored = StoredMemory::learn(file, self.embedder.models())?;
        let mut asked = Vec::with_capacity(file.questions.len());
        for question in &file.questions {
            let recall = Recall::new(question.question.as_str()).top_k(EXAMPLES).include_weak().preview();
            let found = stored.memory.recall(recall)?;
            let matches: Vec<(f64, f64)> = found
                .blocks
                .iter()
                .map(|block| (block.explain.meaning.unwrap_or(0.0).max(0.0), block.explain.words))
                .collect();
            let balanced = |(meaning, words): &(f64, f64)| 0.5 * meaning + 0.5 * words;
            let best = matches.iter().map(balanced).fold(0.0, f64::max);
            let next = matches.iter().skip(1).map(balanced).fold(0.0, f64::max);
            let hits = found.blocks.iter().zip(&matches).enumerate().map(|(at, (block, own))| {
                let lead = if at == 0 { (balanced(own) - next).max(0.0) } else { 0.0 };
                let behind = best - balanced(own);
                let evidence = HitEvidence { meaning: own.0, words: own.1, behind, first: at == 0, lead };
                (evidence, question.answers.iter().any(|answer| stored.key_of(&block.id) == answer))
            });
            asked.push(AskedQuestion {
                file: number,
                kind: question.kind.clone(),
                answerable: !question.answers.is_empty(),
                evidence: found.evidence.unwrap_or_default(),
                hits: hits.collect(),
            });
        }
        Ok(asked)
    }
}

/// Fits a curve to some questions.
///
/// The answer is fitted to questions with an answer against questions about nothing in the memory, both counting the same.
/// Blocks are fitted to questions with an answer. Questions about things in the memory that are not noted look like those
/// with an answer, and would teach nothing.
fn fitted<'a>(questions: impl Iterator<Item = &'a AskedQuestion> + Clone, on_topic: f64) -> RelevanceCurve {
    let is_far = |question: &&AskedQuestion| question.kind == "unanswerable-far";
    let counts = [questions.clone().filter(is_far).count(), questions.clone().filter(|one| one.answerable).count()];
    let answers: Vec<Example> = questions
        .clone()
        .filter(|question| question.answerable || is_far(question))
        .map(|question| {
            let AnswerEvidence { best, background, words, .. } = question.evidence;
            Example {
                features: vec![best, -background, words],
                positive: question.answerable,
                weight: 100.0 / counts[usize::from(question.answerable)].max(1) as f64,
            }
        })
        .collect();
    let hits: Vec<Example> = questions
        .filter(|question| question.answerable)
        .flat_map(|question| &question.hits)
        .map(|(evidence, positive)| {
            let HitEvidence { meaning, words, behind, first, lead } = *evidence;
            let features = vec![meaning, words, -behind, f64::from(u8::from(first)), lead];
            Example { features, positive: *positive, weight: 1.0 }
        })
        .collect();
    let (answer, hit) = (logistic::fit(&answers), logistic::fit(&hits));
    RelevanceCurve {
        answer: AnswerWeights {
            constant: answer[0],
            best: answer[1],
            background: answer[2],
            words: answer[3],
            size: SIZE,
            on_topic,
        },
        hit: HitWeights {
            constant: hit[0],
            meaning: hit[1],
            words: hit[2],
            behind: hit[3],
            first: hit[4],
            lead: hit[5],
        },
    }
}
