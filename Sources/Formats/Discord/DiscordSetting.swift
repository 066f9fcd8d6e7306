/// The facts about a thread that the converter of its feed needs.
struct DiscordSetting {
    /// The ID of the message that the thread began with; empty for a channel.
    var root = ""
    /// The ID of the channel or thread whose messages these are.
    var channel = ""
    /// The title of a post in a forum: no field of its messages holds it.
    var title = ""

    var text: String { [root, channel, title].joined(separator: "\n") }

    init(root: String = "", channel: String, title: String = "") {
        // A channel that is known by its path alone has line feeds in its ID.
        (self.root, self.channel) = (root, channel.replacing("\n", with: " "))
        self.title = title.replacing("\n", with: " ")
    }

    init(_ text: String) {
        let parts = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3 else { return }
        (root, channel, title) = (parts[0], parts[1], parts[2])
    }
}
