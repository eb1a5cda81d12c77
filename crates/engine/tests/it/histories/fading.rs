//! What use and disuse mean: what is shown counts and grows together, what is not fades.

use std::collections::{BTreeMap, BTreeSet};

use elfmem_core::BlockStatus;

use super::model::{Model, ModelEdge, Text, pair};

/// What was shown, and pairs on their way to becoming edges. No undo touches them.
#[derive(Debug, Default)]
pub(crate) struct Staged {
    /// The sessions in which each pair came up.
    sessions: BTreeMap<(Text, Text), BTreeSet<usize>>,
    session: usize,
    /// Answers whose pairs were not counted yet, each with its session.
    waiting: Vec<(usize, Vec<Text>)>,
}

impl Staged {
    pub(crate) fn begin_session(&mut self) {
        self.session += 1;
    }

    /// A block that was gone for a moment was never seen together with anything.
    pub(crate) fn forget(&mut self, text: Text) {
        self.sessions.retain(|(a, b), _| *a != text && *b != text);
    }
}

/// Every two of some texts.
fn pairs_of(texts: &[Text]) -> Vec<(Text, Text)> {
    texts.iter().enumerate().flat_map(|(at, a)| texts[at + 1..].iter().map(|b| pair(*a, *b))).collect()
}

impl Model {
    /// Counts what was shown.
    pub(crate) fn shown(&mut self, texts: &[Text], staged: &mut Staged, now: f64) {
        for text in texts {
            self.blocks.get_mut(text).unwrap().use_at(now);
        }
        for key in pairs_of(texts) {
            // Being shown together confirms no contradiction.
            if let Some(edge) = self.edges.get_mut(&key).filter(|edge| edge.relation != "contradicts") {
                edge.confirm(0.0, now);
            }
        }
        staged.waiting.push((staged.session, texts.to_vec()));
    }

    /// Counts the pairs of what was shown, and links those that came up in three sessions.
    pub(crate) fn associate(&mut self, staged: &mut Staged, now: f64) {
        let stands = |text: &Text| self.blocks.get(text).is_some_and(|block| block.status != BlockStatus::Archived);
        let mut due = BTreeSet::new();
        for (session, texts) in std::mem::take(&mut staged.waiting) {
            let texts: Vec<Text> = texts.into_iter().filter(stands).collect();
            for key in pairs_of(&texts).into_iter().filter(|key| !self.edges.contains_key(key)) {
                let sessions = staged.sessions.entry(key).or_default();
                sessions.insert(session);
                if sessions.len() >= 3 {
                    due.insert(key);
                }
            }
        }
        for key in due {
            let edge = ModelEdge { used_at: Some(now), ..ModelEdge::new("co_occurs", "co_retrieval", 0.55) };
            self.edges.insert(key, edge);
            staged.sessions.remove(&key);
        }
    }

    fn actives(&self) -> Vec<Text> {
        let active = self.blocks.iter().filter(|(_, block)| block.status == BlockStatus::Active);
        active.map(|(text, _)| *text).collect()
    }

    fn recency(&self, text: Text, now: f64) -> f64 {
        let block = &self.blocks[&text];
        (-block.rate * (now - block.used_at)).exp()
    }

    /// Archives what has faded and drops what holds nothing; then those `fresh` count as used, which must be among the best.
    pub(crate) fn curate(&mut self, fresh: &[Text], most: usize, now: f64) {
        let mut faded = self.actives();
        faded.retain(|text| self.recency(*text, now) < 0.05 && !self.blocks[text].pinned);
        self.fade(&faded);
        let actives = self.actives();
        let rates: BTreeMap<Text, f64> = actives.iter().map(|text| (*text, self.blocks[text].rate)).collect();
        self.edges.retain(|(a, b), edge| {
            let machine_made = ["similarity", "co_retrieval"].contains(&edge.origin.as_str());
            let left = match (rates.get(a), rates.get(b), edge.used_at) {
                (Some(a), Some(b), Some(used_at)) if machine_made => {
                    let rate = a.min(*b) * if edge.uses >= 10 { 0.25 } else { 0.5 };
                    edge.weight * (-rate * (now - used_at)).exp()
                }
                _ => edge.weight,
            };
            edge.weight >= 0.10 && left >= 0.10
        });
        let scores = self.scores(&actives, now);
        let score = |text: &Text| scores[text];
        assert_eq!(fresh.len(), actives.len().min(most));
        let worst = fresh.iter().map(score).fold(f64::INFINITY, f64::min);
        let best_left = actives.iter().filter(|text| !fresh.contains(text)).map(score).fold(0.0, f64::max);
        assert!(worst >= best_left - 1e-9, "{fresh:?} are not the best of {scores:?}");
        for text in fresh {
            self.blocks.get_mut(text).unwrap().use_at(now);
        }
    }

    /// What a block is worth when nothing is asked.
    fn scores(&self, actives: &[Text], now: f64) -> BTreeMap<Text, f64> {
        let degree = |text: &Text| -> f64 {
            let own = self.edges.iter().filter(|((a, b), edge)| {
                (a == text || b == text) && edge.relation != "contradicts" && actives.contains(a) && actives.contains(b)
            });
            own.map(|(_, edge)| edge.weight + 0.10 * f64::from(edge.uses + 1).ln()).sum()
        };
        let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        let highest = actives.iter().map(degree).fold(0.0, f64::max);
        let uses = |text: &Text| f64::from(self.blocks[text].uses + 1).ln();
        let most = actives.iter().map(uses).fold(0.0, f64::max);
        let score = |text: &Text| {
            let parts = 0.30 * self.blocks[text].confidence
                + 0.05 * self.recency(*text, now)
                + 0.25 * share(degree(text), highest)
                + 0.30 * share(uses(text), most);
            parts / 0.90
        };
        actives.iter().map(|text| (*text, score(text))).collect()
    }
}
