package import Formats
package import Messages

/// A line of the helper to Kedge: the response to a request, or a notice that nobody asked for. Events of rooms are never
/// among them: they stand in the files.
///
///     {"n":1,"version":3}
///     {"n":2,"ok":{}}
///     {"n":3,"ok":{"segment":"messages-500000000000000000.jsonl"}}
///     {"n":3,"ok":{"file":"files/e.org/AbC.png"}}
///     {"n":3,"received":65536}
///     {"n":3,"ok":{"conversation":"harbour"}}
///     {"n":3,"ok":{"members":[["@ana:e.org","Ana"],["@ben:e.org","Ben Ong"]]}}
///     {"n":4,"error":"the server cannot be reached","retry":5000}
///     {"state":"offline","reason":"no route to host"}
///     {"read":{"conversation":"harbour","event":"$a"}}
///     {"typing":{"conversation":"harbour","people":["@ana:e.org"]}}
///     {"receipts":{"conversation":"harbour","all":[{"person":"@ana:e.org","event":"$a","thread":"main","at":1764000000000}]}}
///     {"rooms":"changed"}
package enum RelayNews: Hashable, Sendable {
    case response(Int, RelayResponse)
    /// How many bytes of the file have come that the request with this number asks for.
    case progress(Int, received: Int64)
    /// Whether the server can be reached. `reason` is one line for people; empty when online.
    case state(isOnline: Bool, reason: String)
    /// The user has read up to this event, here or in another client.
    case read(ConversationID, MessageID)
    /// The other people who are typing now.
    case typing(ConversationID, people: [PersonID])
    /// How far other people have read, those who came last first: all that is known.
    case receipts(ConversationID, [RelayReceipt])
    /// The files list other rooms, spaces or invitations than before, or other titles of theirs.
    case rooms
}

extension RelayNews {
    /// With its line feed.
    package var line: [UInt8] {
        let text =
            switch self {
            case .response(let number, .version(let version)): "\"n\":\(number),\"version\":\(version)"
            case .response(let number, .done(let segment)):
                "\"n\":\(number),\"ok\":{\(segment.map { "\"segment\":\(JSONString.text($0))" } ?? "")}"
            case .response(let number, .fetched(let file)): "\"n\":\(number),\"ok\":{\"file\":\(JSONString.text(file))}"
            case .response(let number, .found(let hits, let next)):
                "\"n\":\(number),\"ok\":{\"hits\":[\(hits.map(\.relayed).joined(separator: ","))]"
                    + (next.map { ",\"next\":\(JSONString.text($0))" } ?? "") + "}"
            case .response(let number, .members(let people)):
                "\"n\":\(number),\"ok\":{\"members\":[\(people.map(\.relayed).joined(separator: ","))]}"
            case .response(let number, .failed(let reason, let retry)):
                "\"n\":\(number),\"error\":\(JSONString.text(reason))" + (retry.map { ",\"retry\":\($0)" } ?? "")
            case .response(let number, .joined(let conversation)):
                "\"n\":\(number),\"ok\":{\"conversation\":\(JSONString.text(conversation.rawValue))}"
            case .rooms: "\"rooms\":\"changed\""
            case .progress(let number, let received): "\"n\":\(number),\"received\":\(received)"
            case .state(let isOnline, let reason):
                "\"state\":\"\(isOnline ? "online" : "offline")\""
                    + (reason.isEmpty ? "" : ",\"reason\":\(JSONString.text(reason))")
            case .read(let conversation, let event):
                "\"read\":{\"conversation\":\(JSONString.text(conversation.rawValue)),"
                    + "\"event\":\(JSONString.text(event.rawValue))}"
            case .typing(let conversation, let people):
                "\"typing\":{\"conversation\":\(JSONString.text(conversation.rawValue)),"
                    + "\"people\":[\(people.map { JSONString.text($0.rawValue) }.joined(separator: ","))]}"
            case .receipts(let conversation, let receipts):
                "\"receipts\":{\"conversation\":\(JSONString.text(conversation.rawValue)),"
                    + "\"all\":[\(receipts.map(\.relayed).joined(separator: ","))]}"
            }
        return Array("{\(text)}\n".utf8)
    }

    /// How many people who are typing are taken: the screen names a few of them.
    package static let mostTyping = 32
    /// In bytes; the IDs of Matrix have 255 at most.
    private static let longestID = 1_000

    /// Nil if the line is none of a helper's, or one that a later version has added.
    package init?(line: Bytes) {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        guard let value = tree.parse(line) else { return nil }
        if let number = value.count("n") {
            if let received = value.count("received") {
                self = .progress(number, received: Int64(received))
                return
            }
            guard let response = RelayResponse(value) else { return nil }
            self = .response(number, response)
        } else if let state = value["state"]?.string {
            guard state == "online" || state == "offline" else { return nil }
            self = .state(isOnline: state == "online", reason: value["reason"]?.string ?? "")
        } else if let read = value["read"], let conversation = read.conversation, let event = read.message("event") {
            self = .read(conversation, event)
        } else if let typing = value["typing"], let conversation = typing.conversation {
            let people = (typing["people"]?.elements.compactMap(\.string) ?? [])
                .filter { $0.utf8.count <= RelayNews.longestID }
            self = .typing(conversation, people: people.prefix(RelayNews.mostTyping).map { PersonID($0) })
        } else if let told = value["receipts"], let conversation = told.conversation {
            self = .receipts(conversation, told["all"]?.elements.compactMap { RelayReceipt(relayed: $0) } ?? [])
        } else if value["rooms"]?.isString == true {
            self = .rooms
        } else {
            return nil
        }
    }
}

extension RelayResponse {
    fileprivate init?(_ value: JSONValue) {
        if let version = value.count("version") {
            self = .version(version)
        } else if let done = value["ok"], done.isObject {
            if let file = done["file"]?.string {
                self = .fetched(file: file)
            } else if let conversation = done.conversation {
                self = .joined(conversation)
            } else if let people = done["members"] {
                self = .members(people.elements.compactMap { Person(relayed: $0) })
            } else if let hits = done["hits"] {
                self = .found(hits.elements.compactMap { RelayHit(relayed: $0) }, next: done["next"]?.string)
            } else {
                self = .done(segment: done["segment"]?.string)
            }
        } else if let reason = value["error"]?.string {
            self = .failed(reason: reason, retry: value.count("retry"))
        } else {
            return nil
        }
    }
}

extension Person {
    /// JSON.
    package var relayed: String { "[\(JSONString.text(id.rawValue)),\(JSONString.text(name))]" }

    /// Nil if the value is no person.
    fileprivate init?(relayed value: JSONValue) {
        let texts = value.elements.map { $0.string }
        guard texts.count == 2, let id = texts[0], let name = texts[1], !id.isEmpty else { return nil }
        self.init(id: PersonID(id), name: name)
    }
}

/// The response to a request.
package enum RelayResponse: Hashable, Sendable {
    /// To `hello`: the version of the helper's protocol.
    case version(Int)
    /// It is done.
    /// - Parameter segment: to `around`: the name of the file that holds the event.
    case done(segment: String?)
    /// To `media`: the path of the file in the archive.
    case fetched(file: String)
    /// To `search`: a page of messages, the newest first, and the token for the next page; nil if there is none.
    case found([RelayHit], next: String?)
    /// To `join`: the conversation of the room.
    case joined(ConversationID)
    /// To `members`: people, by their IDs.
    case members([Person])
    /// It is not done, and has changed nothing.
    /// - Parameters:
    ///   - reason: one line for people, as hostile as all that comes from a server.
    ///   - retry: when another try may succeed, in milliseconds; nil if none will.
    case failed(reason: String, retry: Int?)
}

/// A message that the server's search has found. It may be missing in the archive: `around` fetches it.
package struct RelayHit: Hashable, Sendable {
    package let conversation: ConversationID
    package let message: MessageID
    package let at: Timestamp
    package let sender: PersonID
    package let text: String

    package init(conversation: ConversationID, message: MessageID, at: Timestamp, sender: PersonID, text: String) {
        (self.conversation, self.message, self.at) = (conversation, message, at)
        (self.sender, self.text) = (sender, text)
    }

    /// JSON.
    var relayed: String {
        "{\"conversation\":\(JSONString.text(conversation.rawValue)),\"event\":\(JSONString.text(message.rawValue)),"
            + "\"at\":\(at.milliseconds),\"from\":\(JSONString.text(sender.rawValue)),\"text\":\(JSONString.text(text))}"
    }

    /// Nil if the value is no hit.
    init?(relayed value: JSONValue) {
        guard let conversation = value.conversation, let message = value.message("event"),
            let at = value["at"]?.integer, let sender = value["from"]?.string, let text = value["text"]?.string
        else { return nil }
        self.init(
            conversation: conversation, message: message, at: Timestamp(milliseconds: at), sender: PersonID(sender),
            text: text)
    }
}

/// How far a person has read.
package struct RelayReceipt: Hashable, Sendable {
    package let person: PersonID
    package let message: MessageID
    package let at: Timestamp
    /// `main`, the root of a thread, or nil for everything.
    package let thread: String?

    package init(person: PersonID, message: MessageID, at: Timestamp, thread: String?) {
        (self.person, self.message, self.at, self.thread) = (person, message, at, thread)
    }

    var relayed: String {
        let thread = thread.map { ",\"thread\":\(JSONString.text($0))" } ?? ""
        return "{\"person\":\(JSONString.text(person.rawValue)),\"event\":\(JSONString.text(message.rawValue))"
            + "\(thread),\"at\":\(at.milliseconds)}"
    }

    /// Nil if the value is none.
    init?(relayed value: JSONValue) {
        guard let person = value["person"]?.string, let message = value.message("event") else { return nil }
        self.init(
            person: PersonID(person), message: message, at: Timestamp(milliseconds: value["at"]?.integer ?? 0),
            thread: value["thread"]?.string)
    }
}
