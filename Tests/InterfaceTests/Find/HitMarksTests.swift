import Display
import Messages
import TestSupport
import Testing
import Timeline

@testable import Interface

/// The marks of a search's hits in the scroll bar.
struct HitMarksTests {
    @Test func `A row marks the messages that a click on it leads to, and only the end rows the very ends`() throws {
        for height in 2...40 {
            for total in [2, 3, 12, 41, 100, 5_000, 250_000] {
                let rows = (0..<total).map { ScrollBar.row(of: $0, height: height, total: total) }
                #expect(rows == rows.sorted())
                if height >= 3, total >= 2 * height {
                    #expect(rows[0] == 0 && rows[1] == 1)
                    #expect(rows[total - 2] == height - 2 && rows[total - 1] == height - 1)
                }
                let bar = try #require(ScrollBar(height: height, first: 0, visible: 1, total: total))
                for (hit, row) in rows.enumerated() where total <= 5_000 {
                    let index =
                        switch bar.target(ofThumbAt: row) {
                        case .beginning: 0
                        case .end: total - 1
                        case .index(let index): index
                        }
                    // Where there are fewer messages than rows, some lead to a neighbour.
                    #expect(rows[index] == row || total < 2 * height && abs(index - hit) <= 1)
                }
            }
        }
    }

    @Test func `A click on a mark leads near to the hit, for any size of screen`() throws {
        for height in 4...40 {
            for visible in [1, 2, 5, 11, 40] {
                for total in [41, 100, 1_000, 250_000] where total >= 4 * height {
                    for hit in stride(from: 0, to: total, by: max(1, total / 300)) {
                        let bar = try #require(ScrollBar(height: height, first: 0, visible: visible, total: total))
                        let row = ScrollBar.row(of: hit, height: height, total: total)
                        let first =
                            switch bar.target(ofThumbAt: row) {
                            case .beginning: 0
                            case .end: total - visible
                            case .index(let index): index - visible / 2
                            }
                        // A row stands for so many messages, and the first and the last for one.
                        let distance = max(first - hit, hit - (first + visible - 1), 0)
                        #expect(2 * distance * (height - 1) <= 3 * total, "\(height) \(visible) \(total) \(hit)")
                    }
                }
            }
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `All hits are marked and nothing else is, in batches of any kind`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let total = Int.random(in: 1...400, using: &random)
        var hits: [HitPlace] = []
        for order in (0...total).reversed() {
            // A reply is shown at a message anywhere before it.
            for _ in 0..<Int.random(in: 0...2, using: &random)
            where order > 0 && Int.random(in: 0..<9, using: &random) == 0 {
                hits.append(HitPlace(order: order, index: Int.random(in: 0..<order, using: &random), isReply: true))
            }
            if order < total, Int.random(in: 0..<9, using: &random) == 0 {
                hits.append(HitPlace(order: order, index: order))
            }
        }
        var places = HitPlaces()
        var rest = hits[...]
        while !rest.isEmpty {
            let count = Int.random(in: 0...min(9, rest.count), using: &random)
            places.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        for index in 0...total {
            #expect(places.firstShown(from: index) == hits.map(\.index).filter { $0 >= index }.min())
        }
        for height in [1, 2, 3, 10, 27] {
            let marks = ScrollBar.rows(of: places, height: height, total: total)
            #expect(marks == Set(hits.map { ScrollBar.row(of: $0.index, height: height, total: total) }))
        }
    }

    @Test func `Marks of 300,000 hits take about as long as those of 300`() {
        func time(everyMessage step: Int) -> Duration {
            var places = HitPlaces()
            for index in stride(from: 299_999, through: 0, by: -step) {
                places.append([HitPlace(order: index, index: index)])
            }
            return (0..<20).map { _ in
                ContinuousClock().measure {
                    #expect(ScrollBar.rows(of: places, height: 27, total: 300_000).count >= 25)
                }
            }.min() ?? .zero
        }
        // A walk over all of them would take a thousand times as long.
        #expect(time(everyMessage: 1) < time(everyMessage: 1_000) * 30)
    }

    // MARK: - On the screen

    private static func bar(_ frame: Frame) -> String {
        frame.text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2).dropLast().map {
            String($0.last ?? " ")
        }.joined()
    }

    @Test func `A search marks its hits in proportion to the whole conversation, until it ends`() {
        var stage = Stage.open(FindTests.talk, at: "m-1010")
        #expect(Self.bar(stage.frame) == "│││││┃│││││")
        stage.press(.character("/"))
        stage.typeAndWait("neap")
        #expect(stage.selection == "m-500")
        #expect(Self.bar(stage.frame) == "││┫││││││││")
        let style = stage.frame.lines[4].spans.last?.style
        #expect(style == Style(.accent))
        stage.press(.enter, .pageDown, .pageDown)
        stage.answerAll()
        stage.press(.home)
        stage.answerAll()
        #expect(Self.bar(stage.frame) == "┃│┤││││││││")
        stage.press(.escape)
        stage.answerAll()
        #expect(Self.bar(stage.frame) == "┃││││││││││")
    }

    @Test func `Marks stay in place while scrolling, and a click on one leads to the hit`() {
        var stage = Stage.open(FindTests.talk, at: "m-1010", rows: 23)
        stage.press(.character("/"))
        stage.typeAndWait("neap")
        stage.press(.enter)
        stage.answerAll()
        let marked = Self.bar(stage.frame).firstIndex { "┤┫".contains($0) }
        for key in Array(repeating: Key.control("e"), count: 40) + [.pageDown, .end, .home, .pageDown] {
            stage.press(key)
            stage.answerAll()
            let bar = Self.bar(stage.frame)
            #expect(bar.firstIndex { "┤┫".contains($0) } == marked)
            #expect(bar.count { "┤┫".contains($0) } == 1)
        }
        guard let row = stage.rows.firstIndex(where: { $0.hasSuffix("┤") }) else { return #expect(Bool(false)) }
        stage.mouse(.press(clicks: 1), row: row, column: 71)
        stage.answerAll()
        let visible = stage.model.timeline.visibleIndices
        let first = (stage.model.timeline.windowStart ?? 0) + visible.lowerBound
        #expect(abs(first - 500) <= 2_000 / 20)
        #expect(stage.rows[row].hasSuffix("┫"))
    }

    @Test func `Nothing is marked when nothing is found or everything is on the screen`() {
        var stage = Stage.open(FindTests.talk, at: "m-1010")
        stage.press(.character("/"))
        stage.typeAndWait("nowhere")
        #expect(!stage.screen.contains("┤") && !stage.screen.contains("┫"))
        stage = Stage.open(Array(FindTests.talk.prefix(3)), at: nil)
        stage.press(.character("/"))
        stage.typeAndWait("tide")
        #expect(highlights(stage.frame) == ["Tide"])
        #expect(!stage.screen.contains("┤") && !stage.screen.contains("┫"))
    }
}
