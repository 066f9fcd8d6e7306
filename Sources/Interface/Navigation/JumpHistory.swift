import Messages
import Timeline

/// The places where jumps started, as in a browser: the user goes back to them and forward again. A new jump drops those
/// ahead.
struct JumpHistory: Hashable, Sendable {
    static let limit = 1_000

    private(set) var back: [ScreenPlace] = []
    private(set) var forward: [ScreenPlace] = []

    /// Notes where a jump started.
    mutating func leave(_ place: ScreenPlace) {
        forward = []
        guard back.last != place else { return }
        back.append(place)
        if back.count > JumpHistory.limit { back.removeFirst() }
    }

    /// Notes that some steps back have led to another place.
    mutating func wentBack(_ steps: Int, from place: ScreenPlace) {
        JumpHistory.walk(steps, from: place, &back, &forward)
    }

    mutating func wentForward(_ steps: Int, from place: ScreenPlace) {
        JumpHistory.walk(steps, from: place, &forward, &back)
    }

    private static func walk(
        _ steps: Int, from place: ScreenPlace, _ ahead: inout [ScreenPlace], _ other: inout [ScreenPlace]
    ) {
        var left = place
        for _ in 0..<min(steps, ahead.count) { other.append(exchange(&left, with: ahead.removeLast())) }
    }

    /// Drops places at the ends that are on the screen already, since a step to them would do nothing.
    mutating func skip(_ place: ScreenPlace?) {
        while let place, back.last == place { back.removeLast() }
        while let place, forward.last == place { forward.removeLast() }
    }

    /// Drops a place that does not exist any more.
    mutating func forget(_ place: ScreenPlace) {
        back.removeAll { $0 == place }
        forward.removeAll { $0 == place }
    }
}
