/// Names a conversation: a channel of a team, or the members of a direct channel.
struct MattermostKey: Hashable {
    var team = ""
    var channel = ""
    /// In alphabetical order; none for a channel of a team.
    var members: [String] = []

    init(team: String, channel: String) {
        (self.team, self.channel) = (team, channel)
    }

    /// The key of a direct channel or a direct post: newer exports list `participants`.
    init(members value: JSONValue) {
        if let list = value["channel_members"] ?? value["members"], list.isArray {
            members = list.elements.compactMap(\.string)
        }
        if members.isEmpty, let list = value["participants"] {
            members = list.elements.compactMap { $0["username"]?.string }
        }
        members.sort()
    }

    /// The key as the setting of a feed.
    var text: String { members.isEmpty ? "c\n\(team)\n\(channel)" : "d\n" + members.joined(separator: "\n") }

    init(_ text: String) {
        let parts = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if parts.first == "d" {
            members = Array(parts.dropFirst())
        } else if parts.count == 3 {
            (team, channel) = (parts[1], parts[2])
        }
    }

    /// Names that are good to type, the shortest first.
    var typedNames: [String] {
        let names = members.isEmpty ? [channel, team + "-" + channel] : [members.joined(separator: "-")]
        return names.map { name in
            String(String.UnicodeScalarView(name.unicodeScalars.map { $0 == "/" || $0.value < 0x20 ? "-" : $0 }))
        }
    }
}
