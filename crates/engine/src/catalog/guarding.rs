//! Where knowledge comes from, taking a source back, and secrets.

use super::{Card, Effect, Kind, Parameter, Profile, Verb, VerbId, field, maybe};

const BLOCK: Parameter =
    Parameter::new("block", Kind::Text, "BLOCK", "Its id, or at least the first four characters").required();

pub(super) const VERBS: &[Verb] = &[
    Verb {
        id: VerbId::Blame,
        name: "blame",
        aliases: &[],
        command: "blame",
        profile: Profile::All,
        effect: Effect::Reads,
        idempotent: false,
        parameters: &[BLOCK],
        fields: &[
            field("block_id", Kind::Text),
            field("content", Kind::Text),
            field("source", Kind::Text),
            field("brought_by", Kind::Object),
            field("trusted", Kind::Flag),
            field("confidence", Kind::Number),
            maybe("stored_by", Kind::Object),
            field("rests_on", Kind::Objects),
            field("outcomes", Kind::Objects),
        ],
        card: Card {
            what: "Tell what a block rests on: who brought it, what it follows from, what confirmed it.",
            when: "You doubt a block and want to know why it is believed.",
            when_not: "You want its text and tags: show() it. You want its changes: log() them.",
            cost: "Fast. A few reads, and the operations of the block in the journal.",
            returns: "BlameResult: the source, the blocks it rests on directly and through others, and its outcomes.",
            next: "retract_source() takes everything of a bad source back.",
            example: "elfmem blame 6b0c8d3a",
        },
    },
    Verb {
        id: VerbId::Influence,
        name: "influence",
        aliases: &[],
        command: "influence",
        profile: Profile::All,
        effect: Effect::Reads,
        idempotent: false,
        parameters: &[BLOCK],
        fields: &[field("block_id", Kind::Text), field("content", Kind::Text), field("supports", Kind::Objects)],
        card: Card {
            what: "Tell what rests on a block: what took its place, follows from it or is supported by it.",
            when: "A block turned out wrong and you want to know what else that touches.",
            when_not: "You want what the block itself rests on: blame() it.",
            cost: "Fast. A few reads.",
            returns: "InfluenceResult: the blocks that rest on it, directly and through others, and how.",
            next: "edit(), forget() or supersede() them.",
            example: "elfmem influence 6b0c8d3a",
        },
    },
    Verb {
        id: VerbId::RetractSource,
        name: "retract_source",
        aliases: &[],
        command: "retract",
        profile: Profile::All,
        effect: Effect::Writes,
        idempotent: false,
        parameters: &[
            Parameter::new(
                "source",
                Kind::Text,
                "--source",
                "A source, document, client, peer or surface, as blame() names them",
            )
            .required(),
            Parameter::new("dry_run", Kind::Flag, "--dry-run", "Only say what would happen"),
        ],
        fields: &[
            field("source", Kind::Text),
            field("retracted", Kind::Objects),
            field("restored", Kind::Texts),
            field("outcomes_retracted", Kind::Count),
            field("kept", Kind::Objects),
            field("dry_run", Kind::Flag),
            field("warnings", Kind::Texts),
        ],
        card: Card {
            what: "Take back everything a source brought, and what follows from that alone.",
            when: "A document, peer or tool turned out wrong or hostile.",
            when_not: "One block is wrong: forget() it. One signal was wrong: retract_outcome() it.",
            cost: "Fast. One pass over the blocks, one transaction.",
            returns: "RetractSourceResult: what is archived and why, what came back into its place, what was kept \
                      because something else supports it.",
            next: "undo() takes the whole of it back.",
            example: "elfmem retract --source document --dry-run",
        },
    },
    Verb {
        id: VerbId::ScanSecrets,
        name: "scan_secrets",
        aliases: &[],
        command: "secrets scan",
        profile: Profile::All,
        effect: Effect::Destroys,
        idempotent: false,
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
    },
];
