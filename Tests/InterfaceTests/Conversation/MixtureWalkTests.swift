import Display
import Messages
import TestSupport
import Testing
import Timeline

@testable import Interface
@testable import InterfaceSupport

/// Random walks through a conversation with days, quotes, unread messages and texts of several rows, while everything happens
/// to it at once. Nothing moves by itself; a conversation that fits begins at the top; the cursor stands on a text.
struct MixtureWalkTests {
    static let seeds: [UInt64] = (0..<12).map { _ in .random(in: 0...UInt64.max) }

    private static let sizes = [(40, 10), (100, 30), (200, 60)]
    private static let other = Conversation(id: ConversationID("other"), title: "Other", topic: "")

    /// A message of a conversation that gets a new day every few messages.
    private static func message(_ number: Int, _ random: inout SeededGenerator) -> Message {
        let rows = [1, 1, 1, 2, 3, 12].randomElement(using: &random) ?? 1
        var message = Message(
            id: MessageID("m-\(number)"), at: Timestamp(milliseconds: 1_741_000_000_000 + Int64(number) * 7_000_000),
            sender: person(["Ana", "Ben", "Cy"][abs(number) / 2 % 3]),
            text: (0..<rows).map { "message \(number) row \($0) @ana" }.joined(separator: "\n"),
            cursor: Messages.Cursor(token: "\(number)"))
        if number % 5 == 0 {
            message.quote = Quote(
                id: MessageID("m-\(number - 3)"), content: .message(sender: person("Ben"), text: "quoted"))
        }
        return message
    }

    /// The contents of a row of the screen.
    private struct Cell: Hashable {
        let id: MessageID
        let place: Int
    }

    /// The rows of the pane with a message's content.
    private func cells(_ stage: Stage) -> [Int: Cell] {
        let timeline = stage.model.timeline
        var cells: [Int: Cell] = [:]
        for row in 0..<timeline.viewport.height {
            guard let index = timeline.layout.index(at: timeline.viewport.top + row) else { continue }
            let place = timeline.measure(of: index).place(ofRow: row - timeline.screenRow(of: index))
            if place >= 0 { cells[row] = Cell(id: timeline.list[index].id, place: place) }
        }
        return cells
    }

    /// The row that has to stay: the first one of the message under the cursor, else the first of all.
    private func anchor(_ stage: Stage) -> (row: Int, cell: Cell)? {
        let rows = cells(stage).sorted { $0.key < $1.key }.map { (row: $0.key, cell: $0.value) }
        return rows.first { $0.cell.id == stage.model.timeline.selection } ?? rows.first
    }

    /// Something that the user does. Returns whether it can move rows.
    private func act(_ stage: inout Stage, _ random: inout SeededGenerator) {
        let keys: [Key] = [
            .up, .down, .up, .down, .pageUp, .pageUp, .pageDown, .home, .end, .control("e"), .control("y"),
            .control("u"), .control("d"), .control("o"), .tab, .enter, .character("n"), .character("u"), .escape,
        ]
        switch Int.random(in: 0..<12, using: &random) {
        case 0: stage.typeAndWait("/row 2\n")
        case 1:
            stage.mouse(.press(clicks: 1), row: Int.random(in: 2..<stage.model.size.rows, using: &random), column: 12)
        case 2: stage.mouse(.wheelUp, row: 4)
        default: stage.press(keys.randomElement(using: &random) ?? .up, times: Int.random(in: 1...3, using: &random))
        }
    }

    /// Something that happens by itself.
    /// - Parameter numbers: of all messages so far. One that is removed does not come back: the cursor would return to it.
    private func happen(
        _ stage: inout Stage, _ messages: inout [Message], _ numbers: inout ClosedRange<Int>,
        _ random: inout SeededGenerator
    ) {
        let id = Stage.general.id
        func set(_ all: [Message]) -> [Message] {
            stage.change { store in
                store.talks[0].messages = all.enumerated().map { index, message in
                    var message = message
                    message = Message(
                        id: message.id, at: message.at, sender: message.sender, kind: message.kind, text: message.text,
                        quote: message.quote, isEdited: message.isEdited, isDeleted: message.isDeleted,
                        reactions: message.reactions, replyCount: message.replyCount,
                        cursor: Messages.Cursor(token: "\(index)"))
                    return message
                }
                return store.talks[0].messages
            }
        }
        func number(_ message: Message?) -> Int { message.flatMap { Int($0.id.rawValue.dropFirst(2)) } ?? 0 }
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1:
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                numbers = numbers.lowerBound...numbers.upperBound + 1
                messages = set(messages + [Self.message(numbers.upperBound, &random)])
                if let new = messages.last { stage.send(.changed(id, [.arrived(new)])) }
            }
        case 2...5:
            guard let index = messages.indices.randomElement(using: &random) else { return }
            // One that is loaded, most of the time.
            let shown = stage.entries.randomElement(using: &random).flatMap { entry in
                messages.firstIndex { $0.id == entry.id }
            }
            let place = shown ?? index
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                messages[place].text = Self.message(number(messages[place]), &random).text
                messages[place].isEdited = true
            case 1: messages[place].isDeleted = true
            case 2: messages[place].reactions = [Reaction(emoji: "👍", people: [person("Cy")])]
            default: messages[place].replyCount += 1
            }
            messages = set(messages)
            stage.send(.changed(id, [.updated(messages[place])]))
        case 6:
            // An older segment.
            let first = numbers.lowerBound
            let older = (1...Int.random(in: 1...30, using: &random)).map { Self.message(first - $0, &random) }
            numbers = first - older.count...numbers.upperBound
            messages = set(older.reversed() + messages)
            stage.send(.changed(id, [.replaced]))
        case 7:
            // The log is written again, without some of its messages.
            messages = set(messages.filter { _ in Int.random(in: 0..<40, using: &random) > 0 })
            stage.send(.changed(id, [.replaced]))
        case 8:
            stage.failAll("the line is down")
        case 9: stage.passTime()
        default: stage.answerAll()
        }
    }

    @Test(arguments: seeds) func `Whatever happens, nothing moves by itself`(seed: UInt64) throws {
        print("mixture walk: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let (columns, rows) = Self.sizes.randomElement(using: &random) ?? (40, 10)
        let count = [3, 12, 40, 300].randomElement(using: &random) ?? 300
        var messages = (0..<count).map { Self.message($0, &random) }
        var numbers = 0...count - 1
        var stage = Stage.open(
            messages, at: Bool.random(using: &random) ? "m-\(count / 2)" : nil, columns: columns, rows: rows,
            me: PersonID("ana"))
        stage.settle()
        var tally = [0, 0]
        for step in 0..<150 {
            let comment: Comment = "seed \(seed), step \(step), \(columns) x \(rows)"
            if Int.random(in: 0..<3, using: &random) == 0 {
                act(&stage, &random)
                // A menu, a thread or a jump that is on its way is no part of this.
                stage.answerAll()
                if stage.model.isInThread { stage.press(.escape) }
                stage.answerAll()
                check(stage, comment)
                continue
            }
            let before = anchor(stage)
            let held = !stage.model.timeline.viewport.isFollowing && !stage.model.timeline.isWhole
            let isMove = stage.model.pending.map { $0.leaving != .reload } ?? false
            happen(&stage, &messages, &numbers, &random)
            check(stage, comment)
            guard let before, held, !isMove, !stage.model.timeline.isWhole,
                let index = stage.model.timeline.list.index(of: before.cell.id)
            else { continue }
            tally[0] += 1
            let timeline = stage.model.timeline
            let row = timeline.screenRow(of: index) + timeline.measure(of: index).row(ofPlace: before.cell.place)
            #expect(row == before.row, "\(comment): \(before.cell) was on row \(before.row)\n\(stage.screen)")
        }
        print("\(tally[0]) rows held")
    }

    private func check(_ stage: Stage, _ comment: Comment) {
        let timeline = stage.model.timeline
        let cells = cells(stage)
        if timeline.isWhole, timeline.count > 0 {
            #expect(
                (0...1).contains(timeline.screenRow(of: 0)), "\(comment): what fits is not at the top\n\(stage.screen)")
        }
        if stage.model.pending == nil, timeline.viewport.isFollowing, timeline.count > 0 {
            #expect(timeline.viewport.isAtEnd(of: timeline.content), "\(comment): the end is not followed")
        }
        #expect(cells.isEmpty == (timeline.count == 0), "\(comment): no message is on the screen\n\(stage.screen)")
        #expect(stage.frame.lines.count == stage.model.size.rows, comment)
    }

    // MARK: - The ways back

    /// Where each text begins on the screen.
    private func texts(_ stage: Stage) -> [MessageID: Int] {
        let cells = cells(stage).filter { $0.value.place == 0 }
        return Dictionary(cells.map { ($0.value.id, $0.key) }) { first, _ in first }
    }

    @Test(arguments: [0, 1, 2], [true, false])
    func `After the conversation has got older messages of the same day, ^O shows the same rows`(
        size: Int, isUnread: Bool
    ) throws {
        let (columns, rows) = Self.sizes[size]
        // All of one day, so that the first one has its line only until older ones come.
        let all = Script.long(300, seconds: 60)
        let shown = Array(all.dropFirst(100))
        var stage: Stage
        if isUnread {
            stage = Stage.open(shown, read: 60, columns: columns, rows: rows)
        } else {
            stage = Stage.open(shown, at: nil, columns: columns, rows: rows)
        }
        stage.change { $0.talks.append((Self.other, Script.long(30))) }
        stage.settle()
        if !isUnread { stage.press(.home) }
        stage.settle()
        let before = texts(stage)
        #expect(!before.isEmpty)
        if isUnread {
            // All is read, and the line of unread messages stays.
            stage.press(.end)
            stage.settle()
        }
        stage.press(.control("k"))
        stage.settle()
        stage.typeAndWait("other")
        stage.press(.enter)
        stage.settle()
        #expect(stage.model.conversation?.id == Self.other.id)
        stage.change { store in
            store.talks[0].messages = all.enumerated().map { index, message in
                Message(
                    id: message.id, at: message.at, sender: message.sender, text: message.text,
                    cursor: Messages.Cursor(token: "\(index)"))
            }
        }
        stage.press(.control("o"))
        stage.settle()
        #expect(stage.model.conversation?.id == Stage.general.id)
        if isUnread {
            stage.press(.control("o"))
            stage.settle()
        }
        let after = texts(stage)
        let moved = before.filter { after[$0.key] != $0.value }
        #expect(moved.isEmpty, "\(moved.count) of \(before.count) moved\n\(stage.screen)")
    }

    @Test func `A message that begins a day stays on the screen with its cursor in a lower terminal`() throws {
        let messages = Script.long(400, seconds: 7_200)
        let first = try #require(
            messages.first { $0.at.milliseconds % 86_400_000 < 7_200_000 && $0.at > messages[150].at })
        for rows in [8, 9, 10, 12, 20] {
            var stage = Stage.open(messages, at: first.id.rawValue, columns: 100, rows: 30)
            stage.settle()
            stage.send(.resized(Size(columns: 100, rows: rows)))
            #expect(texts(stage)[first.id] != nil, "\(rows)\n\(stage.screen)")
            #expect(stage.rows.contains { $0.hasPrefix("▌") && $0.contains(first.text) }, "\(rows)\n\(stage.screen)")
        }
    }

    /// Whether a row has the mark of the cursor: a bar, the sign of the message that one has jumped to, or the reversed sign of
    /// a message that names the user.
    private func hasCursor(_ stage: Stage) -> Bool {
        let signs = stage.frame.lines.dropFirst(2).dropLast().compactMap(\.spans.first)
        return signs.contains {
            ["▌", "►"].contains($0.text) || $0.text == "@" && $0.style.attributes.contains(.reverse)
        }
    }

    @Test func `The cursor always shows its mark, however one scrolls past lines of days and quotes`() {
        var random = SeededGenerator(seed: 1)
        let messages = (0..<80).map { Self.message($0, &random) }
        for (columns, rows) in Self.sizes {
            for key in [Key.down, .control("e"), .pageDown, .control("d")] {
                var stage = Stage.open(messages, at: "m-0", columns: columns, rows: rows, me: PersonID("ana"))
                stage.settle()
                for _ in 0..<120 {
                    stage.press(key)
                    stage.answerAll()
                    let selected = cells(stage).values.contains { $0.id == stage.model.timeline.selection }
                    #expect(selected && hasCursor(stage), "\(stage.screen)")
                }
            }
        }
    }
}
