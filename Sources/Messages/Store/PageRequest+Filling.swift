extension PageRequest {
    /// The same request for as many messages as fill a screen, at most: each takes one row or more.
    package func filling(rows: Int) -> PageRequest {
        PageRequest(
            conversation: conversation, thread: thread, position: position, limit: min(limit, rows), since: since,
            threads: threads)
    }
}
