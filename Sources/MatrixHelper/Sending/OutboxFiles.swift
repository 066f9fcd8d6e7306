internal import Formats
internal import Glibc
internal import Messages
internal import Relay

/// The journal of what is to be sent: a file for each post, from before its first try until the server has it or refuses it.
struct OutboxFiles {
    private let folder: String

    /// - Parameter folder: `matrix/outbox` in the archive.
    init(folder: String) { self.folder = folder }

    /// The posts that an earlier process has not sent, in the order in which their IDs were made.
    func all() throws(DiskFailure) -> [(conversation: ConversationID, post: Post)] {
        var posts: [(conversation: ConversationID, post: Post)] = []
        for name in try DiskFile.names(in: folder).sorted() where !name.hasPrefix(".") {
            // A file that holds none is left: nothing that somebody wrote is deleted unread.
            guard let bytes = try DiskFile.read(folder + "/" + name, longest: RelayLines.longest),
                let request = bytes.withUnsafeBytes({ RelayRequest(line: $0) }),
                case .send(let conversation, let post) = request.content
            else { continue }
            posts.append((conversation, post))
        }
        return posts
    }

    /// Keeps a post. When this returns, it is on the disk.
    func write(_ post: Post, to conversation: ConversationID) throws(DiskFailure) {
        try DiskFile.makeFolder(folder)
        try DiskFile.replace(path(post.id), with: [RelayRequest(0, .send(conversation, post)).line])
    }

    /// If the power fails before the disk has this, the next try is the same transaction.
    func remove(_ id: MessageID) { unlink(path(id)) }

    /// Whether an ID can be the name of a file.
    static func isName(_ id: MessageID) -> Bool {
        (1...64).contains(id.rawValue.utf8.count)
            && id.rawValue.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    private func path(_ id: MessageID) -> String { folder + "/" + id.rawValue }
}
