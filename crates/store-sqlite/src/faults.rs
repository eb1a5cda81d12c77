//! Statements, transactions and copies that fail on purpose (feature `faults`, for tests).
//!
//! What is asked for holds for the thread that asks: the store works on the thread of its caller. A statement is failed as
//! SQLite fails one that is interrupted, which rolls the whole transaction back where it was writing. Beginning and ending
//! a transaction are no statements here: both have failures of their own, and so does copying pages into a backup.

use std::cell::{Cell, RefCell};

use rusqlite::Connection;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization, TransactionOperation};
use rusqlite::trace::{TraceEvent, TraceEventCodes};

#[derive(Debug, Default)]
struct Plan {
    /// Whether connections that are opened get what failing takes.
    armed: bool,
    statements: u64,
    commits: u64,
    fail_statement: Option<u64>,
    fail_commit: Option<u64>,
    begins: u64,
    fail_begin: Option<u64>,
    copies: u64,
    fail_copy: Option<u64>,
    /// Whether the statement that runs is the one to fail.
    striking: bool,
    struck: bool,
}

thread_local! {
    static PLAN: RefCell<Plan> = RefCell::default();
    static WITHOUT_CHAIN: Cell<bool> = const { Cell::new(false) };
}

/// Leaves the chain values out of operations that this thread journals from now on, or no longer: to measure what they cost.
pub fn leave_out_chain(left_out: bool) {
    WITHOUT_CHAIN.set(left_out);
}

/// Returns whether chain values are left out.
pub(crate) fn is_chain_left_out() -> bool {
    WITHOUT_CHAIN.get()
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

/// Lets the beginning of a transaction with this number fail, counted from now.
pub fn fail_begin(number: u64) {
    PLAN.replace(Plan { armed: true, fail_begin: Some(number), ..Plan::default() });
}

/// Lets copying a piece of a database into a backup fail, the piece with this number, counted from now.
pub fn fail_copy(number: u64) {
    PLAN.replace(Plan { armed: true, fail_copy: Some(number), ..Plan::default() });
}

/// Fails the copy of a piece of a database if that was asked for.
pub(crate) fn copy_piece() -> rusqlite::Result<()> {
    let fails = PLAN.with_borrow_mut(|plan| {
        plan.copies += 1;
        let now = plan.fail_copy == Some(plan.copies);
        plan.struck |= now;
        now
    });
    let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_IOERR_WRITE);
    if fails { Err(rusqlite::Error::SqliteFailure(code, Some("the copy was interrupted".to_owned()))) } else { Ok(()) }
}

/// Ends failing; whether anything did fail.
pub fn stop() -> bool {
    PLAN.replace(Plan { armed: true, ..Plan::default() }).struck
}

/// Returns how many statements armed connections of this thread have run since failing was last asked for or ended.
pub fn statements() -> u64 {
    PLAN.with_borrow(|plan| plan.statements)
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
    connection.authorizer(Some(|asked: AuthContext<'_>| {
        let AuthAction::Transaction { operation: TransactionOperation::Begin } = asked.action else {
            return Authorization::Allow;
        };
        PLAN.with_borrow_mut(|plan| {
            plan.begins += 1;
            let now = plan.fail_begin == Some(plan.begins);
            plan.struck |= now;
            if now { Authorization::Deny } else { Authorization::Allow }
        })
    }))?;
    connection.commit_hook(Some(|| {
        PLAN.with_borrow_mut(|plan| {
            plan.commits += 1;
            let now = plan.fail_commit == Some(plan.commits);
            plan.struck |= now;
            now
        })
    }))
}
