import Testing

@testable import Timeline

struct LayoutTests {
    @Test func `Prepended rows lie above the first, and the others keep theirs`() {
        var layout = Layout(heights: [2, 1, 3])
        let rows = (0..<3).map(layout.rows(of:))
        layout.prepend([4, 1])
        #expect(layout.top == Row(-5))
        #expect((2..<5).map(layout.rows(of:)) == rows)
        #expect(layout.rows(of: 1) == Row(-1)..<Row(0))
    }

    @Test func `Every row belongs to the item that covers it, and rows beyond the list to none`() {
        let heights = [2, 1, 3, 1]
        let layout = Layout(heights: heights, top: Row(-4))
        let owners = heights.enumerated().flatMap { Array(repeating: $0.offset, count: $0.element) }
        for (offset, owner) in owners.enumerated() { #expect(layout.index(at: Row(-4 + offset)) == owner) }
        #expect(layout.index(at: Row(-5)) == nil)
        #expect(layout.index(at: Row(3)) == nil)
        #expect(layout.height == 7)
    }

    @Test func `Removing the first items moves no other, and removing later ones closes the gap`() {
        var layout = Layout(heights: [2, 1, 3, 1])
        layout.remove(0..<1)
        #expect(layout.rows(of: 0) == Row(2)..<Row(3))
        layout.remove(1..<2)
        #expect(layout.rows(of: 1) == Row(3)..<Row(4))
    }

    @Test func `A changed height moves the rows below, and a pin puts a row where it is wanted`() {
        var layout = Layout(heights: [2, 1, 3])
        layout.setHeight(5, of: 0)
        #expect(layout.top(of: 1) == Row(5))
        layout.pin(2, offset: 1, at: Row(4))
        #expect(layout.top(of: 2) == Row(3))
        #expect(layout.top == Row(-3))
    }

    @Test func `The items in a range of rows are those with a row in it`() {
        let layout = Layout(heights: [2, 1, 3])
        #expect(layout.indices(in: Row(1)..<Row(3)) == 0..<2)
        #expect(layout.indices(in: Row(-9)..<Row(99)) == 0..<3)
        #expect(layout.indices(in: Row(6)..<Row(9)).isEmpty)
        #expect(Layout().indices(in: Row(0)..<Row(9)).isEmpty)
    }

    @Test(arguments: [
        (Alignment.top, 20), (.middle, 14), (.bottom, 7), (.minimal, 7),
    ])
    func `A message of 2 rows appears at the requested alignment`(alignment: Alignment, top: Int) {
        let viewport = Viewport(top: Row(0), height: 15)
        #expect(viewport.top(showing: Row(20)..<Row(22), aligned: alignment) == Row(top))
    }

    @Test func `Minimal scrolling does not move a visible message`() {
        let viewport = Viewport(top: Row(10), height: 5)
        #expect(viewport.top(showing: Row(11)..<Row(13), aligned: .minimal) == Row(10))
        #expect(viewport.top(showing: Row(8)..<Row(9), aligned: .minimal) == Row(8))
        #expect(viewport.top(showing: Row(5)..<Row(30), aligned: .minimal) == Row(10))
        #expect(viewport.top(showing: Row(12)..<Row(30), aligned: .minimal) == Row(12))
    }
}
