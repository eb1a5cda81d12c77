//! What links do to answers (seed 004): a contradicted target stays, what extends a target comes with it.

use elfmem_core::BlockId;
use elfmem_engine::{Learn, Recall, RenderFrame, RetrieveMemories, StoreEvent};

use crate::fixtures::{TestMemory, learn};
use crate::memory;

fn told(memory: &TestMemory, text: &str, source: &str, link: Option<(&str, &BlockId)>) -> BlockId {
    let event = StoreEvent::with_payload("fact", text).source(source);
    let event = match link {
        Some((link_type, target)) => event.link(link_type, target.as_str()),
        None => event,
    };
    memory.store_event(event).unwrap().block_id.unwrap()
}

fn ids(memory: &TestMemory, asked: &Recall) -> Vec<BlockId> {
    memory.recall(asked).unwrap().blocks.into_iter().map(|block| block.id).collect()
}

#[test]
fn a_contradicted_target_is_in_every_answer_below_what_contradicts_it_and_marked() {
    let memory = memory();
    let target = told(&memory, "The sourdough starter is fed at noon", "user", None);
    let against = told(&memory, "The sourdough starter is fed at midnight", "user", Some(("contradicts", &target)));
    let question = "when is the sourdough starter fed?";
    let retrieved = memory.retrieve_memories(RetrieveMemories::new(question)).unwrap();
    let items: Vec<_> = retrieved.items.iter().map(|item| (&item.block_id, item.contradicted)).collect();
    assert_eq!(items, [(&against, false), (&target, true)]);
    for frame in ["search", "attention", "task", "simulate"] {
        let found = memory.recall(Recall::new(question).frame(frame)).unwrap();
        let blocks: Vec<_> = found.blocks.iter().map(|block| (&block.id, block.contradicted_by.first())).collect();
        assert_eq!(blocks, [(&against, None), (&target, Some(&against))], "{frame}");
        let text = memory.frame(RenderFrame::new(frame).query(question)).unwrap().text;
        let place = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part}: {text}"));
        assert!(place("fed at midnight") < place("(contradicted) The sourdough starter is fed at noon"), "{text}");
    }
}

/// A weaker and a stronger block that contradict each other, and a question in the words of the weaker.
fn contradicting(stronger: &str) -> (TestMemory, BlockId, BlockId, &'static str) {
    let memory = memory();
    let target = told(&memory, "The sourdough starter is fed at noon", "user", None);
    let against = told(&memory, stronger, "user", Some(("contradicts", &target)));
    learn(&memory, &["Umbrellas are sold out", "Kofi plays the cello", "The office closes at six"]);
    (memory, target, against, "is the sourdough starter fed at noon?")
}

#[test]
fn the_stronger_of_two_contradicting_blocks_comes_first_whatever_the_words_of_the_question_fit() {
    // The second has no word of the question.
    for text in ["The sourdough starter wants its flour and water at midnight", "Hermann gets nothing before midnight"]
    {
        let (memory, target, against, question) = contradicting(text);
        for limit in [1, 5] {
            let items = memory.retrieve_memories(RetrieveMemories::new(question).limit(limit)).unwrap().items;
            assert_eq!((&items[0].block_id, items[0].contradicted), (&against, false), "{text}");
            let second = items.get(1).map(|item| (&item.block_id, item.contradicted));
            assert_eq!(second, (limit > 1).then_some((&target, true)), "{text}");
        }
        for frame in ["search", "attention", "task", "simulate"] {
            let found = memory.recall(Recall::new(question).frame(frame).preview()).unwrap();
            let place = |id: &BlockId| found.blocks.iter().position(|block| block.id == *id).unwrap();
            assert!(place(&against) < place(&target), "{frame}: {text}");
            assert_eq!(found.blocks[place(&target)].contradicted_by, std::slice::from_ref(&against), "{frame}");
            assert!(found.blocks[place(&against)].contradicted_by.is_empty(), "{frame}");
            let rendered = memory.frame(RenderFrame::new(frame).query(question).preview()).unwrap().text;
            let marked = rendered.find("(contradicted) The sourdough starter is fed at noon");
            assert!(rendered.find(text).unwrap() < marked.unwrap(), "{rendered}");
        }
        let one = memory.recall(Recall::new(question).top_k(1).preview()).unwrap();
        assert_eq!(one.blocks[0].id, against, "{text}");
        let left: Vec<_> = one.left_out.iter().map(|left| (&left.block_id, left.content.as_deref())).collect();
        assert_eq!(left, [(&target, Some("The sourdough starter is fed at noon"))]);
    }
}

#[test]
fn where_the_question_decides_between_blocks_that_are_believed_alike_the_earlier_is_marked_and_both_texts_are_there() {
    let clock = crate::clock();
    let memory = crate::memory_at(&clock);
    let parcels = "Parcels over 25 kg go with the haulier on Mondays";
    let first = memory.learn(parcels).unwrap().block_id;
    clock.forward_minutes(10.0);
    let second = memory.learn("Parcels go with the post").unwrap().block_id;
    memory.dream(elfmem_engine::Dream::new()).unwrap();
    let found = elfmem_store::Contradiction::between(&first, &second, 0.9, elfmem_core::Timestamp::UNIX_EPOCH).unwrap();
    crate::fixtures::edit(&memory, |transaction| transaction.put_contradiction(&found));
    let question = Recall::new("how do parcels over 25 kg go?").preview();
    let both = memory.recall(question.clone()).unwrap().blocks;
    let marks: Vec<_> = both.iter().map(|block| (&block.id, block.contradicted_by.first())).collect();
    assert_eq!(marks, [(&first, Some(&second)), (&second, None)]);
    let one = memory.recall(question.top_k(1)).unwrap();
    assert_eq!((&one.blocks[0].id, &one.blocks[0].contradicted_by[..]), (&first, std::slice::from_ref(&second)));
    let left: Vec<_> = one.left_out.iter().map(|left| (&left.block_id, left.content.as_deref())).collect();
    assert_eq!(left, [(&second, Some("Parcels go with the post"))]);
    let retrieved = memory.retrieve_memories(RetrieveMemories::new("parcels over 25 kg")).unwrap().items;
    let marks: Vec<_> = retrieved.iter().map(|item| (&item.block_id, item.contradicted)).collect();
    assert_eq!(marks, [(&first, true), (&second, false)]);
}

#[test]
fn what_extends_a_block_comes_back_with_it_in_addition_to_those_asked_for() {
    let memory = memory();
    let base = told(&memory, "Deploys go out on Tuesdays", "user", None);
    learn(&memory, &["Deploys are announced on Mondays", "Umbrellas are sold out", "Kofi plays the cello"]);
    let detail = told(&memory, "Kofi presses the green button", "user", Some(("extends", &base)));
    let question = Recall::new("on which day do deploys go out, Tuesdays?").no_contiguity();
    for frame in ["search", "attention", "task"] {
        let asked = question.clone().frame(frame).top_k(1);
        assert_eq!(ids(&memory, &asked), [base.clone(), detail.clone()], "{frame}");
        let rendered = memory.frame(&asked).unwrap();
        assert!(rendered.text.contains("Kofi presses the green button"), "{}", rendered.text);
    }
    let companion = memory.recall(question.clone().top_k(1)).unwrap().blocks.pop().unwrap();
    let via = companion.explain.via.unwrap();
    assert_eq!((via.block_id, via.relation.as_str()), (base.clone(), "extends"));
    assert_eq!(ids(&memory, &question.clone().top_k(1).tag("topic/none")), Vec::<BlockId>::new(), "filters bind");
    let all = ids(&memory, &question.clone().top_k(9));
    assert_eq!(all.iter().filter(|id| **id == detail).count(), 1, "once");
    assert_eq!(ids(&memory, &Recall::new("Kofi presses the button").top_k(1)), [detail], "it does not work backwards");
}

#[test]
fn at_most_three_come_with_a_block_and_none_that_is_not_trusted_with_one_that_is() {
    let memory = memory();
    let base = told(&memory, "Deploys go out on Tuesdays", "user", None);
    told(&memory, "Zebra crossings were repainted", "tool", Some(("extends", &base)));
    let asked = Recall::new("on which day do deploys go out, Tuesdays?").top_k(1).no_contiguity();
    assert_eq!(ids(&memory, &asked), std::slice::from_ref(&base));
    let retrieved = memory.retrieve_memories(RetrieveMemories::new("deploys on Tuesdays").limit(1)).unwrap();
    assert_eq!(retrieved.items.len(), 1, "{retrieved:?}");
    for text in ["Kofi plays", "Umbrellas sell", "Rye rises", "Vans rust", "Bells ring"] {
        told(&memory, text, "user", Some(("extends", &base)));
    }
    assert_eq!(ids(&memory, &asked).len(), 4);
    let retrieved = memory.retrieve_memories(RetrieveMemories::new("deploys on Tuesdays").limit(1)).unwrap();
    assert_eq!(retrieved.items.len(), 4, "{retrieved:?}");
}

#[test]
fn the_self_frame_shows_the_self_whatever_is_asked() {
    let memory = memory();
    memory.learn(Learn::new("Never lie to the user").tag("self/constitutional")).unwrap();
    let own = ["I am the assistant of a bakery", "I value brevity", "My goal is a calm kitchen", "I write in metric"];
    for (text, tag) in own.into_iter().zip(["self/identity", "self/value", "self/goal", "self/style"]) {
        memory.learn(Learn::new(text).tag(tag)).unwrap();
    }
    learn(&memory, &["Ravi repaired the delivery van"]);
    memory.consolidate().unwrap();
    for question in ["quantum chromodynamics", "who are you?", "?!", "the delivery van of Ravi"] {
        let shown = memory.frame(RenderFrame::new("self").query(question)).unwrap();
        for text in own.into_iter().chain(["Never lie to the user"]) {
            assert!(shown.text.contains(text), "{question}: {text}: {}", shown.text);
        }
        assert_eq!((shown.block_count, shown.left_out.len(), shown.message), (5, 0, None), "{question}");
    }
    let two = memory.recall(Recall::new("what do you value, brevity?").frame("self").top_k(2)).unwrap();
    let texts: Vec<&str> = two.blocks.iter().map(|block| block.content.as_str()).collect();
    assert_eq!((texts.len(), texts[0], texts[1]), (3, "Never lie to the user", "I value brevity"), "what fits leads");
}
