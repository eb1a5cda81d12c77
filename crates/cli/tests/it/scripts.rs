//! Scripts of the repository, run with stand-ins for the tools they call.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output};

use crate::Sandbox;

/// Runs `scripts/prerequisites make` where cargo and apt-get are the only tools, as the user with this number.
fn prerequisites(sandbox: &Sandbox, user: u32) -> Output {
    let tools = sandbox.file("tools");
    std::fs::create_dir_all(&tools).unwrap();
    let tool = |name: &str, script: &str| {
        let path = tools.join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    tool("cargo", "exit 1");
    tool("id", &format!("echo {user}"));
    tool("apt-get", &format!("echo \"apt-get $*\" >>'{}'", sandbox.file("installed").display()));
    if !tools.join("sh").exists() {
        symlink("/bin/sh", tools.join("sh")).unwrap();
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/prerequisites");
    Command::new("/bin/bash").arg(script).arg("make").env("PATH", &tools).output().unwrap()
}

const INSTALL: &str = "apt-get update -qq && apt-get install -y -qq build-essential perl";

#[test]
fn missing_tools_are_named_and_installed_by_root() {
    let sandbox = Sandbox::new();
    let output = prerequisites(&sandbox, 0);
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, format!("missing: cc make. Installing: {INSTALL}\n"));
    let installed = std::fs::read_to_string(sandbox.file("installed")).unwrap();
    assert_eq!(installed, "apt-get update -qq\napt-get install -y -qq build-essential perl\n");
}

#[test]
fn missing_tools_are_not_installed_for_another_user_who_is_shown_the_command() {
    let sandbox = Sandbox::new();
    let output = prerequisites(&sandbox, 1000);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, format!("missing: cc make. Install with:\n  sudo sh -c '{INSTALL}'\n"));
    assert!(!sandbox.file("installed").exists());
}
