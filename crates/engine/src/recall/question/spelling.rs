//! Misspelt and shortened words of a question, and the words of the memory that they may mean.

use std::collections::BTreeSet;

use elfmem_index::{PreparedQuery, WordQuery};
use elfmem_store::Snapshot;
use elfmem_text::language::{Language, unmarked};
use elfmem_text::spelling::{Closeness, closeness};

use crate::Result;
use crate::memory_index::MemoryIndex;

/// Most words of the memory that one word of a question may mean.
const MAX_NEIGHBOURS: usize = 3;
/// Most words of a question whose neighbours are looked for. A text with more unknown words is of another kind.
const MAX_UNKNOWN: usize = 8;

/// Blocks beyond which a neighbour must begin with both first letters: reading all terms with one takes too long.
const LARGE: usize = 20_000;

/// Looks up the words of a question. A word that no block holds stands for its neighbours in the memory, if it has any.
pub(in crate::recall) fn prepare(
    index: &MemoryIndex,
    snapshot: &dyn Snapshot,
    query: &WordQuery,
) -> Result<PreparedQuery> {
    let prepared = index.prepare_words(snapshot, query)?;
    let frequencies = prepared.document_frequencies();
    let unknown: Vec<&str> =
        query.words().iter().zip(frequencies).filter(|(_, df)| *df == 0).map(|(word, _)| word.word.as_str()).collect();
    if unknown.is_empty() || unknown.len() > MAX_UNKNOWN || prepared.documents() == 0 {
        return Ok(prepared);
    }
    let marks = language_marks(index, snapshot)?;
    let mut corrected = query.clone();
    for word in unknown {
        let Some(asked) = query.words().iter().find(|asked| asked.word == word) else { continue };
        let forms: BTreeSet<Vec<char>> = asked.terms.iter().map(|term| unmarked(term).chars().collect()).collect();
        if let Some((closeness, terms)) = neighbours(index, snapshot, &forms, &marks)? {
            corrected.replace_terms(word, terms, closeness.certainty());
        }
    }
    if corrected == *query { Ok(prepared) } else { index.prepare_words(snapshot, &corrected) }
}

/// Returns the marks of the languages that the memory holds blocks of; an empty one for English.
fn language_marks(index: &MemoryIndex, snapshot: &dyn Snapshot) -> Result<Vec<String>> {
    let marks: Vec<String> = Language::ALL.iter().filter_map(|language| language.mark()).map(String::from).collect();
    let held = index.prepare_words(snapshot, &WordQuery::new(&marks))?;
    let held = marks.into_iter().zip(held.document_frequencies()).filter(|(_, df)| *df > 0).map(|(mark, _)| mark);
    Ok(std::iter::once(String::new()).chain(held).collect())
}

/// Returns the closest words of the memory that some block holds, and how close they are.
fn neighbours(
    index: &MemoryIndex,
    snapshot: &dyn Snapshot,
    forms: &BTreeSet<Vec<char>>,
    marks: &[String],
) -> Result<Option<(Closeness, Vec<String>)>> {
    // Most typing errors leave the first letter, or swap it with the second.
    let initials: BTreeSet<String> = forms.iter().flat_map(|form| beginnings(form, index.len())).collect();
    let mut found: Vec<(Closeness, usize, String)> = Vec::new();
    let mut known: Vec<char> = Vec::new();
    for initial in initials {
        for mark in marks {
            for term in index.terms(snapshot, &format!("{mark}{initial}"))?.iter() {
                known.clear();
                known.extend(unmarked(term).chars());
                let close =
                    forms.iter().filter_map(|form| Some((closeness(form, &known)?, form.len().abs_diff(known.len()))));
                if let Some((closeness, longer)) = close.min() {
                    found.push((closeness, longer, term.clone()));
                }
            }
        }
    }
    found.sort();
    let Some(best) = found.first().map(|(closeness, ..)| *closeness) else { return Ok(None) };
    let closest: Vec<String> = found
        .into_iter()
        .filter(|(closeness, ..)| *closeness == best)
        .map(|(.., term)| term)
        .take(MAX_NEIGHBOURS)
        .collect();
    let held = index.prepare_words(snapshot, &WordQuery::new(&closest))?;
    let held = closest.into_iter().zip(held.document_frequencies()).filter(|(_, df)| *df > 0).map(|(term, _)| term);
    let held: Vec<String> = held.collect();
    Ok((!held.is_empty()).then_some((best, held)))
}

/// Returns how the neighbours of a word may begin.
fn beginnings(form: &[char], blocks: usize) -> Vec<String> {
    match form {
        [first, second, ..] if blocks > LARGE => vec![format!("{first}{second}"), format!("{second}{first}")],
        [first, second, ..] => vec![first.to_string(), second.to_string()],
        _ => Vec::new(),
    }
}
