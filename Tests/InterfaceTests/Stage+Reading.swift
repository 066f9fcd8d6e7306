import Display
import Messages
import Testing
import Timeline

@testable import Interface
@testable import InterfaceSupport

/// A conversation that has been read before.
extension Stage {
    /// Opens with so many messages read before; with none or nil the conversation has not been seen.
    static func open(
        _ messages: [Message], read count: Int?, at id: String? = nil, columns: Int = 72, rows: Int = 14,
        capacity: Int = 1_000, beside: [(Conversation, [Message])] = [], me: PersonID? = nil
    ) -> Stage {
        let last = count.flatMap { $0 > 0 ? messages[$0 - 1].id : nil }
        return open(
            messages, reading: last.map { ReadPosition(message: $0, index: count.map { $0 - 1 }) }, at: id,
            columns: columns, rows: rows, capacity: capacity, beside: beside, me: me)
    }

    static func open(
        _ messages: [Message], reading position: ReadPosition?, at id: String? = nil, columns: Int = 72, rows: Int = 14,
        capacity: Int = 1_000, beside: [(Conversation, [Message])] = [], me: PersonID? = nil
    ) -> Stage {
        var stage = Stage(messages, columns: columns, rows: rows, me: me)
        stage.change { $0.talks += beside }
        stage.model.reader.reading.states.positions[Stage.general.id] = position
        stage.model.reader.pane.timeline = Timeline(
            ruler: MessageRuler(grid: Grid(columns: columns)), height: Rows(rows: rows).messages, capacity: capacity)
        stage.start(at: id.map { .message(MessageID($0)) } ?? .latest)
        stage.answerAll()
        stage.passTime()
        return stage
    }

    /// A message that arrives after the others of the conversation of the test.
    mutating func arrive() {
        let count = store.talks[0].messages.count
        guard let message = Script.long(count + 1).last else { return }
        change { $0.talks[0].messages.append(message) }
        passTime()
        send(.changed(Stage.general.id, [.arrived(message)]))
        passTime()
    }

    mutating func go(to id: String) {
        press(.control("k"))
        answerAll()
        passTime()
        type(id)
        press(.enter)
        answerAll()
        passTime()
    }

    /// What counted as read, in order.
    var marks: [String] {
        others.compactMap {
            if case .markRead(_, let position) = $0 { position.message?.rawValue ?? "nothing" } else { nil }
        }
    }

    var positions: [ReadPosition] {
        others.compactMap { if case .markRead(_, let position) = $0 { position } else { nil } }
    }

    /// The line is nowhere but above that message, in the window and on the screen.
    func expectLine(
        above index: Int?, _ comment: Comment? = nil, location: SourceLocation = #_sourceLocation
    ) {
        let wanted = index.map { MessageID("m-\($0)") }
        let found = entries.filter(\.startsUnread).map(\.id)
        let expected = entries.map(\.id).filter { $0 == wanted }
        #expect(found == expected, comment, sourceLocation: location)
        let drawn = rows.filter { $0.contains("─ new ") }
        #expect(drawn.count <= expected.count, comment, sourceLocation: location)
    }
}
