//! Keys on the command line: where they come from, what is said when they do not fit, and that nothing shows them.

use crate::{Answer, Sandbox, clear_error};

fn with_key(sandbox: &Sandbox, key: &str, arguments: &[&str]) -> Answer {
    sandbox.command(arguments).env("ELFMEM_KEY", key).output().unwrap().into()
}

#[cfg(not(feature = "encryption"))]
mod without {
    use super::*;

    #[test]
    fn a_build_without_encryption_says_so_when_there_is_a_key_and_makes_nothing() {
        let sandbox = Sandbox::new();
        std::fs::write(sandbox.file("key"), "correct horse battery").unwrap();
        let error = sandbox.fails(&["--db", "m.db", "--key-file", "key", "remember", "Maria is allergic to peanuts"]);
        assert!(error.contains("built without encryption") && error.contains("--features encryption"), "{error}");
        for arguments in [&["remember", "x"][..], &["recall", "x"], &["status"], &["restore-backup", "b.db", "--yes"]] {
            let error = clear_error(&with_key(&sandbox, "correct horse battery", arguments));
            assert!(error.contains("built without encryption") && !error.contains("horse"), "{error}");
        }
        assert!(!sandbox.file("m.db").exists());
    }

    #[test]
    fn a_file_that_may_be_encrypted_is_told_as_such() {
        let sandbox = Sandbox::new();
        std::fs::write(sandbox.file("m.db"), [0xe7; 8192]).unwrap();
        for arguments in [&["--db", "m.db", "recall", "x"][..], &["--db", "new.db", "import", "m.db"]] {
            let error = sandbox.fails(arguments);
            assert!(error.contains("encrypted") && error.contains("ELFMEM_KEY"), "{error}");
        }
        assert_eq!(std::fs::read(sandbox.file("m.db")).unwrap(), [0xe7; 8192]);
    }
}

#[cfg(feature = "encryption")]
mod with {
    use std::process::Stdio;

    use super::*;

    const KEY: &str = "6f1ed002ab5595859014ebf0951522d96f1ed002ab5595859014ebf0951522d9";

    fn locked() -> Sandbox {
        let sandbox = Sandbox::new();
        std::fs::write(sandbox.file("key"), format!("{KEY}\n")).unwrap();
        for text in ["Maria is allergic to peanuts", "Deploys go out on Tuesdays"] {
            sandbox.ok(&["--db", "m.db", "--key-file", "key", "remember", text]);
        }
        sandbox
    }

    #[test]
    fn a_key_opens_the_memory_from_a_file_a_variable_and_the_settings() {
        let sandbox = locked();
        let answers = |answer: Answer| assert!(answer.stdout.contains("peanuts"), "{answer:?}");
        let asked = ["--db", "m.db", "recall", "who is allergic?"];
        answers(sandbox.run(&["--key-file", "key", "--db", "m.db", "recall", "who is allergic?"]));
        answers(with_key(&sandbox, KEY, &asked));
        answers(sandbox.command(&asked).env("ELFMEM_KEY_FILE", "key").output().unwrap().into());
        let folder = sandbox.file(".config").join("elfmem");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("config.toml"), "[database]\nkey_file = \"~/key\"\n").unwrap();
        answers(sandbox.run(&asked));
        sandbox.ok(&["--db", "m.db", "dream"]);
        assert!(sandbox.ok(&["--db", "m.db", "doctor"]).contains("Nothing is wrong."));
    }

    #[test]
    fn a_key_that_does_not_fit_or_is_missing_is_told_and_never_shown() {
        let sandbox = locked();
        let asked = ["--db", "m.db", "recall", "x"];
        assert!(sandbox.fails(&asked).contains("there is no key"));
        let error = clear_error(&with_key(&sandbox, "not the right one", &asked));
        assert!(error.contains("the key does not open") && !error.contains("right one"), "{error}");
        let error = clear_error(&with_key(&sandbox, "short", &asked));
        assert!(error.contains("openssl rand -hex 32") && !error.contains("'short'"), "{error}");
        let both = sandbox.command(&asked).env("ELFMEM_KEY", KEY).env("ELFMEM_KEY_FILE", "key").output().unwrap();
        assert!(clear_error(&both.into()).contains("Unset one"));
        assert!(sandbox.fails(&["--key-file", "nowhere", "status"]).contains("nowhere"));
        sandbox.ok(&["--db", "plain.db", "remember", "Not a secret"]);
        let error = clear_error(&with_key(&sandbox, KEY, &["--db", "plain.db", "status"]));
        assert!(error.contains("is not encrypted") && !error.contains(KEY), "{error}");
        let shown = with_key(&sandbox, KEY, &["--db", "m.db", "config", "show", "--json"]);
        assert!(!shown.stdout.contains(KEY) && shown.code == 0, "{shown:?}");
    }

    #[test]
    fn a_backup_is_encrypted_and_leads_back() {
        let sandbox = locked();
        let key = ["--db", "m.db", "--key-file", "key"];
        let with = |more: &[&str]| sandbox.ok(&[&key[..], more].concat());
        with(&["backup", "b.db"]);
        with(&["remember", "Said later"]);
        assert!(sandbox.fails(&["--db", "other.db", "restore-backup", "b.db", "--yes"]).contains("there is no key"));
        with(&["restore-backup", "b.db", "--yes"]);
        assert!(!with(&["ls"]).contains("Said later"));
        for name in ["m.db", "b.db"] {
            let bytes = std::fs::read(sandbox.file(name)).unwrap();
            assert!(!bytes.windows(7).any(|window| window == b"peanuts"), "{name}");
        }
    }

    #[test]
    fn what_is_plain_can_be_brought_into_an_encrypted_memory_and_out_again() {
        let sandbox = Sandbox::new();
        std::fs::write(sandbox.file("key"), KEY).unwrap();
        sandbox.ok(&["--db", "plain.db", "remember", "Maria is allergic to peanuts"]);
        sandbox.ok(&["--db", "locked.db", "--key-file", "key", "import", "plain.db"]);
        sandbox.ok(&["--db", "second.db", "--key-file", "key", "import", "locked.db"]);
        assert!(sandbox.fails(&["--db", "third.db", "import", "locked.db"]).contains("there is no key"));
        sandbox.ok(&["--db", "second.db", "--key-file", "key", "export", "out.jsonl"]);
        sandbox.ok(&["--db", "again.db", "import", "out.jsonl"]);
        assert!(sandbox.ok(&["--db", "again.db", "recall", "who is allergic?"]).contains("peanuts"));
    }

    #[test]
    fn eight_processes_may_make_an_encrypted_file_together() {
        for _ in 0..3 {
            let sandbox = Sandbox::new();
            let children: Vec<_> = (0..8)
                .map(|n| {
                    sandbox
                        .command(&["remember", &format!("first words of {n}"), "--db", "new.db"])
                        .env("ELFMEM_KEY", KEY)
                        .stdout(Stdio::piped())
                        .stderr(Stdio::piped())
                        .spawn()
                        .unwrap()
                })
                .collect();
            for child in children {
                let answer: Answer = child.wait_with_output().unwrap().into();
                assert_eq!((answer.code, answer.stderr.as_str()), (0, ""), "{answer:?}");
            }
            assert_eq!(with_key(&sandbox, KEY, &["ls", "--json", "--db", "new.db"]).json()["count"], 8);
        }
    }
}
