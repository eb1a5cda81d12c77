//! A bar for long work, on a terminal; nothing on a pipe.

use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};

use elfmem_engine::{Progress, ProgressListener};
use indicatif::{ProgressBar, ProgressStyle};

use crate::layout::error_width;

/// Columns of a bar, and what its name, counts and time take beside it.
const WIDEST: usize = 40;
const NARROWEST: usize = 5;
const BESIDE: usize = 32;

/// Who is told how far long work has come: a bar on standard error if that is a terminal.
pub(crate) fn listener() -> Option<ProgressListener> {
    if !std::io::stderr().is_terminal() {
        return None;
    }
    let bar: Mutex<Option<ProgressBar>> = Mutex::new(None);
    Some(ProgressListener::new(move |progress| {
        let mut bar = bar.lock().unwrap_or_else(PoisonError::into_inner);
        match progress {
            Progress::Stage(name, total) => {
                if let Some(old) = bar.take() {
                    old.finish_and_clear();
                }
                // Nothing to do needs no bar.
                if total == 0 {
                    return;
                }
                let width = error_width().map_or(WIDEST, |width| width.saturating_sub(BESIDE).clamp(NARROWEST, WIDEST));
                let style =
                    ProgressStyle::with_template(&format!("{{msg:>9}} {{bar:{width}}} {{pos}}/{{len}} {{eta}}"));
                let new = ProgressBar::new(total as u64).with_message(name);
                *bar = Some(match style {
                    Ok(style) => new.with_style(style),
                    Err(_) => new,
                });
            }
            Progress::Done(count) => {
                if let Some(bar) = bar.as_ref() {
                    bar.set_position(count as u64);
                }
            }
            _ => {}
        }
    }))
}

/// Makes a progress callback that is called with the number of steps done and their total.
pub(crate) fn counter(name: &'static str) -> impl FnMut(u64, u64) {
    let listener = listener();
    let mut begun = false;
    move |done, all| {
        let Some(listener) = &listener else { return };
        if !begun {
            listener.report(Progress::Stage(name, all as usize));
            begun = true;
        }
        listener.report(Progress::Done(done as usize));
    }
}
