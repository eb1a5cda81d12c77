//! The reference page says what clients are told.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;

/// Writes the page instead of comparing it.
const WRITE: &str = "ELFMEM_WRITE_DOCS";

#[test]
fn the_reference_page_of_the_tools_is_in_step_with_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/mcp-tools.md");
    let page = elfmem_serve::reference();
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page, "docs/reference/mcp-tools.md is not what the table says; {WRITE}=1 writes it anew");
}
