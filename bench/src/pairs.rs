//! Measures consolidation on labelled pairs: stores and consolidates `a`, then `b`.
//!
//! The pairs are split into two halves by a hash of their texts. Rules may be developed while looking at
//! the development half; the check half is only scored.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use elfmem_core::{BlockId, BlockStatus, Timestamp};
use elfmem_engine::{ListContradictions, Memory};
use elfmem_store_sqlite::SqliteStore;
use serde::{Deserialize, Serialize};

use elfmem_models::BuiltinModel;

use crate::Result;
use crate::embedder::EmbedderArgs;

/// What becomes of labelled pairs of texts.
#[derive(Debug, Args)]
pub(crate) struct Pairs {
    /// Lines of {"a", "b", "label", "class"}; labels: duplicate, paraphrase, update, contradiction, related, unrelated
    #[arg(long, value_name = "FILE", default_value = "bench/data/pairs.jsonl")]
    data: PathBuf,

    /// Also list the pairs of the development half that came out wrong
    #[arg(long)]
    errors: bool,

    #[command(flatten)]
    embedder: EmbedderArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Label {
    Duplicate,
    Paraphrase,
    Update,
    Contradiction,
    Related,
    Unrelated,
}

#[derive(Debug, Deserialize)]
pub(crate) struct LabelledPair {
    pub(crate) a: String,
    pub(crate) b: String,
    pub(crate) label: Label,
    #[serde(default, alias = "kind")]
    class: Option<String>,
    /// The half of a pair that was written while looking at the rules.
    #[serde(default)]
    half: Option<Half>,
}

/// A half of the pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Half {
    /// The half that rules may be developed on
    Development,
    /// The half that is only scored
    Check,
}

impl Half {
    /// Returns the half of a pair. Unless it names one, that depends on nothing but its texts, so a pair never changes
    /// sides.
    pub(crate) fn of(pair: &LabelledPair) -> Self {
        if let Some(half) = pair.half {
            return half;
        }
        let bytes = pair.a.bytes().chain([0]).chain(pair.b.bytes());
        let hash =
            bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        if (hash >> 32) % 2 == 0 { Self::Development } else { Self::Check }
    }
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
    /// Both are active, and a merge of the two is proposed.
    Proposed,
    /// Both are active.
    Apart,
}

impl Became {
    const ALL: [Self; 5] = [Self::Merged, Self::Superseded, Self::Contradiction, Self::Proposed, Self::Apart];

    fn archived(self) -> bool {
        matches!(self, Self::Merged | Self::Superseded)
    }
}

type PairCounts = BTreeMap<Became, usize>;

/// A share with its counts.
#[derive(Debug, Clone, Copy, Serialize)]
struct Share {
    count: usize,
    of: usize,
    percent: f64,
}

/// The rates of one half.
#[derive(Debug, Serialize)]
struct Rates {
    /// Of the pairs that must both stay, those that lost one.
    still_true_lost: Share,
    updates_found: Share,
    contradictions_found: Share,
    duplicates_found: Share,
    paraphrases_found: Share,
    /// Of the pairs that must both stay without a mark, those recorded as contradictions.
    false_contradictions: Share,
}

#[derive(Debug, Serialize)]
struct HalfReport {
    pairs: usize,
    rates: Rates,
    labels: BTreeMap<Label, PairCounts>,
    classes: BTreeMap<String, PairCounts>,
}

/// Rates and tables of both halves.
#[derive(Debug, Serialize)]
pub(crate) struct PairReport {
    pairs: usize,
    embedder: &'static str,
    halves: BTreeMap<Half, HalfReport>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<String>,
}

impl Pairs {
    pub(crate) fn run(&self) -> Result<PairReport> {
        let text = std::fs::read_to_string(&self.data)?;
        let mut outcomes: Vec<(LabelledPair, Became)> = Vec::new();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let pair: LabelledPair =
                serde_json::from_str(line).map_err(|error| format!("line {}: {error}", number + 1))?;
            let became = fate(&pair, &self.embedder)?;
            outcomes.push((pair, became));
        }
        let half = |half: Half| outcomes.iter().filter(|(pair, _)| Half::of(pair) == half).collect::<Vec<_>>();
        let development = half(Half::Development);
        let wrong = development.iter().filter(|_| self.errors).filter_map(|(pair, became)| wrong(pair, *became));
        let errors = wrong.collect();
        let halves = [(Half::Development, report(&development)), (Half::Check, report(&half(Half::Check)))];
        let embedder = self.embedder.model().map_or("words", BuiltinModel::name);
        Ok(PairReport { pairs: outcomes.len(), embedder, halves: halves.into_iter().collect(), errors })
    }
}

fn report(outcomes: &[&(LabelledPair, Became)]) -> HalfReport {
    let mut labels: BTreeMap<Label, PairCounts> = BTreeMap::new();
    let mut classes: BTreeMap<String, PairCounts> = BTreeMap::new();
    for (pair, became) in outcomes {
        *labels.entry(pair.label).or_default().entry(*became).or_default() += 1;
        let label = format!("{:?}", pair.label).to_lowercase();
        let class = format!("{label} {}", pair.class.as_deref().unwrap_or("other"));
        *classes.entry(class).or_default().entry(*became).or_default() += 1;
    }
    let share = |of: &[Label], hit: &dyn Fn(Became) -> bool| {
        let all: Vec<Became> =
            outcomes.iter().filter(|(pair, _)| of.contains(&pair.label)).map(|(_, became)| *became).collect();
        let count = all.iter().filter(|became| hit(**became)).count();
        Share { count, of: all.len(), percent: 100.0 * count as f64 / all.len().max(1) as f64 }
    };
    let rates = Rates {
        still_true_lost: share(&[Label::Related, Label::Unrelated, Label::Contradiction], &Became::archived),
        updates_found: share(&[Label::Update], &|became| became == Became::Superseded),
        contradictions_found: share(&[Label::Contradiction], &|became| became == Became::Contradiction),
        duplicates_found: share(&[Label::Duplicate], &Became::archived),
        paraphrases_found: share(&[Label::Paraphrase], &Became::archived),
        false_contradictions: share(&[Label::Related, Label::Unrelated], &|became| became == Became::Contradiction),
    };
    HalfReport { pairs: outcomes.len(), rates, labels, classes }
}

/// Describes a wrong result.
fn wrong(pair: &LabelledPair, became: Became) -> Option<String> {
    let right = match pair.label {
        Label::Duplicate | Label::Paraphrase => became.archived(),
        Label::Update => became == Became::Superseded,
        Label::Contradiction => became == Became::Contradiction,
        Label::Related | Label::Unrelated => matches!(became, Became::Apart | Became::Proposed),
    };
    (!right).then(|| format!("{:?} became {became:?}: {} | {}", pair.label, pair.a, pair.b))
}

/// Stores the first text, then the second, and classifies the result.
fn fate(pair: &LabelledPair, embedder: &EmbedderArgs) -> Result<Became> {
    let memory = Memory::open(SqliteStore::in_memory(Timestamp::UNIX_EPOCH)?, embedder.options());
    // What is stored may differ from the text: a password in it is not kept.
    let first = memory.learn(pair.a.as_str())?.block_id;
    memory.consolidate()?;
    let second = memory.learn(pair.b.as_str())?.block_id;
    let dreamed = memory.consolidate()?;
    let status = |id: &BlockId| memory.show(id.as_str()).map(|details| details.block.status);
    Ok(match (status(&first)?, status(&second)?) {
        _ if first == second => Became::Merged,
        (_, BlockStatus::Archived) => Became::Merged,
        (BlockStatus::Archived, _) => Became::Superseded,
        _ if !memory.contradictions(ListContradictions::new())?.is_empty() => Became::Contradiction,
        _ if dreamed.proposed > 0 => Became::Proposed,
        _ => Became::Apart,
    })
}

impl PairReport {
    pub(crate) fn print(&self, json: bool) {
        if json {
            println!("{:#}", serde_json::to_value(self).unwrap_or_default());
            return;
        }
        println!("{} pairs, {}", self.pairs, self.embedder);
        for (half, report) in &self.halves {
            let name = format!("{half:?}").to_lowercase();
            println!("\n{name} half: {} pairs", report.pairs);
            let columns = "merged superseded contradiction proposed apart".split(' ');
            let header: String = columns.map(|column| format!(" {column:>13}")).collect();
            println!("{:<44}{header}", "");
            let row = |name: &str, counts: &PairCounts| {
                let cells = Became::ALL.map(|column| format!(" {:>13}", counts.get(&column).copied().unwrap_or(0)));
                println!("{name:<44}{}", cells.concat());
            };
            for (label, counts) in &report.labels {
                row(&format!("{label:?}").to_lowercase(), counts);
            }
            for (class, counts) in &report.classes {
                row(&format!("  {class}"), counts);
            }
            let rate = |name: &str, share: Share, aim: &str| {
                println!("{name:<22} {:>4} of {:>4}  {:>5.1} %   {aim}", share.count, share.of, share.percent);
            };
            let rates = &report.rates;
            rate("still true, lost", rates.still_true_lost, "aim <= 0.3");
            rate("updates found", rates.updates_found, "aim >= 80");
            rate("contradictions found", rates.contradictions_found, "aim >= 80");
            rate("duplicates found", rates.duplicates_found, "aim >= 95");
            rate("paraphrases found", rates.paraphrases_found, "aim >= 50");
            rate("false contradictions", rates.false_contradictions, "");
        }
        for error in &self.errors {
            println!("{error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_never_changes_its_half() {
        let pair = |a: &str, b: &str| LabelledPair {
            a: a.to_owned(),
            b: b.to_owned(),
            label: Label::Related,
            class: None,
            half: None,
        };
        let halves: Vec<Half> =
            ["one", "two", "three", "four", "five", "six"].iter().map(|text| Half::of(&pair(text, "other"))).collect();
        use Half::{Check, Development};
        assert_eq!(halves, [Development, Check, Check, Development, Check, Check]);
        assert_eq!(Half::of(&LabelledPair { half: Some(Development), ..pair("two", "other") }), Development);
    }
}
