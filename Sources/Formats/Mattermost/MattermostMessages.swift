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
