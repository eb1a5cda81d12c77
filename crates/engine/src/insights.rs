//! `generate_insights`: what the memory makes of a task, with the memories it rests on.

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

/// Matches from which an answer is held to be sure, and to be worth something.
const SURE: f64 = 0.40;
const LIKELY: f64 = 0.20;
/// Belief below which the best memory makes no answer sure.
const BELIEVED: f64 = 0.60;
/// How much of each memory an extract quotes.
const QUOTED: usize = 240;
/// What the answer calls itself when nobody wrote it.
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

/// A memory that an insight rests on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InsightSource {
    /// How the text cites it, from 1.
    pub number: usize,
    /// Which block.
    pub block_id: BlockId,
    /// Its text.
    pub text: String,
    /// The kind of the event that told it.
    pub event_kind: String,
    /// How much it is believed.
    pub confidence: f64,
    /// How well it matched.
    pub match_score: f64,
    /// Whether something contradicts it.
    pub contradicted: bool,
}

/// Result of `generate_insights`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InsightResult {
    /// What was to be done.
    pub task: String,
    /// What the memories say together.
    pub insight: String,
    /// What to do, as far as the memories say so.
    pub recommendation: String,
    /// `high`, `medium` or `low`.
    pub confidence: &'static str,
    /// What it rests on, in the order of the numbers.
    pub sources: Vec<InsightSource>,
    /// Who wrote it: `extract`, or the name of the analyst.
    pub written_by: String,
    /// What went wrong on the side.
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
                result.warnings.push(format!("What model calls cost could not be noted: {}.", error.message()));
            }
        }
        Ok(result)
    }

    /// Lets an analyst that writes put it into words of its own. Sources that are contradicted are not handed to it.
    fn write_insight(&self, result: &mut InsightResult) {
        let analyst = &self.options.models.analyst;
        let sound: Vec<&InsightSource> = result.sources.iter().filter(|source| !source.contradicted).collect();
        let texts: Vec<&str> = sound.iter().map(|source| source.text.as_str()).collect();
        let cited: String = sound.iter().map(|source| format!("[{}]", source.number)).collect();
        let written = |purpose: Purpose| match analyst.propose(&ProposalRequest { purpose, sources: &texts }) {
            // One that only picks a source has written nothing.
            Ok(proposal) => {
                Ok(proposal.filter(|proposal| proposal.source_index.is_none()).map(|proposal| proposal.text))
            }
            Err(error) => Err(format!("The analyst could not be asked, so this is an extract: {error}.")),
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

/// The memories in their own words, each with its number.
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
        format!("{} [{}]{doubt}", excerpt(&source.text, QUOTED), source.number)
    };
    let insight = match sources.is_empty() {
        true => "Nothing stored concerns this task.".to_owned(),
        false => sources.iter().map(quoted).collect::<Vec<_>>().join("\n"),
    };
    let advises = |source: &&InsightSource| {
        let group = EventKind::parse(&source.event_kind).map(EventKind::group);
        let tells = [KindGroup::Decision, KindGroup::Rule, KindGroup::Constraint];
        !source.contradicted && group.is_some_and(|group| tells.contains(&group))
    };
    let recommendation = match sources.iter().find(advises) {
        Some(source) => quoted(source),
        None => "No decision, rule or constraint that is stored says what to do.".to_owned(),
    };
    let best = sources.iter().find(|source| !source.contradicted);
    let confidence = match best {
        Some(best) if best.match_score >= SURE && best.confidence >= BELIEVED => "high",
        Some(best) if best.match_score >= LIKELY => "medium",
        _ => "low",
    };
    let (task, written_by) = (task.to_owned(), EXTRACT.to_owned());
    InsightResult { task, insight, recommendation, confidence, sources, written_by, warnings: Vec::new() }
}
