import ArchiveFormat
import Formats
import Foundation
import Helper
import JSON
import TestSupport
import Testing

@testable import Matrix

struct IslandTests {
    private func name(_ number: Int64) throws -> SegmentName {
        try #require(SegmentName(file: "messages-\(500_000_000_000_000_000 + number).jsonl"))
    }

    private func page(_ body: String, _ direction: FillDirection = .backward) throws -> EventsPage {
        try #require(body.asBody { EventsPage($0, direction, tree: JSONTree(), events: MatrixEvents { _, _ in nil }) })
    }

    // MARK: - Gaps

    @Test func `segments touch by their numbers, or where one names the other`() throws {
        let names = try [0, 1, 5, 6, 9].map(name)
        let heads: [SegmentName: SegmentHead] = [
            names[0]: SegmentHead(before: .gap, from: "t0"), names[1]: SegmentHead(before: .gap, from: "x"),
            names[2]: SegmentHead(before: .gap, from: "t5", to: "s1"), names[3]: SegmentHead(before: .gap),
            names[4]: SegmentHead(before: .segment(names[3])),
        ]
        let gaps = SyncGap.all(in: names) { heads[$0] }
        #expect(
            gaps == [
                SyncGap(edge: names[2], older: names[1], from: "t5", to: "s1"),
                SyncGap(edge: names[0], older: nil, from: "t0", to: nil),
            ])
    }

    @Test func `a room that begins with its first segment has no gap before it`() {
        #expect(SyncGap.all(in: [.first]) { _ in SegmentHead(before: .start) } == [])
    }

    @Test func `a segment that names another one than that before it has a gap`() throws {
        let names = try [0, 5].map(name)
        let gaps = SyncGap.all(in: names) {
            $0 == names[0] ? SegmentHead(before: .start) : SegmentHead(before: .segment(.first.after ?? .first))
        }
        #expect(gaps.map(\.edge) == [names[1]])
    }

    @Test func `a page goes right before its gap's edge, and the rest stays a gap with the same end`() throws {
        let gap = SyncGap(edge: try name(5), older: try name(0), from: "t9", to: "s1")
        let segment = try #require(gap.segment(for: try page(Events.page([Events.text("1")], end: "t8")), .backward))
        #expect(segment.name == (try name(4)))
        #expect(segment.head == SegmentHead(before: .gap, from: "t8", to: "s1"))
        #expect(segment.rest == SyncGap(edge: try name(4), older: try name(0), from: "t8", to: "s1"))
    }

    @Test func `a response without an end closes the gap`() throws {
        let gap = SyncGap(edge: try name(5), older: try name(0), from: "t9", to: "s1")
        let closed = try #require(gap.segment(for: try page(Events.page([])), .backward))
        #expect(closed.head == SegmentHead(before: .segment(try name(0))) && closed.rest == nil)
        let begun = SyncGap(edge: .first, older: nil, from: "t9", to: nil)
        let creation = Events.state("c", "m.room.create", "")
        let start = try #require(begun.segment(for: try page(Events.page([creation], end: "t0")), .backward))
        #expect(start.head == SegmentHead(before: .start) && start.rest == nil)
    }

    @Test func `a gap without a free number is given up`() throws {
        let gap = SyncGap(edge: try name(1), older: try name(0), from: "t9", to: "s1")
        #expect(gap.segment(for: try page(Events.page([])), .backward) == nil)
    }

    @Test func `the newest event of a page comes last in its records, and each once`() throws {
        let page = try page(Events.page([Events.text("2"), Events.text("1"), Events.text("2")], end: "t"))
        let lines = String(decoding: page.lines, as: UTF8.self).split(separator: "\n")
        #expect(lines.map { $0.contains(#""id":"$1""#) } == [false, true])
        #expect(page.ids == ["$1", "$2"] && page.count == 3)
    }

    // MARK: - Islands in the midst of gaps

    private func context(_ before: [String], _ event: String, _ after: [String]) throws -> ContextPage {
        let body =
            #"{"start":"t5","end":"t7","event":\#(event),"events_before":[\#(before.joined(separator: ","))],"#
            + #""events_after":[\#(after.joined(separator: ","))]}"#
        return try #require(body.asBody { ContextPage($0, tree: JSONTree(), events: MatrixEvents { _, _ in nil }) })
    }

    @Test func `the events around one stand in their order`() throws {
        let page = try context([Events.text("2"), Events.text("1")], Events.text("3"), [Events.text("4")])
        let ids = String(decoding: page.lines, as: UTF8.self).split(separator: "\n").compactMap { line in
            (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["id"] as? String
        }
        #expect(ids == ["$1", "$2", "$3", "$4"])
        #expect(page.before == ["$1", "$2"] && page.after == ["$4"] && page.start == "t5" && page.end == "t7")
    }

    @Test(arguments: ["", "[]", "{}", #"{"event":7}"#, #"{"start":"a","end":"b"}"#])
    func `a body without the event is no context`(body: String) {
        #expect(body.asBody { ContextPage($0, tree: JSONTree(), events: MatrixEvents { _, _ in nil }) } == nil)
    }

    @Test func `an island stands far from its neighbours, and both of its gaps have their ends`() throws {
        let (older, edge) = (try name(0), try name(1_000_000_000))
        let gap = SyncGap(edge: edge, older: older, from: "t9", to: "s1")
        let page = try context([], Events.text("6"), [])
        let found = try #require(gap.segment(for: page))
        #expect(found.name == (try name(500_000_000)))
        #expect(found.head == SegmentHead(before: .gap, from: "t5", to: "s1", end: "t7"))
        let heads = [edge: SegmentHead(before: .gap, from: "t9", to: "s1"), found.name: found.head]
        let gaps = SyncGap.all(in: [older, found.name, edge]) { heads[$0] }
        #expect(gaps.map(\.stop) == ["t7", "s1"] && gaps.map(\.from) == ["t9", "t5"])
        #expect(gaps.map(\.isMissed) == [true, true])
    }

    @Test func `an island in the history is no reason to fetch all that is around it`() throws {
        let gap = SyncGap(edge: .first, older: nil, from: "t9", to: nil)
        let found = try #require(
            gap.segment(for: try context([], Events.text("6"), [])))
        let heads = [SegmentName.first: SegmentHead(before: .gap, from: "t9"), found.name: found.head]
        let gaps = SyncGap.all(in: [found.name, .first]) { heads[$0] }
        #expect(gaps.map(\.isMissed) == [false, false] && gaps.map(\.stop) == ["t7", nil])
        // Nor are the pages that are fetched from there.
        let page = try #require(
            gaps.first?.segment(for: try self.page(Events.page([Events.text("8")], end: "t8")), .backward))
        #expect(page.head == SegmentHead(before: .gap, from: "t8") && page.rest?.isMissed == false)
        #expect(page.rest?.stop == "t7")
    }

    @Test(arguments: 1...4) func `an island without a free number is given up`(distance: Int64) throws {
        let gap = SyncGap(edge: try name(distance), older: try name(0), from: "t9", to: "s1")
        let page = try context([], Events.text("6"), [])
        let found = gap.segment(for: page)
        #expect(found.map { $0.name > (gap.older ?? .first) && $0.name.before != gap.older } ?? true)
        #expect((found == nil) == (distance < 4))
    }

    // MARK: - People

    @Test func `the state beside older events names people, but no later name gives way`() throws {
        let events = MatrixEvents { _, _ in nil }
        events.names.set("@ben:e.org", "Ben")
        let state = ["ana", "ben", "cy"].map { Events.member("s\($0)", "@\($0):e.org", name: "old \($0)") }
        let chunk = [
            Events.member("2", "@cy:e.org", name: "Cy"), Events.member("1", "@ben:e.org", name: "Benjamin"),
            Events.text("3"),
        ]
        let people = [("@ana:e.org", "old ana"), ("@cy:e.org", "Cy")].map { ForeignPerson(id: $0, name: $1) }
        let list = chunk.joined(separator: ",")
        let page = #"{"chunk":[\#(list)],"state":[\#(state.joined(separator: ","))]}"#
        #expect(page.asBody { EventsPage($0, .backward, tree: JSONTree(), events: events) }?.people == people)
        #expect(events.names.known("@ben:e.org") == "Ben")
        let fresh = MatrixEvents { _, _ in nil }
        fresh.names.set("@ben:e.org", "Ben")
        let context =
            #"{"event":\#(Events.text("3")),"events_before":[\#(chunk[0]),\#(chunk[1])],"state":[\#(state.joined(separator: ","))]}"#
        #expect(context.asBody { ContextPage($0, tree: JSONTree(), events: fresh) }?.people == people)
        // In a room whose member events have named nobody, an older page tells the name there.
        let other = MatrixEvents { _, _ in nil }
        other.names.set("@ben:e.org", "Ben")
        other.room = "!r"
        #expect(page.asBody { EventsPage($0, .backward, tree: JSONTree(), events: other) }?.people == people)
        #expect(other.names.own(in: "!r") == ["@ben:e.org": "Benjamin"])
        #expect(other.names.nameElsewhere("@ben:e.org") == "Ben")
        let older = page.replacingOccurrences(of: "Benjamin", with: "B").replacingOccurrences(of: "old ben", with: "B")
        _ = older.asBody { EventsPage($0, .backward, tree: JSONTree(), events: other) }
        #expect(other.names.own(in: "!r") == ["@ben:e.org": "Benjamin"])
        // From now on they are known, and an older page changes nothing.
        #expect(page.asBody { EventsPage($0, .backward, tree: JSONTree(), events: fresh) }?.people == [])
    }
}
