internal import Formats

/// The event that a request has sent.
package struct SentEvent: Hashable, Sendable {
    package let id: String

    /// Nil if it is no response to a request that sends an event.
    package init?(_ body: UnsafeRawBufferPointer) {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        guard let id = tree.parse(body)?["event_id"]?.string, id.hasPrefix("$") else { return nil }
        self.id = id
    }
}
