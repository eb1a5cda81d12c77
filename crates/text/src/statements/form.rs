//! The outer form of a text: only prose and short notes are statements.

/// The outer form of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One or a few sentences, or a note.
    Prose,
    /// A question.
    Question,
    /// Source code, a command, a log or a configuration.
    Code,
    /// Several items below each other.
    List,
    /// Rows of cells.
    Table,
    /// A paragraph or more: it states too much to be replaced as a whole.
    Passage,
}

/// Maximum length of a text that is one statement, in bytes.
const MAX_LENGTH: usize = 400;

impl Form {
    /// Returns the form of a text.
    pub(super) fn of(text: &str) -> Self {
        let text = text.trim();
        if text.contains("```") {
            return Self::Code;
        }
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let (first, rest) = (lines.next().unwrap_or_default(), lines.count());
        if first.matches('|').count() >= 2 {
            return Self::Table;
        }
        if rest > 0 {
            return Self::List;
        }
        if is_code(text) {
            return Self::Code;
        }
        if text.ends_with('?') {
            return Self::Question;
        }
        if text.len() > MAX_LENGTH { Self::Passage } else { Self::Prose }
    }
}

/// Returns true if signs of code outweigh words: braces, arrows, calls, assignments, paths.
fn is_code(text: &str) -> bool {
    let signs = ["{", "}", "=>", "->", "::", "();", "==", "!=", "&&", "||", "</", "/>", "#!/", "$ "];
    let found = signs.iter().filter(|sign| text.contains(**sign)).count();
    let shell = ["sudo ", "git ", "cargo ", "npm ", "docker ", "kubectl ", "curl ", "SELECT ", "INSERT ", "import "];
    let command = shell.iter().any(|command| text.starts_with(command)) && !text.contains(" is ");
    let assigned = text.split_whitespace().count() <= 6
        && text.split_once('=').is_some_and(|(name, _)| {
            let name = name.trim().trim_start_matches(['"', '[']);
            !name.is_empty() && !name.contains(' ') && name.contains(['_', '.', '-'])
        });
    found >= 2 || command || assigned || text.ends_with(';') && text.contains(['(', ':', '='])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_lists_tables_and_questions_are_not_prose() {
        for (text, form) in [
            ("The port is 5432.", Form::Prose),
            ("Default branch: master", Form::Prose),
            ("Is the port 5432?", Form::Question),
            ("- milk\n- eggs", Form::List),
            ("| a | b |\n|---|---|", Form::Table),
            ("```\nlet x = 1;\n```", Form::Code),
            ("fn main() { run(); }", Form::Code),
            ("cache.enabled = true", Form::Code),
            ("font-size: 14px;", Form::Code),
            ("git push --force", Form::Code),
        ] {
            assert_eq!(Form::of(text), form, "{text}");
        }
        assert_eq!(Form::of(&"A long story. ".repeat(60)), Form::Passage);
    }
}
