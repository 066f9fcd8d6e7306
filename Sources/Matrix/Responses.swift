internal import Formats
internal import JSON

/// Addresses of homeservers.
package enum Homeserver {
    /// The homeserver that the domain of an ID names.
    package enum Discovery: Hashable, Sendable {
        /// No homeserver: ask the domain itself.
        case none
        case base(String)
        /// An invalid address.
        case invalid
    }

    /// The address without slashes at its end; nil unless it is a web address of a host and perhaps a path.
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

    /// The full form of a typed address: `example.org` is `https://example.org`.
    package static func typed(_ text: String) -> String? { base(text.contains("://") ? text : "https://" + text) }

    /// True if a word names a server, and not a person: `example.org`, `localhost`, `10.0.0.1:8008`.
    package static func isName(_ word: String) -> Bool {
        guard let base = typed(word) else { return false }
        let host = base.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" }
        if host.hasPrefix("[") { return true }
        // The domain of an ID without its first sign, as in `ana:example.org`, is no port.
        let parts = host.split(separator: ":", omittingEmptySubsequences: false)
        if parts.count > 1 { return parts.count == 2 && parts[1].allSatisfy { ("0"..."9").contains($0) } }
        return host.contains(".") || host.lowercased() == "localhost" || word.contains("://")
    }

    /// True if others can read what is sent to an address.
    package static func isOpen(_ base: String) -> Bool {
        guard base.lowercased().hasPrefix("http://") else { return false }
        let host = base.dropFirst("http://".count).prefix { $0 != "/" }
        let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
        return !["localhost", "127.0.0.1", "[::1]"].contains(name.lowercased())
    }

    /// Reads the response of a domain.
    /// - Parameter status: the HTTP status.
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
    /// True for the start of a query or a fragment, and for signs that some parsers take for a slash.
    fileprivate var isForbidden: Bool {
        self == UInt8(ascii: "?") || self == UInt8(ascii: "#") || self == UInt8(ascii: "\\")
    }
}

/// The ways to log in at a server.
package struct LoginFlows: Hashable, Sendable {
    package let hasPassword: Bool
    /// True if a browser can log in, for a token.
    package let hasBrowser: Bool

    /// Nil for any other response.
    package init?(_ body: UnsafeRawBufferPointer) {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        guard let flows = tree.parse(body)?["flows"], flows.isArray else { return nil }
        let types = flows.elements.compactMap { $0["type"]?.string }
        hasPassword = types.contains("m.login.password")
        hasBrowser = types.contains("m.login.sso")
    }
}

/// A session with a homeserver, which a login begins.
package struct Session: Hashable, Sendable {
    /// `@ana:example.org`
    package let user: String
    package let device: String?
    package let token: String
    /// The homeserver, if the response names another one.
    package let homeserver: String?

    /// Reads the response to a login; nil for any other response.
    package init?(login body: UnsafeRawBufferPointer) {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        guard let value = tree.parse(body), let user = value["user_id"]?.string, UserID.isValid(user),
            let token = value["access_token"]?.string, Session.isToken(token)
        else { return nil }
        (self.user, self.token) = (user, token)
        device = value["device_id"]?.string
        homeserver = value["well_known"]?["m.homeserver"]?["base_url"]?.string.flatMap(Homeserver.base)
    }

    /// Reads the response to `whoAmI`; nil for any other response.
    package init?(token: String, whoAmI body: UnsafeRawBufferPointer) {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        guard Session.isToken(token), let value = tree.parse(body), let user = value["user_id"]?.string,
            UserID.isValid(user)
        else { return nil }
        (self.user, self.token) = (user, token)
        // The device is that of another client, which the next login must not take over.
        device = nil
        homeserver = nil
    }

    /// True if a text can stand in the header of a request: anything else could add headers.
    package static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}

/// IDs of people: `@ana:example.org`.
package enum UserID {
    /// True if a text can be an ID: opaque, except for its first sign and the server's name, and without controls.
    package static func isValid(_ text: String) -> Bool {
        text.hasPrefix("@") && domain(text) != nil && text.utf8.count <= 255
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control && $0 != " " }
    }

    /// The name of the server: `example.org`, perhaps with a port.
    package static func domain(_ id: String) -> String? {
        guard let colon = id.firstIndex(of: ":") else { return nil }
        let domain = id[id.index(after: colon)...]
        return domain.isEmpty ? nil : String(domain)
    }
}

/// The event that a request has sent.
package struct SentEvent: Hashable, Sendable {
    package let id: String

    /// Nil for any other response.
    package init?(_ body: UnsafeRawBufferPointer) {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        guard let id = tree.parse(body)?["event_id"]?.string, id.hasPrefix("$") else { return nil }
        self.id = id
    }
}

/// The reason why a server did not do what was asked.
package struct ServerError: Hashable, Sendable {
    /// The HTTP status.
    package let status: Int
    /// `M_FORBIDDEN`; empty if the response is not one of Matrix, such as that of a proxy.
    package let code: String
    /// For people; untrusted, like everything from a server.
    package let text: String
    /// In milliseconds; nil if the server names no time.
    package let retryAfter: Int?
    /// True if the session is still there and only its token has ended.
    package let isSoftLogout: Bool

    /// - Parameter header: the value of the header Retry-After, in seconds.
    package init(status: Int, body: UnsafeRawBufferPointer, header: String? = nil) {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        let value = tree.parse(body)
        self.status = status
        code = value?["errcode"]?.string ?? ""
        text = value?["error"]?.string ?? ""
        isSoftLogout = value?["soft_logout"]?.isTrue == true
        let seconds = header.flatMap { Int($0) }.flatMap { $0 >= 0 && $0 < 1 << 20 ? $0 * 1_000 : nil }
        let told = value?["retry_after_ms"]?.integer.flatMap { $0 >= 0 && $0 < 1 << 30 ? Int($0) : nil }
        retryAfter = told ?? seconds
    }

    /// For people, even if the server gives no text.
    package var reason: String { text.isEmpty ? "status \(status)" : text }

    /// True if the server does not know such a request.
    package var isOfUnknownRequest: Bool {
        code == "M_UNRECOGNIZED" || code.isEmpty && (status == 404 || status == 405)
    }

    /// True if the token was refused, so that only a new login helps.
    package var isOfToken: Bool {
        status == 401 && (code == "M_UNKNOWN_TOKEN" || code == "M_MISSING_TOKEN" || code.isEmpty)
    }
}

/// A page of results from the server's search.
package struct SearchPage: Sendable {
    package struct Hit: Hashable, Sendable {
        package let room: String
        package let event: String
        /// In milliseconds since 1970, according to the sender.
        package let time: Int64
        package let sender: String
        package let text: String
    }

    /// The newest first, as the server sends them.
    package let hits: [Hit]
    /// The token for the next page; nil if there is none.
    package let next: String?

    /// Nil for any other response.
    package init?(_ body: UnsafeRawBufferPointer) {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        guard let events = tree.parse(body)?["search_categories"]?["room_events"], events.isObject else { return nil }
        next = events["next_batch"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        hits = events["results"]?.elements.compactMap { $0["result"].flatMap(Hit.init) } ?? []
    }
}

extension SearchPage.Hit {
    /// Nil for an event that is not a message.
    fileprivate init?(_ value: JSONValue) {
        let event = MatrixEvent(value)
        guard let room = value["room_id"]?.string, let id = event.id?.string, id.hasPrefix("$"),
            let time = event.milliseconds, let sender = event.sender?.string
        else { return nil }
        var writer = RecordWriter()
        _ = MatrixEvents { _, _ in nil }.convert(event, into: &writer)
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        // A hit in an edit is one in the message that it changes.
        let lines = writer.lines
        let found = lines.withUnsafeBytes { bytes -> (String, String)? in
            guard let record = tree.parse(bytes), let text = record["text"]?.string, record["kind"]?.string != "system"
            else { return nil }
            return (record["target"]?.string ?? id, text)
        }
        guard let (message, text) = found else { return nil }
        self.init(room: room, event: message, time: time, sender: sender, text: text)
    }
}
