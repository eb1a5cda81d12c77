//! The analyst that needs no model: it believes what is said outright and guesses nothing.
//!
//! Alignment comes from the similarity to what the agent knows about itself, and from explicit first-person statements;
//! those also give the tags. It writes no summary, leaves contradictions to the comparison of words, and proposes
//! no text but that of a source. A wrong `self/`
//! tag makes a block outlive its use and speak for the agent, a missing one costs little, so in doubt there is none.

mod statements;
mod witness;
mod words;

use std::time::Instant;

use crate::analyst::{Analysis, AnalysisRequest, Analyst, ContradictionScore, SelfAspect};
use crate::error::ModelError;
use crate::health::HealthReport;
use crate::proposal::{Proposal, ProposalRequest};
use crate::usage::Usage;

/// How much a statement of a value or a constraint speaks of the agent.
const CORE_ALIGNMENT: f64 = 0.9;
/// How much a statement of style or of a goal does: it says how the agent works, not what it stands for.
const WORKING_ALIGNMENT: f64 = 0.75;

/// Analysis by rules.
#[derive(Debug, Clone, Copy, Default)]
pub struct RulesAnalyst;

impl RulesAnalyst {
    /// What it is called in reports.
    pub const NAME: &'static str = "rules";
}

impl Analyst for RulesAnalyst {
    fn name(&self) -> &str {
        Self::NAME
    }

    /// Never fails. Without similarity and without a statement the alignment is 0: nothing says the block is about the
    /// agent.
    fn analyse(&self, request: &AnalysisRequest<'_>) -> Result<Analysis, ModelError> {
        let aspects = statements::aspects_stated(request.content);
        let similarity = request.self_similarity.filter(|cosine| cosine.is_finite()).unwrap_or(0.0).clamp(0.0, 1.0);
        let alignment = aspects.iter().map(|aspect| alignment_of(*aspect)).fold(similarity, f64::max);
        let tags = aspects.into_iter().filter(|aspect| aspect.is_assignable()).map(SelfAspect::tag).collect();
        Ok(Analysis { alignment, tags, summary: None, proposed_tags: Vec::new() })
    }

    fn judge(&self, _newer: &str, _older: &str, _cosine: f64) -> Result<Option<ContradictionScore>, ModelError> {
        Ok(None)
    }

    /// Never fails. It has no words of its own: the source that speaks best for the others, or none.
    fn propose(&self, request: &ProposalRequest<'_>) -> Result<Option<Proposal>, ModelError> {
        Ok(witness::best_witness(request))
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
    fn without_anything_to_go_by_a_block_is_not_about_the_agent() {
        for similarity in [None, Some(f64::NAN), Some(-0.4)] {
            assert_eq!(analyse("The port is 8080.", similarity).alignment, 0.0);
        }
        assert_eq!(analyse("The port is 8080.", Some(1.5)).alignment, 1.0);
    }

    #[test]
    fn the_rules_have_no_opinion_on_contradictions_and_write_no_summary() {
        assert_eq!(RulesAnalyst.judge("a", "b", 0.9).unwrap(), None);
        assert_eq!(analyse("I value honesty.", None).summary, None);
    }

    proptest! {
        #[test]
        fn any_text_is_read_and_none_becomes_constitutional(
            text in any::<String>(), similarity in prop::option::of(any::<f64>()),
        ) {
            let analysis = analyse(&format!("I value {text}. I must never {text}"), similarity);
            prop_assert!((0.0..=1.0).contains(&analysis.alignment));
            prop_assert!(analysis.tags.iter().all(|tag| tag.as_str() != "self/constitutional"));
            prop_assert!(analysis.proposed_tags.is_empty());
        }
    }
}
