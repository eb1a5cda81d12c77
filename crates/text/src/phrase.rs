//! Formats counts and excerpts for result texts.

/// Formats a count with its noun: `1 block`, `2 blocks`.
pub fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Returns a text on one line, with single spaces.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the first `count` characters of a text on one line, with an ellipsis if it was cut.
pub fn excerpt(text: &str, count: usize) -> String {
    let line = one_line(text);
    match line.char_indices().nth(count) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
