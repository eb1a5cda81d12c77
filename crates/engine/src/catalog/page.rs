//! What the generated reference pages share: words for kinds of values, and line breaks.

use super::verb::{Field, ValueKind};

/// The longest line of prose in a page, in characters.
const WIDTH: usize = 100;

impl ValueKind {
    /// Returns the kind as the reference pages call it.
    pub fn in_words(self) -> String {
        match self {
            Self::Text => "text".to_owned(),
            Self::Texts => "texts".to_owned(),
            Self::Count => "count".to_owned(),
            Self::Counts => "counts".to_owned(),
            Self::Number => "number".to_owned(),
            Self::Numbers => "numbers".to_owned(),
            Self::Flag => "yes or no".to_owned(),
            Self::Choice(words) => words.join(", "),
            Self::Time => "time".to_owned(),
            Self::Object => "object".to_owned(),
            Self::Objects => "objects".to_owned(),
        }
    }
}

impl Field {
    /// Returns the field with its kind, and whether it can be missing, as the reference pages show it.
    pub fn in_words(&self) -> String {
        let more = match (self.nullable, self.optional) {
            (true, _) => ", or null",
            (_, true) => ", only where there is something to tell",
            _ => "",
        };
        format!("`{}` ({}{more})", self.name, self.kind.in_words())
    }
}

/// Breaks the long lines of a Markdown page. Tables, headings and code stay as they are.
pub fn wrap_markdown(page: &str) -> String {
    let mut wrapped = String::with_capacity(page.len() + page.len() / 50);
    let mut in_code = false;
    for line in page.split_inclusive('\n') {
        let text = line.trim_end_matches('\n');
        in_code ^= text.trim_start().starts_with("```");
        if in_code || text.starts_with(['|', '#']) || text.chars().count() <= WIDTH {
            wrapped.push_str(line);
        } else {
            wrap_line(&mut wrapped, text);
            wrapped.push_str(&line[text.len()..]);
        }
    }
    wrapped
}

fn wrap_line(wrapped: &mut String, line: &str) {
    let marker = marker_length(line);
    let (first, text) = line.split_at(marker);
    let indent: String = first.chars().map(|c| if c == '>' { '>' } else { ' ' }).collect();
    wrapped.push_str(first);
    let mut column = first.chars().count();
    for (number, word) in text.split(' ').enumerate() {
        let length = word.chars().count();
        if number > 0 && column + 1 + length > WIDTH && marker_length(&format!("{word} ")) == 0 {
            wrapped.push('\n');
            wrapped.push_str(&indent);
            column = indent.chars().count();
        } else if number > 0 {
            wrapped.push(' ');
            column += 1;
        }
        wrapped.push_str(word);
        column += length;
    }
}

/// Returns the length of the marks that begin a quotation or an item of a list. ASCII, so it is a position in the line too.
fn marker_length(line: &str) -> usize {
    let mut at = line.len() - line.trim_start_matches([' ', '>']).len();
    let rest = &line[at..];
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if rest.starts_with("- ") || rest.starts_with("* ") {
        at += 2;
    } else if digits > 0 && rest[digits..].starts_with(". ") {
        at += digits + 2;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_broken_and_tables_headings_and_code_are_not() {
        let long = "word ".repeat(30).trim_end().to_owned();
        for kept in [format!("| {long} |\n"), format!("## {long}\n"), format!("```sh\n{long}\n```\n"), "short\n".into()]
        {
            assert_eq!(wrap_markdown(&kept), kept);
        }
        let page = wrap_markdown(&format!("{long}\n\nshort"));
        assert!(page.lines().all(|line| line.chars().count() <= WIDTH), "{page}");
        assert_eq!(page.split_whitespace().collect::<Vec<_>>(), format!("{long} short").split(' ').collect::<Vec<_>>());
        assert!(page.ends_with("\n\nshort"));
    }

    #[test]
    fn items_and_quotations_continue_below_their_text() {
        let long = "word ".repeat(30).trim_end().to_owned();
        assert!(wrap_markdown(&format!("- {long}")).contains("\n  word"));
        assert!(wrap_markdown(&format!("12. {long}")).contains("\n    word"));
        assert!(wrap_markdown(&format!("> 1. {long}")).contains("\n>    word"));
    }

    #[test]
    fn no_line_begins_with_a_mark_that_was_a_word() {
        for at in 60..110 {
            let text = format!("{} - {}", "x".repeat(at), "y ".repeat(60));
            assert!(!wrap_markdown(&text).contains("\n- "), "{at}");
        }
    }
}
