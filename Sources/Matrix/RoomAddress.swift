internal import Formats

/// The address with which a room is joined: its ID or an alias, and servers that know it.
package struct RoomAddress: Hashable, Sendable {
    /// The prefix of links of Matrix (Matrix specification, appendices, "matrix.to navigation").
    static let site = "https://matrix.to/#/"

    package let room: String
    package let via: [String]

    package init(room: String, via: [String] = []) { (self.room, self.via) = (room, via) }

    /// `https://matrix.to/#/!AbC?via=example.org`
    package var link: String {
        let servers = via.map { "via=\(Percent.encoded($0))" }.joined(separator: "&")
        return RoomAddress.site + Percent.encoded(room) + (servers.isEmpty ? "" : "?" + servers)
    }

    /// Reads an ID, an alias, or a link; nil for any other text.
    package init?(_ text: String) {
        if text.hasPrefix("#") || text.hasPrefix("!") {
            self.init(named: text, via: [])
            return
        }
        guard text.hasPrefix(RoomAddress.site) else {
            guard case .link(let link)? = Permalink.parse(text), let room = link.conversations.first else { return nil }
            self.init(named: room, via: [])
            return
        }
        let parts = text.dropFirst(RoomAddress.site.count).split(separator: "?", maxSplits: 1)
        let room = parts.first?.prefix { $0 != "/" } ?? ""
        let via = parts.dropFirst().first?.split(separator: "&").compactMap { parameter -> String? in
            parameter.hasPrefix("via=") ? Percent.decoded(String(parameter.dropFirst(4))) : nil
        }
        self.init(named: Percent.decoded(String(room)) ?? "", via: via ?? [])
    }

    private init?(named room: String, via: [String]) {
        let isAlias = room.hasPrefix("#") && room.contains(":")
        guard isAlias || room.hasPrefix("!"), room.count > 1, room.utf8.count <= 255,
            room.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control && $0 != " " })
        else { return nil }
        self.init(room: room, via: via.filter { !$0.isEmpty })
    }
}
