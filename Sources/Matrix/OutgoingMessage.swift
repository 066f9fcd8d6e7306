internal import Formats

/// The content of a message that is sent, as JSON.
package struct OutgoingMessage: Hashable, Sendable {
    private let text: String
    private let isAction: Bool
    private let html: String?
    private let mentions: [String]
    private let callsRoom: Bool

    /// The most bytes of a content with HTML: a server takes 65,536 for the whole event, and encryption makes it a third longer.
    private static let mostBytes = 45_000

    /// - Parameters:
    ///   - isAction: whether the text says what the sender does.
    ///   - author: the person whose message it replies to.
    ///   - mayCallRoom: whether the sender may call everybody in the room.
    package init(text: String, isAction: Bool = false, author: String? = nil, mayCallRoom: Bool = true) {
        let formatted = FormattedBody(text, isAction: isAction)
        (self.text, self.isAction, html) = (formatted.plain, isAction, formatted.html)
        callsRoom = formatted.callsRoom && mayCallRoom
        mentions = (author.map { [$0] } ?? []) + formatted.mentions.filter { $0 != author }
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
        let end = relation.map { ",\"m.relates_to\":{\($0)}}" } ?? "}"
        return OutgoingMessage.fitting([html, nil]) { html in "{\(fields("", html, mentions, callsRoom))\(end)" }
    }

    /// A new text of an event. Clients that know no edits show it with an asterisk, and do without the HTML of a long one.
    /// - Parameter called: the people whom the text before called: they are not called again.
    package func content(editing target: String, called: [String] = []) -> String {
        let new = mentions.filter { !called.contains($0) }
        let isNew = callsRoom && !called.contains("@room")
        return OutgoingMessage.fitting([(html, html), (nil, html), (nil, nil)]) { before, html in
            "{\(fields("* ", before, new, isNew)),\"m.new_content\":{\(fields("", html, mentions, callsRoom))},"
                + "\"m.relates_to\":{\"rel_type\":\"m.replace\",\"event_id\":\(JSONString.text(target))}}"
        }
    }

    /// A reaction to an event.
    /// - Parameter key: of a picture, whose short name is the emoji (proposal MSC4027); nil for any other reaction.
    package static func reaction(to target: String, emoji: String, key: String? = nil) -> String {
        let name = JSONString.text(emoji)
        let names = key == nil ? "" : ",\"shortcode\":\(name),\"com.beeper.reaction.shortcode\":\(name)"
        return "{\"m.relates_to\":{\"rel_type\":\"m.annotation\",\"event_id\":\(JSONString.text(target)),"
            + "\"key\":\(JSONString.text(key ?? emoji))}\(names)}"
    }

    private static func reply(to event: String) -> String {
        "\"m.in_reply_to\":{\"event_id\":\(JSONString.text(event))}"
    }

    /// The content with the first of several kinds of HTML that a server takes for its size; with the last one in any case.
    private static func fitting<HTML>(_ kinds: [HTML], _ content: (HTML) -> String) -> String {
        var text = ""
        for html in kinds {
            text = content(html)
            if text.utf8.count <= mostBytes { break }
        }
        return text
    }

    private func fields(_ mark: String, _ html: String?, _ mentions: [String], _ callsRoom: Bool) -> String {
        let people = mentions.map(JSONString.text).joined(separator: ",")
        let called = [mentions.isEmpty ? "" : "\"user_ids\":[\(people)]", callsRoom ? "\"room\":true" : ""]
        let formatted = html.map {
            "\"format\":\"\(FormattedBody.format)\",\"formatted_body\":\(JSONString.text(mark + $0)),"
        }
        return "\"msgtype\":\"\(isAction ? "m.emote" : "m.text")\",\"body\":\(JSONString.text(mark + text)),"
            + (formatted ?? "")
            // Without the field, the words of the text would call people.
            + "\"m.mentions\":{\(called.filter { !$0.isEmpty }.joined(separator: ","))}"
    }
}
