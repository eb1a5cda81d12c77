//! Examples of secrets and of strings that are not secrets.

use proptest::prelude::*;

use super::*;

const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const HEX: &[u8] = b"0123456789abcdef";
const CAPITALS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// Returns a pseudo-random string, so that no key is written in this file. Every third character is
/// a digit.
fn random(seed: u64, length: usize, from: &[u8]) -> String {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    (0..length)
        .map(|at| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let number = (state >> 33) as usize;
            if at % 3 == 2 { char::from(b'2' + (number % 6) as u8) } else { char::from(from[number % from.len()]) }
        })
        .collect()
}

fn kinds(text: &str) -> Vec<&'static str> {
    find_secrets(text).into_iter().map(|found| found.kind.as_str()).collect()
}

#[test]
fn vendor_keys_are_found_by_format_and_fully_redacted() {
    let cases = [
        ("openai_key", format!("sk-{}-{}", "proj", random(1, 60, LETTERS))),
        ("openai_key", format!("sk-{}", random(2, 48, LETTERS))),
        ("anthropic_key", format!("sk-{}-api03-{}", "ant", random(3, 80, LETTERS))),
        ("aws_access_key", format!("AK{}{}", "IA", random(4, 16, CAPITALS))),
        ("google_key", format!("AI{}{}", "za", random(5, 35, LETTERS))),
        ("github_token", format!("gh{}_{}", "p", random(6, 36, LETTERS))),
        ("github_token", format!("github_{}_{}_{}", "pat", random(7, 22, LETTERS), random(8, 59, LETTERS))),
        ("gitlab_token", format!("gl{}-{}", "pat", random(9, 20, LETTERS))),
        ("slack_token", format!("xo{}-{}", "xb", random(10, 40, LETTERS))),
        ("stripe_key", format!("sk_{}_{}", "live", random(11, 24, LETTERS))),
        ("huggingface_token", format!("h{}_{}", "f", random(12, 34, LETTERS))),
        ("npm_token", format!("n{}_{}", "pm", random(13, 36, LETTERS))),
        ("pypi_token", format!("py{}-{}", "pi", random(14, 120, LETTERS))),
        ("twilio_key", format!("S{}{}", "K", random(15, 32, HEX))),
        ("sendgrid_key", format!("S{}.{}.{}", "G", random(16, 22, LETTERS), random(17, 43, LETTERS))),
        ("telegram_token", format!("{}:AA{}", 123_456_789 + 41, random(18, 33, LETTERS))),
        ("digitalocean_token", format!("dop_{}_{}", "v1", random(19, 64, HEX))),
        ("azure_secret", format!("aB{}8Q~{}", "c", random(20, 34, LETTERS))),
    ];
    for (kind, key) in cases {
        let text = format!("use {key} for it, said Ada.");
        assert_eq!(kinds(&text), [kind], "{kind}");
        assert_eq!(redact(&text).0, format!("use [redacted:{kind}] for it, said Ada."));
        assert_eq!(kinds(&format!("\"{key}\"")), [kind], "{kind} in quotes");
    }
}

#[test]
fn private_keys_are_redacted_even_if_truncated() {
    let body = format!("{}\n{}", random(1, 64, LETTERS), random(2, 40, LETTERS));
    let (begin, end) =
        (format!("-----BEGIN RSA {} KEY-----", "PRIVATE"), format!("-----END RSA {} KEY-----", "PRIVATE"));
    let text = format!("before\n{begin}\n{body}\n{end}\nafter");
    assert_eq!(redact(&text).0, "before\n[redacted:private_key]\nafter");
    let cut = redact(&format!("{begin}\n{body}\n\nThat was the key of the old server.")).0.into_owned();
    assert_eq!(cut, "[redacted:private_key]\n\nThat was the key of the old server.");
    assert_eq!(kinds(&text.replace("RSA PRIVATE", "PUBLIC")), Vec::<&str>::new());
}

#[test]
fn tokens_passwords_and_settings_are_found_by_context() {
    let token = random(30, 40, LETTERS);
    let jwt = format!("ey{}{}.eyJ{}.{}", "J", random(1, 30, LETTERS), random(2, 40, LETTERS), random(3, 43, LETTERS));
    for (kind, text) in [
        ("jwt", format!("cookie {jwt}")),
        ("bearer_token", format!("Authorization: Bearer {token}")),
        ("basic_auth", "Authorization: Basic YWRhOmxvdmVsYWNlMTIz".to_owned()),
        ("url_password", "redis://:s3cr3tpw@cache:6379/0".to_owned()),
        ("password", "DB_PASSWORD=correcthorse".to_owned()),
        ("password", "password: Tr0ub4dor&3".to_owned()),
        ("assigned_secret", format!("export API_KEY='{}'", random(4, 20, LETTERS))),
        ("assigned_secret", format!("\"client_secret\": \"{}\"", random(5, 24, LETTERS))),
        ("aws_secret_key", format!("aws_secret_access_key = {token}")),
        ("azure_key", format!("AccountName=x;AccountKey={token}==;EndpointSuffix=y")),
        ("high_entropy", format!("it is {token}")),
    ] {
        assert_eq!(kinds(&text), [kind], "{text}");
    }
}

#[test]
fn code_hashes_ids_and_prose_are_not_secrets() {
    for text in [
        "commit 23b7e0b5c8d1a9f04e6b7c8d9e0f1a2b3c4d5e6f",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "550e8400-e29b-41d4-a716-446655440000 and 01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "\"integrity\": \"sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg==\"",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGx7bG9sV2hhdEFyZVlvdUxvb2tpbmdBdDEyMzQ1 ada@box",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
        "password: String, token: Option<String>, secret = os.environ[\"SECRET\"]",
        "API_KEY=your-api-key-here and TOKEN=${GITHUB_TOKEN}",
        "postgres://user:password@localhost/app and https://example.com:8080/path",
        "MAX_TOKENS=4096, next_page_token: abc123def456, PASSWORD_FILE=/run/secrets/db",
        "the bearer of bad news; a basic question; token by token",
        "pk_live_51H8xyzABCDEFGHIJKLMNOP is the publishable key",
        "https://docs.google.com/document/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit",
        "getUserByIdAndRefreshTokenHandlerFactoryProviderImpl2",
        "sk-learn is scikit-learn; task-12345678901234567890123456789012345",
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    ] {
        assert_eq!(kinds(text), Vec::<&str>::new(), "{text}");
    }
}

#[test]
fn search_windows_respect_character_boundaries() {
    let string = random(31, 40, LETTERS);
    // Shift the text so that the window ends inside a multi-byte character.
    for more in 0..4 {
        let text = format!("{}{} token {string}", "a".repeat(more), "語".repeat(200));
        assert_eq!(kinds(&text), ["high_entropy"], "{text}");
    }
}

#[test]
fn redactions_show_only_kinds_and_counts() {
    let key = format!("gh{}_{}", "p", random(6, 36, LETTERS));
    let (text, found) = redact(Box::leak(format!("{key} DB_PASSWORD=hunter22 {key}").into_boxed_str()));
    assert_eq!(found.to_string(), "2 github_token, 1 password");
    assert_eq!((found.total(), text.matches(&key).count()), (3, 0));
    assert_eq!(serde_json::to_value(&found).unwrap(), serde_json::json!({"github_token": 2, "password": 1}));
}

#[test]
fn neighbours_of_redacted_secrets_are_checked_again() {
    let text = format!("{}=gh{}_{}", random(33, 40, LETTERS), "p", random(34, 36, LETTERS));
    let (redacted, found) = redact(&text);
    assert_eq!(redacted, "[redacted:high_entropy]=[redacted:github_token]");
    assert_eq!(found.to_string(), "1 github_token, 1 high_entropy");
}

/// The texts of the labelled list. The sign ‖ keeps what looks like a key from standing in the file.
fn labelled_texts() -> Vec<String> {
    let text = |line: &str| {
        let sample: serde_json::Value = serde_json::from_str(line).unwrap();
        sample["text"].as_str().unwrap().replace('‖', "")
    };
    include_str!("../../../../bench/data/secrets.jsonl").lines().filter(|line| !line.is_empty()).map(text).collect()
}

/// Asserts that leaving out detectors without a clue changes nothing.
fn assert_clues_change_nothing(text: &str) {
    for policy in [SecretsPolicy::Redact, SecretsPolicy::RedactTokens] {
        let all = find_by_clues(text, policy, |_| Clues::ALL);
        assert_eq!(find_with(text, policy), all, "{text:?}");
    }
}

#[test]
fn clues_change_no_result_of_the_labelled_list() {
    let texts = labelled_texts();
    assert!(texts.len() > 300, "{}", texts.len());
    for text in &texts {
        assert_clues_change_nothing(text);
        // The neighbours of a redacted secret are read again.
        assert_clues_change_nothing(&redact(text).0);
    }
}

#[test]
fn every_ending_of_a_compound_word_is_a_word_for_a_password() {
    for ending in names::PASSWORD_ENDINGS {
        assert!(names::PASSWORDS.contains(&ending), "{ending}: `clues` looks for those only");
    }
}

/// Pieces of labelled texts, cut anywhere and joined: near misses of every format.
fn pieces_of_labelled_texts() -> impl Strategy<Value = String> {
    let texts = labelled_texts();
    let piece = (any::<prop::sample::Index>(), 0.0..1.0, 0.0..1.0).prop_map(move |(text, from, to)| {
        let text = text.get(&texts);
        let at = |share: f64| text.floor_char_boundary((text.len() as f64 * share) as usize);
        let (from, to): (usize, usize) = (at(from), at(to));
        text[from.min(to)..from.max(to)].to_owned()
    });
    prop::collection::vec((piece, "[ \n=:._-]{0,2}"), 1..5)
        .prop_map(|pieces| pieces.into_iter().map(|(piece, sign)| piece + &sign).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn clues_change_no_result(text in pieces_of_labelled_texts()) {
        assert_clues_change_nothing(&text);
    }

    #[test]
    fn clues_change_no_result_of_any_text(text in "\\PC{0,60}( (pass|token|-p|key: |bearer |pin=|Passwort )\\PC{0,30}){0,3}") {
        assert_clues_change_nothing(&text);
    }
}

proptest! {
    #[test]
    fn redaction_never_panics_and_is_idempotent(text in "\\PC{0,120}") {
        let once = redact(&text).0.into_owned();
        let again = redact(&once);
        prop_assert_eq!(&again.0, &once);
        prop_assert!(again.1.is_empty());
    }

    #[test]
    fn matches_are_ordered_and_within_bounds(
        text in "[A-Za-z0-9_:=./@ \"\n-]{0,200}(sk-|AKIA|://a:|TOKEN=|-----BEGIN PRIVATE KEY-----)[A-Za-z0-9_@:=. \n-]{0,80}",
    ) {
        let found = find_secrets(&text);
        prop_assert!(found.windows(2).all(|pair| pair[0].at.end <= pair[1].at.start));
        prop_assert!(found.iter().all(|found| text.get(found.at.clone()).is_some_and(|secret| !secret.is_empty())));
    }
}
