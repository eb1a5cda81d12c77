//! Files that only their owner can read.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;

/// Creates an empty file that only its owner can read and write. A file of that name is replaced, so that its
/// permissions do not stay.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Creates a folder, and those above it that are missing, which only their owner can open.
pub(crate) fn create_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Returns true if a file can be read by others than its owner. Pipes and terminals are nobody else's.
#[cfg(unix)]
pub(crate) fn is_readable_by_others(file: &std::fs::Metadata) -> bool {
    file.is_file() && std::os::unix::fs::PermissionsExt::mode(&file.permissions()) & 0o077 != 0
}

/// Returns true if a file can be read by others than its owner. Elsewhere that is not known.
#[cfg(not(unix))]
pub(crate) fn is_readable_by_others(_: &std::fs::Metadata) -> bool {
    false
}

/// Returns a path as it is typed in a shell.
pub(crate) fn in_shell_quotes(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-');
    if text.chars().all(is_plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_can_be_pasted_into_a_shell() {
        assert_eq!(in_shell_quotes(Path::new("/home/ana/tokens-1.txt")), "/home/ana/tokens-1.txt");
        assert_eq!(in_shell_quotes(Path::new("my 'own' tokens")), r"'my '\''own'\'' tokens'");
    }
}
