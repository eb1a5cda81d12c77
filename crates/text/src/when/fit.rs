//! How well an event's time fits what a question asks about.

use jiff::Timestamp;

use super::query::TimeQuery;

/// A time closer than this counts as near, however short the time asked about.
const NEAREST_HOURS: f64 = 1.0;

/// How well an event at `event_at` fits the time a question names, from 0 to 1.
///
/// 1 inside the span. Outside it falls with the distance, measured in lengths of the time that was named: a half one length
/// away, a fifth two lengths away. `last week` so forgives days and `on 7 May` hours. The curve is flat where it leaves
/// the span, because a day in UTC is seldom exactly the day the speaker lived. Before and after are open on one side.
/// A question that names no time is fit by every event.
pub fn fit(query: &TimeQuery, event_at: Timestamp) -> f64 {
    let Some(span) = query.span else { return 1.0 };
    let lengths = span.distance_to(event_at) / (query.grain.as_secs_f64() / 3600.0).max(NEAREST_HOURS);
    1.0 / (1.0 + lengths * lengths)
}
