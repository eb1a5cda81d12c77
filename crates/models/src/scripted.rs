//! Deterministic models for tests, with scripted answers, failures and delays.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use elfmem_core::Tag;
use sha2::{Digest, Sha256};

use crate::analyst::{Analysis, AnalysisRequest, Analyst, ContradictionScore, ExtractedFact};
use crate::embedder::{Embedder, SimilarityProfile, unit_vector};
use crate::error::ModelError;
use crate::health::HealthReport;
use crate::proposal::{ProposalRequest, ProposedText};
use crate::usage::{Usage, UsageMeter};

/// An embedder that derives vectors from a digest of the text, with optional scripted cosines.
///
/// Equal texts have equal vectors; different texts without a script are nearly orthogonal.
#[derive(Debug)]
pub struct ScriptedEmbedder {
    name: String,
    dimensions: usize,
    profile: SimilarityProfile,
    scripted: HashMap<String, Vec<f32>>,
    failures: Failures,
    meter: UsageMeter,
}

impl ScriptedEmbedder {
    /// Creates an embedder with `dimensions` dimensions, at least two.
    pub fn new(dimensions: usize) -> Self {
        Self {
            name: format!("scripted-{dimensions}"),
            dimensions: dimensions.max(2),
            profile: SimilarityProfile::HOSTED,
            scripted: HashMap::new(),
            failures: Failures::never(),
            meter: UsageMeter::default(),
        }
    }

    /// Sets the model name.
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        Self { name: name.to_owned(), ..self }
    }

    /// Sets the similarity thresholds.
    #[must_use]
    pub fn with_profile(self, profile: SimilarityProfile) -> Self {
        Self { profile, ..self }
    }

    /// Sets the vector of a text.
    #[must_use]
    pub fn with_vector(mut self, text: &str, vector: &[f32]) -> Self {
        self.scripted.extend(unit_vector(vector.to_vec()).map(|vector| (text.to_owned(), vector)));
        self
    }

    /// Sets the cosine between `text` and `anchor` by rotating `text`.
    #[must_use]
    pub fn with_cosine(mut self, anchor: &str, text: &str, cosine: f64) -> Self {
        let anchor = self.vector(anchor);
        let own = self.vector(text);
        let along: f32 = anchor.iter().zip(&own).map(|(a, b)| a * b).sum();
        let across = unit_vector(own.iter().zip(&anchor).map(|(x, a)| x - along * a).collect());
        let share = (1.0 - cosine * cosine).max(0.0).sqrt() as f32;
        let across = across.unwrap_or_else(|| vec![0.0; anchor.len()]);
        let turned = anchor.iter().zip(&across).map(|(a, x)| cosine as f32 * a + share * x).collect();
        self.scripted.extend(unit_vector(turned).map(|vector| (text.to_owned(), vector)));
        self
    }

    /// Makes every n-th call fail.
    #[must_use]
    pub fn failing_every(self, n: usize) -> Self {
        Self { failures: Failures::every(n), ..self }
    }

    fn vector(&self, text: &str) -> Vec<f32> {
        if let Some(vector) = self.scripted.get(text) {
            return vector.clone();
        }
        let mut numbers = Vec::with_capacity(self.dimensions + 32);
        for counter in 0u32.. {
            if numbers.len() >= self.dimensions {
                break;
            }
            let digest = Sha256::new().chain_update(counter.to_le_bytes()).chain_update(text).finalize();
            numbers.extend(digest.iter().map(|byte| f32::from(*byte) / 127.5 - 1.0));
        }
        numbers.truncate(self.dimensions);
        unit_vector(numbers).unwrap_or_else(|| vec![1.0; self.dimensions])
    }
}

impl Embedder for ScriptedEmbedder {
    fn name(&self) -> &str {
        &self.name
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn profile(&self) -> SimilarityProfile {
        self.profile
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, ModelError> {
        self.failures.step()?;
        self.meter.add(Usage { embedding_calls: 1, embedding_tokens: texts.len() as u64, ..Usage::default() });
        Ok(texts.iter().map(|text| (!text.trim().is_empty()).then(|| self.vector(text))).collect())
    }

    fn check(&self) -> Result<HealthReport, ModelError> {
        self.failures.step()?;
        Ok(HealthReport::since(Instant::now(), &self.name, "scripted.".to_owned()))
    }

    fn usage(&self) -> Usage {
        self.meter.total()
    }
}

/// An analyst with scripted answers for texts that contain a given word.
#[derive(Debug)]
pub struct ScriptedAnalyst {
    analyses: Vec<(String, Analysis)>,
    contradictions: Vec<(String, String, f64)>,
    proposals: Vec<(String, String)>,
    failures: Failures,
    silence: Option<Duration>,
    concurrency: usize,
    meter: UsageMeter,
}

impl Default for ScriptedAnalyst {
    fn default() -> Self {
        Self {
            analyses: Vec::new(),
            contradictions: Vec::new(),
            proposals: Vec::new(),
            failures: Failures::never(),
            silence: None,
            concurrency: 1,
            meter: UsageMeter::default(),
        }
    }
}

impl ScriptedAnalyst {
    /// Creates an analyst without scripts: neutral analyses, no contradiction scores, no proposals.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets alignment and tags for texts that contain `word`. The first matching script wins.
    #[must_use]
    pub fn saying(mut self, word: &str, alignment: f64, tags: &[&str]) -> Self {
        let tags = tags.iter().map(|tag| Tag::from_stored(tag)).collect();
        self.analyses.push((word.to_owned(), Analysis { alignment, tags, ..Analysis::neutral() }));
        self
    }

    /// Sets the contradiction score for a pair of texts that contain `one` and `other`.
    #[must_use]
    pub fn contradicting(mut self, one: &str, other: &str, score: f64) -> Self {
        self.contradictions.push((one.to_owned(), other.to_owned(), score));
        self
    }

    /// Sets the proposed text if a source contains `word`. The first matching script wins.
    #[must_use]
    pub fn proposing(mut self, word: &str, text: &str) -> Self {
        self.proposals.push((word.to_owned(), text.to_owned()));
        self
    }

    /// Makes every n-th call fail.
    #[must_use]
    pub fn failing_every(self, n: usize) -> Self {
        Self { failures: Failures::every(n), ..self }
    }

    /// Makes every call block for `timeout` and then fail.
    #[must_use]
    pub fn hanging_for(self, timeout: Duration) -> Self {
        Self { silence: Some(timeout), ..self }
    }

    /// Sets the reported concurrency.
    #[must_use]
    pub fn with_concurrency(self, concurrency: usize) -> Self {
        Self { concurrency, ..self }
    }

    fn step(&self) -> Result<(), ModelError> {
        if let Some(after) = self.silence {
            std::thread::sleep(after);
            return Err(ModelError::Timeout { endpoint: "scripted".to_owned(), after });
        }
        self.failures.step()?;
        self.meter.add(Usage { llm_calls: 1, ..Usage::default() });
        Ok(())
    }
}

impl Analyst for ScriptedAnalyst {
    fn name(&self) -> &str {
        "scripted"
    }

    fn analyse(&self, request: &AnalysisRequest<'_>) -> Result<Analysis, ModelError> {
        self.step()?;
        let script = self.analyses.iter().find(|(word, _)| request.content.contains(word));
        Ok(script.map_or_else(Analysis::neutral, |(_, analysis)| analysis.clone()))
    }

    fn judge(&self, newer: &str, older: &str, _cosine: f64) -> Result<Option<ContradictionScore>, ModelError> {
        self.step()?;
        let script = self.contradictions.iter().find(|(one, other, _)| {
            (newer.contains(one) && older.contains(other)) || (newer.contains(other) && older.contains(one))
        });
        Ok(script.map(|(_, _, score)| ContradictionScore { score: *score, reason: "scripted".to_owned() }))
    }

    fn propose(&self, request: &ProposalRequest<'_>) -> Result<Option<ProposedText>, ModelError> {
        self.step()?;
        let fits = |word: &str| request.sources.iter().any(|source| source.contains(word));
        let script = self.proposals.iter().find(|(word, _)| fits(word));
        Ok(script.map(|(_, text)| ProposedText { text: text.clone(), source_index: None }))
    }

    /// A scripted text is the fact of every message that contains its word.
    fn facts(&self, messages: &[&str]) -> Result<Option<Vec<ExtractedFact>>, ModelError> {
        self.step()?;
        let of = |(message, text): (usize, &&str)| {
            let script = self.proposals.iter().find(|(word, _)| text.contains(word))?;
            Some(ExtractedFact { message, text: script.1.clone() })
        };
        Ok(Some(messages.iter().enumerate().filter_map(of).collect()))
    }

    fn check(&self) -> Result<HealthReport, ModelError> {
        self.step()?;
        Ok(HealthReport::since(Instant::now(), "scripted", "scripted.".to_owned()))
    }

    fn usage(&self) -> Usage {
        self.meter.total()
    }

    fn concurrency(&self) -> usize {
        self.concurrency
    }
}

/// Makes every n-th step fail.
#[derive(Debug)]
struct Failures {
    every: Option<usize>,
    steps: AtomicUsize,
}

impl Failures {
    fn never() -> Self {
        Self { every: None, steps: AtomicUsize::new(0) }
    }

    fn every(n: usize) -> Self {
        Self { every: Some(n.max(1)), steps: AtomicUsize::new(0) }
    }

    fn step(&self) -> Result<(), ModelError> {
        let step = self.steps.fetch_add(1, Ordering::SeqCst) + 1;
        match self.every {
            Some(n) if step.is_multiple_of(n) => {
                Err(ModelError::ServerError { status: 500, detail: "scripted failure".to_owned() })
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proposal::Purpose;
    use elfmem_core::Category;

    fn dot(embedder: &ScriptedEmbedder, a: &str, b: &str) -> f32 {
        let vectors = embedder.embed(&[a, b]).unwrap();
        vectors[0].iter().flatten().zip(vectors[1].iter().flatten()).map(|(x, y)| x * y).sum()
    }

    #[test]
    fn scripted_cosines_hold_and_others_are_small() {
        let embedder = ScriptedEmbedder::new(256).with_cosine("a", "b", 0.93).with_cosine("b", "c", -0.5);
        assert!((dot(&embedder, "a", "b") - 0.93).abs() < 1e-4);
        assert!((dot(&embedder, "b", "c") + 0.5).abs() < 1e-4);
        assert!((dot(&embedder, "x", "x") - 1.0).abs() < 1e-4);
        assert!(dot(&embedder, "x", "y").abs() < 0.3);
        assert_eq!(embedder.embed(&[" "]).unwrap(), [None]);
    }

    #[test]
    fn every_third_call_fails() {
        let analyst = ScriptedAnalyst::new().failing_every(3).saying("tea", 0.8, &["self/style"]);
        let category = Category::default();
        let request = AnalysisRequest { content: "tea", category: &category, self_text: "", self_similarity: None };
        let outcomes: Vec<bool> = (0..6).map(|_| analyst.analyse(&request).is_ok()).collect();
        assert_eq!(outcomes, [true, true, false, true, true, false]);
        assert_eq!(analyst.usage().llm_calls, 4);
        assert_eq!(analyst.analyse(&request).unwrap().alignment, 0.8);
    }

    #[test]
    fn a_hanging_analyst_times_out() {
        let analyst = ScriptedAnalyst::new().hanging_for(Duration::from_millis(5));
        assert!(matches!(analyst.judge("a", "b", 0.9), Err(ModelError::Timeout { .. })));
    }

    #[test]
    fn scripted_texts_are_proposed_for_matching_sources() {
        let analyst = ScriptedAnalyst::new().proposing("deploy", "Run the migration first.");
        let propose = |sources: &[&str]| {
            analyst.propose(&ProposalRequest { purpose: Purpose::Skill, sources }).unwrap().map(|found| found.text)
        };
        assert_eq!(propose(&["tea", "the deploy failed"]).as_deref(), Some("Run the migration first."));
        assert_eq!(propose(&["tea"]), None);
    }

    #[test]
    fn pairs_contradict_in_either_order() {
        let analyst = ScriptedAnalyst::new().contradicting("8080", "9090", 0.9);
        assert_eq!(analyst.judge("port 9090", "port 8080", 0.9).unwrap().unwrap().score, 0.9);
        assert_eq!(analyst.judge("port 9090", "port 7070", 0.9).unwrap(), None);
    }
}
