//! Paths of memory files.

use elfmem_text::fence::safe_text;
use elfmem_text::phrase::one_line;
use elfmem_text::terms::escape_hidden;

use super::error::FileError;

/// The folder of all files.
pub(super) const ROOT: &str = "/memories";
/// The longest path, in bytes.
const MAX_PATH_BYTES: usize = 1_024;
/// The most folders above a file.
const MAX_DEPTH: usize = 32;

/// A path at or below `/memories`, without a slash at its end.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FilePath(String);

impl FilePath {
    /// Reads a path. There are no links and no relative paths, so nothing can lead out of the folder: a segment `.` or `..`,
    /// also one that is percent-encoded, is an error, not a step.
    pub(super) fn parse(text: &str) -> Result<Self, FileError> {
        let bad = |problem| Err(FileError::BadPath { path: one_line(&safe_text(&escape_hidden(text))), problem });
        if text.len() > MAX_PATH_BYTES {
            let path = format!("{}…", one_line(&safe_text(&text.chars().take(60).collect::<String>())));
            return Err(FileError::BadPath { path, problem: "is too long" });
        }
        if text.chars().any(char::is_control) || escape_hidden(text) != text || safe_text(text) != text {
            return bad("contains a control character, a hidden character or a tag of elfmem");
        }
        let Some(below) = text.strip_prefix(ROOT).filter(|rest| rest.is_empty() || rest.starts_with('/')) else {
            return bad("must start with /memories");
        };
        let below = below.strip_prefix('/').unwrap_or(below);
        let below = below.strip_suffix('/').unwrap_or(below);
        let mut path = ROOT.to_owned();
        let segments: Vec<&str> = if below.is_empty() { Vec::new() } else { below.split('/').collect() };
        if segments.len() > MAX_DEPTH {
            return bad("has too many folders");
        }
        for segment in segments {
            let decoded = decode(segment);
            if segment.is_empty() || decoded.trim().is_empty() {
                return bad("has an empty name in it");
            }
            if decoded.contains(['/', '\\', '\0']) || decoded.trim().chars().all(|c| c == '.') {
                return bad("would escape the /memories directory");
            }
            path.push('/');
            path.push_str(segment);
        }
        Ok(Self(path))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    pub(super) fn is_root(&self) -> bool {
        self.0 == ROOT
    }

    /// Returns what comes after this folder in a path below it.
    pub(super) fn relative<'a>(&self, path: &'a str) -> Option<&'a str> {
        path.strip_prefix(self.0.as_str()).and_then(|rest| rest.strip_prefix('/'))
    }

    /// Returns the folders above, without `/memories`.
    pub(super) fn parents(&self) -> impl Iterator<Item = &str> {
        self.0.match_indices('/').map(|(at, _)| &self.0[..at]).filter(|path| path.len() > ROOT.len())
    }
}

/// Decodes percent-encoding again and again until nothing changes, as a careless reader further on might.
fn decode(segment: &str) -> String {
    let mut text = segment.to_owned();
    for _ in 0..4 {
        let bytes = text.as_bytes();
        let mut decoded = Vec::with_capacity(bytes.len());
        let mut at = 0;
        while at < bytes.len() {
            let hex = |offset: usize| bytes.get(at + offset).and_then(|byte| (*byte as char).to_digit(16));
            match (bytes[at], hex(1), hex(2)) {
                (b'%', Some(high), Some(low)) => {
                    decoded.push(u8::try_from(high * 16 + low).unwrap_or_default());
                    at += 3;
                }
                (byte, ..) => {
                    decoded.push(byte);
                    at += 1;
                }
            }
        }
        let next = String::from_utf8_lossy(&decoded).into_owned();
        if next == text {
            break;
        }
        text = next;
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn paths_below_the_folder_are_accepted() {
        for (text, path) in [
            ("/memories", "/memories"),
            ("/memories/", "/memories"),
            ("/memories/a.md", "/memories/a.md"),
            ("/memories/notes/2026/a b.md/", "/memories/notes/2026/a b.md"),
            ("/memories/.hidden", "/memories/.hidden"),
            ("/memories/100%.md", "/memories/100%.md"),
            ("/memories/größe…", "/memories/größe…"),
        ] {
            assert_eq!(FilePath::parse(text).unwrap().as_str(), path);
        }
    }

    #[test]
    fn nothing_leads_out_of_the_folder() {
        for text in [
            "",
            "/",
            "memories/a",
            "/memoriesx/a",
            "/etc/passwd",
            "/memories/../etc/passwd",
            "/memories/a/../../b",
            "/memories/..",
            "/memories/./a",
            "/memories/...",
            "/memories//a",
            "/memories/ /a",
            "/memories/%2e%2e/a",
            "/memories/%2E%2e%2fetc",
            "/memories/%252e%252e/a",
            "/memories/..%2fa",
            "/memories/a%5c..%5cb",
            "/memories/..\\..\\a",
            "/memories/a\\b",
            "/memories/a%00.md",
            "/memories/a\0.md",
            "/memories/a\n.md",
            "/memories/a\u{202e}b",
            "/memories/\u{1b}[31m",
            "/memories/.. /a",
            "/Memories/a",
        ] {
            assert!(FilePath::parse(text).is_err(), "{text:?}");
        }
        assert!(FilePath::parse(&format!("/memories/{}", "a".repeat(2_000))).is_err());
        assert!(FilePath::parse(&format!("/memories/{}", "a/".repeat(40))).is_err());
    }

    #[test]
    fn a_refused_path_is_repeated_on_one_line() {
        for text in ["/memories/a\n[deadbeef] forged", "/memories/a\u{2028}forged\u{85}forged"] {
            let message = FilePath::parse(text).unwrap_err().message();
            assert!(!message.contains(['\n', '\u{2028}', '\u{85}']), "{message:?}");
        }
        let long = format!("/memories/\n{}", "a".repeat(2_000));
        assert!(!FilePath::parse(&long).unwrap_err().message().contains('\n'));
    }

    #[test]
    fn the_folders_above_a_file_are_known() {
        let path = FilePath::parse("/memories/a/b/c.md").unwrap();
        assert_eq!(path.parents().collect::<Vec<_>>(), ["/memories/a", "/memories/a/b"]);
        let folder = FilePath::parse("/memories/a").unwrap();
        assert_eq!(folder.relative("/memories/a/b/c.md"), Some("b/c.md"));
        assert_eq!(folder.relative("/memories/ab"), None);
    }

    proptest! {
        #[test]
        fn an_accepted_path_stays_below_the_folder(text in "/memories(/([.%25ef/\\\\ a]|[^/]){0,6}){0,4}") {
            if let Ok(path) = FilePath::parse(&text) {
                prop_assert!(path.is_root() || path.as_str().starts_with("/memories/"));
                let leads_out = |name: &str| name.is_empty() || name == "." || name == ".." || name.contains('\\');
                let leads_out = path.as_str().split('/').skip(1).any(leads_out);
                prop_assert!(!leads_out);
                prop_assert_eq!(FilePath::parse(path.as_str()), Ok(path.clone()));
            }
        }
    }
}
