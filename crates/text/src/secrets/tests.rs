//! What is found, and what is not.

use proptest::prelude::*;

use super::*;

const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const HEX: &[u8] = b"0123456789abcdef";
const CAPITALS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// A string drawn by lot, so that no key stands in this file. Every third character is a digit.
fn drawn(seed: u64, length: usize, from: &[u8]) -> String {
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
    find(text).into_iter().map(|found| found.kind.as_str()).collect()
}

#[test]
fn keys_of_vendors_are_known_by_their_form_and_nothing_of_them_stays() {
    let cases = [
        ("openai_key", format!("sk-{}-{}", "proj", drawn(1, 60, LETTERS))),
        ("openai_key", format!("sk-{}", drawn(2, 48, LETTERS))),
        ("anthropic_key", format!("sk-{}-api03-{}", "ant", drawn(3, 80, LETTERS))),
        ("aws_access_key", format!("AK{}{}", "IA", drawn(4, 16, CAPITALS))),
        ("google_key", format!("AI{}{}", "za", drawn(5, 35, LETTERS))),
        ("github_token", format!("gh{}_{}", "p", drawn(6, 36, LETTERS))),
        ("github_token", format!("github_{}_{}_{}", "pat", drawn(7, 22, LETTERS), drawn(8, 59, LETTERS))),
        ("gitlab_token", format!("gl{}-{}", "pat", drawn(9, 20, LETTERS))),
        ("slack_token", format!("xo{}-{}", "xb", drawn(10, 40, LETTERS))),
        ("stripe_key", format!("sk_{}_{}", "live", drawn(11, 24, LETTERS))),
        ("huggingface_token", format!("h{}_{}", "f", drawn(12, 34, LETTERS))),
        ("npm_token", format!("n{}_{}", "pm", drawn(13, 36, LETTERS))),
        ("pypi_token", format!("py{}-{}", "pi", drawn(14, 120, LETTERS))),
        ("twilio_key", format!("S{}{}", "K", drawn(15, 32, HEX))),
        ("sendgrid_key", format!("S{}.{}.{}", "G", drawn(16, 22, LETTERS), drawn(17, 43, LETTERS))),
        ("telegram_token", format!("{}:AA{}", 123_456_789 + 41, drawn(18, 33, LETTERS))),
        ("digitalocean_token", format!("dop_{}_{}", "v1", drawn(19, 64, HEX))),
        ("azure_secret", format!("aB{}8Q~{}", "c", drawn(20, 34, LETTERS))),
    ];
    for (kind, key) in cases {
        let text = format!("use {key} for it, said Ada.");
        assert_eq!(kinds(&text), [kind], "{kind}");
        assert_eq!(redact(&text).0, format!("use [redacted:{kind}] for it, said Ada."));
        assert_eq!(kinds(&format!("\"{key}\"")), [kind], "{kind} in quotes");
    }
}

#[test]
fn a_private_key_goes_whole_and_also_when_its_end_is_missing() {
    let body = format!("{}\n{}", drawn(1, 64, LETTERS), drawn(2, 40, LETTERS));
    let (begin, end) =
        (format!("-----BEGIN RSA {} KEY-----", "PRIVATE"), format!("-----END RSA {} KEY-----", "PRIVATE"));
    let text = format!("before\n{begin}\n{body}\n{end}\nafter");
    assert_eq!(redact(&text).0, "before\n[redacted:private_key]\nafter");
    let cut = redact(&format!("{begin}\n{body}\n\nThat was the key of the old server.")).0.into_owned();
    assert_eq!(cut, "[redacted:private_key]\n\nThat was the key of the old server.");
    assert_eq!(kinds(&text.replace("RSA PRIVATE", "PUBLIC")), Vec::<&str>::new());
}

#[test]
fn tokens_passwords_and_settings_are_known_by_where_they_stand() {
    let token = drawn(30, 40, LETTERS);
    let jwt = format!("ey{}{}.eyJ{}.{}", "J", drawn(1, 30, LETTERS), drawn(2, 40, LETTERS), drawn(3, 43, LETTERS));
    for (kind, text) in [
        ("jwt", format!("cookie {jwt}")),
        ("bearer_token", format!("Authorization: Bearer {token}")),
        ("basic_auth", "Authorization: Basic YWRhOmxvdmVsYWNlMTIz".to_owned()),
        ("url_password", "redis://:s3cr3tpw@cache:6379/0".to_owned()),
        ("password", "DB_PASSWORD=correcthorse".to_owned()),
        ("password", "password: Tr0ub4dor&3".to_owned()),
        ("assigned_secret", format!("export API_KEY='{}'", drawn(4, 20, LETTERS))),
        ("assigned_secret", format!("\"client_secret\": \"{}\"", drawn(5, 24, LETTERS))),
        ("aws_secret_key", format!("aws_secret_access_key = {token}")),
        ("azure_key", format!("AccountName=x;AccountKey={token}==;EndpointSuffix=y")),
        ("high_entropy", format!("it is {token}")),
    ] {
        assert_eq!(kinds(&text), [kind], "{text}");
    }
}

#[test]
fn code_hashes_ids_and_prose_are_left_alone() {
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
fn a_long_line_of_other_scripts_before_a_string_is_read_without_harm() {
    let string = drawn(31, 40, LETTERS);
    // Every way in which the end of what is looked at may fall inside a character.
    for more in 0..4 {
        let text = format!("{}{} {string}", "a".repeat(more), "語".repeat(200));
        assert_eq!(kinds(&text), ["high_entropy"], "{text}");
    }
}

#[test]
fn what_was_found_is_told_by_kind_and_number_alone() {
    let key = format!("gh{}_{}", "p", drawn(6, 36, LETTERS));
    let (text, found) = redact(Box::leak(format!("{key} DB_PASSWORD=hunter22 {key}").into_boxed_str()));
    assert_eq!(found.to_string(), "2 github_token, 1 password");
    assert_eq!((found.total(), text.matches(&key).count()), (3, 0));
    assert_eq!(serde_json::to_value(&found).unwrap(), serde_json::json!({"github_token": 2, "password": 1}));
}

#[test]
fn what_looks_like_a_secret_once_its_neighbour_is_gone_goes_with_it() {
    let text = format!("{}=gh{}_{}", drawn(33, 40, LETTERS), "p", drawn(34, 36, LETTERS));
    let (redacted, found) = redact(&text);
    assert_eq!(redacted, "[redacted:high_entropy]=[redacted:github_token]");
    assert_eq!(found.to_string(), "1 github_token, 1 high_entropy");
}

proptest! {
    #[test]
    fn any_text_is_read_without_harm_and_a_redacted_one_has_nothing_more_to_redact(text in "\\PC{0,120}") {
        let once = redact(&text).0.into_owned();
        let again = redact(&once);
        prop_assert_eq!(&again.0, &once);
        prop_assert!(again.1.is_empty());
    }

    #[test]
    fn what_is_found_lies_in_order_inside_the_text(
        text in "[A-Za-z0-9_:=./@ \"\n-]{0,200}(sk-|AKIA|://a:|TOKEN=|-----BEGIN PRIVATE KEY-----)[A-Za-z0-9_@:=. \n-]{0,80}",
    ) {
        let found = find(&text);
        prop_assert!(found.windows(2).all(|pair| pair[0].at.end <= pair[1].at.start));
        prop_assert!(found.iter().all(|found| text.get(found.at.clone()).is_some_and(|secret| !secret.is_empty())));
    }
}
