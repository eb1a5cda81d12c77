//! Tags and cues: checking those of a request, and adding them to a block as far as there is room.

use elfmem_core::block::MAX_TAGS;
use elfmem_core::{Block, BlockStatus, Tag, Trust};
use elfmem_text::phrase::counted;

use super::CheckedLearn;
use crate::moment::Moment;
use crate::{Error, Result};

/// The longest that all cues of one block may be.
pub(crate) const MAX_CUE_BYTES: usize = 4 * 1024;

/// Tags that were checked, sorted, each once.
pub(crate) fn checked_tags(tags: &[String]) -> Result<Vec<Tag>> {
    let mut checked = tags.iter().map(|tag| Tag::parse(tag)).collect::<std::result::Result<Vec<Tag>, _>>()?;
    checked.sort();
    checked.dedup();
    if checked.len() > MAX_TAGS {
        return Err(Error::TooManyTags { given: checked.len(), limit: MAX_TAGS });
    }
    Ok(checked)
}

/// Refuses tags that were added to a block that has no room for them.
pub(crate) fn refuse_crowded(before: &Block, after: &Block) -> Result<()> {
    let given = after.tags.len();
    if given > MAX_TAGS && given > before.tags.len() {
        return Err(Error::TooManyTags { given, limit: MAX_TAGS });
    }
    Ok(())
}

/// Cues as they are stored: one a line, each once, none empty.
pub(crate) fn checked_cues(cues: &[String]) -> Result<Option<String>> {
    let mut lines: Vec<&str> = Vec::new();
    for line in cues.iter().flat_map(|cue| cue.lines()).map(str::trim).filter(|line| !line.is_empty()) {
        if line.contains('\0') {
            return Err(Error::NulInContent);
        }
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    let text = lines.join("\n");
    if text.len() > MAX_CUE_BYTES {
        return Err(Error::CueTooLong { bytes: text.len(), limit: MAX_CUE_BYTES });
    }
    Ok((!text.is_empty()).then_some(text))
}

/// How many labels a block had no room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct DroppedLabels {
    tags: usize,
    cues: usize,
}

impl DroppedLabels {
    /// Counts tags only.
    pub(crate) fn of_tags(tags: usize) -> Self {
        Self { tags, cues: 0 }
    }

    /// Returns a sentence for each kind that was left out.
    pub(crate) fn warnings(self) -> Vec<String> {
        let sentence = |count: usize, noun: &str, limit: String| {
            let was = if count == 1 { "was" } else { "were" };
            (count > 0).then(|| format!("{} {was} left out: a block has at most {limit}.", counted(count as u64, noun)))
        };
        let tags = sentence(self.tags, "tag", format!("{MAX_TAGS} tags"));
        let cues = sentence(self.cues, "cue", format!("{MAX_CUE_BYTES} bytes of cues"));
        tags.into_iter().chain(cues).collect()
    }
}

/// Adds tags and cues, one a line, to those of a block as far as there is room.
pub(crate) fn add_labels(block: &mut Block, tags: &[Tag], cue: Option<&str>) -> DroppedLabels {
    DroppedLabels { tags: block.add_tags(tags.iter().cloned()).len(), cues: add_cues(block, cue) }
}

/// Adds cues as far as there is room. Returns how many were left out.
pub(crate) fn add_cues(block: &mut Block, cue: Option<&str>) -> usize {
    let mut joined = block.cue.take().unwrap_or_default();
    let mut left_out = 0;
    for line in cue.into_iter().flat_map(str::lines) {
        if joined.lines().any(|known| known == line) {
            continue;
        }
        if joined.len() + line.len() + 1 > MAX_CUE_BYTES {
            left_out += 1;
            continue;
        }
        if !joined.is_empty() {
            joined.push('\n');
        }
        joined.push_str(line);
    }
    block.cue = (!joined.is_empty()).then_some(joined);
    left_out
}

impl CheckedLearn {
    /// Says that the labels of the request were left out, if it has any.
    pub(crate) fn labels_not_added(&self) -> Vec<String> {
        let labelled = !self.tags.is_empty() || self.cue.is_some();
        let left_out = "Its tags and cues were left out: the block and who says this are not both trusted.";
        labelled.then(|| left_out.to_owned()).into_iter().collect()
    }

    /// Says what an untrusted source that repeats a block of a trusted one does not change.
    pub(super) fn ignored(&self, known: &Block) -> Vec<String> {
        let mut warnings = self.labels_not_added();
        if known.status == BlockStatus::Archived {
            warnings
                .push("It is archived here, and an untrusted source does not bring it back; restore does.".to_owned());
        }
        warnings
    }

    /// Adds the labels of the request to a block.
    pub(crate) fn add_labels_to(&self, block: &mut Block, moment: &Moment) -> DroppedLabels {
        add_labels(block, &self.tags, self.cue_if_trusted(moment).as_deref())
    }

    /// Returns the cues of a trusted source: a cue says when a block should come up.
    pub(crate) fn cue_if_trusted(&self, moment: &Moment) -> Option<String> {
        self.cue.clone().filter(|_| self.trust(moment) == Trust::Owner)
    }

    /// Says that the cues of an untrusted source were left out, if there are any.
    pub(super) fn cues_not_kept(&self, moment: &Moment) -> Vec<String> {
        let dropped = self.cue.is_some() && self.cue_if_trusted(moment).is_none();
        let left_out = "Its cues were left out: who is not trusted does not decide when a block comes up.";
        dropped.then(|| left_out.to_owned()).into_iter().collect()
    }
}
