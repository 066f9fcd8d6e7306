internal import Messages

/// What was found out of roots, as long as the files are what they were.
struct KnownRoots {
    private static let remembered = 16_384

    /// Where a message stands first, or at least before one of its replies.
    var places: [MessageID: LinePlace] = [:]
    /// Before which place there is no such message.
    var absent: [MessageID: LinePlace] = [:]
    private var segments: [Segment] = []
    private var covered = LinePlace.first

    /// Forgets all when it is about other files.
    mutating func begin(_ segments: [Segment], covered: LinePlace) {
        let isFull = places.count + absent.count > KnownRoots.remembered
        guard isFull || covered != self.covered || segments != self.segments else { return }
        self = KnownRoots()
        self.segments = segments
        self.covered = covered
    }
}
