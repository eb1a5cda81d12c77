//! Lists that grow by a little at a time.
//!
//! A list that doubles is half empty when it is unlucky, and there are a dozen of them for every block. These grow by a
//! sixteenth: a few more moves in the life of a process, and hardly anything unused.

/// The fewest places by which a list grows.
const FEWEST: usize = 16;

/// Makes room for `more` places.
pub fn make_room<T>(list: &mut Vec<T>, more: usize) {
    if more > list.capacity() - list.len() {
        list.reserve_exact(more.max(list.len() / 16 + FEWEST));
    }
}

/// Makes sure that there is a place `at`, filling new ones with `empty`.
pub fn widen<T: Clone>(list: &mut Vec<T>, at: usize, empty: T) {
    if at >= list.len() {
        make_room(list, at + 1 - list.len());
        list.resize(at + 1, empty);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_little_room_to_spare_and_rarely_moves() {
        let (mut list, mut moves, mut room) = (Vec::new(), 0, 0);
        for at in 0..100_000 {
            widen(&mut list, at, 0u8);
            if list.capacity() != room {
                (moves, room) = (moves + 1, list.capacity());
            }
            assert!(room <= list.len() + list.len() / 16 + FEWEST);
        }
        assert!(moves < 200, "{moves}");
    }
}
