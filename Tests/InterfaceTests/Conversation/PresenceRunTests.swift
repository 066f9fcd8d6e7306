import Display
import Messages
import TestSupport
import Testing
import Timeline

@testable import Interface
@testable import InterfaceSupport

/// Joins and the like, which are shown in one row a run.
struct PresenceRunTests {
    /// Adds messages and presence lines to a conversation, each a minute after the one before.
    private struct Log {
        var messages: [Message] = []
        var clock: Int64

        init(_ start: String = "2025-03-01T09:00:00Z") { clock = Timestamp(iso8601: start)?.milliseconds ?? 0 }

        mutating func add(
            _ text: String, from name: String, _ change: Presence.Change? = nil, stretch: Int = 0,
            after milliseconds: Int64 = 60_000
        ) {
            clock += milliseconds
            messages.append(
                Message(
                    id: MessageID("m-\(messages.count)"), at: Timestamp(milliseconds: clock), sender: person(name),
                    kind: change == nil ? .text : .system, presence: change.map { Presence($0, stretch: stretch) },
                    text: text, cursor: Messages.Cursor(token: "\(messages.count)")))
        }
    }

    /// A message, a run of six lines, a message, a run of two.
    private static let talk: [Message] = {
        var log = Log()
        log.add("good morning", from: "Ana")
        log.add("Ben has joined", from: "Ben", .join)
        log.add("Cy has joined", from: "Cy", .join, after: 1_000)
        log.add("Dan has quit (bye)", from: "Dan", .leave)
        log.add("Cy is now known as Cy_", from: "Cy", .nick("Cy_"))
        log.add("Ben has joined", from: "Ben", .join)
        log.add("Ana sets mode +v Ben", from: "Ana", .mode)
        log.add("hello", from: "Ben")
        log.add("Eve has joined", from: "Eve", .join)
        log.add("Eve has quit", from: "Eve", .leave)
        return log.messages
    }()

    /// The rows of messages, without gutter and scroll bar.
    private func texts(_ stage: Stage) -> [String] {
        stage.rows.dropFirst(2).dropLast().map { row in
            let text = String(row.filter { !"│┃".contains($0) }.dropFirst(stage.model.grid.textStart))
            return String(text.reversed().drop { $0 == " " }.reversed())
        }
    }

    @Test func `A run is one dim row with the names of those who came and left`() {
        let stage = Stage.open(Self.talk, at: nil, columns: 90, rows: 9)
        let rows = texts(stage).filter { !$0.isEmpty }
        #expect(
            rows.suffix(4) == [
                "good morning", "+3 Ben, Cy  −1 Dan  Cy → Cy_  1 mode", "hello", "+1 Eve  −1 Eve",
            ])
        let spans = stage.frame.lines.flatMap(\.spans).filter { $0.text.string.contains("+3") }
        #expect(spans.map(\.style) == [Style(.standard, .dim)])
        #expect(stage.rows[0].contains("10 of 10"))
    }

    @Test(arguments: [
        (60, "+3 Ben, Cy  −1 Dan  Cy → Cy_  1 mode"), (35, "+3 Ben, …  −1 Dan  Cy → Cy_  1 mode"),
        (28, "+3 −1  1 new name  1 mode"), (9, "+3 −1  1…"),
    ])
    func `Where there is less room, fewer names are named`(columns: Int, text: String) {
        #expect(PresenceRun(Array(Self.talk[1...6])).summary(columns: columns).string == text)
    }

    @Test func `A new name is told with the old one, even if the sender has the new one everywhere by now`() {
        var log = Log()
        log.add("Lone is now Lone Wolf", from: "Lone Wolf", .nick("Lone Wolf"))
        #expect(PresenceRun(log.messages).summary(columns: 60).string == "Lone → Lone Wolf")
    }

    @Test func `Enter and a click unfold a run and fold it again, and the row above it stays`() throws {
        var stage = Stage.open(Self.talk, at: "m-7", columns: 90, rows: 20)
        stage.press(.up)
        let before = stage.screen
        let row = try #require(stage.rows.firstIndex { $0.contains("+3 Ben") })
        stage.press(.enter)
        #expect(
            texts(stage)[(row - 2)...].prefix(7) == [
                "Ben has joined", "Cy has joined", "09:03 Dan has quit (bye)", "09:04 Cy is now known as Cy_",
                "09:05 Ben has joined", "09:06 Ana sets mode +v Ben", "hello",
            ])
        stage.press(.enter)
        #expect(stage.screen == before)
        stage.mouse(.press(clicks: 1), row: row, column: 40)
        #expect(stage.screen.contains("Dan has quit (bye)"))
        // The second half of a double click does nothing.
        stage.mouse(.press(clicks: 2), row: row, column: 40)
        #expect(stage.screen.contains("Dan has quit (bye)"))
        stage.mouse(.press(clicks: 1), row: row + 2, column: 40)
        #expect(stage.screen == before)
    }

    @Test(arguments: [true, false])
    func `A line that arrives goes into the last row, which is never new`(isFollowing: Bool) {
        var stage = Stage.open(Self.talk, at: nil, columns: 90, rows: 9, me: PersonID("zoe"))
        stage.passTime()
        if !isFollowing { stage.press(.up, .up) }
        let rows = texts(stage)
        var log = Log()
        log.messages = Self.talk
        log.clock = Self.talk.last?.at.milliseconds ?? 0
        log.add("Fay has joined, @zoe", from: "Fay", .join)
        stage.change { $0.talks[0].messages = log.messages }
        for _ in 0..<2 { stage.send(.changed(Stage.general.id, [.arrived(log.messages[10])])) }
        #expect(texts(stage).dropLast() == rows.dropLast() && texts(stage).last == "+2 Eve, Fay  −1 Eve")
        #expect(stage.model.main.newCount == 0)
        #expect(!stage.others.contains { if case .notify = $0 { true } else { false } })
        // Another day, or another stretch, begins another run.
        log.add("Gus has joined", from: "Gus", .join, stretch: 1)
        log.add("Hal has joined", from: "Hal", .join, stretch: 1, after: 24 * 3_600_000)
        stage.send(.changed(Stage.general.id, log.messages.suffix(2).map { .arrived($0) }))
        #expect(stage.entries.suffix(3).map(\.span) == [3, 1, 1])
        #expect(stage.model.main.timeline.totalCount == 13)
        stage.send(.changed(Stage.general.id, [.updated(Self.deleted(log.messages[9]))]))
        #expect(stage.entries.suffix(3).first?.run?.summary(columns: 50).string == "+2 Eve, Fay  1 deleted")
        // How far the user has read is the last line, and not the run.
        if isFollowing { #expect(stage.marks.last == "m-12") }
    }

    private static func deleted(_ message: Message) -> Message {
        var message = message
        message.isDeleted = true
        return message
    }

    @Test func `A run that is joined with the one before, or loses its first line, keeps its row`() throws {
        var log = Log()
        for index in 0..<30 { log.add("word \(index)", from: "Ana") }
        for _ in 0..<2 { log.add("Ben has joined", from: "Ben", .join) }
        log.add("between", from: "Ana")
        for _ in 0..<2 { log.add("Cy has joined", from: "Cy", .join) }
        for index in 0..<30 { log.add("later \(index)", from: "Ana") }
        let cases: [(gone: Int, shown: String)] = [(32, "+4 Ben, Cy"), (33, "Cy")]
        for (gone, shown) in cases {
            var stage = Stage.open(log.messages, at: "m-35", columns: 90, rows: 16)
            stage.press(.up)
            stage.settle()
            let row = try #require(stage.rows.firstIndex { $0.contains("+2 Cy") })
            #expect(stage.selection == "m-33")
            stage.change { $0.talks[0].messages.removeAll { $0.id == MessageID("m-\(gone)") } }
            stage.send(.changed(Stage.general.id, [.replaced]))
            stage.settle()
            #expect(stage.rows.firstIndex { $0.contains(shown) } == row, "\(gone): \(stage.screen)")
            #expect(stage.rows[row].hasPrefix("▌"), "\(gone): \(stage.screen)")
        }
    }

    @Test func `A link to a presence line opens its run unfolded at it`() {
        var log = Log()
        for index in 0..<40 { log.add("message \(index)", from: "Ana") }
        for index in 0..<60 { log.add("P\(index) has joined", from: "P\(index)", .join, after: 1) }
        for index in 0..<40 { log.add("more \(index)", from: "Ana") }
        var stage = Stage.open(log.messages, at: "m-77", columns: 90, rows: 14)
        stage.settle()
        let marked = stage.rows.filter { $0.hasPrefix("►") }
        #expect(marked.count == 1 && marked[0].contains("P37 has joined"), "\(stage.screen)")
        // Going there from the window gives the same.
        stage = Stage.open(log.messages, at: "m-100", columns: 90, rows: 14)
        stage.send(.input([.key(.character("g"))]))
        stage.settle()
        _ = stage.model.inReader { $0.go(to: .position(.message(MessageID("m-77"))), $1) }
        #expect(stage.rows.contains { $0.hasPrefix("►") && $0.contains("P37 has joined") }, "\(stage.screen)")
    }

    @Test func `n goes to presence lines if the search asks for them, each in its run`() {
        var log = Log()
        for index in 0..<300 {
            log.add(
                index % 50 < 20 ? "P\(index) has joined" : "joined \(index)", from: "Ana", index % 50 < 20 ? .join : nil
            )
        }
        var stage = Stage.open(log.messages, at: "m-30", columns: 90, rows: 14)
        stage.press(.character("/"))
        stage.typeAndWait("is:presence p10* joined")
        stage.press(.enter)
        stage.settle()
        #expect(stage.rows.last?.contains("hit 2 of 11") == true, "\(stage.rows.last ?? "")")
        for hit in 101...103 {
            stage.press(.character("n"))
            stage.settle()
            #expect(stage.screen.contains("P\(hit) has joined"), "\(stage.screen)")
        }
        #expect(
            stage.selection == "m-100" && stage.rows.last?.contains("hit 5 of 11") == true, "\(stage.rows.last ?? "")")
        stage.press(.escape, .character("/"))
        stage.typeAndWait("joined")
        #expect(stage.rows.last?.contains("of 180") == true, "\(stage.screen)")
    }

    /// Some days of talk and runs, with the ends of stretches in them.
    private static func random(_ count: Int, _ random: inout SeededGenerator) -> [Message] {
        var log = Log()
        var stretch = 0
        while log.messages.count < count {
            if Int.random(in: 0..<3, using: &random) == 0 {
                let text = String(repeating: "word ", count: Int.random(in: 1...60, using: &random))
                log.add(text, from: "Ana", after: Int64.random(in: 0...9_000_000, using: &random))
            } else {
                for _ in 0..<Int.random(in: 1...30, using: &random) {
                    let name = "P\(log.messages.count)"
                    let change = [Presence.Change.join, .leave, .nick("new"), .mode].randomElement(using: &random)
                    if Int.random(in: 0..<20, using: &random) == 0 { stretch += 1 }
                    log.add("\(name) does something", from: name, change, stretch: stretch, after: 700_000)
                }
            }
        }
        return log.messages
    }

    @Test(arguments: [UInt64](1...8))
    func `The rows are the same whatever the size of the pages, and loading changes none that was shown`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let talk = Self.random(120, &random)
        let start = talk.randomElement(using: &random)?.id.rawValue
        var all: [[String]] = []
        for size in [1, 2, 7, 50] {
            var stage = Stage.open([], at: nil, columns: 80, rows: 16)
            stage.change { store in
                store.talks = [(Stage.general, talk)]
                store.mostUnits = size
            }
            stage.model = Stage(talk, columns: 80, rows: 16).model
            stage.start(at: start.map { .message(MessageID($0)) } ?? .latest)
            var shown: [MessageID: [String]] = [:]
            func note() {
                for entry in stage.entries {
                    let rows = Self.rows(of: entry)
                    #expect(shown[entry.id] ?? rows == rows, "seed \(seed), pages of \(size)")
                    shown[entry.id] = rows
                }
            }
            while !stage.waiting.isEmpty {
                stage.answer { _ in true }
                note()
            }
            for key in [Key.pageUp, .pageDown] {
                for _ in 0..<60 {
                    stage.press(key)
                    stage.answerAll()
                    note()
                }
            }
            #expect(stage.entries.reduce(0) { $0 + $1.span } == talk.count, "seed \(seed), pages of \(size)")
            #expect(stage.model.main.timeline.windowStart == 0 && stage.model.main.timeline.totalCount == talk.count)
            all.append(stage.entries.flatMap(Self.rows))
        }
        #expect(Set(all).count == 1, "seed \(seed)")
    }

    private static func rows(of entry: Entry) -> [String] {
        let grid = Grid(columns: 80)
        var entry = entry
        entry.fold = nil
        let rows = MessageRows(entry, grid: grid)
        let view = MessageView(
            entry, rows: rows, grid: grid, isSelected: false, target: nil, query: nil, visible: 0..<rows.height)
        return (0..<rows.height).map { view.line($0).spans.map(\.text.string).joined() }
    }
}
