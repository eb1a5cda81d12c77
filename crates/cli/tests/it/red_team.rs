//! Hostile texts against whole processes: the script in the repository, with the program under test.

use std::path::Path;
use std::process::Command;

use crate::Sandbox;

#[test]
#[cfg(unix)]
fn no_attack_of_the_red_team_succeeds() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/red-team");
    let mut command = Command::new(script);
    let output = command.arg("--quick").env("ELFMEM", env!("CARGO_BIN_EXE_elfmem")).output().unwrap();
    let (told, trouble) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{told}\n{trouble}");
    assert_eq!(told.lines().filter(|line| line.starts_with("held ")).count(), 32, "{told}");
    for attacks in ["23 attacks", "9 attacks"] {
        assert!(told.contains(&format!("\n{attacks}, 0 succeeded\n")), "{told}\n{trouble}");
    }
    assert!(told.contains("calls of a client that lost its trust, 0 changed something"), "{told}\n{trouble}");
    assert!(told.lines().last().unwrap().contains(", 0 changed something"), "{told}\n{trouble}");
}

#[test]
fn a_secret_is_neither_stored_nor_repeated_by_an_error_or_the_parser() {
    let sandbox = Sandbox::new();
    let key = format!("gh{}_{}", "p", "a1B2c3D4e5F6g7H8i9J0".repeat(2).split_at(36).0);
    let said = sandbox.ok(&["remember", &format!("deploy with {key}")]);
    assert!(said.contains("Redacted: 1 github_token."), "{said}");
    for arguments in [&["show", &key][..], &["remember", "x", &format!("--{key}")], &["frame", &key]] {
        let answer = sandbox.run(arguments);
        assert_ne!(answer.code, 0, "{answer:?}");
        assert!(!answer.stderr.contains(&key) && answer.stderr.contains("[redacted:github_token]"), "{answer:?}");
    }
    let kept = sandbox.run(&["remember", &format!("deploy with {key}"), "--allow-secrets", "--json"]).json();
    assert!(kept.get("redacted").is_none());
    let scan = sandbox.run(&["secrets", "scan", "--json"]).json();
    assert_eq!((&scan["scanned"], &scan["found"]["github_token"]), (&2.into(), &1.into()));
    assert!(sandbox.fails(&["secrets", "scan", "--redact"]).contains("no terminal"));
    let redacted = sandbox.run(&["secrets", "scan", "--redact", "--yes", "--json"]).json();
    assert_eq!((&redacted["redacted"], &redacted["erased"]), (&true.into(), &true.into()));
    assert!(sandbox.ok(&["secrets", "scan"]).contains("no secrets found"));
}

#[test]
fn a_refusing_memory_says_so_and_a_project_cannot_allow_secrets() {
    let sandbox = Sandbox::new();
    let url = format!("postgres://ada:{}@db/app", "tr0ub4dor");
    let refused: crate::Answer =
        sandbox.command(&["remember", &url]).env("ELFMEM_SECRETS", "refuse").output().unwrap().into();
    assert!(crate::clear_error(&refused).contains("1 url_password"), "{refused:?}");
    std::fs::create_dir_all(sandbox.file(".elfmem")).unwrap();
    std::fs::write(sandbox.file(".elfmem/config.toml"), "[memory]\nsecrets = \"allow\"\nuntrusted_sources = []\n")
        .unwrap();
    let said = sandbox.run(&["remember", &url]);
    assert!(said.code != 0 || said.stdout.contains("Redacted"), "{said:?}");
}

#[test]
fn what_is_hidden_in_a_text_is_seen_by_show_and_by_nobody_else() {
    let sandbox = Sandbox::new();
    let id =
        sandbox.run(&["remember", "a\u{202e}b\u{1b}[2Jc", "--json"]).json()["block_id"].as_str().unwrap().to_owned();
    assert!(sandbox.ok(&["show", &id]).contains("a⟨U+202E⟩b⟨U+001B⟩[2Jc"));
    for arguments in [&["ls"][..], &["recall", "ab"], &["log"]] {
        let said = sandbox.ok(arguments);
        assert!(!said.contains(['\u{202e}', '\u{1b}']), "{said:?}");
    }
}

/// Else the script would prove nothing.
#[test]
#[cfg(unix)]
fn the_attacks_succeed_where_the_guards_are_down() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/red-team");
    let mut command = Command::new(script);
    command.env("ELFMEM", env!("CARGO_BIN_EXE_elfmem"));
    command.arg("--without-matrix").env("ELFMEM_SECRETS", "allow");
    let output = command.env("ELFMEM_TRUSTED_SOURCES", "document,import,peer,tool,web,mail").output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{told}");
    for attack in [
        "the tag it is stored with",
        "sounding like it",
        "a tag added later",
        "renders identity",
        "leaves a key behind",
        "talks a policy down",
    ] {
        assert!(told.lines().any(|line| line.starts_with("BROKEN") && line.contains(attack)), "{attack}\n{told}");
    }
}
