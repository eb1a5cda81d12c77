//! What keys mean.

use elfmem_engine::catalog::{VerbCall, VerbId, replace_calls};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::item::one_line;

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyCommand {
    Quit,
    /// Back out of what is open, one step.
    Back,
    /// Move in the list, or in the text that is open.
    Move(isize),
    First,
    Last,
    /// Open the selected row.
    Open,
    NextView,
    PreviousView,
    /// Begin to type a question.
    Ask,
    Type(char),
    Erase,
    EraseAll,
    Accept,
    Reject,
    KeepFirst,
    KeepSecond,
    KeepBoth,
    /// Forget a block, or bring a forgotten one back.
    Forget,
    /// Pin a block, or let it fade again.
    Pin,
    Undo,
    /// Bring back what was undone last.
    Redo,
    Help,
}

/// Returns a text of the library on one line, with keys for what they do and commands for the rest.
pub(crate) fn in_keys(text: &str) -> String {
    let say = |call: &VerbCall<'_>| match call.verb.id {
        // What an undo brings back is named by its number.
        VerbId::Undo if call.under("").is_empty() => "u".to_owned(),
        VerbId::Undo => "r".to_owned(),
        VerbId::Restore => "f".to_owned(),
        _ => call.typed(),
    };
    replace_calls(&one_line(text), say)
}

/// Rows of a page.
const PAGE: isize = 10;

/// Returns what a key asks for, while a question is typed and while none is.
pub(crate) fn command(key: KeyEvent, typing: bool) -> Option<KeyCommand> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let command = match key.code {
        KeyCode::Char('c' | 'd') if control => KeyCommand::Quit,
        // What enter sends where the terminal does not translate it.
        KeyCode::Char('j' | 'm') if control => KeyCommand::Open,
        KeyCode::Char('u') if control && typing => KeyCommand::EraseAll,
        KeyCode::Char(_) if control || key.modifiers.contains(KeyModifiers::ALT) => return None,
        KeyCode::Esc => KeyCommand::Back,
        KeyCode::Enter => KeyCommand::Open,
        KeyCode::Tab => KeyCommand::NextView,
        KeyCode::BackTab => KeyCommand::PreviousView,
        KeyCode::Up => KeyCommand::Move(-1),
        KeyCode::Down => KeyCommand::Move(1),
        KeyCode::PageUp => KeyCommand::Move(-PAGE),
        KeyCode::PageDown => KeyCommand::Move(PAGE),
        KeyCode::Backspace if typing => KeyCommand::Erase,
        KeyCode::Char(typed) if typing => KeyCommand::Type(typed),
        KeyCode::Home => KeyCommand::First,
        KeyCode::End => KeyCommand::Last,
        KeyCode::Left => KeyCommand::Back,
        KeyCode::Right => KeyCommand::Open,
        KeyCode::Char(letter) => return by_letter(letter),
        _ => return None,
    };
    Some(command)
}

fn by_letter(letter: char) -> Option<KeyCommand> {
    Some(match letter {
        'q' => KeyCommand::Quit,
        'k' => KeyCommand::Move(-1),
        'j' => KeyCommand::Move(1),
        'g' => KeyCommand::First,
        'G' => KeyCommand::Last,
        'h' => KeyCommand::Back,
        'l' => KeyCommand::Open,
        '/' => KeyCommand::Ask,
        'a' => KeyCommand::Accept,
        'x' => KeyCommand::Reject,
        '1' => KeyCommand::KeepFirst,
        '2' => KeyCommand::KeepSecond,
        'b' => KeyCommand::KeepBoth,
        'f' => KeyCommand::Forget,
        'p' => KeyCommand::Pin,
        'u' => KeyCommand::Undo,
        'r' => KeyCommand::Redo,
        '?' => KeyCommand::Help,
        _ => return None,
    })
}
