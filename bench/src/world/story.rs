//! What happens in the world, and what is written down about it.

use std::collections::HashSet;

use elfmem_text::language::Language;
use fastrand::Rng;
use serde::Serialize;

use super::templates::{Templates, month_of};
use super::truth::{Assertion, DatedValue, Subject, Timeline, Truth};

/// Sources that speak for the owner, and those that do not.
const TRUSTED: [&str; 2] = ["user", "agent"];
const UNTRUSTED: [&str; 2] = ["tool:crawler", "document:handbook.md"];

/// Why a text was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum TextClass {
    /// A value, said for the first time.
    Fact,
    /// A value, said again in other words.
    Restatement,
    /// Two values in one text.
    Compound,
    /// A new value, announced as a change.
    Update,
    /// The event that changed a value: it happened, whatever comes later.
    ChangeEvent,
    /// A new value without a word that announces a change.
    PlainUpdate,
    /// A change that is told weeks after it happened.
    LateNews,
    /// A value of an earlier time, told as if it still held, with the time it is about.
    OldNews,
    /// A value that held once, told as such.
    Past,
    /// A wrong value that is corrected later.
    Mistake,
    /// The correction.
    Correction,
    /// A wrong value from a source that is not trusted.
    Rumour,
    /// A wrong value from a trusted source.
    Disagreement,
    /// Another value of an attribute with many.
    Addition,
    /// Something that happened on a day.
    Episode,
    /// Something that concerns nothing.
    SmallTalk,
}

/// A text that is written down.
#[derive(Debug, Clone)]
pub(super) struct WrittenText {
    pub(super) text: String,
    pub(super) asserts: Vec<Assertion>,
    pub(super) class: TextClass,
    pub(super) source: &'static str,
    /// The day it is about, if that is not today.
    pub(super) about_day: Option<u32>,
    pub(super) language: Language,
}

/// A text that is written on a later day.
#[derive(Debug)]
struct Pending {
    day: u32,
    subject: usize,
    timeline: usize,
    what: PendingText,
}

#[derive(Debug)]
enum PendingText {
    /// A change that was not told yet, by its place in the timeline.
    News(usize),
    /// A wrong value.
    Correction(&'static str),
}

/// The world with its narrator.
#[derive(Debug)]
pub(super) struct Story {
    pub(super) truth: Truth,
    pub(super) templates: Templates,
    pub(super) random: Rng,
    /// Attributes of which trusted sources said two values, and nobody settled it.
    pub(super) disputed: HashSet<(usize, usize)>,
    pending: Vec<Pending>,
    additions: Vec<(usize, &'static str, &'static str)>,
    events: usize,
}

/// Writes a text of one class for a day, if there is anything to write about.
type TextWriter = fn(&mut Story, u32) -> Option<WrittenText>;

impl Story {
    /// Creates the subjects with the values that they have on the first day.
    pub(super) fn new(seed: u64) -> Self {
        let (templates, mut random) = (Templates::read(), Rng::with_seed(seed));
        let (mut truth, mut additions) = (Truth::default(), Vec::new());
        for kind in ["person", "team", "system", "place", "project"] {
            let mut names: Vec<String> = templates.words("names", kind).into_iter().map(str::to_owned).collect();
            let relatives = templates.words("relatives", kind);
            let owners: Vec<String> = names.iter().take(relatives.len()).cloned().collect();
            names.extend(owners.iter().zip(relatives).map(|(owner, form)| form.replace("{}", owner)));
            for name in names {
                let foreign = kind == "person" && !name.contains('\'') && random.u32(..100) < 40;
                let language = if foreign { Language::ALL[random.usize(1..7)] } else { Language::English };
                let timelines = templates.words("attributes", kind).into_iter().filter_map(|attribute| {
                    let value = pick(&mut random, &templates.words("values", attribute))?;
                    let spoken = !templates.sentences(language, attribute, "state").is_empty();
                    let changes = vec![DatedValue { day: 0, value, told: false }];
                    spoken.then_some(Timeline { attribute, changes })
                });
                let timelines = timelines.collect();
                for attribute in templates.words("many", kind) {
                    if !templates.sentences(language, attribute, "state").is_empty() {
                        let values = templates.words("values", attribute);
                        additions.extend(values.into_iter().map(|value| (truth.subjects.len(), attribute, value)));
                    }
                }
                truth.subjects.push(Subject { kind, name, language, timelines });
            }
        }
        random.shuffle(&mut additions);
        Self { truth, templates, random, disputed: HashSet::new(), pending: Vec::new(), additions, events: 0 }
    }

    /// Lets a day pass and returns what is written down on it, in order.
    pub(super) fn day(&mut self, day: u32) -> Vec<WrittenText> {
        let mut written = Vec::new();
        for at in (0..self.pending.len()).rev() {
            if self.pending[at].day <= day {
                let pending = self.pending.swap_remove(at);
                written.extend(self.write_pending(&pending));
            }
        }
        let plan: [(u32, TextWriter); 14] = [
            (if day < 90 { 500 } else { 20 }, Self::fact),
            (100, Self::compound),
            (300, Self::change),
            (1000, Self::restatement),
            (60, Self::old_news),
            (90, Self::past),
            (60, Self::mistake),
            (60, Self::rumour),
            (40, Self::disagreement),
            (200, Self::addition),
            (300, Self::episode),
            (400, Self::small_talk),
            (100, Self::two_subjects),
            (60, Self::restated_addition),
        ];
        for (percent, write) in plan {
            let times = percent / 100 + u32::from(self.random.u32(..100) < percent % 100);
            for _ in 0..times {
                written.extend(write(self, day));
            }
        }
        written
    }

    /// Returns a random attribute that fits.
    fn any(&mut self, fits: impl Fn(&Timeline) -> bool) -> Option<(usize, usize)> {
        let all: Vec<(usize, usize)> = (0..self.truth.subjects.len())
            .flat_map(|subject| {
                let timelines = &self.truth.subjects[subject].timelines;
                (0..timelines.len()).filter(|at| fits(&timelines[*at])).map(move |at| (subject, at)).collect::<Vec<_>>()
            })
            .collect();
        pick(&mut self.random, &all)
    }

    fn timeline(&self, (subject, at): (usize, usize)) -> &Timeline {
        &self.truth.subjects[subject].timelines[at]
    }

    /// Returns another value than the present one.
    fn other_value(&mut self, place: (usize, usize)) -> Option<&'static str> {
        let timeline = self.timeline(place);
        let value = timeline.value();
        let mut values = self.templates.words("values", timeline.attribute);
        values.retain(|other| Some(*other) != value && !timeline.changes.iter().any(|change| change.value == *other));
        if values.is_empty() {
            values = self.templates.words("values", timeline.attribute);
            values.retain(|other| Some(*other) != value);
        }
        pick(&mut self.random, &values)
    }

    fn trusted(&mut self) -> &'static str {
        TRUSTED[self.random.usize(..TRUSTED.len())]
    }

    fn untrusted(&mut self) -> &'static str {
        UNTRUSTED[self.random.usize(..UNTRUSTED.len())]
    }

    /// Writes a sentence about an attribute; none if there is no template for it.
    fn write(
        &mut self,
        (subject, at): (usize, usize),
        act: &str,
        values: [&'static str; 2],
        day: u32,
    ) -> Option<(String, Language)> {
        let of = &self.truth.subjects[subject];
        let (attribute, own) = (of.timelines[at].attribute, of.language);
        // Now and then a note about somebody is in English, whatever the others are in.
        let language = if self.random.u32(..100) < 5 { Language::English } else { own };
        let template = pick(&mut self.random, self.templates.sentences(language, attribute, act))?;
        let month = self.templates.month(language, month_of(day).0);
        let text = fill(template, &of.name, values).replace("{M}", month);
        Some((text, language))
    }

    fn value_text(
        &mut self,
        place: (usize, usize),
        act: &str,
        values: [&'static str; 2],
        day: u32,
        class: TextClass,
    ) -> Option<WrittenText> {
        let (text, language) = self.write(place, act, values, day)?;
        let asserts =
            vec![Assertion::Value { subject: place.0, attribute: self.timeline(place).attribute, value: values[0] }];
        let source = self.trusted();
        Some(WrittenText { text, asserts, class, source, about_day: None, language })
    }

    fn fact(&mut self, day: u32) -> Option<WrittenText> {
        let place = self.any(|timeline| timeline.believed().is_none())?;
        let value = self.timeline(place).value()?;
        let text = self.value_text(place, "state", [value, value], day, TextClass::Fact)?;
        self.tell(place);
        Some(text)
    }

    /// Marks the last change of an attribute as told.
    fn tell(&mut self, (subject, at): (usize, usize)) {
        if let Some(last) = self.truth.subjects[subject].timelines[at].changes.last_mut() {
            last.told = true;
        }
    }

    fn restatement(&mut self, day: u32) -> Option<WrittenText> {
        let place = self.any(|timeline| timeline.is_told())?;
        let value = self.timeline(place).value()?;
        let text = self.value_text(place, "state", [value, value], day, TextClass::Restatement)?;
        let source = if self.random.u32(..100) < 15 { self.untrusted() } else { text.source };
        Some(WrittenText { source, ..text })
    }

    fn compound(&mut self, _day: u32) -> Option<WrittenText> {
        let (one, other) = pick(&mut self.random, &self.templates.compounds())?;
        let first = self.any(|timeline| timeline.attribute == one)?;
        let of = &self.truth.subjects[first.0];
        let second = of.timelines.iter().position(|timeline| timeline.attribute == other)?;
        let second = (first.0, second);
        let (value, next) = (self.timeline(first).value()?, self.timeline(second).value()?);
        // Not before news about one of them is out.
        let open = |timeline: &Timeline| timeline.believed().is_some() && !timeline.is_told();
        if of.language != Language::English || open(self.timeline(first)) || open(self.timeline(second)) {
            return None;
        }
        let name = of.name.clone();
        let templates = self.templates.sentences(Language::English, &format!("{one}+{other}"), "compound");
        let template = pick(&mut self.random, templates)?;
        let text = fill(template, &name, [value, value]).replace("{W}", next);
        self.tell(first);
        self.tell(second);
        let value = |attribute, value| Assertion::Value { subject: first.0, attribute, value };
        let asserts = vec![value(one, self.timeline(first).value()?), value(other, next)];
        let source = self.trusted();
        let (class, language) = (TextClass::Compound, Language::English);
        Some(WrittenText { text, asserts, class, source, about_day: None, language })
    }

    /// Joins two sentences about two subjects in one text.
    fn two_subjects(&mut self, day: u32) -> Option<WrittenText> {
        let (one, other) = (self.restatement(day)?, self.restatement(day)?);
        if one.language != other.language || one.asserts == other.asserts {
            return None;
        }
        let text = format!("{} {}", ended(&one.text), ended(&other.text));
        let asserts = one.asserts.iter().chain(&other.asserts).cloned().collect();
        Some(WrittenText { text, asserts, class: TextClass::Compound, ..one })
    }

    fn change(&mut self, day: u32) -> Option<WrittenText> {
        let place = self.any(Timeline::is_told)?;
        let (old, new) = (self.timeline(place).value()?, self.other_value(place)?);
        let number = self.timeline(place).changes.len();
        let changes = &mut self.truth.subjects[place.0].timelines[place.1].changes;
        changes.push(DatedValue { day, value: new, told: false });
        self.disputed.remove(&place);
        match self.random.u32(..100) {
            0..10 => {
                let later = day + self.random.u32(10..40);
                let what = PendingText::News(number);
                self.pending.push(Pending { day: later, subject: place.0, timeline: place.1, what });
                None
            }
            10..25 => {
                self.tell(place);
                self.value_text(place, "state", [new, new], day, TextClass::PlainUpdate)
            }
            _ => {
                self.tell(place);
                self.change_text(place, [new, old], day, TextClass::Update)
            }
        }
    }

    /// Writes a change: the new state, or the event that led to it.
    fn change_text(
        &mut self,
        place: (usize, usize),
        values: [&'static str; 2],
        day: u32,
        class: TextClass,
    ) -> Option<WrittenText> {
        if self.random.bool()
            && let Some(mut text) = self.value_text(place, "event", values, day, class)
        {
            self.events += 1;
            text.asserts.push(Assertion::Event(self.events));
            return Some(WrittenText { class: TextClass::ChangeEvent, ..text });
        }
        self.value_text(place, "change", values, day, class)
    }

    fn write_pending(&mut self, pending: &Pending) -> Option<WrittenText> {
        let place = (pending.subject, pending.timeline);
        match pending.what {
            PendingText::News(number) => {
                let changes = &mut self.truth.subjects[place.0].timelines[place.1].changes;
                changes[number].told = true;
                let (old, new) = (changes[number - 1].value, changes[number].clone());
                let text = self.change_text(place, [new.value, old], new.day, TextClass::LateNews)?;
                Some(WrittenText { about_day: Some(new.day), ..text })
            }
            PendingText::Correction(wrong) => {
                let value = self.timeline(place).believed()?;
                let act = (value != wrong).then_some("correction")?;
                self.disputed.remove(&place);
                self.value_text(place, act, [value, wrong], pending.day, TextClass::Correction)
            }
        }
    }

    fn old_news(&mut self, day: u32) -> Option<WrittenText> {
        let place = self.any(|timeline| timeline.is_told() && timeline.changes.len() > 1)?;
        let changes = &self.timeline(place).changes;
        let at = changes.len() - 2;
        let (value, from, until) = (changes[at].value, changes[at].day, changes[at + 1].day);
        let about = from + (until - from) / 2;
        let text = self.value_text(place, "state", [value, value], day, TextClass::OldNews)?;
        Some(WrittenText { about_day: Some(about), ..text })
    }

    fn past(&mut self, _day: u32) -> Option<WrittenText> {
        let place = self.any(|timeline| timeline.is_told() && timeline.changes.len() > 1)?;
        let timeline = self.timeline(place);
        let former = timeline.changes[timeline.changes.len() - 2].clone();
        let attribute = timeline.attribute;
        let text = self.value_text(place, "past", [former.value; 2], former.day, TextClass::Past)?;
        let asserts = vec![Assertion::Former { subject: place.0, attribute, value: former.value }];
        Some(WrittenText { asserts, ..text })
    }

    fn mistake(&mut self, day: u32) -> Option<WrittenText> {
        let place = self.any(Timeline::is_told)?;
        let language = self.truth.subjects[place.0].language;
        let attribute = self.timeline(place).attribute;
        if self.templates.sentences(language, attribute, "correction").is_empty() {
            return None;
        }
        let wrong = self.other_value(place)?;
        let what = PendingText::Correction(wrong);
        let later = day + self.random.u32(1..4);
        self.pending.push(Pending { day: later, subject: place.0, timeline: place.1, what });
        self.disputed.insert(place);
        self.value_text(place, "state", [wrong, wrong], day, TextClass::Mistake)
    }

    fn rumour(&mut self, day: u32) -> Option<WrittenText> {
        let source = self.untrusted();
        self.wrong(day, TextClass::Rumour).map(|text| WrittenText { source, ..text })
    }

    fn disagreement(&mut self, day: u32) -> Option<WrittenText> {
        self.wrong(day, TextClass::Disagreement)
    }

    fn wrong(&mut self, day: u32, class: TextClass) -> Option<WrittenText> {
        let place = self.any(Timeline::is_told)?;
        let wrong = self.other_value(place)?;
        if class == TextClass::Disagreement {
            self.disputed.insert(place);
        }
        self.value_text(place, "state", [wrong, wrong], day, class)
    }

    fn addition(&mut self, _day: u32) -> Option<WrittenText> {
        let addition = self.additions.pop()?;
        self.added(addition)
    }

    /// Says one of the next additions early, so that it is said twice.
    fn restated_addition(&mut self, _day: u32) -> Option<WrittenText> {
        let addition = pick(&mut self.random, &self.additions)?;
        self.added(addition)
    }

    fn added(&mut self, (subject, attribute, value): (usize, &'static str, &'static str)) -> Option<WrittenText> {
        let of = &self.truth.subjects[subject];
        let language = of.language;
        let template = pick(&mut self.random, self.templates.sentences(language, attribute, "state"))?;
        let text = fill(template, &of.name, [value, value]);
        let asserts = vec![Assertion::One { subject, attribute, value }];
        let source = self.trusted();
        Some(WrittenText { text, asserts, class: TextClass::Addition, source, about_day: None, language })
    }

    fn episode(&mut self, day: u32) -> Option<WrittenText> {
        let subject = self.random.usize(..self.truth.subjects.len());
        let of = &self.truth.subjects[subject];
        let language = of.language;
        let template = pick(&mut self.random, self.templates.sentences(language, of.kind, "episode"))?;
        let place = pick(&mut self.random, &self.templates.words("values", "trip"))?;
        let text = fill(template, &of.name, [place, place]).replace("{D}", &self.templates.date(language, day));
        let source = self.trusted();
        Some(self.event(text, TextClass::Episode, source, language))
    }

    fn small_talk(&mut self, _day: u32) -> Option<WrittenText> {
        let text = pick(&mut self.random, self.templates.small_talk())?;
        let source = self.trusted();
        Some(self.event(text.to_owned(), TextClass::SmallTalk, source, Language::English))
    }

    fn event(&mut self, text: String, class: TextClass, source: &'static str, language: Language) -> WrittenText {
        self.events += 1;
        let asserts = vec![Assertion::Event(self.events)];
        WrittenText { text, asserts, class, source, about_day: None, language }
    }
}

/// Fills a template and starts it with a capital letter.
pub(super) fn fill(template: &str, subject: &str, [value, former]: [&str; 2]) -> String {
    let text = template.replace("{S}", subject).replace("{V}", value).replace("{O}", former);
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}", letters.as_str())
}

fn ended(text: &str) -> String {
    if text.ends_with('.') { text.to_owned() } else { format!("{text}.") }
}

fn pick<T: Copy>(random: &mut Rng, all: &[T]) -> Option<T> {
    (!all.is_empty()).then(|| all[random.usize(..all.len())])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn year(seed: u64) -> (Story, Vec<WrittenText>) {
        let mut story = Story::new(seed);
        let texts = (0..365).flat_map(|day| story.day(day)).collect();
        (story, texts)
    }

    #[test]
    fn a_seed_tells_the_same_year_again() {
        let texts = |seed| year(seed).1.into_iter().map(|text| text.text).collect::<Vec<_>>();
        assert_eq!(texts(1), texts(1));
        assert_ne!(texts(1), texts(2));
    }

    #[test]
    fn a_year_has_every_class_and_seven_languages() {
        let (story, texts) = year(1);
        let classes: std::collections::BTreeSet<TextClass> = texts.iter().map(|text| text.class).collect();
        assert_eq!(classes.len(), 16, "{classes:?}");
        let languages: std::collections::BTreeSet<Language> = texts.iter().map(|text| text.language).collect();
        assert_eq!(languages.len(), 7);
        assert!(texts.iter().all(|text| !text.text.contains(['{', '}'])));
        let known = texts.iter().filter(|text| text.class == TextClass::Restatement);
        assert!(known.count() > 1000);
        let timelines = story.truth.subjects.iter().flat_map(|subject| &subject.timelines);
        assert!(timelines.filter(|timeline| timeline.believed().is_some()).count() > 200);
    }
}
