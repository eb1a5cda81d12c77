//! What connecting, outcomes and maintenance cost.

use clap::Args;
use elfmem::core::displacement::DEGREE_CAP;
use elfmem::core::{ActiveHours, Block, BlockId, BlockStatus, Edge, EdgeKey, EdgeWeight, Origin, Relation, ScopeView};
use elfmem::store::{JournalHeader, Store, StoreError, Transaction};
use elfmem::{Clock, ConnectSpec, Curate, Learn, Memory, Options, Outcome, SystemClock};
use elfmem_store_sqlite::{OpenOptions, SqliteStore};
use fastrand::Rng;

use crate::corpus::Corpus;
use crate::report::Report;
use crate::{Result, python, timing};

/// Edges that are made for each block; about twice as many end at it.
const EDGES_PER_BLOCK: usize = 4;
/// What the clock of use reads when the memory is curated.
const NOW: f64 = 400.0;
/// Blocks that are changed in one transaction while the memory is made.
const PART: usize = 10_000;

/// Connecting, outcomes and maintenance.
#[derive(Debug, Args)]
pub(crate) struct Graph {
    /// Active blocks in the memory that is curated
    #[arg(long, default_value_t = 100_000)]
    blocks: usize,

    /// Of these, the share that has faded
    #[arg(long, default_value_t = 0.01)]
    faded: f64,

    /// How many single operations to time
    #[arg(long, default_value_t = 2_000)]
    operations: usize,

    /// Active blocks in the Python elfmem's memory
    #[arg(long, default_value_t = 1_000)]
    python_blocks: usize,
}

impl Graph {
    pub(crate) fn run(&self) -> Result<Report> {
        let folder = tempfile::tempdir()?;
        let mut report = Report::default();
        let store = SqliteStore::open(folder.path().join("memory.db"), OpenOptions::default(), SystemClock.now())?;
        let memory = Memory::open(store, Options { auto_curate: None, ..Options::default() });
        let mut random = Rng::with_seed(11);
        let ids = self.fill(&memory, &mut random)?;

        let mut any = || ids[random.usize(..ids.len())].to_string();
        let pairs: Vec<(String, String)> = (0..self.operations).map(|_| (any(), any())).collect();
        let fives: Vec<[String; 5]> = (0..self.operations).map(|_| [any(), any(), any(), any(), any()]).collect();
        let connect = timing::each(pairs.len(), |at| {
            let (source, target) = &pairs[at];
            if source != target {
                memory.connect(&ConnectSpec::new(source, target).relation("supports"))?;
            }
            Ok(())
        })?;
        report.add("connect", connect, Some("cpu <= 0.3 ms"));
        let outcomes =
            || timing::each(fives.len(), |at| Ok(memory.outcome(&Outcome::new(fives[at].clone(), 0.9)).map(drop)?));
        report.add("outcome on 5 blocks, 10 new edges", outcomes()?, Some("cpu <= 0.5 ms"));
        report.add("outcome on the same 5 blocks", outcomes()?, Some("cpu <= 0.5 ms"));

        for aim in [Some("<= 1,500 ms"), None] {
            let edges = count_edges(&memory)?;
            let mut archived = 0;
            let curate = timing::each(1, |_| {
                archived = memory.curate(&Curate::default())?.archived;
                Ok(())
            })?;
            let gone = edges - count_edges(&memory)?;
            report.add(format!("curate {}: {archived} blocks, {gone} edges go", self.blocks), curate, aim);
        }

        if let Some(figures) = python::graph(self.python_blocks) {
            let single = |milliseconds| python::timing(milliseconds, 50);
            report.add("Python elfmem: connect", single(figures.connect_ms), None);
            report.add("Python elfmem: outcome on 5 blocks", single(figures.outcome_ms), None);
            let name = format!("Python elfmem: curate {} blocks", self.python_blocks);
            report.add(name, python::timing(figures.curate_ms, 1), None);
        }
        Ok(report)
    }

    /// A memory as months of use leave it: tags, vectors, edges, blocks of every age.
    fn fill(&self, memory: &Memory<SqliteStore>, random: &mut Rng) -> Result<Vec<BlockId>> {
        let mut corpus = Corpus::new(5);
        let mut ids: Vec<BlockId> = Vec::with_capacity(self.blocks);
        while ids.len() < self.blocks {
            let count = PART.min(self.blocks - ids.len());
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

/// Edges between active blocks.
fn count_edges(memory: &Memory<SqliteStore>) -> Result<usize> {
    let graph = memory.store().read::<_, StoreError, _>(&ScopeView::default(), |snapshot| snapshot.get_living_graph());
    Ok(graph?.edges.len())
}

/// Joins a block with any other; one edge in a hundred is too weak to stay, one in four has been of use.
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
    let mut edge = Edge::new(key, Relation::SIMILAR, Origin::SIMILARITY, SystemClock.now());
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
            transaction.set_total_active_hours(ActiveHours::new(NOW))?;
            transaction.describe(JournalHeader {
                at: SystemClock.now(),
                active_hours: ActiveHours::new(NOW),
                session: None,
                actor: "bench".to_owned(),
                operation: "fill".to_owned(),
                summary: "Made a memory to measure.".to_owned(),
            });
            Ok(())
        });
    Ok(written?)
}
