//! Domain types and formulas of elfmem: blocks, edges, links, events, sessions, decay, belief and
//! scores.
//!
//! All functions are pure: no file, no network, no clock, no randomness. The caller passes time and
//! random numbers, so a year of use can be replayed in a second.
//!
//! What this crate is *not*: it does not store anything (see `elfmem-store`), analyse text (see
//! `elfmem-text`), or decide when operations run (see `elfmem-engine`).
//!
//! ```
//! use elfmem_core::{ActiveHours, BlockId, DecayTier};
//!
//! // The id of a block is a hash of its normalised content.
//! let id = BlockId::for_content("  Hello World \n");
//! assert_eq!(id.as_str(), "b94d27b9934d3e08");
//!
//! // Recency decays with active hours, not with calendar time.
//! let recency = DecayTier::Standard.rate().recency_after(ActiveHours::new(69.3));
//! assert!((recency - 0.5).abs() < 0.001);
//! ```

pub mod belief;
pub mod belief_update;
pub mod block;
pub mod calibration;
pub mod clock;
pub mod coarse;
pub mod curation;
pub mod decay;
pub mod document;
pub mod edge;
pub mod edge_score;
pub mod event;
pub mod eviction;
pub mod frame;

pub mod consolidation;
pub mod id;
pub mod link;
pub mod operation;
pub mod outcome;
pub mod provenance;
pub mod replacement;
pub mod scope;
pub mod score;
pub mod session;

pub mod time;
mod trace;
pub mod trust;
pub mod unit;

pub use belief::{Belief, Evidence, LinkType};
pub use belief_update::BeliefUpdate;
pub use block::{ArchiveReason, Block, BlockStatus, Category, Tag};
pub use calibration::RelevanceCalibration;
pub use clock::ClockState;
pub use decay::{DecayRate, DecayTier};
pub use document::{DocumentLabels, DocumentPart};
pub use edge::{Edge, EdgeKey, EdgeOrigin, Relation};
pub use edge_score::EdgeScoring;
pub use frame::Frame;
pub use id::{BlockId, ParseIdError};
pub use link::{Link, LinkEffect, LinkEnd, LinkKey, LinkOrigin};
pub use operation::OperationKind;
pub use outcome::OutcomeRecord;
pub use provenance::BroughtBy;
pub use replacement::{BlockReplacement, ReplacementKind};
pub use scope::{Scope, ScopeView};
pub use score::{ScoreComponents, ScoreWeights};
pub use session::{Session, SessionId, SessionKind};
pub use time::{ActiveHours, Timestamp};
pub use trust::{Speaker, Trust, TrustPolicy};
pub use unit::{Confidence, EdgeWeight, OutOfRange, Signal};
