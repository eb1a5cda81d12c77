//! The key of an encrypted memory, and the one place where connections get it.
//!
//! With the feature `encryption` SQLite is built as SQLCipher: every page of the file and of its log is encrypted, the full-text index and
//! the vectors too. Without it there are no keys: making one is refused, so that nobody believes a plain file to be a secret.

use std::fmt;
use std::path::Path;
#[cfg(feature = "encryption")]
use std::sync::Arc;

use elfmem_store::StoreError;
use rusqlite::Connection;

/// The shortest passphrase: a shorter one is found by trying.
#[cfg(feature = "encryption")]
const SHORTEST: usize = 8;
/// How many hexadecimal digits make a key that is used as it is.
#[cfg(feature = "encryption")]
const RAW_DIGITS: usize = 64;

/// What opens an encrypted memory. It cannot be printed.
#[derive(Clone)]
pub struct Key {
    /// The value of `PRAGMA key`: a passphrase, or `x'…'`.
    #[cfg(feature = "encryption")]
    pragma_value: Arc<str>,
    #[cfg(not(feature = "encryption"))]
    never: std::convert::Infallible,
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

#[cfg(feature = "encryption")]
impl Key {
    /// A key from what was given; white space around it, which a file or a shell leaves behind, is dropped.
    ///
    /// 64 hexadecimal digits are the key itself. Anything else is a passphrase: SQLCipher makes the key from it, which
    /// takes a moment for each connection.
    ///
    /// # Errors
    /// [`StoreError::BadKey`] when there is nothing in it, too little, or a NUL.
    pub fn new(text: &str) -> Result<Self, StoreError> {
        let text = text.trim();
        if text.chars().count() < SHORTEST || text.contains('\0') {
            return Err(StoreError::BadKey);
        }
        let is_raw = text.len() == RAW_DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let pragma_value = if is_raw { format!("x'{text}'") } else { text.to_owned() };
        // A passphrase that looks like SQLCipher's way of writing a raw key would be taken for one.
        if !is_raw && (text.starts_with("x'") || text.starts_with("X'")) {
            return Err(StoreError::BadKey);
        }
        Ok(Self { pragma_value: pragma_value.into() })
    }

    fn apply(&self, connection: &Connection) -> rusqlite::Result<()> {
        // What goes wrong is reported by us; SQLCipher would print it on standard error as well.
        connection.pragma_update(None, "cipher_log_level", "NONE")?;
        connection.pragma_update(None, "key", &*self.pragma_value)
    }
}

#[cfg(not(feature = "encryption"))]
impl Key {
    /// Refuses: this elfmem was built without encryption.
    ///
    /// # Errors
    /// [`StoreError::NoEncryption`], always.
    pub fn new(_text: &str) -> Result<Self, StoreError> {
        Err(StoreError::NoEncryption)
    }

    fn apply(&self, _connection: &Connection) -> rusqlite::Result<()> {
        match self.never {}
    }
}

/// Gives a connection that was just opened its key. It must be the first thing that happens to it.
pub(crate) fn unlock(connection: &Connection, key: Option<&Key>, path: &Path) -> Result<(), StoreError> {
    let Some(key) = key else { return Ok(()) };
    let read = |_: &rusqlite::Row<'_>| Ok(());
    let opened = key.apply(connection).and_then(|()| {
        // Only reading tells whether it fits.
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], read)
    });
    opened.map_err(|error| match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::NotADatabase) => StoreError::WrongKey { path: path.to_owned() },
        _ => crate::errors::open_error(path, error),
    })
}

#[cfg(all(test, feature = "encryption"))]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_never_printed() {
        let key = Key::new("correct horse battery").unwrap();
        assert_eq!(format!("{key:?} {:?}", Some(&key)), "*** Some(***)");
    }

    #[test]
    fn digits_are_used_as_they_are_and_words_are_not() {
        let digits = "0123456789abcdefABCDEF".repeat(3)[..64].to_owned();
        assert_eq!(&*Key::new(&format!(" {digits}\n")).unwrap().pragma_value, format!("x'{digits}'"));
        assert_eq!(&*Key::new(" two words ' \" ; \n").unwrap().pragma_value, "two words ' \" ;");
        for bad in ["", " \n", "short", "nul\0nul\0nul", &format!("x'{digits}'")] {
            assert!(matches!(Key::new(bad), Err(StoreError::BadKey)), "{bad}");
        }
    }
}
