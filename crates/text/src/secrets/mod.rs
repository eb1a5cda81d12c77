//! Secrets in texts: found by their form, and replaced before they are kept.
//!
//! Keys of vendors have a prefix and a length of their own, tokens and private keys a frame, passwords a place (an address, a line
//! that names them). What has none of these is only taken for a secret when it looks drawn by lot and stands where no
//! hash, id or picture stands: a memory that redacts commit ids is worse than useless.
//!
//! ```
//! use elfmem_text::secrets::redact;
//!
//! let (text, found) = redact("postgres://ada:tr0ub4dor@db.internal/app");
//! assert_eq!(text, "postgres://ada:[redacted:url_password]@db.internal/app");
//! assert_eq!(found.to_string(), "1 url_password");
//! ```

mod assignment;
mod entropy;
mod header;
mod looks;
mod pem;
mod redactions;
#[cfg(test)]
mod tests;
mod token;
mod url;
mod vendor;

use std::borrow::Cow;
use std::ops::Range;

pub use redactions::{Redactions, SecretKind, SecretsPolicy};

/// One secret in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// What it is.
    pub kind: SecretKind,
    /// Which bytes of the text.
    pub at: Range<usize>,
}

/// What has been found so far, no two of them overlapping. Whoever comes first knows best: the detectors run from the surest on.
#[derive(Debug, Default)]
struct Findings(Vec<Found>);

impl Findings {
    fn add(&mut self, kind: SecretKind, at: Range<usize>) {
        if !self.touches(&at) {
            let place = self.0.partition_point(|known| known.at.start < at.start);
            self.0.insert(place, Found { kind, at });
        }
    }

    /// Whether something in that range is known to be a secret.
    fn touches(&self, at: &Range<usize>) -> bool {
        let after = self.0.partition_point(|known| known.at.end <= at.start);
        self.0.get(after).is_some_and(|known| known.at.start < at.end)
    }
}

/// The secrets of a text, in their order. One pass per detector; the time is linear in the length.
pub fn find(text: &str) -> Vec<Found> {
    let mut findings = Findings::default();
    for detector in [pem::find, vendor::find, token::find, url::find, header::find, assignment::find, entropy::find] {
        detector(text, &mut findings);
    }
    findings.0
}

/// How often a text is looked through again. Twice is the rule: once more after something was found.
const MOST_ROUNDS: usize = 8;

/// The text with `[redacted:kind]` in place of every secret, and how many of which kind there were.
pub fn redact(text: &str) -> (Cow<'_, str>, Redactions) {
    let (mut kept, mut redactions) = (Cow::Borrowed(text), Redactions::default());
    // What stands beside a secret may look like one only when that is gone.
    for _ in 0..MOST_ROUNDS {
        let found = find(&kept);
        if found.is_empty() {
            break;
        }
        found.iter().for_each(|found| redactions.count(found.kind));
        kept = Cow::Owned(without(&kept, &found));
    }
    (kept, redactions)
}

fn without(text: &str, found: &[Found]) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    for Found { kind, at } in found {
        kept.push_str(&text[from..at.start]);
        kept.push_str("[redacted:");
        kept.push_str(kind.as_str());
        kept.push(']');
        from = at.end;
    }
    kept.push_str(&text[from..]);
    kept
}
