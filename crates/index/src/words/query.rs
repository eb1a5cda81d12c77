//! The words of a query and their weights.

/// The distinct words of a query with their weights. A repeated word weighs as much as all its occurrences together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WordQuery {
    words: Vec<(String, f64)>,
}

impl WordQuery {
    /// Creates a query in which every occurrence weighs one.
    pub fn new<W: AsRef<str>>(words: &[W]) -> Self {
        let mut query = Self::default();
        for word in words {
            query.add(word.as_ref(), 1.0);
        }
        query
    }

    /// Adds a word, or weight to a word that is there. A weight that is not a positive number adds nothing.
    pub fn add(&mut self, word: &str, weight: f64) {
        if !(weight > 0.0 && weight.is_finite()) {
            return;
        }
        match self.words.iter_mut().find(|(known, _)| known == word) {
            Some((_, total)) => *total += weight,
            None => self.words.push((word.to_owned(), weight)),
        }
    }

    /// Returns the distinct words and their weights, in the order of their first occurrence.
    pub fn words(&self) -> &[(String, f64)] {
        &self.words
    }

    /// Returns whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}
