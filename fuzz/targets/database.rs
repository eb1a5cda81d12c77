//! A memory's file with damage of the input's choosing: whatever is asked of it answers or refuses. Nothing panics, nothing hangs, and
//! what a repair leaves behind can be used or refused like everything else.
//!
//! The first byte of the input says whether the log is there too; then come records of six bytes: what is done, where, with what.

#![no_main]
#![allow(clippy::unwrap_used, reason = "what fails here is a finding")]

use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use elfmem_core::BlockId;
use elfmem_engine::{Dream, Memory, ReadLog, Recall, RenderFrame, Undo, Verify};
use elfmem_fuzz::{CONTEXTS, KNOWN, NOW, folder, furnish, options, told};
use elfmem_store_sqlite::{BadRows, OpenOptions, Overwrite, RunMode, SqliteStore, restore};
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

/// The file of a furnished memory, at rest and in use with its log.
struct Original {
    at_rest: Vec<u8>,
    in_use: Vec<u8>,
    log: Vec<u8>,
}

static ORIGINAL: LazyLock<Original> = LazyLock::new(|| {
    let (path, copy) = (folder().join("original.db"), folder().join("copy.db"));
    let memory = Memory::open(SqliteStore::open(&path, OpenOptions::default(), NOW).unwrap(), options());
    furnish(&memory);
    memory.store().backup(&copy, Overwrite::Replace, RunMode::Write, &mut |_, _| {}).unwrap();
    Original {
        at_rest: std::fs::read(copy).unwrap(),
        in_use: std::fs::read(&path).unwrap(),
        log: std::fs::read(folder().join("original.db-wal")).unwrap(),
    }
});

/// The most records of one input: beyond that nothing is left of a file.
const MOST: usize = 16;
/// The most bytes a record adds.
const MOST_MORE: usize = 8192;

fuzz_target!(|bytes: &[u8]| {
    let Some((&with_log, records)) = bytes.split_first() else { return };
    let original = &*ORIGINAL;
    let (mut file, mut log) = match with_log & 1 {
        0 => (original.at_rest.clone(), Vec::new()),
        _ => (original.in_use.clone(), original.log.clone()),
    };
    for record in records.chunks_exact(6).take(MOST) {
        let &[what, a, b, c, d, value] = record else { continue };
        let on = if what & 0x80 == 0 { &mut file } else { &mut log };
        damage(on, what & 0x7f, u32::from_le_bytes([a, b, c, d]), value);
    }
    let path = folder().join("damaged.db");
    for ending in ["", "-wal", "-shm", "-journal"] {
        let _ = std::fs::remove_file(folder().join(format!("damaged.db{ending}")));
    }
    std::fs::write(&path, &file).unwrap();
    if !log.is_empty() {
        std::fs::write(folder().join("damaged.db-wal"), &log).unwrap();
    }
    look_from_outside(&path);
    use_it(&path);
});

fn damage(bytes: &mut Vec<u8>, what: u8, place: u32, value: u8) {
    if bytes.is_empty() {
        return;
    }
    let place = place as usize;
    let at = place % bytes.len();
    match what % 6 {
        0 => bytes[at] ^= 1 << (value % 8),
        1 => bytes[at] = value,
        2 => bytes.truncate(at),
        3 => {
            let end = (at + usize::from(value)).min(bytes.len());
            bytes[at..end].fill(0);
        }
        4 => {
            // A page that stands where another should.
            let pages = bytes.len() / 4096;
            if pages > 1 {
                let (from, to) = (at / 4096 % pages, usize::from(value) % pages);
                bytes.copy_within(from * 4096..(from + 1) * 4096, to * 4096);
            }
        }
        _ => bytes.resize((bytes.len() + place % MOST_MORE).min(1 << 20), value),
    }
}

/// What other commands do with a file that is not theirs to change.
fn look_from_outside(path: &Path) {
    let _ = SqliteStore::copy_of(path, None, BadRows::LeaveOut, NOW, &mut |_, _| {});
    let _ = restore(&folder().join("nowhere.db"), path, None, NOW, RunMode::DryRun, &mut |_, _| {});
}

fn use_it(path: &Path) {
    let options_of_file = OpenOptions { busy_bound: Duration::from_millis(100), ..OpenOptions::default() };
    let Ok(store) = SqliteStore::open(path, options_of_file, NOW) else { return };
    let memory = Memory::open(store, options());
    let known = BlockId::for_content(KNOWN[0]);
    told(memory.status());
    told(memory.recall(Recall::new("who is allergic to peanuts?").preview()));
    told(memory.show(known.as_str()));
    told(memory.learn("A text that was not there before"));
    told(memory.recall("when do deploys go out?"));
    told(memory.log(ReadLog::new().limit(20)));
    told(memory.dream(Dream::new()));
    ask(&memory, "show_context", json!({"context": CONTEXTS[0]}));
    ask(&memory, "links", json!({}));
    ask(&memory, "list_events", json!({}));
    ask(&memory, "retract_source", json!({"source": "agent", "dry_run": true}));
    told(memory.verify(Verify::new().digest()));
    told(memory.verify(Verify::new().repair()));
    told(memory.learn("And another one, after the repair"));
    told(memory.frame(RenderFrame::new("attention").query("deploys")));
    told(memory.undo(Undo::last()));
    let _ = memory.store().backup(&folder().join("backup.db"), Overwrite::Replace, RunMode::DryRun, &mut |_, _| {});
}

/// Asks as a client does.
fn ask(memory: &Memory<SqliteStore>, verb: &str, arguments: Value) {
    told(memory.invoke(verb, arguments.as_object().unwrap()));
}
