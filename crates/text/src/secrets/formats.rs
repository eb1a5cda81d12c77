//! The documented key formats: a prefix, the characters after it and their number.

use super::redactions::SecretKind;
use super::scanning::{is_token, is_word};

/// Predicate for the characters after the prefix.
pub(super) type Body = fn(u8) -> bool;

/// A vendor key format.
pub(super) struct KeyFormat {
    pub(super) kind: SecretKind,
    pub(super) prefix: &'static str,
    pub(super) body: Body,
    /// Minimum and maximum length after the prefix.
    pub(super) length: (usize, usize),
}

const fn form(kind: &'static str, prefix: &'static str, body: Body, least: usize, most: usize) -> KeyFormat {
    KeyFormat { kind: SecretKind(kind), prefix, body, length: (least, most) }
}

/// Upper bound for the length of a key.
const ANY: usize = 1024;
/// Upper bound for the length of a whole private key.
const LONG: usize = 16_384;

pub(super) fn alphanumeric(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

fn capital(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit()
}

pub(super) fn hex(byte: u8) -> bool {
    byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)
}

fn hex_groups(byte: u8) -> bool {
    hex(byte) || byte == b'-'
}

fn numbered_hex(byte: u8) -> bool {
    hex(byte) || matches!(byte, b'/' | b':')
}

fn merchant(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'$'
}

fn dotted(byte: u8) -> bool {
    is_token(byte) || byte == b'.'
}

fn escaped(byte: u8) -> bool {
    is_token(byte) || byte == b'%'
}

fn hex_path(byte: u8) -> bool {
    hex_groups(byte) || byte == b'/'
}

fn padded(byte: u8) -> bool {
    is_token(byte) || matches!(byte, b'+' | b'/' | b'=')
}

/// Known key formats. Longer prefixes come before shorter ones they start with.
pub(super) const FORMS: &[KeyFormat] = &[
    // Language models.
    form("anthropic_key", "sk-ant-", is_token, 20, ANY),
    form("openrouter_key", "sk-or-v1-", hex, 40, 80),
    form("openai_key", "sk-proj-", is_token, 20, ANY),
    form("openai_key", "sk-svcacct-", is_token, 20, ANY),
    form("openai_key", "sk-admin-", is_token, 20, ANY),
    form("langfuse_key", "sk-lf-", hex_groups, 36, 36),
    form("openai_key", "sk-", alphanumeric, 32, 64),
    form("huggingface_token", "hf_", alphanumeric, 30, 40),
    form("groq_key", "gsk_", alphanumeric, 40, 64),
    form("xai_key", "xai-", alphanumeric, 60, 100),
    form("perplexity_key", "pplx-", alphanumeric, 40, 64),
    form("replicate_token", "r8_", alphanumeric, 37, 40),
    form("nvidia_key", "nvapi-", is_token, 60, 72),
    form("langsmith_key", "lsv2_", is_word, 40, 60),
    form("cerebras_key", "csk-", alphanumeric, 40, 60),
    form("fireworks_key", "fw_", alphanumeric, 22, 26),
    form("elevenlabs_key", "sk_", hex, 48, 48),
    form("tavily_key", "tvly-", is_token, 30, 48),
    form("firecrawl_key", "fc-", hex, 32, 32),
    form("e2b_key", "e2b_", hex, 40, 40),
    form("pinecone_key", "pcsk_", is_word, 60, 80),
    form("jina_key", "jina_", is_token, 56, 64),
    // Clouds.
    form("aws_access_key", "AKIA", capital, 16, 16),
    form("aws_access_key", "ASIA", capital, 16, 16),
    form("aws_access_key", "ABSK", padded, 90, 140),
    form("alibaba_key", "LTAI", alphanumeric, 16, 22),
    form("google_key", "AIza", is_token, 35, 35),
    form("google_oauth", "GOCSPX-", is_token, 24, 32),
    form("google_oauth", "ya29.", is_token, 20, ANY),
    form("google_oauth", "1//0", is_token, 40, ANY),
    form("digitalocean_token", "dop_v1_", hex, 64, 64),
    form("digitalocean_token", "doo_v1_", hex, 64, 64),
    form("digitalocean_token", "dor_v1_", hex, 64, 64),
    form("heroku_key", "HRKU-", is_token, 36, 80),
    form("cloudflare_token", "cfut_", alphanumeric, 40, 56),
    form("cloudflare_token", "cfat_", alphanumeric, 40, 56),
    form("cloudflare_token", "cfk_", alphanumeric, 40, 56),
    form("cloudflare_token", "v1.0-", hex_groups, 100, 200),
    form("fly_token", "fm2_", padded, 60, ANY),
    form("fly_token", "fm1r_", padded, 60, ANY),
    form("fly_token", "fm1a_", padded, 60, ANY),
    form("fly_token", "fo1_", is_token, 40, ANY),
    form("netlify_token", "nfp_", alphanumeric, 36, 40),
    form("render_key", "rnd_", alphanumeric, 26, 34),
    form("databricks_token", "dapi", hex_groups, 32, 34),
    form("pulumi_token", "pul-", hex, 40, 40),
    form("vault_token", "hvs.", is_token, 24, ANY),
    form("vault_token", "hvb.", is_token, 24, ANY),
    form("vault_token", "hvr.", is_token, 24, ANY),
    form("doppler_token", "dp.", dotted, 40, 64),
    form("supabase_key", "sbp_", hex, 40, 40),
    form("supabase_key", "sb_secret_", is_token, 30, 48),
    form("planetscale_token", "pscale_tkn_", dotted, 32, 64),
    form("planetscale_token", "pscale_pw_", dotted, 32, 64),
    form("planetscale_token", "pscale_oauth_", dotted, 32, 64),
    form("tailscale_key", "tskey-", is_token, 30, 100),
    form("neon_key", "napi_", alphanumeric, 64, 64),
    form("prisma_key", "p8e-", alphanumeric, 32, 32),
    // Code, packages and builds.
    form("github_token", "github_pat_", is_word, 60, 100),
    form("github_token", "ghp_", alphanumeric, 36, 40),
    form("github_token", "gho_", alphanumeric, 36, 40),
    form("github_token", "ghu_", alphanumeric, 36, 40),
    form("github_token", "ghs_", alphanumeric, 36, 40),
    form("github_token", "ghr_", alphanumeric, 36, 80),
    form("gitlab_token", "glpat-", dotted, 20, 64),
    form("gitlab_token", "glptt-", is_token, 20, 64),
    form("gitlab_token", "gldt-", is_token, 20, 64),
    form("gitlab_token", "glrt-", dotted, 20, 64),
    form("gitlab_token", "glcbt-", is_token, 20, 64),
    form("gitlab_token", "glagent-", is_token, 40, 64),
    form("gitlab_token", "glsoat-", is_token, 20, 64),
    form("gitlab_token", "glft-", is_token, 20, 64),
    form("gitlab_token", "glimt-", is_token, 20, 64),
    form("gitlab_token", "GR1348941", is_token, 20, 24),
    form("gitlab_token", "gloas-", is_token, 40, 80),
    form("gitlab_token", "glffct-", is_token, 20, 64),
    form("npm_token", "npm_", alphanumeric, 36, 36),
    form("pypi_token", "pypi-", is_token, 60, ANY),
    form("rubygems_key", "rubygems_", hex, 48, 48),
    form("crates_token", "cio", alphanumeric, 32, 32),
    form("packagist_token", "packagist_", is_word, 64, 80),
    form("nuget_key", "oy2", alphanumeric, 43, 43),
    form("docker_token", "dckr_pat_", is_token, 24, 40),
    form("docker_token", "dckr_oat_", is_token, 24, 40),
    form("artifactory_token", "AKCp", alphanumeric, 60, 80),
    form("artifactory_token", "cmVmdGtuOj", alphanumeric, 48, 64),
    form("buildkite_token", "bkua_", hex, 40, 40),
    form("circleci_token", "CCIPAT_", is_word, 50, 80),
    form("sonar_token", "squ_", hex, 40, 40),
    form("snyk_token", "snyk_uat.", dotted, 40, ANY),
    form("sonar_token", "sqp_", hex, 40, 40),
    form("sonar_token", "sqa_", hex, 40, 40),
    form("postman_key", "PMAK-", is_token, 50, 64),
    // Base64 of the first line of a private key, as in a kubeconfig: of any kind, RSA, EC and OPENSSH.
    form("private_key", "LS0tLS1CRUdJTiBQUklWQVRFIEtFW", padded, 60, LONG),
    form("private_key", "LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRV", padded, 60, LONG),
    form("private_key", "LS0tLS1CRUdJTiBFQyBQUklWQVRFIEtFW", padded, 60, LONG),
    form("private_key", "LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZBVEUgS0VZ", padded, 60, LONG),
    form("private_key", "xprv", alphanumeric, 100, 112),
    form("age_key", "AGE-SECRET-KEY-1", capital, 58, 58),
    form("nostr_key", "nsec1", alphanumeric, 58, 58),
    // Work.
    form("slack_token", "xoxb-", is_token, 20, ANY),
    form("slack_token", "xoxp-", is_token, 20, ANY),
    form("slack_token", "xoxa-", is_token, 20, ANY),
    form("slack_token", "xoxr-", is_token, 20, ANY),
    form("slack_token", "xoxs-", is_token, 20, ANY),
    form("slack_token", "xoxc-", is_token, 20, ANY),
    form("slack_token", "xoxd-", is_token, 20, ANY),
    form("slack_token", "xoxe-", is_token, 20, ANY),
    form("slack_token", "xoxe.", dotted, 20, ANY),
    form("slack_token", "xapp-", is_token, 20, ANY),
    form("slack_webhook", "hooks.slack.com/services/", padded, 30, 80),
    form("teams_webhook", "IncomingWebhook/", hex_path, 60, 80),
    form("discord_webhook", "discord.com/api/webhooks/", padded, 60, 140),
    form("atlassian_token", "ATATT3", padded, 60, ANY),
    form("atlassian_token", "ATCTT3", padded, 60, ANY),
    form("bitbucket_password", "ATBB", alphanumeric, 28, 40),
    form("linear_key", "lin_api_", alphanumeric, 32, 48),
    form("notion_token", "ntn_", alphanumeric, 40, 56),
    form("notion_token", "secret_", alphanumeric, 43, 43),
    form("figma_token", "figd_", is_token, 38, 48),
    form("asana_token", "2/", numbered_hex, 66, 66),
    form("asana_token", "1/", numbered_hex, 49, 49),
    form("dropbox_token", "sl.", dotted, 100, ANY),
    form("contentful_token", "CFPAT-", is_token, 43, 43),
    form("onepassword_token", "ops_eyJ", padded, 100, 4096),
    form("typeform_token", "tfp_", is_token, 40, 80),
    form("readme_key", "rdme_", alphanumeric, 70, 70),
    form("frame_io_token", "fio-u-", is_token, 60, 68),
    form("hubspot_token", "pat-na1-", hex_groups, 36, 36),
    form("hubspot_token", "pat-eu1-", hex_groups, 36, 36),
    form("square_token", "EAAA", is_token, 58, 64),
    form("facebook_token", "EAA", alphanumeric, 100, ANY),
    form("instagram_token", "IGQ", is_token, 100, ANY),
    form("twitter_token", "AAAAAAAAAAAAAAAAAAAAA", escaped, 60, 120),
    // Money and goods.
    form("stripe_key", "sk_live_", alphanumeric, 20, ANY),
    form("stripe_key", "sk_test_", alphanumeric, 20, ANY),
    form("stripe_key", "rk_live_", alphanumeric, 20, ANY),
    form("stripe_key", "rk_test_", alphanumeric, 20, ANY),
    form("stripe_key", "whsec_", padded, 24, 80),
    form("shopify_token", "shpat_", hex, 32, 32),
    form("shopify_token", "shpss_", hex, 32, 32),
    form("shopify_token", "shpca_", hex, 32, 32),
    form("shopify_token", "shppa_", hex, 32, 32),
    form("plaid_token", "access-production-", hex_groups, 36, 36),
    form("plaid_token", "access-development-", hex_groups, 36, 36),
    form("plaid_token", "access-sandbox-", hex_groups, 36, 36),
    form("square_token", "sq0atp-", is_token, 22, 22),
    form("square_token", "sq0csp-", is_token, 40, 50),
    form("braintree_token", "access_token$", merchant, 40, 70),
    form("adyen_key", "AQE", padded, 100, 200),
    form("shippo_token", "shippo_live_", hex, 40, 40),
    form("shippo_token", "shippo_test_", hex, 40, 40),
    form("easypost_key", "EZAK", alphanumeric, 54, 54),
    form("easypost_key", "EZTK", alphanumeric, 54, 54),
    form("mollie_key", "live_", alphanumeric, 30, 30),
    form("mollie_key", "test_", alphanumeric, 30, 30),
    form("flutterwave_key", "FLWSECK-", is_token, 32, 40),
    form("flutterwave_key", "FLWSECK_TEST-", is_token, 12, 40),
    form("duffel_token", "duffel_live_", is_token, 43, 43),
    form("duffel_token", "duffel_test_", is_token, 43, 43),
    // Observation, mail and messages.
    form("grafana_token", "glsa_", is_word, 40, 48),
    form("grafana_token", "glc_", padded, 40, ANY),
    form("sentry_token", "sntrys_", padded, 60, ANY),
    form("sentry_token", "sntryu_", hex, 64, 64),
    form("honeycomb_key", "hcaik_", alphanumeric, 50, 64),
    form("newrelic_key", "NRAK-", capital, 27, 27),
    form("launchdarkly_key", "sdk-", hex_groups, 36, 36),
    form("launchdarkly_key", "api-", hex_groups, 36, 36),
    form("prefect_key", "pnu_", alphanumeric, 36, 36),
    form("prefect_key", "pnb_", alphanumeric, 36, 36),
    form("twilio_key", "SK", hex, 32, 32),
    form("mailgun_key", "key-", hex, 32, 32),
    form("mandrill_key", "md-", is_token, 22, 22),
    form("brevo_key", "xkeysib-", is_token, 70, 90),
    form("resend_key", "re_", is_word, 30, 40),
    form("matrix_token", "syt_", is_word, 30, 80),
    form("posthog_key", "phx_", is_word, 40, 50),
    form("calendar_address", "private-", hex, 32, 32),
];

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

    #[test]
    fn no_format_hides_a_longer_prefix() {
        for (at, form) in FORMS.iter().enumerate() {
            let hidden = FORMS[at + 1..].iter().find(|later| {
                later.prefix.starts_with(form.prefix)
                    && later.kind.as_str() != form.kind.as_str()
                    && form.length.1 >= later.prefix.len() - form.prefix.len() + later.length.0
                    && later.prefix[form.prefix.len()..].bytes().all(form.body)
            });
            assert!(hidden.is_none(), "{} hides {}", form.prefix, hidden.map_or("", |later| later.prefix));
        }
    }
}
