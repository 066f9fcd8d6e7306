import Formats
import Foundation
import JSON
import TestSupport
import Testing

@testable import Matrix

/// Formatted messages, from the text that was typed to the record of their echo.
struct FormattedMessageTests {
    private func content(_ json: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    }

    private func message(_ text: String, isAction: Bool = false, replyTo: String? = nil) -> String {
        OutgoingMessage(text: text, isAction: isAction).content(replyTo: replyTo, thread: nil)
    }

    /// The text of the record that the echo of a message becomes.
    private func echo(_ content: String) throws -> String? {
        let event = Array(Events.event("1", String(content.dropFirst().dropLast())).utf8)
        let (tree, events) = (JSONTree(), MatrixEvents { _, _ in nil })
        defer { withExtendedLifetime(tree) {} }
        var writer = RecordWriter()
        event.withUnsafeBytes { bytes in
            guard let value = tree.parse(bytes) else { return }
            _ = events.convert(MatrixEvent(value), into: &writer)
        }
        let record = try JSONSerialization.jsonObject(with: Data(writer.lines)) as? [String: Any]
        return record?["text"] as? String
    }

    @Test func `a text with marks is sent with its HTML, and one without is not`() throws {
        let formatted = try content(message("a **b**"))
        #expect(formatted["body"] as? String == "a **b**")
        #expect(formatted["format"] as? String == "org.matrix.custom.html")
        #expect(formatted["formatted_body"] as? String == "a <strong>b</strong>")
        let plain = try content(message("a * b"))
        #expect(plain["format"] == nil && plain["formatted_body"] == nil)
    }

    @Test func `an action is formatted as the screen shows it`() throws {
        let action = try content(message("> *a*", isAction: true))
        #expect(action["msgtype"] as? String == "m.emote")
        #expect(action["formatted_body"] as? String == "&gt; <em>a</em>")
    }

    @Test func `an edit is formatted twice, once with an asterisk for clients that know no edits`() throws {
        let edit = try content(OutgoingMessage(text: "_a_").content(editing: "$1"))
        #expect(edit["body"] as? String == "* _a_" && edit["formatted_body"] as? String == "* <em>a</em>")
        let new = try #require(edit["m.new_content"] as? [String: Any])
        #expect(new["format"] as? String == "org.matrix.custom.html")
        #expect(new["body"] as? String == "_a_" && new["formatted_body"] as? String == "<em>a</em>")
    }

    @Test func `the HTML is left out where an event would become too large for a server`() throws {
        func text(_ count: Int) -> String { "**a** " + String(repeating: "long text ", count: count) }
        func edit(_ count: Int) throws -> (outer: Any?, inner: Any?) {
            let edit = OutgoingMessage(text: text(count)).content(editing: "$1")
            #expect(edit.utf8.count < 45_000)
            let outer = try content(edit)
            return (outer["formatted_body"], (outer["m.new_content"] as? [String: Any])?["formatted_body"])
        }
        #expect(try content(message(text(2_100)))["formatted_body"] != nil)
        #expect(try content(message(text(2_400)))["formatted_body"] == nil)
        let (short, long, longest) = (try edit(1_000), try edit(1_400), try edit(2_100))
        #expect(short.outer != nil && short.inner != nil)
        #expect(long.outer == nil && long.inner != nil)
        #expect(longest.outer == nil && longest.inner == nil)
    }

    @Test func `an edit calls only the people whom the text did not call before`() throws {
        let text = OutgoingMessage(text: "@ana:e.org @ben:e.org")
        let edit = try content(text.content(editing: "$1", called: ["@ana:e.org", "@cy:e.org"]))
        #expect((edit["m.mentions"] as? [String: [String]])?["user_ids"] == ["@ben:e.org"])
        let new = try #require(edit["m.new_content"] as? [String: Any])
        #expect((new["m.mentions"] as? [String: [String]])?["user_ids"] == ["@ana:e.org", "@ben:e.org"])
    }

    @Test func `a person in a text is called, and shown by name`() throws {
        let mention = try content(message("hi @ana:e.org"))
        #expect((mention["m.mentions"] as? [String: [String]])?["user_ids"] == ["@ana:e.org"])
        let link = "<a href=\"https://matrix.to/#/@ana:e.org\">@ana:e.org</a>"
        #expect(mention["formatted_body"] as? String == "hi " + link)
    }

    @Test(arguments: [
        "_a_ *b* ***c***", "\\*a\\* **b**", "``a``", "> a\n>   b\n\nc", "```swift\nlet\n```", "*a*\t b  ", "```\na",
        "[a](https://e.org/x_(y))", "@ana:e.org: **a**", "*a*\r\nb", "> <@ana:e.org> a\n\nb", "**👨‍👩‍👧**", "- **a**\n  - b",
        " * a", "`\u{200B}``\na", "\u{E0001}```\na", "> <b>\na", "> > a\n> >\n> > b",
    ])
    func `a text comes back as it was typed`(text: String) throws {
        #expect(try echo(message(text)) == text)
        #expect(try echo(message(text, isAction: true)) == text)
        #expect(try echo(message(text, replyTo: "$1")) == text)
        #expect(try echo(message(text, isAction: true, replyTo: "$1")) == text)
        #expect(try echo(OutgoingMessage(text: text).content(editing: "$1")) == text)
    }

    /// Whether a text of the fragments below shows anything.
    private static func isVisible(_ text: String) -> Bool {
        !text.unicodeScalars.allSatisfy {
            $0.properties.isWhitespace || $0.value < 0x20 || $0.value == 0x200B || $0.value == 0xFE0F
                || $0.value == 0xE0001
        }
    }

    @Test func `any text comes back as it was typed`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let fragments = [
            "*", "**", "***", "_", "~~", "`", "``", "||", "\\", " ", "  ", "\t", "\n", "\r\n", "\n\n", "\n> ", "\n>> ",
            "\n- ", "\n```\n", "\n```c\n", "[", "](https://e.org/a) ", "https://e.org ", "<b>", "</em>", "&amp;", "\"",
            "@ana:e.org ", "a", "bc", "é", "漢", "❤️", "🇩🇪", "\u{1B}", "\u{A0}", "> <@ana:e.org> ", "<br>",
            "\n\u{E0001}```\n", "\u{200B}",
        ]
        for _ in 0..<1_000 {
            let length = Int.random(in: 1...30, using: &random)
            let text = (0..<length).map { _ in fragments.randomElement(using: &random) ?? "" }.joined()
            let isAction = Bool.random(using: &random)
            let replyTo = Bool.random(using: &random) ? "$1" : nil
            let message = message(text, isAction: isAction, replyTo: replyTo)
            guard Self.isVisible(text) else {
                // Of a text that shows nothing, the record says so.
                #expect(try echo(message) == "(empty message)", "seed \(seed): \(text.debugDescription)")
                continue
            }
            #expect(try echo(message) == text, "seed \(seed): \(text.debugDescription)")
            let edit = OutgoingMessage(text: text).content(editing: "$1")
            #expect(try echo(edit) == text, "seed \(seed): \(text.debugDescription)")
        }
    }
}
