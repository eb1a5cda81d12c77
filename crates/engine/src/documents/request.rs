//! The requests of `documents` and `forget_document`.

use crate::request::request;

request! {
    /// List the documents that are stored under a name.
    pub struct ListDocuments: "documents" {
        command: "ls --documents",
        profile: All,
        effect: Reads,
        when: "You want to know which files and pages are stored, or learn one of them again.",
        when_not: "You look for what one of them says: recall() it.",
        cost: "Fast. One read of the blocks of documents.",
        returns: "The documents: name, source, trust, number of blocks, when they were stored and last changed.",
        next: "learn_document() with the same name replaces one; forget_document() archives it.",
        example: "elfmem ls --documents",
        answers: &[field("count", Count), field("documents", Objects)],
    }
}

request! {
    /// Archive all blocks of a document in one operation.
    pub struct ForgetDocument: "forget_document" {
        command: "forget --document",
        profile: All,
        effect: Destroys,
        when: "A document does not hold any more, or was stored by mistake.",
        when_not: "A newer version exists: learn_document() with the same name replaces it. It is hostile: \
                   retract_source() also takes back what follows from it.",
        cost: "Fast. One transaction.",
        returns: "ForgetDocumentResult: how many blocks were archived, and how many stay because something else says \
                  them too.",
        next: "undo() brings it back.",
        example: "elfmem forget --document handbook.md",
        answers: &[
            field("document", Text),
            field("source", Text),
            nullable("reason", Text),
            field("archived", Count),
            field("kept", Count),
        ],
    }
    needs {
        /// Its name, as documents() shows it; the folders of a path may be left off
        document: String => option("--document", "NAME"),
    }
    takes {
        /// The source, if two documents have the same name
        source: String => option("--from", "SOURCE"),
        /// Why, for the log
        reason: String => option("--reason", "WHY"),
    }
}
