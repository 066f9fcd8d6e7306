internal import Formats
internal import JSON

/// The content of a message that is sent, as JSON.
package struct OutgoingMessage: Hashable, Sendable {
    private let text: String
    private let isAction: Bool
    private let html: String?
    private let mentions: [String]
    private let callsRoom: Bool

    /// The most bytes of a content with HTML: a server accepts 65,536 for an event, and encryption makes it a third longer.
    private static let mostBytes = 45_000

    /// - Parameters:
    ///   - isAction: true if the text says what the sender does.
    ///   - author: the person whose message it replies to.
    ///   - mayCallRoom: true if the sender may call everybody in the room.
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
        let reply = (replyTo ?? thread).map { ["event_id": JSONText($0)] as JSONText }
        let relation: JSONText? =
            if let thread {
                [
                    "rel_type": "m.thread", "event_id": JSONText(thread), "is_falling_back": JSONText(replyTo == nil),
                    "m.in_reply_to": reply,
                ]
            } else {
                reply.map { ["m.in_reply_to": $0] }
            }
        return OutgoingMessage.fitting([html, nil]) { html in
            JSONText(fields: fields("", html, mentions, callsRoom) + [("m.relates_to", relation)])
        }
    }

    /// A new text of an event. Clients without edits show it with an asterisk. The HTML of a long text is left out.
    /// - Parameter called: the people whom the previous text called: they are not called again.
    package func content(editing target: String, called: [String] = []) -> String {
        let new = mentions.filter { !called.contains($0) }
        let isNew = callsRoom && !called.contains("@room")
        return OutgoingMessage.fitting([(html, html), (nil, html), (nil, nil)]) { before, html in
            JSONText(
                fields: fields("* ", before, new, isNew) + [
                    ("m.new_content", JSONText(fields: fields("", html, mentions, callsRoom))),
                    ("m.relates_to", ["rel_type": "m.replace", "event_id": JSONText(target)]),
                ])
        }
    }

    /// A reaction to an event.
    /// - Parameter key: the key of a picture, whose short name is the emoji (proposal MSC4027); nil for any other reaction.
    package static func reaction(to target: String, emoji: String, key: String? = nil) -> String {
        let name = key.map { _ in JSONText(emoji) }
        let content: JSONText = [
            "m.relates_to": [
                "rel_type": "m.annotation", "event_id": JSONText(target), "key": JSONText(key ?? emoji),
            ],
            "shortcode": name, "com.beeper.reaction.shortcode": name,
        ]
        return content.text
    }

    /// The content with the first kind of HTML that is short enough for a server; with the last kind if none is.
    private static func fitting<HTML>(_ kinds: [HTML], _ content: (HTML) -> JSONText) -> String {
        var text = ""
        for html in kinds {
            text = content(html).text
            if text.utf8.count <= mostBytes { break }
        }
        return text
    }

    private func fields(
        _ mark: String, _ html: String?, _ mentions: [String], _ callsRoom: Bool
    ) -> [(String, JSONText?)] {
        let called: JSONText = [
            "user_ids": mentions.isEmpty ? nil : JSONText(mentions), "room": callsRoom ? true : nil,
        ]
        return [
            ("msgtype", isAction ? "m.emote" : "m.text"), ("body", JSONText(mark + text)),
            ("format", html.map { _ in JSONText("\(FormattedBody.format)") }),
            ("formatted_body", html.map { JSONText(mark + $0) }),
            // Without the field, the words of the text would call people.
            ("m.mentions", called),
        ]
    }
}
