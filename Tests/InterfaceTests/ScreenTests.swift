import Display
import Messages
import Testing

@testable import Interface

/// Whole screens beside the keys that made them.
struct ScreenTests {
    private static let talk: [Message] = {
        var script = Script("2025-03-01T23:50:00Z")
        script.add("Ana joined", kind: .system)
        script.add("Is the harbour map ready?", from: "Ana")
        script.add("It was, until somebody asked for the tides as well, which took me all evening", from: "Ben")
        script.add("tides as well", from: "Ben", after: 20) { $0.isEdited = true }
        script.add("sighs", from: "Ben", kind: .action)
        script.add("", from: "Cy", after: 600) { $0.isDeleted = true }
        script.add("Here it is", from: "Ben", id: "target") { message in
            message.quote = Quote(
                id: MessageID("m-1"), content: .message(sender: person("Ana"), text: "Is the harbour map ready?"))
            message.attachments = [Attachment(name: "harbour.pdf", path: nil, size: 123_456)]
            message.reactions = [
                Reaction(emoji: "👍", people: [person("Ana"), person("Cy")]),
                Reaction(emoji: "🎉", people: [person("Cy")]),
            ]
            message.replyCount = 3
        }
        script.add("```swift\nlet map = load()\n\tmap.draw()\n```", from: "Ana")
        script.add("謝謝，地圖很漂亮", from: "Mei") {
            $0.quote = Quote(id: MessageID("gone"), content: .missing)
        }
        return script.messages
    }()

    @Test(arguments: [
        ("Ana created the group", ""), ("@Ana set the topic", ""), ("Ana", ""), ("Anabel joined", "Ana"),
        ("Pinned a message.", "Ana"),
    ])
    func `A system line that begins with its sender's name does not show the name twice`(text: String, name: String) {
        var script = Script("2025-03-01T09:00:00Z")
        script.add(text, from: "Ana", kind: .system)
        let stage = Stage.open(script.messages, at: nil, columns: 72, rows: 8)
        let row = stage.screen.split(separator: "\n").first { $0.contains(text) } ?? ""
        let words = row.split(whereSeparator: { " ▌".contains($0) }).dropFirst().joined(separator: " ")
        #expect(words == (name.isEmpty ? text : "\(name) \(text)"))
    }

    @Test func `A conversation opened at a message`() {
        let stage = Stage.open(Self.talk, at: "target", columns: 72, rows: 22)
        expect(
            stage.screen,
            """
             General   Where we talk                                         7 of 9

                                 beginning of the conversation
             ─────────────────────── Saturday 1 March 2025 ───────────────────────
             23:51            Ana joined
             23:52  Ana       Is the harbour map ready?
             23:53  Ben       It was, until somebody asked for the tides as well,
                              which took me all evening
                              tides as well (edited)
             23:54            * Ben sighs
             ──────────────────────── Sunday 2 March 2025 ────────────────────────
             00:04  Cy        message deleted
            ▌00:05  Ben       ↳ Ana: Is the harbour map ready?
            ▌                 Here it is                       👍 2  🎉  3 replies
            ▌                 📎 harbour.pdf  123 kB
             00:06  Ana       ```swift
                              │ let map = load()
                              │     map.draw()
                              ```
             00:07  Mei       ↳ a message that is not here
                              謝謝，地圖很漂亮
             general/target  00:05          Enter quoted  / search  h help  q quit
            """)
    }

    @Test func `Without messages there are no hints of keys for messages`() {
        var stage = Stage.open([], at: nil, columns: 120, rows: 6, me: PersonID("ben"))
        stage.passTime()
        #expect(
            stage.rows.last?.split(separator: " ").joined(separator: " ")
                == "no messages here yet s everywhere ^K switch ^O back i write h help q quit")
    }

    @Test func `The same on a narrow screen`() {
        let stage = Stage.open(Self.talk, at: "target", columns: 40, rows: 14)
        expect(
            stage.screen,
            """
             General   Where we talk         7 of 9
             Sunday 2 March 2025
                                                   │
             00:04 Cy                              │
             message deleted                       │
            ▌00:05 Ben                             │
            ▌↳ Ana: Is the harbour map ready?      │
            ▌Here it is        👍 2  🎉  3 replies │
            ▌📎 harbour.pdf  123 kB                ┃
             00:06 Ana                             ┃
             ```swift                              ┃
             │ let map = load()                    │
             │     map.draw()                      │
             general/target  00:05  h help  q quit
            """)
    }

    @Test func `The same in wide type`() {
        let stage = Stage.open(Self.talk, at: "target", columns: 20, rows: 5)
        expect(
            stage.screen,
            """
             General   Wher…  7
            ▌00:05 Ben         │
            ▌↳ Ana: Is the har…┃
            ▌Here it is        │
             general/target  00…
            """)
    }

    @Test func `PgUp and PgDn return to the same screen, and two rows of the old one stay visible`() {
        var stage = Stage.open(Script.long(400), at: "m-200", columns: 50, rows: 12)
        let before = stage.screen
        stage.press(.pageUp)
        stage.answerAll()
        let old = before.split(separator: "\n", omittingEmptySubsequences: false)
        let new = stage.screen.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(old[2...3].map { $0.dropLast() } == new[9...10].map { $0.dropLast() })
        stage.press(.pageDown)
        #expect(stage.screen == before)
    }

    @Test func `The edges show their state without taking room from messages`() {
        var stage = Stage.open(Script.long(400), at: "m-200", columns: 50, rows: 9)
        stage.press(.pageUp, times: 20)
        expect(
            stage.rows.dropLast().joined(separator: "\n"),
            """
             General   Where we talk               176 of 400
             Saturday 1 March 2025
                         loading older messages…              │
            ▌19:33 Ben                                       ┃
            ▌message 175                                     │
             19:40 Ana                                       │
             message 176                                     │
             19:46 Ben                                       │
            """, ignoringBar: true)
        #expect(stage.rows.last?.contains("wait for more messages") == true)
        stage.failAll("the disk sleeps")
        #expect(stage.screen.contains("older messages did not load · next try in 1 s"))
        stage.press(.enter)
        #expect(stage.requests.count == 1)
        stage.answerAll()
        #expect(stage.screen.contains("message 174"))
        #expect(!stage.screen.contains("did not load"))
    }

    @Test func `The help is made from the table of keys`() {
        var stage = Stage.open(Script.long(10), at: nil, columns: 80, rows: 160)
        let before = stage.screen
        stage.press(.character("h"))
        for binding in Keymap.standard.sections.flatMap(\.bindings) {
            #expect(stage.screen.contains(binding.help))
            #expect(stage.screen.contains(binding.keyNames))
        }
        stage.press(.escape)
        #expect(stage.screen == before)
    }

    @Test func `A help that is longer than the screen scrolls`() {
        var stage = Stage.open(Script.long(10), at: nil, columns: 40, rows: 8)
        stage.press(.function(1))
        #expect(stage.screen.contains("↓ more"))
        stage.press(.end)
        #expect(stage.screen.contains("Double click"))
        #expect(!stage.screen.contains("↓ more"))
        stage.press(.up)
        #expect(stage.screen.contains("↓ more"))
        stage.press(.escape)
        #expect(stage.screen.contains("message 9"))
    }

    @Test func `Every size of the screen has a frame, and returning gives the first one`() {
        var stage = Stage.open(Self.talk + Script.long(60).map { $0 }, at: "target", columns: 72, rows: 14)
        let before = stage.screen
        for columns in 1...70 {
            for rows in 1...14 {
                stage.send(.resized(Size(columns: columns, rows: rows)))
                let frame = render(stage.model)
                #expect(frame.lines.count == rows)
                #expect(frame.lines.allSatisfy { $0.columns <= columns })
            }
        }
        stage.send(.resized(Size(columns: 72, rows: 14)))
        #expect(stage.screen == before)
    }

    @Test func `No text of a hostile message reaches the frame as a control`() {
        var script = Script("2025-03-01T12:00:00Z")
        let hostile = "a\u{1B}[31mred\u{1B}]0;title\u{7}\u{9B}2J\u{202E}evil\u{2066}\u{0}\r\u{2028}b\u{7F}"
        script.add(hostile, from: hostile) { message in
            message.attachments = [Attachment(name: hostile, path: nil, size: -5)]
            message.reactions = [Reaction(emoji: hostile, people: [person("x")])]
            message.quote = Quote(id: MessageID(hostile), content: .message(sender: person(hostile), text: hostile))
        }
        let stage = Stage.open(script.messages, at: nil, columns: 100, rows: 20)
        let hidden: Set<Unicode.GeneralCategory> = [.control, .format, .lineSeparator, .paragraphSeparator]
        for line in render(stage.model).lines {
            #expect(!line.text.unicodeScalars.contains { hidden.contains($0.properties.generalCategory) })
        }
    }
}
