import Messages
import TestSupport
import Testing
import Timeline

@testable import Display
@testable import Interface

/// Day headers and groups are final when a row is first shown.
struct HeadersTests {
    /// Senders who write in runs, at times that are equal, go back, and pass midnight.
    private static func talk(_ count: Int, using random: inout SeededGenerator) -> [Message] {
        var script = Script("2025-03-01T22:00:00Z")
        let steps: [Int64] = [0, 0, 1, 20, 59, 61, 240, 301, -30, -4_000, 3_000, 30_000]
        let kinds: [Message.Kind] = [.text, .text, .text, .text, .action, .system]
        for index in 0..<count {
            script.add(
                "message \(index)", from: ["Ana", "Ben"].randomElement(using: &random),
                after: steps.randomElement(using: &random) ?? 0, kind: kinds.randomElement(using: &random) ?? .text)
        }
        return script.messages
    }

    /// What of an entry depends on the message before it.
    private struct Header: Hashable {
        let date: CivilDate
        let startsDay: Bool
        let startsGroup: Bool
        let startsMinute: Bool

        init(_ entry: Entry) {
            (date, startsDay) = (entry.date, entry.startsDay)
            (startsGroup, startsMinute) = (entry.startsGroup, entry.startsMinute)
        }
    }

    @Test(arguments: [UInt64](1...25))
    func `In any order of loading, and after eviction, each row is as in the whole conversation`(
        seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        let messages = Self.talk(400, using: &random)
        let whole = Entry.entries(messages, after: nil, zone: .utc)
        let headers = Dictionary(uniqueKeysWithValues: whole.map { ($0.id, Header($0)) })
        var stage = Stage(messages, columns: [40, 80].randomElement(using: &random) ?? 80, rows: 10)
        // So small that most of what was seen is evicted.
        stage.model.reader.pane.timeline = Timeline(
            ruler: stage.model.timeline.ruler, height: 7, capacity: 60,
            prefetch: Prefetch(pageSize: Int.random(in: 1...30, using: &random), rows: 5, screens: 1))
        stage.start(at: .message(MessageID("m-\(Int.random(in: 0..<400, using: &random))")))
        stage.answerAll()
        var seen: Set<MessageID> = []
        var gone: Set<MessageID> = []
        var returned = 0
        for step in 0..<150 {
            let keys: [Key] = [.pageUp, .pageUp, .pageDown, .home, .end, .up, .down]
            stage.press(keys.randomElement(using: &random) ?? .up, times: Int.random(in: 1...4, using: &random))
            // Either side first.
            let prefersOlder = Bool.random(using: &random)
            stage.answer { effect in
                if case .ask(_, .page(let ticket)) = effect {
                    (ticket.load.side == .older) == prefersOlder
                } else {
                    false
                }
            }
            stage.answerAll()
            let entries = stage.entries
            let ids = Set(entries.map(\.id))
            returned += gone.intersection(ids).count
            seen.formUnion(ids)
            gone = seen.subtracting(ids)
            let wrong = entries.first { headers[$0.id] != Header($0) }
            #expect(wrong == nil, "seed \(seed), step \(step): \(wrong?.id.rawValue ?? "")")
            let first = Int(entries.first?.cursor.token ?? "") ?? 0
            #expect(
                entries.map(\.id) == messages[first..<first + entries.count].map(\.id), "seed \(seed), step \(step)")
            #expect(entries.count <= stage.model.timeline.cap)
        }
        #expect(returned > 0, "seed \(seed): nothing was evicted and loaded again")
    }
}
