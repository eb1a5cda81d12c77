//! Signals that would end the program in the middle of a write.

/// Lets a write beyond the limit on file sizes (`ulimit -f`) fail with an error.
///
/// By default the system ends the process with `SIGXFSZ`, so nobody would be told what happened, and a half-made backup
/// would stay behind.
#[cfg(unix)]
#[allow(unsafe_code, reason = "the standard library has no function to ignore a signal")]
pub(crate) fn report_size_limits_as_errors() {
    // SAFETY: ignoring a signal runs no code of ours, and no other thread exists yet.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

/// Lets a write beyond the limit on file sizes fail with an error, which it does here anyway.
#[cfg(not(unix))]
pub(crate) fn report_size_limits_as_errors() {}
