//! What turns text into vectors and judgements.
//!
//! Two ports: an [`Embedder`] gives a text a direction so that near meanings can be found, an [`Analyst`] says what a
//! block tells about the agent, whether two blocks can both hold and what several say together. Behind them: [`StaticEmbedder`], a table of word
//! vectors that ships inside the program; [`RulesAnalyst`], which needs no model at all; and clients for model servers,
//! [`openai`]-compatible and [`anthropic`].
//!
//! What this crate is *not*: it does not store vectors, decide what is a duplicate or read the environment. Keys are
//! handed in, go to the one server they are for, and appear in no text this crate writes. Everything is synchronous and
//! bounded in time.
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
#[cfg(feature = "builtin")]
pub mod builtin;
#[cfg(feature = "remote")]
pub mod chat;
pub mod embedder;
pub mod error;
pub mod health;
#[cfg(feature = "remote")]
pub mod http;
#[cfg(feature = "remote")]
pub mod openai;
pub mod proposal;
pub mod rules;
#[cfg(any(test, feature = "scripted"))]
pub mod scripted;
#[cfg(feature = "remote")]
mod secret;
mod usage;

pub use analyst::{Analysis, AnalysisRequest, Analyst, ContradictionScore, SelfAspect};
#[cfg(feature = "builtin")]
pub use builtin::{BUILTIN_NAME, BUILTIN_PROFILE, StaticEmbedder};
#[cfg(feature = "remote")]
pub use chat::{ChatAnalyst, ChatSettings};
pub use embedder::{Embedder, Profile, unit_vector};
pub use error::{ErrorKind, ModelError};
pub use health::HealthReport;
#[cfg(feature = "remote")]
pub use http::{Backoff, Connection, Pause};
#[cfg(feature = "remote")]
pub use openai::{EmbeddingSettings, OpenAiEmbedder};
pub use proposal::{Proposal, ProposalRequest, Purpose};
pub use rules::RulesAnalyst;
#[cfg(feature = "remote")]
pub use secret::Secret;
pub use usage::{Usage, UsageMeter};
