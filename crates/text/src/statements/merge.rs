//! Proposes a text for a compound statement of which a part is out of date.

use super::statement::Statement;

/// Returns the clauses of the older statement that stay, and the newer statement. If that would lose a name, a number, a
/// date or an address of what stays, it returns both texts, one after the other.
pub(super) fn keep_clauses(older: &Statement, newer: &Statement, kept: &[usize]) -> String {
    let both = || join([older.text(), newer.text()]);
    let staying = kept.iter().map(|number| older.clause_text(*number));
    let Some(staying) = staying.collect::<Option<Vec<String>>>() else { return both() };
    if loses_what_counts(older, kept, &staying) {
        return both();
    }
    let parts = staying.iter().map(String::as_str);
    // "She runs the team" stands behind the sentence that names her.
    let unnamed = !kept.contains(&0) && kept.iter().any(|number| opens_with_pronoun(older, *number));
    if unnamed { join([newer.text()].into_iter().chain(parts)) } else { join(parts.chain([newer.text()])) }
}

fn join<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    parts.into_iter().map(sentence).collect::<Vec<_>>().join(" ")
}

/// Returns true if the clause starts with a pronoun that stands for somebody or something of a clause before it.
fn opens_with_pronoun(statement: &Statement, number: usize) -> bool {
    let clause = &statement.clauses[number];
    let stands = |at: usize| {
        matches!(
            &*statement.tokens()[at].canon,
            "he" | "she" | "it" | "they" | "his" | "her" | "its" | "their" | "hers" | "theirs" | "this" | "that"
        )
    };
    !clause.continues && (clause.span.start..clause.subject.end.max(clause.span.start)).any(stands)
}

/// Returns true if a word that counts is neither in the clauses that stay nor in one that is out of date. An address is
/// never out of date with the clause it stands in.
fn loses_what_counts(older: &Statement, kept: &[usize], staying: &[String]) -> bool {
    let replaced: Vec<usize> = older
        .clauses
        .iter()
        .enumerate()
        .filter(|(number, _)| !kept.contains(number))
        .flat_map(|(_, clause)| clause.span.clone())
        .filter_map(|at| older.chunk(at))
        .collect();
    older.text().split_whitespace().enumerate().any(|(chunk, word)| {
        let address = word.contains('@') || word.contains("://");
        let first = chunk == 0;
        let counts = address
            || word.contains(|c: char| c.is_ascii_digit())
            || !first && word.trim_start_matches(|c: char| !c.is_alphanumeric()).starts_with(char::is_uppercase);
        let stays = staying.iter().any(|text| text.split_whitespace().any(|other| other == word));
        counts && !stays && (address || !replaced.contains(&chunk))
    })
}

/// Starts a sentence with a capital letter and ends it with a full stop.
fn sentence(text: &str) -> String {
    let text = text.trim().trim_end_matches([',', ';', ':']).trim();
    let mut letters = text.chars();
    let capital: String = letters.next().map(|first| first.to_uppercase().collect::<String>()).unwrap_or_default();
    let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{capital}{}{end}", letters.as_str())
}

#[cfg(test)]
mod tests {
    use crate::statements::{PairThresholds, Verdict, judge_texts};

    fn proposed(older: &str, newer: &str) -> String {
        match judge_texts(older, newer, 0.85, PairThresholds::BUILT_IN) {
            Verdict::Proposal { merged, .. } => merged,
            other => panic!("{older} | {newer}: {other:?}"),
        }
    }

    #[test]
    fn a_pronoun_stands_behind_the_name_it_stands_for() {
        assert_eq!(
            proposed("Mia runs the parser. She lives in Oslo.", "Mia no longer runs the parser."),
            "Mia no longer runs the parser. She lives in Oslo."
        );
        assert_eq!(
            proposed("Mia lives in Oslo and she maintains https://parser.example.org.", "Mia now lives in Bergen."),
            "Mia now lives in Bergen. She maintains https://parser.example.org."
        );
    }

    #[test]
    fn nothing_that_counts_is_lost() {
        for (older, newer) in [
            (
                "Ada lives in Braga. Her address is ada@initech.com and she runs the data team.",
                "Ada now lives in Porto.",
            ),
            ("Backups run nightly to Ghent at 02:30 and are kept for 30 days.", "Backups are now kept for 60 days."),
        ] {
            let merged = proposed(older, newer);
            let counts = |word: &&str| word.contains('@') || word.contains(':') || *word == "Ghent";
            for word in older.split_whitespace().filter(counts) {
                assert!(merged.contains(word.trim_end_matches('.')), "{word}: {merged}");
            }
        }
    }
}
