//! What is asked of a word index.

/// The words of a question, each with the weight it has in it.
///
/// A word that the question repeats counts as often as it occurs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WordQuery {
    words: Vec<(String, f64)>,
}

impl WordQuery {
    /// A question in which every word weighs the same.
    pub fn new<W: AsRef<str>>(words: &[W]) -> Self {
        let mut query = Self::default();
        for word in words {
            query.add(word.as_ref(), 1.0);
        }
        query
    }

    /// Adds a word, or weight to a word that is there. What is not a positive number adds nothing.
    pub fn add(&mut self, word: &str, weight: f64) {
        if !(weight > 0.0 && weight.is_finite()) {
            return;
        }
        match self.words.iter_mut().find(|(known, _)| known == word) {
            Some((_, total)) => *total += weight,
            None => self.words.push((word.to_owned(), weight)),
        }
    }

    /// The distinct words and their weights, in the order in which they came.
    pub fn words(&self) -> &[(String, f64)] {
        &self.words
    }

    /// Whether nothing is asked.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}
