/// IDs of people: `@ana:example.org`.
package enum UserID {
    /// Whether a text can be an ID: opaque, but for its first sign and the server's name, and without controls.
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
