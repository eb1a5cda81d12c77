//! `init`: what it makes, that it changes nothing else, and nothing twice.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{Answer, Sandbox, clear_error};

/// A home with a repository in it.
fn repository() -> Sandbox {
    let sandbox = Sandbox::new();
    fs::create_dir_all(sandbox.file("work/.git")).unwrap();
    fs::create_dir_all(sandbox.file("work/src/deep")).unwrap();
    sandbox
}

fn init(sandbox: &Sandbox, arguments: &[&str]) -> Answer {
    let mut command = sandbox.command(&[&["init", "--yes"], arguments].concat());
    command.current_dir(sandbox.file("work/src/deep")).output().unwrap().into()
}

/// Every file of the project but the memory itself, with what it says.
fn files(sandbox: &Sandbox) -> BTreeMap<String, Vec<u8>> {
    fn walk(folder: &Path, root: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, root, found);
            } else if !path.to_string_lossy().contains(".db") {
                found.insert(path.strip_prefix(root).unwrap().display().to_string(), fs::read(&path).unwrap());
            }
        }
    }
    let (root, mut found) = (sandbox.file("work"), BTreeMap::new());
    walk(&root, &root, &mut found);
    found
}

fn blocks(sandbox: &Sandbox) -> Vec<Value> {
    let listed = sandbox.command(&["ls", "-n", "0", "--json"]).current_dir(sandbox.file("work")).output().unwrap();
    Answer::from(listed).json()["blocks"].as_array().unwrap().clone()
}

#[test]
fn three_runs_in_a_row_change_nothing_after_the_first() {
    let sandbox = repository();
    let arguments =
        ["--name", "Ada", "--self", "I keep the books", "--seed", "constitution", "--seed", "coding", "--hooks"];
    let first = init(&sandbox, &arguments);
    assert_eq!((first.code, first.stderr.as_str()), (0, ""), "{first:?}");
    let (made, stored) = (files(&sandbox), blocks(&sandbox));
    let names: Vec<&str> = made.keys().map(String::as_str).collect();
    assert_eq!(names, [".claude/settings.json", ".elfmem/.gitignore", ".elfmem/config.toml", ".mcp.json", "AGENTS.md"]);
    assert_eq!(stored.len(), 17, "a name, an identity, ten principles and five");
    for _ in 0..2 {
        let again = init(&sandbox, &arguments);
        assert!(again.stdout.contains("there was nothing to do"), "{again:?}");
        assert_eq!(files(&sandbox), made);
        assert_eq!(blocks(&sandbox), stored, "not even their counts");
    }
}

#[test]
fn a_new_memory_with_principles_is_healthy_and_shows_who_the_agent_is() {
    let sandbox = repository();
    init(&sandbox, &["--name", "Ada", "--self", "I keep the books", "--seed", "constitution"]);
    let run = |arguments: &[&str]| {
        Answer::from(sandbox.command(arguments).current_dir(sandbox.file("work")).output().unwrap())
    };
    let status = run(&["status", "--json"]).json();
    assert_eq!(
        (&status["health"], &status["inbox_count"], &status["active_count"]),
        (&"good".into(), &0.into(), &12.into())
    );
    let own = run(&["frame", "self"]).stdout;
    assert!(own.contains("My name is Ada.") && own.contains("I keep the books"), "{own}");
    run(&["remember", "The pool of the cache has forty connections"]);
    let asked = run(&["recall", "how many connections has the pool?", "--frame", "attention"]).stdout;
    assert!(
        asked.contains("forty connections") && !asked.contains("smallest step"),
        "principles stay out of it: {asked}"
    );
}

#[test]
fn only_the_section_changes_in_a_file_that_is_there() {
    let sandbox = repository();
    let claude = sandbox.file("work/CLAUDE.md");
    let before = "# Rules\n\nUse tabs.\n<!-- elfmem:begin -->\nold\n<!-- elfmem:end -->\n\nBe kind.";
    fs::write(&claude, before).unwrap();
    assert_eq!(init(&sandbox, &[]).code, 0);
    let after = fs::read_to_string(&claude).unwrap();
    assert!(after.starts_with("# Rules\n\nUse tabs.\n<!-- elfmem:begin -->\n## Memory"), "{after}");
    assert!(after.ends_with("<!-- elfmem:end -->\n\nBe kind."), "{after}");
    assert!(!after.contains("old") && !sandbox.file("work/AGENTS.md").exists());
}

#[test]
fn of_two_files_of_instructions_both_are_told_unless_one_leads_to_the_other() {
    for (claude, told) in [("Rules.\n", true), ("@AGENTS.md\n", false)] {
        let sandbox = repository();
        fs::write(sandbox.file("work/AGENTS.md"), "Others.\n").unwrap();
        fs::write(sandbox.file("work/CLAUDE.md"), claude).unwrap();
        init(&sandbox, &[]);
        let has = |file: &str| fs::read_to_string(sandbox.file(file)).unwrap().contains("elfmem:begin");
        assert!(has("work/AGENTS.md"));
        assert_eq!(has("work/CLAUDE.md"), told);
    }
}

#[test]
fn other_servers_and_their_formatting_stay() {
    let sandbox = repository();
    let before = "{\n\t\"mcpServers\": {\n\t\t\"zeta\": { \"command\": \"z\", \"args\": [1.0] },\n\t\t\"alpha\": {}\n\t},\n\t\"other\": null\n}\n";
    fs::write(sandbox.file("work/.mcp.json"), before).unwrap();
    init(&sandbox, &[]);
    let after = fs::read_to_string(sandbox.file("work/.mcp.json")).unwrap();
    assert!(after.starts_with("{\n\t\"mcpServers\": {\n\t\t\"zeta\": { \"command\": \"z\", \"args\": [1.0] },\n\t\t\"alpha\": {},\n\t\t\"elfmem\": {\n"));
    assert!(after.ends_with("\n\t},\n\t\"other\": null\n}\n"), "{after}");
    let json: Value = serde_json::from_str(&after).unwrap();
    assert_eq!(json["mcpServers"]["elfmem"], serde_json::json!({"command": "elfmem", "args": ["serve"]}));
}

#[test]
fn what_is_damaged_is_an_error_that_changes_nothing() {
    for (file, text) in [
        (".mcp.json", "{\"mcpServers\": {"),
        (".mcp.json", "{\"mcpServers\": 5}"),
        ("AGENTS.md", "<!-- elfmem:begin -->\nhalf a section"),
        (".claude/settings.json", "{\"hooks\": \"none\"}"),
        (".elfmem/config.toml", "[memory]\nnonsense = 1\n"),
        (".mcp.json", "caf\u{0}"),
    ] {
        let sandbox = repository();
        let path = sandbox.file("work").join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        let before = files(&sandbox);
        let error = clear_error(&init(&sandbox, &["--hooks", "--self", "me"]));
        assert!(error.contains(file), "{error}");
        assert_eq!(files(&sandbox), before, "{file}");
        assert!(!sandbox.file("work/.elfmem/memory.db").exists());
        // The way out, taken literally.
        fs::remove_file(&path).unwrap();
        assert_eq!(init(&sandbox, &["--hooks", "--self", "me"]).code, 0);
    }
}

#[test]
fn a_dry_run_shows_it_and_changes_nothing() {
    let sandbox = repository();
    fs::write(sandbox.file("work/AGENTS.md"), "# Rules\n").unwrap();
    let before = files(&sandbox);
    let shown = init(&sandbox, &["--dry-run", "--hooks", "--name", "Ada"]).stdout;
    for part in ["Nothing was changed", ".mcp.json", ".claude/settings.json", "+ ## Memory", "My name is Ada."] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert_eq!(files(&sandbox), before);
    let json = init(&sandbox, &["--dry-run", "--json"]).json();
    let actions: Vec<&str> =
        json["files"].as_array().unwrap().iter().map(|file| file["action"].as_str().unwrap()).collect();
    assert_eq!((actions, &json["dry_run"]), (vec!["created", "created", "updated", "created"], &true.into()));
}

#[test]
fn another_name_or_identity_takes_the_place_of_the_old_one() {
    let sandbox = repository();
    init(&sandbox, &["--name", "Ada", "--self", "I keep the books"]);
    let changed = init(&sandbox, &["--name", "Grace", "--self", "I keep the books"]).stdout;
    assert!(changed.contains("replaced   name My name is Grace."), "{changed}");
    assert!(changed.contains("unchanged  identity I keep the books"), "{changed}");
    let frame = sandbox.command(&["frame", "self"]).current_dir(sandbox.file("work")).output().unwrap();
    let own = Answer::from(frame).stdout;
    assert!(own.contains("Grace") && !own.contains("Ada"), "{own}");
}

#[test]
fn a_principle_that_was_forgotten_stays_forgotten() {
    let sandbox = repository();
    init(&sandbox, &["--seed", "constitution"]);
    let stored = blocks(&sandbox);
    let rhythm = stored.iter().find(|block| block["content"].as_str().unwrap().contains("effort and rest")).unwrap();
    let forget = ["forget", rhythm["id"].as_str().unwrap()];
    assert!(sandbox.command(&forget).current_dir(sandbox.file("work")).status().unwrap().success());
    assert!(init(&sandbox, &["--seed", "constitution"]).stdout.contains("nothing to do"));
}

#[test]
fn principles_come_from_a_file_and_nonsense_is_refused() {
    let sandbox = repository();
    fs::write(sandbox.file("work/src/deep/ours.md"), "# Ours\n\nWe ship\non Tuesdays.\n\nWe ask first.\n").unwrap();
    let stored = init(&sandbox, &["--seed", "ours.md", "--json"]).json();
    let texts: Vec<&str> =
        stored["blocks"].as_array().unwrap().iter().map(|block| block["content"].as_str().unwrap()).collect();
    assert_eq!(texts, ["We ship on Tuesdays.", "We ask first."]);
    assert!(init(&sandbox, &["--seed", "ours.md"]).stdout.contains("nothing to do"));
    let error = clear_error(&init(&sandbox, &["--seed", "constitutional"]));
    assert!(error.contains("constitution, coding, research, assistant"), "{error}");
    for empty in [["--self", " "], ["--name", ""]] {
        assert!(clear_error(&init(&sandbox, &empty)).contains("empty"));
    }
}

#[test]
fn the_home_folder_is_no_project_and_a_plain_folder_is_one() {
    let sandbox = Sandbox::new();
    assert!(sandbox.fails(&["init"]).contains("Your home folder is not a project"));
    fs::create_dir_all(sandbox.file("plain")).unwrap();
    let made: Answer = sandbox.command(&["init"]).current_dir(sandbox.file("plain")).output().unwrap().into();
    assert_eq!(made.code, 0, "{made:?}");
    assert!(sandbox.file("plain/.elfmem/config.toml").exists() && sandbox.file("plain/AGENTS.md").exists());
}

#[cfg(unix)]
#[test]
fn the_memory_is_kept_out_of_the_repository_and_the_settings_are_not() {
    let sandbox = repository();
    fs::remove_dir(sandbox.file("work/.git")).unwrap();
    let git = |arguments: &[&str]| {
        let run = std::process::Command::new("git").args(arguments).current_dir(sandbox.file("work")).output();
        run.map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let Ok(_) = git(&["init", "-q"]) else { return };
    init(&sandbox, &["--self", "me"]);
    let seen = git(&["status", "--short", "-uall"]).unwrap();
    assert!(seen.contains(".elfmem/config.toml") && !seen.contains("memory.db"), "{seen}");
}

#[test]
fn what_is_written_reads_as_pinned() {
    let sandbox = repository();
    let root = fs::canonicalize(sandbox.path()).unwrap().display().to_string();
    let said = init(&sandbox, &["--hooks", "--name", "Ada"]).stdout.replace(&root, "~");
    let mut page = format!("$ elfmem init --hooks --name Ada\n{said}");
    for (name, text) in files(&sandbox) {
        page.push_str(&format!("\n==> {name}\n{}", String::from_utf8(text).unwrap()));
    }
    insta::assert_snapshot!("set-up", page);
}

/// Runs a command in the repository, with nothing else on the path.
#[cfg(unix)]
fn run_with_path(sandbox: &Sandbox, path: &Path, arguments: &[&str]) -> Answer {
    sandbox.command(arguments).current_dir(sandbox.file("work")).env("PATH", path).output().unwrap().into()
}

#[cfg(unix)]
#[test]
fn a_program_that_hosts_cannot_find_is_registered_by_its_whole_path() {
    let sandbox = repository();
    let nowhere = Path::new("/nowhere");
    let said = run_with_path(&sandbox, nowhere, &["init", "--hooks"]).stdout;
    assert!(said.contains("is not on your path, so it is registered as"), "{said}");
    let program = env!("CARGO_BIN_EXE_elfmem");
    let servers: Value = serde_json::from_str(&fs::read_to_string(sandbox.file("work/.mcp.json")).unwrap()).unwrap();
    assert_eq!(servers["mcpServers"]["elfmem"]["command"], program);
    let settings = fs::read_to_string(sandbox.file("work/.claude/settings.json")).unwrap();
    assert!(settings.contains(&format!("{program} hook session-end")), "{settings}");
    let taught = fs::read_to_string(sandbox.file("work/AGENTS.md")).unwrap();
    assert!(taught.contains(&format!("`{program} remember \"")) && !taught.contains("`elfmem remember"), "{taught}");
    let doctor = run_with_path(&sandbox, nowhere, &["doctor"]);
    assert!(doctor.code == 0 && doctor.stdout.contains("command"), "{doctor:?}");
}

#[cfg(unix)]
#[test]
fn the_doctor_says_when_hosts_cannot_start_the_program() {
    let sandbox = repository();
    assert_eq!(init(&sandbox, &["--hooks"]).code, 0);
    let installed = Path::new(env!("CARGO_BIN_EXE_elfmem")).parent().unwrap();
    assert!(run_with_path(&sandbox, installed, &["doctor"]).stdout.contains("Nothing is wrong."));
    let lost = run_with_path(&sandbox, Path::new("/nowhere"), &["doctor"]);
    assert!(lost.code == 1 && lost.stdout.contains("hosts cannot find 'elfmem'"), "{lost:?}");
    let broken = sandbox.file("bin");
    fs::create_dir(&broken).unwrap();
    fs::write(broken.join("elfmem"), "#!/bin/sh\nexit 3\n").unwrap();
    fs::set_permissions(broken.join("elfmem"), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let broken = run_with_path(&sandbox, &broken, &["doctor"]);
    assert!(broken.code == 1 && broken.stdout.contains("hosts cannot start 'elfmem'"), "{broken:?}");
    // Hooks are looked at without a registered server, too.
    fs::remove_file(sandbox.file("work/.mcp.json")).unwrap();
    let hooks = run_with_path(&sandbox, Path::new("/nowhere"), &["doctor"]);
    assert!(hooks.code == 1 && hooks.stdout.contains("hosts cannot find 'elfmem'"), "{hooks:?}");
}

#[cfg(unix)]
#[test]
fn init_registers_a_program_anew_that_hosts_cannot_start_any_more() {
    let sandbox = repository();
    assert_eq!(init(&sandbox, &["--hooks"]).code, 0);
    let (servers, settings) = (sandbox.file("work/.mcp.json"), sandbox.file("work/.claude/settings.json"));
    let moved =
        |text: String| text.replace("\"elfmem\"", "\"/gone/elfmem\"").replace("\"/gone/elfmem\": {", "\"elfmem\": {");
    fs::write(&servers, moved(fs::read_to_string(&servers).unwrap())).unwrap();
    let nowhere = Path::new("/nowhere");
    let lost = run_with_path(&sandbox, nowhere, &["doctor"]).stdout;
    assert!(
        lost.contains("hosts cannot find '/gone/elfmem'") && lost.contains("elfmem init registers it anew"),
        "{lost}"
    );
    // Files that are there change only with a yes.
    let asked = run_with_path(&sandbox, nowhere, &["init"]);
    assert!(asked.code == 1 && asked.stderr.contains(".mcp.json, .claude/settings.json"), "{asked:?}");
    let done = run_with_path(&sandbox, nowhere, &["init", "--yes"]);
    assert!(done.stdout.contains("is not on your path, so it is registered as"), "{done:?}");
    let program = env!("CARGO_BIN_EXE_elfmem");
    let json: Value = serde_json::from_str(&fs::read_to_string(&servers).unwrap()).unwrap();
    assert_eq!(json["mcpServers"]["elfmem"], serde_json::json!({"args": ["serve"], "command": program}));
    let hooks = fs::read_to_string(&settings).unwrap();
    assert_eq!(hooks.matches(&format!("\"{program} hook ")).count(), 5, "{hooks}");
    assert!(run_with_path(&sandbox, nowhere, &["doctor"]).stdout.contains("Nothing is wrong."));
    // Nothing is registered now, and nothing is said of it.
    let again = run_with_path(&sandbox, nowhere, &["init"]);
    assert!(again.code == 0 && !again.stdout.contains("registered as"), "{again:?}");
    // Another program of that name is its owner's, and the answer says that it does not start.
    let other = r#"{"mcpServers": {"elfmem": {"command": "/gone/wrapper", "args": ["elfmem", "serve"]}}}"#;
    fs::write(&servers, other).unwrap();
    let told = run_with_path(&sandbox, nowhere, &["init", "--yes"]).stdout;
    assert!(told.contains("Hosts cannot start /gone/wrapper"), "{told}");
    assert_eq!(fs::read_to_string(&servers).unwrap(), other);
}

#[test]
fn hooks_are_recommended_until_they_are_there() {
    let sandbox = repository();
    let hint = "Claude Code can recall by itself: elfmem init --hooks";
    assert!(init(&sandbox, &[]).stdout.contains(hint));
    assert!(!init(&sandbox, &["--hooks"]).stdout.contains(hint));
    let named = init(&sandbox, &["--name", "Ada"]).stdout;
    assert!(named.contains("stored") && !named.contains(hint), "{named}");
}

#[test]
fn without_a_terminal_files_that_are_there_change_only_with_yes() {
    let sandbox = Sandbox::new();
    let project = sandbox.file("project");
    std::fs::create_dir(&project).unwrap();
    std::fs::write(project.join("AGENTS.md"), "# Ours\n").unwrap();
    let run =
        |arguments: &[&str]| -> Answer { sandbox.command(arguments).current_dir(&project).output().unwrap().into() };
    let told = clear_error(&run(&["init"]));
    assert!(told.contains("AGENTS.md") && told.contains("--yes"), "{told}");
    assert_eq!(std::fs::read_to_string(project.join("AGENTS.md")).unwrap(), "# Ours\n");
    assert!(!project.join(".elfmem").exists(), "nothing is made halfway");
    assert_eq!(run(&["init", "--yes"]).code, 0);
    assert!(std::fs::read_to_string(project.join("AGENTS.md")).unwrap().contains("elfmem"));
}

#[test]
fn a_plugin_folder_has_what_init_registers_and_is_written_once() {
    let sandbox = repository();
    let arguments = ["--plugin", "../plugin"];
    let first = init(&sandbox, &arguments);
    assert_eq!((first.code, first.stderr.as_str()), (0, ""), "{first:?}");
    let folder = sandbox.file("work/src/plugin");
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let about: Value = serde_json::from_str(&read(".claude-plugin/plugin.json")).unwrap();
    assert_eq!((about["name"].as_str(), about["version"].as_str()), (Some("elfmem"), Some(env!("CARGO_PKG_VERSION"))));
    let skill = read("skills/elfmem/SKILL.md");
    assert!(skill.starts_with("---\nname: elfmem\ndescription: ") && skill.contains("elfmem recall"), "{skill}");
    for name in ["recall", "remember", "reflect"] {
        assert!(read(&format!("commands/{name}.md")).starts_with("---\ndescription: "), "{name}");
    }
    let made = files(&sandbox);
    let names: Vec<&str> = made.keys().map(String::as_str).collect();
    assert!(!names.contains(&"AGENTS.md") && !names.contains(&".mcp.json"), "the project is left alone: {names:?}");
    assert!(init(&sandbox, &arguments).stdout.contains("unchanged  .mcp.json"));
    assert_eq!(files(&sandbox), made);
    // One definition of the server and of the hooks: those of the project.
    init(&sandbox, &["--hooks"]);
    let json = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    let project = |name: &str| json(&fs::read_to_string(sandbox.file("work").join(name)).unwrap());
    assert_eq!(json(&read(".mcp.json")), project(".mcp.json"));
    assert_eq!(json(&read("hooks/hooks.json")), project(".claude/settings.json"));
    let dry = init(&sandbox, &["--plugin", "../other", "--dry-run"]);
    assert!(dry.stdout.contains("Nothing was changed") && !sandbox.file("work/src/other").exists(), "{dry:?}");
}
