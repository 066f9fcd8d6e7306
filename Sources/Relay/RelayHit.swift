internal import Formats
package import Messages

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
