internal import Matrix

/// A gap that is being filled.
struct FillWork {
    /// A request of Kedge for the events before a segment, or after it.
    struct Demand {
        let asker: Asker
        let direction: FillDirection
        let limit: Int
    }

    /// The pages that were fetched in one direction, for recognizing a server that repeats itself or never ends.
    struct Course {
        /// The tokens of the pages: a server that repeats one goes in circles.
        private var tokens: Set<String> = []
        /// How many pages in a row had no events.
        private(set) var emptyPages = 0
        /// The IDs of the events of the pages, as far as they are remembered.
        private var ids: Set<String> = []

        /// How many IDs of events are remembered.
        private static let mostIDs = 50_000

        /// Takes a page after which there are more.
        /// - Returns: false if the server repeats a token, or the events of its pages.
        mutating func goesOn(with page: EventsPage, _ gap: Gap, _ direction: FillDirection) -> Bool {
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

    let room: String
    var gap: Gap
    /// Whether it is filled without being asked for: backwards.
    let isWanted: Bool
    /// The requests that wait for its next page.
    var demands: [Demand] = []
    var courses: [FillDirection: Course] = [:]
    /// Whether new tokens were asked for after the server had refused those of the gap.
    var hasNewTokens = false
    /// Whether the token is asked for at which the gap ends.
    var asksForEnd = false
    /// The direction of the request that was sent last. A gap may be filled from both ends, a page from each in turn: each goes on
    /// to the token that the other one has left.
    var direction = FillDirection.backward

    init(room: String, gap: Gap, isWanted: Bool) { (self.room, self.gap, self.isWanted) = (room, gap, isWanted) }

    /// The direction of the next page.
    var nextDirection: FillDirection { demands.first?.direction ?? .backward }

    /// The most events that the next page may have; nil for as many as the server sends.
    var limit: Int? { demands.filter { $0.direction == direction }.map(\.limit).max() }

    /// Takes the requests out that a page fulfils.
    mutating func takeDemands(_ isMet: (Demand) -> Bool) -> [Demand] {
        let met = demands.filter(isMet)
        demands.removeAll(where: isMet)
        return met
    }
}

extension Gap {
    /// Whether it is right beside a segment, so that a page in a direction would touch that.
    func isBeside(_ segment: SegmentName, _ direction: FillDirection) -> Bool {
        switch direction {
        case .backward: edge == segment
        case .forward: older == segment
        }
    }
}
