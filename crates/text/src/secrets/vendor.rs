//! Finds vendor keys by their prefix.

use super::SecretMatches;
use super::redactions::SecretKind;
use super::scanning::{distinct, is_mixed, is_placeholder, is_token, is_word, run, word_starts};

/// Predicate for the characters after the prefix.
type Body = fn(u8) -> bool;

/// A vendor key format.
struct KeyFormat {
    kind: SecretKind,
    prefix: &'static str,
    body: Body,
    /// Minimum and maximum length after the prefix.
    length: (usize, usize),
}

const fn form(kind: &'static str, prefix: &'static str, body: Body, least: usize, most: usize) -> KeyFormat {
    KeyFormat { kind: SecretKind(kind), prefix, body, length: (least, most) }
}

/// Upper bound for the length of a key.
const ANY: usize = 512;
/// Minimum number of distinct characters in a random key.
const MIN_DISTINCT: usize = 8;

fn alphanumeric(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

fn capital(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit()
}

fn hex(byte: u8) -> bool {
    byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)
}

fn dotted(byte: u8) -> bool {
    is_token(byte) || byte == b'.'
}

fn padded(byte: u8) -> bool {
    is_token(byte) || matches!(byte, b'+' | b'/' | b'=')
}

/// Known key formats. Longer prefixes come before shorter ones they start with.
const FORMS: &[KeyFormat] = &[
    form("anthropic_key", "sk-ant-", is_token, 20, ANY),
    form("openrouter_key", "sk-or-v1-", hex, 40, 80),
    form("openai_key", "sk-proj-", is_token, 20, ANY),
    form("openai_key", "sk-svcacct-", is_token, 20, ANY),
    form("openai_key", "sk-admin-", is_token, 20, ANY),
    form("openai_key", "sk-", alphanumeric, 32, 64),
    form("aws_access_key", "AKIA", capital, 16, 16),
    form("aws_access_key", "ASIA", capital, 16, 16),
    form("google_key", "AIza", is_token, 35, 35),
    form("google_oauth", "GOCSPX-", is_token, 24, 32),
    form("google_oauth", "ya29.", is_token, 20, ANY),
    form("github_token", "github_pat_", is_word, 60, 100),
    form("github_token", "ghp_", alphanumeric, 36, 40),
    form("github_token", "gho_", alphanumeric, 36, 40),
    form("github_token", "ghu_", alphanumeric, 36, 40),
    form("github_token", "ghs_", alphanumeric, 36, 40),
    form("github_token", "ghr_", alphanumeric, 36, 80),
    form("gitlab_token", "glpat-", dotted, 20, 64),
    form("gitlab_token", "glptt-", is_token, 20, 64),
    form("gitlab_token", "gldt-", is_token, 20, 64),
    form("gitlab_token", "glrt-", is_token, 20, 64),
    form("gitlab_token", "glcbt-", is_token, 20, 64),
    form("slack_token", "xoxb-", is_token, 20, ANY),
    form("slack_token", "xoxp-", is_token, 20, ANY),
    form("slack_token", "xoxa-", is_token, 20, ANY),
    form("slack_token", "xoxr-", is_token, 20, ANY),
    form("slack_token", "xoxs-", is_token, 20, ANY),
    form("slack_token", "xoxe.", dotted, 20, ANY),
    form("slack_token", "xapp-", is_token, 20, ANY),
    form("slack_webhook", "hooks.slack.com/services/", padded, 30, 80),
    form("discord_webhook", "discord.com/api/webhooks/", padded, 60, 140),
    form("stripe_key", "sk_live_", alphanumeric, 20, ANY),
    form("stripe_key", "sk_test_", alphanumeric, 20, ANY),
    form("stripe_key", "rk_live_", alphanumeric, 20, ANY),
    form("stripe_key", "rk_test_", alphanumeric, 20, ANY),
    form("stripe_key", "whsec_", padded, 24, 80),
    form("huggingface_token", "hf_", alphanumeric, 30, 40),
    form("npm_token", "npm_", alphanumeric, 36, 36),
    form("pypi_token", "pypi-", is_token, 60, ANY),
    form("twilio_key", "SK", hex, 32, 32),
    form("digitalocean_token", "dop_v1_", hex, 64, 64),
    form("digitalocean_token", "doo_v1_", hex, 64, 64),
    form("digitalocean_token", "dor_v1_", hex, 64, 64),
    form("shopify_token", "shpat_", hex, 32, 32),
    form("shopify_token", "shpss_", hex, 32, 32),
    form("shopify_token", "shpca_", hex, 32, 32),
    form("square_token", "sq0atp-", is_token, 22, 22),
    form("square_token", "sq0csp-", is_token, 40, 50),
    form("groq_key", "gsk_", alphanumeric, 40, 64),
    form("xai_key", "xai-", alphanumeric, 60, 100),
    form("perplexity_key", "pplx-", alphanumeric, 40, 64),
    form("replicate_token", "r8_", alphanumeric, 37, 40),
    form("linear_key", "lin_api_", alphanumeric, 32, 48),
    form("notion_token", "ntn_", alphanumeric, 40, 56),
    form("figma_token", "figd_", is_token, 38, 48),
    form("postman_key", "PMAK-", is_token, 50, 64),
    form("docker_token", "dckr_pat_", is_token, 24, 40),
    form("vault_token", "hvs.", is_token, 24, ANY),
    form("doppler_token", "dp.pt.", alphanumeric, 40, 48),
    form("grafana_token", "glsa_", is_word, 40, 48),
    form("sentry_token", "sntrys_", padded, 60, ANY),
    form("newrelic_key", "NRAK-", capital, 27, 27),
    form("supabase_key", "sbp_", hex, 40, 40),
    form("rubygems_key", "rubygems_", hex, 48, 48),
    form("atlassian_token", "ATATT3", padded, 60, ANY),
    form("age_key", "AGE-SECRET-KEY-1", capital, 58, 58),
    form("databricks_token", "dapi", hex, 32, 32),
    form("mailgun_key", "key-", hex, 32, 32),
];

/// Length of the shortest key, including its prefix.
const SHORTEST: usize = {
    let (mut shortest, mut at) = (usize::MAX, 0);
    while at < FORMS.len() {
        let length = FORMS[at].prefix.len() + FORMS[at].length.0;
        if length < shortest {
            shortest = length;
        }
        at += 1;
    }
    shortest
};

pub(super) fn find(text: &str, matches: &mut SecretMatches) {
    let bytes = text.as_bytes();
    for at in word_starts(bytes, SHORTEST) {
        let Some((form, end)) = FORMS.iter().find_map(|form| Some((form, end_of(text, at, form)?))) else { continue };
        matches.add(form.kind, at..end);
    }
}

/// Returns the end of a key of the format that starts at `at`.
fn end_of(text: &str, at: usize, form: &KeyFormat) -> Option<usize> {
    let bytes = text.as_bytes();
    if !bytes[at..].starts_with(form.prefix.as_bytes()) {
        return None;
    }
    let from = at + form.prefix.len();
    let (least, most) = form.length;
    let length = run(bytes, from, most + 1, form.body);
    if length < least || length > most {
        return None;
    }
    // If the word continues, the string has another format.
    if bytes.get(from + length).is_some_and(|next| is_word(*next)) {
        return None;
    }
    let mut end = from + length;
    while matches!(bytes[end - 1], b'.' | b'-') {
        end -= 1;
    }
    let body = &text[from..end];
    (body.len() >= least && is_mixed(body) && distinct(body) >= MIN_DISTINCT && !is_placeholder(body)).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_characters_exclude_spaces() {
        for form in FORMS {
            let spaces = (0..=u8::MAX).filter(u8::is_ascii_whitespace);
            assert!(!form.prefix.contains(char::is_whitespace), "{}", form.prefix);
            assert!(spaces.into_iter().all(|space| !(form.body)(space)), "{}", form.prefix);
        }
    }
}
