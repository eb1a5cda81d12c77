//! Measures the time of a query and the memory of a block, at sizes given on the command line.
//!
//! `cargo run --release -p elfmem-index --example measure -- 10000 100000 1000000`
//!
//! Texts are fifteen words from a vocabulary in which the n-th word is as common as 1/n; vectors have 256 dimensions and
//! lie in heaps, as those of real texts do. Times are the least and the median of many questions.

#![expect(clippy::print_stdout, reason = "a program whose purpose is to print")]

use std::hint::black_box;
use std::time::Instant;

use elfmem_core::BlockId;
use elfmem_index::{
    Adjacency, AdjacencyList, AdjacentEdge, AdjacentEdgeKind, IndexError, Parallel, PreparedQuery, Sequence, Slots,
    VectorMatrix, WordIndex, WordQuery, WordScores,
};
use elfmem_text::bm25::TermFields;
use elfmem_text::terms::Term;

const DIMENSIONS: usize = 256;
const WORDS: usize = 15;
const VOCABULARY: usize = 200_000;
const QUESTIONS: usize = 40;

fn main() -> Result<(), IndexError> {
    let sizes: Vec<usize> = std::env::args().skip(1).filter_map(|size| size.parse().ok()).collect();
    for size in if sizes.is_empty() { vec![10_000, 100_000] } else { sizes } {
        println!("{size} blocks");
        words(size);
        vectors(size)?;
        graph(size);
    }
    Ok(())
}

fn words(size: usize) {
    let mut random = fastrand::Rng::with_seed(1);
    let zipf = Zipf::new();
    let texts: Vec<TermFields> = (0..size).map(|_| zipf.text(&mut random)).collect();
    let mut index = WordIndex::default();
    let prepare = |index: &WordIndex, query: &WordQuery| -> PreparedQuery {
        index.prepare(query, |_| Ok::<_, std::convert::Infallible>(vec![])).unwrap_or_default()
    };
    let vocabulary: std::collections::HashSet<&str> =
        texts.iter().flat_map(|fields| &fields.content).map(|term| term.text.as_str()).collect();
    vocabulary.iter().for_each(|word| drop(prepare(&index, &WordQuery::new(&[word]))));
    let started = Instant::now();
    for (slot, fields) in (0..).zip(&texts) {
        index.insert(slot, fields);
    }
    built("words", started, size, index.bytes());
    let mut scores = WordScores::new();
    let (mut found, mut postings) = (0, 0);
    // Six words of a stored text that are not among the thirty commonest, which stand for the stop words.
    let queries: Vec<WordQuery> = (0..QUESTIONS)
        .map(|_| {
            let words = texts[random.usize(..size)].content.iter().chain(&texts[random.usize(..size)].content);
            let chosen: Vec<&str> = words.filter(|term| !term.stop).map(|term| term.text.as_str()).take(6).collect();
            WordQuery::new(&chosen)
        })
        .collect();
    timed("six words", queries.iter(), |query| {
        let query = prepare(&index, query);
        query.score_into(&mut scores);
        found += scores.len();
        postings += query.document_frequencies().map(u64::from).sum::<u64>();
        black_box(&scores);
    });
    println!("  {} postings and {} blocks a question", postings as usize / QUESTIONS, found / QUESTIONS);
    let common = WordQuery::new(&["w30", "w31", "w32", "w33", "w34", "w35"]);
    timed("six common words", (0..QUESTIONS).map(|_| &common), |query| {
        prepare(&index, query).score_into(&mut scores);
    });
    let started = Instant::now();
    let removed = size / 100;
    (0..removed).for_each(|at| {
        index.remove((at * 97 % size) as u32);
    });
    built("removing", started, removed, index.bytes());
    let started = Instant::now();
    (0..removed).for_each(|at| index.insert((at * 97 % size) as u32, &texts[at]));
    built("putting back", started, removed, index.bytes());
}

fn vectors(size: usize) -> Result<(), IndexError> {
    let mut random = fastrand::Rng::with_seed(2);
    let direction = |random: &mut fastrand::Rng| -> Vec<f32> {
        // Sums of uniform numbers are near enough to normal ones.
        (0..DIMENSIONS).map(|_| (0..4).map(|_| random.f32() - 0.5).sum()).collect()
    };
    let centres: Vec<Vec<f32>> = (0..size.div_ceil(100)).map(|_| direction(&mut random)).collect();
    let vector = |random: &mut fastrand::Rng| -> Vec<f32> {
        let centre = &centres[random.usize(..centres.len())];
        centre.iter().zip(direction(random)).map(|(x, noise)| x + 0.8 * noise).collect()
    };
    let mut matrix = VectorMatrix::with_capacity(DIMENSIONS, size)?;
    let (mut spent, mut slot) = (std::time::Duration::ZERO, 0);
    while (slot as usize) < size {
        let some: Vec<Vec<f32>> = (0..1000).map(|_| vector(&mut random)).collect();
        let started = Instant::now();
        for row in some.iter().take(size - slot as usize) {
            matrix.insert(slot, row)?;
            slot += 1;
        }
        spent += started.elapsed();
    }
    let rate = size as f64 / spent.as_secs_f64();
    println!("  vectors: {rate:.0} a second, {:.1} bytes a block", matrix.bytes() as f64 / size as f64);
    let queries: Vec<Vec<f32>> = (0..QUESTIONS).map(|_| vector(&mut random)).collect();
    let mut scores = Vec::new();
    for threads in [1, 2] {
        let parallel = Parallel { threads, from_rows: 0 };
        timed(&format!("scan, {threads} threads"), queries.iter(), |query| {
            black_box(matrix.query(query).map(|query| matrix.scores_into(&query, parallel, &mut scores)).is_ok());
        });
        timed(&format!("scan and the best 200, {threads} threads"), queries.iter(), |query| {
            let Ok(query) = matrix.query(query) else { return };
            matrix.scores_into(&query, parallel, &mut scores);
            black_box(matrix.nearest_of(&query, &scores, 200, |_| true));
        });
    }
    Ok(())
}

fn graph(size: usize) {
    let mut random = fastrand::Rng::with_seed(3);
    let ids: Vec<BlockId> = (0..size).map(|at| BlockId::for_content(&at.to_string())).collect();
    let mut slots = Slots::new();
    let started = Instant::now();
    for id in &ids {
        slots.insert(id);
    }
    built("slots", started, size, slots.bytes());
    let mut edges = Adjacency::new();
    let started = Instant::now();
    edges.grow_to(size);
    for slot in 0..size as u32 {
        let mut link = || AdjacentEdge {
            neighbour: random.u32(..size as u32),
            weight: random.f32(),
            kind: AdjacentEdgeKind::Associates,
        };
        edges.add(slot, AdjacencyList::new((0..6).map(|_| link())));
    }
    built("edges, six at a block", started, size, edges.bytes());
    let mut sequence = Sequence::new();
    let started = Instant::now();
    for slot in 0..size as u32 {
        sequence.insert(slot, slot / 20, i64::from(slot));
    }
    built("sequence", started, size, sequence.bytes());
}

fn built(what: &str, started: Instant, count: usize, bytes: usize) {
    let rate = count as f64 / started.elapsed().as_secs_f64();
    println!("  {what}: {rate:.0} a second, {:.1} bytes each", bytes as f64 / count as f64);
}

fn timed<Q>(what: &str, queries: impl Iterator<Item = Q>, mut ask: impl FnMut(Q)) {
    let mut times: Vec<f64> = queries
        .map(|query| {
            let started = Instant::now();
            ask(query);
            started.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!("  {what}: {:.3} ms at best, {:.3} in the median", times[0], times[times.len() / 2]);
}

/// Draws words whose frequency falls with their rank.
struct Zipf {
    /// The summed frequencies up to each word.
    sums: Vec<f64>,
}

impl Zipf {
    fn new() -> Self {
        let mut sum = 0.0;
        let sums = (1..=VOCABULARY).map(|rank| {
            sum += 1.0 / rank as f64;
            sum
        });
        Self { sums: sums.collect() }
    }

    fn text(&self, random: &mut fastrand::Rng) -> TermFields {
        let all = self.sums[VOCABULARY - 1];
        let mut word = || {
            let drawn = random.f64() * all;
            let rank = self.sums.partition_point(|sum| *sum < drawn).min(VOCABULARY - 1);
            Term { text: format!("w{rank}"), stop: rank < 30 }
        };
        TermFields { content: (0..WORDS).map(|_| word()).collect(), ..TermFields::default() }
    }
}
