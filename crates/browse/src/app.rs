//! What is on the screen, and what keys do to it.

use elfmem_engine::{Memory, Result, Undo};
use elfmem_store::Store;
use ratatui::crossterm::event::KeyEvent;
use ratatui::text::Line;

use crate::item::{ListItem, Listing, read};
use crate::keys::{KeyCommand, command, in_keys};
use crate::view::View;
use crate::{detail, settle};

/// The state of the interface.
pub(crate) struct App<'m, S: Store> {
    memory: &'m Memory<S>,
    pub(crate) view: View,
    /// The question, as far as it is typed.
    pub(crate) question: String,
    /// Whether keys go into the question.
    pub(crate) typing: bool,
    pub(crate) items: Vec<ListItem>,
    pub(crate) selected: usize,
    /// The text of the selected row.
    pub(crate) detail: Vec<Line<'static>>,
    /// The first line of it on the screen.
    pub(crate) scroll: u16,
    /// Whether the text has the keys, and on a narrow screen all of its place.
    pub(crate) open: bool,
    pub(crate) help: bool,
    /// What was done last, or what was refused.
    pub(crate) note: Option<String>,
    /// The undo that a second press confirms.
    pending: Option<Undo>,
    /// The undo that can be brought back.
    undone: Option<i64>,
    search_due: bool,
    changes: usize,
}

impl<'m, S: Store> App<'m, S> {
    /// Reads the memory for the first time.
    pub(crate) fn new(memory: &'m Memory<S>) -> Result<Self> {
        let mut app = Self {
            memory,
            view: View::Blocks,
            question: String::new(),
            typing: false,
            items: Vec::new(),
            selected: 0,
            detail: Vec::new(),
            scroll: 0,
            open: false,
            help: false,
            note: None,
            pending: None,
            undone: None,
            search_due: false,
            changes: 0,
        };
        app.load()?;
        Ok(app)
    }

    /// Returns how many operations changed the memory.
    pub(crate) fn changes(&self) -> usize {
        self.changes
    }

    /// Whether the question changed since it was asked.
    pub(crate) fn search_due(&self) -> bool {
        self.search_due
    }

    /// Asks the question as it is now.
    pub(crate) fn search(&mut self) {
        self.selected = 0;
        self.reload();
    }

    /// Does what a key asks for. Returns false if that is to quit.
    pub(crate) fn press(&mut self, key: KeyEvent) -> bool {
        let Some(command) = command(key, self.typing) else { return true };
        let pending = self.pending.take();
        match command {
            _ if std::mem::take(&mut self.help) => {}
            KeyCommand::Quit => return false,
            KeyCommand::Back if !self.typing && !self.open && self.question.is_empty() => return false,
            KeyCommand::Help => self.help = true,
            KeyCommand::Undo => self.undo(pending),
            _ => {
                self.note = None;
                self.act(command);
            }
        }
        true
    }

    fn act(&mut self, command: KeyCommand) {
        match command {
            KeyCommand::Back => self.back(),
            KeyCommand::Move(rows) if self.open => {
                let last = u16::try_from(self.detail.len().saturating_sub(1)).unwrap_or(u16::MAX);
                let moved = i64::from(self.scroll).saturating_add(rows as i64).clamp(0, i64::from(last));
                self.scroll = u16::try_from(moved).unwrap_or(last);
            }
            KeyCommand::Move(rows) => self.select(self.selected.saturating_add_signed(rows)),
            KeyCommand::First => self.select(0),
            KeyCommand::Last => self.select(usize::MAX),
            KeyCommand::Open => {
                if self.search_due {
                    self.search();
                }
                self.open = !self.typing && !self.items.is_empty();
                self.typing = false;
            }
            KeyCommand::NextView => self.look_at(self.view.after(1)),
            KeyCommand::PreviousView => self.look_at(self.view.after(View::ALL.len() - 1)),
            KeyCommand::Ask => {
                if self.view != View::Blocks {
                    self.look_at(View::Blocks);
                }
                (self.typing, self.open) = (true, false);
            }
            KeyCommand::Type(typed) => {
                self.question.push(typed);
                self.search_due = true;
            }
            KeyCommand::Erase => {
                self.question.pop();
                self.search_due = true;
            }
            KeyCommand::EraseAll => {
                self.question.clear();
                self.search_due = true;
            }
            KeyCommand::Redo => self.redo(),
            KeyCommand::Quit | KeyCommand::Help | KeyCommand::Undo => {}
            _ => self.settle(command),
        }
    }

    fn back(&mut self) {
        if self.typing {
            self.typing = false;
        } else if self.open {
            self.open = false;
        } else if !self.question.is_empty() {
            self.question.clear();
            self.search();
        }
    }

    fn look_at(&mut self, view: View) {
        (self.view, self.selected, self.open, self.typing) = (view, 0, false, false);
        self.reload();
    }

    fn select(&mut self, row: usize) {
        self.selected = row.min(self.items.len().saturating_sub(1));
        self.show_selected();
    }

    fn settle(&mut self, command: KeyCommand) {
        let done = self.items.get(self.selected).and_then(|item| settle::apply(self.memory, item, command));
        match done {
            Some(Ok(sentence)) => self.changed(&sentence),
            Some(Err(error)) => self.note = Some(in_keys(&error.to_string())),
            None => self.note = Some("That key does nothing here; ? lists the keys.".to_owned()),
        }
    }

    /// Takes back what was confirmed; otherwise says what it would take back, and waits.
    fn undo(&mut self, confirmed: Option<Undo>) {
        let is_confirmed = confirmed.is_some();
        let request = confirmed.unwrap_or_else(|| settle::undo_request(self.items.get(self.selected)));
        let tried = if is_confirmed { request.clone() } else { request.clone().dry_run() };
        match self.memory.undo(tried) {
            Ok(undone) if is_confirmed => {
                self.undone = undone.undo_seq;
                self.changed(&undone.to_string());
            }
            Ok(would) => {
                self.note = Some(format!("{} u again does it.", in_keys(&would.to_string())));
                // By its number: somebody else may do something meanwhile.
                self.pending = Some(Undo::operation(would.seq));
            }
            Err(error) => self.note = Some(in_keys(&error.to_string())),
        }
    }

    fn redo(&mut self) {
        let Some(seq) = self.undone.take() else {
            self.note = Some("Nothing was undone here.".to_owned());
            return;
        };
        match self.memory.undo(Undo::operation(seq)) {
            Ok(done) => self.changed(&done.to_string()),
            Err(error) => self.note = Some(in_keys(&error.to_string())),
        }
    }

    fn changed(&mut self, sentence: &str) {
        self.changes += 1;
        self.reload();
        self.note = Some(in_keys(sentence));
    }

    fn reload(&mut self) {
        if let Err(error) = self.load() {
            self.note = Some(in_keys(&error.to_string()));
        }
    }

    fn load(&mut self) -> Result<()> {
        self.search_due = false;
        let Listing { items, note } = read(self.memory, self.view, &self.question)?;
        self.items = items;
        self.note = note.map(|note| in_keys(&note));
        self.select(self.selected);
        Ok(())
    }

    fn show_selected(&mut self) {
        self.scroll = 0;
        let shown = self.items.get(self.selected).map(|item| detail::lines(self.memory, item)).transpose();
        match shown {
            Ok(lines) => self.detail = lines.unwrap_or_default(),
            Err(error) => self.note = Some(in_keys(&error.to_string())),
        }
    }
}
