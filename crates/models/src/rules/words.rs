//! Word lists that separate first-person statements from errands, stories and courtesies.

/// A set of lowercase words, written as one line of text.
#[derive(Debug, Clone, Copy)]
pub(super) struct WordList(&'static str);

impl WordList {
    /// Returns true if the set contains the word.
    pub(super) fn contain(self, word: &str) -> bool {
        self.0.split(' ').any(|known| known == word)
    }
}

/// Adverbs between "I" and the verb that do not change the meaning.
pub(super) const ADVERBS: WordList = WordList(
    "also always consistently deeply ever firmly fundamentally generally genuinely greatly highly really simply strongly \
     truly typically usually",
);

/// Words that limit a sentence to one occasion.
pub(super) const OCCASIONS: WordList = WordList(
    "again ago currently earlier friday last later monday next now saturday soon sunday thursday today tomorrow \
     tonight tuesday wednesday weekend yesterday",
);

/// Verbs after `I must` in a guess, a courtesy or an errand.
pub(super) const LOOSE_MUST: WordList =
    WordList("admit be confess get go have leave look meet pick run say see seem sound");

/// Words after `never` that make the sentence a report: past forms without `-ed` and others.
pub(super) const REPORTED: WordList = WordList(
    "again ate became been began bought brought built came caught could did dream drank drove fell felt forgot found gave \
     get got grew had have heard held in kept knew left lost made meant met paid ran said sang sat saw seem slept \
     sold spent spoke stood swam taught think thought told took understood was went were won wore would wrote",
);

/// Verbs of answering.
pub(super) const ANSWERING: WordList =
    WordList("answer answering communicate explain explaining phrase reply respond responding summarise summarize");

/// Parts of an answer.
pub(super) const ANSWERS: WordList = WordList(
    "answers code comments documentation explanations messages prose replies responses sentences summaries tests \
     things wording",
);

/// Nouns for goals.
pub(super) const GOALS: WordList = WordList("aim aims goal goals mission objective objectives purpose");

/// Nouns for values.
pub(super) const VALUES: WordList = WordList("principle principles value values");

/// Nouns for style.
pub(super) const STYLES: WordList = WordList("answers explanations replies responses style tone voice");

/// Objects of `believe in` and `value` that do not state a principle.
pub(super) const OTHERS: WordList = WordList("all her him his it our that their them these this those us you your");
