//! `import`: what a file holds becomes a part of the memory, as one operation.

use std::ops::ControlFlow;

use elfmem_core::frame::builtin_frames;
use elfmem_core::{OperationKind, ScopeView};
use elfmem_store::{Row, Store, Transaction};
use elfmem_text::secrets::SecretsPolicy;

use super::export::exported;
use super::result::ImportResult;
use super::vectors::Usable;
use super::{rows, texts};
use crate::import::{Arrivals, Contents, Format, MOST_ENTRIES, RowSet, check_row};
use crate::memory::Memory;
use crate::moment::Moment;
use crate::progress::{Progress, ProgressListener};
use crate::transfer::TransferError;
use crate::{Error, Result};

/// How to import.
#[derive(Clone, Default)]
pub struct ImportOptions {
    /// Only say what would happen.
    pub dry_run: bool,
    /// Whether keys, tokens and passwords are stored as they are, whatever the memory's policy.
    pub allow_secrets: bool,
    /// The peer it comes from. What a peer sends is not trusted, whatever form it has.
    pub peer: Option<String>,
    /// Who is told how far it has come.
    pub progress: Option<ProgressListener>,
}

impl std::fmt::Debug for ImportOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ImportOptions").field("dry_run", &self.dry_run).finish_non_exhaustive()
    }
}

impl ImportOptions {
    pub(super) fn tell(&self, progress: Progress) {
        if let Some(listener) = &self.progress {
            listener.report(progress);
        }
    }
}

impl<S: Store> Memory<S> {
    /// Takes in what a file holds, as one operation that [`undo`](Self::undo) takes back.
    ///
    /// USE WHEN: you bring a memory, notes or conversations from elsewhere. COST: one write for all of it, then vectors for what has
    /// none. RETURNS: [`ImportResult`]: what is new, what was here already, what was left out and why. The same text is the same
    /// block: it gets the tags and cues of both and keeps its own belief. Of two edges the stronger stays. Only memories of elfmem may bring
    /// tags of the self. With `dry_run` it is done for real and nothing of it is kept. NEXT: [`dream`](Self::dream), if texts came in.
    ///
    /// # Errors
    /// The store's own; what could not be read was found by [`Arrivals::read`].
    pub fn import(&self, arrivals: &Arrivals, options: &ImportOptions) -> Result<ImportResult> {
        let usable = match &arrivals.contents {
            Contents::Rows(set) => self.usable_vectors(set)?,
            Contents::Texts(_) => None,
        };
        let secrets = if options.allow_secrets { SecretsPolicy::Allow } else { self.options.secrets };
        let work = |transaction: &mut dyn Transaction, moment: &Moment| {
            options.tell(Progress::Stage("import", arrivals.entries()));
            let (format, policy) = (arrivals.format, secrets);
            match &arrivals.contents {
                Contents::Rows(set) => rows::write(transaction, moment, format, set, usable.as_ref(), policy, options),
                Contents::Texts(set) => texts::write(transaction, moment, format, set, policy, options),
            }
        };
        if options.dry_run {
            let result = self.rehearse(work)?;
            return Ok(ImportResult { dry_run: true, ..result });
        }
        let mut result = self.change(OperationKind::Import, work)?;
        self.embed_arrivals(&mut result, options)?;
        Ok(result)
    }

    /// Takes in another memory, as far as `view` sees it.
    ///
    /// # Errors
    /// Those of both stores.
    pub fn import_store<T: Store>(
        &self,
        source: &T,
        view: &ScopeView,
        format: Format,
        options: &ImportOptions,
    ) -> Result<ImportResult> {
        let builtin = builtin_frames();
        let set = source.read(view, |snapshot| -> Result<RowSet> {
            let clock = Some(snapshot.get_total_active_hours()?);
            let mut set = RowSet { clock, trusted: true, ..RowSet::default() };
            snapshot.visit_rows(elfmem_store::Vectors::Include, &mut |row| {
                let Some(mut row) = exported(row, &builtin, snapshot.scope()) else {
                    return ControlFlow::Continue(());
                };
                let place = match &row {
                    Row::Block(row) => format!("block {}", row.block.id.short()),
                    other => format!("{} {}", other.kind().as_str(), set.rows.len() + 1),
                };
                match check_row(&mut row) {
                    Ok(()) => set.rows.push((place, row)),
                    Err(problem) => set.left_out.push((problem, place)),
                }
                if set.rows.len() > MOST_ENTRIES { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })?;
            Ok(set)
        })?;
        if set.rows.len() > MOST_ENTRIES {
            return Err(Error::from(TransferError::TooMuch { what: "rows", limit: MOST_ENTRIES }));
        }
        self.import(&Arrivals { format, contents: Contents::Rows(set) }, options)
    }
}

/// Entries between two reports of progress.
pub(super) const REPORTED: usize = 256;

/// What a writer of rows may do with their vectors.
pub(super) type UsableVectors<'a> = Option<&'a Usable>;
