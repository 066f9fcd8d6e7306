import TestSupport
import Testing

@testable import Timeline

/// A list that begins with the conversation and fits on the screen begins at the top of it, whatever led there. The row above
/// the first message gives way to messages.
struct WholeListTests {
    private static let height = 6

    /// One thing that a user does while all fits. None of it scrolls.
    private enum Step: CaseIterable {
        case home, end, up, down, rowUp, rowDown, pageUp, pageDown, click, clickFirst
        case jumpToFirst, jumpToLast, typing, lookForNewer, comeBack, update
        case composer, reply, lower, narrower, higher

        func take(_ timeline: inout Notes) throws {
            let ids = timeline.ids
            let cover = height / 2
            switch self {
            case .home: _ = timeline.jumpToBeginning()
            case .end: _ = timeline.jumpToEnd()
            case .up: timeline.moveSelection(by: -1)
            case .down: timeline.moveSelection(by: 1)
            case .rowUp: timeline.scroll(by: -1)
            case .rowDown: timeline.scroll(by: 1)
            case .pageUp: timeline.scrollScreen(by: -4)
            case .pageDown: timeline.scrollScreen(by: 4)
            case .click: timeline.select(atScreenRow: 2)
            case .clickFirst: timeline.select(atScreenRow: 1)
            case .jumpToFirst: for alignment in Alignment.allCases { _ = timeline.jump(to: ids[0], aligned: alignment) }
            case .jumpToLast: _ = timeline.jump(to: ids[ids.count - 1], aligned: .middle)
            case .typing:
                let room = height - timeline.layout.height
                timeline.setFooter(rows: max(0, min(1, room - 1)))
                timeline.setFooter(rows: 0)
            case .lookForNewer:
                timeline.lookForNewer()
                for load in timeline.loads() { _ = try timeline.receive([], for: load.ticket, edge: .end) }
            case .comeBack:
                guard let anchor = timeline.shownAnchor else { return }
                let (selection, following) = (timeline.selection, timeline.viewport.isFollowing)
                timeline.setHeight(3)
                timeline.scroll(by: -2)
                timeline.setHeight(height)
                timeline.restore(anchor, selection: selection, following: following)
            case .update: timeline.update(Note(id: ids[0], length: 10, version: timeline.list[0].version + 1))
            case .composer:
                timeline.setHeight(height - cover, cover: cover)
                timeline.setHeight(height - 1, cover: 1)
                timeline.setHeight(height)
            case .reply:
                timeline.setHeight(height - cover, cover: cover, keeping: timeline.selection)
                timeline.setHeight(height, keeping: timeline.selection)
            case .lower:
                timeline.setHeight(2)
                timeline.setHeight(height)
            case .narrower:
                timeline.resize(ruler: NoteRuler(width: 3), height: 4)
                timeline.resize(ruler: NoteRuler(width: 10), height: height)
            case .higher:
                timeline.resize(ruler: NoteRuler(width: 40), height: 30)
                timeline.resize(ruler: NoteRuler(width: 10), height: height)
            }
        }
    }

    private static func screen(_ count: Int) -> [String] {
        let above = count < height ? [""] : []
        let rows = above + (0..<count).map { "\($0).0" }
        return rows + Array(repeating: "", count: height - rows.count)
    }

    private static func open(_ count: Int, focus: Int?, following: Bool) throws -> Notes {
        try Store(count: count).open(0..<count, focus: focus, height: height, following: following)
    }

    @Test(arguments: 1...6)
    func `No three steps move a row, wherever the list is opened`(count: Int) throws {
        let right = Self.screen(count)
        var cases = 0
        for focus in [nil, 0, count - 1] {
            for following in [false, true] {
                let opened = try Self.open(count, focus: focus, following: following)
                #expect(opened.screen == right)
                for first in Step.allCases {
                    for second in Step.allCases {
                        for third in Step.allCases {
                            var timeline = opened
                            for step in [first, second, third] {
                                try step.take(&timeline)
                                cases += 1
                                if timeline.screen == right { continue }
                                let story = "\(focus ?? -1), \(following): \(first), \(second), \(third)"
                                Issue.record("\(story): \(timeline.screen) after \(step)")
                                return
                            }
                        }
                    }
                }
            }
        }
        print("\(cases) steps in a list of \(count)")
    }

    @Test(arguments: 1...6)
    func `Arrivals are on the screen after any two steps, which is followed once it is full`(count: Int) throws {
        for following in [false, true] {
            for first in Step.allCases {
                for second in Step.allCases {
                    var timeline = try Self.open(count, focus: 0, following: following)
                    for step in [first, second] { try step.take(&timeline) }
                    for id in count..<10 {
                        try timeline.append([Note(id: id, length: 10)])
                        let right =
                            id < Self.height ? Self.screen(id + 1) : (id + 1 - Self.height...id).map { "\($0).0" }
                        guard timeline.screen == right else {
                            Issue.record("\(following), \(first), \(second): \(timeline.screen) after note \(id)")
                            return
                        }
                    }
                }
            }
        }
    }

    @Test func `A message that grows beyond the screen does not take the cursor away`() throws {
        var timeline = try Self.open(5, focus: nil, following: true)
        for _ in 0..<3 { timeline.moveSelection(by: -1) }
        timeline.update(Note(id: 4, length: 100))
        #expect(timeline.screen == ["", "0.0", "1.0", "2.0", "3.0", "4.0"])
        #expect(timeline.selection == 1)
        #expect(!timeline.viewport.isFollowing)
    }

    @Test func `A list that shrinks until it fits goes to the top`() throws {
        let store = Store(count: 9)
        for focus in 0..<9 {
            for following in [false, true] {
                var timeline = try store.open(0..<9, focus: focus, following: following)
                try timeline.apply(store.notes(0..<4), start: 0, total: 4)
                #expect(timeline.screen == Self.screen(4), "\(focus), \(following)")
            }
        }
    }

    @Test func `The row above the first message stays where the cursor can go there`() throws {
        var timeline = try Self.open(6, focus: nil, following: true)
        timeline.linkedEdges = [.older]
        for _ in 0..<7 { timeline.moveSelection(by: -1) }
        #expect(timeline.selectedEdge == .older)
        #expect(timeline.screen.first == "")
    }

    @Test func `With a composer of any height, the screen is the same again when it is closed`() throws {
        for count in 1...6 {
            for cover in 1...5 {
                for kept in [nil, 0, count - 1] {
                    for following in [false, true] {
                        var timeline = try Self.open(count, focus: 0, following: following)
                        timeline.setHeight(Self.height - cover, cover: cover, keeping: kept)
                        let isWhole = count <= Self.height - cover
                        let top = count < Self.height - cover ? ["", "0.0"] : ["0.0"]
                        #expect(!isWhole || Array(timeline.screen.prefix(top.count)) == top)
                        if let kept { #expect(timeline.screen.contains("\(kept).0")) }
                        try timeline.append([Note(id: count, length: 10)])
                        if let kept { #expect(timeline.screen.contains("\(kept).0")) }
                        timeline.setHeight(Self.height)
                        if count < Self.height { #expect(timeline.screen == Self.screen(count + 1)) }
                    }
                }
            }
        }
    }
}
