//! Finds secrets in the arguments of commands: `curl -u name:password`, `sshpass -p password`.

use super::SecretMatches;
use super::redactions::SecretKind;
use super::scanning::{is_mixed, window_start};
use super::value::is_reference;
use super::wordlike::{is_random_with_symbol, is_random_word};

/// Where the secret stands in the argument.
enum ArgumentPlace {
    /// After the first colon of the next word.
    AfterColon,
    /// After the first percent sign of the next word.
    AfterPercent,
    /// After `pass:` at the beginning of the next word.
    AfterPass,
    /// The next word.
    NextWord,
    /// The rest of the word.
    RestOfWord,
}

/// Flags that carry a secret, with the programs they belong to. No program means any.
const FLAGS: [(&str, ArgumentPlace, &[&str]); 15] = [
    ("-u", ArgumentPlace::AfterColon, &["curl", "http ", "wget"]),
    ("--user", ArgumentPlace::AfterColon, &["curl"]),
    ("-p", ArgumentPlace::NextWord, &["sshpass"]),
    ("-p", ArgumentPlace::RestOfWord, &["mysql", "mariadb", "sshpass"]),
    ("-a", ArgumentPlace::NextWord, &["redis-cli"]),
    ("-w", ArgumentPlace::NextWord, &["ldapsearch", "ldapmodify", "ldapadd", "ldapwhoami"]),
    ("-U", ArgumentPlace::AfterPercent, &["smbclient", "rpcclient"]),
    ("-k", ArgumentPlace::NextWord, &["openssl enc"]),
    ("-pass", ArgumentPlace::AfterPass, &["openssl"]),
    ("-passin", ArgumentPlace::AfterPass, &["openssl"]),
    ("-passout", ArgumentPlace::AfterPass, &["openssl"]),
    ("--password", ArgumentPlace::NextWord, &[]),
    ("--token", ArgumentPlace::NextWord, &[]),
    ("--api-key", ArgumentPlace::NextWord, &[]),
    ("--passphrase", ArgumentPlace::NextWord, &[]),
];

/// Minimum length of a password in a command.
const MIN_PASSWORD: usize = 5;

pub(super) fn find(text: &str, matches: &mut SecretMatches) {
    let first = text.starts_with('-').then_some(0);
    for flag_at in first.into_iter().chain(text.match_indices(" -").map(|(at, _)| at + 1)) {
        for (flag, place, programs) in &FLAGS {
            let Some(rest) = text[flag_at..].strip_prefix(flag) else { continue };
            if !runs(text, flag_at, programs) {
                continue;
            }
            let from = text.len() - rest.len();
            let value = match place {
                ArgumentPlace::RestOfWord => word_at(text, from),
                _ if rest.starts_with(' ') => word_at(text, from + 1),
                _ => continue,
            };
            let sign = if matches!(place, ArgumentPlace::AfterPercent) { '%' } else { ':' };
            let (start, value) = match (place, value.1.split_once(sign)) {
                (ArgumentPlace::AfterColon | ArgumentPlace::AfterPercent, Some((name, password))) => {
                    (value.0 + name.len() + 1, password)
                }
                (ArgumentPlace::AfterPass, Some(("pass", password))) => (value.0 + "pass:".len(), password),
                (ArgumentPlace::AfterColon | ArgumentPlace::AfterPercent, None) | (ArgumentPlace::AfterPass, _) => {
                    continue;
                }
                _ => value,
            };
            let random = is_mixed(value) || is_random_word(value) || is_random_with_symbol(value);
            if value.len() >= MIN_PASSWORD && random && !is_reference(value) && !value.starts_with('-') {
                matches.add(SecretKind("command_password"), start..start + value.len());
                break;
            }
        }
    }
}

/// Returns true if one of the programs is named before the flag on its line.
fn runs(text: &str, flag_at: usize, programs: &[&str]) -> bool {
    let line = text[window_start(text, flag_at)..flag_at].rsplit('\n').next().unwrap_or_default();
    programs.is_empty() || programs.iter().any(|program| line.contains(program))
}

/// Returns the word at a position with its start, without quotes around it.
fn word_at(text: &str, at: usize) -> (usize, &str) {
    let rest = &text[at..];
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''));
    let (start, body) = quote.map_or((at, rest), |_| (at + 1, &rest[1..]));
    let ends = |c: char| quote.map_or(c.is_whitespace() || matches!(c, '"' | '\''), |quote| c == quote || c == '\n');
    (start, body.split(ends).next().unwrap_or_default())
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
    fn passwords_in_arguments_are_found() {
        assert_eq!(found("curl -u admin:k3yk3y99 https://host"), ["k3yk3y99"]);
        assert_eq!(found("sshpass -p 'k3yk3y99' ssh root@host"), ["k3yk3y99"]);
        assert_eq!(found("mysql -u root -pk3yk3y99 shop"), ["k3yk3y99"]);
        assert_eq!(found("login --password k3yk3y99"), ["k3yk3y99"]);
        assert_eq!(found("login --password hrCG%Mqbzy"), ["hrCG%Mqbzy"]);
        assert_eq!(found("mysql -u root -pbbdB&IPykx shop"), ["bbdB&IPykx"]);
        assert_eq!(found("curl -u bob:bbdB&IPykx https://host"), ["bbdB&IPykx"]);
        assert_eq!(found("--token k3yk3y99"), ["k3yk3y99"]);
        assert_eq!(found("ldapsearch -x -D cn=admin -w k3yk3y99"), ["k3yk3y99"]);
        assert_eq!(found("smbclient //nas/share -U ana%k3yk3y99"), ["k3yk3y99"]);
        assert_eq!(found("openssl rsa -in key.pem -passin pass:k3yk3y99"), ["k3yk3y99"]);
    }

    #[test]
    fn other_arguments_are_not() {
        for text in [
            "mysql -u root -p shop2024x",
            "docker run -u 1000:1000 img",
            "curl -u $USER:$PASS https://host",
            "psql -p 5432",
            "openssl enc -pass env:SECRET1",
            "openssl enc -pass file:key1.txt",
            "docker login -u app --password-stdin",
            "vote --token Research&Development",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
