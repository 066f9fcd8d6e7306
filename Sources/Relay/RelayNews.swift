package import JSON
package import Messages

/// A line of the helper to Kedge: the response to a request, or a notice without a request. Events of rooms are never
/// among them: they are in the files.
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
    /// The number of bytes of the file fetched so far, for the request with this ID.
    case progress(Int, received: Int64)
    /// The state of the connection to the server.
    case reach(StoreReach)
    /// The user has read up to this event, here or in another client.
    case read(ConversationID, MessageID)
    /// The other people who are typing now.
    case typing(ConversationID, people: [PersonID])
    /// All known read positions of other people, the latest first.
    case receipts(ConversationID, [Receipt])
    /// The rooms, spaces or invitations in the files have changed, or their titles.
    case rooms
}

extension RelayNews {
    /// The line with its line feed.
    package var line: [UInt8] {
        let fields: JSONText =
            switch self {
            case .response(let number, let response): JSONText(fields: [("n", JSONText(number))] + response.fields)
            case .rooms: ["rooms": "changed"]
            case .progress(let number, let received): ["n": JSONText(number), "received": JSONText(received)]
            case .reach(.online): ["state": "online"]
            case .reach(.offline(let reason)):
                ["state": "offline", "reason": reason.isEmpty ? nil : JSONText(reason)]
            case .read(let conversation, let event):
                ["read": ["conversation": JSONText(conversation.rawValue), "event": JSONText(event.rawValue)]]
            case .typing(let conversation, let people):
                [
                    "typing": [
                        "conversation": JSONText(conversation.rawValue), "people": JSONText(people.map(\.rawValue)),
                    ]
                ]
            case .receipts(let conversation, let receipts):
                [
                    "receipts": [
                        "conversation": JSONText(conversation.rawValue), "all": JSONText(receipts.map(\.relayed)),
                    ]
                ]
            }
        return fields.line
    }

    /// The most typing people to report: the screen names a few of them.
    package static let mostTyping = 32
    /// In bytes; the IDs of Matrix have at most 255.
    private static let longestID = 1_000

    /// Nil if the line is not from a helper, or of a kind that a later version has added.
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
            self = .reach(state == "online" ? .online : .offline(reason: value["reason"]?.string ?? ""))
        } else if let read = value["read"], let conversation = read.conversation, let event = read.message("event") {
            self = .read(conversation, event)
        } else if let typing = value["typing"], let conversation = typing.conversation {
            let people = (typing["people"]?.elements.compactMap(\.string) ?? [])
                .filter { $0.utf8.count <= RelayNews.longestID }
            self = .typing(conversation, people: people.prefix(RelayNews.mostTyping).map { PersonID($0) })
        } else if let told = value["receipts"], let conversation = told.conversation {
            self = .receipts(conversation, told["all"]?.elements.compactMap { Receipt(relayed: $0) } ?? [])
        } else if value["rooms"]?.isString == true {
            self = .rooms
        } else {
            return nil
        }
    }
}

extension RelayResponse {
    fileprivate var fields: [(String, JSONText?)] {
        switch self {
        case .version(let version): [("version", JSONText(version))]
        case .failed(let reason, let retry): [("error", JSONText(reason)), ("retry", retry.map { JSONText($0) })]
        case .done(let segment): [("ok", ["segment": JSONText(ifAny: segment)])]
        case .fetched(let file): [("ok", ["file": JSONText(file)])]
        case .found(let hits, let next):
            [("ok", ["hits": JSONText(hits.map(\.relayed)), "next": JSONText(ifAny: next)])]
        case .members(let people): [("ok", ["members": JSONText(people.map(\.relayed))])]
        case .joined(let conversation): [("ok", ["conversation": JSONText(conversation.rawValue)])]
        }
    }

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
    package var relayed: JSONText { [JSONText(id.rawValue), JSONText(name)] }

    /// Nil if the value is not a person.
    fileprivate init?(relayed value: JSONValue) {
        let texts = value.elements.map { $0.string }
        guard texts.count == 2, let id = texts[0], let name = texts[1], !id.isEmpty else { return nil }
        self.init(id: PersonID(id), name: name)
    }
}

/// The reason why a request is not performed, or why there is no helper.
package struct RelayError: Error, Hashable, Sendable {
    /// One line for people; untrusted, like everything from a server.
    package let reason: String
    /// The time until another try may succeed, in milliseconds; nil if none will.
    package let retry: Int?

    package init(_ reason: String, retry: Int? = nil) { (self.reason, self.retry) = (reason, retry) }
}

/// The response to a request, as it is sent. `RelayReply` says which one a request has.
package enum RelayResponse: Hashable, Sendable {
    /// To `hello`: the version of the helper's protocol.
    case version(Int)
    /// Success.
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
    /// Failure, without any effect.
    /// - Parameters:
    ///   - reason: one line for people; untrusted, like everything from a server.
    ///   - retry: the time until another try may succeed, in milliseconds; nil if none will.
    case failed(reason: String, retry: Int?)
}

/// A value in the response to a request.
package protocol RelayValue: Hashable, Sendable {
    /// Nil if the response is that of another request.
    init?(_ response: RelayResponse)
    var response: RelayResponse { get }
}

extension RelayResponse {
    /// Nil if it is the response to another request.
    package func result<Value: RelayValue>() -> Result<Value, RelayError>? {
        if case .failed(let reason, let retry) = self { return .failure(RelayError(reason, retry: retry)) }
        return Value(self).map { .success($0) }
    }
}

/// Success.
package struct RelayDone: RelayValue {
    /// The name of the file that holds the event of an `around`.
    package let segment: String?

    package init(segment: String? = nil) { self.segment = segment }

    package init?(_ response: RelayResponse) {
        if case .done(let segment) = response { self.init(segment: segment) } else { return nil }
    }

    package var response: RelayResponse { .done(segment: segment) }
}

/// A page of messages that a search has found.
package struct RelayPage: RelayValue {
    /// The newest first.
    package let hits: [RelayHit]
    /// The token for the next page; nil if there is none.
    package let next: String?

    package init(_ hits: [RelayHit], next: String?) { (self.hits, self.next) = (hits, next) }

    package init?(_ response: RelayResponse) {
        if case .found(let hits, let next) = response { self.init(hits, next: next) } else { return nil }
    }

    package var response: RelayResponse { .found(hits, next: next) }
}

/// The path of a file in the archive.
extension String: RelayValue {
    package init?(_ response: RelayResponse) {
        if case .fetched(let file) = response { self = file } else { return nil }
    }

    package var response: RelayResponse { .fetched(file: self) }
}

/// The members of a room.
extension [Person]: RelayValue {
    package init?(_ response: RelayResponse) {
        if case .members(let people) = response { self = people } else { return nil }
    }

    package var response: RelayResponse { .members(self) }
}

/// The conversation of a room that was joined; nil for a space.
extension ConversationID?: RelayValue {
    package init?(_ response: RelayResponse) {
        switch response {
        case .joined(let conversation): self = conversation
        case .done: self = nil
        default: return nil
        }
    }

    package var response: RelayResponse { map { .joined($0) } ?? .done(segment: nil) }
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

    var relayed: JSONText {
        [
            "conversation": JSONText(conversation.rawValue), "event": JSONText(message.rawValue),
            "at": JSONText(at.milliseconds), "from": JSONText(sender.rawValue), "text": JSONText(text),
        ]
    }

    /// Nil if the value is not a hit.
    init?(relayed value: JSONValue) {
        guard let conversation = value.conversation, let message = value.message("event"),
            let at = value["at"]?.integer, let sender = value["from"]?.string, let text = value["text"]?.string
        else { return nil }
        self.init(
            conversation: conversation, message: message, at: Timestamp(milliseconds: at), sender: PersonID(sender),
            text: text)
    }
}
