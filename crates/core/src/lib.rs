//! The pure heart of elfmem.
//!
//! What a block is, how belief moves, how memory fades, how a score is made. Everything here is a
//! function of its arguments: no file, no network, no clock, no randomness. Time and chance are
//! handed in by the caller, so a year of use can be replayed in a second.
//!
//! What this crate is *not*: it does not store anything (see `elfmem-store`) and it does not
//! decide when things happen (see `elfmem`, the engine).
//!
//! ```
//! use elfmem_core::{ActiveHours, BlockId, DecayTier};
//!
//! // A block is named by its content.
//! let id = BlockId::for_content("  Hello World \n");
//! assert_eq!(id.as_str(), "b94d27b9934d3e08");
//!
//! // And it fades with use, not with the calendar.
//! let recency = DecayTier::Standard.rate().recency_after(ActiveHours::new(69.3));
//! assert!((recency - 0.5).abs() < 0.001);
//! ```

pub mod belief;
pub mod block;
pub mod clock;
pub mod coarse;
pub mod curation;
pub mod decay;
pub mod displacement;
pub mod edge;
pub mod edge_score;
pub mod event;
pub mod frame;
pub mod health;
pub mod id;
pub mod link;
pub mod operation;
pub mod outcome;
pub mod policy;
pub mod provenance;
pub mod scope;
pub mod score;
pub mod session;
pub mod testimony;
pub mod time;
mod trace;
pub mod unit;

pub use belief::{Belief, Evidence, LinkType};
pub use block::{ArchiveReason, Block, BlockStatus, Category, Tag};
pub use clock::ClockState;
pub use decay::{DecayRate, DecayTier};
pub use edge::{Edge, EdgeKey, Origin, Relation};
pub use frame::Frame;
pub use id::{BlockId, ParseIdError};
pub use link::{Link, LinkEffect, LinkEnd, LinkKey, LinkOrigin};
pub use operation::OperationKind;
pub use outcome::OutcomeRecord;
pub use provenance::{BroughtBy, UntrustedSources};
pub use scope::{Scope, ScopeView};
pub use score::{Components, Weights};
pub use session::{Session, SessionId, SessionKind};
pub use testimony::Testimony;
pub use time::{ActiveHours, Timestamp};
pub use unit::{Confidence, EdgeWeight, OutOfRange, Signal};
