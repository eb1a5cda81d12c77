//! Scores how well the time of an event fits the time a question asks about.

use jiff::Timestamp;

use super::query::TimeQuery;

/// Lower bound of the unit of distance, for very short times.
const NEAREST_HOURS: f64 = 1.0;

/// Returns how well an event at `event_at` fits the time in a question, from 0 to 1.
///
/// The score is 1 inside the span. Outside it falls with the distance, in multiples of the length
/// of the named time: 0.5 at one length, 0.2 at two. So `last week` tolerates days and `on 7 May`
/// tolerates hours. The curve is flat at the edge of the span, because a day in UTC is seldom
/// exactly the local day. Before and after are open on one side. If the question names no time,
/// every event scores 1.
pub fn time_fit(query: &TimeQuery, event_at: Timestamp) -> f64 {
    let Some(span) = query.span else { return 1.0 };
    let lengths = span.distance_to(event_at) / (query.grain.as_secs_f64() / 3600.0).max(NEAREST_HOURS);
    1.0 / (1.0 + lengths * lengths)
}
