import Messages
import TestSupport
import Testing
import Timeline

@testable import Display
@testable import Interface
@testable import InterfaceSupport

/// An opening is one coherent frame, and what the store adds in the first moments after it is one more.
struct LateChangesTests {
    /// The lists that were published, without those that only grew at an end that is not on the screen.
    private struct Publications {
        private(set) var screens: [[String]] = []
        private(set) var lists: [[MessageID: Message]] = []

        mutating func look(at stage: Stage) {
            let model = stage.model
            let rows = Array(stage.rows.dropFirst(2).dropLast()).map { $0.filter { !"│┃".contains($0) } }
            if screens.last != rows { screens.append(rows) }
            let messages = model.timeline.visibleIndices.map { model.timeline.list[$0].message }
            let list = Dictionary(uniqueKeysWithValues: messages.map { ($0.id, $0) })
            if lists.last != list { lists.append(list) }
        }
    }

    private static func replies(_ count: Int) -> [Message] {
        var script = Script("2025-03-01T00:00:00Z")
        for index in 0..<count {
            script.add("message \(index)", from: index % 3 == 0 ? "Ana" : "Ben", after: 90) { message in
                guard index > 0, index % 4 == 0 else { return }
                let sender = person(index / 2 % 3 == 0 ? "Ana" : "Ben")
                let content = Quote.Content.message(sender: sender, text: "message \(index / 2)")
                message.quote = Quote(id: MessageID("m-\(index / 2)"), content: content)
            }
        }
        return script.messages
    }

    @Test(arguments: [UInt64](1...40))
    func `An opening publishes a loading state and the final list with its previews, and late changes as one more list`(
        seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        let messages = Self.replies(Int.random(in: 1...300, using: &random))
        let target = Int.random(in: 0..<messages.count, using: &random)
        var stage = Stage(messages, columns: Int.random(in: 30...120, using: &random), rows: 20)
        stage.start(at: Bool.random(using: &random) ? .latest : .message(MessageID("m-\(target)")))
        var opening = Publications()
        opening.look(at: stage)
        while !stage.waiting.isEmpty {
            var isFirst = true
            stage.answer { _ in
                defer { isFirst = false }
                return isFirst
            }
            opening.look(at: stage)
        }
        #expect(opening.screens.count == 2, "seed \(seed): \(opening.screens)")
        let quoted = stage.model.timeline.visibleIndices.map { stage.model.timeline.list[$0] }
            .filter { $0.message.quote != nil }
        #expect(quoted.allSatisfy { $0.message.quote?.content != .pending && $0.quote != nil })

        var late = Publications()
        late.look(at: stage)
        var changes: [StoreChange] = []
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            changes.append(Self.change(stage, using: &random))
            stage.send(.changed(Stage.general.id, [changes[changes.count - 1]]))
            late.look(at: stage)
        }
        #expect(late.lists.count == 1, "seed \(seed): not before the store is quiet")
        let reachesEnd = !stage.model.timeline.hasNewer
        stage.passTime()
        late.look(at: stage)
        #expect(late.lists.count <= 2, "seed \(seed): one update")
        let last = Dictionary(
            changes.compactMap { change in change.message.map { ($0.id, change) } }, uniquingKeysWith: { $1 })
        for change in last.values {
            let found = stage.entries.first { $0.id == change.message?.id }
            switch change {
            case .indexed, .replaced, .typing, .readers, .passedOver, .gap, .filled, .reach, .inOwnThreads: break
            case .updated(let message): #expect(found?.message == message, "seed \(seed)")
            case .arrived: #expect((found != nil) == reachesEnd, "seed \(seed)")
            }
        }
    }

    @Test func `A message that a place counts while it waits to be shown is counted once`() throws {
        var stage = Stage.open(Script.long(400), at: "m-50", columns: 72, rows: 12)
        #expect(stage.screen.contains("of 400"))
        let first = try #require(stage.entries.first?.id)
        stage.send(.changed(Stage.general.id, [Self.arrival("new")]))
        // The store has counted it.
        let place = Place(index: try #require(stage.model.timeline.windowStart), total: 401)
        stage.send(.reply(.place(Stage.general.id, first), .place(.success((place, [])))))
        stage.passTime()
        #expect(stage.screen.contains("of 401"))
        #expect(stage.others.contains { if case .ask(.place, _) = $0 { true } else { false } })
        stage.send(.reply(.place(Stage.general.id, first), .place(.success((place, [])))))
        #expect(stage.screen.contains("of 401"))
    }

    private static func arrival(_ id: String) -> StoreChange {
        .arrived(
            Message(
                id: MessageID(id), at: Timestamp(milliseconds: 1_741_608_000_000), sender: person("Cy"), text: id,
                cursor: Cursor(token: "400")))
    }

    @Test func `A message that a place counts before its arrival is counted once`() throws {
        var stage = Stage.open(Script.long(400), at: nil, columns: 72, rows: 12)
        stage.passTime()
        let first = try #require(stage.entries.first?.id)
        let start = try #require(stage.model.timeline.windowStart)
        stage.send(.reply(.place(Stage.general.id, first), .place(.success((Place(index: start, total: 402), [])))))
        stage.send(.changed(Stage.general.id, [Self.arrival("new")]))
        #expect(stage.screen.contains("of 402"), "another is still to come")
        stage.send(.changed(Stage.general.id, [Self.arrival("newer")]))
        #expect(stage.screen.contains("402 of 402"))
        stage.send(.reply(.place(Stage.general.id, first), .place(.success((Place(index: start, total: 401), [])))))
        #expect(stage.screen.contains("402 of 402"), "it was counted before the newest came")
    }

    @Test func `After a window that does not reach the end, the store counts arrivals, once a pause`() throws {
        var stage = Stage.open(Script.long(400), at: "m-50", columns: 72, rows: 12)
        stage.passTime()
        stage.passTime()
        func questions() -> Int { stage.others.count { if case .ask(.place, _) = $0 { true } else { false } } }
        let before = questions()
        let first = try #require(stage.entries.first?.id)
        let place = Place(index: try #require(stage.model.timeline.windowStart), total: 401)
        stage.send(.reply(.place(Stage.general.id, first), .place(.success((place, [])))))
        for id in ["new", "newer"] { stage.send(.changed(Stage.general.id, [Self.arrival(id)])) }
        #expect(stage.screen.contains("of 403") && questions() == before)
        stage.passTime()
        #expect(questions() == before + 1)
        stage.send(
            .reply(.place(Stage.general.id, first), .place(.success((Place(index: place.index, total: 402), [])))))
        #expect(stage.screen.contains("of 402"))
        stage.passTime()
        #expect(questions() == before + 1, "nothing has come in since")
        stage.send(.changed(Stage.general.id, [Self.arrival("newest")]))
        stage.passTime()
        #expect(stage.screen.contains("of 403") && questions() == before + 2)
    }

    @Test func `The first list waits until the store is quiet, but no longer than a second`() throws {
        let messages = Self.replies(60)
        var stage = Stage.open(messages, at: nil)
        func pauses() -> [Event] {
            stage.others.compactMap { if case .wait(_, let event) = $0, case .pause = event { event } else { nil } }
        }
        func edit(_ text: String) -> StoreChange {
            var message = messages[59]
            message.text = text
            return .updated(message)
        }
        let end = try #require(pauses().last)
        stage.send(.changed(Stage.general.id, [edit("first")]))
        let first = try #require(pauses().last)
        stage.send(.changed(Stage.general.id, [edit("second")]))
        let second = try #require(pauses().last)
        stage.send(first)
        #expect(!stage.screen.contains("first") && !stage.screen.contains("second"), "not quiet yet")
        stage.send(second)
        #expect(stage.screen.contains("second"))
        stage.send(.changed(Stage.general.id, [edit("third")]))
        #expect(!stage.screen.contains("third"))
        stage.send(end)
        #expect(stage.screen.contains("third"), "the first second is over")
        stage.send(.changed(Stage.general.id, [edit("fourth")]))
        #expect(stage.screen.contains("fourth"), "from now on at once")
    }

    /// Scrolls up until a page is asked for, and says before which message.
    private static func askForOlder(_ stage: inout Stage) throws -> Int {
        for _ in 0..<50 where stage.requests.isEmpty { stage.press(.pageUp) }
        let first = stage.requests.first.flatMap { request in
            if case .before(let cursor) = request.position { Int(cursor.token) } else { nil }
        }
        return try #require(first, "no page asked for")
    }

    @Test func `A change kept for a page that failed does not override later ones`() throws {
        let messages = Script.long(300)
        var stage = Stage.open(messages, at: "m-150")
        stage.passTime()
        let first = try Self.askForOlder(&stage)
        var edited = messages[first - 10]
        edited.text = "said better"
        stage.send(.changed(Stage.general.id, [.updated(edited)]))
        stage.failAll()
        edited.text = "said best"
        stage.send(.changed(Stage.general.id, [.updated(edited)]))
        stage.change { $0.talks[0].messages[first - 10].text = "said best" }
        stage.passTime()
        stage.answerAll()
        let index = try #require(stage.model.timeline.list.index(of: edited.id))
        #expect(stage.model.timeline.list[index].message.text == "said best")
    }

    @Test func `The first messages of an empty conversation are all shown, whatever was on its way`() throws {
        var stage = Stage.open([], at: nil)
        stage.passTime()
        stage.press(.end)
        let answers = stage.waiting.flatMap(stage.store.answer)
        #expect(!answers.isEmpty)
        stage.forgetWaiting()
        var script = Script("2025-03-09T00:00:00Z")
        for text in ["first", "second", "third"] { script.add(text, from: "Cy", id: text) }
        stage.send(.changed(Stage.general.id, [.arrived(script.messages[0])]))
        stage.send(.changed(Stage.general.id, [.arrived(script.messages[1])]))
        for answer in answers { stage.send(answer) }
        stage.passTime()
        stage.send(.changed(Stage.general.id, [.arrived(script.messages[2])]))
        #expect(stage.entries.map(\.id.rawValue) == ["first", "second", "third"])
    }

    /// An edit of a message on the screen, or an arrival.
    private static func change(_ stage: Stage, using random: inout SeededGenerator) -> StoreChange {
        let timeline = stage.model.timeline
        if Bool.random(using: &random), let index = timeline.visibleIndices.randomElement(using: &random) {
            var message = timeline.list[index].message
            message.text += " and more"
            message.isEdited = true
            return .updated(message)
        }
        var script = Script("2025-03-09T00:00:00Z")
        script.add("late", from: "Cy", id: "late-\(Int.random(in: 0...1_000_000, using: &random))")
        return .arrived(script.messages[0])
    }

    @Test func `A change without an effect publishes no list and no frame`() throws {
        var stage = Stage.open(Self.replies(100), at: "m-50")
        stage.passTime()
        let before = stage.frame
        let entries = stage.entries
        for index in stage.model.timeline.visibleIndices {
            stage.send(.changed(Stage.general.id, [.updated(stage.model.timeline.list[index].message)]))
        }
        let again = try #require(stage.model.timeline.list.last).message
        stage.send(.changed(Stage.general.id, [.arrived(again)]))
        #expect(stage.frame == before)
        #expect(stage.entries == entries)
        #expect(stage.model.pane.newCount == 0)
    }

    @Test func `An edit that comes while a page is on its way is in the page, even if the page was read before`() throws
    {
        let messages = Script.long(300)
        var stage = Stage.open(messages, at: "m-150")
        stage.passTime()
        let first = try Self.askForOlder(&stage)
        var edited = messages[first - 10]
        edited.text = "said better"
        edited.isEdited = true
        stage.send(.changed(Stage.general.id, [.updated(edited)]))
        stage.answerAll()
        let index = try #require(stage.model.timeline.list.index(of: edited.id))
        #expect(stage.model.timeline.list[index].message.text == "said better")
    }

    @Test func `A message that comes while the last page is on its way is not lost, and leaves no gap`() throws {
        let messages = Script.long(300)
        var stage = Stage.open(messages, at: "m-200")
        stage.passTime()
        for _ in 0..<50 where stage.requests.isEmpty { stage.press(.pageDown) }
        #expect(stage.requests.count == 1)
        let stale = stage.waiting
        var script = Script("2025-03-09T00:00:00Z")
        script.add("just now", from: "Cy", id: "new")
        let answers = stale.flatMap(stage.store.answer)
        stage.change { $0.talks[0].messages += [script.messages[0].at(300)] }
        stage.send(.changed(Stage.general.id, [.arrived(script.messages[0].at(300))]))
        stage.forgetWaiting()
        for answer in answers { stage.send(answer) }
        stage.answerAll()
        for _ in 0..<10 {
            stage.press(.pageDown)
            stage.answerAll()
        }
        #expect(stage.model.timeline.list.last?.id == MessageID("new"))
        let ids = stage.entries.map(\.id.rawValue)
        let expected = (messages.map(\.id.rawValue) + ["new"]).suffix(ids.count)
        #expect(ids == Array(expected))
    }

    @Test func `A message that came while another list was on its way is in that list`() throws {
        let messages = Script.long(300)
        var stage = Stage.open(messages, at: "m-100")
        stage.passTime()
        stage.press(.end)
        let stale = stage.waiting
        let answers = stale.flatMap(stage.store.answer)
        var edited = messages[299]
        edited.text = "said better"
        var script = Script("2025-03-09T00:00:00Z")
        script.add("just now", from: "Cy", id: "new")
        stage.change { $0.talks[0].messages += [script.messages[0].at(300)] }
        stage.send(.changed(Stage.general.id, [.updated(edited)]))
        stage.send(.changed(Stage.general.id, [.arrived(script.messages[0].at(300))]))
        stage.forgetWaiting()
        for answer in answers { stage.send(answer) }
        stage.answerAll()
        #expect(stage.screen.contains("said better"))
        #expect(stage.model.timeline.list.last?.id == MessageID("new"))
        #expect(stage.model.timeline.viewport.isFollowing)
    }
}

extension Message {
    /// The same message at a place of the fake store.
    fileprivate func at(_ index: Int) -> Message {
        Message(id: id, at: at, sender: sender, text: text, cursor: Messages.Cursor(token: "\(index)"))
    }
}

/// What quotes a message that changes.
struct QuoteChangesTests {
    @Test func `A quote shows the current text of its message, even of one that is not loaded`() throws {
        var messages = Script.long(30)
        for index in [20, 25] {
            messages[index].quote = Quote(
                id: index == 20 ? MessageID("m-18") : MessageID("far"),
                content: .message(sender: messages[18].sender, text: "as it was"))
        }
        var stage = Stage.open(messages, at: "m-22")
        stage.passTime()
        #expect(stage.rows.count { $0.contains("as it was") } == 2)
        var edited = messages[18]
        edited.text = "as it is"
        let far = Message(
            id: MessageID("far"), at: messages[0].at, sender: messages[0].sender, text: "", isDeleted: true,
            cursor: Messages.Cursor(token: "far"))
        let before = stage.rows
        stage.send(.changed(Stage.general.id, [.updated(edited), .updated(far)]))
        stage.passTime()
        #expect(!stage.screen.contains("as it was"))
        #expect(stage.screen.contains("as it is") && stage.screen.contains("↳ message deleted"))
        #expect(
            zip(stage.rows, before).allSatisfy {
                $0.contains("↳") || $0.contains("m-18") || $0 == $1 || $0.contains("as it is")
            })
    }
}
