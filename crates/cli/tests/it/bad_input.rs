//! Nonsense in, a clear error out, nothing changed.

use crate::http::Server;
use crate::mcp::Client;
use crate::{Sandbox, clear_error};

#[test]
fn empty_content_is_refused() {
    let sandbox = Sandbox::new();
    assert!(sandbox.fails(&["remember", ""]).contains("empty"));
    assert!(clear_error(&sandbox.pipe(b" \n\t ", &["remember"])).contains("empty"));
    assert!(!sandbox.file(".local").exists(), "nothing was made");
}

#[test]
fn ten_megabytes_are_refused_with_the_way_that_works() {
    let sandbox = Sandbox::new();
    let text = "word ".repeat(2_000_000);
    let error = clear_error(&sandbox.pipe(text.as_bytes(), &["remember"]));
    assert!(error.contains("elfmem learn-document"), "{error}");
    std::fs::write(sandbox.file("FILE"), &text).unwrap();
    sandbox.ok(&["learn-document", "FILE"]);
}

#[test]
fn bytes_that_are_not_text_are_refused() {
    let sandbox = Sandbox::new();
    assert!(clear_error(&sandbox.pipe(b"caf\xe9", &["remember"])).contains("not UTF-8"));
    assert!(clear_error(&sandbox.pipe(b"nul\0byte", &["remember"])).contains("NUL"));
    std::fs::write(sandbox.file("binary"), [0xffu8, 0xfe, 0x00]).unwrap();
    assert!(sandbox.fails(&["learn-document", "binary"]).contains("not UTF-8"));
    assert!(sandbox.ok(&["ls"]).contains("Nothing is stored"));
}

#[test]
fn a_folder_instead_of_a_file_is_refused() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.file("folder")).unwrap();
    for command in [&["remember", "x"][..], &["recall", "x"], &["status"], &["ls"]] {
        assert!(sandbox.fails(&[command, &["--db", "folder"]].concat()).contains("it is a folder"));
    }
}

#[test]
fn a_place_that_cannot_be_written_is_refused() {
    let sandbox = Sandbox::new();
    // Nobody, not even root, can make files there.
    let error = sandbox.fails(&["remember", "x", "--db", "/proc/elfmem/memory.db"]);
    assert!(error.contains("/proc/elfmem/memory.db") && error.contains("--db"), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_read_only_folder_is_a_clear_error_for_an_ordinary_user() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let sandbox = Sandbox::new();
    let folder = sandbox.file("locked");
    std::fs::create_dir(&folder).unwrap();
    std::fs::set_permissions(sandbox.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o555)).unwrap();
    let program = sandbox.file("elfmem");
    std::fs::copy(env!("CARGO_BIN_EXE_elfmem"), &program).unwrap();
    let mut command = std::process::Command::new(&program);
    command.args(["remember", "x", "--db", "locked/memory.db"]).current_dir(sandbox.path());
    // Root may write anywhere, so the test steps down to nobody where it can.
    let root = std::fs::metadata("/proc/self").is_ok_and(|me| std::os::unix::fs::MetadataExt::uid(&me) == 0);
    if root {
        command.uid(65534).gid(65534);
    }
    let error = clear_error(&command.output().unwrap().into());
    assert!(error.contains("locked/memory.db"), "{error}");
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_clear_error_and_loses_nothing() {
    let sandbox = Sandbox::new();
    let disk = sandbox.file("disk");
    std::fs::create_dir(&disk).unwrap();
    let mount = |arguments: &[&str]| std::process::Command::new(arguments[0]).args(&arguments[1..]).output();
    let mounted = mount(&["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk.to_str().unwrap()]);
    if !mounted.is_ok_and(|output| output.status.success()) {
        println!("skipped: mounting a small disk needs root (the store's own test limits its pages instead)");
        return;
    }
    let text = "long words to fill the disk with ".repeat(500);
    let mut stored = 0;
    let error = loop {
        let answer = sandbox.pipe(format!("{stored} {text}").as_bytes(), &["remember", "--db", "disk/memory.db"]);
        if answer.code != 0 {
            break clear_error(&answer);
        }
        stored += 1;
    };
    std::fs::write(sandbox.file("error"), &error).unwrap();
    let listed = sandbox.run(&["ls", "-n", "0", "--json", "--db", "disk/memory.db"]);
    mount(&["umount", disk.to_str().unwrap()]).unwrap();
    assert!(error.contains("disk is full"), "{error}");
    assert!(stored > 5);
    assert_eq!(listed.json()["count"], stored);
}

#[test]
fn other_files_are_refused_and_left_alone() {
    let sandbox = Sandbox::new();
    let notes = "not a database, but somebody's notes ".repeat(10);
    std::fs::write(sandbox.file("notes.txt"), &notes).unwrap();
    assert!(sandbox.fails(&["remember", "x", "--db", "notes.txt"]).contains("not an elfmem memory"));
    assert_eq!(std::fs::read_to_string(sandbox.file("notes.txt")).unwrap(), notes);
}

#[test]
fn errors_are_objects_for_programs() {
    let sandbox = Sandbox::new();
    let answer = sandbox.run(&["show", "ffff0000", "--json"]);
    assert_eq!((answer.code, answer.stdout.as_str()), (1, ""));
    let error: serde_json::Value = serde_json::from_str(&answer.stderr).unwrap();
    assert_eq!(error["error"]["kind"], "NotFoundError");
    assert!(error["error"]["recovery"].as_str().unwrap().contains("`elfmem recall`"));
}

#[test]
fn wrong_usage_exits_with_two_and_suggests() {
    let sandbox = Sandbox::new();
    let answer = sandbox.run(&["rember", "x"]);
    assert_eq!(answer.code, 2);
    assert!(answer.stderr.contains("remember"), "{answer:?}");
    assert_eq!(sandbox.run(&[]).code, 2);
    assert_eq!(sandbox.run(&["recall"]).code, 2);
}

#[test]
fn bad_tags_are_refused() {
    let sandbox = Sandbox::new();
    assert!(sandbox.fails(&["remember", "x", "--tag", "a,b"]).contains("comma"));
    assert!(sandbox.fails(&["remember", "x", "--category", " "]).contains("category is empty"));
    assert!(sandbox.ok(&["ls"]).contains("Nothing is stored"));
}

#[test]
fn errors_are_json_when_json_is_asked_for() {
    let sandbox = Sandbox::new();
    for (arguments, code, message) in [
        (&["recal", "x", "--json"][..], 2, "unrecognized subcommand 'recal'"),
        (&["recall", "--bogus", "--json"], 2, "unexpected argument '--bogus'"),
        (&["show", "--json"], 2, "required arguments were not provided"),
        (&["outcome", "1f3a", "--signal", "abc", "--json"], 2, "abc"),
        (&["show", "ffffffff", "--json"], 1, "There is no block"),
    ] {
        let answer = sandbox.run(arguments);
        assert_eq!((answer.code, answer.stdout.as_str()), (code, ""), "{answer:?}");
        let error: serde_json::Value = serde_json::from_str(&answer.stderr).unwrap();
        assert!(error["error"]["message"].as_str().unwrap().contains(message), "{error}");
        assert!(!error["error"]["recovery"].as_str().unwrap().is_empty(), "{error}");
    }
}

#[test]
fn a_misspelt_command_is_told_the_nearest_one() {
    let sandbox = Sandbox::new();
    for (typed, meant) in [
        ("remeber", "remember"),
        ("recal", "recall"),
        ("statuss", "status"),
        ("serch", "search"),
        ("contradiction", "contradictions"),
        ("improt", "import"),
        ("proposal", "proposals"),
    ] {
        let told = sandbox.run(&[typed]);
        assert!(told.code == 2 && told.stderr.contains(&format!("similar subcommand exists: '{meant}'")), "{told:?}");
        let json = sandbox.run(&[typed, "--json"]);
        let error: serde_json::Value = serde_json::from_str(&json.stderr).unwrap();
        assert!(error["error"]["recovery"].as_str().unwrap().contains(&format!("'{meant}'")), "{error}");
    }
}

#[test]
fn an_empty_question_is_an_error_on_every_surface() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "Ana keeps bees", "--db", "m.db"]);
    let block = crate::tending::id("Ana keeps bees");
    for words in [&["recall", " "][..], &["why", "", &block[..8]], &["retrieve", " "], &["insights", ""]] {
        let told = sandbox.fails(&[words, &["--db", "m.db"]].concat());
        assert!(told.contains("the question is empty") && told.contains("elfmem frame attention"), "{words:?}: {told}");
    }
    let calls = [
        ("recall", serde_json::json!({"query": ""})),
        ("why", serde_json::json!({"query": " ", "block_id": block})),
        ("retrieve_memories", serde_json::json!({"query": ""})),
        ("generate_insights", serde_json::json!({"task": ""})),
    ];
    let mut client = Client::connect(&sandbox, &["serve", "--db", "m.db", "--tools", "all"]);
    for (verb, arguments) in &calls {
        let (told, _) = client.refused(&format!("elfmem_{verb}"), arguments.clone());
        assert!(told.contains("elfmem_frame(name=attention)"), "{verb}: {told}");
    }
    client.close();
    let server = Server::start(&sandbox, &[]);
    for (verb, arguments) in &calls {
        let problem = server.verb(verb, arguments).problem(400);
        assert!(problem["detail"].as_str().unwrap().contains("the question is empty"), "{verb}: {problem}");
    }
    server.stop();
}

#[test]
fn a_command_without_its_sub_command_lists_them_in_json() {
    let sandbox = Sandbox::new();
    for (command, below) in [
        ("secrets", "scan"),
        ("scope", "ls"),
        ("config", "show"),
        ("session", "begin"),
        ("event", "store"),
        ("tag", "add"),
    ] {
        let refused = sandbox.run(&["--json", command]);
        let error: serde_json::Value = serde_json::from_str(&refused.stderr).unwrap();
        let message = error["error"]["message"].as_str().unwrap();
        assert!(message.starts_with(&format!("{command} needs a sub-command: ")), "{message}");
        assert!(message.contains(below) && !message.contains("help"), "{message}");
    }
}
