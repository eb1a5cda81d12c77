//! `kill -9` at random moments: what was acknowledged is there, and the file is sound.

use std::io::Read;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::Sandbox;
use crate::many_processes::assert_integrity;

/// Rounds of the loop; more with `ELFMEM_KILLS`.
fn rounds() -> u32 {
    std::env::var_os("ELFMEM_KILLS").and_then(|value| value.to_str()?.parse().ok()).unwrap_or(300)
}

#[test]
fn killing_writers_at_random_loses_nothing_that_was_acknowledged() {
    let sandbox = Sandbox::new();
    let mut acknowledged = Vec::new();
    let mut killed = 0;
    // Some must live and some must die, however slow the machine is just now.
    let started = Instant::now();
    sandbox.ok(&["remember", "before the first round", "--db", "crash.db"]);
    let longest = (started.elapsed() * 2).max(Duration::from_millis(12)).as_micros() as u64;
    // A small generator of our own: the moments must vary, and a failure must be repeatable.
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    for round in 0..rounds() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let text = format!("round {round} was written");
        let mut child = sandbox
            .command(&["remember", &text, "--db", "crash.db", "--json"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_micros((state >> 33) % longest));
        // SIGKILL on Unix; a process that was done already is not killed, and then its answer counts.
        let _ = child.kill();
        let mut answer = String::new();
        child.stdout.take().unwrap().read_to_string(&mut answer).unwrap();
        if !child.wait().unwrap().success() {
            killed += 1;
        }
        if answer.contains("\"created\"") {
            acknowledged.push(text);
        }
        if round % 50 == 49 && sandbox.file("crash.db").exists() {
            sandbox.ok(&["status", "--db", "crash.db"]);
            assert_integrity(&sandbox, "crash.db");
        }
    }
    assert!(killed > rounds() / 20 && !acknowledged.is_empty(), "{killed} killed, {} acknowledged", acknowledged.len());
    let listed = sandbox.run(&["ls", "-n", "0", "--json", "--db", "crash.db"]).json();
    let contents: Vec<&str> =
        listed["blocks"].as_array().unwrap().iter().map(|block| block["content"].as_str().unwrap()).collect();
    for text in &acknowledged {
        assert!(contents.contains(&text.as_str()), "'{text}' was acknowledged and is gone");
    }
    assert_integrity(&sandbox, "crash.db");
    println!("{killed} of {} processes killed, {} acknowledged, none lost", rounds(), acknowledged.len());
}
