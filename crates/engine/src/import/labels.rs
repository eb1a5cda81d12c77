//! Tags and categories from outside.

use elfmem_core::block::MAX_TAGS;
use elfmem_core::provenance::is_reserved;
use elfmem_core::{Category, Tag};

/// Tags as far as they can be used, and why the others cannot.
#[derive(Debug, Default)]
pub(crate) struct Labels {
    pub(crate) tags: Vec<Tag>,
    pub(crate) dropped: Vec<String>,
}

impl Labels {
    /// Checks tags. Reserved tags, and more tags than a block may be given, are kept only from a `trusted` file: a memory of
    /// one's own comes back as it was.
    pub(crate) fn of<'a>(tags: impl IntoIterator<Item = &'a str>, trusted: bool) -> Self {
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

    /// The tags as texts.
    pub(crate) fn texts(&self) -> impl Iterator<Item = String> {
        self.tags.iter().map(|tag| tag.as_str().to_owned())
    }
}

/// A word that may be part of a tag: lowercase, spaces joined, nothing that a tag cannot hold.
pub(super) fn word(text: &str) -> String {
    let kept = |c: char| if c.is_alphanumeric() || c == '.' { c } else { '-' };
    let word: String = text.trim().to_lowercase().chars().map(kept).take(48).collect();
    word.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

/// A category as it can be used; what a mind is, a file from elsewhere does not say.
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
    fn what_is_reserved_is_dropped_however_it_is_written() {
        let labels =
            Labels::of(["self/value", " SELF/Constitutional", "self", "mind/ada", "topic/self", "selfish"], false);
        assert_eq!(labels.texts().collect::<Vec<_>>(), ["selfish", "topic/self"]);
        assert_eq!(labels.dropped.len(), 4);
        assert_eq!(Labels::of(["self/value"], true).tags.len(), 1);
    }

    #[test]
    fn what_cannot_be_a_tag_is_dropped_with_its_reason() {
        let labels = Labels::of(["a,b", "", "ok", "ok"], true);
        assert_eq!((labels.tags.len(), labels.dropped.len()), (1, 2));
        let many: Vec<String> = (0..100).map(|number| format!("t{number:03}")).collect();
        assert_eq!(Labels::of(many.iter().map(String::as_str), false).tags.len(), MAX_TAGS);
        assert_eq!(Labels::of(many.iter().map(String::as_str), true).tags.len(), 100);
    }

    #[test]
    fn words_and_categories_are_made_fit() {
        assert_eq!(word("  Software Engineer, v2.0 "), "software-engineer-v2.0");
        assert_eq!(word("///"), "");
        assert_eq!(category("decision").as_deref(), Some("decision"));
        assert_eq!(category("mind"), None);
        assert_eq!(category(" "), None);
    }
}
