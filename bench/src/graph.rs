//! Measures connect, outcome and curate.

use clap::Args;
use elfmem_core::eviction::DEGREE_CAP;
use elfmem_core::{
    ActiveHours, Block, BlockId, BlockStatus, ClockState, Edge, EdgeKey, EdgeOrigin, EdgeWeight, OperationKind,
    Relation, ScopeView,
};
use elfmem_engine::{Clock, Connect, Curate, Learn, Memory, Options, Outcome, SystemClock};
use elfmem_store::{JournalHeader, Store, StoreError, Transaction};
use elfmem_store_sqlite::{OpenOptions, SqliteStore};
use fastrand::Rng;

use crate::corpus::Corpus;
use crate::report::Report;
use crate::{Result, python, timing};

/// Edges created per block; its degree is about twice as high.
const EDGES_PER_BLOCK: usize = 4;
/// Active hours at the time of curation.
const NOW: f64 = 400.0;
/// Blocks per transaction while the memory is created.
const PART: usize = 10_000;
/// Active blocks in the Python elfmem's memory.
const PYTHON_BLOCKS: usize = 1_000;

/// Connecting, outcomes and maintenance.
#[derive(Debug, Args)]
pub(crate) struct Graph {
    /// Active blocks in the memories that single operations are timed on; the last and largest is curated
    #[arg(long, value_delimiter = ',', default_values_t = [1_000, 10_000, 100_000])]
    sizes: Vec<usize>,

    /// Of these, the share that has faded
    #[arg(long, default_value_t = 0.01)]
    faded: f64,

    /// How many single operations to time
    #[arg(long, default_value_t = 2_000)]
    operations: usize,
}

impl Graph {
    pub(crate) fn run(&self) -> Result<Report> {
        let mut report = Report::default();
        for (at, size) in self.sizes.iter().enumerate() {
            let folder = tempfile::tempdir()?;
            let store = SqliteStore::open(folder.path().join("memory.db"), OpenOptions::default(), SystemClock.now())?;
            let memory = Memory::open(store, Options { auto_curate: None, ..Options::default() });
            self.measure(*size, &memory, &mut report)?;
            if at + 1 == self.sizes.len() {
                curate(*size, &memory, &mut report)?;
            }
        }
        if let Some(figures) = python::graph(PYTHON_BLOCKS) {
            let single = |milliseconds| python::timing(milliseconds, 50);
            report.add(format!("Python elfmem: connect, {PYTHON_BLOCKS} blocks"), single(figures.connect_ms), None);
            let name = format!("Python elfmem: outcome on 5, {PYTHON_BLOCKS} blocks");
            report.add(name, single(figures.outcome_ms), None);
            let name = format!("Python elfmem: curate {PYTHON_BLOCKS} blocks");
            report.add(name, python::timing(figures.curate_ms, 1), None);
        }
        Ok(report)
    }

    /// Single operations on blocks drawn at random. The aims name no size: they stand beside the one that the Python elfmem is
    /// timed with.
    fn measure(&self, size: usize, memory: &Memory<SqliteStore>, report: &mut Report) -> Result<()> {
        let mut random = Rng::with_seed(11);
        let ids = self.fill(size, memory, &mut random)?;
        let mut any = || ids[random.usize(..ids.len())].to_string();
        let pairs: Vec<(String, String)> = (0..self.operations).map(|_| (any(), any())).collect();
        let fives: Vec<[String; 5]> = (0..self.operations).map(|_| [any(), any(), any(), any(), any()]).collect();
        let aim = |aim: &'static str| Some(aim).filter(|_| size == PYTHON_BLOCKS);
        let connect = timing::each(pairs.len(), |at| {
            let (source, target) = &pairs[at];
            if source != target {
                memory.connect(Connect::new(source, target).relation("supports"))?;
            }
            Ok(())
        })?;
        report.add(format!("connect, {size} blocks"), connect, aim("cpu <= 0.3 ms"));
        let outcomes =
            || timing::each(fives.len(), |at| Ok(memory.outcome(Outcome::new(fives[at].clone(), 0.9)).map(drop)?));
        report.add(format!("outcome on 5, 10 new edges, {size} blocks"), outcomes()?, aim("cpu <= 0.5 ms"));
        report.add(format!("outcome on the same 5, {size} blocks"), outcomes()?, aim("cpu <= 0.5 ms"));
        Ok(())
    }

    /// A memory as months of use leave it: tags, vectors, edges, blocks of every age.
    fn fill(&self, size: usize, memory: &Memory<SqliteStore>, random: &mut Rng) -> Result<Vec<BlockId>> {
        let mut corpus = Corpus::new(5);
        let mut ids: Vec<BlockId> = Vec::with_capacity(size);
        while ids.len() < size {
            let count = PART.min(size - ids.len());
            let new: Vec<Learn> =
                (0..count).map(|at| Learn::new(corpus.sentence()).tag(format!("topic/{}", at % 50))).collect();
            ids.extend(memory.learn_all(&new)?.into_iter().map(|stored| stored.block_id));
        }
        for part in ids.chunks(PART) {
            change(memory, |transaction| part.iter().try_for_each(|id| self.age(transaction, random, id)))?;
        }
        for part in ids.chunks(PART) {
            change(memory, |transaction| {
                part.iter()
                    .try_for_each(|id| (0..EDGES_PER_BLOCK).try_for_each(|_| link(transaction, random, id, &ids)))
            })?;
        }
        Ok(ids)
    }

    fn age(
        &self,
        transaction: &mut dyn Transaction,
        random: &mut Rng,
        id: &BlockId,
    ) -> std::result::Result<(), StoreError> {
        let hours = if random.f64() < self.faded { 0.0 } else { random.f64() * 200.0 + 200.0 };
        let count = random.u32(0..20);
        transaction.update_block(id, &mut |block: &mut Block| {
            block.status = BlockStatus::Active;
            block.last_reinforced_at = ActiveHours::new(hours);
            block.reinforcement_count = count;
        })?;
        let vector: Vec<f32> = (0..256).map(|_| random.f32() - 0.5).collect();
        transaction.set_embedding(id, "measured", &vector)
    }
}

/// Curates the whole memory twice; the second run has nothing to do.
fn curate(size: usize, memory: &Memory<SqliteStore>, report: &mut Report) -> Result<()> {
    for aim in [Some("<= 1,500 ms"), None] {
        let edges = count_edges(memory)?;
        let mut archived = 0;
        let curate = timing::each(1, |_| {
            archived = memory.curate(Curate::new())?.archived;
            Ok(())
        })?;
        let gone = edges - count_edges(memory)?;
        report.add(format!("curate {size}: {archived} blocks, {gone} edges go"), curate, aim);
    }
    Ok(())
}

/// Edges between active blocks.
fn count_edges(memory: &Memory<SqliteStore>) -> Result<usize> {
    let graph = memory.store().read::<_, StoreError, _>(&ScopeView::default(), |snapshot| snapshot.get_living_graph());
    Ok(graph?.edges.len())
}

/// Connects a block with a random other one. One edge in a hundred is too weak to be kept, one in four was reinforced.
fn link(
    transaction: &mut dyn Transaction,
    random: &mut Rng,
    id: &BlockId,
    ids: &[BlockId],
) -> std::result::Result<(), StoreError> {
    let other = &ids[random.usize(..ids.len())];
    let degrees = transaction.get_degrees(&[id.clone(), other.clone()])?;
    let full = degrees.values().any(|degree| *degree >= DEGREE_CAP);
    let Some(key) = EdgeKey::canonical(id, other).filter(|_| !full) else { return Ok(()) };
    let mut edge = Edge::new(key, Relation::SIMILAR, EdgeOrigin::SIMILARITY, SystemClock.now());
    edge.weight = EdgeWeight::saturating(if random.f64() < 0.01 { 0.05 } else { 0.6 + random.f64() * 0.4 });
    edge.last_active_hours = (random.f64() < 0.25).then(|| ActiveHours::new(random.f64() * NOW));
    transaction.insert_edge(&edge).map(drop)
}

fn change(
    memory: &Memory<SqliteStore>,
    mut work: impl FnMut(&mut dyn Transaction) -> std::result::Result<(), StoreError>,
) -> Result<()> {
    let written: std::result::Result<(), StoreError> =
        memory.store().write(&ScopeView::default(), |transaction: &mut dyn Transaction| {
            work(transaction)?;
            transaction.set_clock(ClockState { hours: ActiveHours::new(NOW), last_activity: None })?;
            transaction.describe(JournalHeader {
                at: SystemClock.now(),
                active_hours: ActiveHours::new(NOW),
                session: None,
                actor: "bench".to_owned(),
                operation: OperationKind::from_name("fill"),
                summary: "Made a memory to measure.".to_owned(),
            });
            Ok(())
        });
    Ok(written?)
}
