internal import Formats
package import Messages

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
