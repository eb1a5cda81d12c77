//! Colours. They vanish on a pipe and under NO_COLOR.

use anstyle::{AnsiColor, Style};

/// Ids and names: what can be pasted back.
pub(crate) const NAME: Style = AnsiColor::Cyan.on_default();
/// What is less important than what it stands beside.
pub(crate) const DIM: Style = Style::new().dimmed();
/// What went well.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// What needs attention.
pub(crate) const NOTE: Style = AnsiColor::Yellow.on_default();
/// What went wrong.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
/// Headings.
pub(crate) const STRONG: Style = Style::new().bold();

/// What each of them writes to a terminal, beginnings and ends. The longer ones come first: some begin with others.
pub(crate) fn codes() -> Vec<String> {
    let styles = [NAME, DIM, GOOD, NOTE, BAD, STRONG];
    let mut codes: Vec<String> =
        styles.iter().flat_map(|style| [style.render().to_string(), style.render_reset().to_string()]).collect();
    codes.sort_by_key(|code| std::cmp::Reverse(code.len()));
    codes.dedup();
    codes
}
