internal import JSON

/// Snowflakes: IDs that contain the time at which they were made, so they sort by time.
enum DiscordID {
    /// The ID as a number; nil if the text is not a number or too large.
    static func number(_ text: Bytes) -> Int64? {
        guard 1...19 ~= text.count, text.allSatisfy(\.isDigit) else { return nil }
        return Int64(exactly: text.reduce(UInt64(0)) { $0 * 10 + UInt64($1 - UInt8(ascii: "0")) })
    }

    /// A key for a message whose ID is not a snowflake: its time, then a hash of its ID. Tools that anonymise exports write such
    /// IDs.
    static func key(of id: Bytes, milliseconds: Int64) -> Int64 {
        let time = min(max(0, milliseconds - 1_420_070_400_000), Int64.max >> 22)
        return time << 22 | Int64(Fingerprint.of(id) & 0x3F_FFFF)
    }
}

/// The facts about a thread that the converter of its feed needs.
struct DiscordSetting {
    /// The ID of the message that the thread began with; empty for a channel.
    var root = ""
    /// The ID of the channel or thread whose messages these are.
    var channel = ""
    /// The title of a post in a forum: its messages do not contain it.
    var title = ""

    var text: String { [root, channel, title].joined(separator: "\n") }

    /// The title as the first line of the root.
    var label: [UInt8] { title.isEmpty ? [] : Array("**\(title)**\n".utf8) }

    init(root: String = "", channel: String, title: String = "") {
        // A channel known only by its path has line feeds in its ID.
        (self.root, self.channel) = (root, channel.replacing("\n", with: " "))
        self.title = title.replacing("\n", with: " ")
    }

    init(_ text: String) {
        let parts = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3 else { return }
        (root, channel, title) = (parts[0], parts[1], parts[2])
    }
}
