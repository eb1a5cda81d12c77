//! Random histories of the edges and of the sequence, checked against plain maps.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use elfmem_index::{Adjacency, AdjacencyList, AdjacentEdge, AdjacentEdgeKind, Sequence};
use proptest::prelude::*;

const SLOTS: u32 = 24;

#[derive(Debug, Clone)]
enum Step {
    /// Changes an edge and clears the lists of both ends, as a change of the memory does.
    Set(u32, u32, f32, AdjacentEdgeKind),
    /// Removes a block with its edges.
    RemoveBlock(u32),
    /// Loads the links of a block.
    Load(u32),
    /// Keeps a clone, which loads links later.
    Clone,
}

fn step() -> impl Strategy<Value = Step> {
    let kind = prop_oneof![4 => Just(AdjacentEdgeKind::Associates), 1 => Just(AdjacentEdgeKind::Contradicts)];
    let weight = (1..5u8).prop_map(|weight| f32::from(weight) * 0.3);
    prop_oneof![
        6 => (0..SLOTS, 0..SLOTS, weight, kind).prop_map(|(a, b, weight, kind)| Step::Set(a, b, weight, kind)),
        1 => (0..SLOTS).prop_map(Step::RemoveBlock),
        6 => (0..SLOTS).prop_map(Step::Load),
        1 => Just(Step::Clone),
    ]
}

type Edges = BTreeMap<(u32, u32), (f32, AdjacentEdgeKind)>;

fn links(edges: &Edges, slot: u32) -> Vec<AdjacentEdge> {
    let mut links: Vec<AdjacentEdge> = edges
        .iter()
        .filter(|((a, b), _)| *a == slot || *b == slot)
        .map(|((a, b), (weight, kind))| AdjacentEdge {
            neighbour: if *a == slot { *b } else { *a },
            weight: *weight,
            kind: *kind,
        })
        .collect();
    links.sort_by_key(|link| link.neighbour);
    links
}

fn degree(edges: &Edges, slot: u32) -> f32 {
    let links = links(edges, slot).into_iter().filter(|link| link.kind == AdjacentEdgeKind::Associates);
    links.map(|link| f64::from(link.weight)).sum::<f64>() as f32
}

proptest! {
    #[test]
    fn loaded_links_are_those_of_the_state_that_the_clone_belongs_to(steps in prop::collection::vec(step(), 0..250)) {
        let (mut adjacency, mut model) = (Adjacency::new(), Edges::new());
        adjacency.grow_to(SLOTS as usize);
        let mut clones: Vec<(Adjacency, Edges)> = Vec::new();
        for step in steps {
            match step {
                Step::Set(a, b, weight, kind) if a != b => {
                    model.insert((a.min(b), a.max(b)), (weight, kind));
                    adjacency.clear(a);
                    adjacency.clear(b);
                }
                Step::Set(..) => {}
                Step::RemoveBlock(slot) => {
                    model.retain(|(a, b), _| *a != slot && *b != slot);
                    adjacency.remove_blocks(&HashSet::from([slot]));
                }
                Step::Load(slot) => {
                    adjacency.add(slot, AdjacencyList::new(links(&model, slot)));
                    for (older, model) in &clones {
                        older.add(slot, AdjacencyList::new(links(model, slot)));
                    }
                }
                Step::Clone => clones.push((adjacency.clone(), model.clone())),
            }
        }
        clones.push((adjacency, model));
        for (adjacency, model) in &clones {
            for slot in 0..SLOTS {
                let Some(list) = adjacency.get(slot) else { continue };
                prop_assert_eq!(list.links(), links(model, slot));
                prop_assert_eq!(list.degree(), degree(model, slot));
                for other in 0..SLOTS {
                    let expected = links(model, slot).into_iter().find(|link| link.neighbour == other);
                    prop_assert_eq!(list.get(other).copied(), expected);
                }
            }
        }
    }

    /// Orders take few values, so that ties are common; no order means at the end.
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
fn a_list_is_ordered_and_cleaned() {
    let link = |neighbour, weight| AdjacentEdge { neighbour, weight, kind: AdjacentEdgeKind::Associates };
    let list = AdjacencyList::new([link(7, 0.5), link(2, f32::NAN), link(7, 0.75), link(3, -1.0)]);
    assert_eq!(list.links(), [link(2, 0.0), link(3, 0.0), link(7, 0.75)]);
    assert_eq!(list.degree(), 0.75);
}
