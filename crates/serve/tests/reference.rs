//! The reference pages match the code.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;

/// Rewrites the pages instead of comparing them.
const WRITE: &str = "ELFMEM_WRITE_DOCS";

#[test]
fn the_mcp_reference_matches_the_catalog() {
    is_in_step("mcp-tools.md", &elfmem_serve::reference());
}

#[test]
fn the_openapi_document_matches_the_catalog() {
    is_in_step("openapi.json", &elfmem_serve::openapi());
}

fn is_in_step(name: &str, page: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference").join(name);
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(&path, page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page, "docs/reference/{name} is not what the table says; {WRITE}=1 writes it anew");
}
