//! Finds secrets in text by their format and redacts them.
//!
//! Vendor keys have a prefix and a length, tokens and private keys a structure, passwords a context
//! (a URL, an assignment, a command, a sentence). Any other string counts as a secret only if it has
//! high entropy, does not look like a hash, an id or an image, and nothing near it says that it is
//! something else: a memory that redacts commit ids is useless. Full-width letters and invisible characters are folded before matching.
//!
//! ```
//! use elfmem_text::secrets::redact;
//!
//! let (text, found) = redact("postgres://ada:tr0ub4dor@db.internal/app");
//! assert_eq!(text, "postgres://ada:[redacted:url_password]@db.internal/app");
//! assert_eq!(found.to_string(), "1 url_password");
//! ```

mod assignment;
mod clues;
mod codes;
mod command;
mod encoded;
mod entries;
mod entropy;
mod fold;
mod formats;
mod generated;
mod header;
mod hints;
mod logins;
mod names;
mod pem;
mod redactions;
mod scanning;
mod sentence;
#[cfg(test)]
mod tests;
mod token;
mod url;
mod value;
mod vendor;
mod wordlike;

use std::borrow::Cow;
use std::ops::Range;

use clues::Clues;
use fold::FoldedText;
pub use redactions::{Redactions, SecretKind, SecretsPolicy};

/// A secret found in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretMatch {
    /// The kind of secret.
    pub kind: SecretKind,
    /// The byte range of the secret.
    pub at: Range<usize>,
}

/// Non-overlapping matches. Detectors run from the most to the least specific, and the first match
/// wins.
#[derive(Debug, Default)]
struct SecretMatches(Vec<SecretMatch>);

impl SecretMatches {
    fn add(&mut self, kind: SecretKind, at: Range<usize>) {
        if !self.overlaps(&at) {
            let place = self.0.partition_point(|known| known.at.start < at.start);
            self.0.insert(place, SecretMatch { kind, at });
        }
    }

    /// Returns true if a match overlaps the range.
    fn overlaps(&self, at: &Range<usize>) -> bool {
        let after = self.0.partition_point(|known| known.at.end <= at.start);
        self.0.get(after).is_some_and(|known| known.at.start < at.end)
    }
}

/// A detector adds its matches to those found before.
type Detector = fn(&str, &mut SecretMatches);

/// A condition without which a detector finds nothing.
type Precondition = fn(&Clues) -> bool;

/// Detectors from the most to the least specific, each with its condition.
const DETECTORS: [(Detector, Precondition); 9] = [
    (pem::find, Clues::pem),
    (vendor::find, Clues::vendor),
    (token::find, Clues::token),
    (url::find, Clues::url),
    (entries::find, Clues::entry),
    (header::find, Clues::header),
    (command::find, Clues::command),
    (assignment::find, Clues::assignment),
    (entropy::find, Clues::entropy),
];

/// Returns the secrets of a text in order. Runs one linear pass, and one more for each detector that the first pass does not
/// rule out.
pub fn find_secrets(text: &str) -> Vec<SecretMatch> {
    find_with(text, SecretsPolicy::Redact)
}

fn find_with(text: &str, policy: SecretsPolicy) -> Vec<SecretMatch> {
    find_by_clues(text, policy, Clues::of)
}

fn find_by_clues(text: &str, policy: SecretsPolicy, clues_of: fn(&str) -> Clues) -> Vec<SecretMatch> {
    let folded = FoldedText::new(text);
    let read = folded.as_ref().map_or(text, FoldedText::text);
    let clues = clues_of(read);
    let mut matches = SecretMatches::default();
    for (detector, _) in DETECTORS.iter().filter(|(_, can_match)| can_match(&clues)) {
        detector(read, &mut matches);
    }
    if policy != SecretsPolicy::RedactTokens && clues.sentence() {
        codes::find(read, &mut matches);
        sentence::find(read, &mut matches);
        generated::find(read, &mut matches);
    }
    if let Some(folded) = folded {
        for found in &mut matches.0 {
            found.at = folded.original(&found.at);
        }
    }
    matches.0
}

/// Maximum number of passes over a text. Usually two: one more after a match.
const MAX_PASSES: usize = 8;

/// Replaces every secret by `[redacted:kind]` and returns the counts by kind.
pub fn redact(text: &str) -> (Cow<'_, str>, Redactions) {
    redact_with(text, SecretsPolicy::Redact)
}

/// Replaces the secrets that a policy does not keep. [`SecretsPolicy::Allow`] keeps all.
pub fn redact_with(text: &str, policy: SecretsPolicy) -> (Cow<'_, str>, Redactions) {
    let (mut kept, mut redactions) = (Cow::Borrowed(text), Redactions::default());
    if policy == SecretsPolicy::Allow {
        return (kept, redactions);
    }
    // A neighbour of a secret may match only after the secret is replaced.
    for _ in 0..MAX_PASSES {
        let found = find_with(&kept, policy);
        if found.is_empty() {
            break;
        }
        found.iter().for_each(|found| redactions.count(found.kind));
        kept = Cow::Owned(without(&kept, &found));
    }
    (kept, redactions)
}

fn without(text: &str, found: &[SecretMatch]) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    for SecretMatch { kind, at } in found {
        kept.push_str(&text[from..at.start]);
        kept.push_str("[redacted:");
        kept.push_str(kind.as_str());
        kept.push(']');
        from = at.end;
    }
    kept.push_str(&text[from..]);
    kept
}
