//! Checks the rules on every kind of sentence of the world: what is about two subjects or two attributes stays.

use elfmem_text::language::Language;
use elfmem_text::statements::{PairThresholds, judge_texts};
use fastrand::Rng;

use super::story::fill;
use super::templates::Templates;

/// Pairs that are drawn.
const PAIRS: usize = 6_000;

/// A template with the kind of its subject and its attribute.
struct Sentence {
    kind: &'static str,
    attribute: &'static str,
    template: &'static str,
}

fn sentences(templates: &Templates, language: Language) -> Vec<Sentence> {
    let mut all = Vec::new();
    for kind in ["person", "team", "system", "place", "project"] {
        let attributes = [templates.words("attributes", kind), templates.words("many", kind), vec![kind]].concat();
        for attribute in attributes {
            for act in ["state", "change", "event", "correction", "past", "episode"] {
                let written = templates.sentences(language, attribute, act);
                all.extend(written.iter().map(|template| Sentence { kind, attribute, template }));
            }
        }
    }
    all
}

fn pick<T: Copy>(random: &mut Rng, all: &[T]) -> T {
    all[random.usize(..all.len())]
}

/// Draws two sentences and returns them with whether they are about one attribute of one subject.
fn draw(templates: &Templates, random: &mut Rng) -> ([String; 2], bool) {
    let language = if random.bool() { Language::English } else { pick(random, &Language::ALL) };
    let all = sentences(templates, language);
    let (one, other) = (&all[random.usize(..all.len())], &all[random.usize(..all.len())]);
    let values = |sentence: &Sentence| {
        let values = templates.words("values", sentence.attribute);
        if values.is_empty() { templates.words("values", "trip") } else { values }
    };
    let (first, second) = (values(one), values(other));
    let (value, former) = (pick(random, &first), pick(random, &first));
    // What the newer text names as former is often the value of the older one.
    let known = one.attribute == other.attribute && random.bool();
    let (next, before) = (pick(random, &second), if known { value } else { pick(random, &second) });
    let subject = pick(random, &templates.words("names", one.kind)).to_owned();
    let mut second_subject = pick(random, &templates.words("names", other.kind)).to_owned();
    let relatives = templates.words("relatives", other.kind);
    if !relatives.is_empty() && one.kind == other.kind && language == Language::English && random.u8(..4) == 0 {
        second_subject = pick(random, &relatives).replace("{}", &subject);
    }
    if one.kind == other.kind && random.u8(..4) == 0 {
        second_subject.clone_from(&subject);
    }
    let write = |template: &str, subject: &str, values| {
        fill(template, subject, values).replace("{M}", templates.month(language, 2)).replace("{D}", "3 May")
    };
    let texts =
        [write(one.template, &subject, [value, former]), write(other.template, &second_subject, [next, before])];
    (texts, subject == second_subject && one.attribute == other.attribute)
}

#[test]
fn sentences_about_two_subjects_or_two_attributes_archive_nothing() {
    let (templates, mut random) = (Templates::read(), Rng::with_seed(7));
    let mut compared = 0;
    while compared < PAIRS {
        let ([older, newer], same) = draw(&templates, &mut random);
        if same || older == newer {
            continue;
        }
        compared += 1;
        for cosine in [0.6, 0.9] {
            let verdict = judge_texts(&older, &newer, cosine, PairThresholds::BUILT_IN);
            assert!(!verdict.archives(), "{older} | {newer}: {verdict:?}");
        }
    }
}
