//! The requests of `begin_session` and `end_session`.

use crate::request::request;

request! {
    /// Begin a session whose whole time counts.
    pub struct BeginSession: "begin_session" {
        command: "session begin",
        profile: All,
        effect: Writes,
        when: "You want all the time of a piece of work to count as use, pauses included.",
        when_not: "Otherwise: sessions begin and end by themselves.",
        cost: "Instant. It may curate first when that is due.",
        returns: "SessionBegun: its id.",
        next: "end_session() when the work is done.",
        example: "elfmem session begin review",
        answers: &[
            field("session_id", Text),
            field("already_open", Flag),
            nullable("curated", Object),
            nullable("curate_failed", Text),
        ],
    }
    takes {
        /// What the work is
        task_type: String = "general" => place("TASK_TYPE"),
    }
}

request! {
    /// End the session that was begun.
    pub struct EndSession: "end_session" {
        command: "session end",
        profile: All,
        effect: Writes,
        when: "The piece of work is done.",
        when_not: "None was begun.",
        cost: "Fast. One write, and what the store put off until nobody waits. A full inbox is consolidated first.",
        returns: "SessionEnded: its id, its active hours, and what was consolidated if the inbox was full.",
        next: "consolidate() again if something still waits.",
        example: "elfmem session end",
        answers: &[
            field("session_id", Text),
            field("hours", Number),
            nullable("consolidated", Object),
            nullable("consolidate_failed", Text),
        ],
    }
}

impl<T: Into<String>> From<T> for BeginSession {
    fn from(task_type: T) -> Self {
        Self::new().task_type(task_type)
    }
}
