internal import Formats

/// Addresses of homeservers.
package enum Homeserver {
    /// The homeserver that the domain of an ID names.
    package enum Discovery: Hashable, Sendable {
        /// It names none: the domain itself is asked.
        case none
        case base(String)
        /// It names one that is no address.
        case invalid
    }

    /// The address without the slashes at its end; nil if it is none of the web, or more than a host and a path.
    package static func base(_ address: String) -> String? {
        let lower = address.lowercased()
        guard lower.hasPrefix("https://") || lower.hasPrefix("http://"),
            address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !$0.isForbidden })
        else { return nil }
        var base = Substring(address)
        while base.hasSuffix("/") { base.removeLast() }
        let host = base.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" }
        // A user name in an address would be shown as its host.
        return host.isEmpty || host.contains("@") ? nil : String(base)
    }

    /// The address that people mean: `example.org` is `https://example.org`.
    package static func typed(_ text: String) -> String? { base(text.contains("://") ? text : "https://" + text) }

    /// Whether a word names a server, and not a person: `example.org`, `localhost`, `10.0.0.1:8008`.
    package static func isName(_ word: String) -> Bool {
        guard let base = typed(word) else { return false }
        let host = base.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" }
        if host.hasPrefix("[") { return true }
        // The domain of an ID without its first sign, as in `ana:example.org`, is no port.
        let parts = host.split(separator: ":", omittingEmptySubsequences: false)
        if parts.count > 1 { return parts.count == 2 && parts[1].allSatisfy { ("0"..."9").contains($0) } }
        return host.contains(".") || host.lowercased() == "localhost" || word.contains("://")
    }

    /// Whether what is sent to an address can be read by others on its way.
    package static func isOpen(_ base: String) -> Bool {
        guard base.lowercased().hasPrefix("http://") else { return false }
        let host = base.dropFirst("http://".count).prefix { $0 != "/" }
        let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
        return !["localhost", "127.0.0.1", "[::1]"].contains(name.lowercased())
    }

    /// Reads the response of a domain.
    /// - Parameter status: of HTTP.
    package static func discovery(status: Int, body: UnsafeRawBufferPointer) -> Discovery {
        guard status == 200 else { return .none }
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        guard let value = tree.parse(body), let server = value["m.homeserver"] else { return .none }
        guard let base = server["base_url"]?.string.flatMap(base) else { return .invalid }
        return .base(base)
    }
}

extension UInt8 {
    /// Begins a query or a fragment, or is a sign that some readers of addresses take for a slash.
    fileprivate var isForbidden: Bool {
        self == UInt8(ascii: "?") || self == UInt8(ascii: "#") || self == UInt8(ascii: "\\")
    }
}
