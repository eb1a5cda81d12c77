//! Where the key of an encrypted memory comes from: a file or a variable, never the command line, which others can read.

use std::io::Read;
use std::path::Path;

use elfmem_config::{LoadedConfig, ValueOrigin};
use elfmem_store_sqlite::Key;

use crate::environment;
use crate::failure::Failure;

/// A longer file is no key.
const LONGEST: u64 = 4096;

/// The key of the memory, if there is one: the file behind the flag, else the variable that holds it, else the file that settings name.
pub(crate) fn of(settings: &LoadedConfig) -> Result<Option<Key>, Failure> {
    let file = settings.config.database.key_file.as_deref();
    let text = match (file, settings.origin("database.key_file"), environment::memory_key()) {
        (Some(file), ValueOrigin::Flag { .. }, _) => read(file)?,
        (Some(_), ValueOrigin::Environment { .. }, Some(_)) => return Err(Failure::two_keys()),
        (_, _, Some(key)) => key,
        (Some(file), _, None) => read(file)?,
        (None, _, None) => return Ok(None),
    };
    Ok(Some(Key::new(&text).map_err(elfmem_engine::Error::from)?))
}

fn read(file: &Path) -> Result<String, Failure> {
    let unreadable = |error: std::io::Error| Failure::unreadable_key(file, &error.to_string());
    let mut bytes = Vec::new();
    std::fs::File::open(file).map_err(unreadable)?.take(LONGEST + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > LONGEST {
        return Err(Failure::unreadable_key(file, "it is too long for a key"));
    }
    String::from_utf8(bytes).map_err(|_| Failure::unreadable_key(file, "it is not UTF-8 text"))
}
