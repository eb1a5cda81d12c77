//! What outcomes mean: belief moves, good ones join and keep fresh, bad ones let fade, and any of them can be taken away.

use super::model::{Model, ModelBlock, ModelEdge, Text, pair};

/// Confidence and evidence.
type Belief = (f64, f64);

/// What one outcome said of a block.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Told {
    pub(crate) outcome: String,
    pub(crate) signal: f64,
    pub(crate) weight: f64,
    before: Belief,
}

impl Told {
    fn after(&self, (confidence, evidence): Belief) -> Belief {
        let mass = 2.0 + evidence;
        ((confidence * mass + self.signal * self.weight) / (mass + self.weight), evidence + self.weight)
    }
}

fn close(a: Belief, b: Belief) -> bool {
    (a.0 - b.0).abs() < 1e-12 && (a.1 - b.1).abs() < 1e-12
}

impl ModelBlock {
    fn hear(&mut self, outcome: &str, signal: f64, weight: f64, now: f64) {
        let before = (self.confidence, self.evidence);
        let told = Told { outcome: outcome.into(), signal, weight, before };
        (self.confidence, self.evidence) = told.after(before);
        self.told.push(told);
        if signal > 0.5 {
            self.use_at(now);
        } else if signal < 0.2 && self.rate > 0.001 {
            self.rate = (self.rate * 2.0).min(0.050);
        }
    }

    /// Takes over what a former block was believed, unless more is known about this one.
    pub(crate) fn inherit(&mut self, former: &Self) {
        if former.evidence >= self.evidence {
            (self.confidence, self.evidence) = (former.confidence, former.evidence);
            let own: Vec<String> = self.told.iter().map(|told| told.outcome.clone()).collect();
            self.told.extend(former.told.iter().filter(|told| !own.contains(&told.outcome)).cloned());
        }
        self.uses += former.uses;
        self.used_at = self.used_at.max(former.used_at);
    }

    /// Believes what is left without an outcome. What something else than an outcome set stays set.
    fn unhear(&mut self, outcome: &str) {
        let (mut recorded, mut left) = (None::<Belief>, None::<Belief>);
        let start = |recorded: Option<Belief>, left: Option<Belief>, next: Belief| match (recorded, left) {
            (Some(recorded), Some(left)) if close(recorded, next) => left,
            _ => next,
        };
        let mut kept = Vec::new();
        for told in std::mem::take(&mut self.told) {
            let from = start(recorded, left, told.before);
            recorded = Some(told.after(told.before));
            left = Some(if told.outcome == outcome { from } else { told.after(from) });
            if told.outcome != outcome {
                kept.push(Told { before: from, ..told });
            }
        }
        self.told = kept;
        (self.confidence, self.evidence) = start(recorded, left, (self.confidence, self.evidence));
    }
}

impl Model {
    /// What was said under the name of an outcome before.
    pub(crate) fn known_outcome(&self, outcome: &str) -> Option<(f64, f64)> {
        let all = self.blocks.values().flat_map(|block| &block.told);
        all.into_iter().find(|told| told.outcome == outcome).map(|told| (told.signal, told.weight))
    }

    /// Lets active blocks learn from an outcome; how many did.
    pub(crate) fn outcome(&mut self, outcome: &str, named: &[Text], signal: f64, weight: f64, now: f64) -> usize {
        let mut blocks: Vec<Text> = Vec::new();
        for text in named {
            if let Some(text) = self.active(*text).filter(|text| !blocks.contains(text)) {
                blocks.push(text);
                self.blocks.get_mut(&text).unwrap().hear(outcome, signal, weight, now);
            }
        }
        for (at, a) in blocks.iter().enumerate().filter(|_| signal > 0.5) {
            for b in &blocks[at + 1..] {
                match self.edges.get_mut(&pair(*a, *b)) {
                    Some(edge) => edge.confirm(signal * 0.10, now),
                    None => {
                        let edge = ModelEdge::new("outcome", "outcome", signal * 0.8);
                        self.edges.insert(pair(*a, *b), edge);
                    }
                }
            }
        }
        blocks.len()
    }

    /// Takes an outcome away; how many blocks had learned from it.
    pub(crate) fn retract(&mut self, outcome: &str) -> usize {
        let learned = |block: &&mut ModelBlock| block.told.iter().any(|told| told.outcome == outcome);
        self.blocks.values_mut().filter(learned).map(|block| block.unhear(outcome)).count()
    }
}
