//! Finds passwords in lines of files that list them: `.pgpass`, `htpasswd`, `/etc/shadow`.

use super::SecretMatches;
use super::redactions::SecretKind;
use super::scanning::{is_mixed, is_placeholder, run, starts_word};

/// The schemes of `crypt` between two `$`.
const SCHEMES: [&str; 9] = ["1", "2a", "2b", "2y", "5", "6", "y", "apr1", "argon2id"];
/// Minimum length of a scheme's salt and sum together.
const MIN_HASH: usize = 22;

pub(super) fn find(text: &str, matches: &mut SecretMatches) {
    password_hashes(text, matches);
    let mut from = 0;
    for line in text.split('\n') {
        if let Some(password) = connection_password(line) {
            matches.add(SecretKind("password"), from + line.len() - password.len()..from + line.len());
        }
        from += line.len() + 1;
    }
}

/// Finds sums of passwords as `crypt` writes them: `$6$salt$sum`.
fn password_hashes(text: &str, matches: &mut SecretMatches) {
    let bytes = text.as_bytes();
    let is_part =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'/' | b'$' | b'=' | b',' | b'+' | b'-');
    for (at, _) in text.match_indices('$') {
        if !starts_word(bytes, at) || at > 0 && bytes[at - 1] == b'$' {
            continue;
        }
        let Some(length) = SCHEMES.iter().find_map(|scheme| {
            let rest = text[at + 1..].strip_prefix(scheme)?.strip_prefix('$')?;
            Some(text.len() - rest.len() - at)
        }) else {
            continue;
        };
        let body = run(bytes, at + length, 256, is_part);
        let hash = &text[at + length..at + length + body];
        if hash.len() >= MIN_HASH && is_mixed(hash) && !is_placeholder(hash) {
            matches.add(SecretKind("password_hash"), at..at + length + body);
        }
    }
}

/// Returns the password of a line of `.pgpass`: `host:port:database:user:password`.
fn connection_password(line: &str) -> Option<&str> {
    let mut fields = line.splitn(5, ':');
    let (host, port) = (fields.next()?, fields.next()?);
    let (database, user, password) = (fields.next()?, fields.next()?, fields.next()?);
    let is_host = host == "*" || host.contains(char::is_alphabetic) || host.split('.').count() == 4;
    let is_port = port == "*" || (4..=5).contains(&port.len()) && port.bytes().all(|byte| byte.is_ascii_digit());
    let is_name = |name: &str| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.*".contains(&byte))
    };
    let is_password = password.len() >= 6 && !password.contains(char::is_whitespace) && is_mixed(password);
    let fits =
        is_host && !host.contains(char::is_whitespace) && is_port && is_name(database) && is_name(user) && is_password;
    (fits && !is_placeholder(password)).then_some(password)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let mut matches = SecretMatches::default();
        find(text, &mut matches);
        matches.0.iter().map(|found| &text[found.at.clone()]).collect()
    }

    #[test]
    fn passwords_in_lists_are_found() {
        assert_eq!(found("db.acme.io:5432:*:app:gpXFcc3Xiv3sA1"), ["gpXFcc3Xiv3sA1"]);
        assert_eq!(found("*:*:*:postgres:gpX:Fcc3Xiv3sA1"), ["gpX:Fcc3Xiv3sA1"]);
        assert_eq!(found("ana:$apr1$TQKt4Ut5$VmljV6sx8MY7K7bdFWr9Wj"), ["$apr1$TQKt4Ut5$VmljV6sx8MY7K7bdFWr9Wj"]);
        assert_eq!(
            found("x\n$2y$05$bELOFstFXyUOuXTBl4JarUgjZbqwcSWnswA5YfOEaEw"),
            ["$2y$05$bELOFstFXyUOuXTBl4JarUgjZbqwcSWnswA5YfOEaEw"]
        );
    }

    #[test]
    fn other_lines_are_not() {
        for text in [
            "10:30:00:14:abc123",
            "a::b::c::d::e1",
            "host:5432:db:user:password",
            "UPDATE t SET x = $1$2 WHERE y = $6",
            "costs $1$ and $2",
            "src/main.rs:1200:5:error:E0308 mismatched",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
