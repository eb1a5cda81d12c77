//! Any model can be the embedder: implement one trait and pass it in the options.
//!
//! This one hashes words into buckets, so only shared words are similar. A real one calls a model.
//! Run with `cargo run -p elfmem --example custom_embedder`.

#![allow(clippy::print_stdout, reason = "an example prints what it shows")]

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use elfmem::{Embedder, EmbedderChoice, HealthReport, Memory, ModelError, Models, Options, SimilarityProfile, Usage};

#[derive(Debug)]
struct HashedWords;

const DIMENSIONS: usize = 512;

impl Embedder for HashedWords {
    fn name(&self) -> &str {
        "hashed-words-512"
    }

    fn dimensions(&self) -> usize {
        DIMENSIONS
    }

    fn profile(&self) -> SimilarityProfile {
        SimilarityProfile::HOSTED
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, ModelError> {
        let bucket = |word: &str| {
            let mut hasher = DefaultHasher::new();
            word.to_lowercase().hash(&mut hasher);
            (hasher.finish() % DIMENSIONS as u64) as usize
        };
        let embed = |text: &&str| {
            let mut vector = vec![0.0; DIMENSIONS];
            text.split_whitespace().for_each(|word| vector[bucket(word)] += 1.0);
            elfmem::unit_vector(vector)
        };
        Ok(texts.iter().map(embed).collect())
    }

    fn check(&self) -> Result<HealthReport, ModelError> {
        Ok(HealthReport { model: self.name().to_owned(), milliseconds: 0, detail: "in process".to_owned() })
    }

    fn usage(&self) -> Usage {
        Usage::default()
    }
}

fn main() -> elfmem::Result<()> {
    let models = Models { embedder: EmbedderChoice::Custom(Arc::new(HashedWords)), ..Models::default() };
    let memory = Memory::in_memory_with(Options { models, ..Options::default() })?;
    memory.remember("The backup runs at two in the morning")?;
    println!("{}", memory.consolidate()?);
    println!("{}", memory.recall("when does the backup run?")?);
    Ok(())
}
