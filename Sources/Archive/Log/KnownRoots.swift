internal import Messages

/// The known places of the roots of threads, until the files change.
struct KnownRoots {
    private static let remembered = 16_384

    /// The place of the first message with this ID, or of a later one that is still before one of its replies.
    var places: [MessageID: LinePlace] = [:]
    /// A place before which there is no message with this ID.
    var absent: [MessageID: LinePlace] = [:]
    private var segments: [Segment] = []
    private var covered = LinePlace.first

    /// Forgets everything if the files differ from the remembered ones, or if too much is remembered.
    mutating func begin(_ segments: [Segment], covered: LinePlace) {
        let isFull = places.count + absent.count > KnownRoots.remembered
        guard isFull || covered != self.covered || segments != self.segments else { return }
        self = KnownRoots()
        self.segments = segments
        self.covered = covered
    }
}
