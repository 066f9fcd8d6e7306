package import Files
internal import Glibc
package import Messages
internal import Relay

/// The journal of unsent posts: a file for each post, from before its first try until the server has accepted or refused it.
package struct OutboxFiles {
    private let folder: String

    /// - Parameter folder: `outbox` in the folder of the network.
    package init(folder: String) { self.folder = folder }

    /// The posts that an earlier process has not sent, in the order in which their IDs were made.
    package func all() throws(FileError) -> [(conversation: ConversationID, post: Post)] {
        var posts: [(conversation: ConversationID, post: Post)] = []
        for name in try DiskFile.names(in: folder).sorted() where !name.hasPrefix(".") {
            // A file without a post is left alone: nothing that somebody wrote is deleted unread.
            guard let bytes = try DiskFile.read(folder + "/" + name, longest: Int64(RelayLines.longest)),
                let request = bytes.withUnsafeBytes({ RelayRequest(line: $0) }),
                case .send(let conversation, let post, _) = request.content
            else { continue }
            posts.append((conversation, post))
        }
        return posts
    }

    /// Saves a post. When this returns, it is on the disk.
    package func write(_ post: Post, to conversation: ConversationID) throws(FileError) {
        try Disk.makeFolder(folder, isPrivate: false)
        try DiskFile.replace(path(post.id), with: [RelayRequest(0, .send(conversation, post)).line])
    }

    /// Removes a post. If the power fails before the removal is on the disk, the next try is the same transaction, so nothing is
    /// sent twice.
    package func remove(_ id: MessageID) { unlink(path(id)) }

    /// Returns true if the ID can be the name of a file.
    package static func isName(_ id: MessageID) -> Bool {
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
