internal import Messages

/// The files of a conversation as somebody saw them, and which of their lines count for nothing.
protocol Log {
    var segments: [Segment] { get }
    /// The lines that repeat the ID of an earlier one, sorted. Rare.
    var repeats: [LinePlace] { get }
    /// The replies without a root before them (`RootFinder`), as far as they are known, sorted. Rare.
    var loose: [LinePlace] { get }
}

extension Log {
    func isRepeat(_ place: LinePlace) -> Bool { repeats.holdsSorted(place) }

    func isLoose(_ place: LinePlace) -> Bool { loose.holdsSorted(place) }
}
