//! Embeddings: `POST /embeddings`.

use std::time::Instant;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::embedder::{Embedder, QueryEmbedding, SimilarityProfile, UnweightedQuery, unit_vector};
use crate::error::ModelError;
use crate::health::HealthReport;
use crate::http::{Connection, HttpClient, KeyHeader};
use crate::usage::{Usage, UsageMeter};

/// Settings of an embedding model.
#[derive(Debug, Clone)]
pub struct EmbeddingSettings {
    /// The server.
    pub connection: Connection,
    /// The name at the provider, also stored with every vector.
    pub model: String,
    /// Number of dimensions; see [`OpenAiEmbedder::measure_dimensions`].
    pub dimensions: usize,
    /// Whether to request that many dimensions, for models that can shorten their vectors.
    pub request_dimensions: bool,
    /// The similarity thresholds.
    pub profile: SimilarityProfile,
    /// Prefix for stored texts, such as `search_document: `.
    pub document_prefix: String,
    /// Prefix for queries, such as `search_query: `.
    pub query_prefix: String,
    /// Maximum number of texts per request.
    pub batch_texts: usize,
    /// Maximum number of text bytes per request.
    pub batch_bytes: usize,
    /// Maximum length of one text in bytes. Longer texts are split, and the vectors of the parts
    /// are averaged.
    pub max_text_bytes: usize,
}

impl EmbeddingSettings {
    /// Settings for a model without measured thresholds, with limits that common servers accept.
    pub fn new(connection: Connection, model: &str, dimensions: usize) -> Self {
        Self {
            connection,
            model: model.to_owned(),
            dimensions,
            request_dimensions: false,
            profile: SimilarityProfile::HOSTED,
            document_prefix: String::new(),
            query_prefix: String::new(),
            batch_texts: 128,
            batch_bytes: 200_000,
            max_text_bytes: 16_000,
        }
    }
}

/// An embedding model behind the OpenAI protocol.
#[derive(Debug)]
pub struct OpenAiEmbedder {
    client: HttpClient,
    settings: EmbeddingSettings,
    meter: UsageMeter,
}

/// A part of a text, as sent.
struct TextPart {
    text_number: usize,
    content: String,
}

impl OpenAiEmbedder {
    /// Validates the settings. Sends nothing yet.
    pub fn new(settings: EmbeddingSettings) -> Result<Self, ModelError> {
        let wrong = |problem: &str| Err(ModelError::Configuration { problem: problem.to_owned() });
        if settings.model.trim().is_empty() {
            return wrong("no embedding model is named");
        }
        if settings.dimensions == 0 {
            return wrong("the dimensions of the embedding model must be given");
        }
        if !settings.profile.is_coherent() {
            return wrong("the thresholds of the embedding model must be between 0 and 1, with edge ≤ near ≤ exact");
        }
        let client = HttpClient::new(settings.connection.clone(), KeyHeader::Bearer)?;
        Ok(Self { client, settings, meter: UsageMeter::default() })
    }

    /// Requests one vector to find out the dimensions.
    pub fn measure_dimensions(connection: Connection, model: &str) -> Result<usize, ModelError> {
        let probe = Self::new(EmbeddingSettings::new(connection, model, 1))?;
        let vectors = probe.request(&["dimensions"])?;
        Ok(vectors.first().map_or(0, Vec::len))
    }

    fn embed_with(&self, prefix: &str, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, ModelError> {
        let parts: Vec<TextPart> = texts
            .iter()
            .enumerate()
            .flat_map(|(text_number, text)| {
                let pieces = pieces(text, self.settings.max_text_bytes.saturating_sub(prefix.len()).max(1));
                pieces.into_iter().map(move |piece| TextPart { text_number, content: format!("{prefix}{piece}") })
            })
            .collect();
        let mut sums: Vec<Option<Vec<f32>>> = vec![None; texts.len()];
        for batch in batches(&parts, self.settings.batch_texts, self.settings.batch_bytes) {
            let contents: Vec<&str> = batch.iter().map(|part| part.content.as_str()).collect();
            for (part, vector) in batch.iter().zip(self.request(&contents)?) {
                let vector = self.checked(vector)?;
                // Weight parts by length.
                let weight = part.content.len() as f32;
                let sum = sums[part.text_number].get_or_insert_with(|| vec![0.0; vector.len()]);
                sum.iter_mut().zip(&vector).for_each(|(total, x)| *total += weight * x);
            }
        }
        Ok(sums.into_iter().map(|sum| sum.and_then(unit_vector)).collect())
    }

    fn checked(&self, vector: Vec<f32>) -> Result<Vec<f32>, ModelError> {
        if vector.len() != self.settings.dimensions {
            return Err(ModelError::WrongDimensions { expected: self.settings.dimensions, got: vector.len() });
        }
        unit_vector(vector).ok_or_else(|| ModelError::Malformed { problem: "a vector has no direction".to_owned() })
    }

    /// Sends one request. Returns one vector per text, in the order of the texts.
    fn request(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
        let mut body = json!({"model": self.settings.model, "input": texts, "encoding_format": "float"});
        if self.settings.request_dimensions {
            body["dimensions"] = Value::from(self.settings.dimensions);
        }
        let answer = self.client.post("/embeddings", &body)?;
        let usage = &answer["usage"];
        let tokens = usage["total_tokens"].as_u64().or_else(|| usage["prompt_tokens"].as_u64()).unwrap_or(0);
        self.meter.add(Usage { embedding_tokens: tokens, embedding_calls: 1, ..Usage::default() });
        vectors_in_order(&answer, texts.len())
    }
}

#[derive(Deserialize)]
struct EmbeddingList {
    data: Vec<EmbeddingItem>,
}

#[derive(Deserialize)]
struct EmbeddingItem {
    index: usize,
    embedding: Vec<f32>,
}

fn vectors_in_order(answer: &Value, expected: usize) -> Result<Vec<Vec<f32>>, ModelError> {
    let malformed = |problem: String| ModelError::Malformed { problem };
    let mut items = EmbeddingList::deserialize(answer)
        .map_err(|error| malformed(format!("not a list of embeddings: {error}")))?
        .data;
    items.sort_by_key(|item| item.index);
    if items.len() != expected {
        return Err(malformed(format!("{} vectors came for {expected} texts", items.len())));
    }
    if items.iter().enumerate().any(|(place, item)| item.index != place) {
        return Err(malformed("the vectors are not numbered from 0 without gaps".to_owned()));
    }
    Ok(items.into_iter().map(|item| item.embedding).collect())
}

/// Splits a text into pieces of at most `max` bytes, between words if possible. Returns nothing
/// for a blank text.
fn pieces(text: &str, max: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text.trim();
    while rest.len() > max {
        let limit = rest.floor_char_boundary(max);
        let limit = if limit == 0 { rest.ceil_char_boundary(1) } else { limit };
        let between_words = rest[limit..].starts_with(char::is_whitespace);
        let gap = if between_words { None } else { rest[..limit].rfind(char::is_whitespace).filter(|at| *at > 0) };
        let cut = gap.unwrap_or(limit);
        pieces.push(rest[..cut].trim_end());
        rest = rest[cut..].trim_start();
    }
    if !rest.is_empty() {
        pieces.push(rest);
    }
    pieces
}

/// Groups parts by number and total bytes. A part over the byte limit is a batch of its own.
fn batches(parts: &[TextPart], most: usize, most_bytes: usize) -> impl Iterator<Item = &[TextPart]> {
    let mut rest = parts;
    std::iter::from_fn(move || {
        let mut bytes = 0;
        let fitting = rest.iter().take(most).take_while(|part| {
            bytes += part.content.len();
            bytes <= most_bytes
        });
        let count = fitting.count().max(1).min(rest.len());
        let (batch, others) = rest.split_at(count);
        rest = others;
        (!batch.is_empty()).then_some(batch)
    })
}

impl Embedder for OpenAiEmbedder {
    fn name(&self) -> &str {
        &self.settings.model
    }

    fn dimensions(&self) -> usize {
        self.settings.dimensions
    }

    fn profile(&self) -> SimilarityProfile {
        self.settings.profile
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, ModelError> {
        self.embed_with(&self.settings.document_prefix, texts)
    }

    fn prepare_query(&self, text: &str) -> Result<Box<dyn QueryEmbedding>, ModelError> {
        let vector = self.embed_with(&self.settings.query_prefix, &[text])?.pop().flatten();
        Ok(Box::new(UnweightedQuery(vector)))
    }

    fn check(&self) -> Result<HealthReport, ModelError> {
        let started = Instant::now();
        self.embed(&["A short text to see that the model answers."])?;
        Ok(HealthReport::since(started, self.name(), format!("{} dimensions.", self.settings.dimensions)))
    }

    fn usage(&self) -> Usage {
        self.meter.total()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn long_texts_are_cut_between_words_and_lose_none() {
        assert_eq!(pieces(" one two three ", 8), ["one two", "three"]);
        assert_eq!(pieces("one two three", 7), ["one two", "three"]);
        assert_eq!(pieces("ééé", 3), ["é", "é", "é"]);
        assert_eq!(pieces("é", 1), ["é"]);
        assert_eq!(pieces(" \n ", 8), Vec::<&str>::new());
    }

    proptest! {
        #[test]
        fn pieces_hold_all_that_is_not_white_space(text in any::<String>(), max in 1..20usize) {
            let bare = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(bare(&pieces(&text, max).concat()), bare(&text));
        }

        #[test]
        fn batches_hold_every_part_once_and_keep_their_limits(
            lengths in prop::collection::vec(0..50usize, 0..40), most in 1..8usize, most_bytes in 1..120usize,
        ) {
            let parts: Vec<TextPart> =
                lengths.iter().map(|length| TextPart { text_number: 0, content: "x".repeat(*length) }).collect();
            let mut seen = 0;
            for batch in batches(&parts, most, most_bytes) {
                let bytes: usize = batch.iter().map(|part| part.content.len()).sum();
                prop_assert!(!batch.is_empty() && batch.len() <= most);
                prop_assert!(bytes <= most_bytes || batch.len() == 1);
                seen += batch.len();
            }
            prop_assert_eq!(seen, parts.len());
        }
    }
}
