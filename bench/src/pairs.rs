//! Measures consolidation on labelled pairs: stores and consolidates `a`, then `b`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use elfmem_core::{BlockId, BlockStatus, Timestamp};
use elfmem_engine::{ListContradictions, Memory};
use elfmem_store_sqlite::SqliteStore;
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::embedder::EmbedderArgs;

/// What becomes of labelled pairs of texts.
#[derive(Debug, Args)]
pub(crate) struct Pairs {
    /// Lines of {"a", "b", "label"}; labels: duplicate, paraphrase, update, contradiction, related, unrelated
    #[arg(long, value_name = "FILE")]
    data: PathBuf,

    /// Also list the pairs that came out wrong
    #[arg(long)]
    errors: bool,

    #[command(flatten)]
    embedder: EmbedderArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Label {
    Duplicate,
    Paraphrase,
    Update,
    Contradiction,
    Related,
    Unrelated,
}

#[derive(Debug, Deserialize)]
struct Pair {
    a: String,
    b: String,
    label: Label,
    #[serde(default)]
    kind: Option<String>,
}

/// The result for a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
enum Became {
    /// The second was rejected as a repetition of the first.
    Merged,
    /// The second took the place of the first.
    Superseded,
    /// Both are active, and the contradiction is on record.
    Contradiction,
    /// Both are active.
    Apart,
}

impl Became {
    fn merged(self) -> bool {
        matches!(self, Self::Merged | Self::Superseded)
    }
}

/// Error rates.
#[derive(Debug, Serialize)]
struct Rates {
    false_merge: f64,
    missed_duplicate: f64,
    false_contradiction: f64,
    missed_contradiction: f64,
}

/// Rates and the whole table.
#[derive(Debug, Serialize)]
pub(crate) struct PairReport {
    pairs: usize,
    rates: Rates,
    confusion: BTreeMap<Label, BTreeMap<Became, usize>>,
    contradiction_kinds: BTreeMap<String, BTreeMap<Became, usize>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<String>,
}

impl Pairs {
    pub(crate) fn run(&self) -> Result<PairReport> {
        let text = std::fs::read_to_string(&self.data)?;
        let mut outcomes: Vec<(Pair, Became)> = Vec::new();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let pair: Pair = serde_json::from_str(line).map_err(|error| format!("line {}: {error}", number + 1))?;
            let became = fate(&pair, &self.embedder)?;
            outcomes.push((pair, became));
        }
        Ok(self.report(&outcomes))
    }

    fn report(&self, outcomes: &[(Pair, Became)]) -> PairReport {
        let mut confusion: BTreeMap<Label, BTreeMap<Became, usize>> = BTreeMap::new();
        let mut kinds: BTreeMap<String, BTreeMap<Became, usize>> = BTreeMap::new();
        for (pair, became) in outcomes {
            *confusion.entry(pair.label).or_default().entry(*became).or_default() += 1;
            if let Some(kind) = &pair.kind {
                *kinds.entry(kind.clone()).or_default().entry(*became).or_default() += 1;
            }
        }
        let share = |of: &dyn Fn(Label) -> bool, wrong: &dyn Fn(Label, Became) -> bool| {
            let all: Vec<_> = outcomes.iter().filter(|(pair, _)| of(pair.label)).collect();
            let bad = all.iter().filter(|(pair, became)| wrong(pair.label, *became)).count();
            bad as f64 / all.len().max(1) as f64
        };
        // Merging is right for duplicates and paraphrases, superseding for updates too, neither for the rest.
        let must_not_merge = |label| !matches!(label, Label::Duplicate | Label::Paraphrase);
        let rates = Rates {
            false_merge: share(&must_not_merge, &|label, became| {
                if label == Label::Update { became == Became::Merged } else { became.merged() }
            }),
            missed_duplicate: share(&|label| label == Label::Duplicate, &|_, became| !became.merged()),
            false_contradiction: share(&|label| label != Label::Contradiction, &|_, became| {
                became == Became::Contradiction
            }),
            missed_contradiction: share(&|label| label == Label::Contradiction, &|_, became| {
                became != Became::Contradiction
            }),
        };
        let errors =
            outcomes.iter().filter(|_| self.errors).filter_map(|(pair, became)| wrong(pair, *became)).collect();
        PairReport { pairs: outcomes.len(), rates, confusion, contradiction_kinds: kinds, errors }
    }
}

/// Describes a wrong result.
fn wrong(pair: &Pair, became: Became) -> Option<String> {
    let right = match pair.label {
        Label::Duplicate => became.merged(),
        Label::Paraphrase => became != Became::Contradiction,
        Label::Update => matches!(became, Became::Superseded | Became::Apart),
        Label::Contradiction => became == Became::Contradiction,
        Label::Related | Label::Unrelated => became == Became::Apart,
    };
    (!right).then(|| format!("{:?} became {became:?}: {} | {}", pair.label, pair.a, pair.b))
}

/// Stores the first text, then the second, and classifies the result.
fn fate(pair: &Pair, embedder: &EmbedderArgs) -> Result<Became> {
    let memory = Memory::open(SqliteStore::in_memory(Timestamp::UNIX_EPOCH)?, embedder.options());
    memory.learn(pair.a.as_str())?;
    memory.consolidate()?;
    memory.learn(pair.b.as_str())?;
    memory.consolidate()?;
    let status = |text: &str| memory.show(BlockId::for_content(text).as_str()).map(|details| details.block.status);
    Ok(match (status(&pair.a)?, status(&pair.b)?) {
        (_, BlockStatus::Archived) => Became::Merged,
        (BlockStatus::Archived, _) => Became::Superseded,
        _ if BlockId::for_content(&pair.a) == BlockId::for_content(&pair.b) => Became::Merged,
        _ if !memory.contradictions(ListContradictions::new())?.is_empty() => Became::Contradiction,
        _ => Became::Apart,
    })
}

impl PairReport {
    pub(crate) fn print(&self, json: bool) {
        if json {
            println!("{:#}", serde_json::to_value(self).unwrap_or_default());
            return;
        }
        let columns = [Became::Merged, Became::Superseded, Became::Contradiction, Became::Apart];
        println!("{:<24} {:>8} {:>11} {:>14} {:>7}", "", "merged", "superseded", "contradiction", "apart");
        let row = |name: String, counts: &BTreeMap<Became, usize>| {
            let [merged, superseded, contradiction, apart] =
                columns.map(|column| counts.get(&column).copied().unwrap_or(0));
            println!("{name:<24} {merged:>8} {superseded:>11} {contradiction:>14} {apart:>7}");
        };
        for (label, counts) in &self.confusion {
            row(format!("{label:?}").to_lowercase(), counts);
        }
        for (kind, counts) in &self.contradiction_kinds {
            row(format!("  contradiction: {kind}"), counts);
        }
        let Rates { false_merge, missed_duplicate, false_contradiction, missed_contradiction } = self.rates;
        println!("\n{} pairs", self.pairs);
        println!("false merges          {:>6.1} %   aim <= 1", 100.0 * false_merge);
        println!("missed duplicates     {:>6.1} %   aim <= 5", 100.0 * missed_duplicate);
        println!("false contradictions  {:>6.1} %   aim <= 5", 100.0 * false_contradiction);
        println!("missed contradictions {:>6.1} %   aim <= 30", 100.0 * missed_contradiction);
        for error in &self.errors {
            println!("{error}");
        }
    }
}
