//! How the questions of memory files were answered.

use std::collections::BTreeMap;

use serde::Serialize;

/// How one question was answered.
#[derive(Debug, Clone)]
pub(super) struct Answered {
    pub(super) kind: String,
    /// Whether the memory knows an answer.
    pub(super) answerable: bool,
    /// The place of the first answer among the returned blocks, from 0.
    pub(super) first_answer: Option<usize>,
    /// The share of all answers among the first five.
    pub(super) share_of_five: f64,
    /// Whether the first block is an outdated fact.
    pub(super) outdated_first: bool,
    /// The relevance of the answer; none when nothing was returned.
    pub(super) relevance: Option<f64>,
    pub(super) returned: usize,
}

/// The counts of one kind of question.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(super) struct KindCounts {
    asked: usize,
    first: usize,
    among_three: usize,
    among_five: usize,
    /// Mean share of all answers among the first five: what lists and questions with two steps need.
    share_of_five: f64,
    /// The first block is outdated.
    outdated_first: usize,
    /// No answer among the returned blocks.
    lost: usize,
    /// Nothing was returned.
    nothing: usize,
    /// Mean number of returned blocks.
    returned: f64,
}

impl KindCounts {
    fn of<'a>(all: impl Iterator<Item = &'a Answered>) -> Self {
        let mut counts = Self::default();
        for one in all {
            let among = |depth: usize| usize::from(one.first_answer.is_some_and(|at| at < depth));
            counts.asked += 1;
            counts.first += among(1);
            counts.among_three += among(3);
            counts.among_five += among(5);
            counts.share_of_five += one.share_of_five;
            counts.outdated_first += usize::from(one.outdated_first);
            counts.lost += usize::from(one.answerable && one.first_answer.is_none());
            counts.nothing += usize::from(one.returned == 0);
            counts.returned += one.returned as f64;
        }
        let asked = counts.asked.max(1) as f64;
        counts.share_of_five /= asked;
        counts.returned /= asked;
        counts
    }
}

/// The figures of one memory or of all of them.
#[derive(Debug, Serialize)]
pub(super) struct Figures {
    name: String,
    answerable: KindCounts,
    kinds: BTreeMap<String, KindCounts>,
    /// Area under the curve of the shown number, answerable against questions about nothing in the memory.
    auc_far: Option<f64>,
    /// Area under the curve of the shown number, against questions about things in the memory that are not noted.
    auc_near: Option<f64>,
    /// Facts that no later one replaced and that are not active after the dream.
    facts_lost: usize,
}

impl Figures {
    /// Returns how many questions with an answer were asked, how often it came first, and how often among five.
    pub(super) fn found(&self) -> (usize, usize, usize) {
        (self.answerable.asked, self.answerable.first, self.answerable.among_five)
    }

    pub(super) fn new(name: &str, all: &[Answered], facts_lost: usize) -> Self {
        let mut kinds: BTreeMap<String, Vec<&Answered>> = BTreeMap::new();
        for one in all {
            kinds.entry(one.kind.clone()).or_default().push(one);
        }
        let numbers = |keep: &dyn Fn(&Answered) -> bool| -> Vec<f64> {
            all.iter().filter(|one| keep(one)).map(|one| one.relevance.unwrap_or(0.0)).collect()
        };
        let auc_against =
            |kind: &str| auc(numbers(&|one| one.answerable).into_iter(), numbers(&|one| one.kind == kind).into_iter());
        Self {
            name: name.to_owned(),
            answerable: KindCounts::of(all.iter().filter(|one| one.answerable)),
            kinds: kinds.into_iter().map(|(kind, all)| (kind, KindCounts::of(all.into_iter()))).collect(),
            auc_far: auc_against("unanswerable-far"),
            auc_near: auc_against("unanswerable-near"),
            facts_lost,
        }
    }

    pub(super) fn print(&self) {
        println!(
            "{:<14} {:<18} {:>5} {:>6} {:>6} {:>6} {:>7} {:>8} {:>5} {:>8} {:>9}",
            self.name, "", "asked", "first", "three", "five", "share@5", "outdated", "lost", "nothing", "returned"
        );
        let line = |name: &str, counts: &KindCounts| {
            let KindCounts { asked, first, among_three, among_five, outdated_first, lost, nothing, .. } = counts;
            println!(
                "{:<14} {name:<18} {asked:>5} {first:>6} {among_three:>6} {among_five:>6} {:>7.2} {outdated_first:>8} {lost:>5} {nothing:>8} {:>9.1}",
                "", counts.share_of_five, counts.returned
            );
        };
        line("answerable", &self.answerable);
        self.kinds.iter().for_each(|(kind, counts)| line(kind, counts));
        let figure = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"));
        println!(
            "{:<14} AUC far {}, near {}; facts lost {}",
            "",
            figure(self.auc_far),
            figure(self.auc_near),
            self.facts_lost
        );
    }
}

/// Returns how often one of the first numbers is higher than one of the second; ties count half. None without a pair.
pub(crate) fn auc(known: impl Iterator<Item = f64>, unknown: impl Iterator<Item = f64>) -> Option<f64> {
    let (known, unknown): (Vec<f64>, Vec<f64>) = (known.collect(), unknown.collect());
    let pairs = (known.len() * unknown.len()) as f64;
    let won: f64 = known
        .iter()
        .flat_map(|known| unknown.iter().map(move |unknown| known.total_cmp(unknown)))
        .map(|order| match order {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        })
        .sum();
    (pairs > 0.0).then(|| won / pairs)
}
