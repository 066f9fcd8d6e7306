extension PageRequest {
    /// The same request for no more messages than can fill a screen: each takes at least one row.
    package func filling(rows: Int) -> PageRequest {
        PageRequest(
            conversation: conversation, thread: thread, position: position, limit: min(limit, rows), since: since,
            threads: threads)
    }
}
