import Display
import Messages
import Testing
import Timeline

@testable import Interface

/// A pane as a component: keys go in, outcomes come out, without the model around it.
struct PaneTests {
    private static func pages(_ outcomes: [Outcome]) -> [PageRequest.Position] {
        outcomes.compactMap { outcome in
            if case .effect(.ask(.page(let request), .page)) = outcome { request.position } else { nil }
        }
    }

    @Test func `The key that moves the viewport near the edge requests a page, once`() {
        let stage = Stage.open(Script.long(400), at: "m-200")
        var pane = stage.model.pane
        let first = pane.timeline.list[0].cursor
        let context = stage.model.reader.paneContext(stage.model.outside)
        let asked = (0..<40).map { _ in Self.pages(pane.handle(.action(.pageUp), in: context)) }
        #expect(asked.first == [])
        #expect(asked.flatMap(\.self) == [.before(first)])
    }

    @Test func `A key for another component changes nothing, and requests nothing`() {
        let stage = Stage.open(Script.long(400), at: "m-200")
        var pane = stage.model.pane
        let place = pane.place
        let context = stage.model.reader.paneContext(stage.model.outside)
        #expect(pane.handle(.text(["j"]), in: context).isEmpty)
        #expect(pane.place == place)
    }
}
