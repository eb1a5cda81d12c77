//! `generate_insights`: a summary of what the memory holds for a task, with citations.

mod request;

use std::fmt;

use crate::results::{excerpt, one_line};
use elfmem_core::BlockId;
use elfmem_core::event::{EventKind, KindGroup};
use elfmem_models::{ProposalRequest, Purpose};
use elfmem_store::Store;
use serde::Serialize;

pub use request::GenerateInsights;

use crate::Result;
use crate::memory::Memory;
use crate::recall::{RetrieveFormat, RetrieveMemories, RetrievedMemory};
use crate::trace;

/// Minimum match score of the best source for confidence `high`.
const HIGH_MATCH: f64 = 0.40;
/// Minimum match score of the best source for confidence `medium`.
const MEDIUM_MATCH: f64 = 0.20;
/// Minimum confidence of the best source for confidence `high`.
const HIGH_SOURCE_CONFIDENCE: f64 = 0.60;
/// Maximum number of characters quoted from each source.
const QUOTE_LENGTH: usize = 240;
/// Value of `written_by` if no analyst wrote the text.
const EXTRACT: &str = "extract";

/// A memory that an insight cites.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct InsightSource {
    /// The citation number, from 1.
    pub number: usize,
    /// The block id.
    pub block_id: BlockId,
    /// The text.
    pub text: String,
    /// The kind of the event that stored it.
    pub event_kind: String,
    /// The confidence.
    pub confidence: f64,
    /// The match score.
    pub match_score: f64,
    /// Whether another block contradicts it.
    pub contradicted: bool,
    /// Whether its source speaks for the owner of the memory.
    pub trusted: bool,
}

impl InsightSource {
    /// Returns whether a text may be built on it: what is not trusted is quoted, and says neither what to do nor how sure that is.
    fn is_sound(&self) -> bool {
        self.trusted && !self.contradicted
    }
}

/// Result of `generate_insights`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct InsightResult {
    /// The task.
    pub task: String,
    /// A summary of the sources.
    pub insight: String,
    /// The recommended action, if a trusted source contains one.
    pub recommendation: String,
    /// `high`, `medium` or `low`, by the best trusted source.
    pub confidence: &'static str,
    /// The cited sources in the order of their numbers.
    pub sources: Vec<InsightSource>,
    /// The author of the text: `extract`, or the name of the analyst.
    pub written_by: String,
    /// Problems that did not stop the operation.
    pub warnings: Vec<String>,
}

impl fmt::Display for InsightResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Quoted text must not look like the lines after it.
        for line in self.insight.lines() {
            writeln!(f, "- {line}")?;
        }
        write!(f, "Recommendation: {}\nConfidence: {}", one_line(&self.recommendation), self.confidence)?;
        for warning in &self.warnings {
            write!(f, "\n{warning}")?;
        }
        Ok(())
    }
}

impl<S: Store> Memory<S> {
    /// What the memory makes of a task: the memories that concern it, put together and cited.
    /// See [`GenerateInsights`].
    ///
    /// # Errors
    /// What [`retrieve_memories`](Self::retrieve_memories) refuses.
    pub fn generate_insights(&self, request: impl Into<GenerateInsights>) -> Result<InsightResult> {
        let _span = trace::verb("generate_insights");
        let asked = request.into();
        let query = asked.locus_query.as_deref().filter(|query| !query.trim().is_empty()).unwrap_or(&asked.task);
        let mut search = RetrieveMemories::new(query).limit(asked.limit).format(RetrieveFormat::Json).preview();
        search.places.clone_from(&asked.places);
        let found = self.retrieve_memories(search)?;
        let mut result = extract(&asked.task, &found.items);
        if !found.items.is_empty() {
            self.write_insight(&mut result);
            if let Err(error) = self.account_usage() {
                result.warnings.push(format!("Recording the model usage failed: {}.", error.message()));
            }
        }
        Ok(result)
    }

    /// Replaces the extract with text written by the analyst, if it generates text. Sources that are contradicted or not
    /// trusted are not sent to it: what it writes cannot be told apart by source any more.
    fn write_insight(&self, result: &mut InsightResult) {
        let analyst = &self.options.models.analyst;
        let sound: Vec<&InsightSource> = result.sources.iter().filter(|source| source.is_sound()).collect();
        if sound.is_empty() {
            return;
        }
        let texts: Vec<&str> = sound.iter().map(|source| source.text.as_str()).collect();
        let cited: String = sound.iter().map(|source| format!("[{}]", source.number)).collect();
        let written = |purpose: Purpose| match analyst.propose(&ProposalRequest { purpose, sources: &texts }) {
            // An analyst that only selects a source does not generate text.
            Ok(proposal) => {
                Ok(proposal.filter(|proposal| proposal.source_index.is_none()).map(|proposal| proposal.text))
            }
            Err(error) => Err(format!("The analyst failed, so this is an extract: {error}.")),
        };
        let (insight, skill) = match (written(Purpose::Insight), written(Purpose::Skill)) {
            (Ok(insight), Ok(skill)) => (insight, skill),
            (Err(warning), _) | (_, Err(warning)) => {
                result.warnings.push(warning);
                return;
            }
        };
        let others: String = result
            .sources
            .iter()
            .filter(|source| !source.trusted)
            .map(|source| format!("[{}]", source.number))
            .collect();
        if (insight.is_some() || skill.is_some()) && !others.is_empty() {
            result
                .warnings
                .push(format!("Left out of what was written, because their sources are not trusted: {others}."));
        }
        if let Some(text) = insight {
            result.insight = format!("{text} {cited}");
            result.written_by = analyst.name().to_owned();
        }
        if let Some(text) = skill {
            result.recommendation = format!("{text} {cited}");
            result.written_by = analyst.name().to_owned();
        }
    }
}

/// Builds a result that quotes the sources, each with its citation number.
fn extract(task: &str, items: &[RetrievedMemory]) -> InsightResult {
    let sources: Vec<InsightSource> = items
        .iter()
        .enumerate()
        .map(|(at, item)| InsightSource {
            number: at + 1,
            block_id: item.block_id.clone(),
            text: item.text.clone(),
            event_kind: item.event_kind.clone(),
            confidence: item.confidence,
            match_score: item.match_score,
            contradicted: item.contradicted,
            trusted: item.trusted,
        })
        .collect();
    let quoted = |source: &InsightSource| {
        let trust = if source.trusted { "" } else { " (not trusted)" };
        let doubt = if source.contradicted { " (contradicted)" } else { "" };
        format!("{} [{}]{trust}{doubt}", excerpt(&source.text, QUOTE_LENGTH), source.number)
    };
    let insight = match sources.is_empty() {
        true => "Nothing stored concerns this task.".to_owned(),
        false => sources.iter().map(quoted).collect::<Vec<_>>().join("\n"),
    };
    let advises = |source: &&InsightSource| {
        let group = EventKind::parse(&source.event_kind).map(EventKind::group);
        let prescriptive = [KindGroup::Decision, KindGroup::Rule, KindGroup::Constraint];
        source.is_sound() && group.is_some_and(|group| prescriptive.contains(&group))
    };
    let recommendation = match sources.iter().find(advises) {
        Some(source) => quoted(source),
        None if sources.iter().any(|source| !source.trusted) => {
            "No decision, rule or constraint of a trusted source says what to do.".to_owned()
        }
        None => "No decision, rule or constraint that is stored says what to do.".to_owned(),
    };
    let best = sources.iter().find(|source| source.is_sound());
    let confidence = match best {
        Some(best) if best.match_score >= HIGH_MATCH && best.confidence >= HIGH_SOURCE_CONFIDENCE => "high",
        Some(best) if best.match_score >= MEDIUM_MATCH => "medium",
        _ => "low",
    };
    let (task, written_by) = (task.to_owned(), EXTRACT.to_owned());
    InsightResult { task, insight, recommendation, confidence, sources, written_by, warnings: Vec::new() }
}
