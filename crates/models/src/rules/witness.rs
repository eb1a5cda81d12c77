//! The source that speaks best for the others: what an analyst without words of its own can offer.

use std::collections::HashSet;

use elfmem_text::terms;

use crate::proposal::{LONGEST_PROPOSAL, Proposal, ProposalRequest};

/// The source whose words the others share most, if it is short enough to stand for them; the earlier one among equals.
/// None when nothing joins it with any other.
pub(super) fn best_witness(request: &ProposalRequest<'_>) -> Option<Proposal> {
    let sources = request.bounded();
    let words: Vec<HashSet<String>> = sources.iter().map(|(_, source)| words_of(source)).collect();
    let mut best: Option<(f64, usize)> = None;
    for (at, own) in words.iter().enumerate() {
        let short_enough = sources[at].1.chars().count() <= LONGEST_PROPOSAL;
        let others = words.iter().enumerate().filter(|(other, _)| *other != at);
        let agreement: f64 = others.map(|(_, other)| likeness(own, other)).sum();
        let alone = sources.len() == 1;
        if short_enough && (alone || agreement > best.map_or(0.0, |(most, _)| most)) {
            best = Some((agreement, at));
        }
    }
    let (number, text) = &sources[best?.1];
    Some(Proposal { text: text.clone().into_owned(), witness: Some(*number) })
}

fn words_of(source: &str) -> HashSet<String> {
    terms::terms(source).into_iter().filter(|term| !term.stop).map(|term| term.text).collect()
}

/// The share of telling words that two texts have in common (Jaccard).
fn likeness(a: &HashSet<String>, b: &HashSet<String>) -> f64 {
    let shared = a.intersection(b).count();
    let all = a.len() + b.len() - shared;
    if all == 0 { 0.0 } else { shared as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proposal::Purpose;

    fn witness(sources: &[&str]) -> Option<usize> {
        best_witness(&ProposalRequest { purpose: Purpose::Pattern, sources })?.witness
    }

    #[test]
    fn the_source_that_shares_most_with_the_others_speaks_for_them() {
        let sources = [
            "The office plants were watered on Monday.",
            "The deploy failed because the migration was not run first.",
            "The migration was not run before the deploy, and the deploy failed.",
            "A deploy without its migration failed again.",
        ];
        assert_eq!(witness(&sources), Some(2));
        let proposal = best_witness(&ProposalRequest { purpose: Purpose::Pattern, sources: &sources }).unwrap();
        assert_eq!(proposal.text, sources[2]);
    }

    #[test]
    fn a_single_source_speaks_for_itself_and_strangers_for_nobody() {
        assert_eq!(witness(&["", "Run the migration first."]), Some(1));
        assert_eq!(witness(&["Plants need water.", "Deploys fail on Fridays."]), None);
        assert_eq!(witness(&[]), None);
        assert_eq!(witness(&["…", "!"]), None);
    }

    #[test]
    fn a_source_too_long_to_stand_for_others_is_not_proposed() {
        let long = "deploy migration failed ".repeat(40);
        assert_eq!(witness(&[&long, "The deploy failed without its migration."]), Some(1));
        assert_eq!(witness(&[&long]), None);
    }
}
