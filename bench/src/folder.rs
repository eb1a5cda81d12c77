//! Compares the vectors of model folders with a reference, and measures them beside the built-in models.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use elfmem_models::{BuiltinModel, Embedder, ModelFolder};
use serde::{Deserialize, Serialize};

use crate::memories::Memories;
use crate::{Result, timing};

/// Largest difference of a number of a vector to the reference.
const TOLERANCE: f64 = 1e-4;
/// Texts that are embedded together.
const BATCH: usize = 256;

/// Model folders: their vectors against a reference, and quality and speed beside the built-in models
#[derive(Debug, Args)]
pub(crate) struct Folders {
    /// References as tests/model-folder/reference.py writes them; the folder of the first one is measured
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    reference: Vec<PathBuf>,

    /// Memory files, in the format of bench/data/memories
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    data: Vec<PathBuf>,
}

/// Texts with the pieces and vectors of a model.
#[derive(Debug, Deserialize)]
struct Reference {
    folder: PathBuf,
    texts: Vec<ReferenceText>,
}

#[derive(Debug, Deserialize)]
struct ReferenceText {
    text: String,
    ids: Vec<u32>,
    vector: Vec<f64>,
}

/// How far a folder is from its reference.
#[derive(Debug, Serialize)]
struct Comparison {
    model: String,
    texts: usize,
    /// Texts that were cut into other pieces.
    other_pieces: Vec<String>,
    largest_difference: f64,
    lowest_cosine: f64,
}

/// One model in the table.
#[derive(Debug, Serialize)]
struct ModelFigures {
    model: String,
    dimensions: usize,
    load_ms: f64,
    question_ms: f64,
    texts_per_second: f64,
    asked: usize,
    first: usize,
    among_five: usize,
}

/// All figures.
#[derive(Debug, Serialize)]
pub(crate) struct FolderReport {
    comparisons: Vec<Comparison>,
    models: Vec<ModelFigures>,
}

impl Folders {
    pub(crate) fn run(&self) -> Result<FolderReport> {
        let mut comparisons = Vec::new();
        let mut measured = None;
        for path in &self.reference {
            let reference: Reference = serde_json::from_str(&std::fs::read_to_string(path)?)?;
            comparisons.push(compare(&reference)?);
            measured = measured.or(Some(reference));
        }
        let measured = measured.ok_or("a reference is needed")?;
        let texts: Vec<&str> = measured.texts.iter().map(|text| text.text.as_str()).collect();
        let mut models = Vec::new();
        for model in BuiltinModel::ALL {
            let (embedder, load_ms) = timed(|| Ok(model.load()?))?;
            models.push(self.measure(&*embedder, model.setting(), load_ms, &texts)?);
        }
        let (embedder, load_ms) = timed(|| load(&measured.folder))?;
        models.push(self.measure(&*embedder, &format!("folder:{}", measured.folder.display()), load_ms, &texts)?);
        Ok(FolderReport { comparisons, models })
    }

    fn measure(&self, embedder: &dyn Embedder, setting: &str, load_ms: f64, texts: &[&str]) -> Result<ModelFigures> {
        embedder.embed(&texts[..texts.len().min(BATCH)])?;
        let question = timing::each(200, |at| Ok(embedder.prepare_query(texts[at % texts.len()]).map(drop)?))?;
        let batch: Vec<&str> = texts.iter().copied().cycle().take(4 * BATCH).collect();
        let all = timing::each(3, |_| {
            batch.chunks(BATCH).try_for_each(|chunk| embedder.embed(chunk).map(drop))?;
            Ok(())
        })?;
        let found = Memories::new(&self.data, setting)?.run()?.overall();
        Ok(ModelFigures {
            model: embedder.name().to_owned(),
            dimensions: embedder.dimensions(),
            load_ms,
            question_ms: question.p50_ms,
            texts_per_second: batch.len() as f64 / all.p50_ms * 1000.0,
            asked: found.0,
            first: found.1,
            among_five: found.2,
        })
    }
}

fn load(folder: &Path) -> Result<Arc<dyn Embedder>> {
    Ok(Arc::new(ModelFolder::open(folder)?.load()?))
}

/// Runs something once and returns how long it took, in milliseconds.
fn timed<T>(work: impl FnOnce() -> Result<T>) -> Result<(T, f64)> {
    let started = std::time::Instant::now();
    let made = work()?;
    Ok((made, started.elapsed().as_secs_f64() * 1000.0))
}

fn compare(reference: &Reference) -> Result<Comparison> {
    let embedder = ModelFolder::open(&reference.folder)?.load()?;
    let mut comparison = Comparison {
        model: embedder.name().to_owned(),
        texts: reference.texts.len(),
        other_pieces: Vec::new(),
        largest_difference: 0.0,
        lowest_cosine: 1.0,
    };
    for text in &reference.texts {
        if embedder.piece_ids(&text.text) != text.ids {
            comparison.other_pieces.push(text.text.clone());
            continue;
        }
        let vector = embedder.embed(&[&text.text])?.pop().flatten();
        // A text of which nothing is known has no vector here; the reference embeds the unknown piece.
        let Some(vector) = vector else { continue };
        let pairs = || vector.iter().zip(&text.vector).map(|(got, expected)| (f64::from(*got), *expected));
        let difference = pairs().map(|(got, expected)| (got - expected).abs()).fold(0.0, f64::max);
        let cosine: f64 = pairs().map(|(got, expected)| got * expected).sum();
        comparison.largest_difference = comparison.largest_difference.max(difference);
        comparison.lowest_cosine = comparison.lowest_cosine.min(cosine);
    }
    Ok(comparison)
}

impl FolderReport {
    /// Returns whether all vectors agree with their reference.
    pub(crate) fn is_good(&self) -> bool {
        self.comparisons.iter().all(|one| one.other_pieces.is_empty() && one.largest_difference <= TOLERANCE)
    }

    pub(crate) fn print(&self, json: bool) {
        if json {
            println!("{}", serde_json::json!(self));
            return;
        }
        for one in &self.comparisons {
            println!(
                "{}: {} texts, {} cut into other pieces, largest difference {:.1e}, lowest cosine {:.7}",
                one.model,
                one.texts,
                one.other_pieces.len(),
                one.largest_difference,
                one.lowest_cosine
            );
            one.other_pieces.iter().for_each(|text| println!("  other pieces: {text}"));
        }
        println!();
        println!("| model | dimensions | load, ms | question, ms | texts a second | first | among five | of |");
        println!("|---|--:|--:|--:|--:|--:|--:|--:|");
        for one in &self.models {
            println!(
                "| {} | {} | {:.0} | {:.2} | {:.0} | {} | {} | {} |",
                one.model,
                one.dimensions,
                one.load_ms,
                one.question_ms,
                one.texts_per_second,
                one.first,
                one.among_five,
                one.asked
            );
        }
    }
}
