import ArchiveFormat
import Formats
import Testing

@testable import Helper

/// What a page makes of a gap. The pages are values: no network has sent them.
struct PageTests {
    private let older = SegmentName.first

    private func gap() throws -> SyncGap {
        SyncGap(edge: try #require(older.island), older: older, from: "f", to: "t")
    }

    private func page(end: String?, isStart: Bool = false) -> EventsPage {
        EventsPage(lines: [], count: 1, end: end, isStart: isStart, ids: [], people: [])
    }

    @Test(arguments: [FillDirection.backward, .forward])
    func `a page leaves a smaller gap beside it`(_ direction: FillDirection) throws {
        let gap = try gap()
        let (name, head, rest) = try #require(gap.segment(for: page(end: "m"), direction))
        let left = try #require(rest)
        switch direction {
        case .backward:
            #expect(name == gap.edge.before && head == SegmentHead(before: .gap, from: "m", to: "t"))
            #expect(left.from == "m" && left.stop == "t" && left.edge == name && left.older == older)
        case .forward:
            #expect(name == older.after && head == SegmentHead(before: .segment(older), to: "t", end: "m"))
            #expect(left.from == "f" && left.stop == "m" && left.edge == gap.edge && left.older == name)
        }
    }

    @Test(
        arguments: [
            (FillDirection.backward, "t", false), (.backward, nil, false), (.backward, "m", true),
            (.forward, "f", false),
            (.forward, nil, false),
        ] as [(FillDirection, String?, Bool)])
    func `a page that reaches the other token closes the gap`(
        _ direction: FillDirection, _ end: String?, _ isStart: Bool
    ) throws {
        let gap = try gap()
        let (name, head, rest) = try #require(gap.segment(for: page(end: end, isStart: isStart), direction))
        #expect(name == gap.edge.before && head == SegmentHead(before: .segment(older)) && rest == nil)
    }
}
