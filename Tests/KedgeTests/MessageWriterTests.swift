import Interface
import Messages
import Testing

@testable import kedge

/// Messages as text and as Markdown, for files and the clipboard.
struct MessageWriterTests {
    private static let ana = Person(id: PersonID("ana"), name: "Ana")

    private static func message(_ text: String, kind: Message.Kind = .text, quote: String? = nil) -> Message {
        Message(
            id: MessageID("m-1"), at: Timestamp(milliseconds: 0), sender: ana, kind: kind, text: text,
            quote: quote.map { Quote(id: MessageID("m-0"), content: .message(sender: ana, text: $0)) },
            cursor: Cursor(token: "0"))
    }

    private static func written(_ message: Message, _ format: MessageFormat) -> String {
        MessageWriter(format, zone: .utc).text(of: [message], in: ConversationID("general"))
    }

    @Test(arguments: [MessageFormat.text, .markdown])
    func `Code keeps the tabs that indent it, and controls become pictures`(format: MessageFormat) {
        #expect(Self.written(Self.message("```\n\tif a:\u{1B}\n\t\tb"), format).contains("\tif a:␛\n"))
        #expect(Self.written(Self.message("```\n\tif a:\n\t\tb"), format).contains("\t\tb\n"))
    }

    @Test func `Markdown quotes the first line, with the name once`() {
        let text = Self.written(Self.message("yes", quote: "```python\ndef a():\n```"), .markdown)
        #expect(text.contains("> Ana: ```python …\n") && !text.contains("def") && text.contains("\nyes\n"))
        #expect(Self.written(Self.message("yes", quote: "one line"), .markdown).contains("> Ana: one line\n"))
    }

    @Test func `An action is told from words`() {
        #expect(Self.written(Self.message("waves", kind: .action), .markdown).hasPrefix("\\* **Ana** _1970-01-01"))
        #expect(Self.written(Self.message("waves", kind: .action), .text).contains("* Ana waves\n"))
        #expect(Self.written(Self.message("waves"), .markdown).hasPrefix("**Ana** _"))
    }
}
