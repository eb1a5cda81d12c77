//! The words by which first-person statements are told from errands, stories and courtesies.

/// A set of lowercase words, written as one line of text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Words(&'static str);

impl Words {
    /// Whether the word is one of them.
    pub(super) fn contain(self, word: &str) -> bool {
        self.0.split(' ').any(|known| known == word)
    }
}

/// Words between "I" and the verb that do not change what is said.
pub(super) const ADVERBS: Words = Words(
    "also always consistently deeply ever firmly fundamentally generally genuinely greatly highly really simply strongly \
     truly typically usually",
);

/// Words that tie a sentence to one occasion.
pub(super) const OCCASIONS: Words = Words(
    "again ago currently earlier friday last later monday next now saturday soon sunday thursday today tomorrow \
     tonight tuesday wednesday weekend yesterday",
);

/// What follows `I must` in a guess, a courtesy or an errand rather than a rule.
pub(super) const LOOSE_MUST: Words = Words("admit be confess get go have leave look meet pick run say see seem sound");

/// Past forms that do not end in `-ed`, and other words after `never` that tell a story.
pub(super) const TOLD: Words = Words(
    "again ate became been began bought brought built came caught could did dream drank drove fell felt forgot found gave \
     get got grew had have heard held in kept knew left lost made meant met paid ran said sang sat saw seem slept \
     sold spent spoke stood swam taught think thought told took understood was went were won wore would wrote",
);

/// Verbs of answering.
pub(super) const ANSWERING: Words =
    Words("answer answering communicate explain explaining phrase reply respond responding summarise summarize");

/// What an answer is made of.
pub(super) const ANSWERS: Words = Words(
    "answers code comments documentation explanations messages prose replies responses sentences summaries tests \
     things wording",
);

/// Words for what one is after.
pub(super) const GOALS: Words = Words("aim aims goal goals mission objective objectives purpose");

/// Words for what one holds dear.
pub(super) const VALUES: Words = Words("principle principles value values");

/// Words for how one works.
pub(super) const STYLES: Words = Words("answers explanations replies responses style tone voice");

/// Other people, whom one may believe in or value without stating a principle.
pub(super) const OTHERS: Words = Words("all her him his it our that their them these this those us you your");
