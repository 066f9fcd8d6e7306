package import JSON
package import Messages

/// A request of Kedge to the helper of a server, as a line of JSON with an ID, which the response repeats.
///
///     {"n":1,"hello":5}
///     {"n":2,"fill":{"conversation":"harbour","segment":"messages-500000000000000000.jsonl","side":"before","limit":50}}
///     {"n":3,"around":{"conversation":"harbour","event":"$a"}}
///     {"n":4,"send":{"conversation":"harbour","post":{"type":"message","id":"01J…","at":1764000000000,"from":"@me:e.org","text":"…"}}}
///     {"n":5,"read":{"conversation":"harbour","event":"$a","receipt":"private"}}
///     {"n":6,"typing":{"conversation":"harbour","on":true}}
///     {"n":7,"media":{"conversation":"harbour","event":"$a"}}
///     {"n":8,"follow":{"conversation":"harbour","on":true}}
///     {"n":9,"renewed":true}
///     {"n":10,"search":{"words":"deploy today","conversation":"harbour","limit":20,"next":"token"}}
///     {"n":11,"join":{"address":"#harbour:e.org"}}
///     {"n":12,"decline":{"room":"!AbC:e.org"}}
///     {"n":13,"leave":{"conversation":"harbour"}}
///     {"n":14,"members":{"conversation":"harbour"}}
///     {"n":15,"history":true}
package struct RelayRequest: Hashable, Sendable {
    /// The version of this protocol. A helper of another version cannot be used.
    package static let version = 5

    package let number: Int
    package let content: Content

    package enum Content: Hashable, Sendable {
        /// The first request of a connection. The response has the version of the helper.
        case hello(version: Int)
        /// Fetches events that stand right before a segment (the name of its file), or right after it, if a gap is there: at
        /// most `limit` of them, or as many as the server sends at a time. The response comes when they are in the files, and it
        /// is the same when no gap is left there.
        case fill(ConversationID, segment: String, side: Side, limit: Int, RelayReply<RelayDone> = RelayReply())
        /// Fetches an event and the events around it, unless it is in the files. The response has the segment that holds it.
        case around(ConversationID, MessageID, RelayReply<RelayDone> = RelayReply())
        /// Sends a post. Its ID is the transaction: a request that is repeated sends nothing twice. The response comes when
        /// the server has accepted it; the record with this ID as its `transaction` may be in the files before or after.
        case send(ConversationID, Post, RelayReply<RelayDone> = RelayReply())
        /// Tells the server how far the user has read.
        case read(ConversationID, MessageID, ReadReceipt, RelayReply<RelayDone> = RelayReply())
        /// Tells the server if the user is typing. Repeat this every 20 seconds while the user is typing.
        case typing(ConversationID, isOn: Bool, RelayReply<RelayDone> = RelayReply())
        /// Asks for the read positions of others in a conversation, now and after each change; or ends that.
        case follow(ConversationID, isOn: Bool, RelayReply<RelayDone> = RelayReply())
        /// Says that the user has logged in again.
        case renewed(RelayReply<RelayDone> = RelayReply())
        /// Fetches the file of a message into the archive. The response has its path there.
        case media(ConversationID, MessageID, RelayReply<String> = RelayReply())
        /// Searches on the server.
        case search(RelaySearch, RelayReply<RelayPage> = RelayReply())
        /// Joins a room, also one to which the user is invited: by its ID, an alias or a link. The response has its
        /// conversation, and comes when that is in the files. A space has none.
        case join(address: String, RelayReply<ConversationID?> = RelayReply())
        /// Declines an invitation to a room.
        case decline(room: String, RelayReply<RelayDone> = RelayReply())
        /// Leaves a room. Its files stay.
        case leave(ConversationID, RelayReply<RelayDone> = RelayReply())
        /// Asks the server for all members of a room.
        case members(ConversationID, RelayReply<[Person]> = RelayReply())
        /// Fetches all rooms from their beginnings. The response comes when they are in the files.
        case history(RelayReply<RelayDone> = RelayReply())
    }

    /// A side of a segment.
    package enum Side: String, Hashable, Sendable {
        case before
        case after
    }

    package init(_ number: Int, _ content: Content) { (self.number, self.content) = (number, content) }
}

extension RelayRequest {
    /// The line with its line feed.
    package var line: [UInt8] {
        let (name, value) = content.field
        return JSONText(fields: [("n", JSONText(number)), (name, value)]).line
    }

    /// Nil if the line is not a request.
    package init?(line: Bytes) {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        guard let value = tree.parse(line), let number = value.count("n"), let content = Content(value) else {
            return nil
        }
        self.init(number, content)
    }
}

extension RelayRequest.Content {
    fileprivate var field: (String, JSONText) {
        func about(_ id: ConversationID, _ fields: (String, JSONText?)...) -> JSONText {
            JSONText(fields: [("conversation", JSONText(id.rawValue))] + fields)
        }
        return switch self {
        case .hello(let version): ("hello", JSONText(version))
        case .fill(let id, let segment, let side, let limit, _):
            (
                "fill",
                about(
                    id, ("segment", JSONText(segment)), ("side", JSONText(side.rawValue)), ("limit", JSONText(limit)))
            )
        case .around(let id, let event, _): ("around", about(id, ("event", JSONText(event.rawValue))))
        case .send(let id, let post, _): ("send", about(id, ("post", post.relayed)))
        case .read(let id, let event, let receipt, _):
            ("read", about(id, ("event", JSONText(event.rawValue)), ("receipt", JSONText(receipt.rawValue))))
        case .typing(let id, let isOn, _): ("typing", about(id, ("on", JSONText(isOn))))
        case .follow(let id, let isOn, _): ("follow", about(id, ("on", JSONText(isOn))))
        case .renewed: ("renewed", true)
        case .media(let id, let event, _): ("media", about(id, ("event", JSONText(event.rawValue))))
        case .search(let search, _): ("search", search.relayed)
        case .join(let address, _): ("join", ["address": JSONText(address)])
        case .decline(let room, _): ("decline", ["room": JSONText(room)])
        case .leave(let id, _): ("leave", about(id))
        case .members(let id, _): ("members", about(id))
        case .history: ("history", true)
        }
    }

    fileprivate init?(_ value: JSONValue) {
        if let version = value.count("hello") {
            self = .hello(version: version)
        } else if let fill = value["fill"], let conversation = fill.conversation, let segment = fill["segment"]?.string,
            let side = fill["side"]?.string.flatMap({ RelayRequest.Side(rawValue: $0) }),
            let limit = fill.count("limit"), limit > 0
        {
            self = .fill(conversation, segment: segment, side: side, limit: limit)
        } else if let around = value["around"], let conversation = around.conversation,
            let event = around.message("event")
        {
            self = .around(conversation, event)
        } else if let send = value["send"], let conversation = send.conversation,
            let post = send["post"].flatMap({ Post(relayed: $0) })
        {
            self = .send(conversation, post)
        } else if let read = value["read"], let conversation = read.conversation, let event = read.message("event") {
            let receipt = read["receipt"]?.string.flatMap { ReadReceipt(rawValue: $0) }
            self = .read(conversation, event, receipt ?? .private)
        } else if let typing = value["typing"], let conversation = typing.conversation {
            self = .typing(conversation, isOn: typing["on"]?.isTrue == true)
        } else if let follow = value["follow"], let conversation = follow.conversation {
            self = .follow(conversation, isOn: follow["on"]?.isTrue == true)
        } else if value["renewed"]?.isTrue == true {
            self = .renewed()
        } else if let media = value["media"], let conversation = media.conversation, let event = media.message("event")
        {
            self = .media(conversation, event)
        } else if let search = value["search"].flatMap({ RelaySearch(relayed: $0) }) {
            self = .search(search)
        } else if let address = value["join"]?["address"]?.string, !address.isEmpty {
            self = .join(address: address)
        } else if let room = value["decline"]?["room"]?.string, !room.isEmpty {
            self = .decline(room: room)
        } else if let conversation = value["leave"]?.conversation {
            self = .leave(conversation)
        } else if let conversation = value["members"]?.conversation {
            self = .members(conversation)
        } else if value["history"]?.isTrue == true {
            self = .history()
        } else {
            return nil
        }
    }
}

/// The type of the response to a request, in the case of that request: both programs take it from there.
///
///     let people = await helper.ask { .members(harbour, $0) }                              // kedge: a list of people
///     case .members(let id, let reply): rooms.listMembers(of: id, for: asker.of(reply))    // the helper sends one
package struct RelayReply<Value: RelayValue>: Hashable, Sendable {
    package init() {}
}

/// A search on the server.
package struct RelaySearch: Hashable, Sendable {
    package let words: String
    /// Nil for all rooms.
    package let conversation: ConversationID?
    package let limit: Int
    /// The token from the last page; nil for the first one.
    package let next: String?

    package init(_ words: String, in conversation: ConversationID? = nil, limit: Int, next: String? = nil) {
        (self.words, self.conversation, self.limit, self.next) = (words, conversation, limit, next)
    }

    var relayed: JSONText {
        [
            "words": JSONText(words), "conversation": JSONText(ifAny: conversation?.rawValue), "limit": JSONText(limit),
            "next": JSONText(ifAny: next),
        ]
    }

    /// Nil if the value is not a search.
    init?(relayed value: JSONValue) {
        guard let words = value["words"]?.string, !words.isEmpty, let limit = value.count("limit"), limit > 0,
            value["conversation"] == nil || value.conversation != nil
        else { return nil }
        self.init(words, in: value.conversation, limit: limit, next: value["next"]?.string)
    }
}

/// Posts as in the archive's records, except for the time: milliseconds since 1970.
extension Post {
    fileprivate var relayed: JSONText {
        let fields = PostFields(content)
        return [
            "type": JSONText(fields.type), "id": JSONText(id.rawValue), "at": JSONText(at.milliseconds),
            "from": JSONText(sender.rawValue), "target": JSONText(ifAny: fields.target),
            "text": JSONText(ifAny: fields.text), "replyTo": JSONText(ifAny: fields.replyTo),
            "thread": JSONText(ifAny: fields.thread), "emoji": JSONText(ifAny: fields.emoji),
            "removed": fields.removed == true ? true : nil, "seen": JSONText(ifAny: seen),
            "kind": isAction ? "action" : nil,
        ]
    }

    /// Nil if the value is not a post.
    fileprivate init?(relayed value: JSONValue) {
        var fields = PostFields()
        fields.type = value["type"]?.string ?? ""
        (fields.target, fields.text, fields.emoji) = (
            value["target"]?.string, value["text"]?.string, value["emoji"]?.string
        )
        (fields.replyTo, fields.thread) = (value["replyTo"]?.string, value["thread"]?.string)
        fields.removed = value["removed"]?.isTrue
        guard let id = value.message("id"), let at = value["at"]?.integer,
            let sender = value["from"]?.string, let content = fields.content
        else { return nil }
        self.init(
            id: id, at: Timestamp(milliseconds: at), sender: PersonID(sender), content: content,
            isAction: value["kind"]?.string == "action", seen: value["seen"]?.string)
    }
}
