//! What a plain search would find: words alone, vectors alone, and the two by rank.

use std::collections::HashMap;

use elfmem_core::BlockId;
use elfmem_index::VectorIndex;
use elfmem_models::{Embedder, StaticEmbedder};
use elfmem_text::bm25::{Bm25, CorpusStats, FieldWeights, TermFields};
use elfmem_text::terms::{query_terms, terms};

use super::data::LabelledConversation;
use crate::Result;

/// The constant of rank fusion.
const RRF: f64 = 60.0;

pub(crate) struct Baselines {
    fields: Vec<TermFields>,
    corpus: CorpusStats,
    vectors: VectorIndex,
}

impl Baselines {
    pub(crate) fn new(conversation: &LabelledConversation) -> Result<Self> {
        let texts: Vec<String> = conversation.turns.iter().map(super::data::Turn::as_content).collect();
        let fields: Vec<TermFields> =
            texts.iter().map(|text| TermFields { content: terms(text), ..TermFields::default() }).collect();
        let mut document_frequency: HashMap<String, u64> = HashMap::new();
        for fields in &fields {
            let mut words: Vec<&str> = fields.content.iter().map(|term| term.text.as_str()).collect();
            words.sort_unstable();
            words.dedup();
            words.into_iter().for_each(|word| *document_frequency.entry(word.to_owned()).or_default() += 1);
        }
        let total: u64 = fields.iter().map(|fields| u64::from(fields.length())).sum();
        let corpus = CorpusStats {
            blocks: fields.len() as u64,
            mean_length: total as f64 / fields.len().max(1) as f64,
            document_frequency,
        };
        let embedder = StaticEmbedder::shared()?;
        let mut vectors = VectorIndex::new(embedder.dimensions())?;
        let borrowed: Vec<&str> = texts.iter().map(String::as_str).collect();
        for (at, vector) in embedder.embed(&borrowed)?.into_iter().enumerate() {
            if let Some(vector) = vector {
                vectors.insert(&name(at), &vector)?;
            }
        }
        Ok(Self { fields, corpus, vectors })
    }

    /// The places of the turns each baseline finds, best first.
    pub(crate) fn answers(&self, question: &str, depth: usize) -> Result<[(&'static str, Vec<usize>); 3]> {
        let bm25 = Bm25::new(&query_terms(question), &self.corpus, FieldWeights::default());
        let mut by_words: Vec<(usize, f64)> = self
            .fields
            .iter()
            .map(|fields| bm25.score(fields).score)
            .enumerate()
            .filter(|(_, score)| *score > 0.0)
            .collect();
        by_words.sort_by(|a, b| b.1.total_cmp(&a.1));
        let by_words: Vec<usize> = by_words.into_iter().map(|(at, _)| at).collect();
        let by_meaning: Vec<usize> = match StaticEmbedder::shared()?.embed(&[question])?.pop().flatten() {
            Some(vector) => {
                let near = self.vectors.nearest(&vector, self.fields.len(), |_| true)?;
                near.iter().filter_map(|near| near.id.as_str().parse().ok()).collect()
            }
            None => Vec::new(),
        };
        let mut fused: HashMap<usize, f64> = HashMap::new();
        for list in [&by_words, &by_meaning] {
            for (rank, at) in list.iter().enumerate() {
                *fused.entry(*at).or_default() += 1.0 / (RRF + rank as f64 + 1.0);
            }
        }
        let mut fused: Vec<(usize, f64)> = fused.into_iter().collect();
        fused.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let first = |all: Vec<usize>| all.into_iter().take(depth).collect::<Vec<usize>>();
        let fused = first(fused.into_iter().map(|(at, _)| at).collect());
        Ok([("bm25", first(by_words)), ("vectors", first(by_meaning)), ("rrf", fused)])
    }
}

/// The place of a turn as a block id, so that the index can hold it.
fn name(at: usize) -> BlockId {
    BlockId::from_stored(&format!("{at:08}"))
}
