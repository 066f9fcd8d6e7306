package import Formats
internal import Messages

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
