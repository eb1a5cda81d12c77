//! The whole command-line reference, pinned: what others script against changes only on purpose.

use crate::Sandbox;

#[test]
fn the_reference_of_every_command_is_as_pinned() {
    let sandbox = Sandbox::new();
    let mut reference = String::new();
    for command in [
        &["--help"][..],
        &["remember", "--help"],
        &["learn-document", "--help"],
        &["recall", "--help"],
        &["why", "--help"],
        &["frame", "--help"],
        &["frame", "add", "--help"],
        &["frame", "edit", "--help"],
        &["frame", "ls", "--help"],
        &["frame", "rm", "--help"],
        &["dream", "--help"],
        &["contradictions", "--help"],
        &["contradictions", "resolve", "--help"],
        &["edit", "--help"],
        &["forget", "--help"],
        &["restore", "--help"],
        &["pin", "--help"],
        &["unpin", "--help"],
        &["supersede", "--help"],
        &["purge", "--help"],
        &["tag", "--help"],
        &["tag", "add", "--help"],
        &["tag", "rm", "--help"],
        &["proposals", "--help"],
        &["proposals", "accept", "--help"],
        &["proposals", "reject", "--help"],
        &["undo", "--help"],
        &["history", "--help"],
        &["connect", "--help"],
        &["connects", "--help"],
        &["disconnect", "--help"],
        &["event", "--help"],
        &["event", "store", "--help"],
        &["event", "batch", "--help"],
        &["event", "ls", "--help"],
        &["context", "--help"],
        &["context", "ls", "--help"],
        &["context", "show", "--help"],
        &["context", "graph", "--help"],
        &["context", "enrol", "--help"],
        &["link", "--help"],
        &["unlink", "--help"],
        &["links", "--help"],
        &["chain", "--help"],
        &["retrieve", "--help"],
        &["insights", "--help"],
        &["graduate", "--help"],
        &["outcome", "--help"],
        &["curate", "--help"],
        &["adopt", "--help"],
        &["backup", "--help"],
        &["restore-backup", "--help"],
        &["export", "--help"],
        &["import", "--help"],
        &["migrate-embeddings", "--help"],
        &["models", "--help"],
        &["ls", "--help"],
        &["show", "--help"],
        &["log", "--help"],
        &["status", "--help"],
        &["doctor", "--help"],
        &["verify", "--help"],
        &["guide", "--help"],
        &["serve", "--help"],
        &["session", "--help"],
        &["session", "begin", "--help"],
        &["session", "end", "--help"],
        &["man", "--help"],
        &["init", "--help"],
        &["config", "--help"],
        &["config", "show", "--help"],
        &["config", "keys", "--help"],
        &["demo", "--help"],
        &["hook", "--help"],
        &["completions", "--help"],
    ] {
        reference.push_str(&format!("$ elfmem {}\n{}\n", command.join(" "), sandbox.ok(command)));
    }
    insta::assert_snapshot!("cli-reference", reference);
}

#[test]
fn completions_are_there_for_every_shell() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(sandbox.ok(&["completions", shell]).contains("remember"), "{shell}");
    }
}

#[test]
fn the_version_is_the_packages() {
    assert_eq!(Sandbox::new().ok(&["--version"]), format!("elfmem {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn there_is_a_manual_page_for_every_command() {
    let sandbox = Sandbox::new();
    let page = sandbox.ok(&["man"]);
    assert!(page.contains(".TH elfmem 1") && page.contains("remember"), "{page:.300}");
    sandbox.ok(&["man", "--dir", "man1"]);
    for name in ["elfmem.1", "elfmem-recall.1", "elfmem-frame-add.1", "elfmem-session-end.1"] {
        assert!(std::fs::read_to_string(sandbox.file("man1").join(name)).unwrap().contains(".SH SYNOPSIS"), "{name}");
    }
    std::fs::write(sandbox.file("taken"), "").unwrap();
    sandbox.fails(&["man", "--dir", "taken"]);
}

/// The commands that a page names in code: the first word after `elfmem`, also where the line breaks between them.
fn named_commands(page: &str) -> Vec<String> {
    let in_code = page.split('`').enumerate().filter(|(at, _)| at % 2 == 1).map(|(_, code)| code);
    let in_blocks = page.lines().filter_map(|line| line.trim_start().strip_prefix("$ "));
    let mut commands = Vec::new();
    for code in in_code.chain(in_blocks) {
        let mut words = code.split_whitespace();
        if words.next() == Some("elfmem")
            && let Some(word) = words.next()
            && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
            && !word.starts_with('-')
        {
            commands.push(word.to_owned());
        }
    }
    commands
}

fn pages_below(folder: &std::path::Path, pages: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => pages_below(&path, pages),
            false if path.extension().is_some_and(|ending| ending == "md") => pages.push(path),
            false => {}
        }
    }
}

#[test]
fn every_command_that_a_page_names_exists() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut pages = vec![root.join("README.md"), root.join("ARCHITECTURE.md"), root.join("CONTRIBUTING.md")];
    pages_below(&root.join("docs"), &mut pages);
    let mut named: std::collections::BTreeMap<String, std::path::PathBuf> = std::collections::BTreeMap::new();
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        named.extend(named_commands(&text).into_iter().map(|command| (command, page.clone())));
    }
    assert!(named.len() > 30, "{named:?}");
    let sandbox = Sandbox::new();
    named.retain(|command, _| sandbox.run(&[command, "--help"]).code != 0);
    assert!(named.is_empty(), "no such commands: {named:?}");
}
