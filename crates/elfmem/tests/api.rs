//! What the library offers can be named, and paths that are no files are refused.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use elfmem::{
    Analysis, AnalysisRequest, Analyst, BlockDetails, Connect, ContradictionScore, ForgetResult, HealthReport,
    IfExists, LeftOutReason, Memory, ModelError, Options, SecretsPolicy, SessionStyle, StoreError, Tag, UndoError,
    Usage, WhyResult,
};

/// Types of arguments, answers and errors that a program writes down.
#[allow(dead_code, reason = "only the names matter")]
struct Named(BlockDetails, ForgetResult, WhyResult, LeftOutReason, Tag, StoreError, UndoError);

/// An analyst that never judges.
#[derive(Debug)]
struct Silent;

impl Analyst for Silent {
    fn name(&self) -> &str {
        "silent"
    }

    fn analyse(&self, _: &AnalysisRequest<'_>) -> Result<Analysis, ModelError> {
        Err(ModelError::Configuration { problem: "not today".to_owned() })
    }

    fn judge(&self, _: &str, _: &str, _: f64) -> Result<Option<ContradictionScore>, ModelError> {
        Ok(None)
    }

    fn check(&self) -> Result<HealthReport, ModelError> {
        Err(ModelError::Configuration { problem: "not today".to_owned() })
    }

    fn usage(&self) -> Usage {
        Usage::default()
    }

    fn concurrency(&self) -> usize {
        1
    }
}

#[test]
fn options_requests_and_an_analyst_need_no_other_crate() {
    let options =
        Options { secrets: SecretsPolicy::Allow, session_style: SessionStyle::Detached, ..Options::default() };
    let memory = Memory::in_memory_with(options).unwrap();
    let id = memory.remember("Deploys go out on Tuesdays").unwrap().block_id;
    let connect = Connect::new(id.as_str(), id.as_str()).if_exists(IfExists::Error);
    assert!(memory.connect(connect).is_err(), "a block and itself");
    let _: &dyn Analyst = &Silent;
}

#[cfg(feature = "sqlite")]
#[test]
fn a_path_that_names_no_file_is_refused() {
    for path in ["", ":memory:", "file::memory:?cache=shared", "file:/tmp/x.db?mode=memory"] {
        let error = Memory::open(path).unwrap_err();
        assert!(error.to_string().contains("cannot open the memory"), "{path}: {error}");
    }
}
