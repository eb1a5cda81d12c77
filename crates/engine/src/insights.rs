//! `generate_insights`: a summary of what the memory holds for a task, with citations.

use std::collections::BTreeMap;
use std::fmt;

use crate::results::excerpt;
use elfmem_core::BlockId;
use elfmem_core::event::{EventKind, KindGroup};
use elfmem_models::{ProposalRequest, Purpose};
use elfmem_store::Store;
use serde::Serialize;

use crate::Result;
use crate::memory::Memory;
use crate::recall::{Retrieve, RetrieveFormat, RetrievedMemory};

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

/// What insights are wanted for. Made from a task; the rest has defaults.
#[derive(Debug, Clone)]
pub struct Insights {
    /// What is to be done.
    pub task: String,
    /// What to look for, where that is not the task itself.
    pub locus_query: Option<String>,
    /// How many memories it rests on at most.
    pub limit: usize,
    /// Only what belongs to one of these contexts.
    pub context_ids: Vec<String>,
    /// Only what belongs to contexts of these types, with these names or any.
    pub context_types: BTreeMap<String, Vec<String>>,
}

impl Insights {
    /// Insights for a task.
    pub fn new(task: impl Into<String>) -> Self {
        let (context_ids, context_types) = Default::default();
        Self { task: task.into(), locus_query: None, limit: 5, context_ids, context_types }
    }
}

/// A memory that an insight cites.
#[derive(Debug, Clone, PartialEq, Serialize)]
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
}

/// Result of `generate_insights`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InsightResult {
    /// The task.
    pub task: String,
    /// A summary of the sources.
    pub insight: String,
    /// The recommended action, if a source contains one.
    pub recommendation: String,
    /// `high`, `medium` or `low`.
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
        write!(f, "{}\nRecommendation: {}\nConfidence: {}", self.insight, self.recommendation, self.confidence)?;
        for warning in &self.warnings {
            write!(f, "\n{warning}")?;
        }
        Ok(())
    }
}

impl<S: Store> Memory<S> {
    /// What the memory makes of a task: the memories that concern it, put together and cited.
    ///
    /// USE WHEN: you begin a task and want to know what was learned that bears on it. DON'T USE WHEN: you want the memories themselves;
    /// [`retrieve_memories`](Self::retrieve_memories). COST: fast; with an analyst that writes, a call or two to it. RETURNS:
    /// [`InsightResult`]: without such an analyst an extract in the memories' own words. NEXT: [`chain`](Self::chain) of a source.
    ///
    /// # Errors
    /// What [`retrieve_memories`](Self::retrieve_memories) refuses.
    pub fn generate_insights(&self, asked: &Insights) -> Result<InsightResult> {
        let query = asked.locus_query.as_deref().filter(|query| !query.trim().is_empty()).unwrap_or(&asked.task);
        let found = self.retrieve_memories(&Retrieve {
            limit: asked.limit,
            context_ids: asked.context_ids.clone(),
            context_types: asked.context_types.clone(),
            format: RetrieveFormat::Json,
            preview: true,
            ..Retrieve::new(query)
        })?;
        let mut result = extract(&asked.task, &found.items);
        if !found.items.is_empty() {
            self.write_insight(&mut result);
            if let Err(error) = self.account_usage() {
                result.warnings.push(format!("Recording the model usage failed: {}.", error.message()));
            }
        }
        Ok(result)
    }

    /// Replaces the extract with text written by the analyst, if it generates text. Contradicted
    /// sources are not sent to it.
    fn write_insight(&self, result: &mut InsightResult) {
        let analyst = &self.options.models.analyst;
        let sound: Vec<&InsightSource> = result.sources.iter().filter(|source| !source.contradicted).collect();
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
        })
        .collect();
    let quoted = |source: &InsightSource| {
        let doubt = if source.contradicted { " (contradicted)" } else { "" };
        format!("{} [{}]{doubt}", excerpt(&source.text, QUOTE_LENGTH), source.number)
    };
    let insight = match sources.is_empty() {
        true => "Nothing stored concerns this task.".to_owned(),
        false => sources.iter().map(quoted).collect::<Vec<_>>().join("\n"),
    };
    let advises = |source: &&InsightSource| {
        let group = EventKind::parse(&source.event_kind).map(EventKind::group);
        let prescriptive = [KindGroup::Decision, KindGroup::Rule, KindGroup::Constraint];
        !source.contradicted && group.is_some_and(|group| prescriptive.contains(&group))
    };
    let recommendation = match sources.iter().find(advises) {
        Some(source) => quoted(source),
        None => "No decision, rule or constraint that is stored says what to do.".to_owned(),
    };
    let best = sources.iter().find(|source| !source.contradicted);
    let confidence = match best {
        Some(best) if best.match_score >= HIGH_MATCH && best.confidence >= HIGH_SOURCE_CONFIDENCE => "high",
        Some(best) if best.match_score >= MEDIUM_MATCH => "medium",
        _ => "low",
    };
    let (task, written_by) = (task.to_owned(), EXTRACT.to_owned());
    InsightResult { task, insight, recommendation, confidence, sources, written_by, warnings: Vec::new() }
}
