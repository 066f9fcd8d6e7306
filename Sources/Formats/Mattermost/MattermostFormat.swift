package import Dates

/// Bulk exports of Mattermost: `import.jsonl`, one object a line.
///
///     lines before the posts, and those of direct channels → MattermostList → a feed a conversation → MattermostMessages → records
///
/// Facts (Mattermost's documentation, "Bulk loading data"):
/// - The first line is `{"type":"version","version":1}`. Teams, channels and users come before the posts, direct channels after them.
/// - A post names its team, channel and user: `{"type":"post","post":{team, channel, user, message, create_at, …}}`. A direct post
///   names its `channel_members`. Posts of all channels are mixed.
/// - Replies lie in their post. Posts and replies have no IDs: here the time and six letters for user and text stand for them, so
///   that another export of the server gives the same.
/// - Mattermost orders a channel by `create_at`, and so is it ordered here.
/// - Paths of attachments lead from the folder `data` beside the file, or from the file itself.
package struct MattermostFormat: Format {
    package let id = "mattermost"
    package let name = "Mattermost bulk export"
    package let version = 2

    package init() {}

    package func recognise(_ source: Source) -> Recognition {
        source.candidates(".jsonl").prefix(16).contains { (try? MattermostFormat.isExport($0, source)) == true }
            ? .certain : .no
    }

    private static func isExport(_ file: SourceFile, _ source: Source) throws(SourceError) -> Bool {
        let head = try source.read(file, count: 64 << 10)
        let tree = JSONTree()
        return head.withUnsafeBytes { bytes in
            let text = Bytes(rebasing: bytes[(bytes.starts(with: "\u{FEFF}") ? 3 : 0)...])
            // A part of an export begins with any of its lines, and a broken line hides no other.
            for line in text.lines {
                guard line.first == UInt8(ascii: "{"), let value = tree.parse(line), let type = value["type"]?.bytes
                else {
                    continue
                }
                return kinds.contains { type == $0 && value[$0] != nil }
            }
            return false
        }
    }

    /// The kinds of lines, each of which has its object under the same name.
    private static let kinds: [StaticString] = [
        "version", "post", "direct_post", "channel", "direct_channel", "team", "user", "emoji", "role", "scheme", "bot",
    ]

    package func archive(in source: Source) throws(SourceError) -> ForeignArchive {
        var list = MattermostList()
        for (rank, file) in source.candidates(".jsonl").enumerated() {
            if try MattermostFormat.isExport(file, source) { try list.add(file, rank: rank, in: source) }
        }
        return list.archive()
    }

    package func converter(
        for feed: Feed, of conversation: ForeignConversation, names: ForeignNames, state: String?, zone: Zone
    ) -> any Converter {
        let messages = MattermostMessages(feed)
        return LineConverter(feed, mark: messages.mark, isListed: true, write: messages.write)
    }

    package func needle(of id: String, in feed: Feed) -> [UInt8]? {
        id.split(separator: "-").first.map { Array($0.utf8) }
    }
}

/// Converts the posts of one conversation; a file holds those of all.
final class MattermostMessages {
    private let key: MattermostKey
    private var post: MattermostPost

    init(_ feed: Feed) {
        key = MattermostKey(feed.setting)
        post = MattermostPost(folder: SourceFile.folder(of: feed.file))
    }

    /// A text without which a line is no post of the conversation.
    var mark: String { key.members.isEmpty ? "\"\(key.channel)\"" : "\"direct_post\"" }

    func write(_ line: JSONValue, into writer: inout RecordWriter) -> String? {
        guard let type = line["type"]?.bytes else { return nil }
        if type == "post", key.members.isEmpty, let post = line["post"] {
            guard post["channel"]?.string == key.channel, post["team"]?.string ?? "" == key.team else { return nil }
            return self.post.write(post, into: &writer)
        }
        guard type == "direct_post", !key.members.isEmpty, let post = line["direct_post"] else { return nil }
        return MattermostKey(members: post) == key ? self.post.write(post, into: &writer) : nil
    }
}
