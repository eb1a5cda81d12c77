//! Several processes on one file.

use std::process::Stdio;

use crate::Sandbox;

#[test]
fn eight_processes_writing_at_once_lose_nothing_and_fail_nowhere() {
    let sandbox = Sandbox::new();
    std::thread::scope(|threads| {
        for writer in 0..8 {
            let sandbox = &sandbox;
            threads.spawn(move || {
                for number in 0..12 {
                    let text = format!("writer {writer} says {number}");
                    let answer = sandbox.run(&["remember", &text, "--db", "shared.db"]);
                    assert_eq!((answer.code, answer.stderr.as_str()), (0, ""), "{answer:?}");
                }
            });
        }
    });
    let listed = sandbox.run(&["ls", "-n", "0", "--json", "--db", "shared.db"]).json();
    assert_eq!(listed["count"], 96);
    assert_integrity(&sandbox, "shared.db");
}

#[test]
fn eight_processes_may_make_the_file_together() {
    for _ in 0..5 {
        let sandbox = Sandbox::new();
        let children: Vec<_> = (0..8)
            .map(|n| {
                sandbox
                    .command(&["remember", &format!("first words of {n}"), "--db", "new.db"])
                    .stdout(Stdio::piped())
                    .stderr(Stdio::piped())
                    .spawn()
                    .unwrap()
            })
            .collect();
        for child in children {
            let answer: crate::Answer = child.wait_with_output().unwrap().into();
            assert_eq!((answer.code, answer.stderr.as_str()), (0, ""), "{answer:?}");
        }
        assert_eq!(sandbox.run(&["ls", "--json", "--db", "new.db"]).json()["count"], 8);
    }
}

pub(crate) fn assert_integrity(sandbox: &Sandbox, file: &str) {
    let connection = rusqlite::Connection::open(sandbox.file(file)).unwrap();
    let verdict: String = connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(verdict, "ok");
    connection.execute("INSERT INTO search_terms (search_terms) VALUES ('integrity-check')", []).unwrap();
}
