//! Statements and commits that fail on purpose (feature `faults`, for tests).
//!
//! What is asked for holds for the thread that asks: the store works on the thread of its caller. A statement is failed as
//! SQLite fails one that is interrupted, which rolls the whole transaction back where it was writing. Beginning and ending
//! a transaction are no statements here: a commit has a failure of its own.

use std::cell::RefCell;

use rusqlite::Connection;
use rusqlite::trace::{TraceEvent, TraceEventCodes};

#[derive(Debug, Default)]
struct Plan {
    /// Whether connections that are opened get what failing takes.
    armed: bool,
    statements: u64,
    commits: u64,
    fail_statement: Option<u64>,
    fail_commit: Option<u64>,
    /// Whether the statement that runs is the one to fail.
    striking: bool,
    struck: bool,
}

thread_local! {
    static PLAN: RefCell<Plan> = RefCell::default();
}

/// Lets what connections do fail that this thread opens from now on.
pub fn arm() {
    PLAN.with_borrow_mut(|plan| plan.armed = true);
}

/// Lets the statement with this number fail, counted from now.
pub fn fail_statement(number: u64) {
    PLAN.replace(Plan { armed: true, fail_statement: Some(number), ..Plan::default() });
}

/// Lets the commit with this number fail, counted from now: what it was to keep is not kept.
pub fn fail_commit(number: u64) {
    PLAN.replace(Plan { armed: true, fail_commit: Some(number), ..Plan::default() });
}

/// Ends failing; whether anything did fail.
pub fn stop() -> bool {
    PLAN.replace(Plan { armed: true, ..Plan::default() }).struck
}

pub(crate) fn install(connection: &mut Connection) -> rusqlite::Result<()> {
    if !PLAN.with_borrow(|plan| plan.armed) {
        return Ok(());
    }
    let begins_or_ends =
        |sql: &str| ["BEGIN", "COMMIT", "ROLLBACK", "PRAGMA", "--"].iter().any(|word| sql.starts_with(word));
    connection.trace_v2(
        TraceEventCodes::SQLITE_TRACE_STMT,
        Some(move |event: TraceEvent<'_>| {
            if let TraceEvent::Stmt(_, sql) = event
                && !begins_or_ends(sql)
            {
                PLAN.with_borrow_mut(|plan| {
                    plan.statements += 1;
                    plan.striking |= plan.fail_statement == Some(plan.statements);
                });
            }
        }),
    )?;
    connection.progress_handler(
        1,
        Some(|| {
            PLAN.with_borrow_mut(|plan| {
                plan.struck |= plan.striking;
                std::mem::take(&mut plan.striking)
            })
        }),
    )?;
    connection.commit_hook(Some(|| {
        PLAN.with_borrow_mut(|plan| {
            plan.commits += 1;
            let now = plan.fail_commit == Some(plan.commits);
            plan.struck |= now;
            now
        })
    }))
}
