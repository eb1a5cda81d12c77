//! Seeded sentences: the same seed makes the same memory.

use fastrand::Rng;

const PEOPLE: &[&str] = &[
    "Maria", "Ana", "Ravi", "Tomás", "Ines", "Kofi", "Yuki", "Lena", "Omar", "Petra", "Joon", "Sofia", "Nils", "Amara",
];
const THINGS: &[&str] = &[
    "the release",
    "the staging database",
    "the payment service",
    "the garden",
    "the quarterly report",
    "the old laptop",
    "the deploy script",
    "the onboarding guide",
    "the search index",
    "the coffee machine",
    "the train to Lisbon",
    "the design review",
    "the user survey",
    "the backup job",
    "the unit tests",
    "the contract",
    "the marathon",
];
const ACTIONS: &[&str] = &[
    "prefers",
    "moved",
    "reviewed",
    "forgot",
    "finished",
    "postponed",
    "likes",
    "broke",
    "repaired",
    "explained",
    "cancelled",
    "wrote about",
    "paid for",
    "is responsible for",
    "asked about",
    "measured",
    "renamed",
];
const DETAILS: &[&str] = &[
    "because the budget was cut",
    "after the stand-up",
    "on a rainy day",
    "with help from the new team",
    "although nobody asked",
    "to save time",
    "before the holidays",
    "for the third time",
    "without telling anyone",
    "as the customer wanted",
    "in the Berlin office",
    "during the incident",
    "at half the price",
    "over lunch",
];

/// Makes sentences that repeat words the way real notes do, each one different.
#[derive(Debug)]
pub(crate) struct Corpus {
    random: Rng,
    made: usize,
}

impl Corpus {
    pub(crate) fn new(seed: u64) -> Self {
        Self { random: Rng::with_seed(seed), made: 0 }
    }

    /// The next sentence.
    pub(crate) fn sentence(&mut self) -> String {
        self.made += 1;
        let (person, action) = (self.pick(PEOPLE), self.pick(ACTIONS));
        let (thing, detail) = (self.pick(THINGS), self.pick(DETAILS));
        let number = self.random.u32(1..10_000);
        format!("{person} {action} {thing} {detail}, ticket {number}-{}.", self.made)
    }

    /// A question about something in the corpus.
    pub(crate) fn question(&mut self) -> String {
        format!("what did {} say about {}?", self.pick(PEOPLE), self.pick(THINGS))
    }

    fn pick(&mut self, words: &[&'static str]) -> &'static str {
        words[self.random.usize(..words.len())]
    }
}
