//! Any bytes as a file of every form, by its own looks and by each name: it is refused as a whole, or taken in as the rehearsal said, and
//! `undo` takes it back.
//!
//! The first byte of the input says whether the file is to hold a form that was named, and what its name ends with.

#![no_main]
#![allow(clippy::unwrap_used, reason = "what fails here is a finding")]

use elfmem_engine::{ImportFormat, ImportOptions, ParsedImport, TextFile, Undo};
use elfmem_fuzz::{contents, furnished, must_be_sound};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((&how, rest)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let asked = ImportFormat::ALL.get(usize::from(how & 0x0f)).copied();
    let name = if how & 0x10 == 0 { "export.json" } else { "notes/today.md" };
    let read = if how & 0x20 != 0 {
        let files = text.split("\n=====\n").enumerate();
        let files: Vec<TextFile> =
            files.map(|(number, text)| TextFile::new(format!("{number}/{name}"), text)).collect();
        ParsedImport::read_folder(&files)
    } else {
        ParsedImport::read(name, text, asked)
    };
    let parsed = match read {
        Ok(parsed) => parsed,
        Err(error) => {
            assert!(!error.message().is_empty() && !error.recovery().is_empty(), "{error:?}");
            return;
        }
    };
    let memory = furnished();
    let before = contents(&memory);
    let rehearsed = memory.import(&parsed, &ImportOptions { dry_run: true, ..ImportOptions::default() });
    assert_eq!(contents(&memory), before, "a rehearsal changed something");
    match memory.import(&parsed, &ImportOptions::default()) {
        Ok(done) => {
            let rehearsed = rehearsed.unwrap();
            assert_eq!((rehearsed.created, rehearsed.merged), (done.created, done.merged), "not as rehearsed");
            must_be_sound(&memory);
            let again = memory.import(&parsed, &ImportOptions::default()).unwrap();
            assert_eq!(again.created, 0, "what came in twice became new twice");
            memory.undo(Undo::last()).unwrap();
            must_be_sound(&memory);
        }
        Err(error) => {
            assert!(rehearsed.is_err(), "the rehearsal went well, and then: {error:?}");
            assert_eq!(contents(&memory), before, "what was refused changed something");
        }
    }
});
