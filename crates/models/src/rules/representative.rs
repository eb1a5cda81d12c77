//! Selects the most representative source.

use std::collections::HashSet;

use elfmem_text::terms;

use crate::proposal::{MAX_PROPOSAL_CHARS, ProposalRequest, ProposedText};

/// Returns the source that shares most words with the others, if it is short enough. Among equals,
/// the earlier one. Returns `None` if no source shares words with another.
pub(super) fn most_representative(request: &ProposalRequest<'_>) -> Option<ProposedText> {
    let sources = request.bounded();
    let words: Vec<HashSet<String>> = sources.iter().map(|(_, source)| words_of(source)).collect();
    let mut best: Option<(f64, usize)> = None;
    for (at, own) in words.iter().enumerate() {
        let short_enough = sources[at].1.chars().count() <= MAX_PROPOSAL_CHARS;
        let others = words.iter().enumerate().filter(|(other, _)| *other != at);
        let agreement: f64 = others.map(|(_, other)| jaccard(own, other)).sum();
        let alone = sources.len() == 1;
        if short_enough && (alone || agreement > best.map_or(0.0, |(most, _)| most)) {
            best = Some((agreement, at));
        }
    }
    let (number, text) = &sources[best?.1];
    Some(ProposedText { text: text.clone().into_owned(), source_index: Some(*number) })
}

fn words_of(source: &str) -> HashSet<String> {
    terms::terms(source).into_iter().filter(|term| !term.stop).map(|term| term.text).collect()
}

/// Returns the Jaccard similarity of two word sets.
fn jaccard(a: &HashSet<String>, b: &HashSet<String>) -> f64 {
    let shared = a.intersection(b).count();
    let all = a.len() + b.len() - shared;
    if all == 0 { 0.0 } else { shared as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proposal::Purpose;

    fn source_index(sources: &[&str]) -> Option<usize> {
        most_representative(&ProposalRequest { purpose: Purpose::Pattern, sources })?.source_index
    }

    #[test]
    fn the_source_with_most_shared_words_is_selected() {
        let sources = [
            "The office plants were watered on Monday.",
            "The deploy failed because the migration was not run first.",
            "The migration was not run before the deploy, and the deploy failed.",
            "A deploy without its migration failed again.",
        ];
        assert_eq!(source_index(&sources), Some(2));
        let proposal = most_representative(&ProposalRequest { purpose: Purpose::Pattern, sources: &sources }).unwrap();
        assert_eq!(proposal.text, sources[2]);
    }

    #[test]
    fn a_single_source_is_selected_and_unrelated_sources_are_not() {
        assert_eq!(source_index(&["", "Run the migration first."]), Some(1));
        assert_eq!(source_index(&["Plants need water.", "Deploys fail on Fridays."]), None);
        assert_eq!(source_index(&[]), None);
        assert_eq!(source_index(&["…", "!"]), None);
    }

    #[test]
    fn long_sources_are_not_selected() {
        let long = "deploy migration failed ".repeat(40);
        assert_eq!(source_index(&[&long, "The deploy failed without its migration."]), Some(1));
        assert_eq!(source_index(&[&long]), None);
    }
}
