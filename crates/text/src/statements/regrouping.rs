//! The same words in other groups: "red for rent, blue for school" and "blue for rent, red for school".

use super::statement::Statement;

/// Words between which groups end, in seven languages.
const LINKS: [&str; 14] =
    ["and", "but", "while", "und", "aber", "en", "maar", "et", "mais", "y", "pero", "e", "ma", "mas"];

/// Shortest word that counts: shorter ones are articles and prepositions.
const SHORTEST: usize = 3;

/// Most words of a text that is compared.
const MOST_WORDS: usize = 40;

/// Returns a word and its partner in each text, if two groups of the older text have exchanged partners in the newer one.
pub(super) fn exchanged_partners(older: &Statement, newer: &Statement) -> Option<String> {
    let (one, other) = (groups(older.text()), groups(newer.text()));
    if one.len().max(other.len()) > MOST_WORDS {
        return None;
    }
    // The group of each word in both texts, for words that each text has once.
    let once = |words: &[(String, usize)], word: &str| {
        let mut found = words.iter().filter(|(other, _)| other == word).map(|(_, group)| *group);
        let first = found.next();
        first.filter(|_| found.next().is_none())
    };
    let shared: Vec<(&str, usize, usize)> =
        one.iter().filter_map(|(word, _)| Some((word.as_str(), once(&one, word)?, once(&other, word)?))).collect();
    // "Bob and Alice" are "Alice and Bob": members of a list have no partners.
    let beside = |words: &[(String, usize)], a: &str, c: &str| {
        words.windows(2).any(|two| two[0].0 == a && two[1].0 == c || two[0].0 == c && two[1].0 == a)
    };
    let listed = |a: &str, c: &str| beside(&one, a, c) && beside(&other, a, c);
    let together = |a: &(&str, usize, usize), b: &(&str, usize, usize)| (a.1 == b.1, a.2 == b.2);
    for a in &shared {
        for b in shared.iter().filter(|b| together(a, b) == (true, false)) {
            let crossed = |c: &&(&str, usize, usize)| {
                together(a, c) == (false, false) && together(b, c) == (false, true) && !listed(a.0, c.0)
            };
            for c in shared.iter().filter(crossed) {
                let exchanged = |d: &&(&str, usize, usize)| {
                    together(c, d) == (true, false) && together(a, d) == (false, true) && !listed(b.0, d.0)
                };
                if let Some(d) = shared.iter().find(exchanged) {
                    return Some(format!("'{} {}' became '{} {}'", a.0, b.0, a.0, d.0));
                }
            }
        }
    }
    None
}

/// Returns the words of a text with the number of the group that each is in.
fn groups(text: &str) -> Vec<(String, usize)> {
    let mut words = Vec::new();
    let mut group = 0;
    for chunk in text.split_whitespace() {
        let word = chunk.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        if LINKS.contains(&word.as_str()) {
            group += 1;
            continue;
        }
        if word.chars().count() >= SHORTEST {
            words.push((word, group));
        }
        if chunk.ends_with([',', ';', '.', ':']) {
            group += 1;
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exchanged(older: &str, newer: &str) -> bool {
        exchanged_partners(&Statement::parse(older), &Statement::parse(newer)).is_some()
    }

    #[test]
    fn partners_that_are_exchanged_are_found_in_any_order() {
        for (older, newer) in [
            ("Red labels are for rent and blue ones for school", "Blue labels are for rent, red ones for school"),
            ("Ada takes Mondays, Bert takes Fridays", "Bert takes Mondays and Ada takes Fridays"),
            ("Der Montag gehört Ada und der Freitag Bert", "Der Freitag gehört Ada, der Montag Bert"),
        ] {
            assert!(exchanged(older, newer), "{older} / {newer}");
            assert!(exchanged(newer, older), "{newer} / {older}");
        }
    }

    #[test]
    fn the_same_groups_in_another_order_are_not() {
        for (older, newer) in [
            ("Red labels are for rent and blue ones for school", "Blue ones are for school and red labels for rent"),
            ("Ada takes Mondays, Bert takes Fridays", "Bert takes Fridays, Ada takes Mondays"),
            ("Eggs, flour and milk are in the pantry", "Milk, eggs and flour are in the pantry"),
            ("Ada and Bert run the shop", "The shop is run by Bert and Ada"),
            ("Invite Bob and Alice to lunch", "Invite Alice and Bob to lunch"),
        ] {
            assert!(!exchanged(older, newer), "{older} / {newer}");
        }
    }
}
