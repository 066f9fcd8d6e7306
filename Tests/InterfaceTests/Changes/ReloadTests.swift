import Messages
import TestSupport
import Testing
import Timeline

@testable import Display
@testable import Interface
@testable import InterfaceSupport

/// A conversation is rewritten while one looks: the screen stays on what survives.
struct ReloadTests {
    /// Messages with these IDs, some of them of several rows.
    /// - Parameter minute: instead of the IDs, for the time.
    private static func talk(_ ids: [Int], thread: MessageID? = nil, at minute: Int? = nil) -> [Message] {
        ids.enumerated().map { place, id in
            let rows = id % 5 == 0 ? 1 + id % 3 : 1
            return Message(
                id: MessageID("m-\(id)"),
                at: Timestamp(milliseconds: 1_740_000_000_000 + Int64(minute ?? id) * 400_000),
                sender: person(id % 2 == 0 ? "Ana" : "Ben"),
                text: (0..<rows).map { "message \(id) row \($0)" }.joined(separator: "\n"), thread: thread,
                cursor: Messages.Cursor(token: "\(place)"))
        }
    }

    private static func stage(_ ids: [Int], at id: Int?, rows: Int = 16) -> Stage {
        var stage = Stage.open(talk(ids), at: id.map { "m-\($0)" }, rows: rows)
        stage.settle()
        return stage
    }

    /// The row of the screen on which a text stands.
    private static func row(_ text: String, _ stage: Stage) -> Int? {
        stage.rows.firstIndex { $0.contains(text + " ") || $0.hasSuffix(text) }
    }

    /// The rows of the messages, without the scroll bar.
    private static func area(_ stage: Stage) -> [String] {
        stage.rows.dropFirst(2).dropLast().map { row in String(row.filter { !"│┃┤┫".contains($0) }) }
    }

    private static func rewrite(_ stage: inout Stage, _ messages: [Message]) {
        stage.change { $0.talks[0].messages = messages }
        stage.send(.changed(Stage.general.id, [.replaced]))
    }

    @Test func `When the selected message goes, its nearest survivor takes its row and the cursor`() throws {
        var stage = Self.stage(Array(0..<400), at: 202)
        let row = try #require(Self.row("message 202 row 0", stage))
        let below = try #require(Self.row("message 204 row 0", stage))
        Self.rewrite(&stage, Self.talk((0..<400).filter { $0 != 202 }))
        stage.settle()
        #expect(Self.row("message 203 row 0", stage) == row)
        #expect(stage.selection == "m-203")
        #expect(Self.row("message 204 row 0", stage) == below - 1)
        #expect(!stage.screen.contains("not loaded"))
    }

    @Test func `A removal above the screen moves nothing, and the position follows`() {
        var stage = Self.stage(Array(0..<400), at: 202)
        let before = Self.area(stage)
        Self.rewrite(&stage, Self.talk(Array(50..<400)))
        stage.settle()
        #expect(Self.area(stage) == before)
        #expect(stage.rows[0].contains("153 of 350"))
    }

    @Test func `When the whole window goes, the messages of that time take its place`() throws {
        var stage = Self.stage(Array(0..<2_000), at: 1_001)
        let row = try #require(Self.row("message 1001 row 0", stage))
        Self.rewrite(&stage, Self.talk(Array(0..<100) + Array(1_900..<2_000)))
        stage.settle()
        #expect(Self.row("message 1900 row 0", stage) == row)
        #expect(stage.selection == "m-1900")
    }

    @Test(arguments: [true, false])
    func `A conversation that is empty for a while comes back in its place`(isTold: Bool) {
        for target in [202, nil] {
            var stage = Self.stage(Array(0..<400), at: target)
            if target != nil { stage.press(.pageUp) }
            stage.settle()
            let before = Self.area(stage)
            Self.rewrite(&stage, [])
            stage.settle()
            #expect(stage.model.timeline.list.isEmpty && stage.model.opening == .shown)
            let all = Self.talk(Array(0..<400))
            stage.change { $0.talks[0].messages = all }
            stage.send(.changed(Stage.general.id, isTold ? [.replaced] : all.map { .arrived($0) }))
            stage.settle()
            #expect(Self.area(stage) == before, "at \(target ?? -1)")
            #expect(stage.model.pane.lost == nil)
        }
    }

    @Test func `While following, the bottom stays the bottom, whatever happens at the end`() {
        for new in [Array(0..<390), Array(0..<420), Array(380..<400), [7], Array(1_000..<1_100)] {
            var stage = Self.stage(Array(0..<400), at: nil)
            Self.rewrite(&stage, Self.talk(new))
            stage.settle()
            #expect(stage.model.timeline.viewport.isFollowing)
            #expect(stage.selection == new.last.map { "m-\($0)" })
            // What fits stands at the top, below the beginning of the conversation and the line of the day.
            let row = new.count == 1 ? 4 : stage.rows.count - 2
            #expect(stage.rows[row].contains("message \(new.last ?? 0) row"))
        }
    }

    @Test func `Messages after the old end that come with a rewritten log count as new below`() {
        var stage = Self.stage(Array(0..<60), at: 30)
        #expect(!stage.screen.contains("↓"))
        Self.rewrite(&stage, Self.talk(Array(0..<63)))
        stage.settle()
        #expect(stage.screen.contains("↓ 3 new"))
        Self.rewrite(&stage, Self.talk(Array(0..<63)))
        stage.settle()
        #expect(stage.screen.contains("↓ 3 new"))
        // A message with the time of the last one arrives.
        let late = Self.talk([63], at: 62)[0]
        stage.change { $0.talks[0].messages.append(late) }
        stage.send(.changed(Stage.general.id, [.arrived(late)]))
        stage.settle()
        #expect(stage.screen.contains("↓ 4 new"))
    }

    @Test func `Without a response nothing changes, and then the new messages are shown`() throws {
        var stage = Self.stage(Array(0..<400), at: 202)
        let row = try #require(Self.row("message 202 row 0", stage))
        let before = Self.area(stage)
        Self.rewrite(&stage, Self.talk((0..<400).filter { $0 != 202 }))
        stage.failAll()
        #expect(Self.area(stage) == before)
        stage.press(.up)
        stage.settle()
        #expect(Self.row("message 201 row 0", stage) == row - 1 && stage.selection == "m-201")
        #expect(Self.row("message 202 row 0", stage) == nil)
    }

    @Test func `A user who has moved within the window meanwhile stays there`() throws {
        var stage = Self.stage(Array(0..<400), at: 202)
        for _ in 0..<12 {
            stage.press(.pageUp)
            stage.settle()
        }
        stage.press(.pageDown, times: 11)
        Self.rewrite(&stage, Self.talk((0..<400).filter { $0 % 7 != 0 }))
        stage.press(.pageUp, times: 11)
        let selected = try #require(stage.selection)
        let row = stage.rows.firstIndex { $0.hasPrefix("▌") }
        stage.settle()
        #expect(stage.selection == selected)
        #expect(stage.rows.firstIndex { $0.hasPrefix("▌") } == row)
        Self.expectSlice(stage)
    }

    /// The order in which three things arrive: the log that is read again, the new size, and the page for that size.
    enum Order: CaseIterable { case reload, sizeAndReload, sizeAndPage }

    private static let sizes = [(100, 30), (200, 60), (30, 7)].map { Size(columns: $0, rows: $1) }

    @Test(arguments: sizes, Order.allCases)
    func `A log that is read again moves nothing before or after a resize, nor does the way back`(
        size: Size, order: Order
    ) throws {
        let first = Size(columns: 40, rows: 10)
        var stage = Stage.open(Self.talk(Array(0..<400)), at: "m-202", columns: first.columns, rows: first.rows)
        stage.settle()
        stage.press(.home)
        stage.settle()
        stage.press(.pageDown, times: 4)
        #expect(stage.model.timeline.count == 50 && stage.waiting.isEmpty)
        let before = Self.area(stage)
        Self.rewrite(&stage, Self.talk(Array(0..<400)))
        if order == .reload { stage.answerAll() }
        stage.send(.resized(size))
        let wanted = min(try Self.anchoredRow(stage).own, stage.model.timeline.viewport.height - 1)
        let row = try Self.anchoredRow(stage).now
        // Fifty messages do not fill the tallest screen: the row of their edge is the last one until more are there.
        let isHeld = size.rows == 60 && order != .reload
        #expect(stage.rows[stage.rows.count - 2].contains("loading newer") == isHeld)
        #expect(isHeld ? row > wanted : row == wanted)
        if order == .sizeAndPage {
            stage.answer { if case .ask(_, .page) = $0 { true } else { false } }
            #expect(try Self.anchoredRow(stage).now == row)
        }
        while !stage.waiting.isEmpty {
            stage.answerFirst()
            #expect(try Self.anchoredRow(stage).now == row)
        }
        #expect(!stage.screen.contains("loading newer"))
        stage.send(.resized(first))
        stage.settle()
        #expect(Self.area(stage) == before)
    }

    /// The row of the screen that the anchor holds where there is room for it, and the row where it is.
    private static func anchoredRow(_ stage: Stage) throws -> (own: Int, now: Int) {
        let timeline = stage.model.timeline
        let anchor = try #require(timeline.anchor)
        let index = try #require(timeline.list.index(of: anchor.id))
        let row = timeline.screenRow(of: index) + timeline.measure(of: index).row(ofPlace: anchor.place)
        return (anchor.screenRow, row)
    }

    @Test func `A search goes on among the new messages`() throws {
        let isHit = { (id: Int) in id % 4 == 1 }
        func talk(_ ids: [Int]) -> [Message] {
            var messages = Self.talk(ids)
            for index in messages.indices where isHit(ids[index]) { messages[index].text += " needle" }
            return messages
        }
        var stage = Stage.open(talk(Array(0..<400)), at: "m-202", rows: 16)
        stage.settle()
        stage.press(.character("/"))
        stage.typeAndWait("needle")
        stage.press(.enter)
        stage.settle()
        stage.press(.character("n"))
        stage.settle()
        let selected = try #require(stage.selection)
        let row = stage.rows.firstIndex { $0.hasPrefix("▌") }
        let number = try #require(Int(selected.dropFirst(2)))
        let rest = (0..<400).filter { $0 == number || $0 % 3 != 0 }
        Self.rewrite(&stage, talk(rest))
        stage.settle()
        #expect(stage.selection == selected)
        #expect(stage.rows.firstIndex { $0.hasPrefix("▌") } == row)
        let hits = rest.filter(isHit)
        #expect(stage.rows.last?.contains("of \(hits.count)") == true, "\(stage.rows.last ?? "")")
        stage.press(.character("n"))
        stage.settle()
        let next = try #require(stage.selection.flatMap { Int($0.dropFirst(2)) })
        let place = try #require(hits.firstIndex(of: number))
        #expect([place - 1, place + 1].filter(hits.indices.contains).map { hits[$0] }.contains(next))
    }

    @Test func `Esc from a search that is being typed leads to the survivors of the former screen`() throws {
        var stage = Self.stage(Array(0..<400), at: 202)
        let row = try #require(Self.row("message 202 row 0", stage))
        stage.press(.character("/"))
        stage.typeAndWait("message 208")
        Self.rewrite(&stage, Self.talk((0..<400).filter { $0 != 202 }))
        stage.settle()
        #expect(stage.selection == "m-208")
        stage.press(.escape)
        stage.settle()
        #expect(Self.row("message 203 row 0", stage) == row)
        #expect(!stage.screen.contains("not loaded"))
    }

    @Test func `A message that was unfolded stays unfolded, and the row being read keeps its place`() throws {
        var messages = Self.talk(Array(0..<100))
        messages[50].text = (0..<90).map { "line \($0)" }.joined(separator: "\n")
        var stage = Stage.open(messages, at: "m-50")
        stage.settle()
        stage.press(.character("z"))
        stage.press(.down, times: 20)
        let before = Self.area(stage)
        #expect(stage.screen.contains("line 20"))
        messages.removeSubrange(10..<20)
        let moved = messages.enumerated().map { index, message in message.at(index) }
        Self.rewrite(&stage, moved)
        stage.settle()
        #expect(Self.area(stage) == before)
    }

    @Test func `The unread line stays where it was when the message before it goes`() {
        var stage = Stage.open(Self.talk(Array(0..<60)), read: 50, at: "m-50", rows: 20)
        stage.expectLine(above: 50)
        let row = Self.row("message 50 row 0", stage)
        Self.rewrite(&stage, Self.talk((0..<60).filter { !(45..<50).contains($0) }))
        stage.settle()
        stage.expectLine(above: 50)
        #expect(row != nil && Self.row("message 50 row 0", stage) == row)
    }

    @Test func `Both panes of a thread stay on the survivors`() throws {
        var messages = Self.talk(Array(0..<200))
        let replies = Self.talk(Array(300..<340), thread: MessageID("m-100"))
        messages.insert(contentsOf: replies, at: 120)
        var stage = Stage.open(messages, at: "m-100", columns: 140, rows: 20)
        stage.settle()
        stage.press(.character("t"))
        stage.settle()
        stage.press(.up, times: 20)
        let selected = try #require(stage.selection)
        let row = try #require(stage.rows.firstIndex { $0.contains("▌") })
        func left(_ text: String) -> Int? { stage.rows.firstIndex { $0.prefix(80).contains(text) } }
        let root = try #require(left("message 100 row 0"))
        let below = left("message 101 row 0")
        let number = try #require(Int(selected.dropFirst(2)))
        Self.rewrite(
            &stage,
            messages.filter { ![selected, "m-99", "m-301"].contains($0.id.rawValue) })
        stage.settle()
        #expect(stage.selection == "m-\(number + 1)")
        #expect(stage.rows.firstIndex { $0.contains("▌") } == row)
        #expect(left("message 101 row 0") == below)
        // Without its root, and without any reply.
        let before = stage.rows
        Self.rewrite(&stage, messages.filter { ![selected, "m-99", "m-301", "m-100"].contains($0.id.rawValue) })
        stage.settle()
        #expect(stage.screen.contains("the message that they reply to is not here"))
        #expect(stage.rows[row].suffix(50) == before[row].suffix(50))
        #expect(left("message 101 row 0") == root)
        Self.rewrite(&stage, Self.talk(Array(0..<200)))
        stage.settle()
        #expect(stage.model.openThread?.timeline.list.isEmpty == true)
        // The root is back in its row.
        #expect(left("message 100 row 0") == root && left("message 101 row 0") == below)
    }

    // MARK: - At random

    /// The window is a contiguous slice of what is there.
    private static func expectSlice(_ stage: Stage, _ comment: Comment? = nil) {
        let all = stage.store.talks[0].messages.map(\.id)
        let window = stage.entries.map(\.id)
        guard let first = window.first else {
            #expect(all.isEmpty, comment)
            return
        }
        let start = all.firstIndex(of: first) ?? 0
        #expect(Array(all[start..<min(all.count, start + window.count)]) == window, comment)
    }

    /// What a screen shows: rows of entries, by the rows of the screen.
    private struct Picture {
        let tops: [MessageID: Int]
        let heights: [MessageID: Int]
        let order: [MessageID]
        let window: [MessageID]
        let anchor: MessageID?
        let anchorTop: Int
        /// Its rows above its text.
        let anchorText: Int
        let isFollowing: Bool

        init(_ stage: Stage) {
            let timeline = stage.model.timeline
            let visible = timeline.visibleIndices
            order = visible.map { timeline.list[$0].id }
            window = stage.entries.map(\.id)
            tops = Dictionary(uniqueKeysWithValues: visible.map { (timeline.list[$0].id, timeline.screenRow(of: $0)) })
            heights = Dictionary(
                uniqueKeysWithValues: (0..<timeline.count).map {
                    (timeline.list[$0].id, timeline.layout.height(of: $0))
                })
            let selected = timeline.selectedIndex.flatMap { visible.contains($0) ? $0 : nil } ?? visible.first
            anchor = selected.map { timeline.list[$0].id }
            anchorTop = selected.map { timeline.screenRow(of: $0) } ?? 0
            anchorText = selected.map { timeline.measure(of: $0).row(ofPlace: 0) } ?? 0
            isFollowing = timeline.viewport.isFollowing
        }
    }

    @Test(arguments: [UInt64](1...60))
    func `After any rewrite at any place, survivors keep their rows`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var next = Int.random(in: 1...600, using: &random)
        var ids = Array(0..<next)
        var stage = Stage.open(
            Self.talk(ids), at: Bool.random(using: &random) ? nil : "m-\(Int.random(in: 0..<next, using: &random))",
            columns: Int.random(in: 40...110, using: &random), rows: Int.random(in: 8...40, using: &random))
        stage.settle()
        for step in 0..<12 {
            let keys: [Key] = [.pageUp, .pageDown, .up, .down, .control("e"), .control("y"), .home, .end]
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                stage.press(keys.randomElement(using: &random) ?? .up, times: Int.random(in: 1...4, using: &random))
                stage.settle()
            }
            let old = Picture(stage)
            let edited = Self.rewrite(&ids, &next, around: old.anchor, using: &random)
            var messages = Self.talk(ids)
            for index in messages.indices where edited.contains(ids[index]) { messages[index].text += " edited" }
            Self.rewrite(&stage, messages)
            if Int.random(in: 0..<4, using: &random) == 0 { stage.failAll() }
            stage.settle()
            let comment: Comment = "seed \(seed), step \(step): from \(old.order.count) of \(old.window.count) messages"
            Self.expectSlice(stage, comment)
            try Self.expectKept(old, stage, edited, comment)
        }
    }

    /// Removes, inserts, edits and moves.
    /// - Returns: what has another text than usual.
    private static func rewrite(
        _ ids: inout [Int], _ next: inout Int, around anchor: MessageID?, using random: inout SeededGenerator
    ) -> Set<Int> {
        let anchored = anchor.flatMap { id in ids.firstIndex { "m-\($0)" == id.rawValue } } ?? 0
        var edited: Set<Int> = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let near = anchored + Int.random(in: -30...30, using: &random)
            let place = Bool.random(using: &random) ? Int.random(in: 0...ids.count, using: &random) : near
            let start = min(max(0, place), ids.count)
            switch Int.random(in: 0..<10, using: &random) {
            case 0...3:
                let count = [1, 1, 2, 5, 40, 200].randomElement(using: &random) ?? 1
                ids.removeSubrange(start..<min(ids.count, start + count))
            case 4...6:
                let count = [1, 2, 10, 80].randomElement(using: &random) ?? 1
                ids.insert(contentsOf: next..<next + count, at: start)
                next += count
            case 7...8: if start < ids.count { edited.insert(ids[start]) }
            default:
                if Int.random(in: 0..<4, using: &random) == 0 {
                    ids = []
                } else if start < ids.count {
                    let moved = ids.remove(at: start)
                    ids.insert(moved, at: Int.random(in: 0...ids.count, using: &random))
                }
            }
        }
        return edited
    }

    private static func expectKept(
        _ old: Picture, _ stage: Stage, _ edited: Set<Int>, _ comment: Comment
    ) throws {
        let timeline = stage.model.timeline
        let new = Picture(stage)
        guard !old.window.isEmpty else { return }
        #expect(new.isFollowing == old.isFollowing, comment)
        guard timeline.count > 0 else { return }
        if timeline.isWhole {
            let top = min(1, timeline.viewport.height - timeline.layout.height - timeline.footerRows)
            #expect(timeline.screenRow(of: 0) == top, comment)
            return
        }
        if old.isFollowing {
            #expect(timeline.layout.bottom <= timeline.viewport.bottom && !timeline.hasNewer, comment)
            return
        }
        // The anchored message, else its nearest survivor, the later one of two.
        let there = Set(stage.store.talks[0].messages.map(\.id))
        guard let anchor = old.anchor, let index = old.window.firstIndex(of: anchor) else { return }
        let outwards = (0..<old.window.count).flatMap { [index + $0, index - $0] }.filter(old.window.indices.contains)
        guard let survivor = outwards.map({ old.window[$0] }).first(where: there.contains) else { return }
        let place = try #require(timeline.list.index(of: survivor), comment)
        let row = timeline.screenRow(of: place)
        if survivor == anchor {
            let isSame = new.heights[anchor] == old.heights[anchor]
            // Where it is taller or lower above its anchored row, that row stays.
            #expect(!isSame || row == old.anchorTop, comment)
        } else {
            let text = row + timeline.measure(of: place).row(ofPlace: 0)
            #expect(text == max(0, old.anchorTop + old.anchorText), comment)
        }
        guard survivor == anchor else { return }
        // Outwards from it, as long as the same messages of the same height follow upon each other.
        for step in [1, -1] {
            var (before, now) = (index, place)
            while old.window.indices.contains(before), now >= 0, now < timeline.count,
                old.window[before] == timeline.list[now].id,
                old.heights[old.window[before]] == new.heights[old.window[before]]
            {
                if let top = old.tops[old.window[before]] { #expect(timeline.screenRow(of: now) == top, comment) }
                before += step
                now += step
            }
        }
    }
}

extension Message {
    /// The same message at a place of the fake store.
    fileprivate func at(_ index: Int) -> Message {
        Message(id: id, at: at, sender: sender, text: text, cursor: Messages.Cursor(token: "\(index)"))
    }
}
