//! The words of a query, their weights and the terms that blocks hold them by.

/// A word of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct WeightedWord {
    /// The word, as it is shown.
    pub word: String,
    /// Its weight. A repeated word weighs as much as all its occurrences together.
    pub weight: f64,
    /// The terms that stand for the word: stems in several languages, or neighbours of a misspelt word. A block holds
    /// the word if it holds one of them.
    pub terms: Vec<String>,
    /// How certainly the terms mean the word, in `[0, 1]`. A block that holds them gets this share of the word's score.
    pub certainty: f64,
}

/// The distinct words of a query.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WordQuery {
    words: Vec<WeightedWord>,
}

impl WordQuery {
    /// Creates a query in which every word is its own term and every occurrence weighs one.
    pub fn new<W: AsRef<str>>(words: &[W]) -> Self {
        let mut query = Self::default();
        for word in words {
            query.add(word.as_ref(), 1.0);
        }
        query
    }

    /// Adds a word that is its own term, or weight to a word that is there. A weight that is not a positive number adds
    /// nothing.
    pub fn add(&mut self, word: &str, weight: f64) {
        self.add_word(word, weight, [word.to_owned()]);
    }

    /// Adds a word with its terms, or weight and terms to a word that is there. A weight that is not a positive number
    /// adds nothing.
    pub fn add_word(&mut self, word: &str, weight: f64, terms: impl IntoIterator<Item = String>) {
        if !(weight > 0.0 && weight.is_finite()) {
            return;
        }
        let at = self.words.iter().position(|known| known.word == word).unwrap_or_else(|| {
            let word = word.to_owned();
            self.words.push(WeightedWord { word, weight: 0.0, terms: Vec::new(), certainty: 1.0 });
            self.words.len() - 1
        });
        let known = &mut self.words[at];
        known.weight += weight;
        for term in terms {
            if !known.terms.contains(&term) {
                known.terms.push(term);
            }
        }
    }

    /// Replaces the terms of a word by those of its neighbours.
    pub fn replace_terms(&mut self, word: &str, terms: Vec<String>, certainty: f64) {
        if let Some(known) = self.words.iter_mut().find(|known| known.word == word) {
            (known.terms, known.certainty) = (terms, certainty.clamp(0.0, 1.0));
        }
    }

    /// Returns the distinct words, in the order of their first occurrence.
    pub fn words(&self) -> &[WeightedWord] {
        &self.words
    }

    /// Returns whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}
