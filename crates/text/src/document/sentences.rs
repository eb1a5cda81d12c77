//! Splits paragraphs into sentences.

/// Abbreviations whose dot does not end a sentence.
const ABBREVIATIONS: &[&str] = &[
    "dr", "mr", "mrs", "ms", "prof", "sr", "jr", "st", "vs", "etc", "e.g", "i.e", "cf", "al", "no", "nos", "fig",
    "figs", "eq", "sec", "ch", "vol", "pp", "p", "ed", "eds", "approx", "inc", "ltd", "co", "corp", "dept", "est",
    "min", "max", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "a.m", "p.m",
    "u.s", "u.k",
];

/// The months of German, which puts a dot between a day and its month.
const GERMAN_MONTHS: [&str; 13] = [
    "januar",
    "jänner",
    "februar",
    "märz",
    "april",
    "mai",
    "juni",
    "juli",
    "august",
    "september",
    "oktober",
    "november",
    "dezember",
];

/// Splits a paragraph into trimmed sentences.
pub fn sentences(paragraph: &str) -> Vec<String> {
    let characters: Vec<(usize, char)> = paragraph.char_indices().collect();
    let mut found = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while at < characters.len() {
        let mut end = at + 1;
        if is_terminal(characters[at].1) {
            while end < characters.len() && (is_terminal(characters[end].1) || closes(characters[end].1)) {
                end += 1;
            }
            if ends_sentence(paragraph, &characters, start, at, end) {
                let stop = characters.get(end).map_or(paragraph.len(), |(byte, _)| *byte);
                push_trimmed(&paragraph[start..stop], &mut found);
                start = stop;
            }
        }
        at = end;
    }
    push_trimmed(&paragraph[start..], &mut found);
    found
}

fn push_trimmed(text: &str, found: &mut Vec<String>) {
    if !text.trim().is_empty() {
        found.push(text.trim().to_owned());
    }
}

fn is_terminal(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？')
}

fn closes(c: char) -> bool {
    matches!(c, '"' | '\'' | '”' | '’' | ')' | ']' | '»' | '」' | '』')
}

/// Returns true if the punctuation at `mark`, with closing marks up to `end`, ends a sentence that
/// starts at byte `start`.
fn ends_sentence(paragraph: &str, characters: &[(usize, char)], start: usize, mark: usize, end: usize) -> bool {
    if matches!(characters[mark].1, '。' | '！' | '？') {
        return true;
    }
    let Some((_, next)) = characters.get(end) else { return true };
    if !next.is_whitespace() {
        return false;
    }
    let following = characters[end..].iter().map(|(_, c)| *c).find(|c| !c.is_whitespace());
    if following.is_some_and(char::is_lowercase) {
        return false;
    }
    let before = &paragraph[start..characters[mark].0];
    characters[mark].1 != '.' || !is_abbreviation(before) && !is_day_of_month(before, &paragraph[characters[end].0..])
}

/// Returns true if a dot stands between a day and its month: `12. Mai`.
fn is_day_of_month(before: &str, after: &str) -> bool {
    let day = before.rsplit(char::is_whitespace).next().unwrap_or(before);
    let is_day = (1..=2).contains(&day.len()) && day.bytes().all(|byte| byte.is_ascii_digit());
    let following = after.split_whitespace().next().unwrap_or_default();
    let following = following.trim_end_matches(|c: char| !c.is_alphabetic()).to_lowercase();
    is_day && GERMAN_MONTHS.contains(&following.as_str())
}

/// Returns true if the text before a dot ends in an abbreviation or a single initial.
fn is_abbreviation(before: &str) -> bool {
    let word = before.rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '[' | '"')).next().unwrap_or(before);
    let lower = word.to_lowercase();
    let initial = word.chars().count() == 1 && word.chars().all(char::is_uppercase) && word != "I";
    initial || ABBREVIATIONS.contains(&lower.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_do_not_end_at_abbreviations() {
        let text = "Dr. Smith went home. He met J. Doe, e.g. at 5 p.m. on Main St. in town! \"Really?\" Yes. Version 2.5 is out.";
        assert_eq!(
            sentences(text),
            [
                "Dr. Smith went home.",
                "He met J. Doe, e.g. at 5 p.m. on Main St. in town!",
                "\"Really?\"",
                "Yes.",
                "Version 2.5 is out.",
            ]
        );
        assert_eq!(sentences("一つ。二つ。"), ["一つ。", "二つ。"]);
        let dated = "Der Termin ist am 12. Mai um 10 Uhr. Er dauert bis 11. Danach ist Pause.";
        assert_eq!(
            sentences(dated),
            ["Der Termin ist am 12. Mai um 10 Uhr.", "Er dauert bis 11.", "Danach ist Pause."]
        );
    }
}
