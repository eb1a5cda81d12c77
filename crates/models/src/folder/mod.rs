//! Sentence-transformers models from a folder on disk.
//!
//! A folder as `SentenceTransformer.save` writes it, with a model of the BERT family: MiniLM, BGE, E5 and multilingual ones.
//! Nothing is downloaded. Vectors agree with those of sentence-transformers up to rounding, except that long texts are read
//! in windows instead of being cut off.

mod charsmap;
mod config;
mod error;
mod files;
mod safetensors;
mod tokenizer;
mod unigram;
mod weights;

#[cfg(test)]
mod tests;

use std::fmt::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Instant;

use elfmem_encoder::{FloatEncoder, Pooling};
use sha2::{Digest, Sha256};

use config::{FolderConfig, Prefixes};
use tokenizer::Tokenizer;
use weights::Dense;

use crate::embedder::{Embedder, QueryEmbedding, SimilarityProfile, UnweightedQuery, unit_vector};
use crate::error::ModelError;
use crate::folder_problem::FolderProblem;
use crate::health::HealthReport;
use crate::usage::Usage;

/// A model folder whose configuration was read, but not its weights.
#[derive(Debug, Clone)]
pub struct ModelFolder {
    path: PathBuf,
    name: String,
    config: FolderConfig,
}

impl ModelFolder {
    /// Reads the configuration of a folder and computes the name of its model. Takes some milliseconds.
    ///
    /// # Errors
    /// If the folder is missing, damaged, or of a model that cannot be run.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, ModelError> {
        let path = path.into();
        let plain_name = Self::plain_name(&path);
        let config = FolderConfig::read(&path, &plain_name)?;
        let name = format!("{plain_name}-{}", fingerprint(&path, &config)?);
        Ok(Self { path, name, config })
    }

    /// Returns the name of the model without a fingerprint: that of the folder, or of the repository in a download cache.
    pub fn plain_name(path: &Path) -> String {
        let last = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
        let cached = path.parent().filter(|parent| last(parent).as_deref() == Some("snapshots")).and_then(Path::parent);
        let absolute = || std::path::absolute(path).ok().and_then(|path| last(&path));
        let name = cached.and_then(last).or_else(|| last(path)).or_else(absolute).unwrap_or_default();
        let name = name.rsplit("--").next().unwrap_or_default();
        let visible: String = name.chars().map(|c| if c.is_control() { '-' } else { c }).take(64).collect();
        if visible.is_empty() { "folder".to_owned() } else { visible }
    }

    /// Returns the name stored with every vector: that of the folder and a fingerprint of its files. So vectors of two
    /// models are never mixed.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Reads the tokenizer and the weights.
    ///
    /// # Errors
    /// If a file is missing, damaged, or of a kind that cannot be used.
    pub fn load(&self) -> Result<FolderEmbedder, ModelError> {
        let tokenizer = Tokenizer::read(&self.path)?;
        let vocabulary = self.config.bert.vocab_size;
        if tokenizer.len() > vocabulary {
            let problem = format!("the tokenizer has {} pieces, the model {vocabulary}", tokenizer.len());
            return Err(FolderProblem::damaged(&self.path, problem));
        }
        let encoder = weights::read_encoder(&self.path, &self.config.bert, tokenizer.marks)?;
        let mut dense: Vec<Dense> = Vec::new();
        for folder in &self.config.dense {
            let inputs = dense.last().map_or(encoder.width(), Dense::outputs);
            dense.push(Dense::read(folder, inputs)?);
        }
        let stated = self.config.max_pieces.map_or(usize::MAX, |pieces| pieces.saturating_sub(2).max(1));
        Ok(FolderEmbedder {
            path: self.path.clone(),
            name: self.name.clone(),
            window: stated.min(encoder.max_window()),
            pooling: self.config.pooling,
            prefixes: self.config.prefixes.clone(),
            tokenizer,
            encoder,
            dense,
            threads: std::thread::available_parallelism().map_or(1, NonZero::get),
            profile: OnceLock::new(),
        })
    }
}

/// Returns the first digits of a hash over everything that the vectors depend on.
fn fingerprint(folder: &Path, config: &FolderConfig) -> Result<String, ModelError> {
    let tokenizer = folder.join("tokenizer.json");
    let tokenizer =
        if tokenizer.exists() { vec!["tokenizer.json"] } else { vec!["vocab.txt", "tokenizer_config.json"] };
    let names = ["config.json", "modules.json", "sentence_bert_config.json", "config_sentence_transformers.json"];
    let names = names.into_iter().chain(tokenizer).chain(["1_Pooling/config.json", "model.safetensors"]);
    let dense = config.dense.iter().flat_map(|dense| ["config.json", "model.safetensors"].map(|name| dense.join(name)));
    let mut hash = Sha256::new();
    for path in names.map(|name| folder.join(name)).chain(dense) {
        files::hash_file(&path, &mut hash)?;
    }
    let mut digits = String::new();
    for byte in &hash.finalize()[..4] {
        let _ = write!(digits, "{byte:02x}");
    }
    Ok(digits)
}

/// A model from a folder, loaded.
#[derive(Debug)]
pub struct FolderEmbedder {
    path: PathBuf,
    name: String,
    /// Pieces of a window, without its marks.
    window: usize,
    pooling: Pooling,
    prefixes: Prefixes,
    tokenizer: Tokenizer,
    encoder: FloatEncoder,
    dense: Vec<Dense>,
    /// Threads that embed a batch.
    threads: usize,
    profile: OnceLock<SimilarityProfile>,
}

/// Sentences about different things. Their cosines show where the scale of a model begins.
const UNRELATED: [&str; 10] = [
    "The train to Basel leaves from platform seven.",
    "Photosynthesis turns light into sugar.",
    "She paid the electricity bill yesterday.",
    "Our backups are encrypted before upload.",
    "The violin needs new strings.",
    "Peanuts grow under the ground.",
    "He was elected mayor in a close vote.",
    "This function returns an empty list.",
    "It rained during the whole football match.",
    "The recipe asks for two cups of flour.",
];

impl FolderEmbedder {
    /// Returns the ids of the pieces of a text, without marks and prefixes.
    pub fn piece_ids(&self, text: &str) -> Vec<u32> {
        self.tokenizer.pieces(text)
    }

    fn embed_with(&self, prefix: &str, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, ModelError> {
        let pieces = |text: &&str| {
            let own = self.tokenizer.pieces(text);
            // A text of which nothing is known has no vector, whatever is put before it.
            match own.iter().all(|id| self.tokenizer.is_unknown(*id)) {
                true => Vec::new(),
                false if prefix.is_empty() => own,
                false => self.tokenizer.pieces(&format!("{prefix}{text}")),
            }
        };
        let pieces: Vec<Vec<u32>> = texts.iter().map(pieces).collect();
        let pieces: Vec<&[u32]> = pieces.iter().map(Vec::as_slice).collect();
        let pooled = self.encoder.embed(&pieces, self.window, self.pooling, self.threads);
        let pooled = pooled.map_err(|error| FolderProblem::damaged(&self.path, error.to_string()))?;
        let finish =
            |vector: Vec<f32>| unit_vector(self.dense.iter().fold(vector, |vector, dense| dense.apply(&vector)));
        Ok(pooled.into_iter().map(|vector| vector.and_then(finish)).collect())
    }

    /// Returns the mean cosine of sentences that have nothing to do with each other.
    fn background(&self) -> Result<f64, ModelError> {
        let vectors: Vec<Vec<f32>> = self.embed(&UNRELATED)?.into_iter().flatten().collect();
        let cosine = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
        let pairs = vectors.iter().enumerate().flat_map(|(at, a)| vectors[at + 1..].iter().map(move |b| cosine(a, b)));
        let cosines: Vec<f64> = pairs.collect();
        Ok(cosines.iter().sum::<f64>() / cosines.len().max(1) as f64)
    }
}

/// Moves thresholds for a model whose unrelated texts have a cosine of zero to one where they have `background`.
fn stretched(profile: SimilarityProfile, background: f64) -> SimilarityProfile {
    let background = if background.is_finite() { background.clamp(0.0, 0.95) } else { 0.0 };
    let moved = |threshold: f64| background + (1.0 - background) * threshold;
    SimilarityProfile {
        exact: moved(profile.exact),
        near: moved(profile.near),
        edge: moved(profile.edge),
        contradiction_prefilter: moved(profile.contradiction_prefilter),
        contradiction: profile.contradiction,
    }
}

impl Embedder for FolderEmbedder {
    fn name(&self) -> &str {
        &self.name
    }

    fn dimensions(&self) -> usize {
        self.dense.last().map_or(self.encoder.width(), Dense::outputs)
    }

    fn profile(&self) -> SimilarityProfile {
        *self.profile.get_or_init(|| stretched(SimilarityProfile::HOSTED, self.background().unwrap_or_default()))
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, ModelError> {
        self.embed_with(&self.prefixes.passage, texts)
    }

    fn prepare_query(&self, text: &str) -> Result<Box<dyn QueryEmbedding>, ModelError> {
        let vector = self.embed_with(&self.prefixes.query, &[text])?.pop().flatten();
        Ok(Box::new(UnweightedQuery(vector)))
    }

    fn check(&self) -> Result<HealthReport, ModelError> {
        let started = Instant::now();
        if self.embed(&["The tea is green."])?.first().is_none_or(Option::is_none) {
            return Err(FolderProblem::damaged(&self.path, "a plain sentence has no vector"));
        }
        let kernel = self.encoder.kernel().name();
        let detail = format!("{} dimensions, from {}, {kernel} kernel.", self.dimensions(), self.path.display());
        Ok(HealthReport::since(started, self.name(), detail))
    }

    fn usage(&self) -> Usage {
        // A folder uses neither tokens nor calls.
        Usage::default()
    }
}
