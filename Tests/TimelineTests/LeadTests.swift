import TestSupport
import Testing

@testable import Timeline

/// Lines above the content of an item, such as that of a day, come and go. They hold no row, and no cursor.
struct LeadTests {
    private static let day = [-4]

    /// Notes of two rows; every fourth has the line of a day above it, and the one after it the line of a quote.
    private func notes(_ range: Range<Int>) -> [Note] {
        range.map { Note(id: $0, length: 20, lead: $0 % 4 == 0 ? Self.day : $0 % 4 == 1 ? [-1] : []) }
    }

    private func open(focus: Int, height: Int, alignment: Alignment = .middle) throws -> Notes {
        var timeline = Notes(ruler: NoteRuler(width: 10), height: height)
        try timeline.open(
            notes(100..<200), older: .more(100), newer: .more(199), start: nil, total: nil, focus: focus,
            alignment: alignment, following: false)
        return timeline
    }

    @Test(arguments: [5, 10, 30])
    func `A jump back keeps the content when the line of its day has gone, and when it has come`(height: Int) throws {
        for focus in [120, 121, 122] {
            for alignment in Alignment.allCases {
                for lead in [[], [-1], [-4], [-4, -3, -1]] {
                    var timeline = try open(focus: focus, height: height, alignment: alignment)
                    let before = timeline.cells
                    let anchor = try #require(timeline.shownAnchor)
                    timeline.scroll(by: 25)
                    timeline.update(Note(id: focus, length: 20, lead: lead))
                    timeline.restore(anchor, selection: focus, following: false)
                    let content = before.firstIndex(of: Cell(id: focus, place: 0))
                    #expect(timeline.cells.firstIndex(of: Cell(id: focus, place: 0)) == content)
                    // What is below it stays as well.
                    let row = try #require(content)
                    #expect(timeline.cells[row...] == before[row...])
                }
            }
        }
    }

    @Test(arguments: Alignment.allCases)
    func `A message that begins a day is on the screen with its text at each height`(alignment: Alignment) throws {
        for height in 1...30 {
            var timeline = try open(focus: 120, height: 30, alignment: alignment)
            let before = timeline.cells
            timeline.setHeight(height)
            #expect(timeline.cells.contains(Cell(id: 120, place: 0)), "\(height)")
            timeline.setHeight(30)
            #expect(timeline.cells == before)
        }
    }

    @Test(arguments: 1...9)
    func `The cursor is on content wherever the user scrolls and steps`(height: Int) throws {
        for delta in [-1, 1] {
            for step in 0..<5 {
                var timeline = try open(focus: 150, height: height)
                for _ in 0..<80 {
                    switch step {
                    case 0: timeline.scroll(by: delta)
                    case 1: timeline.moveSelection(by: delta)
                    case 2: timeline.scrollScreen(by: delta * max(1, height - 2))
                    case 3: timeline.scroll(by: delta * 3)
                    default: timeline.select(atScreenRow: delta < 0 ? 0 : height - 1)
                    }
                    let ids = timeline.cells.compactMap { $0 }.filter(\.isContent).map(\.id)
                    if step == 4 { timeline.scroll(by: delta) }
                    guard !ids.isEmpty, step < 4 else { continue }
                    #expect(
                        ids.contains(timeline.selection ?? -1), "\(text(timeline.cells)), \(timeline.selection ?? -1)")
                }
                if step == 1 {
                    let end = delta < 0 ? 100 : 199
                    #expect(height > 5 || timeline.selection.map { abs($0 - end) < 40 } ?? false)
                }
            }
        }
    }

    @Test func `Steps pass each message on a screen that is too low for the lines above one`() throws {
        for height in 1...4 {
            for (start, delta) in [(100, 1), (199, -1)] {
                var timeline = Notes(ruler: NoteRuler(width: 10), height: height)
                let tall = (100..<200).map { Note(id: $0, length: 10, lead: $0 % 3 == 0 ? [-4, -3, -2, -1] : []) }
                try timeline.open(
                    tall, older: .end, newer: .end, start: nil, total: nil, focus: start, alignment: .middle,
                    following: false)
                var seen: Set<Int> = []
                for _ in 0..<600 {
                    seen.insert(timeline.selection ?? -1)
                    timeline.moveSelection(by: delta)
                }
                #expect(seen.count == 100, "height \(height), \(delta): \(seen.count)")
            }
        }
    }

    @Test func `An edit of a message below a line of a day moves the rows below it`() throws {
        // Only the line of the day of note 120 is on the screen, as its last row.
        var timeline = try open(focus: 119, height: 7, alignment: .bottom)
        timeline.scroll(by: 1)
        let before = timeline.cells
        #expect(before.last == Cell(id: 120, place: -4))
        timeline.select(atScreenRow: 6)
        #expect(timeline.selection == 119)
        timeline.update(Note(id: 120, length: 80, lead: Self.day))
        #expect(timeline.cells == before)
    }
}
