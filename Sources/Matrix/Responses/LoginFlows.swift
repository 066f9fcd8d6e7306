internal import Formats

/// The ways to log in at a server.
package struct LoginFlows: Hashable, Sendable {
    package let hasPassword: Bool
    /// Whether a browser can log in, for a token.
    package let hasBrowser: Bool

    /// Nil if it is no such response.
    package init?(_ body: UnsafeRawBufferPointer) {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        guard let flows = tree.parse(body)?["flows"], flows.isArray else { return nil }
        let types = flows.elements.compactMap { $0["type"]?.string }
        hasPassword = types.contains("m.login.password")
        hasBrowser = types.contains("m.login.sso")
    }
}
