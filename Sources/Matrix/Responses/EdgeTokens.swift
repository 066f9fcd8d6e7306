internal import Formats

/// The tokens on both sides of an event.
package struct EdgeTokens: Hashable, Sendable {
    /// Before it.
    package let start: String?
    /// After it.
    package let end: String?

    /// Nil if it is no response to /context.
    package init?(_ body: UnsafeRawBufferPointer) {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        guard let value = tree.parse(body), value.isObject else { return nil }
        start = value["start"]?.string
        end = value["end"]?.string
    }
}
