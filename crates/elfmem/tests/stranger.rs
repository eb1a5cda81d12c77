//! A program outside the workspace needs one dependency and five lines.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;
use std::process::Command;

const PROGRAM: &str = r#"
use elfmem::Memory;

fn main() -> elfmem::Result<()> {
    let memory = Memory::open("memory.db")?;
    memory.remember("Maria is allergic to peanuts")?;
    println!("{}", memory.recall("who can't eat nuts?")?.blocks[0].content);
    Ok(())
}
"#;

#[test]
fn a_program_of_five_lines_in_an_empty_project_stores_and_recalls() {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let workspace = crate_folder.join("../..");
    let project = tempfile::tempdir().unwrap();
    let manifest = format!(
        "[package]\nname = \"stranger\"\nedition = \"2024\"\n\n[dependencies]\nelfmem = {{ path = {crate_folder:?} }}\n"
    );
    std::fs::create_dir(project.path().join("src")).unwrap();
    std::fs::write(project.path().join("Cargo.toml"), manifest).unwrap();
    std::fs::write(project.path().join("src/main.rs"), PROGRAM).unwrap();
    // The same versions as the workspace, which are on this machine already.
    std::fs::copy(workspace.join("Cargo.lock"), project.path().join("Cargo.lock")).unwrap();

    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace.join("target"), Into::into);
    let output = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--offline"])
        .current_dir(project.path())
        .env("CARGO_TARGET_DIR", target.join("stranger"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "Maria is allergic to peanuts\n");
    assert!(project.path().join("memory.db").is_file());
}
