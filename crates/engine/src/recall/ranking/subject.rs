//! The subject of a question: a block that speaks of somebody else does not answer it, however well the rest fits.
//!
//! "When is Clara's birthday?" is near to a note about Emil's. Notes are compared by the names that the question asks about;
//! messages of a conversation and parts of a document are not, since what stands around them may name the subject.

use elfmem_core::BlockId;

use crate::Result;
use crate::recall::candidates::scored::Candidate;
use crate::recall::candidates::surroundings::{beside, has_surroundings};
use crate::recall::pipeline::RecallContext;
use crate::recall::question::parsed::Question;

/// How many of the best candidates have their names read.
const COMPARED: usize = 24;
/// How many blocks hold the name of somebody whom the memory is about, at least, and how many times as many blocks there
/// are at most. Other notes leave that name out: "She switched her phone to Kestrel" speaks of the person who is meant.
const MAIN_HOLDERS: u32 = 8;
const MAIN_SHARE: u64 = 12;

/// Whether a block speaks of what the question asks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum SubjectMatch {
    /// It holds a name that the question asks about, or the question names nothing.
    #[default]
    Held,
    /// It names nothing that the question asks about, and nothing else, or the memory is about whoever the question names.
    Missing,
    /// It names somebody or something else.
    Other,
}

impl SubjectMatch {
    /// All of them, from the least that counts to everything.
    pub(in crate::recall) const ALL: [Self; 3] = [Self::Other, Self::Missing, Self::Held];

    /// Returns the share of its relevance that a block keeps.
    pub(in crate::recall) fn relevance_share(self) -> f64 {
        match self {
            Self::Held => 1.0,
            Self::Missing => 0.8,
            Self::Other => 0.3,
        }
    }

    /// Returns the share of its similarity that a block keeps.
    fn similarity_share(self) -> f64 {
        match self {
            Self::Held => 1.0,
            Self::Missing => 1.0,
            Self::Other => 0.85,
        }
    }
}

impl RecallContext<'_> {
    /// Compares candidates, best first, with the names that the question asks about, and orders them again.
    pub(in crate::recall) fn match_subject(&self, candidates: &mut [Candidate], question: &Question) -> Result<()> {
        let is_subject: Vec<bool> =
            question.words.rarities().map(|(word, _)| question.subject.iter().any(|name| name == word)).collect();
        if !is_subject.contains(&true) {
            return Ok(());
        }
        let blocks = question.words.documents();
        let is_main = |holders: u32| holders >= MAIN_HOLDERS && MAIN_SHARE * u64::from(holders) >= blocks;
        let mut holders = is_subject.iter().zip(question.words.document_frequencies());
        let asks_about_main = holders.any(|(is_subject, holders)| *is_subject && is_main(holders));
        let sources = self.index.sources.named(&question.subject);
        let lacks = |candidate: &&mut Candidate| {
            let slot = candidate.slot;
            let mut held: Vec<f32> = Vec::with_capacity(is_subject.len());
            question.words.extend_contributions(slot, &mut held);
            let is_held = held.iter().zip(&is_subject).any(|(held, is_subject)| *is_subject && *held > 0.0);
            let is_source = self.index.sources.get(slot).is_some_and(|source| sources.contains(&source));
            !is_held && !is_source && !has_surroundings(self.index, slot, &beside(self.index, slot))
        };
        let mut lacking: Vec<&mut Candidate> = candidates.iter_mut().take(COMPARED).filter(lacks).collect();
        let ids: Vec<BlockId> = lacking.iter().filter_map(|one| self.index.id(one.slot).cloned()).collect();
        let asked = |word: &String| question.words.rarities().any(|(known, _)| known == word);
        for (candidate, names) in lacking.iter_mut().zip(self.index.names_of(self.snapshot, &ids)?) {
            candidate.subject = match !asks_about_main && names.is_some_and(|names| !names.iter().all(asked)) {
                true => SubjectMatch::Other,
                false => SubjectMatch::Missing,
            };
            candidate.similarity *= candidate.subject.similarity_share().powi(2);
        }
        candidates.sort_by(|a, b| b.similarity.total_cmp(&a.similarity).then_with(|| self.index.by_id(a.slot, b.slot)));
        Ok(())
    }
}
