//! Notes: Markdown files that are cut into texts when they are stored, along the cuts of their earlier version.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use elfmem_core::{BlockId, DocumentPart, Edge, Relation, SessionId, Timestamp};
use elfmem_text::document::{DEFAULT_CHUNK_WORDS, DocumentChunk, DocumentChunks};

use super::wiki_links::{LinkTarget, NoteNames, WikiLink, links};
use super::{ImportedText, TextEdge, TextSet};
use crate::documents::DocumentKey;
use crate::learn::{Learn, MAX_CONTENT_BYTES};

/// The relation of a note that links to another.
const LINK_RELATION: &str = "references";
/// What is said about links to notes that are not there.
const DANGLING: &str = "no note of the folder has this name";
/// What is said about links to one of several notes.
const AMBIGUOUS: &str = "several notes of the folder have this name";
/// The longest session name, in characters.
const MAX_SESSION_CHARS: usize = 128;

/// A note that is not cut yet.
#[derive(Debug, Clone)]
pub(crate) struct Note {
    /// The path in its folder.
    pub(crate) place: String,
    /// What its texts have in common.
    pub(crate) template: Learn,
    pub(crate) text: String,
    /// When the note was written.
    pub(crate) created_at: Option<Timestamp>,
    /// Its title and aliases, by which links find it.
    pub(crate) other_names: Vec<String>,
}

/// Where notes come from.
#[derive(Debug, Clone)]
pub(crate) enum NotesOrigin {
    /// One file.
    File(PathBuf),
    /// All notes of a folder, and the folder in which they were imported before if it was moved since.
    Folder { path: PathBuf, moved_from: Option<PathBuf> },
}

impl NotesOrigin {
    /// Returns the name of the document that a note is.
    pub(crate) fn document_name(&self, note: &Note) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Folder { path, .. } => path.join(&note.place).display().to_string(),
        }
    }

    /// Returns true if a document is in the folder.
    pub(crate) fn is_folder_of(&self, document: &str) -> bool {
        matches!(self, Self::Folder { path, .. } if Path::new(document).starts_with(path))
    }
}

/// The texts of a note.
pub(crate) struct CutNote {
    pub(crate) chunks: Vec<DocumentChunk>,
    /// The document that the note is, if it is known by a name.
    pub(crate) key: Option<DocumentKey>,
    /// What its session is named after.
    pub(crate) label: String,
}

impl Note {
    /// Cuts a text of this note along the cuts of its earlier version.
    pub(crate) fn cut(text: &str, known: &[String]) -> Vec<DocumentChunk> {
        DocumentChunks::new(DEFAULT_CHUNK_WORDS, MAX_CONTENT_BYTES).known(known).split(text)
    }
}

impl TextSet {
    /// Returns the texts of the set with those of its notes, and edges between consecutive texts and for links. A note that
    /// `cut` returns nothing for is left out.
    pub(crate) fn with_notes_cut<E>(
        &self,
        mut cut: impl FnMut(&Note) -> Result<Option<CutNote>, E>,
    ) -> Result<Self, E> {
        let mut set = Self { notes: Vec::new(), ..self.clone() };
        let mut names = NoteNames::default();
        let first_of_notes = set.texts.len();
        for note in &self.notes {
            let Some(CutNote { chunks, key, label }) = cut(note)? else { continue };
            let first = set.texts.len();
            let label: String = label.chars().take(MAX_SESSION_CHARS).collect();
            let session = SessionId::from_stored(&format!("file:{label}"));
            for (position, chunk) in chunks.into_iter().enumerate() {
                let part = key.as_ref().map(|key| DocumentPart {
                    document: key.name.clone(),
                    source: key.source.clone(),
                    position: u32::try_from(position).unwrap_or(u32::MAX),
                    headings: chunk.headings,
                    verbatim: None,
                    labels: None,
                });
                let mut learn = Learn { content: chunk.text, ..note.template.clone() };
                learn.document = key.as_ref().map(|key| key.name.clone());
                let (place, created_at, session) = (note.place.clone(), note.created_at, Some(session.clone()));
                set.texts.push(ImportedText { place, learn, created_at, session, item: None, part });
            }
            set.edges.extend((first + 1..set.texts.len()).map(|at| TextEdge::consecutive(at - 1, at)));
            names.add(&note.place, note.other_names.iter().cloned(), first);
        }
        if matches!(self.origin, Some(NotesOrigin::Folder { .. })) {
            set.remark_links_to_no_note(first_of_notes, &names);
        }
        let linked = (first_of_notes..set.texts.len()).flat_map(|from| {
            let text = &set.texts[from];
            let targets =
                links(&text.learn.content).into_iter().filter_map(|link| match names.find(link.name, &text.place) {
                    LinkTarget::Note(first) => Some((link.name, set.part_of_note(first, &link))),
                    LinkTarget::Several | LinkTarget::Missing => None,
                });
            let targets = targets.filter(|(_, to)| set.texts[*to].place != text.place);
            targets.map(move |(name, to)| reference(from, to, name)).collect::<Vec<_>>()
        });
        let linked: Vec<TextEdge> = linked.collect();
        set.edges.extend(linked);
        Ok(set)
    }
}

impl TextSet {
    /// Returns the text of a note that a link leads to: the first one below its heading, or else the first one.
    fn part_of_note(&self, first: usize, link: &WikiLink<'_>) -> usize {
        let of_note = |text: &&ImportedText| text.place == self.texts[first].place;
        let is_below = |text: &ImportedText| text.part.as_ref().is_some_and(|part| link.leads_below(&part.headings));
        self.texts[first..].iter().take_while(of_note).position(is_below).map_or(first, |at| first + at)
    }

    /// Remarks on the links of the notes that lead to no note, or to one of several. A name with an ending is that of
    /// another file.
    fn remark_links_to_no_note(&mut self, first_of_notes: usize, names: &NoteNames) {
        let mut known = HashSet::new();
        let mut remarks: Vec<(&'static str, String)> = Vec::new();
        for text in &self.texts[first_of_notes..] {
            for WikiLink { name, .. } in links(&text.learn.content) {
                let is_other_file = Path::new(name).extension().is_some_and(|ending| ending != "md");
                let problem = match names.find(name, &text.place) {
                    LinkTarget::Missing if !is_other_file => DANGLING,
                    LinkTarget::Several => AMBIGUOUS,
                    LinkTarget::Missing | LinkTarget::Note(_) => continue,
                };
                if known.insert((problem, name)) {
                    remarks.push((problem, format!("[[{name}]]")));
                }
            }
        }
        for (problem, link) in remarks {
            self.remark(problem, link);
        }
    }
}

fn reference(from: usize, to: usize, name: &str) -> TextEdge {
    let (relation, note) = (LINK_RELATION.to_owned(), Some(format!("[[{name}]]")));
    TextEdge { from, to, relation, weight: None, note, consecutive: false }
}

/// Returns true if an edge stands for a link that a text does not contain any more.
pub(crate) fn is_stale_reference(edge: &Edge, from: &BlockId, text: &str) -> bool {
    let is_reference = edge.asserted_from.as_ref() == Some(from) && edge.relation_type == Relation::new(LINK_RELATION);
    let name = edge.note.as_deref().and_then(|note| note.strip_prefix("[[")?.strip_suffix("]]"));
    is_reference && name.is_some_and(|name| !links(text).iter().any(|link| link.name == name))
}
