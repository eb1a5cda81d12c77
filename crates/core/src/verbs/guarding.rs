//! Secrets in what is stored.

use super::{Card, Effect, Kind, Parameter, Profile, Verb, VerbId, field};

pub(super) const VERBS: &[Verb] = &[Verb {
    id: VerbId::ScanSecrets,
    name: "scan_secrets",
    aliases: &[],
    command: "secrets scan",
    profile: Profile::All,
    effect: Effect::Destroys,
    parameters: &[Parameter::new(
        "redact",
        Kind::Flag,
        "--redact",
        "Replace them: the texts with them are purged from the file for good",
    )],
    fields: &[
        field("scanned", Kind::Count),
        field("blocks", Kind::Objects),
        field("found", Kind::Object),
        field("redacted", Kind::Flag),
        field("erased", Kind::Flag),
        field("warnings", Kind::Texts),
    ],
    card: Card {
        what: "Look for keys, tokens and passwords in what is stored, and take them out on request.",
        when: "A memory comes from elsewhere, or was filled while secrets were allowed.",
        when_not: "You know which block it is and want it gone: purge() it.",
        cost: "Fast. One pass; with redact the whole file is written anew.",
        returns: "SecretsScan: the blocks and the kinds of what is in them, never the values.",
        next: "Change every secret that was stored: copies and backups may still hold it.",
        example: "elfmem secrets scan",
    },
}];
