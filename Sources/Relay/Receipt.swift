package import JSON
package import Messages

/// A read receipt of a server: a person has read a conversation up to a message.
package struct Receipt: Hashable, Sendable {
    package let person: PersonID
    /// The event that the receipt names. People may not see that event.
    package let message: MessageID
    package let scope: Reader.Scope
    /// The time that the person's server gives.
    package let at: Timestamp

    package init(person: PersonID, message: MessageID, scope: Reader.Scope = .all, at: Timestamp) {
        (self.person, self.message, self.scope, self.at) = (person, message, scope, at)
    }

    /// The same receipt at another message.
    package func moved(to message: MessageID) -> Receipt {
        Receipt(person: person, message: message, scope: scope, at: at)
    }
}

extension Reader.Scope {
    /// - Parameter thread: as servers name it: `main`, the root of a thread, or nil for everything.
    package init(thread: String?) {
        switch thread {
        case nil: self = .all
        case "main": self = .mainTimeline
        case let root?: self = .thread(MessageID(root))
        }
    }

    /// The name of the scope for servers; nil for everything.
    fileprivate var thread: String? {
        switch self {
        case .all: nil
        case .mainTimeline: "main"
        case .thread(let root): root.rawValue
        }
    }
}

extension Receipt {
    /// The receipt in the protocol of the relay.
    package var relayed: JSONText {
        [
            "person": JSONText(person.rawValue), "event": JSONText(message.rawValue),
            "thread": JSONText(ifAny: scope.thread), "at": JSONText(at.milliseconds),
        ]
    }

    /// Nil if the value is not a receipt.
    package init?(relayed value: JSONValue) {
        guard let person = value["person"]?.string, let message = value.message("event") else { return nil }
        self.init(
            person: PersonID(person), message: message, scope: Reader.Scope(thread: value["thread"]?.string),
            at: Timestamp(milliseconds: value["at"]?.integer ?? 0))
    }
}

extension JSONValue {
    /// A count: not negative.
    func count(_ key: StaticString) -> Int? {
        self[key]?.integer.flatMap { $0 >= 0 ? Int(exactly: $0) : nil }
    }

    /// The ID of a conversation; nil for a text that is none, and could be a path.
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
