package import Formats
package import Messages

/// A request of Kedge to the helper of a server, as a line of JSON: it has a number, which the response repeats.
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
    /// The version of this protocol. A helper of another version is of no use.
    package static let version = 5

    package let number: Int
    package let content: Content

    package enum Content: Hashable, Sendable {
        /// The first request of a connection. The response has the version of the helper.
        case hello(version: Int)
        /// Fetches events that stand right before a segment (the name of its file), or right after it, if a gap is there: at
        /// most `limit` of them, or as many as the server sends at a time. The response comes when they are in the files, and it
        /// is the same when no gap is left there.
        case fill(ConversationID, segment: String, side: Side, limit: Int)
        /// Fetches an event and the events around it, unless it is in the files. The response has the segment that holds it.
        case around(ConversationID, MessageID)
        /// Sends a post. Its ID is the transaction: a request that is repeated sends nothing twice. The response comes when
        /// the server has accepted it; the record with this ID as its `transaction` may be in the files before or after.
        case send(ConversationID, Post)
        /// Tells the server how far the user has read.
        case read(ConversationID, MessageID, ReadReceipt)
        /// Tells the server whether the user is typing. To be repeated every 20 seconds while that is so.
        case typing(ConversationID, isOn: Bool)
        /// Asks to be told who has read how far in a conversation, now and whenever that changes; or not any more.
        case follow(ConversationID, isOn: Bool)
        /// Says that the user has logged in again.
        case renewed
        /// Fetches the file of a message into the archive. The response has its path there.
        case media(ConversationID, MessageID)
        /// Lets the server search.
        case search(RelaySearch)
        /// Joins a room, also one to which the user is invited: by its ID, an alias or a link. The response has its conversation, and
        /// comes when that is in the files.
        case join(address: String)
        /// Declines an invitation to a room.
        case decline(room: String)
        /// Leaves a room. What is in the files stays.
        case leave(ConversationID)
        /// Asks the server for all members of a room.
        case members(ConversationID)
        /// Fetches all rooms from their beginnings. The response comes when they are in the files.
        case history
    }

    /// A side of a segment.
    package enum Side: String, Hashable, Sendable {
        case before
        case after
    }

    package init(_ number: Int, _ content: Content) { (self.number, self.content) = (number, content) }
}

extension RelayRequest {
    /// With its line feed.
    package var line: [UInt8] {
        let content =
            switch content {
            case .hello(let version): "\"hello\":\(version)"
            case .fill(let conversation, let segment, let side, let limit):
                "\"fill\":{\(RelayRequest.head(conversation)),\"segment\":\(JSONString.text(segment)),"
                    + "\"side\":\"\(side.rawValue)\",\"limit\":\(limit)}"
            case .around(let conversation, let event):
                "\"around\":{\(RelayRequest.head(conversation)),\"event\":\(JSONString.text(event.rawValue))}"
            case .send(let conversation, let post):
                "\"send\":{\(RelayRequest.head(conversation)),\"post\":\(post.relayed)}"
            case .read(let conversation, let event, let receipt):
                "\"read\":{\(RelayRequest.head(conversation)),\"event\":\(JSONString.text(event.rawValue)),"
                    + "\"receipt\":\"\(receipt.rawValue)\"}"
            case .typing(let conversation, let isOn):
                "\"typing\":{\(RelayRequest.head(conversation)),\"on\":\(isOn)}"
            case .follow(let conversation, let isOn):
                "\"follow\":{\(RelayRequest.head(conversation)),\"on\":\(isOn)}"
            case .renewed: "\"renewed\":true"
            case .media(let conversation, let event):
                "\"media\":{\(RelayRequest.head(conversation)),\"event\":\(JSONString.text(event.rawValue))}"
            case .search(let search): "\"search\":{\(search.fields)}"
            case .join(let address): "\"join\":{\"address\":\(JSONString.text(address))}"
            case .decline(let room): "\"decline\":{\"room\":\(JSONString.text(room))}"
            case .leave(let conversation): "\"leave\":{\(RelayRequest.head(conversation))}"
            case .members(let conversation): "\"members\":{\(RelayRequest.head(conversation))}"
            case .history: "\"history\":true"
            }
        return Array("{\"n\":\(number),\(content)}\n".utf8)
    }

    private static func head(_ conversation: ConversationID) -> String {
        "\"conversation\":\(JSONString.text(conversation.rawValue))"
    }

    /// Nil if the line is no request.
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
    fileprivate init?(_ value: JSONValue) {
        if let version = value.count("hello") {
            self = .hello(version: version)
        } else if let fill = value["fill"] {
            guard let conversation = fill.conversation, let segment = fill["segment"]?.string,
                let side = fill["side"]?.string.flatMap({ RelayRequest.Side(rawValue: $0) }),
                let limit = fill.count("limit"), limit > 0
            else { return nil }
            self = .fill(conversation, segment: segment, side: side, limit: limit)
        } else if let around = value["around"] {
            guard let conversation = around.conversation, let event = around.message("event") else { return nil }
            self = .around(conversation, event)
        } else if let send = value["send"] {
            guard let conversation = send.conversation, let post = send["post"].flatMap({ Post(relayed: $0) }) else {
                return nil
            }
            self = .send(conversation, post)
        } else if let read = value["read"] {
            guard let conversation = read.conversation, let event = read.message("event") else { return nil }
            let receipt = read["receipt"]?.string.flatMap { ReadReceipt(rawValue: $0) }
            self = .read(conversation, event, receipt ?? .private)
        } else if let typing = value["typing"] {
            guard let conversation = typing.conversation else { return nil }
            self = .typing(conversation, isOn: typing["on"]?.isTrue == true)
        } else if let follow = value["follow"] {
            guard let conversation = follow.conversation else { return nil }
            self = .follow(conversation, isOn: follow["on"]?.isTrue == true)
        } else if value["renewed"]?.isTrue == true {
            self = .renewed
        } else if let media = value["media"] {
            guard let conversation = media.conversation, let event = media.message("event") else { return nil }
            self = .media(conversation, event)
        } else if let search = value["search"].flatMap({ RelaySearch(relayed: $0) }) {
            self = .search(search)
        } else if let join = value["join"] {
            guard let address = join["address"]?.string, !address.isEmpty else { return nil }
            self = .join(address: address)
        } else if let decline = value["decline"] {
            guard let room = decline["room"]?.string, !room.isEmpty else { return nil }
            self = .decline(room: room)
        } else if let leave = value["leave"] {
            guard let conversation = leave.conversation else { return nil }
            self = .leave(conversation)
        } else if let members = value["members"] {
            guard let conversation = members.conversation else { return nil }
            self = .members(conversation)
        } else if value["history"]?.isTrue == true {
            self = .history
        } else {
            return nil
        }
    }
}

/// A search that the server is to make.
package struct RelaySearch: Hashable, Sendable {
    package let words: String
    /// Nil for all rooms.
    package let conversation: ConversationID?
    package let limit: Int
    /// The token of the page before; nil for the first one.
    package let next: String?

    package init(_ words: String, in conversation: ConversationID? = nil, limit: Int, next: String? = nil) {
        (self.words, self.conversation, self.limit, self.next) = (words, conversation, limit, next)
    }

    /// The fields of a JSON object.
    var fields: String {
        let conversation = conversation.map { ",\"conversation\":\(JSONString.text($0.rawValue))" } ?? ""
        let next = next.map { ",\"next\":\(JSONString.text($0))" } ?? ""
        return "\"words\":\(JSONString.text(words))\(conversation),\"limit\":\(limit)\(next)"
    }

    /// Nil if the value is no search.
    init?(relayed value: JSONValue) {
        guard let words = value["words"]?.string, !words.isEmpty, let limit = value.count("limit"), limit > 0,
            value["conversation"] == nil || value.conversation != nil
        else { return nil }
        self.init(words, in: value.conversation, limit: limit, next: value["next"]?.string)
    }
}

/// Posts as the archive's records write them, but for the time: milliseconds since 1970.
extension Post {
    /// JSON.
    package var relayed: String {
        var text = ""
        func add(_ key: String, _ value: String?) {
            if let value { text += ",\"\(key)\":\(JSONString.text(value))" }
        }
        add("id", id.rawValue)
        text += ",\"at\":\(at.milliseconds)"
        add("from", sender.rawValue)
        let type: String
        switch content {
        case .message(let body, let replyTo, let thread):
            type = "message"
            add("text", body)
            add("replyTo", replyTo?.rawValue)
            add("thread", thread?.rawValue)
        case .edit(let target, let body):
            type = "edit"
            add("target", target.rawValue)
            add("text", body)
        case .deletion(let target):
            type = "delete"
            add("target", target.rawValue)
        case .reaction(let target, let emoji, let isRemoved):
            type = "reaction"
            add("target", target.rawValue)
            add("emoji", emoji)
            if isRemoved { text += ",\"removed\":true" }
        }
        add("seen", seen)
        if isAction { text += ",\"kind\":\"action\"" }
        return "{\"type\":\"\(type)\"\(text)}"
    }

    /// Nil if the value is no post.
    package init?(relayed value: JSONValue) {
        guard let id = value.message("id"), let at = value["at"]?.integer,
            let sender = value["from"]?.string, let content = Content(relayed: value)
        else { return nil }
        self.init(
            id: id, at: Timestamp(milliseconds: at), sender: PersonID(sender), content: content,
            isAction: value["kind"]?.string == "action", seen: value["seen"]?.string)
    }
}

extension Post.Content {
    fileprivate init?(relayed value: JSONValue) {
        switch value["type"]?.string {
        case "message":
            guard let text = value["text"]?.string else { return nil }
            self = .message(text: text, replyTo: value.message("replyTo"), thread: value.message("thread"))
        case "edit":
            guard let target = value.message("target"), let text = value["text"]?.string else { return nil }
            self = .edit(target, text: text)
        case "delete":
            guard let target = value.message("target") else { return nil }
            self = .deletion(target)
        case "reaction":
            guard let target = value.message("target"), let emoji = value["emoji"]?.string else { return nil }
            self = .reaction(target, emoji: emoji, isRemoved: value["removed"]?.isTrue == true)
        default: return nil
        }
    }
}

extension JSONValue {
    /// A number that counts something: not negative.
    func count(_ key: StaticString) -> Int? {
        self[key]?.integer.flatMap { $0 >= 0 ? Int(exactly: $0) : nil }
    }

    /// Nil for a text that is not the ID of a conversation, and could be a path.
    var conversation: ConversationID? {
        guard let id = self["conversation"]?.string, !id.isEmpty, !id.hasPrefix("."),
            !id.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 })
        else { return nil }
        return ConversationID(id)
    }

    func message(_ key: StaticString) -> MessageID? {
        self[key]?.string.flatMap { $0.isEmpty ? nil : MessageID($0) }
    }
}
