internal import Formats

/// The content of a message that is sent, as JSON.
package struct OutgoingMessage: Hashable, Sendable {
    private let text: String
    private let isAction: Bool
    private let mentions: [String]

    /// - Parameters:
    ///   - isAction: whether the text says what the sender does.
    ///   - author: the person whose message it replies to.
    package init(text: String, isAction: Bool = false, author: String? = nil) {
        (self.text, self.isAction) = (text, isAction)
        var mentions = author.map { [$0] } ?? []
        for word in text.split(whereSeparator: \.isWhitespace) where word.hasPrefix("@") {
            let id = String(word.prefix { !",;!?)".contains($0) })
            if UserID.isValid(id), !mentions.contains(id) { mentions.append(id) }
        }
        self.mentions = mentions
    }

    /// A new message.
    /// - Parameters:
    ///   - replyTo: the event that it replies to.
    ///   - thread: the root of its thread. Clients that know no threads show such a message as a reply, to the root if it is
    ///     none to another message.
    package func content(replyTo: String?, thread: String?) -> String {
        var relation: String?
        if let thread {
            relation =
                "\"rel_type\":\"m.thread\",\"event_id\":\(JSONString.text(thread)),"
                + "\"is_falling_back\":\(replyTo == nil),\(OutgoingMessage.reply(to: replyTo ?? thread))"
        } else if let replyTo {
            relation = OutgoingMessage.reply(to: replyTo)
        }
        return "{\(fields(""))" + (relation.map { ",\"m.relates_to\":{\($0)}}" } ?? "}")
    }

    /// A new text of an event. Clients that know no edits show it with an asterisk.
    package func content(editing target: String) -> String {
        "{\(fields("* ")),\"m.new_content\":{\(fields(""))},"
            + "\"m.relates_to\":{\"rel_type\":\"m.replace\",\"event_id\":\(JSONString.text(target))}}"
    }

    /// A reaction to an event.
    package static func reaction(to target: String, emoji: String) -> String {
        "{\"m.relates_to\":{\"rel_type\":\"m.annotation\",\"event_id\":\(JSONString.text(target)),"
            + "\"key\":\(JSONString.text(emoji))}}"
    }

    private static func reply(to event: String) -> String {
        "\"m.in_reply_to\":{\"event_id\":\(JSONString.text(event))}"
    }

    private func fields(_ mark: String) -> String {
        let people = mentions.map(JSONString.text).joined(separator: ",")
        return "\"msgtype\":\"\(isAction ? "m.emote" : "m.text")\",\"body\":\(JSONString.text(mark + text)),"
            // Without the field, the words of the text would call people.
            + "\"m.mentions\":{\(mentions.isEmpty ? "" : "\"user_ids\":[\(people)]")}"
    }
}
