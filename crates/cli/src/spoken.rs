//! The library speaks of its verbs as `learn()`; whoever types wants to read what to type.

use elfmem_engine::catalog;

/// A text with every verb as it is typed: `learn()` becomes `elfmem remember`.
pub(crate) fn as_typed(text: &str) -> String {
    let mut spoken = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(call) = rest.find("()") {
        let before = &rest[..call];
        let start = before
            .rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.')
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let named = before[start..].trim_start_matches("system.");
        match catalog::find(named) {
            Some(verb) => {
                spoken.push_str(&before[..start]);
                spoken.push_str(&format!("`elfmem {}`", verb.command));
            }
            None => spoken.push_str(&rest[..call + 2]),
        }
        rest = &rest[call + 2..];
    }
    spoken.push_str(rest);
    spoken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_are_named_as_they_are_typed_and_the_rest_stays() {
        for (said, typed) in [
            ("Memory empty. Call learn() to add knowledge.", "Memory empty. Call `elfmem remember` to add knowledge."),
            ("Use system.recall() to find ids, or list().", "Use `elfmem recall` to find ids, or `elfmem ls`."),
            ("fly() and main() stay; so does ().", "fly() and main() stay; so does ()."),
            ("Über «consolidate()»", "Über «`elfmem dream`»"),
            ("", ""),
        ] {
            assert_eq!(as_typed(said), typed);
        }
    }
}
