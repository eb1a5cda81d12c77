//! The terminal: raw mode, events, and its state as it was afterwards, whatever happens.

use std::io;
use std::time::Duration;

use elfmem_store::Store;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyEventKind};

use crate::app::App;
use crate::screen::draw;

/// How long the keys must rest before a question is asked.
const PAUSE: Duration = Duration::from_millis(90);

/// Shows the state and passes keys to it until it quits.
pub(crate) fn run<S: Store>(app: &mut App<'_, S>) -> io::Result<()> {
    let mut terminal = ratatui::try_init()?;
    let ended = serve_keys(&mut terminal, app);
    ratatui::try_restore()?;
    ended
}

fn serve_keys<S: Store>(terminal: &mut DefaultTerminal, app: &mut App<'_, S>) -> io::Result<()> {
    loop {
        terminal.draw(|frame| draw(frame, app))?;
        if app.search_due() && !event::poll(PAUSE)? {
            app.search();
            continue;
        }
        match event::read()? {
            Event::Key(key) if key.kind != KeyEventKind::Release && !app.press(key) => return Ok(()),
            _ => {}
        }
    }
}
