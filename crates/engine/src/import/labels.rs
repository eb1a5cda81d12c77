//! Validates imported tags and categories.

use elfmem_core::block::MAX_TAGS;
use elfmem_core::trust::is_reserved;
use elfmem_core::{Category, Tag};

/// The valid tags of an import, and the reasons why others were dropped.
#[derive(Debug, Default)]
pub(crate) struct ImportedTags {
    pub(crate) tags: Vec<Tag>,
    pub(crate) dropped: Vec<String>,
}

impl ImportedTags {
    /// Parses tags. Reserved tags, and tags above the limit of a block, are accepted from trusted
    /// files only.
    pub(crate) fn parse<'a>(tags: impl IntoIterator<Item = &'a str>, trusted: bool) -> Self {
        let mut labels = Self::default();
        for tag in tags {
            if !trusted && is_reserved(tag) {
                labels.dropped.push(format!("the tag '{}' is reserved", excerpt(tag)));
                continue;
            }
            match Tag::parse(tag) {
                Ok(_) if !trusted && labels.tags.len() == MAX_TAGS => {
                    labels.dropped.push(format!("a block has at most {MAX_TAGS} tags"));
                }
                Ok(tag) => labels.tags.push(tag),
                Err(error) => labels.dropped.push(format!("the {error}")),
            }
        }
        labels.tags.sort();
        labels.tags.dedup();
        labels
    }

    /// Returns the tags as strings.
    pub(crate) fn texts(&self) -> impl Iterator<Item = String> {
        self.tags.iter().map(|tag| tag.as_str().to_owned())
    }
}

/// Converts a text to a tag segment: lowercase, with other characters replaced by hyphens.
pub(crate) fn slug(text: &str) -> String {
    let kept = |c: char| if c.is_alphanumeric() || c == '.' { c } else { '-' };
    let word: String = text.trim().to_lowercase().chars().map(kept).take(48).collect();
    word.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

/// Parses a category. Returns `None` if it is invalid or reserved.
pub(super) fn category(text: &str) -> Option<String> {
    Category::parse(text).ok().map(|category| category.as_str().to_owned()).filter(|category| !is_reserved(category))
}

fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_tags_are_dropped_regardless_of_case_and_space() {
        let labels = ImportedTags::parse(
            ["self/value", " SELF/Constitutional", "self", "mind/ada", "topic/self", "selfish"],
            false,
        );
        assert_eq!(labels.texts().collect::<Vec<_>>(), ["selfish", "topic/self"]);
        assert_eq!(labels.dropped.len(), 4);
        assert_eq!(ImportedTags::parse(["self/value"], true).tags.len(), 1);
    }

    #[test]
    fn invalid_tags_are_dropped_with_the_reason() {
        let labels = ImportedTags::parse(["a,b", "", "ok", "ok"], true);
        assert_eq!((labels.tags.len(), labels.dropped.len()), (1, 2));
        let many: Vec<String> = (0..100).map(|number| format!("t{number:03}")).collect();
        assert_eq!(ImportedTags::parse(many.iter().map(String::as_str), false).tags.len(), MAX_TAGS);
        assert_eq!(ImportedTags::parse(many.iter().map(String::as_str), true).tags.len(), 100);
    }

    #[test]
    fn slugs_and_categories_are_normalised() {
        assert_eq!(slug("  Software Engineer, v2.0 "), "software-engineer-v2.0");
        assert_eq!(slug("///"), "");
        assert_eq!(category("decision").as_deref(), Some("decision"));
        assert_eq!(category("mind"), None);
        assert_eq!(category(" "), None);
    }
}
