//! Metrics in the Prometheus text format.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, Method};
use axum::response::{IntoResponse, Response};
use elfmem_core::Timestamp;
use elfmem_engine::results::SystemStatus;
use elfmem_store::Store;

use super::HttpState;
use super::mcp::MCP;

/// Path of the metrics.
pub(super) const ROUTE: &str = "/metrics";

/// Timeout for the metrics of the memory. The other metrics are returned without them.
const TIMEOUT: Duration = Duration::from_secs(2);

/// Upper bounds of the histogram in seconds.
const BOUNDS: [f64; 14] = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0];

/// Counters of one route by method and status, and a histogram of durations.
#[derive(Debug, Default)]
struct RouteMetrics {
    answered: BTreeMap<(&'static str, u16), u64>,
    within: [u64; BOUNDS.len()],
    seconds: f64,
}

/// Counters since the server started.
#[derive(Debug, Default)]
pub(super) struct Metrics {
    routes: Mutex<BTreeMap<String, RouteMetrics>>,
    under_way: AtomicU64,
}

/// Decrements the number of running requests on drop.
pub(super) struct InFlightGuard<'a>(&'a AtomicU64);

impl Drop for InFlightGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Metrics {
    pub(super) fn begin(&self) -> InFlightGuard<'_> {
        self.under_way.fetch_add(1, Ordering::Relaxed);
        InFlightGuard(&self.under_way)
    }

    /// Counts a response. Requests without a route are counted together, because their number is
    /// unbounded.
    pub(super) fn count(&self, route: Option<&str>, method: &Method, status: u16, took: Duration) {
        let route = match route {
            Some(route) if route.starts_with(MCP) => MCP,
            Some(route) => route,
            None => "none",
        };
        let mut routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        let route = routes.entry(route.to_owned()).or_default();
        *route.answered.entry((known(method), status)).or_default() += 1;
        route.seconds += took.as_secs_f64();
        if let Some(bucket) = BOUNDS.iter().position(|bound| took.as_secs_f64() <= *bound) {
            route.within[bucket] += 1;
        }
    }

    fn write(&self, page: &mut MetricsPage) {
        let routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        page.family("elfmem_http_requests_total", "counter", "Requests that were answered.");
        for (name, route) in routes.iter() {
            for ((method, status), count) in &route.answered {
                page.sample("", &[("route", name), ("method", method), ("status", &status.to_string())], *count as f64);
            }
        }
        page.family("elfmem_http_request_duration_seconds", "histogram", "How long answers took.");
        for (name, route) in routes.iter() {
            let mut within = 0;
            for (bound, count) in BOUNDS.iter().zip(route.within) {
                within += count;
                page.sample("_bucket", &[("route", name), ("le", &bound.to_string())], within as f64);
            }
            let all: u64 = route.answered.values().sum();
            page.sample("_bucket", &[("route", name), ("le", "+Inf")], all as f64);
            page.sample("_sum", &[("route", name)], route.seconds);
            page.sample("_count", &[("route", name)], all as f64);
        }
        page.family("elfmem_http_requests_in_flight", "gauge", "Requests that are being answered.");
        page.sample("", &[], self.under_way.load(Ordering::Relaxed) as f64);
    }
}

/// Returns the name of a standard method; others are counted together.
fn known(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        _ => "other",
    }
}

/// Handles `GET /metrics`.
pub(super) async fn page<S: Store + 'static>(State(app): State<Arc<HttpState<S>>>) -> Response {
    let actor = app.actor;
    let read = app.calls.run_unqueued(move |memory| {
        let verbs = memory.tally().counts();
        let state = memory.get(actor).and_then(|memory| {
            let bytes = memory.store().bytes().map_err(elfmem_engine::Error::from)?;
            Ok((memory.status()?, bytes))
        });
        (verbs, state.ok())
    });
    let (verbs, state) = match tokio::time::timeout(TIMEOUT, read).await {
        Ok(Ok(read)) => read,
        _ => Default::default(),
    };
    let mut page = MetricsPage::default();
    page.family("elfmem_build_info", "gauge", "The version that runs.");
    page.sample("", &[("version", env!("CARGO_PKG_VERSION"))], 1.0);
    app.metrics.write(&mut page);
    page.family("elfmem_verb_calls_total", "counter", "Calls of verbs, over all surfaces of this server.");
    for ((verb, done), count) in verbs {
        page.sample("", &[("verb", verb), ("outcome", if done { "done" } else { "refused" })], count as f64);
    }
    page.family("elfmem_store_up", "gauge", "Whether the store answers.");
    page.sample("", &[], if state.is_some() { 1.0 } else { 0.0 });
    if let Some((status, bytes)) = state {
        of_memory(&mut page, &status, bytes);
    }
    ([(CONTENT_TYPE, HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8"))], page.text).into_response()
}

fn of_memory(page: &mut MetricsPage, status: &SystemStatus, bytes: u64) {
    page.family("elfmem_blocks", "gauge", "Blocks by status.");
    for (name, count) in
        [("inbox", status.inbox_count), ("active", status.active_count), ("archived", status.archived_count)]
    {
        page.sample("", &[("status", name)], count as f64);
    }
    page.family("elfmem_active_hours", "gauge", "The clock of use.");
    page.sample("", &[], status.total_active_hours);
    page.family("elfmem_database_bytes", "gauge", "The size of the store.");
    page.sample("", &[], bytes as f64);
    // Absent before the first consolidation.
    if let Ok(at) = status.last_consolidated.parse::<Timestamp>() {
        page.family("elfmem_last_consolidated_timestamp_seconds", "gauge", "When blocks were last consolidated.");
        page.sample("", &[], at.as_second() as f64);
    }
}

/// Builds the page.
#[derive(Debug, Default)]
struct MetricsPage {
    text: String,
    family: &'static str,
}

impl MetricsPage {
    fn family(&mut self, name: &'static str, kind: &str, help: &str) {
        self.family = name;
        let _ = writeln!(self.text, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    fn sample(&mut self, suffix: &str, labels: &[(&str, &str)], value: f64) {
        let labels: Vec<String> = labels.iter().map(|(name, value)| format!("{name}=\"{}\"", escaped(value))).collect();
        let labels = if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) };
        let _ = writeln!(self.text, "{}{suffix}{labels} {value}", self.family);
    }
}

fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_route_method_status_and_time() {
        let metrics = Metrics::default();
        metrics.count(Some("/api/v1/{verb}"), &Method::POST, 200, Duration::from_millis(3));
        metrics.count(Some("/api/v1/{verb}"), &Method::POST, 200, Duration::from_secs(60));
        metrics.count(Some("/mcp/"), &Method::GET, 405, Duration::ZERO);
        metrics.count(None, &Method::from_bytes(b"BREW").unwrap(), 404, Duration::ZERO);
        let under_way = metrics.begin();
        let mut page = MetricsPage::default();
        metrics.write(&mut page);
        drop(under_way);
        for line in [
            "elfmem_http_requests_total{route=\"/api/v1/{verb}\",method=\"POST\",status=\"200\"} 2",
            "elfmem_http_requests_total{route=\"/mcp\",method=\"GET\",status=\"405\"} 1",
            "elfmem_http_requests_total{route=\"none\",method=\"other\",status=\"404\"} 1",
            "elfmem_http_request_duration_seconds_bucket{route=\"/api/v1/{verb}\",le=\"0.002\"} 0",
            "elfmem_http_request_duration_seconds_bucket{route=\"/api/v1/{verb}\",le=\"0.005\"} 1",
            "elfmem_http_request_duration_seconds_bucket{route=\"/api/v1/{verb}\",le=\"10\"} 1",
            "elfmem_http_request_duration_seconds_bucket{route=\"/api/v1/{verb}\",le=\"+Inf\"} 2",
            "elfmem_http_request_duration_seconds_count{route=\"/api/v1/{verb}\"} 2",
            "elfmem_http_requests_in_flight 1",
        ] {
            assert!(page.text.lines().any(|written| written == line), "{line}\n{}", page.text);
        }
        assert_eq!(metrics.under_way.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn label_values_are_escaped() {
        assert_eq!(escaped("a\"b\\c\nd"), "a\\\"b\\\\c\\nd");
    }
}
