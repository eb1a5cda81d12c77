//! Measures a memory against a simulated world.
//!
//! People, teams, systems and preferences change over a year. What happens is written down as an agent would:
//! in many wordings and seven languages, late, twice, wrongly and corrected, by sources of different trust. The
//! memory dreams every day and curates every week. The simulation knows the truth and compares.

mod diary;
mod measures;
mod story;
mod templates;
mod truth;
#[cfg(test)]
mod veto;

use std::collections::BTreeMap;

use clap::Args;
use elfmem_models::BuiltinModel;
use serde::Serialize;

use crate::Result;
use crate::embedder::EmbedderArgs;
use diary::{Diary, Disputes, Loss};
use measures::{AnswerCounts, Answers, ClassCounts, Size, Standing};
use story::{Story, TextClass};

/// Days between two rounds of questions.
const ASK_EVERY: u32 = 30;

/// A year of people, teams and systems, told to a memory and compared with the truth
#[derive(Debug, Args)]
pub(crate) struct World {
    /// The seed of the world
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// How many days pass
    #[arg(long, default_value_t = 365)]
    days: u32,

    /// Questions about the present in each round, once in 30 days
    #[arg(long, default_value_t = 100)]
    questions: usize,

    /// Also list the losses, outdated texts that nothing marks, and questions with a wrong first answer
    #[arg(long)]
    errors: bool,

    #[command(flatten)]
    embedder: EmbedderArgs,
}

/// The figures of a world.
#[derive(Debug, Serialize)]
pub(crate) struct WorldReport {
    seed: u64,
    days: u32,
    embedder: &'static str,
    templates: usize,
    total: ClassCounts,
    #[serde(flatten)]
    standing: Standing,
    answers: Answers,
    disputes: BTreeMap<TextClass, Disputes>,
    size: Size,
    /// Blocks that curate archived because they faded.
    faded: usize,
    proposals: usize,
    dream_seconds: f64,
    losses: Vec<Loss>,
    /// Contradictions on record at the end.
    contradictions: usize,
    /// Those of them between two texts that are both true.
    false_contradictions: usize,
    #[serde(skip)]
    both_true: Vec<String>,
    #[serde(skip)]
    errors: bool,
}

impl World {
    pub(crate) fn run(&self) -> Result<WorldReport> {
        let mut story = Story::new(self.seed);
        let mut diary = Diary::new(self.embedder.options())?;
        let (mut answers, mut statements) = (Answers::default(), 0);
        for day in 0..self.days {
            let texts = story.day(day);
            statements += texts.len();
            diary.write_day(day, &texts, &story.truth)?;
            if day % ASK_EVERY == ASK_EVERY - 1 {
                answers.ask(&mut story, &diary, day, self.questions)?;
            }
        }
        let standing = Standing::of(&diary, &story.truth)?;
        let (contradictions, both_true) = diary.marks(&story.truth)?;
        Ok(WorldReport {
            seed: self.seed,
            days: self.days,
            embedder: self.embedder.model().map_or("words", BuiltinModel::name),
            templates: story.templates.count(),
            total: standing.total(),
            size: Size::of(&diary, &story.truth, statements),
            standing,
            answers,
            disputes: diary.disputes,
            faded: diary.faded,
            proposals: diary.proposals,
            dream_seconds: diary.dream_seconds,
            losses: diary.losses,
            contradictions,
            false_contradictions: both_true.len(),
            both_true,
            errors: self.errors,
        })
    }
}

impl WorldReport {
    pub(crate) fn print(&self, json: bool) {
        if json {
            println!("{:#}", serde_json::to_value(self).unwrap_or_default());
            return;
        }
        let Size { statements, active, archived, facts, active_per_fact } = self.size;
        println!(
            "seed {}, {} days, {}: {statements} statements from {} templates, dreams took {:.1} s\n",
            self.seed, self.days, self.embedder, self.templates, self.dream_seconds
        );
        let columns = "texts still-true active merged lost outdated retired marked".split(' ');
        println!("{:<18}{}", "", columns.map(|column| format!(" {column:>10}")).collect::<String>());
        for (class, counts) in &self.standing.classes {
            row(&format!("{class:?}"), counts);
        }
        row("all", &self.total);
        println!();
        for (language, counts) in &self.standing.languages {
            row(language, counts);
        }
        println!();
        for (attribute, counts) in &self.standing.attributes {
            row(attribute, counts);
        }
        println!("\n{:<24} {:>8} {:>8} {:>8} {:>8} {:>8}", "questions", "asked", "first", "five", "other", "nothing");
        answer_row("now, changed before", &self.answers.current_changed);
        answer_row("now, never changed", &self.answers.current_unchanged);
        answer_row("in an earlier month", &self.answers.history);
        println!(
            "\n{:<24} {:>8} {:>8} {:>8} {:>8} {:>8}",
            "sources disagree", "told", "marked", "unmarked", "wrong gone", "true gone"
        );
        for (class, counts) in &self.disputes {
            let Disputes { told, marked, unmarked, wrong_gone, truth_gone } = counts;
            println!(
                "{:<24} {told:>8} {marked:>8} {unmarked:>8} {wrong_gone:>8} {truth_gone:>8}",
                format!("{class:?}")
            );
        }
        println!(
            "\n{} contradictions, {} of them between two true texts",
            self.contradictions, self.false_contradictions
        );
        println!(
            "{active} active and {archived} archived blocks for {facts} facts ({active_per_fact:.2} a fact); {} faded, {} proposals",
            self.faded, self.proposals
        );
        if self.errors {
            for Loss { class, day, text, successor, reason } in &self.losses {
                println!("lost on day {day}, {class:?}: {text} | {successor} ({reason})");
            }
            self.standing.untouched.iter().for_each(|text| println!("untouched {text}"));
            self.both_true.iter().for_each(|pair| println!("both true {pair}"));
            self.answers.misses.iter().for_each(|miss| println!("missed {miss}"));
        }
    }
}

fn row(name: &str, counts: &ClassCounts) {
    let ClassCounts { texts, still_true, active, merged, lost, outdated, retired, marked } = counts;
    let cells = [texts, still_true, active, merged, lost, outdated, retired, marked];
    println!("{name:<18}{}", cells.map(|cell| format!(" {cell:>10}")).concat());
}

fn answer_row(name: &str, counts: &AnswerCounts) {
    let AnswerCounts { asked, first, among_five, other_value_first, nothing } = counts;
    let percent = 100.0 * *first as f64 / (*asked).max(1) as f64;
    println!(
        "{name:<24} {asked:>8} {first:>8} {among_five:>8} {other_value_first:>8} {nothing:>8}   first {percent:.1} %"
    );
}
