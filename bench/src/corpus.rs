//! Deterministic test sentences from a seed.
//!
//! The words are few enough to repeat as they do in real notes, and the sentence forms many enough that most pairs of
//! sentences have little in common but a word or two.

use fastrand::Rng;

const PEOPLE: &str = "Maria Ana Ravi Tomás Ines Kofi Yuki Lena Omar Petra Joon Sofia Nils Amara Bruno Chiara Dmitri Elif \
    Farid Greta Hugo Ilse Jamal Karin Luis Mei Noor Oscar Priya Quinn";
const NOUNS: &str = "release database garden report laptop script guide index kettle train review survey backup contract \
    marathon invoice ticket server kitchen passport violin bicycle recipe password schedule museum dentist balcony \
    printer novel battery harbour orchard tent lecture vaccine mortgage piano lantern compass budget notebook bridge \
    festival umbrella pension salad telescope carpet staircase blanket mirror engine forest letter playlist camera \
    meadow basement curtain sandwich keyboard aquarium ladder suitcase window jacket puzzle river concert medicine \
    parcel roof sofa statue ticketing tunnel uniform valley wallet yoghurt zipper anchor beehive candle drawer elbow \
    fountain glacier hammock island jigsaw kayak lemon magnet needle oven pillow quilt radiator saddle thermostat";
const VERBS: &str = "prefers moved reviewed forgot finished postponed likes broke repaired explained cancelled paid \
    measured renamed sold painted translated borrowed cleaned photographed ordered returned tested designed lost found \
    insured watered packed recommended avoids collects rents taught inherited recycled tuned knitted baked assembled";
const ADJECTIVES: &str = "old red quarterly broken quiet expensive wooden digital narrow sweet foreign frozen hidden modern \
    shared noisy gentle heavy bright rusty organic borrowed antique portable fragile seasonal tiny enormous reliable spare";
const PLACES: &str = "Lisbon Berlin Oslo Accra Kyoto Lima Dublin Tunis Quito Vienna Nairobi Hanoi Porto Malmö Ghent Turin \
    Boston Denver Perth Cusco";

/// Generates distinct sentences.
#[derive(Debug)]
pub(crate) struct Corpus {
    random: Rng,
    made: usize,
}

impl Corpus {
    pub(crate) fn new(seed: u64) -> Self {
        Self { random: Rng::with_seed(seed), made: 0 }
    }

    /// Returns the next sentence.
    pub(crate) fn sentence(&mut self) -> String {
        self.made += 1;
        let (a, b, c) = (self.pick(NOUNS), self.pick(NOUNS), self.pick(NOUNS));
        let (person, other, place) = (self.pick(PEOPLE), self.pick(PEOPLE), self.pick(PLACES));
        let (verb, how, look) = (self.pick(VERBS), self.pick(ADJECTIVES), self.pick(ADJECTIVES));
        let (number, made) = (self.random.u32(2..400), self.made);
        match self.random.u32(0..9) {
            0 => format!("{person} {verb} the {how} {a} in {place} (note {made})."),
            1 => format!("The {a} behind the {look} {b} belongs to {person}, item {made}."),
            2 => format!("In {place} a {how} {a} costs {number} euros, says {other}; entry {made}."),
            3 => format!("{other} told {person} that the {a} needs a {look} {b}, see {made}."),
            4 => format!("For case {made} use the {how} {a} and never the {b}."),
            5 => format!("{person} keeps {number} {look} {a} parts near the {c}, shelf {made}."),
            6 => format!("Whoever {verb} the {a} should ask {other} about the {b} first ({made})."),
            7 => format!("A {how} {a} and a {look} {b} arrived from {place} as parcel {made}."),
            _ => format!("{person} dreams of a {a} by the {c} in {place}, page {made}."),
        }
    }

    /// Returns a query about the corpus.
    pub(crate) fn question(&mut self) -> String {
        format!("what did {} say about the {} {}?", self.pick(PEOPLE), self.pick(ADJECTIVES), self.pick(NOUNS))
    }

    fn pick(&mut self, words: &'static str) -> &'static str {
        let count = words.split_whitespace().count();
        let at = self.random.usize(..count);
        words.split_whitespace().nth(at).unwrap_or("thing")
    }
}
