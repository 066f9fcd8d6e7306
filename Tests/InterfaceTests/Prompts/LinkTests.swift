import Display
import Messages
import Testing

@testable import Interface

/// o, and what the mouse does with links and quotes.
struct LinkTests {
    private static func talk(_ texts: String..., columns: Int = 80) -> Stage {
        var script = Script("2025-03-01T09:12:00Z")
        for text in texts { script.add(text, from: "Ana", after: 600) }
        return Stage.open(script.messages, at: nil, columns: columns, rows: 14)
    }

    private static let several = "first https://a.org/1, [second](http://b.org), third: https://c.org/three?x=y."

    @Test func `The only link of a message is opened at once`() {
        var stage = Self.talk("see https://kedge.chat/docs.")
        #expect(stage.rows.last?.contains("o open link") == true)
        stage.press(.character("o"))
        #expect(stage.opened == ["https://kedge.chat/docs"])
        #expect(stage.rows.last?.contains("opening https://kedge.chat/docs") == true)
    }

    @Test func `Without a link there is nothing to open, and code contains none`() {
        for text in ["none", "`https://a.org`", "```\nhttps://a.org\n```", "ftp://a.org", "javascript:alert(1)"] {
            var stage = Self.talk(text)
            #expect(stage.rows.last?.contains("open link") == false)
            stage.press(.character("o"))
            #expect(stage.opened == [])
            #expect(stage.rows.last?.contains("this message has no link") == true)
        }
    }

    @Test func `Several links get numbers in place, and the prompt takes a number`() {
        var stage = Self.talk(Self.several)
        let before = stage.rows
        stage.press(.character("o"))
        #expect(stage.opened == [])
        expect(
            stage.screen,
            """
             General   Where we talk                                                 1 of 1

                                     beginning of the conversation
             ─────────────────────────── Saturday 1 March 2025 ───────────────────────────
            ▌09:22  Ana       first [1]ps://a.org/1, [second]([2]p://b.org), third:
            ▌                 [3]ps://c.org/three?x=y.







             link:                                                           1 to 3, or ↑ ↓
            """, ignoringBar: true)
        stage.press(.character("2"))
        #expect(stage.rows.last?.contains("http://b.org") == true)
        stage.press(.enter)
        #expect(stage.opened == ["http://b.org"])
        #expect(stage.rows.dropLast() == before.dropLast())
    }

    @Test func `The arrows go through the links, and a wrong number opens nothing`() {
        var stage = Self.talk(Self.several)
        stage.press(.character("o"), .down, .down, .down, .down)
        #expect(stage.rows.last?.contains("https://c.org/three?x=y") == true)
        stage.press(.up, .enter)
        #expect(stage.opened == ["http://b.org"])
        stage.press(.character("o"))
        stage.type("x9")
        #expect(stage.rows.last?.contains("no such link: 1 to 3") == true)
        stage.press(.enter)
        #expect(stage.opened.count == 1)
        stage.press(.escape)
        #expect(stage.model.panel == nil)
        #expect(stage.opened.count == 1)
        stage.press(.character("o"), .enter)
        #expect(stage.model.panel == nil)
    }

    @Test func `A link that hides where it leads is shown with its host before it is opened`() {
        var stage = Self.talk("https://bank.com@evil.org/login")
        stage.press(.character("o"))
        #expect(stage.opened == [])
        #expect(stage.rows.last?.contains("leads to evil.org: https://bank.com@evil.org/login") == true)
        stage.press(.enter)
        #expect(stage.opened == ["https://bank.com@evil.org/login"])
    }

    @Test(arguments: [
        "https://a.org/\u{202E}gro.b", "https://a.org/\u{200B}b", "https://a.org/\u{1B}]8;;b\u{7}",
        "https://a.org/ b",
        "https://a.org/\nb", "https://a.org/\tb", "https://a.org/\u{9B}2J", "https://a.org/$(rm)`rm`;rm|rm",
    ])
    func `Only visible links are opened`(text: String) throws {
        var stage = Self.talk(text)
        stage.press(.character("o"))
        let opened = try #require(stage.opened.first)
        #expect(stage.screen.contains(opened), "\(opened)")
        #expect(opened.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value < 0x7F })
    }

    @Test(arguments: ["https://hi.wikipedia.org/wiki/हिन्दी", "https://th.wikipedia.org/wiki/น้ำ"])
    func `An address is opened as it was written, not as it is drawn`(address: String) {
        var stage = Self.talk(address)
        stage.press(.character("o"))
        #expect(stage.opened.map { Array($0.unicodeScalars) } == [Array(address.unicodeScalars)])
    }

    @Test func `A link that could not be opened is reported, even after other notices`() {
        var stage = Self.talk("https://a.org")
        stage.press(.character("o"))
        stage.send(.notOpened("the link was not opened: there is no xdg-open"))
        #expect(stage.rows.last?.contains("the link was not opened: there is no xdg-open") == true)
    }

    @Test func `The address of a link that could not be opened is copied`() {
        var stage = Self.talk("https://a.org")
        stage.press(.character("o"))
        stage.send(.notOpened("the link was not opened: there is no xdg-open", link: "https://a.org"))
        #expect(stage.others.contains { if case .copy("https://a.org") = $0 { true } else { false } })
        #expect(stage.rows.last?.contains("its address is copied instead") == true)
    }

    @Test func `A click selects; a double click on a link opens it, and beside it does not`() {
        var stage = Self.talk("one", "see https://a.org/x [here](https://b.org) now", "three")
        guard let row = stage.rows.firstIndex(where: { $0.contains("see https") }) else { return }
        let start = stage.model.grid.textStart
        func click(_ offset: Int, _ clicks: Int) {
            stage.mouse(.press(clicks: clicks), row: row, column: start + offset)
            stage.mouse(.release, row: row, column: start + offset)
        }
        click(6, 1)
        #expect(stage.selection == "m-1")
        #expect(stage.opened == [])
        click(6, 2)
        #expect(stage.opened == ["https://a.org/x"])
        click(21, 2)
        #expect(stage.opened == ["https://a.org/x", "https://b.org"])
        for offset in [0, 3, 19, 42, 44, 50] { click(offset, 2) }
        #expect(stage.opened.count == 2)
    }

    @Test func `A click on a quote goes to the quoted message, and the second half of a double click no further`() {
        var messages = Script.long(60)
        messages[50].quote = Quote(id: MessageID("m-3"), content: .message(sender: person("Ben"), text: "message 3"))
        messages[3].quote = Quote(id: MessageID("m-1"), content: .message(sender: person("Ben"), text: "message 1"))
        for clicks in 1...2 {
            var stage = Stage.open(messages, at: "m-50", columns: 80, rows: 14)
            guard let row = stage.rows.firstIndex(where: { $0.contains("↳ Ben: message 3") }) else { return }
            stage.mouse(.press(clicks: 1), row: row, column: 3)
            #expect(stage.selection == "m-50", "beside it a click selects")
            for click in 1...clicks {
                stage.mouse(.press(clicks: click), row: row, column: 30)
                stage.answerAll()
            }
            #expect(stage.selection == "m-3")
            stage.press(.control("o"))
            stage.answerAll()
            #expect(stage.selection == "m-50")
        }
    }

    @Test func `A double click on the text of a reply goes to the quoted message`() {
        var messages = Script.long(60)
        messages[50].quote = Quote(id: MessageID("m-3"), content: .message(sender: person("Ben"), text: "message 3"))
        var stage = Stage.open(messages, at: "m-50", columns: 80, rows: 14)
        guard let row = stage.rows.firstIndex(where: { $0.contains("message 50") }) else { return }
        stage.mouse(.press(clicks: 1), row: row, column: 30)
        #expect(stage.selection == "m-50")
        stage.mouse(.press(clicks: 2), row: row, column: 30)
        stage.answerAll()
        #expect(stage.selection == "m-3")
    }
}
