import Display
import Markup
import Messages
import TestSupport
import Testing
import Timeline

@testable import Interface

struct EntryTests {
    @Test(arguments: [UInt64](1...20))
    func `Headers and groups are the same however the conversation is cut into pages`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let messages = randomMessages(200, using: &random)
        let whole = Entry.entries(messages, after: nil, zone: .utc)
        var pieces: [Entry] = []
        while pieces.count < messages.count {
            let end = min(messages.count, pieces.count + Int.random(in: 1...30, using: &random))
            let neighbour = pieces.last.map { Neighbour($0.message) }
            pieces += Entry.entries(Array(messages[pieces.count..<end]), after: neighbour, zone: .utc)
        }
        #expect(pieces == whole, "seed \(seed)")
    }

    @Test(arguments: [UInt64](1...20))
    func `The place of each row leads back to it, at every width`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let entries = Entry.entries(randomMessages(40, using: &random), after: nil, zone: .utc)
        for entry in entries {
            let rows = MessageRows(entry, grid: Grid(columns: Int.random(in: 1...150, using: &random)))
            #expect(rows.height > 0)
            var last = Int.min
            for row in 0..<rows.height {
                let place = rows.place(ofRow: row)
                #expect(place > last, "seed \(seed): places rise")
                #expect(rows.row(ofPlace: place) == row, "seed \(seed)")
                last = place
            }
        }
    }

    @Test(arguments: [
        ("A minute later, the same sender", Int64(60), "Ana", true),
        ("Five minutes later", 300, "Ana", true),
        ("More than five minutes later", 301, "Ana", false),
        ("Another sender", 1, "Ben", false),
        ("A clock that went back a little", -60, "Ana", true),
    ])
    func `Messages of one sender within five minutes are grouped`(
        name: String, after: Int64, sender: String, together: Bool
    ) {
        var script = Script("2025-03-01T12:00:00Z")
        script.add("one", from: "Ana")
        script.add("two", from: sender, after: after)
        #expect(Entry.entries(script.messages, after: nil, zone: .utc)[1].startsGroup == !together)
    }

    @Test func `A late reaction or reply takes at most a row, below the others`() throws {
        var script = Script("2025-03-01T12:00:00Z")
        for length in 1...200 { script.add(String(repeating: "x", count: length), from: "Ana") }
        for entry in Entry.entries(script.messages, after: nil, zone: .utc) {
            var message = entry.message
            message.reactions = [Reaction(emoji: "👍", people: [person("Ben"), person("Cy")])]
            message.replyCount = 12
            for columns in [20, 40, 61, 80, 100, 200] {
                let ruler = MessageRuler(grid: Grid(columns: columns))
                let (before, after) = (ruler.measure(entry), ruler.measure(Entry(message, replacing: entry)))
                #expect((0...1).contains(after.height - before.height))
                #expect(after.rows.map(\.place).starts(with: before.rows.map(\.place)))
            }
        }
    }

    @Test func `A wide screen always has room for a reaction`() {
        var script = Script("2025-03-01T12:00:00Z")
        for length in 1...300 {
            script.add(String(repeating: "x", count: length), from: "Ana") {
                $0.reactions = [Reaction(emoji: "👍", people: [person("Ben"), person("Cy")])]
            }
        }
        for entry in Entry.entries(script.messages, after: nil, zone: .utc) {
            let grid = Grid(columns: 80)
            let view = MessageView(
                entry, rows: MessageRows(entry, grid: grid), grid: grid, isSelected: false, target: nil, query: nil,
                visible: 0..<1)
            #expect(view.rows.rows.indices.contains { view.line($0).text.contains("👍") }, "\(entry.message.text.count)")
        }
    }

    @Test(arguments: [(0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (1_234, "1.2 kB"), (12_345, "12 kB")])
    func `Sizes have few digits`(bytes: Int64, expected: String) {
        var script = Script("2025-03-01T12:00:00Z")
        script.add("", from: "Ana") { $0.attachments = [Attachment(name: "a", path: nil, size: bytes)] }
        let entry = Entry(script.messages[0], after: nil, zone: .utc)
        #expect(entry.message.attachments.indices.map { entry.attachment($0).string } == ["📎 a  \(expected)"])
        #expect(entry.body.lines.isEmpty)
    }

    @Test(
        arguments: [
            ("plain\n```\ncode\n```\nplain", [.prose, .fence, .code, .fence, .prose]),
            ("```not``` a block", [.prose]),
            ("```\nnever closed", [.fence, .code]),
        ] as [(String, [LineKind])])
    func `Blocks of code are recognised`(text: String, expected: [LineKind]) {
        var script = Script("2025-03-01T12:00:00Z")
        script.add(text, from: "Ana")
        #expect(Entry(script.messages[0], after: nil, zone: .utc).body.lines.map(\.kind) == expected)
    }

    private func randomMessages(_ count: Int, using random: inout SeededGenerator) -> [Message] {
        var script = Script("2025-03-01T12:00:00Z")
        let texts = [
            "ok", "天気がいいから散歩しましょう", "a word and another and some more", "👨‍👩‍👧 family",
            "```\n\tx\n```\n", "", "é\n\nb", "\n- an item **with** words that go on", "\n> quoted 漢字 words that go on",
            String(repeating: "\n12. a row", count: 15),
        ]
        for _ in 0..<count {
            let kind = [Message.Kind.text, .text, .text, .action, .system].randomElement(using: &random) ?? .text
            let length = Int.random(in: 1...8, using: &random)
            let text = (0..<length).map { _ in texts.randomElement(using: &random) ?? "" }
            script.add(
                text.joined(separator: " "), from: ["Ana", "Ben", nil].randomElement(using: &random) ?? nil,
                after: Int64.random(in: -400...4_000, using: &random), kind: kind
            ) { message in
                message.isEdited = Bool.random(using: &random)
                if Bool.random(using: &random) { message.quote = Quote(id: MessageID("q"), content: .missing) }
                if Bool.random(using: &random) {
                    message.attachments = [Attachment(name: "f", path: nil, size: 1)]
                }
            }
        }
        return script.messages
    }
}
