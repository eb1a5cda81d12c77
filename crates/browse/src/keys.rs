//! What keys mean.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Command {
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

/// Rows of a page.
const PAGE: isize = 10;

/// Returns what a key asks for, while a question is typed and while none is.
pub(crate) fn command(key: KeyEvent, typing: bool) -> Option<Command> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let command = match key.code {
        KeyCode::Char('c' | 'd') if control => Command::Quit,
        // What enter sends where the terminal does not translate it.
        KeyCode::Char('j' | 'm') if control => Command::Open,
        KeyCode::Char('u') if control && typing => Command::EraseAll,
        KeyCode::Char(_) if control || key.modifiers.contains(KeyModifiers::ALT) => return None,
        KeyCode::Esc => Command::Back,
        KeyCode::Enter => Command::Open,
        KeyCode::Tab => Command::NextView,
        KeyCode::BackTab => Command::PreviousView,
        KeyCode::Up => Command::Move(-1),
        KeyCode::Down => Command::Move(1),
        KeyCode::PageUp => Command::Move(-PAGE),
        KeyCode::PageDown => Command::Move(PAGE),
        KeyCode::Backspace if typing => Command::Erase,
        KeyCode::Char(typed) if typing => Command::Type(typed),
        KeyCode::Home => Command::First,
        KeyCode::End => Command::Last,
        KeyCode::Left => Command::Back,
        KeyCode::Right => Command::Open,
        KeyCode::Char(letter) => return by_letter(letter),
        _ => return None,
    };
    Some(command)
}

fn by_letter(letter: char) -> Option<Command> {
    Some(match letter {
        'q' => Command::Quit,
        'k' => Command::Move(-1),
        'j' => Command::Move(1),
        'g' => Command::First,
        'G' => Command::Last,
        'h' => Command::Back,
        'l' => Command::Open,
        '/' => Command::Ask,
        'a' => Command::Accept,
        'x' => Command::Reject,
        '1' => Command::KeepFirst,
        '2' => Command::KeepSecond,
        'b' => Command::KeepBoth,
        'f' => Command::Forget,
        'p' => Command::Pin,
        'u' => Command::Undo,
        'r' => Command::Redo,
        '?' => Command::Help,
        _ => return None,
    })
}
