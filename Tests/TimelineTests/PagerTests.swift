import Testing

@testable import Timeline

struct PagerTests {
    private func pager(older: Pager<Int>.Edge = .more(100), newer: Pager<Int>.Edge = .more(200)) -> Desk {
        let desk = Desk()
        desk.pager.replace(older: older, newer: newer)
        return desk
    }

    private func ticket(_ output: Pager<Int>.Output) -> Pager<Int>.Ticket {
        switch output {
        case .onPrepend(let ticket, _, _), .onAppend(let ticket, _, _): ticket
        }
    }

    @Test func `Each side loads once when fewer than three screens are left, and both may load at once`() throws {
        let pager = pager()
        #expect(pager.viewportMoved(above: 60, below: 60, height: 20).isEmpty)
        let outputs = pager.viewportMoved(above: 59, below: 0, height: 20)
        try #require(outputs.count == 2)
        guard case .onPrepend(_, before: 100, limit: 50) = outputs[0],
            case .onAppend(_, after: 200, limit: 50) = outputs[1]
        else {
            Issue.record("\(outputs)")
            return
        }
        #expect(pager.viewportMoved(above: 0, below: 0, height: 20).isEmpty)
    }

    @Test func `Pages without messages count as failed when they lead in a circle, and as loaded otherwise`() throws {
        let pager = pager(newer: .end)
        for (next, isFailed) in [(90, false), (80, false), (90, true)] {
            let output = try #require(pager.viewportMoved(above: 0, below: 0, height: 10).first)
            #expect(pager.received(ticket(output), count: 0, edge: .more(next)))
            if case .failed = pager.pager.state(of: .older) {
                #expect(isFailed, "\(next)")
            } else {
                #expect(!isFailed, "\(next)")
            }
        }
    }

    @Test func `A low screen still wants ten rows`() {
        let pager = pager()
        #expect(pager.viewportMoved(above: 10, below: 10, height: 1).isEmpty)
        #expect(pager.viewportMoved(above: 9, below: 10, height: 1).count == 1)
    }

    @Test func `A short page is followed by another request until the zone is full`() throws {
        let pager = pager(newer: .end)
        let first = try #require(pager.viewportMoved(above: 0, below: 0, height: 20).first)
        #expect(pager.received(ticket(first), count: 1, edge: .more(99)))
        let second = try #require(pager.viewportMoved(above: 1, below: 0, height: 20).first)
        guard case .onPrepend(_, before: 99, _) = second else {
            Issue.record("\(second)")
            return
        }
    }

    @Test
    func `An empty page with a new cursor is followed by a request, and one with the same cursor counts as failed`()
        throws
    {
        let pager = pager(newer: .end)
        let first = try #require(pager.viewportMoved(above: 0, below: 0, height: 20).first)
        #expect(pager.received(ticket(first), count: 0, edge: .more(90)))
        let second = try #require(pager.viewportMoved(above: 0, below: 0, height: 20).first)
        #expect(pager.received(ticket(second), count: 0, edge: .more(90)))
        #expect(pager.pager.state(of: .older) == .failed(reason: "the response held nothing new", attempts: 1))
        #expect(pager.viewportMoved(above: 0, below: 0, height: 20).isEmpty)
    }

    @Test func `A failed load keeps its cursor, waits for a retry, and counts its failures`() throws {
        let pager = pager(newer: .end)
        var load = try #require(pager.viewportMoved(above: 0, below: 0, height: 20).first)
        for attempt in 1...3 {
            #expect(pager.failed(ticket(load), reason: "away") == attempt)
            #expect(pager.viewportMoved(above: 0, below: 0, height: 20).isEmpty)
            load = try #require(pager.retry(ticket(load)))
            guard case .onPrepend(_, before: 100, _) = load else {
                Issue.record("\(load)")
                return
            }
        }
        #expect(pager.received(ticket(load), count: 50, edge: .end))
        #expect(pager.pager.state(of: .older) == .exhausted)
        #expect(!pager.pager.hasMore(.older))
        #expect(pager.retry(.older) == nil)
    }

    @Test func `A retry by the user lengthens no pause, and ends the timer of the try before`()
        throws
    {
        let pager = pager(newer: .end)
        let first = try #require(pager.viewportMoved(above: 0, below: 0, height: 20).first)
        #expect(pager.failed(ticket(first), reason: "away") == 1)
        let second = try #require(pager.retry(.older))
        #expect(pager.failed(ticket(second), reason: "away") == 1)
        #expect(pager.retry(ticket(first)) == nil)
        #expect(pager.retry(ticket(second)) != nil)
    }

    @Test func `A retry waits 1, 2, 4 … 30 seconds`() {
        #expect((1...8).map(Pager<Int>.retryDelay) == [1, 2, 4, 8, 16, 30, 30, 30])
        #expect(Pager<Int>.retryDelay(attempts: 1_000_000) == 30)
    }

    @Test func `A response for a replaced list is dropped`() throws {
        let pager = pager()
        let old = try #require(pager.viewportMoved(above: 0, below: 999, height: 20).first)
        pager.pager.replace(older: .more(7), newer: .end)
        let before = pager.pager
        #expect(!pager.received(ticket(old), count: 50, edge: .end))
        #expect(pager.failed(ticket(old), reason: "away") == nil)
        #expect(pager.pager == before)
    }

    @Test func `Eviction gives a side more to load, and drops the response for the old edge`() throws {
        let pager = pager(older: .end, newer: .more(200))
        let old = try #require(pager.viewportMoved(above: 0, below: 0, height: 20).first)
        pager.pager.reopen(.newer, at: 150)
        #expect(!pager.received(ticket(old), count: 50, edge: .end))
        let next = try #require(pager.viewportMoved(above: 0, below: 0, height: 20).first)
        guard case .onAppend(_, after: 150, _) = next else {
            Issue.record("\(next)")
            return
        }
    }
}

/// Holds a pager for use within an expectation, which takes only constant values.
private final class Desk {
    var pager = Pager<Int>()

    func viewportMoved(above: Int, below: Int, height: Int) -> [Pager<Int>.Output] {
        pager.viewportMoved(above: above, below: below, height: height)
    }

    func received(_ ticket: Pager<Int>.Ticket, count: Int, edge: Pager<Int>.Edge) -> Bool {
        pager.received(ticket, count: count, edge: edge)
    }

    func failed(_ ticket: Pager<Int>.Ticket, reason: String) -> Int? { pager.failed(ticket, reason: reason) }

    func retry(_ side: Pager<Int>.Side) -> Pager<Int>.Output? { pager.retry(side, height: 10) }

    func retry(_ ticket: Pager<Int>.Ticket) -> Pager<Int>.Output? { pager.retry(ticket, height: 10) }
}
