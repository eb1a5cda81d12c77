//! The library as its users see it: over a store in memory, on a clock that the test moves.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod analysts;
mod attending;
mod breadcrumbs;
mod by_name;
mod connecting;
mod connecting_by_query;
mod connecting_many;
mod contract;
mod contradicting;
mod crash_points;
mod cues_and_times;
mod curating;
mod deciding;
mod documents;
mod dreaming;
mod echoing;
mod edge_scoring;
mod explaining;
mod faults;
mod fixtures;
mod forgotten_sessions;
mod framing;
mod graduating;
mod histories;
mod interference;
mod keeping_secrets;
mod labels;
mod learning;
mod life;
mod linking;
#[cfg(feature = "tracing")]
mod logging;
mod migrating;
mod observing;
mod outcomes;
mod proposing;
mod purging;
mod reaching;
mod recall_as_use;
mod recall_hostile;
mod recall_in_parallel;
mod recall_in_step;
mod recall_known_failures;
mod recall_properties;
mod recall_strength;
mod recalling;
mod rescoring;
mod retrieving;
mod scope_state;
mod scopes;
mod secret_parameters;
mod sessions;
mod state;
mod telling;
mod tending;
mod tracing_sources;
mod transfer_properties;
mod transferring;
mod trusting;
mod two_stores;
mod undoing;
mod verb_calls;
mod verifying;

pub(crate) use fixtures::{ManualClock, clock, frame_for, memory, memory_at, memory_on, options};
