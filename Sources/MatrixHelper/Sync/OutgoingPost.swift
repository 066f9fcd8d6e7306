internal import Formats
internal import Helper
internal import Matrix
internal import Messages
internal import Relay

/// Turns posts into requests, with the archive's knowledge about their targets.
struct OutgoingPost {
    /// The request for a post, and the reaction that it concerns.
    struct Work {
        let request: MatrixRequest
        /// The reaction that it sends or takes back.
        var reaction: SentPosts.Reaction?
        /// The event of the reaction that it takes back.
        var takes: String?
    }

    private let archive: AccountArchive
    private let sent: SentPosts
    private let server: Server

    init(_ archive: AccountArchive, _ sent: SentPosts, _ server: Server) {
        (self.archive, self.sent, self.server) = (archive, sent, server)
    }

    func work(of post: Post, to conversation: ConversationID) -> Result<Work, RelayError> {
        do throws(RelayError) {
            guard let room = archive.room(of: conversation.rawValue), let facts = archive.facts(room) else {
                throw RelayError("\(conversation): there is no such room")
            }
            if facts.hasLeft { throw RelayError(Post.afterLeaving) }
            if facts.isEncrypted, !server.encrypts, post.content.hasText {
                throw RelayError(Post.encrypted)
            }
            return .success(try work(of: post, room, mayCallRoom: facts.mayCallRoom(archive.me)))
        } catch {
            return .failure(error)
        }
    }

    private func work(of post: Post, _ room: String, mayCallRoom: Bool) throws(RelayError) -> Work {
        func send(_ type: String, _ content: String) -> Work {
            Work(request: .send(type, content, room: room, transaction: post.id.rawValue))
        }
        let log = archive.log(ofKnown: room)
        switch post.content {
        case .message(let text, let replyTo, let thread):
            let target = try replyTo.map { id throws(RelayError) in try event(id, room) }
            let root = try thread.map { id throws(RelayError) in try event(id, room) }
            let author = target.flatMap { log?.author(of: $0) }
            let message = OutgoingMessage(
                text: text, isAction: post.isAction, author: author == archive.me ? nil : author,
                mayCallRoom: mayCallRoom)
            return send("m.room.message", message.content(replyTo: target, thread: root))
        case .edit(let target, let text):
            let event = try event(target, room)
            // The edit may have waited here for days.
            if let now = log?.textFromElsewhere(of: event, me: archive.me),
                let error = post.overwriting(now, in: ConversationID(archive.conversation(of: room) ?? room))
            {
                throw RelayError(error.reason)
            }
            let called = log?.mentions(of: event) ?? []
            // The text has the names of the people whom it called, not their IDs.
            var calls = Calls()
            for id in called { calls.add("@" + archive.events.names.name(id, in: room), PersonID(id)) }
            let author = log?.replyTarget(of: event).flatMap { log?.author(of: $0) }
            // Other clients take the kind of the new text for that of the message.
            let message = OutgoingMessage(
                text: calls.linked(text), isAction: post.isAction,
                author: author.flatMap { called.contains($0) ? $0 : nil }, mayCallRoom: mayCallRoom)
            return send("m.room.message", message.content(editing: event, called: called))
        case .deletion(let target):
            return Work(request: .redact(try event(target, room), room: room, transaction: post.id.rawValue))
        case .reaction(let target, let emoji, let isRemoved):
            let reaction = SentPosts.Reaction(room: room, target: try event(target, room), emoji: emoji)
            guard isRemoved else {
                var work = send(
                    "m.reaction",
                    OutgoingMessage.reaction(
                        to: reaction.target, emoji: emoji,
                        key: log?.key(ofReaction: emoji, to: reaction.target)))
                work.reaction = reaction
                return work
            }
            guard let event = own(reaction) else { throw RelayError("this reaction is not on the server") }
            return Work(
                request: .redact(event, room: room, transaction: post.id.rawValue), reaction: reaction, takes: event)
        }
    }

    /// The event of a reaction of this account, according to the log if it holds the last action.
    private func own(_ reaction: SentPosts.Reaction) -> String? {
        let log = archive.log(ofKnown: reaction.room)
        let known = log?.ownReaction(to: reaction.target, emoji: reaction.emoji, me: archive.me)
        switch sent.step(of: reaction) {
        case .sent(let event): return log?.reaction(event) == nil ? event : known
        case .takenBack(let event): return known == event ? nil : known
        case nil: return known
        }
    }

    /// The event of a message, which Kedge may still know by the ID of its post.
    func event(_ id: MessageID, _ room: String) throws(RelayError) -> String {
        if id.rawValue.hasPrefix("$") { return id.rawValue }
        guard let event = sent.event(of: id) ?? archive.log(ofKnown: room)?.event(ofTransaction: id.rawValue) else {
            throw RelayError("the message is not on the server")
        }
        return event
    }
}

extension Post.Content {
    /// True if others could read something in it. What is taken back is named by its ID only.
    fileprivate var hasText: Bool {
        switch self {
        case .message, .edit, .reaction(_, _, isRemoved: false): true
        case .deletion, .reaction(_, _, isRemoved: true): false
        }
    }
}
