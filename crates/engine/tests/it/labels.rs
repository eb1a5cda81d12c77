//! Limits on the tags and cues of a block hold for the block, however many requests bring them, and say what they leave out.

use elfmem_core::{BlockId, Tag};
use elfmem_engine::{AddTags, Edit, Error, Learn, LearnStatus, Memory, RemoveTags};
use elfmem_store::Store;

use crate::fixtures::{block, edit, exported, imported, rows};
use crate::{clock, memory, memory_at};

const TEXT: &str = "Octopuses have three hearts";

fn numbered(numbers: std::ops::Range<u32>) -> Vec<String> {
    numbers.map(|number| format!("topic/{number:03}")).collect()
}

fn tags_of(memory: &Memory<impl Store>, id: &BlockId) -> usize {
    block(memory, id).tags.len()
}

#[test]
fn a_block_has_at_most_64_tags_and_learning_it_again_says_what_is_left_out() {
    let memory = memory();
    let id = memory.learn(Learn::new(TEXT).tags(numbered(0..60))).unwrap().block_id;
    let again = memory.learn(Learn::new(TEXT).tags(numbered(58..70))).unwrap();
    assert_eq!(again.status, LearnStatus::DuplicateRejected);
    assert_eq!(tags_of(&memory, &id), 64);
    assert_eq!(again.warnings, ["6 tags were left out: a block has at most 64 tags."]);
    assert!(again.to_string().ends_with("already exists. 6 tags were left out: a block has at most 64 tags."));
    let fits = memory.learn(Learn::new(TEXT).tags(numbered(0..10))).unwrap();
    assert_eq!(fits.warnings, [""; 0]);
    let dictionary = serde_json::to_value(&fits).unwrap();
    assert!(dictionary.get("warnings").is_none(), "{dictionary}");
}

#[test]
fn tags_that_do_not_fit_are_refused_where_tags_are_what_is_asked_for() {
    let memory = memory();
    let id = memory.learn(Learn::new(TEXT).tags(numbered(0..60))).unwrap().block_id;
    let before = block(&memory, &id);
    let added = memory.add_tags(AddTags::new(id.as_str(), numbered(60..65))).unwrap_err();
    let edited = numbered(60..65).into_iter().fold(Edit::new(id.as_str()), Edit::add_tag);
    for error in [added, memory.edit(edited).unwrap_err()] {
        assert!(matches!(error, Error::TooManyTags { given: 65, limit: 64 }), "{error}");
    }
    assert_eq!(block(&memory, &id), before);
    memory.add_tags(AddTags::new(id.as_str(), numbered(56..64))).unwrap();
    assert_eq!(tags_of(&memory, &id), 64);
}

#[test]
fn a_block_that_has_more_tags_already_can_still_lose_some_and_comes_back_from_an_export_whole() {
    let clock = clock();
    let memory = memory_at(&clock);
    let id = memory.learn(TEXT).unwrap().block_id;
    let many: Vec<Tag> = numbered(0..100).iter().map(|tag| Tag::parse(tag).unwrap()).collect();
    edit(&memory, |transaction| transaction.update_block(&id, &mut |block| block.tags.clone_from(&many)).map(drop));
    memory.remove_tags(RemoveTags::new(id.as_str(), numbered(0..10))).unwrap();
    assert_eq!(tags_of(&memory, &id), 90);
    let other = memory_at(&clock);
    let result = imported(&other, &exported(&memory, false));
    assert_eq!((tags_of(&other, &id), result.skipped.len()), (90, 0), "{result:?}");
    assert_eq!(rows(&other), rows(&memory));
}

#[test]
fn cues_are_added_one_by_one_and_those_that_do_not_fit_are_counted() {
    let memory = memory();
    let long = |letter: &str| letter.repeat(1_500);
    let id = memory.learn(Learn::new(TEXT).cue(long("a")).cue(long("b"))).unwrap().block_id;
    let again = memory.learn(Learn::new(TEXT).cue(long("c")).cue("at sea").cue(long("a"))).unwrap();
    let cue = block(&memory, &id).cue.unwrap();
    assert_eq!(cue.lines().collect::<Vec<_>>(), [long("a").as_str(), long("b").as_str(), "at sea"]);
    assert_eq!(again.warnings, ["1 cue was left out: a block has at most 4096 bytes of cues."]);
}
