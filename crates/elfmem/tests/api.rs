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

/// The result types, requests and errors that seeds 000 and 001 export, by their names here. One that is no longer exported
/// does not compile; the errors of the seeds are kinds, checked by name.
#[test]
fn every_type_that_the_seeds_export_is_exported() {
    fn name_of<T>() -> &'static str {
        let path = std::any::type_name::<T>();
        path.rsplit("::").next().unwrap_or(path)
    }
    let types = [
        name_of::<elfmem::LearnResult>(),
        name_of::<elfmem::ConsolidateResult>(),
        name_of::<elfmem::FrameResult>(),
        name_of::<elfmem::CurateResult>(),
        name_of::<elfmem::ScoredBlock>(),
        name_of::<elfmem::SystemStatus>(),
        name_of::<elfmem::OperationRecord>(),
        name_of::<elfmem::ConnectResult>(),
        name_of::<elfmem::ConnectByQueryResult>(),
        name_of::<elfmem::ConnectsResult>(),
        name_of::<elfmem::DisconnectResult>(),
        name_of::<elfmem::DisplacedEdge>(),
        name_of::<elfmem::ConnectError>(),
    ];
    assert_eq!(
        types,
        [
            "LearnResult",
            "ConsolidateResult",
            "FrameResult",
            "CurateResult",
            "ScoredBlock",
            "SystemStatus",
            "OperationRecord",
            "ConnectResult",
            "ConnectByQueryResult",
            "ConnectsResult",
            "DisconnectResult",
            "DisplacedEdge",
            "ConnectError",
        ]
    );
    // `ConnectSpec` of the seed is the request itself.
    let _: fn(String, String) -> Connect = |source, target| Connect::new(source, target);
    use elfmem::ErrorKind;
    let kinds = [
        (ErrorKind::Session, "SessionError"),
        (ErrorKind::Config, "ConfigError"),
        (ErrorKind::Storage, "StorageError"),
        (ErrorKind::Frame, "FrameError"),
        (ErrorKind::Connect, "ConnectError"),
        (ErrorKind::SelfLoop, "SelfLoopError"),
        (ErrorKind::BlockNotActive, "BlockNotActiveError"),
        (ErrorKind::DegreeLimit, "DegreeLimitError"),
    ];
    for (kind, name) in kinds {
        assert_eq!(kind.as_str(), name);
    }
}

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

#[cfg(all(unix, feature = "sqlite"))]
#[test]
fn a_file_that_was_deleted_under_an_open_memory_is_an_error_and_stores_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let memory = Memory::open(&path).unwrap();
    memory.remember("Deploys go out on Tuesdays").unwrap();
    std::fs::remove_file(&path).unwrap();
    let error = memory.remember("Maria likes tea").unwrap_err();
    assert!(error.to_string().contains("deleted or replaced"), "{error}");
    assert!(memory.recall("deploys").is_err(), "an answer would come from a file that is gone");
    assert!(!path.exists());
}
