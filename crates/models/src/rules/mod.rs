//! An analyst without a model.
//!
//! Alignment is the similarity to the agent's self description, raised by explicit first-person
//! statements, which also give the tags. The rules write no summary, leave contradictions to the
//! comparison of words, and propose only the text of a source. A wrong `self/` tag keeps a block
//! alive too long and attributes it to the agent; a missing one costs little. So uncertain
//! statements get no tag.

mod representative;
mod statements;
mod words;

use std::time::Instant;

use crate::analyst::{Analysis, AnalysisRequest, Analyst, ContradictionScore, SelfAspect};
use crate::error::ModelError;
use crate::health::HealthReport;
use crate::proposal::{ProposalRequest, ProposedText};
use crate::usage::Usage;

/// Alignment of a statement of a value or a constraint.
const CORE_ALIGNMENT: f64 = 0.9;
/// Alignment of a statement of style or of a goal, which concerns how the agent works.
const WORKING_ALIGNMENT: f64 = 0.75;

/// Analyses blocks by rules.
#[derive(Debug, Clone, Copy, Default)]
pub struct RulesAnalyst;

impl RulesAnalyst {
    /// The name shown in reports.
    pub const NAME: &'static str = "rules";
}

impl Analyst for RulesAnalyst {
    fn name(&self) -> &str {
        Self::NAME
    }

    /// Never fails. Without similarity and statements, the alignment is 0.
    fn analyse(&self, request: &AnalysisRequest<'_>) -> Result<Analysis, ModelError> {
        let aspects = statements::stated_aspects(request.content);
        let similarity = request.self_similarity.filter(|cosine| cosine.is_finite()).unwrap_or(0.0).clamp(0.0, 1.0);
        let alignment = aspects.iter().map(|aspect| alignment_of(*aspect)).fold(similarity, f64::max);
        let tags = aspects.into_iter().filter(|aspect| aspect.is_assignable()).map(SelfAspect::tag).collect();
        Ok(Analysis { alignment, tags, summary: None, proposed_tags: Vec::new() })
    }

    fn judge(&self, _newer: &str, _older: &str, _cosine: f64) -> Result<Option<ContradictionScore>, ModelError> {
        Ok(None)
    }

    /// Never fails. Returns the most representative source, or `None`.
    fn propose(&self, request: &ProposalRequest<'_>) -> Result<Option<ProposedText>, ModelError> {
        Ok(representative::most_representative(request))
    }

    fn check(&self) -> Result<HealthReport, ModelError> {
        Ok(HealthReport::since(Instant::now(), Self::NAME, "Rules are built in.".to_owned()))
    }

    fn usage(&self) -> Usage {
        Usage::default()
    }

    fn concurrency(&self) -> usize {
        1
    }
}

fn alignment_of(aspect: SelfAspect) -> f64 {
    match aspect {
        SelfAspect::Value | SelfAspect::Constraint | SelfAspect::Constitutional => CORE_ALIGNMENT,
        SelfAspect::Style | SelfAspect::Goal | SelfAspect::Context => WORKING_ALIGNMENT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elfmem_core::Category;
    use proptest::prelude::*;

    fn analyse(content: &str, self_similarity: Option<f64>) -> Analysis {
        let category = Category::default();
        let request = AnalysisRequest { content, category: &category, self_text: "", self_similarity };
        RulesAnalyst.analyse(&request).unwrap()
    }

    #[test]
    fn a_statement_aligns_more_than_similarity_alone() {
        assert_eq!(analyse("The port is 8080.", Some(0.31)).alignment, 0.31);
        assert_eq!(analyse("I never delete data without asking.", Some(0.31)).alignment, CORE_ALIGNMENT);
        assert_eq!(analyse("I aim to answer within a minute.", Some(0.97)).alignment, 0.97);
    }

    #[test]
    fn alignment_is_zero_without_similarity_or_statement() {
        for similarity in [None, Some(f64::NAN), Some(-0.4)] {
            assert_eq!(analyse("The port is 8080.", similarity).alignment, 0.0);
        }
        assert_eq!(analyse("The port is 8080.", Some(1.5)).alignment, 1.0);
    }

    #[test]
    fn rules_score_no_contradictions_and_write_no_summary() {
        assert_eq!(RulesAnalyst.judge("a", "b", 0.9).unwrap(), None);
        assert_eq!(analyse("I value honesty.", None).summary, None);
    }

    proptest! {
        #[test]
        fn no_text_becomes_constitutional(
            text in any::<String>(), similarity in prop::option::of(any::<f64>()),
        ) {
            let analysis = analyse(&format!("I value {text}. I must never {text}"), similarity);
            prop_assert!((0.0..=1.0).contains(&analysis.alignment));
            prop_assert!(analysis.tags.iter().all(|tag| tag.as_str() != "self/constitutional"));
            prop_assert!(analysis.proposed_tags.is_empty());
        }
    }
}
