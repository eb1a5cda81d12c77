//! Documents: which named document a block is a part of, and where in it.

use serde::{Deserialize, Deserializer, Serialize};

use crate::block::{Category, Tag};
use crate::provenance::on_one_line;
use crate::time::Timestamp;

/// The place of a block in a named document. A block is a part of each document that contains its text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DocumentPart {
    /// The name of the document.
    pub document: String,
    /// The source of the document. Two sources may have documents of the same name.
    pub source: String,
    /// The position among the parts of the document, from 0.
    pub position: u32,
    /// The headings above the text, outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headings: Vec<String>,
    /// The exact text at this place, where it differs from the text of the block: blocks are stored without the white space
    /// around them, and texts that differ in case only are one block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verbatim: Option<String>,
    /// The labels that the block has because of this document. `None` if that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<DocumentLabels>,
}

/// The labels that a document gives to its blocks: the front matter of a note. They leave a block with the document.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct DocumentLabels {
    /// The tags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Tag>,
    /// The category, if the document names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<Category>,
    /// The event time, if the document names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_at: Option<Timestamp>,
    /// When the document was written, if it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Timestamp>,
}

impl DocumentPart {
    /// Returns true if the part belongs to the document with this name and source.
    pub fn belongs_to(&self, document: &str, source: &str) -> bool {
        self.document == document && self.source == source
    }

    /// Returns the name of the document without the folders of a path, and the headings, on one line:
    /// `handbook.md › Refunds › Deadlines`.
    pub fn in_words(&self) -> String {
        let name = short_name(&self.document);
        let names: Vec<&str> = std::iter::once(name).chain(self.headings.iter().map(String::as_str)).collect();
        on_one_line(&names.join(" › "))
    }
}

/// Returns the name of a document without the folders of a path. The name of a page on the web stays whole.
pub fn short_name(name: &str) -> &str {
    if name.contains("://") {
        return name;
    }
    name.rsplit(['/', '\\']).find(|part| !part.is_empty()).unwrap_or(name)
}

/// Reads a list; the journal writes an empty one as null.
pub(crate) fn parts_or_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<DocumentPart>, D::Error> {
    Ok(Option::<Vec<DocumentPart>>::deserialize(deserializer)?.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_named_by_the_file_and_its_headings() {
        let part = DocumentPart {
            document: "/home/ana/handbook.md".into(),
            source: "document".into(),
            position: 3,
            headings: vec!["Refunds".into(), "Deadlines".into()],
            verbatim: None,
            labels: None,
        };
        assert_eq!(part.in_words(), "handbook.md › Refunds › Deadlines");
        assert_eq!(short_name("C:\\notes\\a.md"), "a.md");
        assert_eq!(short_name("https://example.com/a/b"), "https://example.com/a/b");
        assert_eq!(short_name("/"), "/");
    }
}
