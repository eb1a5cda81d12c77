//! Random lives of the edges and of the sequence, checked against plain maps.

use std::collections::{BTreeMap, BTreeSet};

use elfmem_index::{Adjacency, Link, LinkKind, Sequence};
use proptest::prelude::*;

const SLOTS: u32 = 24;

#[derive(Debug, Clone)]
enum Step {
    Set(u32, u32, f32, LinkKind),
    Remove(u32, u32),
    RemoveBlock(u32),
}

fn step() -> impl Strategy<Value = Step> {
    let kind = prop_oneof![4 => Just(LinkKind::Associates), 1 => Just(LinkKind::Contradicts)];
    // Few weights, so that several blocks share the highest degree.
    let weight = (1..5u8).prop_map(|weight| f32::from(weight) * 0.3);
    prop_oneof![
        12 => (0..SLOTS, 0..SLOTS, weight, kind).prop_map(|(a, b, weight, kind)| Step::Set(a, b, weight, kind)),
        3 => (0..SLOTS, 0..SLOTS).prop_map(|(a, b)| Step::Remove(a, b)),
        1 => (0..SLOTS).prop_map(Step::RemoveBlock),
    ]
}

type Edges = BTreeMap<(u32, u32), (f32, LinkKind)>;

fn links(edges: &Edges, slot: u32) -> Vec<Link> {
    let mut links: Vec<Link> = edges
        .iter()
        .filter(|((a, b), _)| *a == slot || *b == slot)
        .map(|((a, b), (weight, kind))| Link {
            neighbour: if *a == slot { *b } else { *a },
            weight: *weight,
            kind: *kind,
        })
        .collect();
    links.sort_by_key(|link| link.neighbour);
    links
}

fn degree(edges: &Edges, slot: u32) -> f32 {
    let links = links(edges, slot).into_iter().filter(|link| link.kind == LinkKind::Associates);
    links.map(|link| f64::from(link.weight)).sum::<f64>() as f32
}

proptest! {
    #[test]
    fn any_history_of_edges_leaves_what_a_map_holds(steps in prop::collection::vec(step(), 0..250)) {
        let (mut adjacency, mut model) = (Adjacency::new(), Edges::new());
        for step in steps {
            match step {
                Step::Set(a, b, weight, kind) => {
                    adjacency.set(a, b, weight, kind);
                    if a != b {
                        model.insert((a.min(b), a.max(b)), (weight, kind));
                    }
                }
                Step::Remove(a, b) => {
                    let here = model.remove(&(a.min(b), a.max(b))).is_some();
                    prop_assert_eq!(adjacency.remove(a, b), here);
                }
                Step::RemoveBlock(slot) => {
                    adjacency.remove_block(slot);
                    model.retain(|(a, b), _| *a != slot && *b != slot);
                }
            }
            prop_assert_eq!(adjacency.len(), model.len());
            let highest = (0..SLOTS).map(|slot| degree(&model, slot)).fold(0.0, f32::max);
            prop_assert_eq!(adjacency.max_degree(), highest);
        }
        for slot in 0..SLOTS + 2 {
            prop_assert_eq!(adjacency.neighbours(slot).collect::<Vec<_>>(), links(&model, slot));
            prop_assert_eq!(adjacency.degree(slot), degree(&model, slot));
            for other in 0..SLOTS + 2 {
                let expected = links(&model, slot).into_iter().find(|link| link.neighbour == other);
                prop_assert_eq!(adjacency.link(slot, other), expected);
            }
        }
    }

    /// Orders that take few values, so that ties are common; no order means at the end.
    #[test]
    fn any_history_of_a_sequence_leaves_its_groups_in_order(
        steps in prop::collection::vec((0..SLOTS, prop::option::weighted(0.8, (0..4u32, prop::option::of(-3..3i64)))), 0..150),
    ) {
        let mut sequence = Sequence::new();
        let mut model: BTreeMap<u32, (u32, i64)> = BTreeMap::new();
        for (slot, put) in steps {
            let before = model.remove(&slot);
            match put {
                None => prop_assert_eq!(sequence.remove(slot), before.is_some()),
                Some((group, Some(order))) => {
                    sequence.insert(slot, group, order);
                    model.insert(slot, (group, order));
                }
                Some((group, None)) => {
                    sequence.append(slot, group);
                    let last = model.values().filter(|at| at.0 == group).map(|at| at.1).max();
                    model.insert(slot, (group, last.map_or(0, |order| order + 1)));
                }
            }
        }
        for group in 0..5 {
            let ordered: BTreeSet<(i64, u32)> =
                model.iter().filter(|(_, at)| at.0 == group).map(|(slot, at)| (at.1, *slot)).collect();
            let ordered: Vec<u32> = ordered.into_iter().map(|(_, slot)| slot).collect();
            prop_assert_eq!(sequence.members(group), ordered.as_slice());
            for (at, slot) in ordered.iter().enumerate() {
                prop_assert_eq!(sequence.place(*slot), Some((ordered.as_slice(), at)));
            }
        }
        for slot in 0..SLOTS + 2 {
            prop_assert_eq!(sequence.group_of(slot), model.get(&slot).map(|at| at.0));
        }
    }
}

#[test]
fn a_hub_keeps_its_links_when_it_outgrows_every_room() {
    let mut adjacency = Adjacency::new();
    for neighbour in (1..1000).rev() {
        adjacency.set(0, neighbour, 1.0, LinkKind::Associates);
    }
    assert!(adjacency.neighbours(0).map(|link| link.neighbour).eq(1..1000));
    assert_eq!((adjacency.len(), adjacency.max_degree(), adjacency.degree(5)), (999, 999.0, 1.0));
    adjacency.remove_block(0);
    assert_eq!((adjacency.is_empty(), adjacency.max_degree()), (true, 0.0));
}
