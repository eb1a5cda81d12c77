//! Random histories of a word index, checked against BM25 applied to every block.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::convert::Infallible;

use elfmem_index::{FieldCounts, PreparedQuery, WordIndex, WordQuery, WordScores};
use elfmem_text::bm25::{Bm25, CorpusStats, FieldWeights, TermFields};
use elfmem_text::terms::{Term, query_terms, terms};
use proptest::prelude::*;

/// Few words, so that they meet; a stop word among them, which counts for the length of nothing.
fn text(most: usize) -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec!["the", "red", "apple", "grows", "north", "of", "Lisbon", "db-2", "Maria's"]);
    prop::collection::vec(word, 0..most).prop_map(|words| words.join(" "))
}

fn fields() -> impl Strategy<Value = TermFields> {
    (text(14), text(3), text(3)).prop_map(|(content, cue, tags)| TermFields {
        content: terms(&content),
        cue: terms(&cue),
        tags: terms(&tags),
    })
}

/// Every term that may occur.
fn vocabulary() -> BTreeSet<String> {
    let words = "the red apple grows north of Lisbon db-2 Maria's kubernetes pie";
    terms(words).into_iter().map(|term| term.text).collect()
}

/// An index with a posting list for every word from the start.
fn eager(weights: FieldWeights) -> WordIndex {
    let index = WordIndex::new(weights);
    load(&index, &vocabulary().into_iter().collect::<Vec<_>>(), &BTreeMap::new());
    index
}

/// Looks words up, loading the blocks of a model where they are not known.
fn load(index: &WordIndex, words: &[String], model: &BTreeMap<u32, TermFields>) -> PreparedQuery {
    index.prepare(&WordQuery::new(words), |word| Ok::<_, Infallible>(holding(model, word))).unwrap()
}

/// Looks words up. One that is not loaded is held by no block.
fn prepare(index: &WordIndex, query: &WordQuery) -> PreparedQuery {
    index.prepare(query, |_| Ok::<_, Infallible>(vec![])).unwrap()
}

/// How often the blocks of a model hold a word.
fn holding(model: &BTreeMap<u32, TermFields>, word: &str) -> Vec<(u32, FieldCounts)> {
    let count = |terms: &[Term]| terms.iter().filter(|term| term.text == word).count() as u32;
    let counts = |fields: &TermFields| [count(&fields.content), count(&fields.cue), count(&fields.tags)];
    model.iter().map(|(slot, fields)| (*slot, counts(fields))).filter(|(_, counts)| *counts != [0; 3]).collect()
}

/// Something put in, or taken out where there are no fields.
fn history() -> impl Strategy<Value = Vec<(u32, Option<TermFields>)>> {
    prop::collection::vec((0..20u32, prop::option::weighted(0.75, fields())), 0..70)
}

fn weights() -> impl Strategy<Value = FieldWeights> {
    prop_oneof![Just(FieldWeights::default()), Just(FieldWeights { content: 1.0, cue: 2.5, tags: 0.0 })]
}

fn lived(history: &[(u32, Option<TermFields>)], weights: FieldWeights) -> (WordIndex, BTreeMap<u32, TermFields>) {
    let (mut index, mut model) = (eager(weights), BTreeMap::new());
    for (slot, fields) in history {
        match fields {
            Some(fields) => {
                index.insert(*slot, fields);
                model.insert(*slot, fields.clone());
            }
            None => assert_eq!(index.remove(*slot), model.remove(slot).is_some()),
        }
    }
    (index, model)
}

fn corpus(model: &BTreeMap<u32, TermFields>) -> CorpusStats {
    let mut document_frequency: HashMap<String, u64> = HashMap::new();
    for fields in model.values() {
        let all = fields.content.iter().chain(&fields.cue).chain(&fields.tags);
        for word in all.map(|term| term.text.clone()).collect::<BTreeSet<String>>() {
            *document_frequency.entry(word).or_default() += 1;
        }
    }
    let total: u32 = model.values().map(TermFields::length).sum();
    CorpusStats {
        blocks: model.len() as u64,
        mean_length: f64::from(total) / model.len().max(1) as f64,
        document_frequency,
    }
}

proptest! {
    #[test]
    fn any_history_scores_like_bm25_asked_about_every_block(
        history in history(), query in text(6), unknown in any::<bool>(), weights in weights(),
    ) {
        let (index, model) = lived(&history, weights);
        // As they come, repetitions and stop words included.
        let mut words: Vec<String> = terms(&query).into_iter().map(|term| term.text).collect();
        words.extend(unknown.then(|| "kubernetes".to_owned()));
        let corpus = corpus(&model);
        let bm25 = Bm25::new(&words, &corpus, weights);
        let query = prepare(&index, &WordQuery::new(&words));
        let scores = query.score();
        let mut found = 0;
        for (slot, fields) in &model {
            let expected = bm25.score(fields);
            prop_assert!((scores.get(*slot) - expected.score).abs() < 1e-9);
            let mut matched: Vec<&str> = Vec::new();
            for word in &expected.matched {
                if !matched.contains(&word.as_str()) {
                    matched.push(word);
                }
            }
            prop_assert_eq!(query.matched(*slot), matched);
            found += usize::from(expected.score > 0.0);
        }
        for slot in 0..25 {
            let mut contributions = Vec::new();
            query.extend_contributions(slot, &mut contributions);
            prop_assert_eq!(contributions.len(), query.len());
            let sum: f64 = contributions.iter().map(|part| f64::from(*part)).sum();
            prop_assert!((sum - scores.get(slot)).abs() < 1e-6, "word by word is the same as all at once");
        }
        prop_assert_eq!(scores.len(), found, "nothing else is found, and nothing twice");
        prop_assert!(scores.iter().all(|(slot, score)| model.contains_key(&slot) && score > 0.0));
        prop_assert_eq!(index.documents(), corpus.blocks);
        prop_assert!((index.mean_length() - corpus.mean_length).abs() < 1e-9);
        for ((word, _), count) in query.rarities().zip(query.document_frequencies()) {
            prop_assert_eq!(u64::from(count), corpus.document_frequency.get(word).copied().unwrap_or(0));
        }
    }

    #[test]
    fn neither_history_nor_order_shows(history in history(), query in text(6), seed in any::<u64>()) {
        let (index, model) = lived(&history, FieldWeights::default());
        let mut shuffled: Vec<(u32, TermFields)> = model.into_iter().collect();
        fastrand::Rng::with_seed(seed).shuffle(&mut shuffled);
        let mut rebuilt = eager(FieldWeights::default());
        shuffled.iter().for_each(|(slot, fields)| rebuilt.insert(*slot, fields));
        let query = WordQuery::new(&query_terms(&query));
        let bits = |index: &WordIndex| -> Vec<(u32, u64)> {
            prepare(index, &query).score().iter().map(|(slot, score)| (slot, score.to_bits())).collect()
        };
        prop_assert_eq!(bits(&index), bits(&rebuilt));
    }

    #[test]
    fn it_does_not_show_when_a_word_was_loaded(
        history in history(), when in prop::collection::vec(0..70usize, 12), query in text(6), swept in any::<bool>(),
    ) {
        let (whole, _) = lived(&history, FieldWeights::default());
        let (mut index, mut model) = (WordIndex::default(), BTreeMap::new());
        for (step, (slot, fields)) in history.iter().enumerate() {
            let due: Vec<String> =
                vocabulary().into_iter().zip(&when).filter(|(_, at)| **at == step).map(|(word, _)| word).collect();
            load(&index, &due, &model);
            if swept && step == 30 {
                index.unload();
            }
            match fields {
                Some(fields) => {
                    index.insert(*slot, fields);
                    model.insert(*slot, fields.clone());
                }
                None => assert_eq!(index.remove(*slot), model.remove(slot).is_some()),
            }
        }
        load(&index, &vocabulary().into_iter().collect::<Vec<_>>(), &model);
        let query = WordQuery::new(&query_terms(&query));
        let bits = |index: &WordIndex| -> Vec<(u32, u64)> {
            prepare(index, &query).score().iter().map(|(slot, score)| (slot, score.to_bits())).collect()
        };
        prop_assert_eq!(bits(&index), bits(&whole));
    }

    #[test]
    fn a_clone_and_a_prepared_query_keep_their_state_whatever_happens_to_the_index(
        before in history(), after in history(), query in text(6),
    ) {
        let (mut index, mut model) = lived(&before, FieldWeights::default());
        let query = WordQuery::new(&query_terms(&query));
        let (clone, prepared) = (index.clone(), prepare(&index, &query));
        let scores: Vec<(u32, f64)> = prepared.score().iter().collect();
        for (slot, fields) in &after {
            match fields {
                Some(fields) => {
                    index.insert(*slot, fields);
                    model.insert(*slot, fields.clone());
                }
                None => assert_eq!(index.remove(*slot), model.remove(slot).is_some()),
            }
        }
        prop_assert_eq!(&prepared.score().iter().collect::<Vec<_>>(), &scores);
        prop_assert_eq!(&prepare(&clone, &query).score().iter().collect::<Vec<_>>(), &scores);
        let mut rebuilt = eager(FieldWeights::default());
        model.iter().for_each(|(slot, fields)| rebuilt.insert(*slot, fields));
        let of = |index: &WordIndex| prepare(index, &query).score().iter().collect::<Vec<_>>();
        prop_assert_eq!(of(&index), of(&rebuilt));
    }

    #[test]
    fn a_list_that_was_used_before_gives_the_same_scores(
        history in history(), queries in prop::collection::vec(text(4), 1..6),
    ) {
        let mut used = WordScores::new();
        for (length, query) in queries.iter().enumerate() {
            // The index changes too: the list must grow and shrink with it.
            let (index, _) = lived(&history[..history.len() * (length % 3) / 2], FieldWeights::default());
            let query = WordQuery::new(&query_terms(query));
            let query = prepare(&index, &query);
            query.score_into(&mut used);
            let fresh = query.score();
            prop_assert_eq!(used.iter().collect::<Vec<_>>(), fresh.iter().collect::<Vec<_>>());
            prop_assert!((0..25).all(|slot| used.get(slot) == fresh.get(slot)));
        }
    }
}

#[test]
fn a_weight_counts_like_repetition_and_useless_weights_like_nothing() {
    let mut index = eager(FieldWeights::default());
    for (slot, text) in ["red apple", "red north", "apple pie apple"].iter().enumerate() {
        index.insert(slot as u32, &TermFields { content: terms(text), ..TermFields::default() });
    }
    let score = |query: &WordQuery| prepare(&index, query).score();
    let repeated = score(&WordQuery::new(&["red", "appl", "red"]));
    let mut weighted = WordQuery::default();
    for (word, weight) in [("red", 2.0), ("appl", 1.0), ("north", 0.0), ("pie", f64::NAN), ("pie", -1.0)] {
        weighted.add(word, weight);
    }
    let weighted = score(&weighted);
    assert_eq!(repeated.iter().collect::<Vec<_>>(), weighted.iter().collect::<Vec<_>>());
    assert!((repeated.best() - repeated.get(0)).abs() < 1e-12);
    assert!(score(&WordQuery::default()).is_empty());
    assert_eq!(prepare(&eager(FieldWeights::default()), &WordQuery::new(&["red"])).score().best(), 0.0);
    let slots: BTreeSet<u32> = repeated.slots().iter().copied().collect();
    assert_eq!(slots.into_iter().collect::<Vec<_>>(), [0, 1, 2]);
}
