import Testing

@testable import Timeline

/// Everything that can happen to a pager in a small conversation: every page size and threshold up to 4, every place to
/// open at, and from there every order of responses, failures, short and empty responses, retries and moves by the
/// user.
struct ExhaustivePagingTests {
    private enum Step: CaseIterable {
        case older, newer, olderShort, newerShort, failOlder, failNewer, retry, up, down
    }

    private struct State {
        var timeline: Notes
        var flights: [Pager<Int>.Output]
    }

    private static let count = 6
    private static let talk: Talk = {
        var talk = Talk()
        for index in 0..<count { talk.append(length: 1, isHidden: index == 1 || index == 4) }
        return talk
    }()

    @Test(arguments: 1...4, 0...4)
    func `In any order of responses the window is a slice, no load is doubled and nothing is stranded`(
        pageSize: Int, threshold: Int
    ) throws {
        var visited: Set<String> = []
        var paths = 0
        for focus in Self.talk.notes.map(\.id) {
            var queue = [try open(focus, Prefetch(pageSize: pageSize, rows: threshold, screens: 0))]
            while let state = queue.popLast() {
                for step in Step.allCases {
                    guard let next = try take(step, state) else { continue }
                    paths += 1
                    if visited.insert(name(next)).inserted { queue.append(next) }
                }
            }
        }
        print("pages of \(pageSize), threshold \(threshold): \(visited.count) states, \(paths) steps")
        #expect(visited.count > 2)
    }

    private func open(_ focus: Int, _ prefetch: Prefetch) throws -> State {
        var timeline = Notes(ruler: NoteRuler(width: 1), height: 1, prefetch: prefetch)
        let page = Self.talk.answer(Self.talk.lines(around: focus, 1))
        try timeline.open(
            page.notes, older: page.older, newer: page.newer, start: nil, total: nil, focus: focus, alignment: .middle,
            following: false)
        var state = State(timeline: timeline, flights: [])
        try ask(&state)
        return state
    }

    private func ask(_ state: inout State) throws {
        let open = Set(state.flights.map(\.ticket).filter(state.timeline.pager.expects).map(\.side))
        let loads = state.timeline.loads()
        #expect(open.isDisjoint(with: loads.map(\.ticket.side)), "asked twice")
        let again = state.timeline.loads()
        #expect(again.isEmpty, "asked twice for one entry")
        state.flights = (state.flights + loads).filter { state.timeline.pager.expects($0.ticket) }
        let distances = state.timeline.viewport.distances(to: state.timeline.content)
        let threshold = state.timeline.pager.prefetch.threshold(height: 1)
        for (side, rows) in [(Pager<Int>.Side.older, distances.above), (.newer, distances.below)] where rows < threshold
        {
            #expect(state.timeline.pager.state(of: side) != .idle, "stranded")
        }
        let expected = Self.talk.notes.filter { note in
            guard let first = state.timeline.ids.first, let last = state.timeline.ids.last else { return false }
            return (first...last).contains(note.id)
        }
        #expect(state.timeline.notes == expected)
    }

    /// Nil when the step cannot be taken.
    private func take(_ step: Step, _ state: State) throws -> State? {
        var next = state
        switch step {
        case .older, .olderShort: try answer(.older, step == .older ? 4 : 1, &next)
        case .newer, .newerShort: try answer(.newer, step == .newer ? 4 : 1, &next)
        case .failOlder, .failNewer: fail(step == .failOlder ? .older : .newer, &next)
        case .retry:
            for side in Pager<Int>.Side.allCases {
                if let output = next.timeline.retry(side) { next.flights.append(output) }
            }
        case .up: next.timeline.scroll(by: -1)
        case .down: next.timeline.scroll(by: 1)
        }
        guard name(next) != name(state) else { return nil }
        try ask(&next)
        return next
    }

    private func answer(_ side: Pager<Int>.Side, _ reading: Int, _ state: inout State) throws {
        guard let index = state.flights.firstIndex(where: { $0.ticket.side == side }) else { return }
        let output = state.flights.remove(at: index)
        let answer = Self.talk.answer(Self.talk.lines(for: output, reading: reading))
        let before = state.timeline.cells
        let isWanted = try state.timeline.receive(
            answer.notes, for: output.ticket, edge: side == .older ? answer.older : answer.newer)
        #expect(isWanted)
        #expect(isKept(before, state.timeline.cells))
        #expect(!state.timeline.viewport.isFollowing || before == state.timeline.cells)
    }

    private func fail(_ side: Pager<Int>.Side, _ state: inout State) {
        guard let index = state.flights.firstIndex(where: { $0.ticket.side == side }) else { return }
        let output = state.flights.remove(at: index)
        let before = (state.timeline.cells, state.timeline.ids)
        let failures = state.timeline.fail(output.ticket, reason: "away")
        #expect(failures != nil)
        #expect(state.timeline.cells == before.0 && state.timeline.ids == before.1)
    }

    /// The facts that distinguish states: not the numbers of tickets, nor those of failures in a row.
    private func name(_ state: State) -> String {
        let sides = Pager<Int>.Side.allCases.map { side in
            switch state.timeline.pager.state(of: side) {
            case .idle: "idle"
            case .loading: "loading"
            case .exhausted: "exhausted"
            case .gap: "gap"
            case .failed: "failed"
            }
        }
        let cursors = state.flights.map { output in
            switch output {
            case .onPrepend(_, let cursor, let limit): "<\(cursor)/\(limit)"
            case .onAppend(_, let cursor, let limit): ">\(cursor)/\(limit)"
            }
        }
        let top = state.timeline.viewport.top - state.timeline.layout.top
        return "\(state.timeline.ids) \(top) \(sides) \(cursors) \(state.timeline.viewport.isFollowing)"
    }
}
