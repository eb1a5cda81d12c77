//! Translates the calls of the library into what is typed: `recall(top_k=5)` into `elfmem recall --top-k 5`.

use elfmem_engine::catalog::{Verb, all, find, replace_calls};

/// Returns a text of the library in the words of the command line: calls of verbs as they are typed, arguments as options,
/// and counted nouns in their number.
pub(crate) fn as_typed(text: &str) -> String {
    let typed = replace_calls(text, |call| format!("`{}`", call.typed()));
    with_singulars(&with_plurals(&with_options(&typed)))
}

/// Returns an error of the library in the words of the command line: parameters are named by their options too.
pub(crate) fn error_as_typed(text: &str) -> String {
    let typed = as_typed(text);
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut whole = String::with_capacity(typed.len());
    let mut rest = typed.as_str();
    while let Some(start) = rest.find(is_part) {
        let end = rest[start..].find(|c| !is_part(c)).map_or(rest.len(), |length| start + length);
        let word = &rest[start..end];
        whole.push_str(&rest[..start]);
        whole.push_str(option_of(word).unwrap_or(word));
        rest = &rest[end..];
    }
    whole + rest
}

/// Returns the option of a parameter that is named as in the library, such as `prune_threshold`.
fn option_of(name: &str) -> Option<&'static str> {
    let parameter = |verb: &Verb| verb.parameters.iter().find(|parameter| parameter.name == name);
    // A verb of the same name is an operation, such as `add_tags`.
    let found = all().find_map(parameter).filter(|_| name.contains('_') && find(name).is_none());
    found.map(|parameter| parameter.typed).filter(|typed| typed.starts_with("--"))
}

/// Writes `if_exists='update'` as `--if-exists update`, also in a choice of two.
fn with_options(text: &str) -> String {
    const GIVEN: &str = "if_exists='";
    let mut parts = text.split(GIVEN);
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (value, rest) = part.split_once('\'').unwrap_or((part, ""));
        whole.push_str("--if-exists ");
        whole.push_str(value);
        match rest.strip_prefix(" or '").and_then(|rest| rest.split_once('\'')) {
            Some((other, rest)) => whole.push_str(&format!(" or {other}{rest}")),
            None => whole.push_str(rest),
        }
    }
    whole
}

/// Writes `1 block(s)` as `1 block` and `2 block(s)` as `2 blocks`.
fn with_plurals(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    let mut parts = text.split("(s)").peekable();
    while let Some(part) = parts.next() {
        whole.push_str(part);
        if parts.peek().is_some() {
            let mut words = part.rsplit(' ');
            let (noun, count) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
            let is_counted = noun.chars().count() > 1 && noun.chars().all(char::is_alphabetic);
            match (is_counted, count == "1") {
                (true, true) => {}
                (true, false) => whole.push('s'),
                (false, _) => whole.push_str("(s)"),
            }
        }
    }
    whole
}

/// Nouns that texts which the seeds fix have in the plural, whatever their number is.
const COUNTED: [&str; 3] = ["blocks", "edges", "duplicates"];

/// Writes `1 edges` as `1 edge`.
fn with_singulars(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("1 ") {
        let (before, noun) = (&rest[..at], &rest[at + 2..]);
        let is_one = !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | ',' | '-'))
            && !before.ends_with("of ");
        let found = COUNTED.iter().find(|plural| noun.starts_with(**plural)).filter(|_| is_one);
        let taken = found.map_or("", |plural| &plural[..plural.len() - 1]);
        whole.push_str(&rest[..at + 2]);
        whole.push_str(taken);
        rest = &noun[found.map_or(0, |plural| plural.len())..];
    }
    whole.push_str(rest);
    whole
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
            ("recall (see below) and list(", "recall (see below) and list("),
            ("", ""),
        ] {
            assert_eq!(as_typed(said), typed);
        }
    }

    #[test]
    fn errors_name_the_options_of_parameters() {
        for (said, typed) in [
            ("The prune_threshold must be a number.", "The --prune-threshold must be a number."),
            ("Give a reinforce_top_n; see recall().", "Give a --reinforce-top-n; see `elfmem recall`."),
            ("The signal, the block_ids and top_of_it stay.", "The signal, the block_ids and top_of_it stay."),
            ("operation 4 (add_tags)", "operation 4 (add_tags)"),
        ] {
            assert_eq!(error_as_typed(said), typed);
        }
    }

    #[test]
    fn options_and_counts_are_written_as_people_write_them() {
        for (said, typed) in [
            ("Use if_exists='update' to change it.", "Use --if-exists update to change it."),
            (
                "Use if_exists='reinforce' or 'update' to modify it.",
                "Use --if-exists reinforce or update to modify it.",
            ),
            ("1 block(s) updated, 3 block(s) penalized", "1 block updated, 3 blocks penalized"),
            ("f(s) and (s)", "f(s) and (s)"),
            (
                "1 promoted, 1 edges. 11 edges, 0.1 edges, 1 of 1 blocks",
                "1 promoted, 1 edge. 11 edges, 0.1 edges, 1 of 1 blocks",
            ),
            ("if_exists='", "--if-exists "),
        ] {
            assert_eq!(as_typed(said), typed);
        }
    }

    #[test]
    fn arguments_become_options_and_places() {
        for (said, typed) in [
            ("Ask for more: recall(top_k=12).", "Ask for more: `elfmem recall --top-k 12`."),
            ("undo(dry_run=true)", "`elfmem undo --dry-run`"),
            ("undo(seq=7)", "`elfmem undo 7`"),
            (
                "resolve_contradiction(a=12ab, b=34cd, both=NOTE)",
                "`elfmem contradictions resolve 12ab 34cd --both NOTE`",
            ),
            ("recall(colour=red) and recall(x)", "recall(colour=red) and recall(x)"),
        ] {
            assert_eq!(as_typed(said), typed);
        }
    }
}
