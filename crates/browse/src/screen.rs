//! Draws the state.

use elfmem_store::Store;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, List, ListItem, ListState, Paragraph, Wrap};

use crate::app::App;
use crate::view::View;

/// The width from which list and text stand side by side.
const SIDE_BY_SIDE: u16 = 76;
/// The most lines of a note.
const LONGEST_NOTE: u16 = 3;
/// The width of the mark before a row.
const MARK: usize = 5;

const HELP: &[(&str, &str)] = &[
    ("/", "ask a question; the list follows as you type"),
    ("↑ ↓ j k", "move, page up and down for ten"),
    ("enter", "open the text; esc goes back"),
    ("tab", "next list"),
    ("a x", "accept or reject a proposal"),
    ("1 2 b", "keep the first, the second or both"),
    ("f", "forget a block, or bring it back"),
    ("p", "pin a block, or let it fade again"),
    ("u", "undo: tells what, a second u does it"),
    ("r", "bring back what u took back"),
    ("q", "quit"),
];

/// Draws everything.
pub(crate) fn draw<S: Store>(frame: &mut Frame<'_>, app: &App<'_, S>) {
    let note = app.note.as_deref().unwrap_or(hints(app));
    let note_lines = wrapped_lines(note, frame.area().width).min(LONGEST_NOTE);
    let rows = [Constraint::Length(1), Constraint::Length(1), Constraint::Min(1), Constraint::Length(note_lines)];
    let [tabs, question, body, foot] = Layout::vertical(rows).areas(frame.area());
    frame.render_widget(tab_line(app), tabs);
    frame.render_widget(question_line(app), question);
    if app.help {
        frame.render_widget(help(), body);
    } else if body.width >= SIDE_BY_SIDE {
        let halves = [Constraint::Percentage(45), Constraint::Percentage(55)];
        let [left, right] = Layout::horizontal(halves).areas(body);
        draw_list(frame, app, left);
        draw_detail(frame, app, right, Borders::LEFT);
    } else if app.open {
        draw_detail(frame, app, body, Borders::NONE);
    } else {
        draw_list(frame, app, body);
    }
    let style = if app.note.is_some() { Style::new() } else { Style::new().dim() };
    frame.render_widget(Paragraph::new(note.to_owned()).style(style).wrap(Wrap { trim: true }), foot);
    if app.typing {
        let column = u16::try_from(Line::from(app.question.as_str()).width()).unwrap_or(u16::MAX).saturating_add(2);
        frame.set_cursor_position((question.x + column.min(question.width.saturating_sub(1)), question.y));
    }
}

fn tab_line<S: Store>(app: &App<'_, S>) -> Line<'static> {
    let tab = |view: View| {
        let title = Span::from(view.title());
        [if view == app.view { title.reversed() } else { title.dim() }, Span::from(" ")]
    };
    Line::from_iter(View::ALL.into_iter().flat_map(tab))
}

fn question_line<S: Store>(app: &App<'_, S>) -> Line<'static> {
    let question = match (app.question.is_empty(), app.typing) {
        (true, false) => Span::from("/ to ask").dim(),
        _ => Span::from(elfmem_text::terms::escape_hidden(&app.question).into_owned()),
    };
    let prompt = if app.question.is_empty() && !app.typing { "" } else { "/ " };
    Line::from(vec![Span::from(prompt).bold(), question])
}

fn draw_list<S: Store>(frame: &mut Frame<'_>, app: &App<'_, S>, area: Rect) {
    if app.items.is_empty() {
        let empty = if app.question.is_empty() { app.view.when_empty() } else { "Nothing is known about this." };
        frame.render_widget(Paragraph::new(empty).dim().wrap(Wrap { trim: true }), area);
        return;
    }
    let rows = app.items.iter().map(|item| {
        let (mark, text) = item.line();
        let line = Line::from(vec![Span::from(format!("{mark:>MARK$} ")).dim(), Span::from(text)]);
        ListItem::new(if item.is_past() { line.dim() } else { line })
    });
    let list = List::new(rows).highlight_style(Style::new().reversed());
    let mut state = ListState::default().with_selected(Some(app.selected));
    frame.render_stateful_widget(list, area, &mut state);
}

fn draw_detail<S: Store>(frame: &mut Frame<'_>, app: &App<'_, S>, area: Rect, borders: Borders) {
    let style = if app.open { Style::new().bold() } else { Style::new().dim() };
    let border = Block::new().borders(borders).border_style(style);
    let text = Paragraph::new(app.detail.clone()).block(border).wrap(Wrap { trim: false }).scroll((app.scroll, 0));
    frame.render_widget(text, area);
}

fn help() -> Paragraph<'static> {
    let line = |(keys, meaning): &(&'static str, &'static str)| {
        Line::from(vec![Span::from(format!("{keys:<9}")).bold(), Span::from(*meaning)])
    };
    Paragraph::new(HELP.iter().map(line).collect::<Vec<_>>()).wrap(Wrap { trim: false })
}

/// The keys that matter now.
fn hints<S: Store>(app: &App<'_, S>) -> &'static str {
    match app.view {
        _ if app.help => "any key goes on",
        _ if app.typing => "enter: to the list   esc: stop typing",
        _ if app.open => "↑ ↓ scroll   esc back   u undo   ? keys",
        View::Blocks => "/ ask   enter open   f forget   p pin   u undo   ? keys   q quit",
        View::Proposals => "a accept   x reject   enter open   u undo   ? keys   q quit",
        View::Contradictions => "1 first   2 second   b both   u undo   ? keys   q quit",
        View::History => "u undo this   enter open   ? keys   q quit",
    }
}

fn wrapped_lines(text: &str, width: u16) -> u16 {
    let width = usize::from(width.max(1));
    // Words that do not fit move on as a whole, so a line may stay a little shorter than the screen.
    u16::try_from((Line::from(text).width() * 11 / 10).div_ceil(width)).unwrap_or(u16::MAX).max(1)
}
