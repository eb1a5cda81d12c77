//! The requests of `proposals`, `accept_proposals` and `reject_proposals`.

use crate::request::request;

request! {
    /// List what the memory would like to do but should not do alone.
    pub struct ListProposals: "proposals" {
        command: "proposals",
        profile: All,
        effect: Reads,
        when: "consolidate() proposed something, or now and then.",
        when_not: "You look for contradictions: contradictions().",
        cost: "Fast. One read.",
        returns: "The proposals with their blocks and the reason.",
        next: "accept_proposals() or reject_proposals() by number.",
        example: "elfmem proposals",
        answers: &[field("count", Count), field("proposals", Objects)],
    }
    takes {
        /// Decided ones too
        all: bool => flag("--all"),
    }
}

request! {
    /// Do what proposals ask for, all of them or none.
    pub struct AcceptProposals: "accept_proposals" {
        command: "proposals accept",
        profile: All,
        effect: Writes,
        when: "You have read them and agree.",
        when_not: "You have not read the texts.",
        cost: "Instant. One transaction.",
        returns: "ProposalsResult: what was done.",
        next: "undo() takes it back.",
        example: "elfmem proposals accept 3 5",
        answers: &[field("action", Text), field("numbers", Counts), field("effects", Texts)],
    }
    needs {
        /// The numbers that proposals() shows
        numbers: [i64] => place("NUMBER"),
    }
}

request! {
    /// Turn proposals down; they do not come back.
    pub struct RejectProposals: "reject_proposals" {
        command: "proposals reject",
        profile: All,
        effect: Writes,
        when: "You have read them and disagree.",
        when_not: "You are not sure: leave them, they do no harm.",
        cost: "Instant. One transaction.",
        returns: "ProposalsResult.",
        next: "undo() takes it back.",
        example: "elfmem proposals reject 4",
        answers: &[field("action", Text), field("numbers", Counts), field("effects", Texts)],
    }
    needs {
        /// The numbers that proposals() shows
        numbers: [i64] => place("NUMBER"),
    }
}
