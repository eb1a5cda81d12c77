//! Texts of memory files by lines: numbered views, replacements and insertions.

use std::ops::Range;

use super::error::FileError;

/// The most lines of a file that can be shown: their numbers have six digits.
const MAX_LINES: usize = 999_999;
/// Lines shown before and after a change.
const CONTEXT: usize = 2;

/// Returns lines with their numbers. `range` is the first and the last line; -1 is the end of the file.
pub(super) fn numbered(path: &str, text: &str, range: Option<[i64; 2]>) -> Result<String, FileError> {
    let lines: Vec<&str> = text.split('\n').collect();
    if lines.len() > MAX_LINES {
        return Err(FileError::TooManyLines { path: path.to_owned() });
    }
    let (first, last) = match range {
        None => (0, lines.len()),
        Some([first, last]) => {
            let last = if last == -1 { lines.len() } else { usize::try_from(last).unwrap_or(0).min(lines.len()) };
            (usize::try_from(first.max(1) - 1).unwrap_or(0).min(last), last)
        }
    };
    Ok(with_numbers(&lines, first, last))
}

fn with_numbers(lines: &[&str], first: usize, last: usize) -> String {
    let shown = lines[first..last].iter().enumerate();
    let shown: Vec<String> = shown.map(|(at, line)| format!("{:>6}\t{line}", first + at + 1)).collect();
    shown.join("\n")
}

/// Replaces the only occurrence of a text. Returns the new text and the numbers of the lines around the change, from zero.
pub(super) fn replace(path: &str, text: &str, old: &str, new: &str) -> Result<(String, Range<usize>), FileError> {
    let places: Vec<usize> = match old.is_empty() {
        true => Vec::new(),
        false => text.match_indices(old).map(|(at, _)| at).collect(),
    };
    let line_of = |at: usize| text[..at].matches('\n').count();
    let [at] = places.as_slice() else {
        return Err(match places.is_empty() {
            true => FileError::NoMatch { path: path.to_owned(), old: old.to_owned() },
            false => FileError::ManyMatches {
                old: old.to_owned(),
                lines: places.into_iter().map(|at| line_of(at) + 1).collect(),
            },
        });
    };
    let replaced = format!("{}{new}{}", &text[..*at], &text[at + old.len()..]);
    let changed = line_of(*at);
    let around = changed.saturating_sub(CONTEXT)..changed + new.matches('\n').count() + 1 + CONTEXT;
    Ok((replaced, around))
}

/// Returns some lines of a text with their numbers.
pub(super) fn snippet(text: &str, shown: Range<usize>) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    let last = shown.end.min(lines.len());
    with_numbers(&lines, shown.start.min(last), last)
}

/// Inserts a text after a line; 0 is the beginning. Returns the new text.
pub(super) fn insert(text: &str, line: i64, inserted: &str) -> Result<String, FileError> {
    let mut lines: Vec<&str> = text.split('\n').collect();
    let at = usize::try_from(line).ok().filter(|at| *at <= lines.len());
    let Some(at) = at else { return Err(FileError::BadLine { line, lines: lines.len() }) };
    lines.insert(at, inserted.strip_suffix('\n').unwrap_or(inserted));
    Ok(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_numbered_from_one_in_six_columns() {
        assert_eq!(numbered("f", "a\nb", None).unwrap(), "     1\ta\n     2\tb");
        assert_eq!(numbered("f", "a\nb\nc", Some([2, 3])).unwrap(), "     2\tb\n     3\tc");
        assert_eq!(numbered("f", "a\nb\nc", Some([2, -1])).unwrap(), "     2\tb\n     3\tc");
        assert_eq!(numbered("f", "a\nb", Some([-5, 1])).unwrap(), "     1\ta");
        assert_eq!(numbered("f", "a", Some([i64::MAX, i64::MIN])).unwrap(), "");
        assert_eq!(numbered("f", "", None).unwrap(), "     1\t");
        assert!(numbered("f", &"\n".repeat(MAX_LINES), None).is_err());
    }

    #[test]
    fn a_text_is_replaced_only_where_it_is_unique() {
        let (text, around) = replace("f", "1\n2\n3\n4\n5\n6", "4", "four").unwrap();
        assert_eq!(text, "1\n2\n3\nfour\n5\n6");
        assert_eq!(snippet(&text, around), "     2\t2\n     3\t3\n     4\tfour\n     5\t5\n     6\t6");
        assert_eq!(replace("f", "a\nb", "a\nb", "c").unwrap().0, "c");
        assert!(matches!(replace("f", "a", "b", "c"), Err(FileError::NoMatch { .. })));
        assert!(matches!(replace("f", "a", "", "c"), Err(FileError::NoMatch { .. })));
        let many = replace("f", "x\na\nx x", "x", "c").unwrap_err();
        assert_eq!(many, FileError::ManyMatches { old: "x".into(), lines: vec![1, 3, 3] });
    }

    #[test]
    fn a_text_is_inserted_after_a_line_of_the_file() {
        assert_eq!(insert("a\nb", 0, "x\n").unwrap(), "x\na\nb");
        assert_eq!(insert("a\nb", 1, "x").unwrap(), "a\nx\nb");
        assert_eq!(insert("a\nb", 2, "x").unwrap(), "a\nb\nx");
        for line in [-1, 3, i64::MAX, i64::MIN] {
            assert_eq!(insert("a\nb", line, "x").unwrap_err(), FileError::BadLine { line, lines: 2 });
        }
    }
}
