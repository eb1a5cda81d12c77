//! `export`: writes a memory as JSON lines (complete) or as Markdown files (for reading).

use std::io::Write;
use std::ops::ControlFlow;

use elfmem_core::frame::builtin_frames;
use elfmem_core::{Frame, Scope};
use elfmem_store::{Row, Snapshot, Store};
use serde::Serialize;

use super::error::TransferError;
use super::header::{End, FORMAT_NAME, FORMAT_VERSION, Header};
use super::result::{ExportResult, SkippedRows};
use super::{markdown, settings};
use crate::memory::Memory;
use crate::models::locked_model;
use crate::progress::{Progress, ProgressListener};
use crate::{Error, Result};

/// Number of blocks between two progress reports.
const PROGRESS_INTERVAL: u64 = 256;

/// Options of `export`.
///
/// All fields are public; build one with struct update syntax: `ExportOptions { …, ..ExportOptions::default() }`.
#[derive(Clone, Default)]
pub struct ExportOptions {
    /// Whether to include vectors. Without them, an import embeds the blocks again.
    pub vectors: bool,
    /// Progress callback.
    pub progress: Option<ProgressListener>,
}

impl std::fmt::Debug for ExportOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ExportOptions").field("vectors", &self.vectors).finish_non_exhaustive()
    }
}

impl ExportOptions {
    fn report(&self, progress: Progress) {
        if let Some(listener) = &self.progress {
            listener.report(progress);
        }
    }
}

/// Writes JSON lines and counts the bytes.
struct LineWriter<'a> {
    out: &'a mut dyn Write,
    bytes: u64,
}

impl LineWriter<'_> {
    fn line(&mut self, value: &impl Serialize) -> std::io::Result<()> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        self.bytes += line.len() as u64;
        self.out.write_all(&line)
    }
}

fn unwritable(error: &std::io::Error) -> Error {
    TransferError::Unwritable { reason: error.to_string() }.into()
}

/// Converts a row to its form in an export of `scope`. Returns `None` for built-in frames and for
/// settings of the file or of other scopes.
pub(super) fn exported(row: Row, builtin: &[Frame], scope: &Scope) -> Option<Row> {
    match row {
        Row::Frame(frame) => (!builtin.contains(&frame)).then_some(Row::Frame(frame)),
        Row::Setting(setting) => settings::exported(setting, scope).map(Row::Setting),
        other => Some(other),
    }
}

impl<S: Store> Memory<S> {
    /// Writes everything that the view sees as lines of JSON: a header, then blocks in the order in which they were stored, edges,
    /// contradictions, outcomes, proposals, sessions, frames and the rest, then a last line that says it is complete.
    ///
    /// USE WHEN: you move a memory to another machine or program, or keep it in a form that any program reads. DON'T USE WHEN: you
    /// want a backup; a copy of the file also has the journal. COST: one pass; one row is in memory at a time. NEXT:
    /// [`import`](Self::import).
    ///
    /// # Errors
    /// [`TransferError::Unwritable`] when `out` takes no more.
    pub fn export(&self, out: &mut dyn Write, options: &ExportOptions) -> Result<ExportResult> {
        let left_behind = self.store().left_behind()?;
        self.read(|snapshot| {
            let mut writer = LineWriter { out, bytes: 0 };
            let mut result = ExportResult { vectors: options.vectors, ..ExportResult::default() };
            result.skipped = left_behind.iter().map(SkippedRows::from).collect();
            writer.line(&self.header(snapshot, options)?).map_err(|error| unwritable(&error))?;
            let counts = snapshot.get_block_counts()?;
            options.report(Progress::Stage("export", (counts.inbox + counts.active + counts.archived) as usize));
            let builtin = builtin_frames();
            let mut failed = None;
            snapshot.visit_rows(options.vectors.into(), &mut |row| {
                if let Row::Setting(setting) = &row
                    && let Some(reason) = settings::kept_for_later(setting)
                {
                    let (reason, place) = (reason.to_owned(), format!("setting {}", setting.key));
                    result.skipped.push(SkippedRows { reason, count: 1, places: vec![place] });
                }
                let Some(row) = exported(row, &builtin, snapshot.scope()) else {
                    return ControlFlow::Continue(());
                };
                if let Err(error) = writer.line(&row) {
                    failed = Some(error);
                    return ControlFlow::Break(());
                }
                result.count(&row);
                if result.blocks.is_multiple_of(PROGRESS_INTERVAL) {
                    options.report(Progress::Done(result.blocks as usize));
                }
                ControlFlow::Continue(())
            })?;
            let ended = match failed {
                Some(error) => Err(error),
                None => writer.line(&End::new(result.rows)).and_then(|()| writer.out.flush()),
            };
            ended.map_err(|error| unwritable(&error))?;
            result.bytes = writer.bytes;
            Ok(result)
        })
    }

    fn header(&self, snapshot: &dyn Snapshot, options: &ExportOptions) -> Result<Header> {
        Ok(Header {
            kind: "header".to_owned(),
            format: FORMAT_NAME.to_owned(),
            version: FORMAT_VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            exported_at: self.options.clock.now(),
            active_hours: snapshot.get_total_active_hours()?,
            scope: snapshot.scope().to_string(),
            embedding_model: locked_model(snapshot)?,
            vectors: options.vectors,
        })
    }

    /// Gives every block as a Markdown file with front matter: `put` gets its place below the folder and its text.
    ///
    /// USE WHEN: people want to read a memory, or put it under version control. DON'T USE WHEN: nothing may be lost; counts,
    /// outcomes and sessions are not in it. COST: one pass.
    ///
    /// # Errors
    /// [`TransferError::Unwritable`] when `put` fails.
    pub fn export_markdown(
        &self,
        put: &mut dyn FnMut(&str, &str) -> std::io::Result<()>,
        options: &ExportOptions,
    ) -> Result<ExportResult> {
        self.read(|snapshot| {
            let mut result = ExportResult::default();
            let counts = snapshot.get_block_counts()?;
            options.report(Progress::Stage("export", (counts.inbox + counts.active + counts.archived) as usize));
            let mut failed: Option<Error> = None;
            snapshot.visit_rows(elfmem_store::Vectors::Skip, &mut |row| {
                let Row::Block(row) = row else { return ControlFlow::Break(()) };
                let written = snapshot.get_edges_for_block(&row.block.id).map_err(Error::from).and_then(|edges| {
                    let text = markdown::render(&row.block, &edges, self.options.trust.trusts(&row.block));
                    put(&markdown::path_of(&row.block), &text).map_err(|error| unwritable(&error))?;
                    // An edge is written at both of its ends but counted once.
                    result.edges += edges.iter().filter(|edge| edge.key.from_id == row.block.id).count() as u64;
                    result.bytes += text.len() as u64;
                    Ok(())
                });
                if let Err(error) = written {
                    failed = Some(error);
                    return ControlFlow::Break(());
                }
                result.blocks += 1;
                result.rows += 1;
                if result.blocks.is_multiple_of(PROGRESS_INTERVAL) {
                    options.report(Progress::Done(result.blocks as usize));
                }
                ControlFlow::Continue(())
            })?;
            failed.map_or(Ok(result), Err)
        })
    }
}
