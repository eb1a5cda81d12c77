//! Measures secret detection: recall and false positives.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use elfmem_text::secrets::find_secrets;
use serde::{Deserialize, Serialize};

use crate::Result;

/// How many secrets are found in labelled texts.
#[derive(Debug, Args)]
pub(crate) struct Secrets {
    /// Lines of {"text", "kind", "secret"}; a kind that begins with "no/" is a text without a secret. The sign ‖ is dropped: it keeps
    /// what looks like a key from standing in the file
    #[arg(long, value_name = "FILE")]
    data: PathBuf,

    /// Also print each text that was judged wrongly
    #[arg(long)]
    misses: bool,

    /// Also count what is found in all text files below a folder of code that holds no secrets
    #[arg(long, value_name = "FOLDER")]
    wild: Option<PathBuf>,
}

/// One labelled text.
#[derive(Debug, Deserialize)]
struct Sample {
    text: String,
    kind: String,
    #[serde(default)]
    secret: Option<String>,
}

/// Counts for one kind of text.
#[derive(Debug, Default, Serialize)]
struct SecretCounts {
    texts: u32,
    /// Of texts with a secret: none of it was left. Of others: something was redacted.
    redacted: u32,
    /// Of texts with a secret: it was called by its kind.
    named: u32,
}

/// The figures.
#[derive(Debug, Serialize)]
pub(crate) struct DetectionRates {
    secrets: u32,
    detected: u32,
    detection_rate: f64,
    kind_right: u32,
    clean: u32,
    false_alarms: u32,
    false_alarm_rate: f64,
    megabytes_a_second: f64,
    by_kind: BTreeMap<String, SecretCounts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wild: Option<Wild>,
    #[serde(skip)]
    misses: Vec<String>,
}

/// A false positive.
#[derive(Debug, Default, Serialize)]
struct Wild {
    files: u64,
    megabytes: f64,
    alarms: u64,
    by_kind: BTreeMap<String, u64>,
    #[serde(skip)]
    texts: Vec<String>,
}

impl Wild {
    fn look(&mut self, folder: &std::path::Path) -> Result<()> {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let (kind, path) = (entry.file_type()?, entry.path());
            if kind.is_dir() {
                self.look(&path)?;
            } else if let (true, Ok(text)) = (kind.is_file(), std::fs::read_to_string(&path)) {
                self.files += 1;
                self.megabytes += text.len() as f64 / 1e6;
                for found in find_secrets(&text) {
                    self.alarms += 1;
                    *self.by_kind.entry(found.kind.to_string()).or_default() += 1;
                    let excerpt: String = text[found.at].chars().take(60).collect();
                    self.texts.push(format!("{} {} {excerpt:?}", path.display(), found.kind));
                }
            }
        }
        Ok(())
    }
}

impl Secrets {
    pub(crate) fn run(&self) -> Result<DetectionRates> {
        let mut samples = Vec::new();
        for line in std::fs::read_to_string(&self.data)?.lines().filter(|line| !line.trim().is_empty()) {
            let mut sample: Sample = serde_json::from_str(line)?;
            sample.text = sample.text.replace('‖', "");
            sample.secret = sample.secret.map(|secret| secret.replace('‖', ""));
            samples.push(sample);
        }
        let mut rates = rates(&samples, self.misses);
        if let Some(folder) = &self.wild {
            let mut wild = Wild::default();
            wild.look(folder)?;
            if self.misses {
                rates.misses.append(&mut wild.texts);
            }
            rates.wild = Some(wild);
        }
        Ok(rates)
    }
}

fn rates(samples: &[Sample], misses: bool) -> DetectionRates {
    let mut by_kind: BTreeMap<String, SecretCounts> = BTreeMap::new();
    let mut missed = Vec::new();
    for Sample { text, kind, secret } in samples {
        let found = find_secrets(text);
        let tally = by_kind.entry(kind.clone()).or_default();
        tally.texts += 1;
        let right = match secret {
            // All of it must lie within what is redacted.
            Some(secret) => text.match_indices(secret.as_str()).next().is_some_and(|(at, _)| {
                found.iter().any(|found| found.at.start <= at && found.at.end >= at + secret.len())
            }),
            None => found.is_empty(),
        };
        tally.redacted += u32::from(secret.is_some() == right);
        tally.named += u32::from(secret.is_some() && found.iter().any(|found| found.kind.as_str() == kind));
        if !right && misses {
            let kinds: Vec<&str> = found.iter().map(|found| found.kind.as_str()).collect();
            missed.push(format!("{kind} {kinds:?}: {text}"));
        }
    }
    let sum = |secret: bool, of: fn(&SecretCounts) -> u32| -> u32 {
        by_kind.iter().filter(|(kind, _)| kind.starts_with("no/") != secret).map(|(_, tally)| of(tally)).sum()
    };
    let (secrets, detected) = (sum(true, |tally| tally.texts), sum(true, |tally| tally.redacted));
    let (clean, false_alarms) = (sum(false, |tally| tally.texts), sum(false, |tally| tally.redacted));
    DetectionRates {
        secrets,
        detected,
        detection_rate: share(detected, secrets),
        kind_right: sum(true, |tally| tally.named),
        clean,
        false_alarms,
        false_alarm_rate: share(false_alarms, clean),
        megabytes_a_second: speed(samples),
        by_kind,
        wild: None,
        misses: missed,
    }
}

fn share(part: u32, whole: u32) -> f64 {
    f64::from(part) / f64::from(whole.max(1))
}

/// Measures the scan rate on ordinary text.
fn speed(samples: &[Sample]) -> f64 {
    let text: String = samples.iter().map(|sample| format!("{}\n", sample.text)).collect();
    let text = text.repeat(8_000_000 / text.len().max(1) + 1);
    let began = Instant::now();
    let found = find_secrets(&text).len();
    let seconds = began.elapsed().as_secs_f64();
    std::hint::black_box(found);
    text.len() as f64 / 1e6 / seconds
}

impl DetectionRates {
    pub(crate) fn print(&self, json: bool) {
        if json {
            println!("{:#}", serde_json::json!(self));
            return;
        }
        println!("{:<24} {:>6} {:>9} {:>11}", "kind", "texts", "redacted", "kind right");
        for (kind, tally) in &self.by_kind {
            let named = if kind.starts_with("no/") { "-".to_owned() } else { tally.named.to_string() };
            println!("{kind:<24} {:>6} {:>9} {named:>11}", tally.texts, tally.redacted);
        }
        println!(
            "\ndetected      {} of {} ({:.1} %), {} called by their kind",
            self.detected,
            self.secrets,
            self.detection_rate * 100.0,
            self.kind_right
        );
        println!("false alarms  {} of {} ({:.1} %)", self.false_alarms, self.clean, self.false_alarm_rate * 100.0);
        println!("speed         {:.0} MB/s", self.megabytes_a_second);
        if let Some(wild) = &self.wild {
            let kinds: Vec<String> = wild.by_kind.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
            println!(
                "in the wild   {} in {} files, {:.0} MB: {}",
                wild.alarms,
                wild.files,
                wild.megabytes,
                if kinds.is_empty() { "none".to_owned() } else { kinds.join(", ") }
            );
        }
        for miss in &self.misses {
            println!("{miss}");
        }
    }
}
