/// The messages of islands whose reactions are to be asked for: they came later than the messages, where events are missing here.
///
/// One request is on its way at a time, and a failure drops all that is left: reactions are no reason to bother a server.
struct ReactionQueue {
    struct Target: Hashable {
        let room: String
        let event: String
    }

    /// How many messages around the one that was asked for.
    static let mostOfIsland = 20
    private static let mostWaiting = 100

    private var waiting: [Target] = []
    private(set) var current: Target?

    /// - Parameters:
    ///   - events: the messages of the island, in their order.
    ///   - middle: the one that was asked for. The nearest come first.
    mutating func add(_ events: [String], around middle: String, in room: String) {
        let place = events.firstIndex(of: middle) ?? 0
        let nearest = events.indices.sorted { abs($0 - place) < abs($1 - place) }.prefix(ReactionQueue.mostOfIsland)
        waiting = Array(
            (nearest.map { Target(room: room, event: events[$0]) } + waiting).prefix(ReactionQueue.mostWaiting))
    }

    /// The next one to ask for; nil if none is left, or one is on its way.
    mutating func next() -> Target? {
        guard current == nil, !waiting.isEmpty else { return nil }
        current = waiting.removeFirst()
        return current
    }

    /// Takes the end of the request that is on its way.
    /// - Returns: what it was for; nil if it is not wanted any more.
    mutating func end(isFailure: Bool) -> Target? {
        defer { current = nil }
        if isFailure { waiting = [] }
        return isFailure ? nil : current
    }
}
