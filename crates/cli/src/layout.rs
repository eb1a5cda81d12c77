//! How text fills a terminal: lines are broken at words, and what follows stands below the text it belongs to.

use std::io::IsTerminal;

use elfmem_engine::render::{UNTRUSTED_BAR, UNTRUSTED_MARK};
use elfmem_text::fence::BAR;

use crate::{environment, style};

/// The narrowest terminal that text is laid out for. On a narrower one lines are left to the terminal.
const NARROWEST: usize = 20;
/// How far the further lines of a line are moved in.
const INDENT: usize = 2;

/// The size of the terminal that the answer goes to, in columns and rows; none for a pipe and where the width is unknown. The
/// rows are 0 where they are unknown.
pub(crate) fn terminal() -> Option<(usize, usize)> {
    size_of(&std::io::stdout())
}

/// The columns of the terminal that errors go to; none for a pipe and where the width is unknown.
pub(crate) fn error_width() -> Option<usize> {
    size_of(&std::io::stderr()).map(|(width, _)| width)
}

/// The size of the terminal behind a stream. `COLUMNS` goes before the width that the terminal reports.
fn size_of(stream: &(impl IsTerminal + Stream)) -> Option<(usize, usize)> {
    if !stream.is_terminal() {
        return None;
    }
    let (width, rows) = reported_size(stream);
    let width = environment::columns().unwrap_or(width);
    (width >= NARROWEST).then_some((width, rows))
}

#[cfg(unix)]
use std::os::fd::AsFd as Stream;
#[cfg(windows)]
use std::os::windows::io::AsHandle as Stream;

/// The columns and rows that a terminal reports: 0 for what it does not know. One may know its columns alone.
#[cfg(unix)]
fn reported_size(stream: &impl Stream) -> (usize, usize) {
    rustix::termios::tcgetwinsize(stream).map_or((0, 0), |size| (size.ws_col.into(), size.ws_row.into()))
}

#[cfg(windows)]
fn reported_size(stream: &impl Stream) -> (usize, usize) {
    terminal_size::terminal_size_of(stream).map_or((0, 0), |(width, rows)| (width.0.into(), rows.0.into()))
}

/// Returns a text whose lines fit a width. Marks of styles take no room.
pub(crate) fn wrap(text: &str, width: usize) -> String {
    let lines: Vec<String> = text.split('\n').map(|line| wrap_line(line, width)).collect();
    lines.join("\n")
}

fn wrap_line(line: &str, width: usize) -> String {
    if visible_width(line) <= width {
        return style::without_hang(line);
    }
    let prefix = prefix_of(line, width);
    let (mut whole, mut used, mut at_start) = (String::new(), 0, true);
    for piece in line.split_inclusive(' ') {
        let (word, needed) = (piece.trim_end_matches(' '), visible_width(piece.trim_end_matches(' ')));
        // A word that no line can hold is broken where it stands.
        let fits_below = visible_width(&prefix) + needed <= width;
        if !at_start && used + needed > width && fits_below {
            whole.truncate(whole.trim_end_matches(' ').len());
            whole.push('\n');
            whole.push_str(&prefix);
            used = visible_width(&prefix);
        }
        used = push_broken(&mut whole, word, used, width, &prefix);
        at_start = false;
        if piece.ends_with(' ') && used < width {
            whole.push(' ');
            used += 1;
        }
    }
    style::without_hang(whole.trim_end_matches(' '))
}

/// Adds a word, broken where it is longer than a line; returns how far the line is filled.
fn push_broken(whole: &mut String, word: &str, before: usize, width: usize, prefix: &str) -> usize {
    let mut used = before;
    for part in style::parts(word) {
        let style::StyledPart::Text(text) = part else {
            whole.push_str(part.as_str());
            continue;
        };
        for c in text.chars() {
            if used + character_width(c) > width {
                whole.push('\n');
                whole.push_str(prefix);
                used = visible_width(prefix);
            }
            whole.push(c);
            used += character_width(c);
        }
    }
    used
}

/// What the further lines of a line begin with: the bar of a quoted text, the column that the line itself marks, or a few
/// spaces more than the line.
fn prefix_of(line: &str, width: usize) -> String {
    let spaces = line.len() - line.trim_start_matches(' ').len();
    if line[spaces..].starts_with(BAR) {
        let quoted = &line[spaces + BAR.len()..];
        let is_untrusted = [UNTRUSTED_MARK, UNTRUSTED_BAR].iter().any(|mark| quoted.starts_with(mark));
        let inner = if is_untrusted { UNTRUSTED_BAR } else { "" };
        return format!("{}{BAR}{inner}", " ".repeat(spaces.min(width / 2)));
    }
    let column = style::before_hang(line).map(visible_width).filter(|column| *column <= width / 2);
    " ".repeat(column.unwrap_or((spaces + INDENT).min(width / 2)))
}

/// The columns that a text takes.
pub(crate) fn visible_width(text: &str) -> usize {
    let texts =
        style::parts(text).filter_map(|part| if let style::StyledPart::Text(text) = part { Some(text) } else { None });
    texts.flat_map(str::chars).map(character_width).sum()
}

/// The columns that a character takes: two for the wide letters of East Asia and pictures, none for marks above letters.
fn character_width(c: char) -> usize {
    match u32::from(c) {
        0x0300..=0x036f | 0x0483..=0x0489 | 0x0591..=0x05bd | 0x0610..=0x061a | 0x064b..=0x065f | 0x200b..=0x200f => 0,
        0xfe00..=0xfe0f | 0x20d0..=0x20ff => 0,
        0x1100..=0x115f | 0x2e80..=0x303e | 0x3041..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff => 2,
        0xfe30..=0xfe6f | 0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1faff | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::style::{HANG, NAME};

    #[test]
    fn further_lines_stand_below_what_they_belong_to() {
        assert_eq!(wrap("one two three four", 9), "one two\n  three\n  four");
        assert_eq!(wrap("│ one two three\n│ four", 9), "│ one two\n│ three\n│ four");
        assert_eq!(wrap(&format!("id  {HANG}one two three"), 12), "id  one two\n    three");
        assert_eq!(wrap(&format!("short  {HANG}one"), 12), "short  one");
        assert_eq!(wrap("abcdefghijklmnop", 10), "abcdefghij\n  klmnop");
        assert_eq!(wrap("漢字漢字漢字漢字", 8), "漢字漢字\n  漢字漢\n  字");
        let styled = format!("{NAME}one{NAME:#} two three");
        assert_eq!(wrap(&styled, 8), format!("{NAME}one{NAME:#} two\n  three"));
    }

    proptest! {
        #[test]
        fn no_line_is_wider_than_the_terminal_and_no_word_is_lost(text in "[a-c 漢\n│ñ]{0,120}", width in 20usize..50) {
            let wrapped = wrap(&text, width);
            for line in wrapped.lines() {
                prop_assert!(visible_width(line) <= width, "{line:?}");
            }
            let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace() && *c != '│').collect::<String>();
            prop_assert_eq!(letters(&wrapped), letters(&text));
        }
    }
}
