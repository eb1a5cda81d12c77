//! Measures recall: warm at growing sizes, cold from the command line.

use std::path::{Path, PathBuf};

use clap::Args;
use elfmem_core::{
    Block, BlockId, BlockStatus, Confidence, Edge, EdgeKey, EdgeOrigin, OperationKind, Relation, ScopeView, SessionId,
    Timestamp,
};
use elfmem_engine::{Clock, Memory, Recall as Asked, RenderFrame, SystemClock};
use elfmem_models::BuiltinModel;
use elfmem_store::{JournalHeader, Store, StoreError};
use elfmem_store_sqlite::{OpenOptions, SqliteStore};

use crate::corpus::Corpus;
use crate::embedder::EmbedderArgs;
use crate::report::Report;
use crate::{Result, program, python, timing};

/// Blocks that are stored one after the other in a session of the seeded memory.
const SESSION: usize = 40;
/// Edges per block, to earlier blocks.
const EDGES: usize = 3;
/// Blocks stored in one transaction.
const CHUNK: usize = 10_000;
/// Number of warm-up and of timed queries.
const WARM: usize = 2_000;
const TIMED: usize = 500;
/// Questions that are asked again while their vectors are cached.
const CACHED: usize = 100;
/// Texts that the encoder embeds for a memory. Larger memories repeat their vectors, each a little moved: how long a search takes
/// depends on their number, and a hundred thousand texts would take minutes.
const EMBEDDED: usize = 5_000;
/// Length in bytes and number of the very long queries.
const LONG_BYTES: usize = 100_000;
const LONG: usize = 10;

/// Warm and cold recall at growing sizes.
#[derive(Debug, Args)]
pub(crate) struct RecallCommand {
    /// Sizes of the memory, in blocks
    #[arg(long, value_delimiter = ',', default_values_t = [1_000, 10_000, 100_000])]
    sizes: Vec<usize>,

    /// How often the program is started at each size
    #[arg(long, default_value_t = 20)]
    starts: usize,

    /// Where the memories are made, or found from an earlier run; otherwise in a folder that is thrown away
    #[arg(long)]
    folder: Option<PathBuf>,

    #[command(flatten)]
    embedder: EmbedderArgs,
}

impl RecallCommand {
    pub(crate) fn run(&self) -> Result<Report> {
        let passing = tempfile::tempdir()?;
        let folder = self.folder.as_deref().unwrap_or(passing.path());
        let mut report = Report::default();
        for size in &self.sizes {
            let model = self.embedder.required_model()?;
            self.measure(*size, model, &folder.join(format!("{}-{size}.db", model.setting())), &mut report)?;
        }
        if let Some(figures) = python::recall(1_000) {
            report.add("Python elfmem: frame, 1000 blocks", python::timing(figures.recall_ms, 20), None);
        }
        Ok(report)
    }

    fn measure(&self, size: usize, model: BuiltinModel, path: &Path, report: &mut Report) -> Result<()> {
        let mut corpus = Corpus::new(11);
        if !path.exists() {
            let part = path.with_extension("part");
            let store = SqliteStore::open(&part, OpenOptions::default(), SystemClock.now())?;
            let filled = timing::each(1, |_| fill(&store, &mut corpus, size, model))?;
            report.add(format!("filling {size} blocks"), filled, None);
            drop(store);
            std::fs::rename(&part, path)?;
        }
        let mut corpus = Corpus::new(12);
        let store = SqliteStore::open(path, OpenOptions::default(), SystemClock.now())?;
        let memory = Memory::open(store, self.embedder.options());
        let questions: Vec<String> = (0..WARM + TIMED).map(|_| corpus.question()).collect();
        let first = timing::each(1, |_| Ok(memory.recall(&questions[0]).map(drop)?))?;
        report.add(format!("recall, first in a process, {size} blocks"), first, None);
        for question in &questions[..WARM] {
            memory.recall(question)?;
        }
        // The encoder needs about two milliseconds for a question; the same question again needs none.
        let (aim, aim_again) = match (size, model) {
            (10_000, BuiltinModel::Encoder) => (Some("p50 <= 2.5 ms"), Some("p50 <= 1 ms")),
            (10_000, BuiltinModel::Static) => (Some("p50 <= 1 ms"), Some("p50 <= 1 ms")),
            (100_000, _) => (Some("p50 <= 5 ms"), Some("p50 <= 5 ms")),
            (1_000_000, _) => (Some("p50 <= 40 ms"), None),
            _ => (None, None),
        };
        let counted = timing::each(TIMED, |at| Ok(memory.recall(&questions[WARM + at]).map(drop)?))?;
        report.add(format!("recall, warm, {size} blocks"), counted, aim);
        let cached = &questions[WARM + TIMED - CACHED..];
        let again = timing::each(TIMED, |at| Ok(memory.recall(&cached[at % CACHED]).map(drop)?))?;
        report.add(format!("recall, warm, asked before, {size} blocks"), again, aim_again);
        let looked = timing::each(TIMED, |at| {
            let asked = Asked::new(questions[WARM + at].as_str()).preview();
            Ok(memory.recall(&asked).map(drop)?)
        })?;
        report.add(format!("recall, warm, preview, {size} blocks"), looked, None);
        let framed = timing::each(TIMED / 5, |at| {
            Ok(memory.frame(RenderFrame::new("attention").query(&questions[WARM + at])).map(drop)?)
        })?;
        report.add(format!("frame attention, warm, {size} blocks"), framed, None);
        let long = long_question(&mut corpus);
        let asked = Asked::new(long.as_str()).preview();
        let looked = timing::each(LONG, |_| Ok(memory.recall(&asked).map(drop)?))?;
        report.add(format!("recall by a question of 100 KB, {size} blocks"), looked, None);
        if let Some(kept) = memory.footprint() {
            let per = |bytes: usize| bytes / kept.blocks.max(1);
            report.note(format!(
                "kept in memory at {size} blocks, bytes a block: {} of its own, {} vectors, {} words, {} edges",
                per(kept.other),
                per(kept.vectors),
                per(kept.words),
                per(kept.edges)
            ));
        }
        drop(memory);
        let (elfmem, db) = (program::locate()?, path.display().to_string());
        let arguments = ["--db", &db, "--embedder", model.setting(), "recall", questions[0].as_str()];
        let aim = match size {
            10_000 => Some("<= 40 ms"),
            100_000 => Some("<= 400 ms"),
            _ => None,
        };
        let cold = program::time(&elfmem, &arguments, self.starts)?;
        report.add(format!("elfmem recall, cold, {size} blocks"), cold, aim);
        Ok(())
    }
}

/// Creates a query of 100,000 bytes.
fn long_question(corpus: &mut Corpus) -> String {
    let mut question = String::with_capacity(LONG_BYTES + 200);
    while question.len() < LONG_BYTES {
        question.push_str(&corpus.sentence());
        question.push(' ');
    }
    question
}

/// Fills a store with active blocks, vectors and edges, without consolidation.
pub(crate) fn fill(store: &SqliteStore, corpus: &mut Corpus, size: usize, model: BuiltinModel) -> Result<()> {
    let embedder = model.load()?;
    let mut embedded: Vec<Option<Vec<f32>>> = Vec::new();
    let mut random = fastrand::Rng::with_seed(5);
    let mut known: Vec<elfmem_core::BlockId> = Vec::with_capacity(size);
    while known.len() < size {
        let texts: Vec<String> = (0..CHUNK.min(size - known.len())).map(|_| corpus.sentence()).collect();
        let borrowed: Vec<&str> = texts.iter().map(String::as_str).collect();
        let vectors = match model {
            BuiltinModel::Static => embedder.embed(&borrowed)?,
            BuiltinModel::Encoder => {
                if embedded.is_empty() {
                    embedded = embedder.embed(&borrowed[..borrowed.len().min(EMBEDDED)])?;
                }
                let repeated = |at: usize| embedded[at % embedded.len()].as_deref();
                let is_first = |at: usize| at < EMBEDDED && known.is_empty();
                let mut vector = |at: usize| {
                    let vector = repeated(at)?;
                    Some(if is_first(at) { vector.to_vec() } else { moved(vector, &mut random) })
                };
                (0..texts.len()).map(&mut vector).collect()
            }
        };
        let start = known.len();
        let blocks: Vec<Block> =
            texts.iter().enumerate().map(|(at, text)| block(text, (start + at) / SESSION, &mut random)).collect();
        known.extend(blocks.iter().map(|block| block.id.clone()));
        let ends: Vec<(usize, usize)> = (start..known.len())
            .filter(|at| *at > 0)
            .flat_map(|at| [at; EDGES].map(|at| (at, random.usize(..at))))
            .collect();
        store.write(&ScopeView::default(), |transaction| -> std::result::Result<(), StoreError> {
            transaction.set_config("embedding_model_lock", embedder.name())?;
            transaction.set_config("embedding_dimensions_lock", &embedder.dimensions().to_string())?;
            for (block, vector) in blocks.iter().zip(&vectors) {
                transaction.insert_block(block)?;
                if let Some(vector) = vector {
                    transaction.set_embedding(&block.id, embedder.name(), vector)?;
                }
            }
            for (a, b) in &ends {
                if let Some(key) = EdgeKey::canonical(&known[*a], &known[*b]) {
                    let edge = Edge::new(key, Relation::SIMILAR, EdgeOrigin::SIMILARITY, Timestamp::UNIX_EPOCH);
                    transaction.insert_edge(&edge)?;
                }
            }
            transaction.describe(JournalHeader {
                at: Timestamp::UNIX_EPOCH,
                active_hours: elfmem_core::ActiveHours::ZERO,
                session: None,
                actor: "bench".to_owned(),
                operation: OperationKind::from_name("fill"),
                summary: format!("Filled with {} blocks.", blocks.len()),
            });
            Ok(())
        })?;
    }
    Ok(())
}

/// Returns a unit vector near another one: their cosine is about .9.
fn moved(vector: &[f32], random: &mut fastrand::Rng) -> Vec<f32> {
    let scale = 1.7 / (vector.len() as f32).sqrt();
    let mut moved: Vec<f32> = vector.iter().map(|number| number + scale * (random.f32() - 0.5)).collect();
    let length = moved.iter().map(|number| number * number).sum::<f32>().sqrt();
    moved.iter_mut().for_each(|number| *number /= length);
    moved
}

fn block(text: &str, session: usize, random: &mut fastrand::Rng) -> Block {
    Block {
        status: BlockStatus::Active,
        confidence: Confidence::saturating(0.3 + 0.5 * random.f64()),
        reinforcement_count: random.u32(..20),
        last_reinforced_at: elfmem_core::ActiveHours::new(random.f64()),
        last_session_id: Some(SessionId::from_stored(&format!("session-{session}"))),
        ..Block::new(BlockId::for_content(text), text, "user", Timestamp::UNIX_EPOCH)
    }
}
