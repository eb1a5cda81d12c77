//! Figures of a memory against the truth.

use std::collections::{BTreeMap, HashSet};

use elfmem_core::BlockId;
use serde::Serialize;

use super::diary::{Diary, DiaryBlock};
use super::story::{Story, TextClass, fill};
use super::templates::{days_of, month_of};
use super::truth::{Assertion, Truth};
use crate::Result;

/// How many blocks are asked for.
const TOP_K: usize = 5;

/// What became of the texts of a class.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(super) struct ClassCounts {
    /// Different texts.
    pub(super) texts: usize,
    /// Those of which something still holds.
    pub(super) still_true: usize,
    /// Of these, those that are active.
    pub(super) active: usize,
    /// Of these, those whose successor says all of it.
    pub(super) merged: usize,
    /// Those that were archived while something in them held that no successor says.
    pub(super) lost: usize,
    /// Those of which nothing holds any more.
    pub(super) outdated: usize,
    /// Of these, those that are archived.
    pub(super) retired: usize,
    /// Of these, active ones that contradict a block that holds.
    pub(super) marked: usize,
}

/// How questions were answered.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(super) struct AnswerCounts {
    pub(super) asked: usize,
    /// The right value came first.
    pub(super) first: usize,
    /// It was among the first five.
    pub(super) among_five: usize,
    /// Another value of the same attribute came first.
    pub(super) other_value_first: usize,
    /// Nothing was returned.
    pub(super) nothing: usize,
}

impl AnswerCounts {
    fn count(
        &mut self,
        answer: &[(String, Vec<Assertion>)],
        right: &dyn Fn(&Assertion) -> bool,
        other: &dyn Fn(&Assertion) -> bool,
    ) {
        let hits = |at: usize| answer.get(at).is_some_and(|(_, asserts)| asserts.iter().any(right));
        self.asked += 1;
        self.first += usize::from(hits(0));
        self.among_five += usize::from((0..TOP_K).any(hits));
        self.other_value_first +=
            usize::from(!hits(0) && answer.first().is_some_and(|(_, asserts)| asserts.iter().any(other)));
        self.nothing += usize::from(answer.is_empty());
    }
}

/// Answers to the questions about the present and the past.
#[derive(Debug, Default, Serialize)]
pub(super) struct Answers {
    /// Attributes that have changed.
    pub(super) current_changed: AnswerCounts,
    /// Attributes that have not.
    pub(super) current_unchanged: AnswerCounts,
    pub(super) history: AnswerCounts,
    /// Questions about the present by attribute.
    pub(super) by_attribute: BTreeMap<&'static str, AnswerCounts>,
    #[serde(skip)]
    pub(super) misses: Vec<String>,
}

impl Answers {
    /// Asks about some attributes as they are now and as they were in an earlier month, but for those of which
    /// trusted sources said two values that nobody settled.
    pub(super) fn ask(&mut self, story: &mut Story, diary: &Diary, day: u32, questions: usize) -> Result<()> {
        let places: Vec<(usize, usize)> = story
            .truth
            .subjects
            .iter()
            .enumerate()
            .flat_map(|(subject, of)| (0..of.timelines.len()).map(move |at| (subject, at)))
            .filter(|(subject, at)| story.truth.subjects[*subject].timelines[*at].believed().is_some())
            .filter(|place| !story.disputed.contains(place))
            .collect();
        for _ in 0..questions.min(places.len()) {
            let (subject, at) = places[story.random.usize(..places.len())];
            self.ask_current(story, diary, subject, at)?;
            self.ask_history(story, diary, (subject, at), day)?;
        }
        Ok(())
    }

    fn ask_current(&mut self, story: &mut Story, diary: &Diary, subject: usize, at: usize) -> Result<()> {
        let of = &story.truth.subjects[subject];
        let timeline = &of.timelines[at];
        let forms = story.templates.sentences(of.language, timeline.attribute, "ask");
        if forms.is_empty() {
            return Ok(());
        }
        let question = fill(forms[story.random.usize(..forms.len())], &of.name, ["", ""]);
        let answer = diary.ask(&question, TOP_K)?;
        let (truth, attribute) = (&story.truth, timeline.attribute);
        let about = |assertion: &Assertion| assertion.is_about(subject, attribute);
        let right = |assertion: &Assertion| about(assertion) && truth.holds(assertion);
        let counts = if timeline.changes.len() > 1 { &mut self.current_changed } else { &mut self.current_unchanged };
        let before = counts.first;
        counts.count(&answer, &right, &about);
        if counts.first == before {
            let first = answer.first().map_or("nothing", |(text, _)| text);
            let known = timeline.believed().unwrap_or_default();
            self.misses.push(format!("{question} -> {first} (right: {known})"));
        }
        self.by_attribute.entry(attribute).or_default().count(&answer, &right, &about);
        Ok(())
    }

    /// Asks about a month in which the attribute had one value, another one than now.
    fn ask_history(&mut self, story: &mut Story, diary: &Diary, place: (usize, usize), day: u32) -> Result<()> {
        let (subject, at) = place;
        let of = &story.truth.subjects[subject];
        let timeline = &of.timelines[at];
        let (now, _) = month_of(day);
        let then = (1..now).filter_map(|month| {
            let (first, end) = days_of(month);
            timeline.value_during(first, end).map(|value| (month, value))
        });
        let then: Vec<(usize, &'static str)> = then.filter(|(_, value)| timeline.believed() != Some(*value)).collect();
        let forms = story.templates.sentences(of.language, timeline.attribute, "ask-then");
        if then.is_empty() || forms.is_empty() {
            return Ok(());
        }
        let (month, value) = then[story.random.usize(..then.len())];
        let form = forms[story.random.usize(..forms.len())];
        let question = fill(form, &of.name, ["", ""]).replace("{M}", story.templates.month(of.language, month));
        let answer = diary.ask(&question, TOP_K)?;
        let attribute = timeline.attribute;
        let right = |assertion: &Assertion| {
            *assertion == Assertion::Value { subject, attribute, value }
                || *assertion == Assertion::Former { subject, attribute, value }
        };
        self.history.count(&answer, &right, &|assertion| assertion.is_about(subject, attribute));
        Ok(())
    }
}

/// Counts by class, language and attribute.
#[derive(Debug, Default, Serialize)]
pub(super) struct Standing {
    pub(super) classes: BTreeMap<TextClass, ClassCounts>,
    pub(super) languages: BTreeMap<String, ClassCounts>,
    pub(super) attributes: BTreeMap<&'static str, ClassCounts>,
    #[serde(skip)]
    pub(super) untouched: Vec<String>,
}

impl Standing {
    /// Compares every text with the truth.
    pub(super) fn of(diary: &Diary, truth: &Truth) -> Result<Self> {
        let contradictions = diary.contradictions()?;
        let mut standing = Self::default();
        for (id, block) in &diary.blocks {
            let counts = count(id, block, diary, truth, &contradictions);
            if counts.outdated > counts.retired + counts.marked {
                standing.untouched.push(format!("{:?}: {}", block.class, block.text));
            }
            add(standing.classes.entry(block.class).or_default(), counts);
            add(standing.languages.entry(block.language.clone()).or_default(), counts);
            if let [Assertion::Value { attribute, .. }] = block.asserts[..] {
                add(standing.attributes.entry(attribute).or_default(), counts);
            }
        }
        for loss in &diary.losses {
            let counts = standing.classes.entry(loss.class).or_default();
            counts.lost += 1;
            counts.merged = counts.merged.saturating_sub(1);
        }
        Ok(standing)
    }

    /// Returns the sums over all classes.
    pub(super) fn total(&self) -> ClassCounts {
        let mut total = ClassCounts::default();
        self.classes.values().for_each(|counts| add(&mut total, *counts));
        total
    }
}

fn count(
    id: &BlockId,
    block: &DiaryBlock,
    diary: &Diary,
    truth: &Truth,
    contradictions: &HashSet<(BlockId, BlockId)>,
) -> ClassCounts {
    let archived = usize::from(block.archived);
    let mut counts = ClassCounts { texts: 1, ..ClassCounts::default() };
    // Wrong from the start: counted as disputes.
    if matches!(block.class, TextClass::Rumour | TextClass::Disagreement) {
        return counts;
    }
    if block.asserts.iter().any(|assertion| truth.holds(assertion)) {
        return ClassCounts { still_true: 1, active: 1 - archived, merged: archived, ..counts };
    }
    counts.outdated = 1;
    counts.retired = archived;
    let holds = |assertion: &Assertion| {
        let Assertion::Value { subject, attribute, .. } = assertion else { return false };
        truth.holds(assertion) && block.asserts.iter().any(|own| own.is_about(*subject, attribute))
    };
    let marked = || diary.active(holds).any(|(other, _)| contradictions.contains(&(id.clone(), other.clone())));
    counts.marked = usize::from(archived == 0 && marked());
    counts
}

fn add(sum: &mut ClassCounts, more: ClassCounts) {
    let ClassCounts { texts, still_true, active, merged, lost, outdated, retired, marked } = more;
    sum.texts += texts;
    sum.still_true += still_true;
    sum.active += active;
    sum.merged += merged;
    sum.lost += lost;
    sum.outdated += outdated;
    sum.retired += retired;
    sum.marked += marked;
}

/// The size of the memory against what it holds.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Size {
    pub(super) statements: usize,
    pub(super) active: usize,
    pub(super) archived: usize,
    /// Different things that hold: values, additions, episodes, small talk.
    pub(super) facts: usize,
    pub(super) active_per_fact: f64,
}

impl Size {
    pub(super) fn of(diary: &Diary, truth: &Truth, statements: usize) -> Self {
        let all = diary.blocks.values();
        let archived = all.clone().filter(|block| block.archived).count();
        let active = diary.blocks.len() - archived;
        // Small talk that is repeated word by word is one text.
        let repeated = |block: &&DiaryBlock| block.class != TextClass::SmallTalk;
        let held: HashSet<&Assertion> =
            all.clone().filter(repeated).flat_map(|block| &block.asserts).filter(|one| truth.holds(one)).collect();
        let facts = held.len() + all.filter(|block| block.class == TextClass::SmallTalk).count();
        Self { statements, active, archived, facts, active_per_fact: active as f64 / facts.max(1) as f64 }
    }
}
