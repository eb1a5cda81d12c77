//! Spans and events of this crate.

elfmem_core::trace_points! {
    /// One call of a verb, on a worker thread.
    span DEBUG call(verb: word, rights: word);
    /// The call was refused.
    event DEBUG refused(kind: word) "call refused";
    /// The memory was opened for the first request.
    event INFO opened() "memory opened";
    /// The memory could not be opened.
    event WARN not_opened(kind: word) "memory could not be opened";
    /// Too many calls wait already.
    event WARN crowded(waiting: number) "too many calls wait; one was turned away";
    /// A call ended with a panic.
    event ERROR panicked() "a call panicked";
    /// An HTTP request was answered. The route is the pattern, not the path.
    event DEBUG answered(method: label, route: label, status: number, microseconds: number) "request answered";
    /// A connection could not be accepted.
    event WARN not_accepted() "a connection could not be accepted; trying again";
    /// A connection that waited for its client made room for another.
    event DEBUG displaced() "a waiting connection was closed to make room";
    /// A client reads too slowly.
    event WARN write_timed_out(after_ms: number) "a client did not read its answer in time";
    /// Blocks that wait for their vectors could not be embedded while the server was idle.
    event WARN idle_work_failed(kind: word) "vectors could not be computed while idle";
    /// The server accepts requests.
    event INFO started(port: number) "server started";
    /// The server stops: its client left, or a signal came.
    event INFO stopping() "server stops";
    /// The session could not be ended in time.
    event WARN not_ended() "the session was not ended within the time limit";
}
