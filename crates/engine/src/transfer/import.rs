//! `import`: adds the contents of a file to the memory, as one operation.

use std::ops::ControlFlow;

use elfmem_core::frame::builtin_frames;
use elfmem_core::provenance::IMPORT;
use elfmem_core::{BroughtBy, OperationKind, ScopeView, Speaker, Trust};
use elfmem_store::{Row, Store, Transaction};
use elfmem_text::secrets::SecretsPolicy;

use super::export::exported;
use super::result::ImportResult;
use super::{rows, settings, texts};
use crate::import::{ImportContents, ImportFormat, MAX_ENTRIES, ParsedImport, RowSet, check_row};
use crate::memory::Memory;
use crate::moment::Moment;
use crate::progress::{Progress, ProgressListener};
use crate::secrets::refuse_secret_name;
use crate::transfer::TransferError;
use crate::trust::refuse_owner_name;
use crate::{Error, Result};

/// Options of `import`.
///
/// All fields are public; build one with struct update syntax: `ImportOptions { …, ..ImportOptions::default() }`.
#[derive(Clone, Default)]
pub struct ImportOptions {
    /// Report what would happen without changing anything.
    pub dry_run: bool,
    /// Store keys, tokens and passwords as they are, regardless of the memory's policy.
    pub allow_secrets: bool,
    /// The peer that sent the file. Contents from a peer are not trusted.
    pub peer: Option<String>,
    /// Progress callback.
    pub progress: Option<ProgressListener>,
}

impl std::fmt::Debug for ImportOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ImportOptions").field("dry_run", &self.dry_run).finish_non_exhaustive()
    }
}

impl ImportOptions {
    pub(super) fn report(&self, progress: Progress) {
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
    /// tags of the self. A peer adds blocks, and edges, links and contradictions among them; what it says of other blocks waits as
    /// proposals. With `dry_run` it is done for real and nothing of it is kept. NEXT: [`dream`](Self::dream), if texts came in.
    ///
    /// # Errors
    /// Those of the store. Invalid files are rejected by [`ParsedImport::read`].
    pub fn import(&self, parsed: &ParsedImport, options: &ImportOptions) -> Result<ImportResult> {
        let vectors = match &parsed.contents {
            // A vector says what a text is found by: that of an untrusted file may not belong to its text.
            ImportContents::Rows(set) if self.import_trust(parsed, options) == Trust::Owner => {
                self.importable_vectors(set)?
            }
            _ => None,
        };
        let secrets = if options.allow_secrets { SecretsPolicy::Allow } else { self.options.secrets };
        if let Some(peer) = &options.peer {
            refuse_secret_name("peer", peer, secrets)?;
            refuse_owner_name("peer", peer)?;
        }
        let speaker = self.import_trust(parsed, options);
        let work = |transaction: &mut dyn Transaction, moment: &Moment| {
            let moment = &Moment { speaker: speaker.min(moment.speaker), ..moment.clone() };
            options.report(Progress::Stage("import", parsed.entries()));
            let (format, policy) = (parsed.format, secrets);
            match &parsed.contents {
                ImportContents::Rows(set) => {
                    rows::import(transaction, moment, format, set, vectors.as_ref(), policy, options)
                }
                ImportContents::Texts(set) => texts::import(transaction, moment, format, set, policy, options),
            }
        };
        if options.dry_run {
            let result = self.rehearse(work)?;
            return Ok(ImportResult { dry_run: true, ..result });
        }
        let mut result = self.change_as(OperationKind::Import, None, speaker, work)?;
        self.embed_imported(&mut result, options)?;
        Ok(result)
    }

    /// Whether the contents of a file speak for the owner of this memory: an export of a memory without a peer, and what the
    /// settings trust.
    fn import_trust(&self, parsed: &ParsedImport, options: &ImportOptions) -> Trust {
        let own = matches!(&parsed.contents, ImportContents::Rows(set) if set.trusted);
        if own && options.peer.is_none() {
            return Trust::Owner;
        }
        let (surface, peer) = (Some(IMPORT.to_owned()), options.peer.clone());
        let brought_by = BroughtBy { surface, peer, ..BroughtBy::default() };
        self.options.trust.trust_of(Speaker { source: "", brought_by: &brought_by })
    }

    /// Imports the scopes of another memory that are visible in `view`.
    ///
    /// # Errors
    /// Those of both stores.
    pub fn import_store<T: Store>(
        &self,
        source: &T,
        view: &ScopeView,
        format: ImportFormat,
        options: &ImportOptions,
    ) -> Result<ImportResult> {
        let builtin = builtin_frames();
        let left_behind = source.left_behind()?;
        let mut set = source.read(view, |snapshot| -> Result<RowSet> {
            let clock = Some(snapshot.get_total_active_hours()?);
            let mut set = RowSet { clock, trusted: true, ..RowSet::default() };
            snapshot.visit_rows(elfmem_store::Vectors::Include, &mut |row| {
                if let Row::Setting(setting) = &row {
                    let reason = match format {
                        ImportFormat::Python => settings::not_imported(setting),
                        _ => settings::kept_for_later(setting),
                    };
                    set.left_out.extend(reason.map(|reason| (reason.to_owned(), format!("setting {}", setting.key))));
                }
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
                if set.rows.len() > MAX_ENTRIES { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })?;
            Ok(set)
        })?;
        for rows in left_behind {
            let entry = (rows.reason, rows.what);
            set.left_out.extend(std::iter::repeat_n(entry, usize::try_from(rows.count).unwrap_or(usize::MAX)));
        }
        if set.rows.len() > MAX_ENTRIES {
            return Err(Error::from(TransferError::TooMuch { what: "rows", limit: MAX_ENTRIES }));
        }
        self.import(&ParsedImport { format, contents: ImportContents::Rows(set), is_folder: false }, options)
    }
}

/// Number of entries between two progress reports.
pub(super) const PROGRESS_INTERVAL: usize = 256;
