//! Embedding models and text analysis for elfmem.
//!
//! Defines two traits: an [`Embedder`] converts text to unit vectors, an [`Analyst`] tags blocks,
//! scores contradictions and writes short texts from several sources. Implementations:
//! [`StaticEmbedder`], a table of word vectors, and [`EncoderEmbedder`], a small transformer, both
//! compiled into the program; [`FolderEmbedder`], a sentence-transformers model on disk; [`RulesAnalyst`], which needs no model; and clients for
//! [`openai`]-compatible servers and [`anthropic`].
//!
//! What this crate is *not*: it does not store vectors, decide what is a duplicate, or read the
//! environment. Keys are passed in, sent only to their server, and never appear in messages or
//! logs. All calls are synchronous and have a timeout.
//!
//! ```
//! use elfmem_models::{Embedder, StaticEmbedder};
//!
//! let embedder = StaticEmbedder::shared()?;
//! let vectors = embedder.embed(&["Maria is allergic to peanuts", "Maria must not eat nuts", "  "])?;
//! let [Some(allergy), Some(nuts), None] = vectors.as_slice() else { panic!("white space has no vector") };
//! let cosine: f32 = allergy.iter().zip(nuts).map(|(a, b)| a * b).sum();
//! assert!(cosine > 0.5);
//! # Ok::<(), elfmem_models::ModelError>(())
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod analyst;
#[cfg(feature = "remote")]
pub mod anthropic;
pub mod builtin;
#[cfg(feature = "remote")]
pub mod chat;
mod checked;
pub mod embedder;
pub mod error;
#[cfg(feature = "folder")]
pub mod folder;
mod folder_problem;
pub mod health;
#[cfg(feature = "remote")]
pub mod http;
#[cfg(feature = "remote")]
pub mod openai;
mod pair_judge;
pub mod proposal;
pub mod relevance;
pub mod rules;
#[cfg(any(test, feature = "scripted"))]
pub mod scripted;
#[cfg(feature = "remote")]
mod secret;
#[cfg(feature = "remote")]
mod trace;
mod usage;

pub use analyst::{Analysis, AnalysisRequest, Analyst, ContradictionScore, ExtractedFact, SelfAspect};
pub use builtin::BuiltinModel;
#[cfg(feature = "builtin")]
pub use builtin::StaticEmbedder;
#[cfg(feature = "encoder")]
pub use builtin::{BuiltinPairJudge, EncoderEmbedder};
#[cfg(feature = "remote")]
pub use chat::{ChatAnalyst, ChatSettings};
pub use checked::CheckedEmbedder;
pub use embedder::{Embedder, QueryEmbedding, SimilarityProfile, UnweightedQuery, unit_vector};
pub use error::{ModelError, ModelErrorKind};
#[cfg(feature = "folder")]
pub use folder::{FolderEmbedder, ModelFolder};
pub use folder_problem::{FolderProblem, FolderProblemKind};
pub use health::HealthReport;
#[cfg(feature = "remote")]
pub use http::{Backoff, Connection, RetryTimer};
#[cfg(feature = "remote")]
pub use openai::{EmbeddingSettings, OpenAiEmbedder};
pub use pair_judge::PairJudge;
pub use proposal::{ProposalRequest, ProposedText, Purpose};
pub use relevance::{AnswerEvidence, AnswerWeights, HitEvidence, HitWeights, RelevanceCurve};
pub use rules::RulesAnalyst;
#[cfg(feature = "remote")]
pub use secret::Secret;
pub use usage::{Usage, UsageMeter};
