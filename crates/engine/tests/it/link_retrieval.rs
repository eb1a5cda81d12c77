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
