import Display
import Messages
import Testing

@testable import Interface
@testable import InterfaceSupport

/// Each panel on a usual and on a small screen, whole: the expected screens are in fixtures/screens.
struct PanelScreenTests {
    /// A panel, and the keys that open it over a conversation.
    struct Panel: CustomTestStringConvertible, Sendable {
        let name: String
        let keys: [Key]
        /// A text that is typed into it.
        var text = ""
        var testDescription: String { name }

        init(_ name: String, _ keys: Key..., text: String = "") {
            (self.name, self.keys, self.text) = (name, keys, text)
        }
    }

    static let panels = [
        Panel("conversation"),
        Panel("help", .character("h")),
        Panel("commands", .character(":"), text: "mark"),
        Panel("find", .character("/"), text: "harbour"),
        Panel("search", .character("s"), text: "harbour"),
        Panel("switcher", .control("k")),
        Panel("date", .character("d"), text: "last monday"),
        Panel("thread", .character("t")),
        Panel("composer", .character("i"), text: "The tide turns at six"),
        Panel("reply", .character("r"), text: "Thanks"),
        Panel("deletion", .up, .character("x")),
        Panel("reaction", .character("+"), text: "wave"),
        Panel("reactions", .character("W")),
        Panel("versions", .character("k"), .character("E")),
        Panel("members", .character("w")),
        Panel("mentions", .character("@")),
        Panel("threads", .character("#")),
        Panel("bookmarks", .character("m"), .character("a"), .character("M")),
        Panel("picture", .character("p")),
    ]

    private static func stage(_ size: Size, hasThread: Bool) -> Stage {
        var script = Script("2025-03-09T23:40:00Z")
        script.add("Is the harbour map ready?", from: "Ben")
        script.add("Not yet: the tides are missing, see https://example.org/tides", from: "Cy")
        script.add("Ana, can you draw them?", from: "Ben", after: 900)
        script.add("Tomorrow morning, with the new ferry at the north pier", from: "Ana", id: "own") {
            $0.isEdited = true
        }
        script.add("Here is the harbour: https://example.org/harbour", from: "Ben", id: "here") { message in
            message.attachments = [Attachment(name: "harbour.png", path: "harbour.png", size: 123_456)]
            message.reactions = [
                Reaction(emoji: "👍", people: [person("Ana"), person("Cy")]),
                Reaction(emoji: "🎉", people: [person("Cy")]),
            ]
        }
        var replies = Script("2025-03-10T08:00:00Z")
        replies.add("The pier is on the other side", from: "Cy", id: "reply-1")
        replies.add("Right, I shall turn it", from: "Ana", id: "reply-2")
        let thread = replies.messages.map { message in
            Message(
                id: message.id, at: message.at, sender: message.sender, text: message.text, thread: MessageID("here"),
                cursor: message.cursor)
        }
        var other = Script("2025-03-10T07:00:00Z")
        other.add("The ferry is late", from: "Dee", id: "late")
        let ferry = Conversation(id: ConversationID("ferry"), title: "Ferry", topic: "When it sails")
        var stage = Stage.open(
            script.messages + (hasThread ? thread : []), at: "here", columns: size.columns, rows: size.rows,
            beside: [(ferry, other.messages)],
            me: PersonID("ana"))
        stage.change { store in
            store.versions[MessageID("own")] = [
                MessageVersion(at: script.messages[3].at, text: "Tomorrow morning", isFirst: true),
                MessageVersion(at: script.messages[4].at, text: script.messages[3].text, isFirst: false),
            ]
            func place(_ message: Message, isUnread: Bool, replies: Int? = nil) -> OwnPlace {
                OwnPlace(
                    id: Link(conversation: Stage.general.id, message: message.id), at: message.at,
                    sender: message.sender, text: message.text, isUnread: isUnread, replies: replies)
            }
            store.own = [
                .mentions: [place(script.messages[2], isUnread: true)],
                .threads: [place(script.messages[4], isUnread: false, replies: 2)],
            ]
        }
        return stage
    }

    @Test(arguments: panels)
    func `A panel shows what it showed before`(panel: Panel) throws {
        let screens = [Size(columns: 100, rows: 30), Size(columns: 40, rows: 10)].map { size in
            var stage = Self.stage(size, hasThread: panel.name.hasPrefix("thread"))
            for key in panel.keys {
                stage.press(key)
                stage.settle()
            }
            stage.typeAndWait(panel.text)
            return stage.screen
        }
        try expect(screens, inFile: panel.name)
    }

    @Test func `The screens of an update replace the literal of their test alone`() throws {
        let source = #"""
            expect(
                stage.screen,
                """
                old

                rows
                """)
            expect(other, """
                kept
                """)
            """#
        let new = try #require(ExpectedScreens.replaced(in: source, from: 0, with: [" a \\ b", "", "c", "d"]))
        #expect(new.gain == 1)
        #expect(
            new.text == #"""
                expect(
                    stage.screen,
                    """
                     a \\ b

                    c
                    d
                    """)
                expect(other, """
                    kept
                    """)
                """#)
        #expect(ExpectedScreens.replaced(in: "expect(a, b)", from: 0, with: []) == nil)
    }
}
