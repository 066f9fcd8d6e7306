internal import Matrix
internal import Messages

/// Turns posts into requests, with what the archive knows about their targets.
struct OutgoingPost {
    private let archive: AccountArchive
    /// The events of posts that were sent since the start.
    private let sent: [MessageID: String]
    private let server: Server

    init(_ archive: AccountArchive, sent: [MessageID: String], _ server: Server) {
        (self.archive, self.sent, self.server) = (archive, sent, server)
    }

    func request(for post: Post, to conversation: ConversationID) -> Result<MatrixRequest, RelayRefusal> {
        do throws(RelayRefusal) {
            guard let room = archive.room(of: conversation.rawValue), let facts = archive.facts(room) else {
                throw RelayRefusal("\(conversation): there is no such room")
            }
            if facts.hasLeft { throw RelayRefusal("you are not in this room any more") }
            if facts.isEncrypted, !server.encrypts, post.content.hasText {
                throw RelayRefusal(
                    "this room is encrypted, and nothing is sent to it in clear: log in through pantalaimon")
            }
            return .success(try request(for: post, room))
        } catch {
            return .failure(error)
        }
    }

    private func request(for post: Post, _ room: String) throws(RelayRefusal) -> MatrixRequest {
        func send(_ type: String, _ content: String) -> MatrixRequest {
            .send(type, content, room: room, transaction: post.id.rawValue)
        }
        switch post.content {
        case .message(let text, let replyTo, let thread):
            let target = try replyTo.map { id throws(RelayRefusal) in try event(id, room) }
            let root = try thread.map { id throws(RelayRefusal) in try event(id, room) }
            let author = target.flatMap { archive.author(of: $0, in: room) }
            let message = OutgoingMessage(
                text: text, isAction: post.isAction, author: author == archive.me ? nil : author)
            return send("m.room.message", message.content(replyTo: target, thread: root))
        case .edit(let target, let text):
            return send("m.room.message", OutgoingMessage(text: text).content(editing: try event(target, room)))
        case .deletion(let target):
            return .redact(try event(target, room), room: room, transaction: post.id.rawValue)
        case .reaction(let target, let emoji, isRemoved: false):
            return send("m.reaction", OutgoingMessage.reaction(to: try event(target, room), emoji: emoji))
        case .reaction(let target, let emoji, isRemoved: true):
            let event = try event(target, room)
            guard let reaction = archive.ownReaction(to: event, emoji: emoji, in: room) else {
                throw RelayRefusal("this reaction is not on the server yet")
            }
            return .redact(reaction, room: room, transaction: post.id.rawValue)
        }
    }

    /// The event of a message, which Kedge may still know by the ID of its post.
    private func event(_ id: MessageID, _ room: String) throws(RelayRefusal) -> String {
        if id.rawValue.hasPrefix("$") { return id.rawValue }
        guard let event = sent[id] ?? archive.event(ofTransaction: id.rawValue, in: room) else {
            throw RelayRefusal("the message is not on the server")
        }
        return event
    }
}

extension Post.Content {
    /// Whether others could read something in it. What is taken back is named by its ID only.
    fileprivate var hasText: Bool {
        switch self {
        case .message, .edit, .reaction(_, _, isRemoved: false): true
        case .deletion, .reaction(_, _, isRemoved: true): false
        }
    }
}
