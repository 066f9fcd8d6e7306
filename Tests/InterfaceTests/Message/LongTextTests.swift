import Display
import Markup
import Messages
import TestSupport
import Testing
import Timeline

@testable import Interface
@testable import InterfaceSupport

/// Texts that are longer than any screen.
struct LongTextTests {
    private static func entry(_ text: String, fold: Bool? = nil, edited: Bool = false) -> Entry {
        var message = Script.long(1)[0]
        message.text = text
        message.isEdited = edited
        var entry = Entry(message, after: nil, zone: .utc)
        entry.fold = fold
        return entry
    }

    /// What is drawn of all rows.
    private static func drawn(_ entry: Entry, _ grid: Grid) -> [String] {
        let rows = MessageRows(entry, grid: grid)
        return MessageView(
            entry, rows: rows, grid: grid, isSelected: false, target: nil, query: nil, visible: 0..<rows.height
        ).allLines
    }

    private static let pieces = [
        "word ", "a longer line of words that wraps\n", "\n", "```\n", "> quoted\n", "- item of a list\n", "天気",
        "e\u{301}", "**bold** ", "https://example.org/a ", "\r\n", "\t", "\u{2028}", "x\ry\n", "👍🏽",
    ]

    @Test(arguments: 0..<12)
    func `Sections contain the whole text, with the same lines as without sections`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var text = ""
        while text.utf8.count < 30_000 { text += Self.pieces.randomElement(using: &random) ?? "" }
        let body = Self.entry(text).body
        #expect(body.sections.count > 3)
        #expect(body.sections.map(\.bytes.lowerBound) == [0] + body.sections.dropLast().map(\.bytes.upperBound))
        #expect(body.sections.last?.bytes.upperBound == text.utf8.count)
        let whole = CleanText.lines(text)
        #expect(body.lines.map(\.text.string) == whole.map(\.string), "seed \(seed)")
        // Code begins and ends where it does in the whole.
        var isCode = false
        for (line, clean) in zip(body.lines, whole) {
            let isFence =
                clean.string.drop { $0 == " " }.hasPrefix("```")
                && !clean.string.drop { $0 == " " }.dropFirst(3).contains("`")
            #expect(line.kind == (isFence ? .fence : isCode ? .code : .prose), "seed \(seed)")
            if isFence { isCode.toggle() }
        }
        // Places rise.
        #expect(zip(body.lines, body.lines.dropFirst()).allSatisfy { $0.start < $1.start })
    }

    @Test(arguments: ["x", "word ", "天", "e\u{301}", "🇩🇪", "👍🏽", "ก\u{0E33}"])
    func `A line without an end is cut between characters, and nothing of it is lost`(piece: String) {
        let text = String(repeating: piece, count: 20_000)
        let body = Self.entry(text).body
        #expect(body.sections.count > 4)
        let joined = body.lines.map(\.text.string).joined()
        #expect(joined == CleanText(text).string)
    }

    @Test(arguments: [40, 80, 200])
    func `Any row of a long text is found again by its place`(columns: Int) {
        var random = SeededGenerator(seed: UInt64(columns))
        let text = (0..<2_000).map { "line \($0) with some words" }.joined(separator: "\n")
        let entry = Self.entry(text, fold: false)
        let grid = Grid(columns: columns)
        let rows = MessageRows(entry, grid: grid)
        let all = rows.rows
        #expect(all.count == rows.height)
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.place < $1.place })
        for _ in 0..<200 {
            let row = Int.random(in: 0..<rows.height, using: &random)
            #expect(rows.place(ofRow: row) == all[row].place)
            #expect(rows.row(ofPlace: all[row].place) == row)
            let end = min(rows.height, row + Int.random(in: 0...60, using: &random))
            #expect(rows.rows(in: row..<end).map(\.place) == all[row..<end].map(\.place))
        }
        #expect(rows.text(within: rows.height - 1..<rows.height).lowerBound == all[rows.height - 1].place)
    }

    @Test(arguments: [
        String(repeating: "\n", count: 1_000_000), String(repeating: "x", count: 1_000_000),
        String(repeating: "**a _b https://c.de ", count: 50_000),
    ])
    func `Only the visible part of a folded text is laid out`(text: String) {
        for columns in [20, 100, 400] {
            let rows = MessageRows(Self.entry(text), grid: Grid(columns: columns))
            #expect(rows.laidOut <= 3)
            #expect(rows.canFold && rows.height <= Fold.rows + 3)
        }
    }

    @Test func `A folded text of megabytes shows its size, unfolds, and shows its end`() {
        var messages = Script.long(30)
        messages[29].text = (0..<200_000).map { "row \($0)" }.joined(separator: "\n") + "\nthe very end"
        var stage = Stage.open(messages, at: "m-29", columns: 80, rows: 26)
        #expect(stage.screen.contains("row 11") && !stage.screen.contains("row 12"))
        #expect(stage.screen.contains("… 2.0 MB more, z unfolds"))
        stage.press(.character("z"))
        #expect(stage.screen.contains("row 12"))
        let top = stage.rows
        stage.press(.pageDown, times: 3)
        stage.press(.pageUp, times: 3)
        #expect(stage.rows == top)
        stage.press(.end)
        #expect(stage.screen.contains("the very end") && stage.screen.contains("row 199999"))
    }

    @Test func `A name, a quote and an attachment of a megabyte take no more than their row`() {
        var message = Script.long(1)[0]
        let long = String(repeating: "n", count: 1_000_000) + String(repeating: "\u{301}", count: 1_000_000)
        message = Message(
            id: message.id, at: message.at, sender: Person(id: PersonID("n"), name: long), text: "hello",
            quote: Quote(id: MessageID("q"), content: .message(sender: nil, text: "e" + long)),
            attachments: (0..<100_000).map { Attachment(name: "\($0)", path: nil, size: nil) }, cursor: message.cursor)
        let entry = Entry(message, after: nil, zone: .utc)
        #expect(entry.sender?.string.utf8.count ?? 0 <= 1_000 && entry.quote?.string.utf8.count ?? 0 <= 4_000)
        let rows = MessageRows(entry, grid: Grid(columns: 80))
        #expect(rows.height == 100_003)
        #expect(rows.row(ofPlace: rows.place(ofRow: 77_777)) == 77_777)
    }

    @Test func `A hit deep in a folded text is reached`() {
        var messages = Script.long(30)
        messages[10].text = String(repeating: "hay and more hay\n", count: 5_000) + "needle\n" + "end"
        var stage = Stage.open(messages, at: "m-12", columns: 80, rows: 26)
        stage.press(.character("/"))
        stage.typeAndWait("needle")
        stage.press(.enter)
        stage.answerAll()
        #expect(stage.screen.contains("needle"))
        #expect(stage.rows.contains { $0.contains("needle") && !$0.contains("/") })
    }

    // MARK: - Beginnings and whole texts

    /// 30 messages, the last 20 with rows up to a number of bytes each.
    private static func talk(bytes: Int = 200_000) -> [Message] {
        var messages = Script.long(30)
        for index in 10..<30 {
            let rows = (0..<bytes / 20).map { "row \($0) of message \(index)" }
            messages[index].text = rows.joined(separator: "\n") + "\nthe end of message \(index)"
        }
        return messages
    }

    private static let bytesOfAll = talk().reduce(0) { $0 + $1.text.utf8.count }

    @Test func `Only the selected message has its whole text, and no row moves when it comes`() {
        var stage = Stage.open(Self.talk(), at: "m-20", columns: 80, rows: 40)
        #expect(Self.bytesOfAll > 4_000_000)
        for key in [Key.up, .up, .pageUp, .down, .pageDown, .pageDown, .pageDown, .home, .end, .up, .up] {
            stage.press(key)
            let before = stage.rows.dropLast()
            stage.answer(where: \.isText)
            #expect(stage.rows.dropLast() == before, "\(key)")
            stage.answerAll()
            let whole = stage.entries.filter(\.isWhole).map(\.id.rawValue)
            let selected = stage.entries.first { $0.id.rawValue == stage.selection }
            #expect(whole == (selected?.isWhole == true ? [stage.selection] : []), "\(key)")
            #expect(selected?.isShortened == false)
            #expect(stage.entries.allSatisfy { $0.isWhole || $0.message.text.utf8.count <= Message.longText })
        }
    }

    @Test func `Keys that need the whole text wait for it, and others do not`() {
        var stage = Stage.open(Self.talk(), at: "m-20", columns: 80, rows: 40)
        stage.press(.down)
        stage.press(.character("y"))
        #expect(stage.copies.isEmpty)
        #expect(stage.rows.last?.contains("\"y\" waits for the rest of this message… Esc gives up") == true)
        stage.answerAll()
        #expect(stage.copies == [Self.talk()[21].text])
        stage.press(.down)
        stage.press(.character("y"))
        stage.press(.escape)
        stage.answerAll()
        #expect(stage.copies.count == 1)
        stage.press(.up, .up)
        #expect(stage.selection == "m-20")
    }

    @Test func `An unfolded text says that its rest is loading until it is here`() {
        var stage = Stage.open(Self.talk(), at: "m-20", columns: 80, rows: 40)
        stage.press(.down)
        stage.model.reader.pane.timeline.setFold(false, of: MessageID("m-21"))
        let entry = stage.entries.first { $0.id.rawValue == "m-21" }
        let rows = entry.map { Self.drawn($0, Grid(columns: 80)) } ?? []
        #expect(rows.last?.contains("loading ") == true && rows.last?.contains("kB more…") == true)
        stage.answerAll()
        let whole = stage.entries.first { $0.id.rawValue == "m-21" }.map { Self.drawn($0, Grid(columns: 80)) } ?? []
        #expect(whole.last?.contains("the end of message 21") == true)
        #expect(Array(whole.prefix(rows.count - 2)) == Array(rows.prefix(rows.count - 2)))
        // Unfolded, it stays whole.
        stage.press(.pageUp, times: 200)
        stage.answerAll()
        #expect(stage.entries.first { $0.id.rawValue == "m-21" }?.isShortened != true)
    }

    @Test func `A text that does not come is asked for again, and no key acts on its beginning`() {
        var stage = Stage.open(Self.talk(), at: "m-20", columns: 80, rows: 40)
        stage.press(.down)
        stage.press(.character("y"))
        stage.failAll()
        #expect(stage.copies.isEmpty)
        let words = "waits for the rest of this message, next try in 1 s (the line is down)"
        #expect(stage.rows.last?.contains(words) == true)
        stage.passTime()
        stage.answerAll()
        #expect(stage.copies == [Self.talk()[21].text])
        stage.press(.down)
        stage.press(.character("y"))
        stage.failAll(with: .noSuchMessage(MessageID("m-22"), in: Stage.general.id))
        #expect(stage.copies.count == 1)
        #expect(stage.screen.contains("not carried out: \"y\""))
    }

    @Test func `An edit that comes before the text that it replaces stays`() {
        var stage = Stage.open(Self.talk(), at: "m-20", columns: 80, rows: 40)
        stage.press(.down)
        var edited = Self.talk()[21]
        edited.text = "edited\n" + edited.text
        edited.isEdited = true
        stage.send(.changed(Stage.general.id, [.updated(edited)]))
        stage.answer(where: \.isText)
        stage.passTime()
        stage.press(.character("y"))
        stage.answerAll()
        #expect(stage.copies == [edited.text])
    }

    @Test func `Each hit in the rest of a long text is reached, from any message`() {
        var messages = Self.talk()
        messages[22].text += "\nthe needle\n" + String(repeating: "hay\n", count: 100) + "a needle"
        for start in ["m-15", "m-21", "m-22", "m-29"] {
            var stage = Stage.open(messages, at: start, columns: 80, rows: 40)
            stage.press(.character("/"))
            stage.typeAndWait("needle")
            stage.press(.enter)
            stage.settle()
            #expect(stage.selection == "m-22")
            #expect(highlights(stage.frame).contains("needle"), "from \(start)")
            let first = stage.rows.first { $0.contains("needle") }
            stage.press(.character("n"))
            stage.settle()
            #expect(highlights(stage.frame).contains("needle"), "n from \(start)")
            #expect(stage.rows.first { $0.contains("needle") } != first, "n from \(start)")
        }
    }

    @Test func `Hits in a thread with a long reply are stepped through in order`() {
        var messages = Script.long(20)
        let texts = ["needle A", String(repeating: "hay\n", count: 30_000) + "needle B", "needle C"]
        for (index, text) in texts.enumerated() {
            messages[6 + index] = Script.reply(to: 5, text, like: messages[6 + index])
        }
        var stage = Stage.open(messages, at: "m-4", columns: 100, rows: 40)
        stage.press(.character("/"))
        stage.typeAndWait("needle")
        stage.press(.enter)
        stage.settle()
        var seen: [String] = []
        for _ in 0..<4 {
            seen.append(stage.model.pane.selectedMessage?.id.rawValue ?? "")
            #expect(stage.rows.last?.contains("hit \((seen.count - 1) % 3 + 1) of 3") == true)
            stage.press(.character("n"))
            stage.settle()
        }
        #expect(seen == ["m-6", "m-7", "m-8", "m-6"])
        let replies = stage.model.pane.timeline
        #expect((0..<replies.count).allSatisfy { !replies.list[$0].isShortened })
    }

    @Test func `An edit that takes the hit out of a long text takes it out of the count`() {
        var messages = Self.talk()
        messages[15].text += "\nthe needle"
        messages[18].text = "a needle"
        var stage = Stage.open(messages, at: "m-18", columns: 100, rows: 40)
        stage.press(.character("/"))
        stage.typeAndWait("needle")
        stage.press(.enter)
        stage.settle()
        #expect(stage.screen.contains("hit 2 of 2"))
        let edited = Self.talk()[15]
        stage.change { $0.talks[0].messages[15] = edited }
        stage.send(.changed(Stage.general.id, [.updated(edited)]))
        stage.settle()
        #expect(stage.screen.contains("hit 1 of 1"))
    }

    @Test func `A query that is too long is reported, wherever it is typed`() {
        var stage = Stage.open(Script.long(30), at: nil, columns: 100, rows: 26)
        stage.press(.character("s"))
        stage.paste(String(repeating: "ab ", count: 4_000))
        stage.settle()
        #expect(stage.screen.contains("the query is too long: 12000 bytes, at most 10000"))
        stage.press(.escape, .character("/"))
        stage.paste(String(repeating: "a b ", count: 1_000))
        stage.press(.enter)
        #expect(stage.screen.contains("the query is too long: 2000 words and filters, at most 500"))
    }
}

extension Effect {
    /// True if it asks for the text of a message.
    fileprivate var isText: Bool { if case .ask(.messages, .text) = self { true } else { false } }
}

extension MessageView {
    fileprivate var allLines: [String] { (0..<rows.height).map { line($0).text } }
}
