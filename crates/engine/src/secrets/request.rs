//! The request of `scan_secrets`.

use crate::request::request;

request! {
    /// Look for keys, tokens and passwords in what is stored, and take them out on request.
    pub struct ScanSecrets: "scan_secrets" {
        command: "secrets scan",
        profile: All,
        effect: Destroys,
        when: "A memory comes from elsewhere, or was filled while secrets were allowed.",
        when_not: "You know which block it is and want it gone: purge() it.",
        cost: "Fast. One pass; with redact the whole file is written anew.",
        returns: "SecretsScan: the blocks and the kinds of what is in them, never the values.",
        next: "Change every secret that was stored: copies and backups may still hold it.",
        example: "elfmem secrets scan",
        answers: &[
            field("scanned", Count),
            field("blocks", Objects),
            field("found", Object),
            field("redacted", Flag),
            field("erased", Flag),
            field("warnings", Texts),
        ],
    }
    takes {
        /// Replace them: the texts with them are purged from the file for good
        redact: bool => flag("--redact"),
    }
}
