//! Figures as a table or as JSON.

use serde::Serialize;

use crate::timing::Timing;

/// One line of a report.
#[derive(Debug, Serialize)]
struct ReportRow {
    name: String,
    #[serde(flatten)]
    timing: Timing,
    /// The target, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    aim: Option<&'static str>,
}

/// Figures with their names.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Report {
    rows: Vec<ReportRow>,
    notes: Vec<String>,
}

impl Report {
    pub(crate) fn add(&mut self, name: impl Into<String>, timing: Timing, aim: Option<&'static str>) {
        self.rows.push(ReportRow { name: name.into(), timing, aim });
    }

    pub(crate) fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    pub(crate) fn print(&self, json: bool) {
        if json {
            println!("{:#}", serde_json::json!({"rows": self.rows, "notes": self.notes}));
            return;
        }
        println!("{:<44} {:>8} {:>10} {:>10} {:>10}  aim", "", "count", "p50 ms", "p99 ms", "cpu ms");
        for ReportRow { name, timing, aim } in &self.rows {
            let cpu = timing.cpu_ms.map_or_else(|| "-".to_owned(), |cpu| format!("{cpu:.3}"));
            println!(
                "{name:<44} {:>8} {:>10.3} {:>10.3} {cpu:>10}  {}",
                timing.operations,
                timing.p50_ms,
                timing.p99_ms,
                aim.unwrap_or("")
            );
        }
        for note in &self.notes {
            println!("{note}");
        }
    }
}
