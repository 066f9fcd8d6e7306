internal import ArchiveFormat
internal import Formats
internal import Helper
internal import Relay

/// A gap that is being filled.
struct FillWork {
    /// A request of Kedge for the events before a segment, or after it.
    struct Demand {
        let promise: Promise<RelayDone>
        let direction: FillDirection
        let limit: Int
    }

    /// The pages that were fetched in one direction, for recognizing a server that repeats itself or never ends.
    struct Course {
        /// The tokens of the pages: a server that repeats one goes in circles.
        private var tokens: Set<String> = []
        /// The number of successive pages without events.
        private(set) var emptyPages = 0
        /// The IDs of the events of the pages, as far as they are remembered.
        private var ids: Set<String> = []

        /// The most IDs of events to remember.
        private static let mostIDs = 50_000

        /// Handles a page with more pages after it.
        /// - Returns: false if the server repeats a token, or the events of its pages.
        mutating func goesOn(with page: EventsPage, _ gap: SyncGap, _ direction: FillDirection) -> Bool {
            let from = direction == .backward ? gap.from : gap.stop
            guard let end = page.end, end != from, tokens.insert(end).inserted else { return false }
            guard page.count > 0 else {
                emptyPages += 1
                return true
            }
            emptyPages = 0
            guard !page.ids.isSubset(of: ids) || page.ids.isEmpty else { return false }
            if ids.count > Course.mostIDs { ids.removeAll() }
            ids.formUnion(page.ids)
            return true
        }
    }

    /// The number of events to request in a page. Some servers fail at a page of 1,000 members, others at one that
    /// takes them too long.
    struct PageSize {
        private static let least = 10
        /// The number of pages after which larger ones are tried again: a server that restarts fails at any size.
        private static let patience = 8
        private static let mostFailures = 3

        private var most = Int.max
        private var pages = 0
        /// The number of successive failures of requests that cannot be smaller.
        private var failures = 0

        /// The number of events to ask for.
        func limited(_ count: Int) -> Int { min(count, most) }

        mutating func succeeded() {
            (failures, pages) = (0, pages + 1)
            if pages % PageSize.patience == 0, most < Int.max / 2 { most *= 2 }
        }

        /// Handles a failed request for a page.
        /// - Parameter count: the number of requested events; 0 for tokens alone.
        /// - Returns: true to request a smaller page now.
        mutating func failed(_ count: Int) -> Bool {
            failures += 1
            guard failures > 1 || most < .max, count > PageSize.least else { return false }
            (most, failures, pages) = (max(PageSize.least, count / 2), 0, 0)
            return true
        }

        /// True if the smallest pages fail as well, again and again.
        var isHopeless: Bool { failures >= PageSize.mostFailures }
    }

    let room: String
    var gap: SyncGap
    /// True if it is filled only until a message is found: the newest events of the room are not messages.
    var isForMessage = false
    var size = PageSize()
    /// True if it is filled, backwards, even when no client waits for it.
    let isWanted: Bool
    /// The requests that wait for its next page.
    var demands: [Demand] = []
    var courses: [FillDirection: Course] = [:]
    /// True if new tokens were asked for after the server had refused those of the gap.
    var hasNewTokens = false
    /// True if the request on its way asks for the token at which the gap ends.
    var asksForEnd = false
    /// The direction of the request that was sent last. A gap may be filled from both ends, a page from each in turn: each
    /// continues to the token that the other one has left.
    var direction = FillDirection.backward

    init(room: String, gap: SyncGap, isWanted: Bool) { (self.room, self.gap, self.isWanted) = (room, gap, isWanted) }

    /// The direction of the next page.
    var nextDirection: FillDirection { demands.first?.direction ?? .backward }

    /// The most events that the next page may have; nil for as many as the server sends.
    var limit: Int? { demands.filter { $0.direction == direction }.map(\.limit).max() }

    /// Removes the requests that a page fulfils, and returns them.
    mutating func takeDemands(_ isMet: (Demand) -> Bool) -> [Demand] {
        let met = demands.filter(isMet)
        demands.removeAll(where: isMet)
        return met
    }
}

extension SyncGap {
    /// True if it is right next to a segment, so that a page in a direction would touch that.
    func isBeside(_ segment: SegmentName, _ direction: FillDirection) -> Bool {
        switch direction {
        case .backward: edge == segment
        case .forward: older == segment
        }
    }
}
